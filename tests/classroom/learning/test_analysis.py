"""The analysis of a test before and after a lesson: by hand, against published tables, and over simulated classes."""

from collections.abc import Callable

import numpy as np
import pytest

from classroom.learning import analysis
from classroom.learning.answers import Row
from classroom.learning.bank import forms
from model.errors import InvalidInput
from model.intervals import Estimate, t_quantile, wilson
from tests.classroom.learning import simulate

CLASSES = 1000
TRULY = 40_000  # members of a class so large that its estimate is the truth


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.7062), (2, 4.3027), (7, 2.3646), (30, 2.0423), (400, 1.9659)])
def test_the_quantile_of_t_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=1e-4)


def test_the_gain_by_hand() -> None:
    """Gains 1, 2, 3 in one order and 3, 4, 5 in the other: 3 on average, variance 1 within, error √(1 / 6)."""
    before = np.array([1.0, 2, 1, 2, 1, 1])
    order = np.array([1.0, 1, 1, -1, -1, -1])
    result = analysis.gain(before, before + np.array([1, 2, 3, 3, 4, 5]), order)
    assert result.gain == pytest.approx((3, 3 - 2.7764 / 6**0.5, 3 + 2.7764 / 6**0.5), abs=1e-4)
    assert result.after - result.before == pytest.approx(3)
    assert result.normalised is not None
    assert result.normalised.mean == pytest.approx(3 / (6 - 4 / 3))


def test_an_easier_form_adds_nothing_to_the_gain_though_more_people_began_with_the_other() -> None:
    order = np.array([1.0] * 12 + [-1.0] * 3)
    before = 3 - order * 0.5
    noise = np.resize([0.1, 0.0, -0.1], 15)
    assert analysis.gain(before, 3 + order * 0.5 + noise, order).gain.mean == pytest.approx(0, abs=1e-9)


def test_the_same_order_for_everybody_gives_the_usual_interval_of_a_mean() -> None:
    gains = np.array([0.0, 1, 1, 2, 1, 3, 0, 0])
    result = analysis.balanced(gains, np.ones(8))
    reach = 2.3646 * gains.std(ddof=1) / 8**0.5
    assert result == pytest.approx((1, 1 - reach, 1 + reach), abs=1e-4)


def test_a_normalised_gain_is_not_given_where_nothing_was_left_to_gain_or_nothing_gained() -> None:
    order = np.resize([1.0, -1.0], 8)
    assert analysis.normalised(np.full(8, 5.5), np.full(8, 0.5), order) is None
    assert analysis.normalised(np.full(8, 2.0), np.resize([0.0, -1.0, 0.5, -1.0], 8), order) is None


def covered(estimate: Callable[[np.random.Generator], Estimate], truth: float, seed: int) -> int:
    """How many of 1,000 classes have an interval that holds the truth."""
    rng = np.random.default_rng(seed)
    intervals = (estimate(rng) for _ in range(CLASSES))
    return sum(each.low <= truth <= each.high for each in intervals)


def gain_of(size: int, effect: float) -> Callable[[np.random.Generator], Estimate]:
    return lambda rng: analysis.gain(*simulate.points(rng, size, effect)[:3]).gain


def difference_of(size: int, touch: float) -> Callable[[np.random.Generator], Estimate]:
    return lambda rng: analysis.difference(*simulate.points(rng, size, 0.8, touch))


# 950 of 1,000 by the binomial, give or take four standard deviations
NOMINAL = range(922, 979)


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", [analysis.MINIMUM, 25])
@pytest.mark.parametrize("effect", [0.0, 1.0])
def test_the_interval_of_the_gain_holds_the_truth_as_often_as_it_says(size: int, effect: float) -> None:
    """Without an effect 5 % of the classes look as if there were one."""
    truth = gain_of(TRULY, effect)(np.random.default_rng(1)).mean if effect else 0.0
    assert covered(gain_of(size, effect), truth, seed=2) in NOMINAL


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", [2 * analysis.MINIMUM, 40])
@pytest.mark.parametrize("touch", [0.0, 1.0])
def test_the_interval_of_the_difference_holds_the_truth_as_often_as_it_says(size: int, touch: float) -> None:
    truth = difference_of(TRULY, touch)(np.random.default_rng(3)).mean if touch else 0.0
    assert covered(difference_of(size, touch), truth, seed=4) in NOMINAL


def test_the_interval_of_the_normalised_gain_holds_the_truth_as_often_as_it_says() -> None:
    def estimate(rng: np.random.Generator) -> Estimate:
        result = analysis.gain(*simulate.points(rng, 25, 1.5)[:3]).normalised
        return result or Estimate(0, 0, 0)

    truth = analysis.gain(*simulate.points(np.random.default_rng(5), TRULY, 1.5)[:3]).normalised
    assert truth is not None
    assert covered(estimate, truth.mean, seed=6) in NOMINAL


def rows(size: int = 12, **settings: object) -> list[Row]:
    return simulate.answers(np.random.default_rng(7), size, **settings)  # type: ignore[arg-type]


def test_who_has_not_finished_both_tests_does_not_count() -> None:
    every = rows(10)
    result = analysis.analyse([row for row in every if (row.participant, row.phase) != ("p003", "after")][:-1])
    assert (result.started, result.gain.count) == (10, 8)


def test_few_participants_are_refused() -> None:
    with pytest.raises(InvalidInput, match="7 people") as refusal:
        analysis.analyse(rows(7))
    assert refusal.value.code == "learning_few"
    with pytest.raises(InvalidInput, match="0 people"):
        analysis.analyse([])


def test_groups_are_compared_only_where_both_are_large_enough() -> None:
    both = analysis.analyse(rows(16, groups=("touch", "picture")))
    assert {name: each.count for name, each in both.groups.items()} == {"touch": 8, "picture": 8}
    assert both.difference is not None
    fewer = analysis.analyse(rows(14, groups=("touch", "picture")))
    assert (set(fewer.groups), fewer.difference) == ({"touch"}, None)
    assert analysis.analyse(rows()).groups == {}


def test_the_shares_of_a_topic_are_those_of_everybody_in_both_forms() -> None:
    every = rows(20)
    for result in analysis.analyse(every).topics:
        for phase, estimate in (("before", result.before), ("after", result.after)):
            right = [row.right for row in every if row.question.startswith(result.topic) and row.phase == phase]
            assert len(right) == 20
            assert estimate == wilson(sum(right), 20)


def answered(every: list[Row], question: str, phase: str, choices: list[int]) -> list[Row]:
    """The same rows with other answers to one question in one phase, in turn."""
    right = next(each.right for form in forms().values() for each in form if each.id == question)
    turn = iter(choices * len(every))
    return [
        row._replace(choice=(choice := next(turn)), right=int(choice == right))
        if (row.question, row.phase) == (question, phase)
        else row
        for row in every
    ]


@pytest.mark.parametrize(
    ("phase", "choices", "flags"),
    [
        ("before", [2], ("everyone",)),
        ("after", [0], ("nobody",)),
        ("after", [2, 0, 1, 3, -1, -1], ("guessing",)),
        ("after", [2, 2, 0, 1, 3, -1], ()),
    ],
)
def test_a_question_is_flagged_that_everyone_nobody_or_only_guesses_answer(
    phase: str, choices: list[int], flags: tuple[str, ...]
) -> None:
    every = answered(answered(rows(), "weights_a", "before", [2, 0]), "weights_a", "after", [2])
    result = analysis.analyse(answered(every, "weights_a", phase, choices)).questions[0]
    assert result.question == "weights_a"
    assert result.flags == flags
    assert result.counts == (6, 6)


def test_the_discrimination_is_the_correlation_with_the_other_questions_within_phases() -> None:
    every = rows(40, effect=1.0)
    result = analysis.analyse(every).questions[0]
    pairs = {"before": [], "after": []}  # type: dict[str, list[tuple[int, int]]]
    for row in every:
        if row.question == "weights_a":
            same = [each for each in every if (each.participant, each.phase) == (row.participant, row.phase)]
            pairs[row.phase].append((row.right, sum(each.right for each in same) - row.right))
    centred = np.concatenate([np.array(each) - np.mean(each, axis=0) for each in pairs.values()])
    assert result.discrimination == pytest.approx(np.corrcoef(centred.T)[0, 1])
