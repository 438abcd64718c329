"""Jobs: one queue, fair limits, runs that can be left, paused and taken up again, and a pool that outlives a worker."""

import itertools
import json
import math
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

from model.errors import InvalidInput
from model.jobs import store as job_store
from model.jobs.pool import Jobs
from model.jobs.process import Worker
from model.jobs.types import Backend, Progress
from model.train.job import TrainingTask
from model.train.run import Run, RunReport
from model.train.settings import Limits, RunSettings
from tests.fixtures import ROOT
from tests.model.jobs import ray_head

TINY = RunSettings(
    task="notebook", d_model=16, heads=2, d_ff=16, steps=30, warmup=5, tokens_per_batch=200, dropout=0.1
)  # fmt: skip
LONG = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=20_000, warmup=5, dropout=0.1)
PATIENCE = 120.0  # seconds; the machine may be busy


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


def pids(jobs: Backend) -> list[int]:
    """The processes that train."""
    if isinstance(jobs, Jobs):
        return [worker.process.pid for worker in jobs._workers]  # type: ignore[union-attr]
    import ray

    return ray.get(jobs._manager.pids.remote())  # type: ignore[attr-defined]


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
    with pytest.raises(InvalidInput) as caught:
        act()
    return caught.value.code


def test_a_run_goes_from_the_queue_to_its_result(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(TINY), "a")
    done = over(pool, id_)
    assert (done.state, done.ended, done.position) == ("finished", None, 0)
    assert [report.step for report in done.reports] == list(range(31))
    assert done.look is not None
    assert done.look.weights["cross"].shape[1] == 2  # heads
    result = pool.result(id_)
    assert result.moments[0] == 0
    assert result.moments[-1] == 30
    last = result.moment()
    assert last.step == 30
    assert last.weights["output.weight"].shape[1] == 16
    assert result.moment(0).step == 0
    later = pool.progress(id_, done.next)
    assert later.reports == ()
    assert pool.progress(id_, 29).reports == done.reports[29:]


def test_paused_and_resumed_it_is_the_run_that_goes_through(pool: Backend) -> None:
    settings = RunSettings(task="notebook", d_model=32, heads=2, d_ff=64, steps=120, tokens_per_batch=200, dropout=0.1)
    whole = over(pool, pool.submit(TrainingTask(settings), "a"))
    id_ = pool.submit(TrainingTask(settings), "b")
    until(pool, id_, lambda p: len(p.reports) > 5)
    pool.pause(id_)
    paused = until(pool, id_, lambda p: p.state == "paused")
    assert 5 <= paused.reports[-1].step < 120
    other = over(pool, pool.submit(TrainingTask(TINY), "c"))  # the worker is free meanwhile
    assert other.state == "finished"
    pool.resume(id_)
    resumed = over(pool, id_)
    assert curve(resumed) == curve(whole)
    assert resumed.moments == whole.moments
    assert refusal(lambda: pool.resume(id_)) == "job_state"


def test_stopped_it_keeps_what_it_has(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(LONG), "a")
    until(pool, id_, lambda p: len(p.reports) > 3)
    pool.stop(id_)
    stopped = over(pool, id_)
    assert stopped.state == "stopped"
    assert 0 < stopped.reports[-1].step < LONG.steps
    assert stopped.moments[-1] == stopped.reports[-1].step
    assert pool.result(id_).moment().weights
    pool.stop(id_)  # asks for nothing any more
    assert pool.progress(id_).state == "stopped"


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


def test_nobody_sees_the_runs_of_another_session_without_their_id(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(TINY), "one")
    over(pool, id_)
    assert [run.id for run in pool.list("one")] == [id_]
    assert pool.list("two") == []
    assert len(id_) >= 20
    assert pool.submit(TrainingTask(TINY), "one") != id_
    for act in (pool.progress, pool.stop, pool.pause, pool.resume, pool.result):
        assert refusal(lambda act=act: act(id_[:-1] + "?")) == "job_unknown"


def test_what_cannot_run_is_refused_before_it_waits(pool: Backend) -> None:
    assert refusal(lambda: pool.submit(TrainingTask(RunSettings(steps=10**9)), "d")) == "run_range"
    assert pool.list("d") == []


def test_a_worker_that_is_killed_ends_its_run_and_the_pool_goes_on(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(LONG), "k")
    until(pool, id_, lambda p: len(p.moments) > 1)
    waiting = pool.submit(TrainingTask(TINY), "l")
    [victim] = pids(pool)
    os.kill(victim, signal.SIGKILL)
    failed = over(pool, id_)
    assert failed.state == "failed"
    assert failed.ended is not None
    assert failed.ended.code == "job_died"
    assert failed.ended.values["reason"] == ("signal 9" if isinstance(pool, Jobs) else "the actor died")
    assert pool.result(id_).moment().step == failed.ended.values["step"] == failed.moments[-1]
    assert over(pool, waiting).state == "finished"
    assert pids(pool) != [victim]


def test_a_loss_that_is_no_number_ends_the_run_with_a_sentence(pool: Backend) -> None:
    wild = RunSettings(
        task="notebook", d_model=16, heads=2, d_ff=16, norm="none", learning_rate=0.1, warmup=0, steps=2000,
        schedule="constant", preset="notebook", encoder_layers=6, decoder_layers=6,
    )  # fmt: skip
    done = over(pool, pool.submit(TrainingTask(wild), "w"))
    assert done.ended is not None
    assert done.ended.code == "run_diverged"
    assert done.state == "failed"


# what only a cluster can do, or only a cluster could get wrong
ON_RAY = pytest.mark.parametrize("pool", ["ray"], indirect=True)
RESTARTED = """
from model.jobs.choose_backend import backend
from model.train.job import TrainingTask
from tests.model.jobs.test_jobs import TINY
jobs = backend(TrainingTask)
print(jobs.submit(TrainingTask(TINY), "before"), flush=True)
"""


@ON_RAY
def test_another_server_shows_the_run_of_one_that_is_gone(pool: Backend) -> None:
    """On a cluster a run belongs to no server: one submits it and ends, this one shows it."""
    gone = subprocess.run([sys.executable, "-c", RESTARTED], cwd=ROOT, capture_output=True, text=True, check=True)
    id_ = gone.stdout.split()[-1]
    assert over(pool, id_).state == "finished"
    assert [run.id for run in pool.list("before")] == [id_]
    result = pool.result(id_)
    assert [result.moment(step).step for step in result.moments] == list(result.moments)


@ON_RAY
def test_a_server_fetches_the_files_of_a_run_and_no_others(pool: Backend) -> None:
    id_ = pool.submit(TrainingTask(TINY), "files")
    over(pool, id_)
    result = pool.result(id_)
    saved = result.moments
    assert sorted(path.name for path in result.folder.iterdir()) == [f"moment-{step:06d}.npz" for step in saved]
    assert refusal(lambda: pool._ask("file", id_, "../../etc/passwd")) == "job_unknown"  # type: ignore[attr-defined]
    assert pool._ask("_remove", id_) is None  # type: ignore[attr-defined] - not one of what may be asked
    assert pool.result(id_).moments == saved


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
    ended = subprocess.run([sys.executable, "-c", code], env=wrong, capture_output=True, text=True)
    assert ended.returncode != 0
    assert "token" in ended.stderr.lower()


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


@pytest.fixture
def still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    """A pool that starts nothing, so that its book-keeping can be followed step by step."""
    monkeypatch.setattr(Jobs, "warm", lambda self: None)
    jobs = Jobs(TrainingTask, 1, folder=tmp_path, clock=Clock(), waiting=3, limits=Limits(seconds=1000))
    jobs._workers.append(Worker(None, Mute(), ready=True))  # type: ignore[arg-type]
    return jobs


def test_nobody_watching_stops_a_run_after_five_minutes(still: Jobs) -> None:
    watched, left, queued = (still.submit(TrainingTask(TINY), session) for session in "abc")
    still._assign()
    assert still.queue.jobs[watched].state == "running"
    still.queue.clock.now = 299  # type: ignore[attr-defined]
    still._expire()
    still.progress(watched)
    assert [still.queue.jobs[id_].state for id_ in (watched, left, queued)] == ["running", "queued", "queued"]
    still.queue.clock.now = 301  # type: ignore[attr-defined]
    still._expire()
    # who waits in a long queue may read another page meanwhile
    assert [still.queue.jobs[id_].state for id_ in (watched, left, queued)] == ["running", "queued", "queued"]
    still.queue.clock.now = 600  # type: ignore[attr-defined]
    still._expire()
    still._expire()
    assert still._workers[0].connection.sent[1:] == [("stop",)]  # type: ignore[attr-defined]
    ended = still.queue.jobs[watched].ended
    assert ended is not None
    assert (ended.code, ended.values["minutes"]) == ("job_unwatched", "5")
    still.progress(queued)
    still._workers.clear()
    still.queue.clock.now = 1801  # type: ignore[attr-defined]
    still._expire()
    assert [still.queue.jobs[id_].state for id_ in (left, queued)] == ["stopped", "queued"]
    assert still.queue.jobs[left].ended.values["minutes"] == "30"  # type: ignore[union-attr]


def test_a_run_that_has_waited_unseen_is_given_its_time(still: Jobs) -> None:
    id_ = still.submit(TrainingTask(TINY), "a")
    still.queue.clock.now = 900  # type: ignore[attr-defined]
    still._assign()
    still.queue.clock.now = 1199  # type: ignore[attr-defined]
    still._expire()
    assert not still.queue.jobs[id_].stopping
    still.queue.clock.now = 1201  # type: ignore[attr-defined]
    still._expire()
    assert still.queue.jobs[id_].stopping


def test_the_wait_is_what_those_ahead_still_take(still: Jobs) -> None:
    first, second, third = (still.submit(TrainingTask(TINY), session) for session in "abc")
    for id_, seconds in ((first, 10.0), (second, 30.0), (third, 5.0)):
        still.queue.jobs[id_].seconds = seconds
    assert [still.progress(id_).wait for id_ in (first, second, third)] == [0, 10, 40]
    still._assign()
    assert [still.progress(id_).wait for id_ in (first, second, third)] == [0, 10, 40]

    def says(step: int, seconds: float, left: float) -> None:
        report = RunReport(step, 30, 1.0, 0.1, 1.0, 1.0, seconds, left, 0.0)
        still._note(still._workers[0], still.queue.jobs[first], ("report", report, None))

    says(0, 1.0, math.nan)  # nobody knows yet
    assert still.progress(second).wait == 10
    says(15, 20.0, 20.0)  # four times slower than thought, and so is what comes after it
    assert [still.progress(id_).wait for id_ in (first, second, third)] == [0, 20, 20 + 4 * 30]
    still.queue.most = 2
    assert still.progress(third).wait == 70


def test_a_session_with_one_running_lets_others_pass(still: Jobs) -> None:
    first, second, other = (
        still.submit(TrainingTask(TINY), "a"),
        still.submit(TrainingTask(TINY), "a"),
        still.submit(TrainingTask(TINY), "b"),
    )
    still._workers.append(Worker(None, Mute(), ready=True))  # type: ignore[arg-type]
    still._assign()
    assert [still.queue.jobs[id_].state for id_ in (first, second, other)] == ["running", "queued", "running"]


def test_the_queue_has_an_end(still: Jobs) -> None:
    for session in "abc":
        still.submit(TrainingTask(TINY), session)
    assert refusal(lambda: still.submit(TrainingTask(TINY), "d")) == "job_queue"


def test_old_runs_make_room(still: Jobs) -> None:
    ids = []
    for _ in range(12):
        ids.append(still.submit(TrainingTask(TINY), "a"))
        still.stop(ids[-1])
    kept = [run.id for run in still.list("a")]
    assert kept == ids[:-9:-1]
    assert sorted(path.name for path in still.folder.iterdir()) == sorted(kept)
    still.queue.clock.now = 7 * 3600  # type: ignore[attr-defined]
    still._expire()
    assert still.list("a") == []
    assert not list(still.folder.iterdir())


def test_a_server_that_is_started_again_goes_on_with_its_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose server is gone ends by itself and leaves what the next one goes on from."""
    settings = replace(TINY, steps=2000)
    jobs = Jobs(TrainingTask, 1, nice=0, folder=tmp_path)
    done = over(jobs, jobs.submit(TrainingTask(TINY), "a"))
    left = jobs.submit(TrainingTask(settings), "a")
    before = until(jobs, left, lambda p: len(p.reports) > 5)
    waiting = jobs.submit(TrainingTask(TINY), "a")
    worker = jobs._workers[0].process
    for meant_for_the_server in (signal.SIGINT, signal.SIGTERM):  # a Ctrl-C goes to the whole group
        os.kill(worker.pid, meant_for_the_server)  # type: ignore[union-attr]
    before = until(jobs, left, lambda p: p.state != "running" or p.next > before.next)
    jobs.close()
    assert worker.returncode == 0  # by itself, not killed
    for folder in tmp_path.iterdir():  # what a server that was killed may leave: half a line
        with (folder / "reports.jsonl").open("a") as file:
            file.write('{"step": 3')
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "run.json").write_text("{}")
    monkeypatch.setattr(Jobs, "warm", lambda self: None)
    again = Jobs(TrainingTask, 1, folder=tmp_path)
    assert {run.id for run in again.list("a")} == {done.id, left, waiting}
    assert repr(replace(again.progress(done.id), look=None)) == repr(replace(done, look=None))  # where NaN is NaN
    assert np.array_equal(again.progress(done.id).look.weights["cross"], done.look.weights["cross"])  # type: ignore[union-attr]
    assert again.result(done.id).moment().weights
    assert [again.progress(id_).position for id_ in (left, waiting)] == [1, 2]
    seen = again.progress(left)
    assert curve(seen)[: len(before.reports)] == curve(before)
    # goes on as if nothing had been: the same as a run that was never left
    state = torch.load(tmp_path / left / "state.pt", weights_only=True)
    rest = list(itertools.islice(Run(settings, state).reports(), 5))
    whole = list(itertools.islice(Run(settings).reports(), len(seen.reports) + 6))
    known = {report.step: report.loss for report in whole}
    assert [(r.step, r.loss) for r in rest] == [(r.step, known[r.step]) for r in rest]
    assert not (tmp_path / "damaged").exists()


def test_a_run_whose_worker_went_with_the_server_says_so(still: Jobs) -> None:
    id_ = still.submit(TrainingTask(TINY), "a")
    still._assign()
    again = Jobs(TrainingTask, 1, folder=still.folder)
    assert again.progress(id_).state == "queued"  # it had not begun
    report = RunReport(4, 30, 1.0, 0.1, 1.0, 1.0, 2.0, 3.0, 0.0)
    still._note(still._workers[0], still.queue.jobs[id_], ("report", report, None))
    found = Jobs(TrainingTask, 1, folder=still.folder).progress(id_)
    assert (found.state, found.reports) == ("stopped", (report,))
    assert found.ended is not None
    assert (found.ended.code, found.ended.values) == ("job_restarted", {"step": 0})


def test_a_worker_that_dies_with_the_pool_fails_no_run(still: Jobs) -> None:
    class Gone(Mute):
        def close(self) -> None: ...

        def wait(self, timeout: float | None = None) -> int:
            return -signal.SIGKILL

    id_ = still.submit(TrainingTask(TINY), "a")
    still._workers[:] = [Worker(Gone(), Gone(), ready=True)]  # type: ignore[arg-type]
    still._assign()
    still._closed = True
    still._bury(still._workers[0])
    assert (still.progress(id_).state, still.progress(id_).ended) == ("running", None)


@pytest.mark.parametrize("other", [{"preset": "gone"}, {"task": "gone"}, {"steps": 10**9}])
def test_a_run_that_cannot_go_on_in_this_version_keeps_no_other_out(still: Jobs, other: dict) -> None:
    done, stale, waiting = (still.submit(TrainingTask(TINY), session) for session in "aab")
    still.stop(done)
    for id_ in (done, stale):
        job = still.queue.jobs[id_]
        job.task = TrainingTask(replace(TINY, **other))
        still.queue.save(job)
    again = Jobs(TrainingTask, 1, folder=still.folder)
    assert [run.id for run in again.list("a")] == [done]  # what is over asks for nothing
    assert again.progress(waiting).position == 1
    assert not (still.folder / stale).exists()


def test_a_run_that_an_earlier_server_left_is_read(still: Jobs) -> None:
    """The files as they have always been, key by key."""
    folder = still.folder / "earlier"
    folder.mkdir()
    settings = {"task": "notebook", "d_model": 16, "heads": 2, "d_ff": 16, "steps": 30}
    run = {
        "session": "a",
        "settings": settings,
        "state": "stopped",
        "ended": ["run_time", {"step": 4, "minutes": "30"}],
        "submitted": 1,
    }
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "reports.jsonl").write_text(
        """{"step": 4, "steps": 30, "loss": 2.5, "learning_rate": 0.1, "gradient_norm": 1.0, "steps_per_second": 9.0,
        "seconds": 2.0, "seconds_left": 3.0, "evaluation_share": 0.5, "moment": null, "evaluation": {
        "validation_loss": 2.0, "token_accuracy": 0.5, "exact_held_out": 0.0, "exact_training": null, "held_out": 1,
        "training": 0, "samples": [{"source": "a", "reference": "b", "output": "c", "held_out": true}],
        "energy": {"embedding": 1.0, "position": 2.0, "d_model": 16}, "look": null}}""".replace("\n", "")
    )
    found = Jobs(TrainingTask, 1, folder=still.folder).progress("earlier")
    assert found.settings == RunSettings(**settings)
    assert (found.state, found.ended.code) == ("stopped", "run_time")  # type: ignore[union-attr]
    [report] = found.reports
    assert (report.step, report.loss) == (4, 2.5)
    assert report.evaluation is not None
    assert [sample.output for sample in report.evaluation.samples] == ["c"]


def test_runs_keep_their_order(still: Jobs) -> None:
    ids = []
    for _ in range(3):
        ids.append(still.submit(TrainingTask(TINY), "a"))
        still.stop(ids[-1])
    os.utime(still.folder / ids[0])  # a file has come since
    assert [run.id for run in Jobs(TrainingTask, 1, folder=still.folder).list("a")] == ids[::-1]


def test_a_place_is_one_servers_and_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = job_store.place("8501")
    assert folder is not None
    assert folder.parent == tmp_path
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert job_store.place("8501") is None  # held
    open_to_all = folder.with_name(folder.name.replace("8501", "8502"))
    open_to_all.mkdir()
    assert job_store.place("8502") is None
    elsewhere = folder.with_name(folder.name.replace("8501", "8503"))
    elsewhere.symlink_to(folder)
    assert job_store.place("8503") is None
    aged(folder)
    open_to_all.chmod(0o700)
    assert job_store.place("8502") == open_to_all
    assert folder.exists()  # old, but held
    job_store._locks.pop(0).close()
    assert job_store.place("8504")
    assert not folder.exists()
    for lock in job_store._locks:
        lock.close()
    job_store._locks.clear()


def aged(folder: Path) -> None:
    for path in (*folder.iterdir(), folder):
        os.utime(path, (0, 0))


def released() -> None:
    """The server of the last place ends."""
    job_store._locks.pop().close()


def test_a_place_is_kept_as_long_as_its_server_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(job_store, "_locks", [])
    folder = job_store.place("8501")
    assert folder is not None
    (folder / "a run").mkdir()
    aged(folder)
    released()
    assert job_store.place("8501") == folder
    assert (folder / "a run").exists()  # after more than a day under the same name
    aged(folder)
    os.utime(folder / "a run")
    released()
    assert job_store.place("8502")
    assert folder.exists()  # something has happened there since its lock was taken
    released()
    aged(folder)
    removed = shutil.rmtree

    def held(path: Path) -> None:
        assert job_store.place("8501") is None
        removed(path)

    monkeypatch.setattr(job_store.shutil, "rmtree", held)
    assert job_store.place("8502")
    assert not folder.exists()


def test_a_place_that_others_made_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(job_store, "_locks", [])
    strange = tmp_path / f"glassformer-runs-{os.getuid()}-x"
    strange.mkdir(mode=0o755)
    os.mkfifo(strange / "lock")  # opening it to write would wait for somebody who reads
    aged(strange)
    opening = threading.Thread(target=job_store.place, args=("8501",), daemon=True)
    opening.start()
    opening.join(timeout=10)
    assert not opening.is_alive()
    assert (strange / "lock").exists()
    released()


def test_the_pool_of_no_place_leaves_nothing() -> None:
    jobs = Jobs(TrainingTask, 1)
    jobs.folder.joinpath("x").mkdir()
    jobs.close()
    assert not jobs.folder.exists()
