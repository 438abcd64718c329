"""The queue's order and limits, with a clock of its own and workers that never answer."""

import math
import os
from dataclasses import replace

from model.jobs.pool import Jobs
from model.jobs.process import Worker
from model.jobs.queue import RECENT
from model.jobs.types import Outlook
from model.train.job import TrainingTask
from model.train.report import RunReport
from tests.model.jobs.small import TINY, Mute, refusal


def test_nobody_watching_stops_a_run_after_five_minutes(still: Jobs) -> None:
    first, left, queued = (still.submit(TrainingTask(TINY), session) for session in "abc")
    still._assign()
    assert still.queue.jobs[first].state == "running"
    still.queue.clock.now = 299  # type: ignore[attr-defined]
    still._expire()
    still.progress(first)
    assert [still.queue.jobs[id_].state for id_ in (first, left, queued)] == ["running", "queued", "queued"]
    still.queue.clock.now = 301  # type: ignore[attr-defined]
    still._expire()
    # who waits in a long queue may read another page meanwhile
    assert [still.queue.jobs[id_].state for id_ in (first, left, queued)] == ["running", "queued", "queued"]
    still.queue.clock.now = 600  # type: ignore[attr-defined]
    still._expire()
    still._expire()
    assert still._workers[0].connection.sent[1:] == [("stop",)]  # type: ignore[attr-defined]
    reason = still.queue.jobs[first].ended
    assert reason is not None
    assert (reason.code, reason.values["minutes"]) == ("job_unwatched", "5")
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


def test_what_a_new_run_has_to_expect(still: Jobs) -> None:
    assert still.queue.outlook(crowd=1.0) == Outlook(0.0, 1.0, 1.0)
    assert still.queue.outlook(crowd=2.5) == Outlook(0.0, 1.0, 2.5)  # so many processes share a core now
    jobs = [still.queue.jobs[still.submit(TrainingTask(TINY), session)] for session in "ab"]
    still._assign()
    for job, seconds in zip(jobs, (6.0, 40.0), strict=True):  # of 10 that were estimated; the second waits
        job.seconds = 10.0
        still.queue._note_pace(job, seconds / job.seconds)
    assert still.queue.outlook(crowd=1.0) == Outlook(40.0 + 40.0, 0.6, 4.0)  # as slow as the last one, both of them
    for number in range(RECENT):
        still.queue._note_pace(replace(jobs[0], id=str(number)), 1.0)
    assert still.queue.outlook(crowd=1.0).slowest == 1.0  # the old ones are forgotten
    assert still.outlook().slowest >= 1.0  # with the load of this machine


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
    run_ids = [run.id for run in still.list("a")]
    assert run_ids == ids[:-9:-1]
    assert sorted(path.name for path in still.folder.iterdir()) == sorted(run_ids)
    still.queue.clock.now = 7 * 3600  # type: ignore[attr-defined]
    still._expire()
    assert still.list("a") == []
    assert not list(still.folder.iterdir())


def test_runs_keep_their_order(still: Jobs) -> None:
    ids = []
    for _ in range(3):
        ids.append(still.submit(TrainingTask(TINY), "a"))
        still.stop(ids[-1])
    os.utime(still.folder / ids[0])  # a file has come since
    assert [run.id for run in Jobs(TrainingTask, 1, folder=still.folder).list("a")] == ids[::-1]
