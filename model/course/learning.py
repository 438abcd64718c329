"""Step 10, learning: after how many steps of its training the model first wrote its final output."""

from collections.abc import Sequence

from model.checkpoint.snapshots import Snapshot
from model.course.question import Question, in_order


def question(snapshots: Sequence[Snapshot]) -> Question:
    """Ask for the first of the saved steps with the output of the last."""
    steps = [f"{snapshot.step:,}" for snapshot in snapshots]
    final = snapshots[-1].probe.output
    first = next(place for place, snapshot in enumerate(snapshots) if snapshot.probe.output == final)
    return in_order(steps, first, sentence=final, step=steps[first], last=steps[-1])
