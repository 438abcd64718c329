"""Misconceptions of simulated people and classes, and calibration against numbers by hand."""

import random

import pytest

from model.errors import InvalidInput
from model.predict import diagnosis
from model.predict.grading import CONFIDENCES, calibration, graded
from model.predict.misconceptions import MISCONCEPTIONS
from model.predict.prediction import KINDS

ASKED = 8  # questions of each misconception that a person answers
Given = tuple[dict, str, bool]


def question(name: str, draw: random.Random) -> dict:
    """One that could show the misconception, with as many options as `model.predict` draws."""
    kind = next(iter(MISCONCEPTIONS[name].answers))
    if kind == "how_sure":
        key = draw.uniform(20, 75)
        shows = {str(percent): name for percent in range(95, 101)}
        return {"question": kind, "look": "percent", "key": str(key), "options": [], "shows": shows}
    count = 8 if kind == "where" else 4
    options = [str(at) for at in range(count)]
    key, lure = draw.sample(options, 2)
    texts = [[at, at] for at in options]
    return {"question": kind, "look": "options", "key": key, "options": texts, "shows": {lure: name}}


def answered(draw: random.Random, right: float, belief: str = "", slip: float = 0.1) -> list[Given]:
    """A person who is right with probability `right` and errs at random; `belief` is followed but for slips."""
    given = []
    for name in MISCONCEPTIONS:
        for _ in range(ASKED):
            asked = question(name, draw)
            answer = _honest(asked, right, draw)
            if name == belief and draw.random() > slip:
                answer = next(iter(asked["shows"]))
            given.append((asked, answer, graded(asked, answer).right))
    return given


def _honest(asked: dict, right: float, draw: random.Random) -> str:
    if asked["look"] == "percent":
        near = float(asked["key"]) + draw.gauss(0, 12) if draw.random() < right else draw.uniform(0, 100)
        return str(round(min(max(near, 0), 100)))
    wrong = [option for option, _ in asked["options"] if option != asked["key"]]
    return str(asked["key"]) if draw.random() < right else draw.choice(wrong)


@pytest.mark.parametrize("belief", MISCONCEPTIONS)
def test_who_has_one_misconception_is_named_by_it(belief: str) -> None:
    draw = random.Random(f"one {belief}")
    found = [diagnosis.named(answered(draw, 0.75, belief)) for _ in range(100)]
    assert sum(belief in names for names in found) >= 90
    assert sum(names == [belief] for names in found) >= 90


@pytest.mark.parametrize("right", [0.25, 0.6, 0.75, 0.9])
def test_who_errs_at_random_is_named_by_none(right: float) -> None:
    draw = random.Random(f"honest {right}")
    assert sum(bool(diagnosis.named(answered(draw, right))) for _ in range(200)) <= 10


def test_a_class_has_what_its_errors_share() -> None:
    draw = random.Random("classes")
    false = 0
    for _ in range(40):
        honest = [each for _ in range(12) for each in answered(draw, 0.7)]
        false += any(finding.has for finding in diagnosis.of_class(honest))
    assert false <= 2
    for belief in MISCONCEPTIONS:
        people = [answered(draw, 0.7, belief if number < 5 else "") for number in range(12)]
        found = [finding.name for finding in diagnosis.of_class(each for own in people for each in own) if finding.has]
        assert found == [belief]


def test_three_answers_are_too_few() -> None:
    draw = random.Random(3)
    asked = [question("mask_past", draw) for _ in range(4)]
    given = [(each, next(iter(each["shows"])), False) for each in asked]
    assert diagnosis.named(given[:3]) == []
    assert diagnosis.named(given) == ["mask_past"]


def test_calibration_by_hand() -> None:
    found = calibration([(1, False), (2, True), (4, True), (4, False)])
    assert found is not None
    assert found.brier == pytest.approx((0.25**2 + 0.5**2 + 0.05**2 + 0.95**2) / 4)
    assert (found.right, found.stated) == pytest.approx((0.5, (0.25 + 0.5 + 0.95 + 0.95) / 4))
    assert [tuple(step) for step in found.steps] == [(0.25, 1, 0.0), (0.5, 1, 1.0), (0.95, 2, 0.5)]
    assert calibration([(0, True), (len(CONFIDENCES) + 1, True)]) is None


def test_what_is_not_offered_is_refused() -> None:
    asked = question("longer", random.Random(1))
    for answer in ("7", "", "right"):
        with pytest.raises(InvalidInput):
            graded(asked, answer)
    assert set(KINDS) == {kind for each in MISCONCEPTIONS.values() for kind in each.answers}
