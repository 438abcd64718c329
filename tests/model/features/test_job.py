"""A dictionary trained as a run of the queue and by the command, for a checkpoint without a corpus of ours."""

import json

import pytest
import torch
from sacrebleu.metrics import CHRF

from model.__main__ import main
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.features import make_dictionary, scores, sentences, sites, store
from model.features.job import FeatureTask, stored_of
from model.features.training import Settings
from model.jobs.queue import Queue
from model.train.job import TrainingTask
from model.train.limits import LIMITS
from tests.samples import SAMPLES, tiny_checkpoint

WORDS = ("das", "Haus", "ist", "alt", "der", "Hund", "da", "ja")
LINES = tuple(f"{one} {two}" for one in WORDS for two in WORDS)


@pytest.fixture
def task(tmp_path) -> FeatureTask:
    tiny_checkpoint(tmp_path / "tiny")
    return FeatureTask(str(tmp_path / "tiny"), features=12, active=2, steps=30, lines=LINES)


def test_a_run_reports_its_curves_and_gives_a_dictionary(task, tmp_path):
    assert task.check(LIMITS) > 0
    reports = list(task.start(LIMITS).reports())
    assert [report.step for report in reports] == list(range(1, 31))
    assert reports[-1].measured["unexplained"] < reports[0].measured["unexplained"]
    spliced = [report.step for report in reports if "spliced" in report.measured]
    assert spliced == [5, 10, 15, 20, 25, 30]
    assert reports[4].numbers()["spliced"] == reports[4].measured["spliced"]
    stored = stored_of(task, reports[-1].moment)
    assert stored.dictionary.features == 12
    assert set(stored.activations.sentences) < set(LINES)
    store.save(tmp_path, stored)
    assert store.load(Entry(tmp_path), "encoder.output").card["settings"]["seed"] == 0


def test_a_run_goes_on_where_it_was_left(task, tmp_path):
    whole = list(task.start(LIMITS).reports())[-1].moment.weights
    first = task.start(LIMITS)
    reports = first.reports()
    for _ in range(12):
        next(reports)
    torch.save(first.state(), tmp_path / "state.pt")
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    rest = list(task.start(LIMITS, state).reports())
    assert [report.step for report in rest] == list(range(13, 31))
    last = rest[-1]
    for name, value in last.moment.weights.items():
        assert (value == whole[name]).all(), name


def test_a_stopped_run_keeps_what_it_has(task):
    run = task.start(LIMITS)
    reports = run.reports()
    next(reports)
    run.stop()
    left = list(reports)
    assert [report.step for report in left] == [2]
    assert left[0].moment is not None


def test_the_queue_takes_it_and_does_not_keep_it_for_another_server(task, tmp_path):
    queue = Queue(TrainingTask, tmp_path / "runs", 1, outlives=True)
    job = queue.add(task, "a", 1.0)
    assert queue.progress(job, 0).settings == task
    assert not list(job.folder.iterdir())


def test_what_cannot_run_is_refused_in_a_sentence(task):
    for fields, code in (
        ({"lines": ()}, "features_lines"),
        ({"site": "nowhere"}, "features_site"),
        ({"active": 13}, "run_range"),
    ):
        with pytest.raises(InvalidInput) as refusal:
            FeatureTask(**{**task.__dict__, **fields}).check(LIMITS)
        assert refusal.value.code == code
    with pytest.raises(InvalidInput) as refusal:
        FeatureTask(**{**task.__dict__, "lines": LINES[:3]}).start(LIMITS)
    assert refusal.value.code == "features_sentences"


def test_the_command_makes_a_dictionary_and_its_scores(task, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(LINES), encoding="utf-8")
    small = ["--features", "12", "--active", "2", "--steps", "20", "--lines", str(lines), "--save"]
    assert main(["features", "tiny", "--site", "decoder.0.feed_forward", *small]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card | {"active": 2} == store.load(Entry(tmp_path / "tiny"), "decoder.0.feed_forward").card
    found = card["scores"]
    low, high = found["dictionary"]["unexplained"][1:]
    assert low <= found["dictionary"]["unexplained"][0] <= high
    assert found["dictionary"]["features"] == 12
    assert {"random_model", "seeds", "mean"} <= set(found)
    assert main(["features", "tiny", "--site", "nowhere", *small]) == 2
    assert "no site" in capsys.readouterr().err


def test_sentences_of_a_corpus_are_held_out_from_training():
    from model.checkpoint import checkpoints

    entry = Entry(SAMPLES / "addition")
    given = sentences.of(checkpoints.load(entry), entry, "encoder")
    assert not set(given.learned) & set(given.held_out)
    assert len(given.references) == len(given.held_out)


def test_scores_are_the_same_for_a_seed(task, tmp_path):
    from model.checkpoint import checkpoints

    entry = Entry(tmp_path / "tiny")
    checkpoint, settings = checkpoints.load(entry), Settings(features=12, active=2, steps=10)
    first, again = (make_dictionary.make(checkpoint, entry, "", settings, LINES) for _ in range(2))
    assert first.card == again.card
    assert first.site == sites.default(checkpoint.model.config)


def test_chrf_is_that_of_sacrebleu_and_lies_in_its_interval():
    outputs, references = ["the dog is here", "a cat sleeps", "x"] * 9, ["the dog was here", "a cat is asleep", "y"] * 9
    score, low, high = scores.chrf(outputs, references)
    assert score == pytest.approx(CHRF().corpus_score(outputs, [references]).score)
    assert 0 < low < score < high < 100
    assert scores.chrf(["a"], ["b"]) == [0.0, 0.0, 0.0]
