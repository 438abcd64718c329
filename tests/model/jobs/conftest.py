"""Fixtures that several files of this folder use."""

from pathlib import Path

import pytest

from model.jobs.pool import Jobs
from model.jobs.process import Worker
from model.train.job import TrainingTask
from model.train.limits import Limits
from tests.model.jobs.small import Clock, Mute


@pytest.fixture
def still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    """A pool that starts nothing, so that its book-keeping can be followed step by step."""
    monkeypatch.setattr(Jobs, "warm", lambda self: None)
    jobs = Jobs(TrainingTask, 1, folder=tmp_path, clock=Clock(), waiting=3, limits=Limits(seconds=1000))
    jobs._workers.append(Worker(None, Mute(), ready=True))  # type: ignore[arg-type]
    return jobs
