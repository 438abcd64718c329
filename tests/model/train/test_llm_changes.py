"""The way from 2017 to today: what is counted, what is trained, and what the cards of the seven models say."""

import json
import math

import pytest
import torch

from corpora.pairs import Pair
from corpora.tasks.decoder_only_pairs import DecoderOnlyPairs
from corpora.tasks.grammar import Grammar
from model.build.target_loss import TEXTS, target_loss
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.train import data, llm_changes, run_settings
from tests.samples import SAMPLES

SERIES = llm_changes.series()


def test_each_model_of_the_series_has_one_change_more() -> None:
    sizes = [len(changes) for changes in SERIES.values()]
    assert sizes == list(range(len(llm_changes.CHANGES) + 1))
    assert [change.year for change in llm_changes.CHANGES] == sorted(change.year for change in llm_changes.CHANGES)


@pytest.mark.parametrize("name", SERIES)
def test_what_is_counted_is_what_the_trained_model_has(name: str) -> None:
    """Parameters of the tensors in the file; the cache from the keys and values that a step keeps."""
    checkpoint = checkpoints.load(Entry(SAMPLES / name))
    cost = llm_changes.cost(frozenset(SERIES[name]))
    model = checkpoint.model
    assert cost.parameters == sum(parameter.numel() for parameter in model.parameters())
    layer = model.decoder[0].self_attention
    numbers = layer.k.weight.size(0) + layer.v.weight.size(0)  # numbers of one token in one layer
    assert cost.cached == numbers * len(model.decoder)


def test_products_by_hand() -> None:
    """One new token, 64 numbers wide, 20 tokens read, 1,000 tokens in the vocabulary."""
    d, f, read = 64, 192, 20
    decoder = 4 * (4 * d * d + 2 * read * d + 2 * d * f) + d * 1000
    assert llm_changes.cost(frozenset({"decoder_only"})).products == decoder
    both = 2 * (4 * d * d + 2 * 10 * d + 2 * d * d + 2 * 10 * d + 2 * d * f) + d * 1000
    assert llm_changes.cost(frozenset()).products == both
    products = llm_changes.cost(frozenset({"decoder_only", "grouped"})).products
    assert decoder - products == 4 * d * d  # of k and v half the columns, in four layers


@pytest.mark.parametrize("name", [llm_changes.BEGINNING, "llm-grouped"])
def test_the_card_s_loss_is_the_model_s(name: str) -> None:
    """Worked out a token at a time, from the probability of the token alone."""
    checkpoint = checkpoints.load(Entry(SAMPLES / name))
    card = json.loads((SAMPLES / name / "card.json").read_text(encoding="utf-8"))
    end = " =" if checkpoint.model.config.architecture == "decoder" else ""
    pairs = [Pair(pair.source + end, pair.target) for pair in Grammar(0, sentences=2).of(1, TEXTS)]
    assert target_loss(checkpoint, pairs).loss == pytest.approx(card["training"]["by_sentences"]["0"][0], abs=2e-3)
    pair, tokenizer = pairs[0], checkpoint.tokenizer
    source, target = tokenizer.encode(pair.source), tokenizer.encode(pair.target)
    surprise = []
    for n in range(1, len(target)):
        with torch.inference_mode():
            if end:
                logits = checkpoint.model(None, torch.tensor([[*source[:-1], *target[1:n]]]), None)
            else:
                read = torch.tensor([source])
                logits = checkpoint.model(read, torch.tensor([target[:n]]), torch.ones_like(read, dtype=torch.bool))
        surprise.append(-math.log(float(logits[0, -1].softmax(-1)[target[n]])))
    assert target_loss(checkpoint, [pair]).loss == pytest.approx(sum(surprise) / len(surprise), rel=1e-4)


def test_what_the_page_says_of_the_series() -> None:
    """The model of 2017 has the least loss after this training, and every one fails on longer texts."""
    cards = [json.loads((SAMPLES / name / "card.json").read_text(encoding="utf-8"))["training"] for name in SERIES]
    means = [sum(card["target_loss"].values()) / 3 for card in cards]
    assert means[0] < 0.6 * min(means[1:])
    assert all(losses[2] > 2 * losses[1] for card in cards for losses in card["by_sentences"].values())


def test_a_source_that_a_decoder_alone_reads_has_an_end() -> None:
    plain = data.prepare(run_settings.RunSettings(task="copy", letters=3)).corpus
    corpus = data.prepare(run_settings.RunSettings(task="copy", letters=3, architecture="decoder")).corpus
    assert isinstance(corpus, DecoderOnlyPairs)
    assert [Pair(source + "=", target) for source, target in plain.validation()] == corpus.validation()
    words = data.prepare(llm_changes.settings({"decoder_only"})).corpus
    assert all(pair.source.endswith((". =", "? =", "! =")) for pair in words.validation())


@pytest.mark.parametrize("letters", [2, 3])
def test_few_letters_leave_few_held_out_words_and_do_not_hang(letters: int) -> None:
    corpus = data.prepare(run_settings.RunSettings(task="copy", letters=letters)).corpus
    held_out = corpus.tests()["copy"]
    assert 10 < len(held_out) < 1000
    assert len(set(held_out)) == len(held_out)
    assert not {pair.source for pair in corpus.train(0)} & {pair.source for pair in held_out}


def test_texts_of_several_sentences_keep_the_split_and_every_pair() -> None:
    single, several = Grammar(0), Grammar(0, sentences=2)
    held_out = {pair.source for pair in single.tests()["grammar"]} | {pair.source for pair in several.of(1, 50)}
    pairs = several.train(0)
    assert several.train(1) != pairs
    assert " ".join(sorted(" ".join(pair.source for pair in pairs).split())) == " ".join(
        sorted(" ".join(pair.source for pair in single.train(0)).split())
    )
    assert not [pair for pair in pairs if pair.source in held_out]
    both = [pair for pair in pairs if len(pair.source.split(". ")) == 2 and pair.source.count(".") == 2]
    assert both
    assert all(len(pair.target.split(". ")) == 2 for pair in both if pair.target.count(".") == 2)
