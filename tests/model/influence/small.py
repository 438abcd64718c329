"""The small translation task with a tiny model and few steps, and words of sentences that it learns from."""

from dataclasses import replace
from functools import cache

import pytest

from model.checkpoint.checkpoints import random_model
from model.influence import methods, small_task
from model.influence.moments import Moment
from model.influence.retraining import Asked
from model.influence.small_task import SmallTask
from model.train.run_settings import DEFAULTS


@cache
def tiny() -> SmallTask:
    return small_task.of_settings(
        replace(DEFAULTS["few-sentences"], d_model=16, heads=2, d_ff=24, warmup=4, steps=8, tokens_per_batch=2000)
    )


def words_of(task: SmallTask, sentences: int) -> list[Asked]:
    return [
        Asked(tuple(source), tuple(target), row)
        for source, target in task.examples[:sentences]
        for row in range(len(target) - 2)
    ]


def moments(task: SmallTask, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Moment]:
    """The moments of a training as the methods see them, so many in place of ten."""
    monkeypatch.setattr(methods, "MOMENTS", count)
    return methods.Index(task, random_model(task.config, seed=1)).moments
