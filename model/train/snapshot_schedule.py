"""After which training steps a snapshot is saved."""

import numpy as np

SNAPSHOTS = 12  # of a run, at most
STEPS_APART = 16  # at least, on average: evaluating must not take longer than training


def snapshot_steps(steps: int, evenly: bool = False) -> set[int]:
    """The steps of a run of `steps` after which a snapshot is saved: 0, the last, and more and more rarely between.

    `evenly`: at equal distances, for a run in which much happens late.
    """
    count = min(SNAPSHOTS - 1, max(1, steps // STEPS_APART))
    if evenly:
        return {round(steps * number / count) for number in range(count + 1)}
    spaced = np.geomspace(min(steps, max(5, steps / 60)), steps, count) if count > 1 else [steps]
    return {0, *(round(float(step)) for step in spaced)}
