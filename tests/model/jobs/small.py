"""Short runs, and waiting for them."""

import time
from collections.abc import Callable

import pytest

from model.errors import InvalidInput
from model.jobs.types import Backend, Progress
from model.train.run_settings import RunSettings

TINY = RunSettings(
    task="notebook", d_model=16, heads=2, d_ff=16, steps=30, warmup=5, tokens_per_batch=200, dropout=0.1
)  # fmt: skip


PATIENCE = 120.0  # seconds; the machine may be busy


def until(jobs: Backend, id_: str, holds: Callable[[Progress], bool]) -> Progress:
    end = time.monotonic() + PATIENCE
    while not holds(progress := jobs.progress(id_)):
        assert time.monotonic() < end, progress
        time.sleep(0.02)
    return progress


def over(jobs: Backend, id_: str) -> Progress:
    return until(jobs, id_, lambda p: p.state in ("finished", "stopped", "failed"))


def curve(progress: Progress) -> list[tuple[int, float, float]]:
    return [(report.step, report.loss, report.gradient_norm) for report in progress.reports]


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(InvalidInput) as error:
        act()
    return error.value.code


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Mute:
    """A connection to nobody, which notes what it was to send."""

    def __init__(self) -> None:
        self.sent: list[tuple] = []

    def send(self, message: tuple) -> None:
        self.sent.append(message)
