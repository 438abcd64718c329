"""Each task's defaults to their end, as a user who only presses Start gets them. On demand: `pytest -m full`."""

from dataclasses import replace

import pytest

from model.train.run_settings import DEFAULTS
from model.train.training_run import run

# share of 500 held-out sources whose whole output must be right
REACHED: dict[str, float] = {"dates": 0.995, "reverse": 0.99, "copy": 0.99, "sort": 0.98, "addition": 0.98,
                            "grammar": 0.4, "chinese": 0.5}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("task", REACHED)
def test_the_defaults_learn_their_task(task: str, seed: int) -> None:
    *_, last = run(replace(DEFAULTS[task], seed=seed))
    assert last.evaluation is not None
    assert last.evaluation.held_out == 500
    assert last.evaluation.exact_held_out >= REACHED[task]
