"""Greedy decoding: it writes what is likeliest, and it always stops, for a reason that it states."""

import pytest
import torch
from torch import nn

from corpora.grammar import load
from model import masks, presets
from model.checkpoint.checkpoints import untrained
from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.decode.recorded_pass import trace
from model.decode.translate import trace_pair, translate, translate_all
from model.edit import edits
from model.edit.edited_pass import Edit, compose
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, EOS, PAD
from model.transformer import Transformer
from tests.conftest import tiny
from tests.samples import BUCH, KINO, german_english

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
    ids, mask = masks.padded([[1, 5, 2], [1, 5, 6, 7, 2]])
    assert ids.tolist() == [[1, 5, 2, PAD, PAD], [1, 5, 6, 7, 2]]
    assert mask.tolist() == [[True, True, True, False, False], [True] * 5]


def test_the_sample_model_translates() -> None:
    run = translate(german_english(), KINO)
    assert "cinema" in run.text
    assert run.stop == "eos"
    assert run.trace.output_tokens[-1] == "<eos>"


def test_many_sentences_come_back_in_order() -> None:
    sentences = [pair.source for pair in load("de").generate(1, 9)] + [KINO, BUCH]
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
        trace_ = run.trace
        assert trace_.target_tokens[0] == "<bos>"
        assert trace_.target_tokens[1:] == trace_.output_tokens[:-1]  # each step reads what the one before wrote
        assert trace_.values["logits"].shape == (len(trace_.output_tokens), checkpoint.model.config.target_vocabulary)
        assert trace_.source_tokens == checkpoint.tokenizer.tokens(checkpoint.tokenizer.encode(sentence))


SOURCES = [[BOS, 5, 9, 7, EOS], [BOS, 6, EOS]]  # the second is padded
EDITED: dict[str, list[Edit]] = {
    "heads off": [edits.zero("decoder.*.self_attention.head_outputs", head=1)],
    "a late token of a head": [edits.scale("decoder.0.self_attention.head_outputs", -9, head=0, row=4)],
    "previous token": [edits.replace_weights("decoder.*.self_attention", "previous")],
    "moved positions": [edits.shift_position("decoder", 3), edits.shuffle_position("decoder", 9)],
    "first word swapped": [edits.swap_token("decoder", 0, 9), edits.scale("logits", -1)],
}
ENCODED: dict[str, list[Edit]] = {
    "uniform cross-attention": [edits.replace_weights("decoder.*.cross_attention", "uniform")],
    "cross-attention off": [edits.scale("decoder.*.cross_attention.v", -3)],
    "no encoder layer": [edits.zero("encoder.*.feed_forward.output"), edits.remove_position("encoder")],
}


def recomputed(model: Transformer, source: list[int], changes: list[Edit], steps: int) -> list[int]:
    """Greedy decoding without a cache: the whole prefix again at each step, under edits."""
    ids, tokens = torch.tensor([source]), []
    for _ in range(steps):
        tap = compose(model, *changes)
        if model.config.architecture == "decoder":
            logits = model(None, torch.tensor([[*source, *tokens]]), None, tap)
        else:
            logits = model(ids, torch.tensor([[BOS, *tokens]]), torch.ones_like(ids, dtype=torch.bool), tap)
        tokens.append(int(logits[0, -1].argmax()))
    return tokens


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [*EDITED, *ENCODED])
def test_edits_act_in_decoding_with_the_cache(name: str) -> None:
    changes, other = {**EDITED, **ENCODED}[name], 0
    for seed in range(4):
        model = tiny("pre", final_norm=True, seed=seed)
        tap = compose(model, *changes)
        for result, source in zip(greedy(model, SOURCES, 12, tap=tap), SOURCES, strict=True):
            assert list(result.ids) == recomputed(model, source, changes, len(result.ids))
            other += result != greedy(model, [source], 12)[0]
        again = greedy(model, SOURCES[:1], 12, tap=tap)[0]  # the same tap serves the next run
        assert list(again.ids) == recomputed(model, SOURCES[0], changes, len(again.ids))
    assert other > 2  # an edit without effect would pass for right


@pytest.mark.parametrize("name", EDITED)
def test_edits_act_in_going_on_after_a_prompt(name: str) -> None:
    other = 0
    for seed in range(4):
        torch.manual_seed(seed)
        config = TransformerConfig(
            architecture="decoder", target_vocabulary=19, d_model=16, heads=2, encoder_layers=0, decoder_layers=2,
            d_ff=24, norm="pre", final_norm=True, init="normal", max_length=64,
        )  # fmt: skip
        model = Transformer(config).eval()
        prompts = [[BOS, 5, 9], [BOS, 7]]
        for result, prompt in zip(greedy(model, prompts, 9, tap=compose(model, *EDITED[name])), prompts, strict=True):
            assert list(result.ids) == recomputed(model, prompt, EDITED[name], len(result.ids))
            other += result != greedy(model, [prompt], 9)[0]
    assert other > 1


def test_a_translation_under_edits_is_traced_under_them() -> None:
    model = german_english().model
    changes = [edits.zero("decoder.*.cross_attention.output")]
    run = translate(german_english(), KINO, tap=compose(model, *changes))
    assert run.text != translate(german_english(), KINO).text
    assert not run.trace.values["decoder.1.cross_attention.output"].any()
    assert run.trace.target_tokens[1:] == run.trace.output_tokens[:-1]
    pair = trace_pair(german_english(), KINO, "The dog is here.", tap=compose(model, *changes))
    assert not pair.values["decoder.1.cross_attention.output"].any()


def test_an_encoder_alone_writes_nothing() -> None:
    config = TransformerConfig(
        architecture="encoder", source_vocabulary=9, target_vocabulary=9, d_model=8, heads=1, encoder_layers=1,
        decoder_layers=0, d_ff=8,
    )  # fmt: skip
    with pytest.raises(InvalidInput, match="choose a model with a decoder"):
        greedy(Transformer(config), [[BOS, 5, EOS]], 5)


def test_the_trace_of_an_untrained_system_is_bounded() -> None:
    """At the paper's sizes, for the longest sentence that is read: what docs/hosting.md states."""
    sample = german_english()
    paper = untrained(presets.find("paper"), 0, sample.tokenizer)
    with pytest.raises(InvalidInput, match="the limit is 96"):
        translate(paper, "ab " * 200)
    longest = trace(paper.model, paper.tokenizer, [BOS, *[9] * 94, EOS], [BOS, *[9] * 18])
    assert sum(value.nbytes for value in longest.values.values()) < 30e6
    most = sample.model.config.max_length
    longest = trace(sample.model, sample.tokenizer, [BOS, *[9] * (most - 2), EOS], [BOS, *[9] * (most - 1)])
    assert sum(value.nbytes for value in longest.values.values()) < 12e6
