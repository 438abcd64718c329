"""A disk without space: runs go on, are saved as soon as there is some, and nobody meets a traceback."""

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.checkpoint.snapshots import Snapshot
from model.jobs import store, worker
from model.jobs.pool import Jobs
from model.train.job import TrainingTask
from model.train.limits import Limits
from model.train.report import RunReport
from tests.model.jobs.small import TINY, refusal

FULL = OSError(errno.ENOSPC, "No space left on device")
LONG = 60.0  # seconds, after which a test has failed


class Disk:
    """A disk that is full while `full`: every file that is opened for writing, and every new folder, fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.full = False
        for name in ("open", "mkdir", "write_text"):
            monkeypatch.setattr(Path, name, self._failing(getattr(Path, name)))

    def _failing(self, act: Any) -> Any:
        def acted(path: Path, *arguments: Any, **named: Any) -> Any:
            writes = act.__name__ != "open" or set("wa+") & set(arguments[0] if arguments else named.get("mode", "r"))
            if self.full and writes:
                raise FULL
            return act(path, *arguments, **named)

        return acted


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


class Line:
    """The connection of a worker: what it is told, and what it says."""

    def __init__(self, disk: Disk, *, full_at: int, free_at: int | None, pause_at: int | None = None):
        self.disk, self.full_at, self.free_at, self.pause_at = disk, full_at, free_at, pause_at
        self.said: list[tuple] = []

    def send(self, message: tuple) -> None:
        self.said.append(message)
        count = sum(kind == "report" for kind, *_ in self.said)
        self.disk.full = self.full_at <= count and (self.free_at is None or count < self.free_at)

    def poll(self) -> bool:
        return sum(kind == "report" for kind, *_ in self.said) == self.pause_at

    def recv(self) -> tuple:
        return ("pause",)

    def saved(self) -> list[int]:
        return [message[2] for message in self.said if message[0] == "report" and message[2] is not None]


def trained(line: Line, folder: Path) -> None:
    worker._serve(line, TrainingTask(TINY), folder, Limits(seconds=1000))  # type: ignore[arg-type]


def test_a_run_goes_on_and_saves_its_last_snapshot_as_soon_as_there_is_space(tmp_path: Path, disk: Disk) -> None:
    line = Line(disk, full_at=1, free_at=10_000)
    line.free_at = 4
    trained(line, tmp_path)
    assert line.said[-1] == ("ended", None, {})
    assert line.saved()[0] == 0
    assert line.saved()[-1] == TINY.steps
    assert sorted(tmp_path.glob("moment-*.npz"))[-1].name == f"moment-{TINY.steps:06d}.npz"
    assert not list(tmp_path.glob("*.partial"))


def test_the_end_of_a_run_waits_for_space(tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(_: float) -> None:
        disk.full = False

    monkeypatch.setattr(worker.time, "sleep", sleep)
    line = Line(disk, full_at=1, free_at=None)
    trained(line, tmp_path)
    assert line.said[-1] == ("ended", None, {})
    assert line.saved()[-1] == TINY.steps


def test_a_run_that_cannot_be_saved_says_so_and_the_worker_goes_on(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LAST_SAVE", 0.0)
    line = Line(disk, full_at=1, free_at=None)
    trained(line, tmp_path)
    assert line.said[-1] == ("ended", "job_disk", {"step": 0})
    assert line.saved() == [0]


def test_a_pause_waits_for_space_and_loses_no_step(tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(state: object, path: Path) -> None:
        if disk.full:
            path.write_bytes(b"half")
            raise RuntimeError("PytorchStreamWriter failed writing file")
        path.write_bytes(b"whole")

    monkeypatch.setattr(worker.torch, "save", save)
    line = Line(disk, full_at=2, free_at=4, pause_at=3)
    trained(line, tmp_path)
    assert line.said[-1] == ("paused",)
    assert sum(kind == "report" for kind, *_ in line.said) == 4
    assert (tmp_path / store.STATE).read_bytes() == b"whole"


def test_a_queue_saves_later_what_the_disk_could_not_take(still: Jobs, tmp_path: Path, disk: Disk) -> None:
    ids = [still.submit(TrainingTask(replace(TINY, seed=seed)), f"{seed}") for seed in range(2)]
    still._assign()
    job = still.queue.find(ids[0])
    reports = [RunReport(step, 30, 2.0, 0.1, 1.0, 1.0, 0.1, 1.0, 0.0) for step in range(3)]
    for number, report in enumerate(reports):
        disk.full = number == 1
        still.queue.report(job, report, None)
    disk.full = True
    still.queue.end(job, None, {})
    still.queue.stop(still.queue.find(ids[1]))
    assert refusal(lambda: still.submit(TrainingTask(TINY), "c")) == "job_full_disk"
    assert not list(tmp_path.rglob("*.partial"))
    disk.full = False
    still.queue.expire()
    again = store.restore(tmp_path, still.queue.kind, still.queue.limits)
    assert [(each.id, each.state) for each in again] == [(ids[0], "stopped"), (ids[1], "stopped")]
    assert [report.step for report in again[0].reports] == [0, 1, 2]


def test_the_sentence_names_the_step_that_is_kept(still: Jobs) -> None:
    still.submit(TrainingTask(TINY), "a")
    still._assign()
    [job] = still.queue.jobs.values()
    still.queue.report(job, RunReport(20, 30, 2.0, 0.1, 1.0, 1.0, 0.1, 1.0, 0.0), 20)
    still.queue.end(job, "job_disk", {"step": 0})
    assert job.state == "failed"
    assert "up to step 20 is kept" in str(job.ended)


def test_a_snapshot_that_does_not_fit_takes_no_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = next(report.moment for report in TrainingTask(TINY).start(Limits(seconds=1000)).reports())
    assert isinstance(moment, Snapshot)

    def savez(file: Any, **_: object) -> None:
        file.write(b"half")
        raise FULL

    monkeypatch.setattr("numpy.savez", savez)
    with pytest.raises(OSError, match="No space"):
        moment.save(tmp_path / "moment.npz")
    assert list(tmp_path.iterdir()) == []
