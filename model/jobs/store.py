"""What a run says of itself in its folder, so that a server that is started again finds the runs of the one before.

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
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import BadZipFile

from model.errors import InvalidInput
from model.jobs.types import Kind, Task

if TYPE_CHECKING:
    from model.checkpoint.snapshots import Look
    from model.train.run import RunReport

RUN, REPORTS, LOCK = "run.json", "reports.jsonl", "lock"
STATE = "state.pt"  # of a run that was left in the middle
PREFIX = "glassformer-runs"
UNCLAIMED = 24 * 3600.0  # seconds after which the runs of a server that never came back are removed
_locks: list[IO[bytes]] = []  # held as long as the process lives


@dataclass(frozen=True)
class Saved:
    """A run as its folder tells it; `moments` are the steps of its files, `look` is that of the last.

    `left` says whether it can go on from where it was left, `submitted` when it came, in seconds since 1970.
    """

    session: str
    task: Task
    state: str
    ended: InvalidInput | None
    submitted: float
    reports: "list[RunReport]"
    moments: list[int]
    look: "Look | None"
    left: bool


def place(name: str) -> Path | None:
    """The folder of the server of that name, ours alone as long as we live; None where another holds it."""
    base, user = Path(tempfile.gettempdir()), os.getuid()
    folder = base / f"{PREFIX}-{user}-{name}"
    for old in set(base.glob(f"{PREFIX}-{user}-*")) - {folder}:
        with contextlib.suppress(OSError):
            _sweep(old)
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if _private(folder):
            _locks.append(_hold(folder))
            os.utime(folder / LOCK)
            return folder
    return None


def _private(folder: Path) -> bool:
    """Whether it is a folder of ours that nobody else may enter."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _sweep(old: Path) -> None:
    """Remove the folder of a server that never came back; none can take it meanwhile."""
    if not _private(old) or time.time() - max(path.lstat().st_mtime for path in (old, *old.iterdir())) < UNCLAIMED:
        return
    with _hold(old):
        shutil.rmtree(old)


def _hold(folder: Path) -> IO[bytes]:
    """Hold the folder until what is given is closed; an OSError says that another process holds it."""
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


def write(
    folder: Path, session: str, task: dict[str, Any], state: str, ended: InvalidInput | None, submitted: float
) -> None:
    """How the run stands, the whole file or none."""
    said = [ended.code, ended.values] if ended else None
    content = {
        "session": session, "settings": task, "state": state, "ended": said, "submitted": submitted,
    }  # fmt: skip
    partial = folder / f"{RUN}.partial"
    partial.write_text(json.dumps(content, default=str), encoding="utf-8")
    partial.replace(folder / RUN)


def append(folder: Path, report: "RunReport") -> None:
    """One more report."""
    with (folder / REPORTS).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(report), default=str) + "\n")


def read(folder: Path, kind: Kind) -> Saved | None:
    """What was written, up to the line that was cut off with its server; None where it cannot be read."""
    from model.checkpoint import snapshots

    try:
        said = json.loads((folder / RUN).read_text(encoding="utf-8"))
        task = kind.restored(said["settings"])
        ended = InvalidInput(said["ended"][0], **said["ended"][1]) if said["ended"] else None
        submitted = float(said["submitted"])
        reports = _reports(folder / REPORTS, kind)
        files = sorted(folder.glob("moment-*.npz"))  # their steps have leading zeros
        look = snapshots.load(files[-1]).look if files else None
    except (OSError, ValueError, KeyError, TypeError, BadZipFile):  # of an earlier version, say
        return None
    steps = [int(path.stem.partition("-")[2]) for path in files]
    left = (folder / STATE).exists()
    return Saved(said["session"], task, said["state"], ended, submitted, reports, steps, look, left)


def _reports(path: Path, kind: Kind) -> "list[RunReport]":
    found: list[RunReport] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        with contextlib.suppress(json.JSONDecodeError):
            found.append(kind.report(json.loads(line)))
    return found
