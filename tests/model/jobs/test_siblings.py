"""Runs of another process of the server: a user whose process has ended sees them, and stops them."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from model.jobs import siblings
from model.jobs.pool import Jobs
from model.jobs.process import Worker
from model.jobs.types import moment_file
from model.train.job import TrainingTask
from model.train.limits import Limits
from model.train.report import RunReport
from tests.model.jobs.small import TINY, Clock, Mute, refusal


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Jobs, Jobs]:
    """Two pools that start nothing, each with the other's folder."""
    monkeypatch.setattr(Jobs, "warm", lambda self: None)
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir(mode=0o700)
    pools = []
    for folder, other in (folders, folders[::-1]):
        jobs = Jobs(TrainingTask, 1, folder=folder, clock=Clock(), limits=Limits(seconds=1000), beside=[other])
        jobs._workers.append(Worker(None, Mute(), ready=True))  # type: ignore[arg-type]
        pools.append(jobs)
    return pools[0], pools[1]


def test_a_run_is_seen_from_the_other_process_as_it_was_saved(both: tuple[Jobs, Jobs]) -> None:
    one, two = both
    id_ = one.submit(TrainingTask(TINY), "ada")
    other = two.submit(TrainingTask(TINY), "ada")
    assert two.progress(id_).position == 1
    one._assign()
    job = one.queue.find(id_)
    for step in (0, 10):
        one.queue.report(job, RunReport(step, 30, 2.0, 0.1, 1.0, 1.0, 0.1, 1.0, 0.0), None)
    seen = two.progress(id_, 1)
    assert (seen.state, seen.next, [report.step for report in seen.reports]) == ("running", 2, [10])
    assert [run.id for run in two.list("ada")] == [other, id_]
    assert [run.id for run in one.list("ada")] == [other, id_]
    assert two.list("ben") == []
    shutil.rmtree(one.folder)
    assert refusal(lambda: two.progress(id_)) == "job_unknown"


def test_the_snapshots_are_read_there_too(both: tuple[Jobs, Jobs]) -> None:
    one, two = both
    id_ = one.submit(TrainingTask(TINY), "ada")
    moment = next(report.moment for report in TrainingTask(TINY).start(Limits(seconds=1000)).reports())
    assert moment is not None
    moment.save(one.folder / id_ / moment_file(0))
    assert two.result(id_).moment().probe.sentence == moment.probe.sentence


def test_what_is_asked_there_is_done_by_the_process_that_has_the_run(both: tuple[Jobs, Jobs]) -> None:
    one, two = both
    id_ = one.submit(TrainingTask(TINY), "ada")
    for act, state in ((two.pause, "paused"), (two.resume, "queued"), (two.stop, "stopped")):
        act(id_)
        one._heed_siblings()
        assert one.progress(id_).state == two.progress(id_).state == state
    two.resume(id_)  # it is over: nothing happens
    one._heed_siblings()
    assert one.progress(id_).state == "stopped"
    one.queue.clock.now += 7  # type: ignore[attr-defined]
    two.progress(id_)
    one._heed_siblings()
    assert one.queue.find(id_).seen == 7
    assert list(siblings.asked(one.queue.find(id_))) == []


@pytest.mark.parametrize("id_", ["..", "../one", "*", "", "x" * 22, "/etc", "a/../../one/aaaaaaaaaaaaa", "\0" * 22])
def test_no_id_leads_out_of_the_folders(both: tuple[Jobs, Jobs], id_: str) -> None:
    _, two = both
    for act in (two.progress, two.result, two.stop):
        assert refusal(lambda act=act: act(id_)) == "job_unknown"


def test_a_folder_that_others_may_enter_is_not_read(both: tuple[Jobs, Jobs]) -> None:
    one, two = both
    id_ = one.submit(TrainingTask(replace(TINY, seed=3)), "ada")
    one.folder.chmod(0o755)
    assert refusal(lambda: two.progress(id_)) == "job_unknown"
    assert two.list("ada") == []


def test_the_processes_of_a_server_know_of_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(siblings.VARIABLE, "18501 18502 18503")
    assert [folder.name.rpartition("-")[2] for folder in siblings.folders("18502")] == ["18501", "18503"]
    monkeypatch.delenv(siblings.VARIABLE)
    assert siblings.folders("18502") == []
