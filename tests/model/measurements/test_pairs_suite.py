"""`python -m model pairs-suite`: what it prints, saves and refuses; and what was saved holds together."""

import json
from pathlib import Path

import pytest

from corpora import ordinary
from model.__main__ import main
from model.checkpoint.catalogue import Entry
from model.intervals import wilson
from model.measurements.rules import pairs_suite
from tests.samples import SAMPLES

ROW = {"right": {"own": 1, "twin": 2, "100": 0}, "shorter": 1.5,
       "pairs": [["a", "b", "c", -1.0, -2.0], ["d", "e", "f", -9.0, -3.0], ["g", "h", "i", -3.0, -2.0]]}  # fmt: skip
EASY = {"right": {"own": 2, "twin": 1, "100": 1}, "shorter": 1.0,
        "pairs": [["j", "k", "l", -1.0, -2.0], ["m", "n", "o", -1.0, -2.0]]}  # fmt: skip


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(SAMPLES))


def test_the_hardest_phenomenon_and_the_surest_mistake_come_first() -> None:
    content = pairs_suite.results({"easy": EASY, "hard": ROW})
    suite = pairs_suite.suite(content)
    assert list(suite.phenomena) == ["hard", "easy"]
    assert [pair.source for pair in suite.phenomena["hard"].pairs] == ["d", "g", "a"]
    assert [pair.is_right for pair in suite.phenomena["hard"].pairs] == [False, False, True]
    assert suite.phenomena["hard"].share("twin") == wilson(2, 3)
    assert (suite.pairs, suite.steps, suite.shorter) == (5, ["100"], 0.5)
    assert content["all"] == {
        name: wilson(count, 5).rounded() for name, count in {"own": 3, "twin": 3, "100": 1}.items()
    }


def test_the_command_prints_shares_and_saves_the_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(pairs_suite, "names", lambda language: ["object_number"])
    monkeypatch.setattr(pairs_suite, "PAIRS", 6)
    assert main(["pairs-suite", "es-en"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["sentences"] == 6
    assert printed["phenomena"]["object_number"]["own"] == printed["all"]["own"]
    mean, low, high = printed["all"]["own"]
    assert low <= mean <= high
    assert "pairs" not in printed["phenomena"]["object_number"]


@pytest.mark.parametrize("name", ["reverse", "gpt-char"])
def test_a_model_without_pairs_is_refused_in_one_line(name: str, capsys: pytest.CaptureFixture) -> None:
    assert main(["pairs-suite", name]) == 2
    error = capsys.readouterr().err
    assert error.startswith("glassformer: There are no minimal pairs for model ")
    assert error.count("\n") == 1


def test_what_is_saved_of_the_translators_is_balanced_and_random_weights_know_nothing() -> None:
    files = list(SAMPLES.glob(f"*/{pairs_suite.MEASUREMENT.file}"))
    assert files
    for file in files:
        entry = Entry(file.parent)
        suite = pairs_suite.MEASUREMENT.saved(entry)
        assert suite
        assert len(suite.phenomena) >= 20
        assert all(len(each.pairs) >= 30 for each in suite.phenomena.values())
        known = {sentence.source for sentence in ordinary.read(pairs_suite.language(entry))}
        assert known.isdisjoint(pair.source for each in suite.phenomena.values() for pair in each.pairs)
        twin, own = suite.share("twin"), suite.share()
        assert twin.low <= 0.5 <= twin.high
        assert own.low > twin.high
        assert suite.shorter == pytest.approx(0.5, abs=0.05)  # length alone finds nothing
        for each in suite.phenomena.values():
            assert each.right["own"] == sum(pair.is_right for pair in each.pairs)
