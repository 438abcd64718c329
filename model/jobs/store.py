"""The files of a run in its folder, so that a restarted server finds the runs of the one before.

Only JSON is written and read here, in a folder of the system's temporary files that nobody else may enter.
"""

import contextlib
import fcntl
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING
from zipfile import BadZipFile

from model.errors import InvalidInput
from model.jobs.types import OVER, Job, Kind, Limits

if TYPE_CHECKING:
    from model.train.report import RunReport

RUN, REPORTS, LOCK = "run.json", "reports.jsonl", "lock"
STATE = "state.pt"  # of a run that was left in the middle
PREFIX = "glassformer-runs"
UNCLAIMED = 24 * 3600.0  # seconds after which the runs of a server that was not restarted are removed
_locks: list[IO[bytes]] = []  # file locks that are held until the process ends


def place(name: str) -> Path | None:
    """The folder of the server of that name, locked until this process ends. None if another process has locked it."""
    folder = folder_of(name)
    for old in set(folder.parent.glob(f"{PREFIX}-{os.getuid()}-*")) - {folder}:
        with contextlib.suppress(OSError):
            _sweep(old)
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if _private(folder):
            _locks.append(_hold(folder))
            os.utime(folder / LOCK)
            return folder
    return None


def folder_of(name: str) -> Path:
    """The folder of the server of that name, whether it is there or not."""
    return Path(tempfile.gettempdir()) / f"{PREFIX}-{os.getuid()}-{name}"


def is_ours(folder: Path) -> bool:
    """Whether it is there, and nobody else may enter it."""
    try:
        return _private(folder)
    except OSError:
        return False


def _private(folder: Path) -> bool:
    """Whether it is a folder of this system user that nobody else may enter."""
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def _sweep(old: Path) -> None:
    """Remove the folder of a server that was not restarted. It is locked meanwhile."""
    if not _private(old) or time.time() - max(path.lstat().st_mtime for path in (old, *old.iterdir())) < UNCLAIMED:
        return
    with _hold(old):
        shutil.rmtree(old)


def _hold(folder: Path) -> IO[bytes]:
    """Lock the folder until the returned file is closed. Raises OSError if another process has locked it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    lock = os.fdopen(os.open(folder / LOCK, flags, 0o600), "wb", buffering=0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(lock.fileno()), (folder / LOCK).lstat()):
            raise FileNotFoundError(folder)  # another server has just swept it away
    except OSError:
        lock.close()
        raise
    return lock


def write(job: Job) -> None:
    """Save the state of a run, if its task can be stored. An interrupted call leaves no partial file."""
    settings = job.task.stored()
    if settings is None:
        return
    reason = [job.ended.code, job.ended.values] if job.ended else None
    content = {
        "session": job.session, "settings": settings, "state": job.state, "ended": reason, "submitted": job.submitted,
    }  # fmt: skip
    _replace(job.folder / RUN, json.dumps(content, default=str))


def write_reports(job: Job) -> None:
    """Save all reports of a run, in place of a file to which some could not be appended."""
    _replace(job.folder / REPORTS, "".join(map(_line, job.reports)))


def append(folder: Path, report: "RunReport") -> None:
    """Append a report to the file of reports."""
    with (folder / REPORTS).open("a", encoding="utf-8") as file:
        file.write(_line(report))


def _line(report: "RunReport") -> str:
    return json.dumps(asdict(report), default=str) + "\n"


def _replace(path: Path, text: str) -> None:
    """Write a file; one that could not be written is as before, and takes no space."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def restore(folder: Path, kind: Kind, limits: Callable[[], Limits]) -> list[Job]:
    """The runs of an ended server, the oldest first. Those that can be resumed are queued again.

    A run that cannot be read, or not be resumed in this version, is removed.
    """
    jobs = []
    for run in [path for path in folder.iterdir() if path.is_dir()] if folder.exists() else ():
        try:
            jobs.append(_restored(run, kind, limits))
        except InvalidInput:
            shutil.rmtree(run, ignore_errors=True)
    return sorted(jobs, key=lambda job: job.submitted)


def _restored(folder: Path, kind: Kind, limits: Callable[[], Limits]) -> Job:
    job = read(folder, kind)
    if job.state == "running":
        job.state = "queued" if (folder / STATE).exists() or not job.reports else "stopped"
        job.ended = InvalidInput("job_restarted", step=job.step) if job.state == "stopped" else None
    if job.state not in OVER:
        job.seconds = job.task.check(limits())
    return job


def session_of(folder: Path) -> str | None:
    """The session whose run lies in the folder; None where no run does."""
    try:
        return str(json.loads((folder / RUN).read_text(encoding="utf-8"))["session"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read(folder: Path, kind: Kind) -> Job:
    """The run as it was saved; an incomplete last report is left out. Raises `InvalidInput` if it cannot be read.

    `moments` are the steps of its snapshot files.
    """
    try:
        content = json.loads((folder / RUN).read_text(encoding="utf-8"))
        job = Job(
            folder.name, content["session"], kind.restored(content["settings"]), folder, float(content["submitted"])
        )
        job.state = content["state"]
        job.ended = InvalidInput(content["ended"][0], **content["ended"][1]) if content["ended"] else None
        job.reports = _reports(folder / REPORTS, kind)
        files = sorted(folder.glob("moment-*.npz"))  # their steps have leading zeros
        job.latest = kind.latest(files[-1]) if files else None
    except (OSError, ValueError, KeyError, TypeError, BadZipFile):  # of an earlier version, say
        raise InvalidInput("job_unknown") from None
    job.moments = [int(path.stem.partition("-")[2]) for path in files]
    return job


def _reports(path: Path, kind: Kind) -> "list[RunReport]":
    reports: list[RunReport] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        with contextlib.suppress(json.JSONDecodeError):
            reports.append(kind.report(json.loads(line)))
    return reports
