"""Ordinary sentences: how many come out right, and a rule that is fitted without those that it is measured on."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from corpora.ordinary import Ordinary
from model.__main__ import main
from model.build import cards
from model.checkpoint.catalogue import Entry
from model.decode.doubt import SIGNS
from model.decode.translate import translate
from model.measurements import ordinary
from model.quality.ordinary_fit import FALSE_ALARMS, fitted, logistic, measure
from model.quality.ranking import area
from tests.samples import KINO, SAMPLES, german_english

RIGHT = (KINO, "Der Mann liest ein Buch.", "Kannst du mir helfen?", "Wo ist das Buch?")
NUMBERS = {"mean": 0, "scale": 1, "weight": 1}
WRONG = "Das Zwerchfell knirscht {}."


def drawn(seed: int, right: int = 150, wrong: int = 50) -> tuple[np.ndarray, np.ndarray]:
    """Values of signs, of which the first tells wrong outputs (True) apart and the second speaks against them."""
    rng = np.random.default_rng(seed)
    is_wrong = np.array([False] * right + [True] * wrong)
    values = rng.normal(size=(right + wrong, len(SIGNS)))
    values[is_wrong, 0] += 2
    values[is_wrong, 1] -= 1
    return values, is_wrong


def test_a_sign_that_speaks_against_wrong_outputs_gets_no_weight() -> None:
    weights = logistic(*drawn(0))
    assert weights[0] > 1
    assert weights[1] == 0
    assert (weights >= 0).all()


def test_a_rule_marks_few_right_outputs_of_new_cases_and_most_wrong_ones() -> None:
    shares = []
    for seed in range(5):
        rule = fitted(*drawn(seed))
        values, wrong = drawn(100 + seed, 2000, 2000)
        marks = np.array([rule.doubts(dict(zip(SIGNS, row, strict=True))) for row in values.tolist()])
        shares.append((marks[wrong].mean(), marks[~wrong].mean()))
    wrong_marked, right_marked = np.mean(shares, axis=0)
    assert right_marked == pytest.approx(FALSE_ALARMS, abs=0.03)
    assert wrong_marked > 0.65


def test_the_area_counts_pairs() -> None:
    wrong = np.array([True, True, False, False])
    assert area(np.array([2.0, 3.0, 0.0, 1.0]), wrong) == 1
    assert area(np.array([1.0, 3.0, 1.0, 2.0]), wrong) == pytest.approx((0.5 + 0 + 1 + 1) / 4)


def sentences(outputs: bool = True) -> list[Ordinary]:
    """Of each set, four that come out right and four of unseen words, whose reference is no output."""
    rows = []
    for name in ("fit", "test"):
        rows += [Ordinary(name, text, (translate(german_english(), text).text,)) for text in RIGHT]
        rows += [Ordinary(name, WRONG.format(n), ("No output.",)) for n in ("heute", "morgen", "hier", "da") if outputs]
    return rows


def test_what_comes_out_right_and_what_is_marked_are_counted_on_the_test_sentences() -> None:
    results = measure(german_english(), sentences(), ["das Buch", "lesen", "das Zwerchfell"])
    assert results["sentences"] == {"fit": 8, "test": 8}
    assert results["right"][0] == 0.5
    assert (results["words"], results["word_list"]) == (2, 3)
    assert set(results["rule"]) == set(SIGNS)
    assert results["marked"]["wrong"][0] == 1
    assert results["marked"]["right"][0] == 0
    assert results["marked"]["area"][0] == 1


def test_the_test_sentences_do_not_change_the_rule() -> None:
    rows = sentences()
    kept = measure(german_english(), rows)
    other = [row for row in rows if row.set == "fit"] + [Ordinary("test", KINO, ("No output.",)), rows[8]]
    assert measure(german_english(), other)["rule"] == kept["rule"]
    assert measure(german_english(), other)["threshold"] == kept["threshold"]


def test_where_all_is_right_there_is_no_rule() -> None:
    results = measure(german_english(), sentences(outputs=False))
    assert results["right"][0] == 1
    assert "rule" not in results
    saved = ordinary.MEASUREMENT.read
    assert saved
    read = saved(results)
    assert (read.rule, read.marked, read.right.mean) == (None, None, 1)


def test_the_command_saves_the_result_beside_the_checkpoint_and_in_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    (tmp_path / "de-en" / "ordinary.json").unlink()
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    monkeypatch.setattr("corpora.ordinary.read", lambda language: sentences())
    assert main(["ordinary", "de-en", "--save"]) == 0
    results = json.loads(capsys.readouterr().out)
    entry = Entry(tmp_path / "de-en")
    saved = ordinary.MEASUREMENT.saved(entry)
    assert saved
    assert saved.rule
    assert saved.right.mean == results["right"][0] == entry.card["ordinary"]["right"][0]
    assert saved.rule.threshold == results["threshold"]
    prose = (entry.folder / "card.md").read_text(encoding="utf-8")
    assert f"- right: {results['right'][0]:.1%}" in prose
    assert main(["ordinary", "gpt-char"]) == 2


def test_the_cards_say_what_was_saved() -> None:
    for name in ("de-en", "zh-en"):
        content = json.loads((SAMPLES / name / ordinary.FILE).read_text(encoding="utf-8"))
        card = json.loads((SAMPLES / name / "card.json").read_text(encoding="utf-8"))
        assert all(card["ordinary"][key] == content[key] for key in card["ordinary"])
        assert (SAMPLES / name / "card.md").read_text(encoding="utf-8") == cards._prose(name, card)


def test_a_rule_of_other_signs_is_not_read() -> None:
    content = json.loads((SAMPLES / "de-en" / ordinary.FILE).read_text(encoding="utf-8"))
    read = ordinary.MEASUREMENT.read
    assert read
    assert read(content).rule
    for row in ({"colour": NUMBERS}, {"surprise": NUMBERS | {"scale": 0}}):
        with pytest.raises(ValueError, match="rule"):
            read(content | {"rule": row})


def test_the_inventory_has_each_word_once() -> None:
    words = ordinary.inventory("de")
    assert len(words) == len(set(words)) > 1000
    assert ordinary.inventory("xx") == []
