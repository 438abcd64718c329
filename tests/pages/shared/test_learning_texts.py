"""What is said about the result of a test before and after a lesson."""

from dataclasses import replace

import numpy as np
import pytest

from classroom.learning import analysis
from classroom.learning.analysis import Result
from model.intervals import Estimate
from pages.shared.session.language_choice import speaking
from pages.shared.text import learning
from tests.classroom.learning import simulate


def result(groups: tuple[str, ...] = ("all",), size: int = 40) -> Result:
    return analysis.analyse(simulate.answers(np.random.default_rng(3), size, 1.0, groups))


def said(of: Result, language: str = "en") -> str:
    with speaking(language):
        return "\n".join(learning.result_sentences(of))


def gained(mean: float, low: float, high: float) -> Result:
    of = result()
    return replace(of, gain=replace(of.gain, gain=Estimate(mean, low, high)))


@pytest.mark.parametrize(
    ("gain", "sentence"),
    [
        ((1.2, 0.4, 2.0), "a change of +1.2 (95% interval +0.4 to +2.0). The interval lies above 0"),
        ((0.2, -0.4, 0.8), "a change of +0.2 (95% interval −0.4 to +0.8). The interval includes 0"),
        ((-1.2, -2.0, -0.4), "a change of −1.2 (95% interval −2.0 to −0.4). The interval lies below 0"),
    ],
)
def test_a_gain_is_said_with_its_interval_and_whether_it_could_be_chance(
    gain: tuple[float, float, float], sentence: str
) -> None:
    assert sentence in said(gained(*gain))


def test_what_the_result_does_not_show_is_said() -> None:
    alone, compared = said(result()), said(result(("touch", "picture")))
    assert "does not show that the lesson was the cause" in alone
    assert "what is left after weeks" in alone
    assert "what is left after weeks" in compared
    assert "the lesson was the cause" in compared
    assert "at equal points before" in compared
    assert "at equal points before" not in alone


def test_a_difference_that_could_be_chance_is_not_called_equality() -> None:
    of = result(("touch", "picture"))
    assert "does not mean that both are equally good" in said(replace(of, difference=Estimate(0.3, -0.5, 1.1)))
    assert "the likely cause" in said(replace(of, difference=Estimate(0.9, 0.1, 1.7)))


def test_small_groups_are_not_compared() -> None:
    text = said(result(("touch", "picture"), 12))
    assert "from 8 people each on; so far 6 had the figure to touch and 6 the picture" in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_table_has_a_row_for_each_question_and_says_what_is_remarkable(language: str) -> None:
    of = result()
    first, *others = of.questions
    flagged = replace(first, flags=("everyone",), before=None, counts=(0, 20), discrimination=None)
    with speaking(language):
        rows = learning.question_rows(replace(of, questions=(flagged, *others)))
    assert len(rows) == 12
    topic, form, before, _, _, discrimination, remark = rows[0].values()
    assert (form, before, discrimination) == ("A", "–", "–")
    assert topic == {"en": "Attention weights", "zh": "注意力权重"}[language]
    assert remark.startswith({"en": "Everybody was right", "zh": "课前就全部答对"}[language])
    assert list(rows[1].values())[-1] == ""
