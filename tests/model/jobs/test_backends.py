"""Runs on worker processes and on a Ray cluster, from the queue to the result."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from model.jobs.pool import Jobs
from model.jobs.types import Backend
from model.train.job import TrainingTask
from model.train.run_settings import RunSettings
from tests.model.jobs import ray_head
from tests.model.jobs.small import TINY, curve, over, refusal, until
from tests.samples import ROOT

LONG = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=20_000, warmup=5, dropout=0.1)


@pytest.fixture(scope="module", params=["local", "ray"])
def pool(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """One worker, which all the tests of this file use one after the other: starting one takes seconds."""
    if request.param == "local":
        jobs = Jobs(TrainingTask, 1, nice=0)
        jobs.warm()
        yield jobs
        jobs.close()
        return
    if find_spec("ray") is None:
        pytest.skip("ray is not installed: pip install -r requirements-ray.txt")
    with ray_head.backend(workers=1, nice=0) as cluster:
        cluster.warm()  # type: ignore[attr-defined]
        yield cluster


# what differs little on a cluster
MOSTLY_LOCAL = pytest.mark.parametrize(
    "pool", ["local", pytest.param("ray", marks=pytest.mark.thorough)], indirect=True
)


def pids(jobs: Backend) -> list[int]:
    """The processes that train."""
    if isinstance(jobs, Jobs):
        return [worker.process.pid for worker in jobs._workers]  # type: ignore[union-attr]
    import ray

    return ray.get(jobs._manager.pids.remote())  # type: ignore[attr-defined]


@MOSTLY_LOCAL
def test_a_run_goes_from_the_queue_to_its_result(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(TINY), "a")
    progress = over(pool, id_)
    assert (progress.state, progress.ended, progress.position) == ("finished", None, 0)
    assert [report.step for report in progress.reports] == list(range(31))
    assert progress.latest is not None
    assert progress.latest.weights["cross"].shape[1] == 2  # heads
    result = pool.result(id_)
    assert result.moments[0] == 0
    assert result.moments[-1] == 30
    last = result.moment()
    assert last.step == 30
    assert last.weights["output.weight"].shape[1] == 16
    assert result.moment(0).step == 0
    later = pool.progress(id_, progress.next)
    assert later.reports == ()
    assert pool.progress(id_, 29).reports == progress.reports[29:]


@MOSTLY_LOCAL
def test_paused_and_resumed_it_is_the_run_that_goes_through(pool: Backend) -> None:
    settings = RunSettings(task="notebook", d_model=32, heads=2, d_ff=64, steps=120, tokens_per_batch=200, dropout=0.1)
    whole = over(pool, pool.submit(TrainingTask(settings), "a"))
    id_ = pool.submit(TrainingTask(settings), "b")
    until(pool, id_, lambda p: len(p.reports) > 5)
    pool.pause(id_)
    last = until(pool, id_, lambda p: p.state == "paused")
    assert 5 <= last.reports[-1].step < 120
    other = over(pool, pool.submit(TrainingTask(TINY), "c"))  # the worker is free meanwhile
    assert other.state == "finished"
    pool.resume(id_)
    progress = over(pool, id_)
    assert curve(progress) == curve(whole)
    assert progress.moments == whole.moments
    assert refusal(lambda: pool.resume(id_)) == "job_state"


@MOSTLY_LOCAL
def test_stopped_it_keeps_what_it_has(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(LONG), "a")
    until(pool, id_, lambda p: len(p.reports) > 3)
    pool.stop(id_)
    last = over(pool, id_)
    assert last.state == "stopped"
    assert 0 < last.reports[-1].step < LONG.steps
    assert last.moments[-1] == last.reports[-1].step
    assert pool.result(id_).moment().weights
    pool.stop(id_)  # asks for nothing any more
    assert pool.progress(id_).state == "stopped"


@MOSTLY_LOCAL
def test_one_running_and_one_waiting_for_each_session_in_order(pool: Backend) -> None:
    first, second = pool.submit(TrainingTask(LONG), "a"), pool.submit(TrainingTask(TINY), "a")
    assert refusal(lambda: pool.submit(TrainingTask(TINY), "a")) == "job_full"
    third, fourth = pool.submit(TrainingTask(TINY), "b"), pool.submit(TrainingTask(TINY), "c")
    until(pool, first, lambda p: p.state == "running")
    assert [pool.progress(id_).position for id_ in (first, second, third, fourth)] == [0, 1, 2, 3]
    pool.stop(third)  # cancelled while it waits
    assert pool.progress(third).state == "stopped"
    assert refusal(lambda: pool.result(third).moment()) == "job_empty"
    assert pool.progress(fourth).position == 2
    pool.stop(first)
    until(pool, second, lambda p: p.state != "queued")
    assert pool.progress(first).state == "stopped"
    until(pool, fourth, lambda p: p.state != "queued")
    assert pool.progress(second).state == "finished"
    assert over(pool, fourth).state == "finished"


@MOSTLY_LOCAL
def test_nobody_sees_the_runs_of_another_session_without_their_id(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(TINY), "one")
    over(pool, id_)
    assert [run.id for run in pool.list("one")] == [id_]
    assert pool.list("two") == []
    assert len(id_) >= 20
    assert pool.submit(TrainingTask(TINY), "one") != id_
    for act in (pool.progress, pool.stop, pool.pause, pool.resume, pool.result):
        assert refusal(lambda act=act: act(id_[:-1] + "?")) == "job_unknown"


@MOSTLY_LOCAL
def test_what_cannot_run_is_refused_before_it_waits(pool: Backend) -> None:
    assert refusal(lambda: pool.submit(TrainingTask(RunSettings(steps=10**9)), "d")) == "run_range"
    assert pool.list("d") == []


@MOSTLY_LOCAL
def test_a_worker_that_is_killed_ends_its_run_and_the_pool_goes_on(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(LONG), "k")
    until(pool, id_, lambda p: len(p.moments) > 1)
    waiting = pool.submit(TrainingTask(TINY), "l")
    [victim] = pids(pool)
    os.kill(victim, signal.SIGKILL)
    last = over(pool, id_)
    assert last.state == "failed"
    assert last.ended is not None
    assert last.ended.code == "job_died"
    assert last.ended.values["reason"] == ("signal 9" if isinstance(pool, Jobs) else "the actor died")
    assert pool.result(id_).moment().step == last.ended.values["step"] == last.moments[-1]
    assert over(pool, waiting).state == "finished"
    assert pids(pool) != [victim]


@MOSTLY_LOCAL
def test_a_loss_that_is_no_number_ends_the_run_with_a_sentence(pool: Backend) -> None:
    wild = RunSettings(
        task="notebook", d_model=16, heads=2, d_ff=16, norm="none", learning_rate=0.1, warmup=0, steps=2000,
        schedule="constant", preset="notebook", encoder_layers=6, decoder_layers=6,
    )  # fmt: skip
    last = over(pool, pool.submit(TrainingTask(wild), "w"))
    assert last.ended is not None
    assert last.ended.code == "run_diverged"
    assert last.state == "failed"


# what only a cluster can do, or only a cluster could get wrong
ON_RAY = pytest.mark.parametrize("pool", ["ray"], indirect=True)


RESTARTED = """
from model.jobs.choose_backend import backend
from model.train.job import TrainingTask
from tests.model.jobs.small import TINY
jobs = backend(TrainingTask)
print(jobs.submit(TrainingTask(TINY), "before"), flush=True)
"""


@pytest.mark.thorough
@ON_RAY
def test_another_server_shows_the_run_of_one_that_is_gone(pool: Backend) -> None:
    """On a cluster a run belongs to no server: one submits it and ends, this one shows it."""
    process = subprocess.run([sys.executable, "-c", RESTARTED], cwd=ROOT, capture_output=True, text=True, check=True)
    id_ = process.stdout.split()[-1]
    assert over(pool, id_).state == "finished"
    assert [run.id for run in pool.list("before")] == [id_]
    result = pool.result(id_)
    assert [result.moment(step).step for step in result.moments] == list(result.moments)


@pytest.mark.thorough
@ON_RAY
def test_a_server_fetches_the_files_of_a_run_and_no_others(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(TINY), "files")
    over(pool, id_)
    result = pool.result(id_)
    steps = result.moments
    assert sorted(path.name for path in result.folder.iterdir()) == [f"moment-{step:06d}.npz" for step in steps]
    assert refusal(lambda: pool._ask("file", id_, "../../etc/passwd")) == "job_unknown"  # type: ignore[attr-defined]
    assert pool._ask("_remove", id_) is None  # type: ignore[attr-defined] - not one of what may be asked
    assert pool.result(id_).moments == steps


@pytest.mark.thorough
@ON_RAY
def test_only_this_machine_and_only_with_the_token_reaches_the_cluster(pool: Backend) -> None:
    address, _, port = os.environ["RAY_ADDRESS"].partition(":")
    assert address == "127.0.0.1"
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for other in addresses - {address}:
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, int(port)), timeout=5)
    code = "import ray; ray.init()"
    wrong = os.environ | {"RAY_AUTH_TOKEN": "0" * 64}
    process = subprocess.run([sys.executable, "-c", code], env=wrong, capture_output=True, text=True)
    assert process.returncode != 0
    assert "token" in process.stderr.lower()
