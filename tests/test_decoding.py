"""Greedy decoding: it writes what is likeliest, and it always stops, for a reason that it states."""

import pytest
import torch
from torch import nn

from model.decoding import greedy, pad
from model.tokenizer import BOS, EOS, PAD
from model.transformer import Transformer, TransformerConfig
from model.translation import translate, translate_all
from tests.conftest import tiny
from tests.fixtures import BUCH, KINO, corpus, german_english

A, B, C, D = 4, 5, 6, 7
PHRASES = {length: [4 + i for i in range(length)] for length in range(1, 9)}


def scripted(script: list[int]) -> Transformer:
    """A real model that looks at positions alone, and so writes `script` whatever it reads."""
    config = TransformerConfig(
        source_vocabulary=20, target_vocabulary=20, d_model=64, heads=2, encoder_layers=1, decoder_layers=1, d_ff=8,
        norm="pre", max_length=64,
    )  # fmt: skip
    model = Transformer(config).eval().requires_grad_(False)
    model.sinusoids.copy_(torch.eye(64))
    model.target_embedding.weight.zero_()
    for name, parameter in model.decoder.named_parameters():
        if name.endswith("output.weight"):  # no sublayer adds anything
            nn.init.zeros_(parameter)
    model.output.weight.zero_()
    for position, token in enumerate(script):
        model.output.weight[token, position] = 1
    return model


def decoded(script: list[int], limit: int = 60):
    return greedy(scripted([*script, EOS]), [[BOS, A, EOS]], limit)[0]


def test_it_writes_the_likeliest_tokens_up_to_the_end() -> None:
    script = [A, B, C, A, D, B]
    result = decoded(script)
    assert result.ids == (*script, EOS)
    assert result.stop == "eos"


def test_it_stops_at_the_limit() -> None:
    script = [A, B, C, A, D, B, A, C, D]
    for limit in (1, 4, 9):
        result = decoded(script, limit)
        assert result.ids == tuple(script[:limit])
        assert result.stop == "length"


@pytest.mark.parametrize("length", PHRASES)
def test_a_phrase_said_over_and_over_is_stopped(length: int) -> None:
    phrase = PHRASES[length]
    times = 4 if length == 1 else 3
    result = decoded([D + 9, *phrase * 7][:60])
    assert result.stop == "repetition"
    assert result.ids == (D + 9, *phrase * times)


@pytest.mark.parametrize("length", PHRASES)
def test_saying_it_a_few_times_is_no_loop(length: int) -> None:
    phrase = PHRASES[length]
    script = [*phrase * (3 if length == 1 else 2), D + 9]
    result = decoded(script)
    assert result.ids == (*script, EOS)
    assert result.stop == "eos"


def test_the_end_goes_before_repetition() -> None:
    assert decoded([EOS]).stop == "eos"
    assert decoded([EOS]).ids == (EOS,)


def test_a_batch_is_decoded_as_if_each_were_alone() -> None:
    model = tiny("pre", final_norm=True)
    sources = [[BOS, *range(4, 4 + length), EOS] for length in (1, 3, 9, 16)]
    together = greedy(model, sources, 40)
    assert together == [greedy(model, [source], 40)[0] for source in sources]
    assert len({result.ids for result in together}) > 1


def test_every_sentence_comes_to_an_end() -> None:
    """Whatever the weights: a reason is given, and nothing follows the end."""
    for seed in range(6):
        for result in greedy(tiny("post", seed=seed), [[BOS, 5, 6, EOS], [BOS, 7, EOS]], 50):
            assert result.stop in ("eos", "length", "repetition")
            assert 1 <= len(result.ids) <= 50
            assert (result.stop == "eos") == (EOS in result.ids)
            assert EOS not in result.ids[:-1]


def test_padding_stands_behind_and_is_masked() -> None:
    ids, mask = pad([[1, 5, 2], [1, 5, 6, 7, 2]])
    assert ids.tolist() == [[1, 5, 2, PAD, PAD], [1, 5, 6, 7, 2]]
    assert mask.tolist() == [[True, True, True, False, False], [True] * 5]


def test_the_sample_model_translates() -> None:
    run = translate(german_english(), KINO)
    assert "cinema" in run.text
    assert run.stop == "eos"
    assert run.trace.output_tokens[-1] == "<eos>"


def test_many_sentences_come_back_in_order() -> None:
    sentences = [pair.source for pair in corpus().tests()["grammar"][:9]] + [KINO, BUCH]
    alone = [translate(german_english(), sentence).text for sentence in sentences]
    assert translate_all(german_english(), sentences, batch=4) == alone
    assert len(set(alone)) > 3


@pytest.mark.parametrize("sentence", ["la " * 45, "Buch Buch Buch Buch Buch Buch", "xqzv " * 12, "?!?!?!?!"])
def test_nonsense_ends_too(sentence: str) -> None:
    run = translate(german_english(), sentence)
    assert run.stop in ("eos", "length", "repetition")
    assert len(run.trace.output_tokens) <= german_english().model.config.max_length


def test_the_trace_is_the_pass_that_wrote_the_translation() -> None:
    checkpoint = german_english()
    for sentence in (KINO, "xqzv xqzv", "Der Mann liest ein Buch."):
        run = translate(checkpoint, sentence)
        trace = run.trace
        assert trace.target_tokens[0] == "<bos>"
        assert trace.target_tokens[1:] == trace.output_tokens[:-1]  # each step reads what the one before wrote
        assert trace.values["logits"].shape == (len(trace.output_tokens), checkpoint.model.config.target_vocabulary)
        assert trace.source_tokens == checkpoint.tokenizer.tokens(checkpoint.tokenizer.encode(sentence))
