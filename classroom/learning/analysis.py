"""What the answers of a class say: the gain with its interval, each question, and the difference of two groups.

Only who answered all questions of both tests counts. N are these participants. docs/learning.md explains the formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classroom.learning.answers import GROUPS, Row
from classroom.learning.bank import CHOICES, FORMS, TOPICS, UNKNOWN, by_id
from model.errors import InvalidInput
from model.intervals import Estimate, coefficient, wilson

MINIMUM = 8  # participants; with fewer the interval is about as wide as the test, and it could identify individuals
FEWEST_ANSWERS = 4  # in a phase, from which on a question is flagged
ASKED = len(TOPICS)


@dataclass(frozen=True)
class Gain:
    """Of N participants: mean points of six before and after, the gain in points, and the normalised gain.

    Both orders of the forms weigh the same. The normalised gain is None without a gain, and where less than one point
    was left to gain.
    """

    count: int
    before: float
    after: float
    gain: Estimate
    normalised: Estimate | None


@dataclass(frozen=True)
class QuestionResult:
    """Of a question: shares right by phase, how many answered then, and what is remarkable.

    before, after   share right with its interval, None if nobody answered it in that phase
    unknown         share of "I do not know" in both phases
    discrimination  correlation of a right answer (0, 1) with the points in the other questions of the same test,
                    within phases (point-biserial); None where either does not vary
    flags           "everyone" is right already before, "nobody" is right after, or those who chose are right after
                    no more often than by "guessing"
    """

    question: str
    counts: tuple[int, int]
    before: Estimate | None
    after: Estimate | None
    unknown: float
    discrimination: float | None
    flags: tuple[str, ...]


@dataclass(frozen=True)
class TopicResult:
    """Of a topic: shares right before and after with their intervals, its questions in both forms together.

    Everybody answered one of the two in each phase, so both shares are of the same people.
    """

    topic: str
    before: Estimate
    after: Estimate


@dataclass(frozen=True)
class Result:
    """Of a class: who started, everybody's gain, each topic and question, and the groups of a comparison.

    `sizes` has how many of each group finished both tests. `groups` lacks a group with fewer than `MINIMUM` of them.
    `difference` is the advantage of "touch" over "picture" in points after the lesson, at equal points before it;
    None without a comparison of two such groups.
    """

    started: int
    gain: Gain
    topics: tuple[TopicResult, ...]
    questions: tuple[QuestionResult, ...]
    sizes: dict[str, int]
    groups: dict[str, Gain]
    difference: Estimate | None


def analyse(rows: Sequence[Row]) -> Result:
    """Analyse all answers of a class. Raises `InvalidInput` with fewer than `MINIMUM` participants with both tests."""
    kept = complete(rows)
    before, after, order, groups = scores(kept)
    if len(before) < MINIMUM:
        raise InvalidInput("learning_few", count=len(before), minimum=MINIMUM)
    sizes = Counter(groups.tolist())
    named = [group for group in GROUPS[1:] if sizes[group] >= MINIMUM]
    return Result(
        started=len({row.participant for row in rows}),
        gain=gain(before, after, order),
        topics=tuple(_topic(topic, kept) for topic in TOPICS),
        questions=tuple(_question(question, kept) for question in by_id()),
        sizes=dict(sizes),
        groups={name: gain(before[groups == name], after[groups == name], order[groups == name]) for name in named},
        difference=difference(before, after, order, groups) if len(named) == 2 else None,
    )


def complete(rows: Sequence[Row]) -> list[Row]:
    """The rows of those who answered all questions of both tests."""
    counts = Counter(row.participant for row in rows)
    return [row for row in rows if counts[row.participant] == 2 * ASKED]


def scores(rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of complete rows: points before and after, order (1 for form A first, −1 for B first) and group, (N) each."""
    firsts = {row.participant: row for row in rows if row.phase == "before"}
    points = Counter({(row.participant, row.phase): 0 for row in rows})
    for row in rows:
        points[row.participant, row.phase] += row.right
    before, after = (np.array([points[who, phase] for who in firsts], dtype=float) for phase in ("before", "after"))
    order = np.array([1.0 if row.form == FORMS[0] else -1.0 for row in firsts.values()])
    return before, after, order, np.array([row.group for row in firsts.values()], dtype=object)


def gain(before: np.ndarray, after: np.ndarray, order: np.ndarray) -> Gain:
    """The gain of participants from their points and the order of their forms, (N) each."""
    mean_before, mean_gain = balanced(before, order).mean, balanced(after - before, order)
    return Gain(
        len(before), mean_before, mean_before + mean_gain.mean, mean_gain, normalised(before, after - before, order)
    )


def balanced(values: np.ndarray, order: np.ndarray) -> Estimate:
    """The mean of both orders' means, (N) each, with its t interval: so that an easier form adds nothing to a gain."""
    return coefficient(values, _columns(order))


def _columns(*columns: np.ndarray) -> np.ndarray:
    """Ones, and each of the columns (N) that is not the same for everybody."""
    return np.stack([np.ones(len(columns[0])), *(each for each in columns if each.std() > 0)], axis=1)


def normalised(before: np.ndarray, gains: np.ndarray, order: np.ndarray) -> Estimate | None:
    """The mean gain over the mean of what was left to gain (Hake 1998); the interval is that of a ratio of means."""
    left = balanced(ASKED - before, order).mean
    mean = balanced(gains, order).mean
    if left < 1 or mean <= 0:
        return None
    ratio = mean / left
    rest = balanced(gains - ratio * (ASKED - before), order)
    return Estimate(ratio, ratio + rest.low / left, ratio + rest.high / left)


def difference(before: np.ndarray, after: np.ndarray, order: np.ndarray, groups: np.ndarray) -> Estimate:
    """The advantage of "touch" over "picture" after the lesson, at equal points before it (ANCOVA), from (N) each."""
    compared = np.isin(groups, GROUPS[1:])
    touch = (groups[compared] == GROUPS[1]).astype(float)
    start = before[compared] - before[compared].mean()
    return coefficient(after[compared], _columns(touch, start, order[compared]), 1)


def _topic(topic: str, rows: Sequence[Row]) -> TopicResult:
    of_topic = {question.id for question in by_id().values() if question.topic == topic}
    own = [row for row in rows if row.question in of_topic]
    right = [[row.right for row in own if row.phase == phase] for phase in ("before", "after")]
    return TopicResult(topic, *(wilson(sum(phase), len(phase)) for phase in right))


def _question(question: str, rows: Sequence[Row]) -> QuestionResult:
    own = [row for row in rows if row.question == question]
    phases = [[row for row in own if row.phase == phase] for phase in ("before", "after")]
    before, after = (wilson(sum(row.right for row in phase), len(phase)) if phase else None for phase in phases)
    unknown = sum(row.choice == UNKNOWN for row in own) / len(own) if own else 0.0
    counts = (len(phases[0]), len(phases[1]))
    return QuestionResult(question, counts, before, after, unknown, _discrimination(phases, rows), _flags(*phases))


def _flags(before: Sequence[Row], after: Sequence[Row]) -> tuple[str, ...]:
    flags = []
    if len(before) >= FEWEST_ANSWERS and all(row.right for row in before):
        flags.append("everyone")
    chosen = [row.right for row in after if row.choice != UNKNOWN]
    if len(after) >= FEWEST_ANSWERS and not any(row.right for row in after):
        flags.append("nobody")
    elif len(chosen) >= FEWEST_ANSWERS and sum(chosen) / len(chosen) <= 1 / CHOICES:
        flags.append("guessing")
    return tuple(flags)


def _discrimination(phases: Sequence[Sequence[Row]], rows: Sequence[Row]) -> float | None:
    points: Counter[tuple[str, str]] = Counter()
    for row in rows:
        points[row.participant, row.phase] += row.right
    right, rest = [], []
    for phase in filter(None, phases):
        own = np.array([row.right for row in phase], dtype=float)
        others = np.array([points[row.participant, row.phase] for row in phase]) - own
        right.append(own - own.mean())
        rest.append(others - others.mean())
    x, y = (np.concatenate(each) if each else np.zeros(1) for each in (right, rest))
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 1e-9 else None
