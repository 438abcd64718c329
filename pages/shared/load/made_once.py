"""What one process of the server makes for all of them, in a folder that they share.

Symptom: behind HAProxy a student got status 504. Cause: each process made the files of a live page for itself, loading
torch for it, and on busy cores that took longer than the proxy waits.
"""

import fcntl
import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

VARIABLE = "GLASSFORMER_MADE_FILES"  # the folder, which nobody else may enter; without it there is one process
T = TypeVar("T")


def made_once(name: str, make: Callable[[], T]) -> T:
    """What `make` gives: made by the first process that wants what has this name, while the others wait and read it.

    A lock of the system goes with the process that holds it: if that is killed, the next one makes it.
    """
    if not (folder := os.environ.get(VARIABLE)):
        return make()
    file = Path(folder) / name
    try:
        lock = Path(f"{file}.lock").open("wb")  # noqa: SIM115  # closed below
    except OSError:  # a full disk: each process makes it
        return make()
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if file.exists():
            made: T = pickle.loads(file.read_bytes())
            return made
        made = make()
        with suppress(OSError):  # as above
            part = Path(f"{file}.part")
            part.write_bytes(pickle.dumps(made))
            part.replace(file)
        return made
