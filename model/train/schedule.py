"""After which training steps a run reports its numbers, evaluates its model, and saves a snapshot."""

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from corpora.task_list import tasks
from model.train.run_settings import RunSettings

REPORTS = 200  # approximate number in a run; at least one every ten steps, so that a run can be paused
EVALUATIONS = 10  # evenly spaced, in addition to those at snapshots; fewer in a short run
MANY_EVALUATIONS = 40  # where the moment of a change is to be seen
CHANGES = ("induction", "grokking")  # what comes at such a moment
SNAPSHOTS = 12  # of a run, at most
STEPS_APART = 16  # at least, on average: evaluating must not take longer than training


@dataclass(frozen=True)
class Schedule:
    """Reports come every so many steps, and with each evaluation; the model is evaluated for each snapshot."""

    every: int
    evaluations: Set[int]
    snapshots: Set[int]

    def reports(self, step: int) -> bool:
        """Whether there is a report after this step."""
        return step % self.every == 0 or step in self.evaluations


def schedule(settings: RunSettings) -> Schedule:
    """The schedule of a run, which does all three after its last step, whenever that is."""
    steps = settings.steps
    shows = tasks()[settings.task].shows
    snapshots = snapshot_steps(steps, evenly=shows == "grokking")
    count = max(1, min(EVALUATIONS, steps // (5 * STEPS_APART)))
    if shows in CHANGES:
        count = min(MANY_EVALUATIONS, max(1, steps // STEPS_APART))
    evaluations = snapshots | {round(steps * number / count) for number in range(count + 1)}
    return Schedule(max(1, min(10, steps // REPORTS)), evaluations, snapshots)


def snapshot_steps(steps: int, evenly: bool = False) -> set[int]:
    """The steps of a run of `steps` after which a snapshot is saved: 0, the last, and more and more rarely between.

    `evenly`: at equal distances, for a run in which much happens late.
    """
    count = min(SNAPSHOTS - 1, max(1, steps // STEPS_APART))
    if evenly:
        return {round(steps * number / count) for number in range(count + 1)}
    places = np.geomspace(min(steps, max(5, steps / 60)), steps, count) if count > 1 else [steps]
    return {0, *(round(float(step)) for step in places)}
