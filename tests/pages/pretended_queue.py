"""A queue of runs that starts none."""

from typing import Any

import pytest

from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.shared.models.trainings import run_queue


class Queue:
    """Takes one run, and says of it what it is told to."""

    def __init__(self) -> None:
        self.task: Any = None
        self.state, self.reports, self.moments = "queued", (), ()
        self.refusal: InvalidInput | None = None

    def submit(self, task: Any, session: str) -> str:
        if self.refusal:
            raise self.refusal
        self.task = task
        return "run"

    def progress(self, id: str, since: int = 0) -> Progress:
        return Progress(id, self.task, self.state, 1, self.reports, 0, self.moments, None, None)  # type: ignore[arg-type]

    def stop(self, id: str) -> None:
        self.state = "stopped"

    def result(self, id: str) -> None:
        raise InvalidInput("job_unknown")


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Queue:
    result = Queue()
    monkeypatch.setattr(run_queue, "jobs", lambda: result)
    return result
