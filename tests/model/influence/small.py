"""The small translation task with a tiny model and few steps, and words of sentences that it learns from."""

from dataclasses import replace
from functools import cache

from model.influence import small_task
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
