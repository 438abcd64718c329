"""Each change against a computation of its own, and the maps of effects."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model import presets
from model.checkpoint import catalogue
from model.checkpoint import load as checkpoints
from model.checkpoint.load import Checkpoint
from model.decode.translate import Translation, translate
from model.edit import edits, effects, notation, patching
from model.errors import InvalidInput
from model.tokenizer import PAD
from tests.fixtures import KINO, german_english


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    return german_english()


@pytest.fixture(scope="module")
def run(checkpoint: Checkpoint) -> Translation:
    return translate(checkpoint, KINO)


def untrained(name: str) -> Checkpoint:
    return checkpoints.load(catalogue.untrained(0)[f"untrained-{name}"])


def causal_encoder() -> Checkpoint:
    """An encoder alone whose tokens see none behind them."""
    bert = presets.find("bert")
    config = replace(bert.config, causal_encoder=True)
    return checkpoints.untrained(replace(bert, config=config), 0, german_english().tokenizer)


def after(checkpoint: Checkpoint, run: Translation, spelled: str) -> effects.Outcome:
    found, bad = notation.read(spelled)
    assert bad == []
    padded = notation.padding(found)
    made = [edit for one in found if one.on for edit in notation.edits_of(checkpoint, run, one, padded)]
    return effects.outcome(checkpoint, run, made, padded)


def forced(checkpoint: Checkpoint, run: Translation, tap, padded: int = 0) -> np.ndarray:
    """Logits of one pass over the unchanged translation under a tap written here."""
    source = torch.tensor([[*run.source, *[PAD] * padded]])
    with torch.inference_mode():
        return checkpoint.model(source, torch.tensor([run.target]), source != PAD, tap)[0].numpy()


def only(name: str, change):
    """A tap that changes the one value of that name."""
    return lambda found, value: change(value.clone()) if found == name else value


# spelling


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("off:cross.9.1", "change_place"), ("off:cross.0.4", "change_place"), ("off:sideways.0.0", "change_place"),
        ("off:cross.0", "change_places"), ("unmask:99", "change_place"), ("unmask:all", "change_place"),
        ("position:encoder.sideways", "change_place"), ("embedding:middle.scale", "change_place"),
        ("word:99=Haus", "change_place"), ("word:1=Zwerchfellkrampf", "change_word"), ("word:1= ", "sentence_empty"),
        ("row:cross.0.0.0=1,2", "change_weights"), ("row:cross.0.0.0=0,0,0,0,0,0,0,0", "change_weights"),
        ("row:cross.*.0.0=1,2", "change_place"), ("patch:encoder.1.1.50=Wo ist es?", "change_place"),
        ("key:decoder.1=Haus", "change_place"),
    ],
)  # fmt: skip
def test_a_change_without_a_place_is_refused(checkpoint: Checkpoint, run: Translation, text: str, code: str) -> None:
    [one], bad = notation.read(text)
    assert bad == []
    with pytest.raises(InvalidInput) as refused:
        notation.check(checkpoint, run, one)
    assert refused.value.code == code


def test_a_slider_moves_the_others_and_keeps_the_sum() -> None:
    assert notation.rebalanced((500, 300, 200), 0, 0) == (0, 600, 400)
    assert notation.rebalanced((500, 300, 200), 0, 1000) == (1000, 0, 0)
    assert notation.rebalanced((1000, 0, 0), 0, 400) == (400, 300, 300)
    assert notation.rebalanced((1000,), 0, 10) == (1000,)
    rng = np.random.default_rng(0)
    for _ in range(200):
        row = notation.as_shares(rng.dirichlet(np.full(7, 0.3)))
        place, value = int(rng.integers(7)), int(rng.integers(1001))
        moved = notation.rebalanced(row, place, value)
        assert sum(row) == sum(moved) == 1000
        assert moved[place] == value
        assert min(moved) >= 0


# each change against a computation of its own


def test_no_change_is_bit_identical(checkpoint: Checkpoint, run: Translation) -> None:
    for spelled in ("", "-off:cross.1.1;-unmask:causal"):
        same = after(checkpoint, run, spelled)
        assert (same.logits == run.trace.values["logits"]).all()
        assert all((same.weights[kind] == run.trace.weights(kind)).all() for kind in run.trace.kinds)
        assert (same.text, same.ids[:-1]) == (run.text, run.target[1:])


@pytest.mark.parametrize(("verb", "factor"), [("off", 0.0), ("half", 0.5)])
def test_a_head_off_or_halved(checkpoint: Checkpoint, run: Translation, verb: str, factor: float) -> None:
    def change(value: Tensor) -> Tensor:
        value[:, 2] *= factor
        return value

    expected = forced(checkpoint, run, only("decoder.1.cross_attention.head_outputs", change))
    np.testing.assert_allclose(after(checkpoint, run, f"{verb}:cross.1.2").logits, expected, atol=1e-5)
    assert np.abs(expected - run.trace.values["logits"]).max() > 1e-3


def test_a_head_off_is_a_projection_without_its_columns(checkpoint: Checkpoint, run: Translation) -> None:
    """concat(head₁ … head_H) W^O without head 3 is W^O with the columns of head 3 at 0."""
    attention = checkpoint.model.encoder[1].self_attention
    size = checkpoint.model.config.d_model // checkpoint.model.config.heads
    kept = attention.output.weight
    spoilt = kept.clone()
    spoilt[:, 3 * size :] = 0
    attention.output.weight = nn.Parameter(spoilt, requires_grad=False)
    try:
        expected = forced(checkpoint, run, lambda name, value: value)
    finally:
        attention.output.weight = kept
    np.testing.assert_allclose(after(checkpoint, run, "off:encoder.1.3").logits, expected, atol=1e-4)


def test_patterns_of_weights(checkpoint: Checkpoint, run: Translation) -> None:
    count = len(run.source)
    made = after(checkpoint, run, "uniform:encoder.0.1;diagonal:encoder.1.*;previous:decoder.2.0")
    np.testing.assert_allclose(made.weights["encoder"][0, 1], np.full((count, count), 1 / count), atol=1e-6)
    for head in range(4):
        np.testing.assert_allclose(made.weights["encoder"][1, head], np.eye(count), atol=1e-6)
    previous = np.eye(len(run.target), k=-1)
    np.testing.assert_allclose(made.weights["decoder"][2, 0][1:], previous[1:], atol=1e-6)


def test_a_row_by_hand(checkpoint: Checkpoint, run: Translation) -> None:
    row = [100, 0, 300, 0, 0, 600, 0, 0]
    made = after(checkpoint, run, f"row:cross.1.2.3={','.join(map(str, row))}")
    np.testing.assert_allclose(made.weights["cross"][1, 2, 3], np.array(row) / 1000, atol=1e-6)

    def change(value: Tensor) -> Tensor:
        value[:, 2, 3] = torch.tensor(row) / 1000
        return value

    expected = forced(checkpoint, run, only("decoder.1.cross_attention.weights", change))
    np.testing.assert_allclose(made.logits, expected, atol=1e-5)


def test_without_the_causal_mask(checkpoint: Checkpoint, run: Translation) -> None:
    made = after(checkpoint, run, "unmask:causal")
    assert made.text == run.text  # writing word by word there is no future
    assert (made.weights["decoder"] > 0).all()
    scores = run.trace.values["decoder.0.self_attention.scores"].astype(float)  # the first layer's are those of before
    by_hand = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    np.testing.assert_allclose(made.weights["decoder"][0], by_hand, atol=1e-5)


def test_padding_with_and_without_its_mask(checkpoint: Checkpoint, run: Translation) -> None:
    unchanged = effects.outcome(checkpoint, run, (), 4)
    assert unchanged.ids[:-1] == run.target[1:]
    assert (unchanged.weights["cross"][..., -4:] == 0).all()
    np.testing.assert_allclose(unchanged.logits, run.trace.values["logits"], atol=1e-3)
    made = after(checkpoint, run, "unmask:4")
    source, target = torch.tensor([[*run.source, *[PAD] * 4]]), torch.tensor([run.target])
    with torch.inference_mode():
        expected = checkpoint.model(source, target, torch.ones_like(source, dtype=torch.bool))[0].numpy()
    np.testing.assert_allclose(made.logits, expected, atol=1e-4)
    assert (made.weights["cross"][..., -4:] > 0).any()


def test_positions(checkpoint: Checkpoint, run: Translation) -> None:
    model = checkpoint.model
    embedding, count = run.trace.values["encoder.embedding"], len(run.source)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(5)).tolist()
    table = model.sinusoids.numpy()
    inputs = {"none": embedding, "shift3": embedding + table[3 : 3 + count], "shuffle5": embedding + table[order]}
    for how, values in inputs.items():
        given = torch.from_numpy(values)[None]
        expected = forced(checkpoint, run, only("encoder.input", lambda value, given=given: given))
        made = after(checkpoint, run, f"position:encoder.{how}")
        np.testing.assert_allclose(made.logits, expected, atol=1e-4)


def test_scaling_of_the_embedding(checkpoint: Checkpoint, run: Translation) -> None:
    root = math.sqrt(checkpoint.model.config.d_model)
    for how, factor in (("scale", root), ("unscale", 1 / root)):
        expected = forced(checkpoint, run, only("encoder.embedding", lambda value, factor=factor: value * factor))
        np.testing.assert_allclose(after(checkpoint, run, f"embedding:encoder.{how}").logits, expected, atol=1e-4)


def test_a_word_replaced_is_the_sentence_with_that_word(checkpoint: Checkpoint, run: Translation) -> None:
    word = "Haus"
    [token] = checkpoint.tokenizer.encode(word)[1:-1]
    source = torch.tensor([[*run.source[:5], token, *run.source[6:]]])
    with torch.inference_mode():
        expected = checkpoint.model(source, torch.tensor([run.target]), source != PAD)[0].numpy()
    made = after(checkpoint, run, f"word:5={word}")
    np.testing.assert_allclose(made.logits, expected, atol=1e-4)


def test_only_the_key_or_only_the_value(checkpoint: Checkpoint, run: Translation) -> None:
    """With both, cross-attention sees the other word's keys and values; with one, the other stays the old one's."""
    model = checkpoint.model
    [token] = checkpoint.tokenizer.encode("Haus")[1:-1]
    swapped = torch.tensor([[*run.source[:5], token, *run.source[6:]]])
    with torch.inference_mode():
        memory = model.encode(swapped, swapped != PAD)[0]
    own = run.trace.values["encoder.output"]
    for part, index in (("key", "k"), ("value", "v")):

        def tap(name: str, value: Tensor, index: str = index) -> Tensor:
            if not name.endswith(f"cross_attention.{index}"):
                return value
            layer = model.decoder[int(name.split(".")[1])].cross_attention
            projected = getattr(layer, index)(memory[5]).view(layer.heads, -1)  # (H, D)
            value = value.clone()
            value[0, :, 5] = projected
            return value

        expected = forced(checkpoint, run, tap)
        made = after(checkpoint, run, f"{part}:cross.5=Haus")
        np.testing.assert_allclose(made.logits, expected, atol=1e-4)
        attention = made.weights["cross"][0]
        assert np.allclose(attention, run.trace.weights("cross")[0], atol=1e-6) == (part == "value")
    assert np.abs(memory.numpy()[5] - own[5]).max() > 0.1


def test_an_activation_of_another_sentence(checkpoint: Checkpoint, run: Translation) -> None:
    donor = translate(checkpoint, "Wo ist das Buch?").trace.values["encoder.1.feed_forward.residual"]

    def change(value: Tensor) -> Tensor:
        value[0, 5] = torch.from_numpy(donor[4])
        return value

    expected = forced(checkpoint, run, only("encoder.1.feed_forward.residual", change))
    made = after(checkpoint, run, "patch:encoder.1.5.4=Wo ist das Buch?")
    np.testing.assert_allclose(made.logits, expected, atol=1e-5)


def test_every_change_runs_with_every_architecture() -> None:
    for name, spelled in {
        "mini-encoder": "off:encoder.0.0;unmask:3;position:encoder.none;word:2=Haus;key:encoder.1=Haus",
        "bert": "uniform:encoder.1.*;position:encoder.shuffle1;value:encoder.1=Haus;patch:encoder.0.1.1=Wo ist es?",
        "gpt": "off:decoder.0.*;unmask:causal;word:2=Haus;key:decoder.2=Haus;patch:decoder.1.1.2=Wo ist es?",
    }.items():
        one = untrained(name)
        own = translate(one, KINO)
        made = after(one, own, spelled)
        before = effects.outcome(one, own)
        assert made.output.shape == before.output.shape
        assert np.abs(made.output - before.output).max() > 1e-3
        assert (made.text == "") == (name != "gpt")


# numbers


def test_what_is_written_is_read_at_the_next_step(run: Translation) -> None:
    assert tuple(effects.written(run)[:-1]) == run.target[1:]


def test_candidates_by_hand() -> None:
    before, after_ = np.log([0.5, 0.3, 0.15, 0.05]), np.log([0.1, 0.2, 0.1, 0.6])
    found = effects.candidates(before, after_, 2)
    assert [(one.id, one.rank_before, one.rank_after) for one in found] == [(0, 1, 3), (1, 2, 2), (3, 4, 1)]
    assert [round(one.before, 6) for one in found] == [0.5, 0.3, 0.05]
    assert [round(one.after, 6) for one in found] == [0.1, 0.2, 0.6]


def test_spearman_by_hand() -> None:
    """Without ties 1 − 6 Σ d² ⁄ (n (n² − 1)); with ties the correlation of mean ranks."""
    one, other = np.array([[10.0, 20.0], [30.0, 40.0]]), np.array([[1.0, 3.0], [2.0, 4.0]])
    assert effects.spearman(one, other) == pytest.approx(1 - 6 * (0 + 1 + 1 + 0) / (4 * 15))
    assert effects.spearman(one, -one) == pytest.approx(-1)
    assert effects.ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]
    tied = effects.spearman(np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    assert tied == pytest.approx(np.corrcoef([1, 2.5, 2.5, 4], [1, 2, 3, 4])[0, 1])
    assert math.isnan(effects.spearman(np.ones(4), np.arange(4)))


# maps against one run for each cell


@pytest.mark.parametrize("name", ["de-en", "bert", "causal encoder", "gpt"])
def test_the_effect_map_against_one_run_for_each_head(name: str) -> None:
    own = {"de-en": german_english, "causal encoder": causal_encoder}
    one = own[name]() if name in own else untrained(name)
    run = translate(one, KINO)
    for kind in run.trace.kinds:
        for layer in (0, len(run.trace.weights(kind)) - 1):
            found = effects.head_effects(one, run, kind, layer)
            for head in range(one.model.config.heads):
                made = after(one, run, f"off:{kind}.{layer}.{head}")
                if run.target:
                    ids = run.trace.values["logits"].argmax(-1)
                    both = [
                        torch.from_numpy(logits).double().log_softmax(-1).numpy()[np.arange(len(ids)), ids]
                        for logits in (run.trace.values["logits"], made.logits)
                    ]
                    expected = both[1] - both[0]
                else:
                    own = run.trace.values["encoder.output"]
                    expected = torch.cosine_similarity(torch.tensor(own), torch.tensor(made.output)).numpy() - 1
                np.testing.assert_allclose(found[head], expected, atol=1e-4)


@pytest.mark.parametrize("name", ["de-en", "gpt"])
def test_the_patching_map_against_one_run_for_each_cell(name: str) -> None:
    one = german_english() if name == "de-en" else untrained(name)
    run, other = translate(one, KINO), KINO.replace("Kino", "Haus")
    side = notation.source_side(one)
    assert patching.check_pair(one, KINO, other) == [5]
    for at in ("input", "0", "1"):
        found = patching.patched(one, run, translate(one, other), at)
        for place in (1, 5, 6):
            made = after(one, run, f"patch:{side}.{at}.{place}.{place}={other}")
            ids = effects.written(run)
            expected = [
                torch.from_numpy(logits).double().log_softmax(-1).numpy()[np.arange(len(ids)), ids]
                for logits in (run.trace.values["logits"], made.logits)
            ]
            np.testing.assert_allclose(found[place], expected[1] - expected[0], atol=1e-4)
    assert np.abs(patching.patched(one, run, run, "0")).max() < 1e-4  # its own changes nothing


def test_a_pair_must_differ_in_one_word(checkpoint: Checkpoint) -> None:
    for other in ("Wir gehen heute.", KINO, "Wir lesen heute ins Haus."):
        with pytest.raises(InvalidInput, match="differ in"):
            patching.check_pair(checkpoint, KINO, other)
    pool = ["Ich gehe ins Bett.", "Das Haus ist alt."]
    other = patching.one_word_apart(checkpoint.tokenizer, KINO, pool)
    assert len(patching.check_pair(checkpoint, KINO, other)) == 1
    # letters have no words to choose from: another token of the sentence's own
    for text in (KINO, "aab"):
        other = patching.one_word_apart(checkpoint.tokenizer, text, [])
        assert len(patching.check_pair(checkpoint, text, other)) == 1
    assert patching.one_word_apart(checkpoint.tokenizer, "Kino Kino", []) == "Kino Kino"


def test_strength_is_the_largest_weight(run: Translation) -> None:
    cross, encoder = run.trace.weights("cross"), run.trace.weights("encoder")
    assert (effects.strength(run, "cross", 4) == cross[:, :, 4].max(-1)).all()
    np.testing.assert_allclose(effects.strength(run, "encoder", 4), encoder.max(-1).mean(-1))


# the two heads of the lesson


def test_a_head_that_matters_and_one_that_only_looks(checkpoint: Checkpoint) -> None:
    card = catalogue.entries()["de-en"].card
    sentences = [*card["examples"], *(text for topic in card["covers"] for text in topic["examples"][:1])][:24]
    matters = idle = None
    for sentence in sentences:
        found, run = effects.contrast(checkpoint, sentence), translate(checkpoint, sentence)
        if found.matters and matters is None:
            kind, layer, head = matters = found.matters
            tap = edits.compose(checkpoint.model, edits.zero(f"{notation.path(kind, layer)}.head_outputs", head=head))
            assert translate(checkpoint, sentence, tap=tap).text != run.text
        if found.idle and idle is None:
            kind, layer, head = idle = found.idle
            tap = edits.compose(checkpoint.model, edits.zero(f"{notation.path(kind, layer)}.head_outputs", head=head))
            assert translate(checkpoint, sentence, tap=tap).text == run.text
            assert run.trace.weights(kind)[layer, head].max(-1)[1:].mean() == pytest.approx(found.strength)
            assert found.strength > 0.6
            assert found.moved < effects.STILL
    assert matters
    assert idle
