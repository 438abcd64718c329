"""Fixtures that several files of this folder use."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from model.jobs.pool import Jobs
from model.jobs.types import Progress
from model.train.job import TrainingTask
from pages.shared.models.trainings import run_queue
from pages.shared.server.headers import SecurityHeaders
from pages.shared.server.routes import run_routes
from tests.pages.train.page import TINY, over


@pytest.fixture(scope="package")
def pool() -> Iterator[Jobs]:
    jobs = Jobs(TrainingTask, 1, nice=0)
    jobs.warm()
    yield jobs
    jobs.close()


@pytest.fixture
def queue(pool: Jobs, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    """The page's queue, empty of what other tests left."""
    for id_ in list(pool.queue.jobs):
        pool.stop(id_)
        over(pool, id_)
    monkeypatch.setattr(run_queue, "jobs", lambda: pool)
    return pool


@pytest.fixture(scope="package")
def done(pool: Jobs) -> Progress:
    """A run that has learned its 22 pairs, or some of them; nobody's."""
    return over(pool, pool.submit(TrainingTask(TINY), "somebody"))


@pytest.fixture
def client(queue: Jobs) -> TestClient:
    return TestClient(Starlette(routes=run_routes.ROUTES, middleware=[Middleware(SecurityHeaders)]))
