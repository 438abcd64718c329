"""Runs of the other processes of a server, for users whose process has ended: they are read from their folders.

Each process trains its own runs. What a user asks of a run elsewhere is left as a file in its folder, where its own
process finds it (`asked`).
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from model.errors import InvalidInput
from model.jobs import store
from model.jobs.types import Job, Kind

VARIABLE = "GLASSFORMER_SIBLINGS"  # names of all processes of the server, with spaces between them
COMMANDS = ("seen", "pause", "resume", "stop")
_ID = re.compile(r"[\w-]{22}")  # as `Queue.add` makes them: no path leads out of a folder


def folders(name: str) -> list[Path]:
    """The folders of the other processes of this server, where it has several."""
    return [store.folder_of(other) for other in os.environ.get(VARIABLE, "").split() if other != name]


class Siblings:
    """Runs that lie in the folders of other processes."""

    def __init__(self, folders: Sequence[Path], kind: Kind):
        self.folders, self.kind = folders, kind

    def find(self, id_: str) -> Job:
        """The run as it was saved; raises `InvalidInput` where there is none."""
        for folder in self._folders() if _ID.fullmatch(id_) else ():
            if (folder / id_).is_dir():
                return store.read(folder / id_, self.kind)
        raise InvalidInput("job_unknown")

    def of(self, session: str) -> list[Job]:
        """The runs of a session."""
        jobs = []
        for folder in self._folders():
            for run in folder.iterdir():
                with contextlib.suppress(InvalidInput):
                    if store.session_of(run) == session:
                        jobs.append(store.read(run, self.kind))
        return jobs

    def ask(self, job: Job, command: str) -> None:
        """Leave one of `COMMANDS` for the process that has the run."""
        with contextlib.suppress(OSError):  # it has just been removed
            (job.folder / f"asked-{command}").touch()

    def _folders(self) -> list[Path]:
        return [folder for folder in self.folders if store.is_ours(folder)]


def asked(job: Job) -> Iterator[str]:
    """The commands that other processes have left for a run; each is given once."""
    for command in COMMANDS:
        with contextlib.suppress(OSError):
            (job.folder / f"asked-{command}").unlink()
            yield command
