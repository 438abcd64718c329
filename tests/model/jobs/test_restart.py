"""Runs and files that outlive a server."""

import itertools
import json
import os
import shutil
import signal
import stat
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model.jobs import store
from model.jobs.pool import Jobs
from model.jobs.process import Worker
from model.train.job import TrainingTask
from model.train.report import RunReport
from model.train.run_settings import RunSettings
from model.train.training_run import Run
from tests.model.jobs.small import PATIENCE, TINY, Mute, curve, over, until


def test_a_server_that_is_started_again_goes_on_with_its_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose server is gone ends by itself and leaves what the next one goes on from."""
    settings = replace(TINY, steps=2000)
    jobs = Jobs(TrainingTask, 1, nice=0, folder=tmp_path)
    last = over(jobs, jobs.submit(TrainingTask(TINY), "a"))
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
    assert {run.id for run in again.list("a")} == {last.id, left, waiting}
    assert repr(replace(again.progress(last.id), latest=None)) == repr(replace(last, latest=None))  # where NaN is NaN
    assert np.array_equal(again.progress(last.id).latest.weights["cross"], last.latest.weights["cross"])  # type: ignore[union-attr]
    assert again.result(last.id).moment().weights
    assert [again.progress(id_).position for id_ in (left, waiting)] == [1, 2]
    progress = again.progress(left)
    assert curve(progress)[: len(before.reports)] == curve(before)
    # goes on as if nothing had been: the same as a run that was never left
    state = torch.load(tmp_path / left / "state.pt", weights_only=True)
    rest = list(itertools.islice(Run(settings, state).reports(), 5))
    whole = list(itertools.islice(Run(settings).reports(), len(progress.reports) + 6))
    loss_of = {report.step: report.loss for report in whole}
    assert [(r.step, r.loss) for r in rest] == [(r.step, loss_of[r.step]) for r in rest]
    assert not (tmp_path / "damaged").exists()


def test_a_run_whose_worker_went_with_the_server_says_so(still: Jobs) -> None:
    id_ = still.submit(TrainingTask(TINY), "a")
    still._assign()
    again = Jobs(TrainingTask, 1, folder=still.folder)
    assert again.progress(id_).state == "queued"  # it had not begun
    report = RunReport(4, 30, 1.0, 0.1, 1.0, 1.0, 2.0, 3.0, 0.0)
    still._note(still._workers[0], still.queue.jobs[id_], ("report", report, None))
    result = Jobs(TrainingTask, 1, folder=still.folder).progress(id_)
    assert (result.state, result.reports) == ("stopped", (report,))
    assert result.ended is not None
    assert (result.ended.code, result.ended.values) == ("job_restarted", {"step": 0})


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
    finished_id, stale, waiting = (still.submit(TrainingTask(TINY), session) for session in "aab")
    still.stop(finished_id)
    for id_ in (finished_id, stale):
        job = still.queue.jobs[id_]
        job.task = TrainingTask(replace(TINY, **other))
        still.queue.save(job)
    again = Jobs(TrainingTask, 1, folder=still.folder)
    assert [run.id for run in again.list("a")] == [finished_id]  # what is over asks for nothing
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
    result = Jobs(TrainingTask, 1, folder=still.folder).progress("earlier")
    assert result.settings == RunSettings(**settings)
    assert (result.state, result.ended.code) == ("stopped", "run_time")  # type: ignore[union-attr]
    [report] = result.reports
    assert (report.step, report.loss) == (4, 2.5)
    assert report.evaluation is not None
    assert [sample.output for sample in report.evaluation.samples] == ["c"]


def test_a_place_is_one_servers_and_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = store.place("8501")
    assert folder is not None
    assert folder.parent == tmp_path
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert store.place("8501") is None  # held
    open_to_all = folder.with_name(folder.name.replace("8501", "8502"))
    open_to_all.mkdir()
    assert store.place("8502") is None
    elsewhere = folder.with_name(folder.name.replace("8501", "8503"))
    elsewhere.symlink_to(folder)
    assert store.place("8503") is None
    aged(folder)
    open_to_all.chmod(0o700)
    assert store.place("8502") == open_to_all
    assert folder.exists()  # old, but held
    store._locks.pop(0).close()
    assert store.place("8504")
    assert not folder.exists()
    for lock in store._locks:
        lock.close()
    store._locks.clear()


def aged(folder: Path) -> None:
    for path in (*folder.iterdir(), folder):
        os.utime(path, (0, 0))


def released() -> None:
    """The server of the last place ends."""
    store._locks.pop().close()


def test_a_place_is_kept_as_long_as_its_server_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(store, "_locks", [])
    folder = store.place("8501")
    assert folder is not None
    (folder / "a run").mkdir()
    aged(folder)
    released()
    assert store.place("8501") == folder
    assert (folder / "a run").exists()  # after more than a day under the same name
    aged(folder)
    os.utime(folder / "a run")
    released()
    assert store.place("8502")
    assert folder.exists()  # something has happened there since its lock was taken
    released()
    aged(folder)
    rmtree = shutil.rmtree

    def held(path: Path) -> None:
        assert store.place("8501") is None
        rmtree(path)

    monkeypatch.setattr(store.shutil, "rmtree", held)
    assert store.place("8502")
    assert not folder.exists()


def test_a_place_that_others_made_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(store, "_locks", [])
    strange = tmp_path / f"glassformer-runs-{os.getuid()}-x"
    strange.mkdir(mode=0o755)
    os.mkfifo(strange / "lock")  # opening it to write would wait for somebody who reads
    aged(strange)
    opening = threading.Thread(target=store.place, args=("8501",), daemon=True)
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


def test_a_worker_gives_way_to_pages_while_it_starts_and_so_does_the_one_that_follows_it(tmp_path: Path) -> None:
    jobs = Jobs(TrainingTask, 1, nice=3, folder=tmp_path)
    jobs.warm()
    try:
        victim = wait_for_another(jobs, None)
        assert os.getpriority(os.PRIO_PROCESS, victim) == os.getpriority(os.PRIO_PROCESS, 0) + 3
        os.kill(victim, signal.SIGKILL)
        other = wait_for_another(jobs, victim)
        assert os.getpriority(os.PRIO_PROCESS, other) == os.getpriority(os.PRIO_PROCESS, 0) + 3
    finally:
        jobs.close()


def wait_for_another(jobs: Jobs, victim: int | None) -> int:
    end = time.monotonic() + PATIENCE
    while not (numbers := [worker.process.pid for worker in jobs._workers if worker.process.pid != victim]):  # type: ignore[union-attr]
        assert time.monotonic() < end
        time.sleep(0.01)
    return numbers[0]
