"""Effects of edits on a run: numbers by hand, and the maps of effects."""

import math

import numpy as np
import pytest
import torch

from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation, translate
from model.edit import activation_patching, change_edits, edit_effects, edited_pass, edits
from model.errors import InvalidInput
from model.trace import path
from tests.model.edit.small import after, causal_encoder, untrained
from tests.samples import KINO, german_english


def test_what_is_written_is_read_at_the_next_step(run: Translation) -> None:
    assert tuple(edit_effects.generated(run)[:-1]) == run.target[1:]


def test_candidates_by_hand() -> None:
    before, after_ = np.log([0.5, 0.3, 0.15, 0.05]), np.log([0.1, 0.2, 0.1, 0.6])
    result = edit_effects.candidates(before, after_, 2)
    assert [(one.id, one.rank_before, one.rank_after) for one in result] == [(0, 1, 3), (1, 2, 2), (3, 4, 1)]
    assert [round(one.before, 6) for one in result] == [0.5, 0.3, 0.05]
    assert [round(one.after, 6) for one in result] == [0.1, 0.2, 0.6]


def test_spearman_by_hand() -> None:
    """Without ties 1 − 6 Σ d² ⁄ (n (n² − 1)); with ties the correlation of mean ranks."""
    one, other = np.array([[10.0, 20.0], [30.0, 40.0]]), np.array([[1.0, 3.0], [2.0, 4.0]])
    assert edit_effects.spearman(one, other) == pytest.approx(1 - 6 * (0 + 1 + 1 + 0) / (4 * 15))
    assert edit_effects.spearman(one, -one) == pytest.approx(-1)
    assert edit_effects.ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]
    tied = edit_effects.spearman(np.array([1.0, 2.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    assert tied == pytest.approx(np.corrcoef([1, 2.5, 2.5, 4], [1, 2, 3, 4])[0, 1])
    assert math.isnan(edit_effects.spearman(np.ones(4), np.arange(4)))


# maps against one run for each cell


@pytest.mark.parametrize("name", ["de-en", "bert", "causal encoder", "gpt"])
def test_the_effect_map_against_one_run_for_each_head(name: str) -> None:
    own = {"de-en": german_english, "causal encoder": causal_encoder}
    one = own[name]() if name in own else untrained(name)
    run = translate(one, KINO)
    for kind in run.trace.kinds:
        for layer in (0, len(run.trace.weights(kind)) - 1):
            result = edit_effects.head_effects(one, run, kind, layer)
            for head in range(one.model.config.heads):
                values = after(one, run, f"off:{kind}.{layer}.{head}")
                if run.target:
                    ids = run.trace.values["logits"].argmax(-1)
                    both = [
                        torch.from_numpy(logits).double().log_softmax(-1).numpy()[np.arange(len(ids)), ids]
                        for logits in (run.trace.values["logits"], values.logits)
                    ]
                    expected = both[1] - both[0]
                else:
                    own = run.trace.values["encoder.output"]
                    expected = torch.cosine_similarity(torch.tensor(own), torch.tensor(values.output)).numpy() - 1
                np.testing.assert_allclose(result[head], expected, atol=1e-4)


@pytest.mark.parametrize("name", ["de-en", "bert", "gpt"])
def test_layers_together_have_the_effects_of_each_alone(name: str) -> None:
    one = german_english() if name == "de-en" else untrained(name)
    run = translate(one, KINO)
    layers = [(kind, layer) for layer in (1, 0) for kind in reversed(run.trace.kinds)]
    together = edit_effects.effects_of_heads(one, run, layers)
    for (kind, layer), effects in zip(layers, together, strict=True):
        np.testing.assert_allclose(effects, edit_effects.head_effects(one, run, kind, layer), rtol=0, atol=1e-5)
    assert np.abs(together).max() > 0


@pytest.mark.parametrize("name", ["de-en", "gpt"])
def test_the_patching_map_against_one_run_for_each_cell(name: str) -> None:
    one = german_english() if name == "de-en" else untrained(name)
    run, other = translate(one, KINO), KINO.replace("Kino", "Haus")
    side = change_edits.source_side(one)
    assert activation_patching.check_pair(one, KINO, other) == [5]
    for at in ("input", "0", "1"):
        result = activation_patching.patched(one, run, activation_patching.read(one, other), at)
        for place in (1, 5, 6):
            values = after(one, run, f"patch:{side}.{at}.{place}.{place}={other}")
            ids = edit_effects.generated(run)
            expected = [
                torch.from_numpy(logits).double().log_softmax(-1).numpy()[np.arange(len(ids)), ids]
                for logits in (run.trace.values["logits"], values.logits)
            ]
            np.testing.assert_allclose(result[place], expected[1] - expected[0], atol=1e-4)
    assert np.abs(activation_patching.patched(one, run, run.trace.values, "0")).max() < 1e-4  # its own changes nothing
    depths = ("input", "0", "1", str(one.model.config.decoder_layers - 1))
    together = activation_patching.patched_at(one, run, activation_patching.read(one, other), depths)
    for at, effects in zip(depths, together, strict=True):
        alone = activation_patching.patched(one, run, activation_patching.read(one, other), at)
        np.testing.assert_allclose(effects, alone, rtol=0, atol=1e-5)


def test_without_changes_nothing_is_written_anew(
    checkpoint: Checkpoint, run: Translation, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = translate(checkpoint, run.sentence)
    monkeypatch.setattr(edit_effects, "write", None)
    outcome = edit_effects.outcome(checkpoint, run)
    assert (outcome.text, outcome.ids, outcome.stop) == (again.text, again.ids, again.stop)
    np.testing.assert_array_equal(outcome.output, run.trace.values["decoder.output"])


def test_a_pair_must_differ_in_one_word(checkpoint: Checkpoint) -> None:
    for other in ("Wir gehen heute.", KINO, "Wir lesen heute ins Haus."):
        with pytest.raises(InvalidInput, match="differ in"):
            activation_patching.check_pair(checkpoint, KINO, other)
    pool = ["Ich gehe ins Bett.", "Das Haus ist alt."]
    other = activation_patching.one_word_apart(checkpoint.tokenizer, KINO, pool)
    assert len(activation_patching.check_pair(checkpoint, KINO, other)) == 1
    # letters have no words to choose from: another token of the sentence's own
    for text in (KINO, "aab"):
        other = activation_patching.one_word_apart(checkpoint.tokenizer, text, [])
        assert len(activation_patching.check_pair(checkpoint, text, other)) == 1
    assert activation_patching.one_word_apart(checkpoint.tokenizer, "Kino Kino", []) == "Kino Kino"


def test_strength_is_the_largest_weight(run: Translation) -> None:
    cross, encoder = run.trace.weights("cross"), run.trace.weights("encoder")
    assert (edit_effects.strength(run, "cross", 4) == cross[:, :, 4].max(-1)).all()
    np.testing.assert_allclose(edit_effects.strength(run, "encoder", 4), encoder.max(-1).mean(-1))


# the two heads of the lesson


def test_a_head_that_matters_and_one_that_only_looks(checkpoint: Checkpoint) -> None:
    card = catalogue.entries()["de-en"].card
    sentences = [*card["examples"], *(text for topic in card["covers"] for text in topic["examples"][:1])][:24]
    matters = idle = None
    for sentence in sentences:
        result, run = edit_effects.contrast(checkpoint, sentence), translate(checkpoint, sentence)
        if result.matters and matters is None:
            kind, layer, head = matters = result.matters
            tap = edited_pass.compose(checkpoint.model, edits.zero(f"{path(kind, layer)}.head_outputs", head=head))
            assert translate(checkpoint, sentence, tap=tap).text != run.text
        if result.idle and idle is None:
            kind, layer, head = idle = result.idle
            tap = edited_pass.compose(checkpoint.model, edits.zero(f"{path(kind, layer)}.head_outputs", head=head))
            assert translate(checkpoint, sentence, tap=tap).text == run.text
            assert run.trace.weights(kind)[layer, head].max(-1)[1:].mean() == pytest.approx(result.strength)
            assert result.strength > 0.6
            assert result.moved < edit_effects.STILL
    assert matters
    assert idle
