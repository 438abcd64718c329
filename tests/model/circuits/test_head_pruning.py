"""Heads removed one after another: the order, and each score again with heads switched off by hand."""

import json

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from corpora.pairs import Pair
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.circuits import head_pruning, head_roles
from model.circuits.ablation import Part
from model.decode.recorded_pass import recorded
from model.decode.translate import translate
from model.edit import change_edits, notation
from model.edit.edit_effects import outcome
from model.edit.notation import Change
from model.intervals import Estimate, normal
from model.measurements import pruning_scores
from tests.samples import KINO, SAMPLES, german_english

PAIRS = [
    Pair(KINO, "We're going to the cinema today."),
    Pair("Wo ist das Buch?", "Where's the book?"),
    Pair("Der Mann liest ein Buch.", "The man is reading a book."),
]


class Corpus:
    """Two sets of tests and a validation set."""

    def tests(self, split: str = "test") -> dict[str, list[Pair]]:
        return {"a": PAIRS[:2], "b": PAIRS[2:]}

    def validation(self) -> list[Pair]:
        return PAIRS


def test_a_removed_head_is_one_that_is_switched_off_on_a_page() -> None:
    checkpoint = german_english()
    removed = [Part("cross", 1, 0), Part("encoder", 2, 3), Part("decoder", 0, 1)]
    link = notation.spell([Change("off", tuple(part.name.split("."))) for part in removed])
    for score, pair in zip(pruning_scores.chrf(checkpoint, PAIRS, removed), PAIRS, strict=True):
        run = translate(checkpoint, pair.source)
        text = outcome(checkpoint, run, change_edits.edits_of_link(checkpoint, run, link)).text
        assert score == pytest.approx(CHRF().sentence_score(text, [pair.target]).score)


def test_scores_of_steps_and_of_whole_kinds() -> None:
    checkpoint, reports = german_english(), list[int]()
    results = pruning_scores.measure(checkpoint, Corpus(), reports.append, ordering=3)
    config = checkpoint.model.config
    heads = {part.name: part for part in head_pruning.heads(config)}
    assert sorted(results["order"]) == sorted(heads)
    assert reports[-1] == 100
    for count, score in results["score"].items():
        if count in ("0", "18", "36"):
            removed = [heads[name] for name in results["order"][: int(count)]]
            assert score[0] == pytest.approx(np.mean(pruning_scores.chrf(checkpoint, PAIRS, removed)), abs=1e-3)
    for kind, score in results["kinds"].items():
        all_of_them = [part for part in heads.values() if part.kind == kind]
        assert score[0] == pytest.approx(np.mean(pruning_scores.chrf(checkpoint, PAIRS, all_of_them)), abs=1e-3)
    assert results["random"]["0"] == results["score"]["0"]
    assert results["random"]["36"] == results["score"]["36"]
    assert results["sets"] == {"a": 2, "b": 1}


def test_the_order_is_that_of_effects_measured_one_by_one() -> None:
    parts = [Part("cross", 0, head) for head in range(3)]
    effects = {(part,): Estimate(mean, 0, 0) for part, mean in zip(parts, (-0.2, 0.1, -3), strict=True)}
    assert head_pruning.ordered(effects) == [parts[1], parts[0], parts[2]]
    config = german_english().model.config
    assert sorted(head_pruning.shuffled(config, 0)) == sorted(head_pruning.heads(config))
    assert head_pruning.shuffled(config, 0) == head_pruning.shuffled(config, 0) != head_pruning.shuffled(config, 1)


def test_steps_begin_with_none_and_end_with_all() -> None:
    assert head_pruning.stops(4) == [0, 1, 2, 3, 4]
    assert head_pruning.stops(37)[:2] == [0, 2]
    assert head_pruning.stops(37)[-1] == 37


def test_what_is_shipped_was_ordered_and_scored_on_different_sentences() -> None:
    for name in ("de-en", "zh-en"):
        results = json.loads((SAMPLES / name / pruning_scores.MEASUREMENT.file).read_text(encoding="utf-8"))
        assert results["sentences"] == sum(results["sets"].values()) == 200
        assert results["score"]["0"][0] > results["score"]["18"][0] > results["random"]["18"][0]
        assert results["kinds"]["cross"][0] < results["kinds"]["decoder"][0]


def test_a_file_has_a_line_for_each_number(tmp_path) -> None:
    pruning_scores.MEASUREMENT.keep(Entry(tmp_path), {"n": 1, "table": {"a": [1, 2], "b": [3]}})
    text = (tmp_path / pruning_scores.MEASUREMENT.file).read_text(encoding="utf-8")
    assert json.loads(text) == {"n": 1, "table": {"a": [1, 2], "b": [3]}}
    assert '  "a": [1, 2],\n' in text


# the random twin


def test_the_twin_reads_the_same_tokens_with_other_weights() -> None:
    checkpoint = german_english()
    run, twin = translate(checkpoint, KINO), head_roles.twin(checkpoint)
    scores = head_roles.of_twin(checkpoint, twin, run)
    weights = recorded(twin.model, run.source, run.target)["encoder.0.self_attention.weights"]
    previous = np.array([weights[:, at, at - 1] for at in range(2, len(run.source))]).mean(axis=0)
    assert scores["encoder", "previous"][0][0] == pytest.approx(previous, abs=1e-5)
    falls = head_roles.deletion_falls(checkpoint, run)
    rows = falls.max(axis=0) > head_roles.STILL
    cross = recorded(twin.model, run.source, run.target)["decoder.2.cross_attention.weights"][:, rows]
    hits = (cross.argmax(axis=-1) == falls[:, rows].argmax(axis=0)).mean(axis=-1)
    assert scores["cross", "alignment"][0][2] == pytest.approx(hits)
    assert normal(hits.tolist()).mean < 0.5
    assert load(Entry(SAMPLES / "de-en")).model.config == twin.model.config
