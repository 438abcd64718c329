"""The store of users' own models: copies of checkpoint folders, limited in size, removed after their user has left."""

import atexit
import shutil
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from model.checkpoint import catalogue
from model.checkpoint.catalogue import IMPORTED_TOKENS, NEEDED, Entry
from model.errors import InvalidInput

OWN = "my-"  # prefix of the names of users' own models, so that links to them can be recognised
FILES = (*NEEDED, *IMPORTED_TOKENS, "card.json", "card.md", "example.npz", "history.npz")  # the files that are copied
MOST = 4  # models of a user
BYTES = 80_000_000  # of a user's models together
ALL_BYTES = 600_000_000  # of everybody's
GRACE = 3600.0  # seconds for which models are kept after their user has left, who may only reload the page
_NAME_LENGTH = 40  # characters


@dataclass(frozen=True)
class _Kept:
    entry: Entry
    size: int  # bytes


class UserModels:
    """The own models of all users of this server. Thread-safe. A user is a random name that cannot be guessed."""

    def __init__(self, folder: Path | None = None, clock: Callable[[], float] = time.monotonic, grace: float = GRACE):
        self.clock = clock
        self.grace = grace
        self._root = folder
        self._lock = threading.RLock()
        self._kept: dict[str, list[_Kept]] = {}
        self._present: dict[str, int] = {}  # open sessions of a user
        self._gone: dict[str, float] = {}  # time at which the last session of a user was closed
        self._timer: threading.Timer | None = None

    def add(self, user: str, entry: Entry) -> str:
        """Copy a checkpoint folder and return its new name. Raises `InvalidInput` if the user's limits are reached."""
        paths = [path for file in FILES if (path := entry.folder / file).is_file()]
        size = sum(path.stat().st_size for path in paths)
        with self._lock:
            self._make_room(user, size)
            name = self._free_name(user, entry.name)
            folder = Path(tempfile.mkdtemp(dir=self._folder())) / name
            try:
                folder.mkdir()
                for path in paths:
                    shutil.copyfile(path, folder / path.name)
            except OSError:  # a full disk: half a model takes no space
                shutil.rmtree(folder.parent, ignore_errors=True)
                raise
            self._kept.setdefault(user, []).append(_Kept(replace(entry, folder=folder), size))
            if user not in self._present:
                self._gone.setdefault(user, self.clock())
        return name

    def of(self, user: str) -> dict[str, Entry]:
        """A user's models by name, the oldest first."""
        with self._lock:
            return {model.entry.name: model.entry for model in self._kept.get(user, [])}

    def remove(self, user: str, name: str) -> None:
        """Remove a model of a user, if it exists."""
        with self._lock:
            for model in self._kept.get(user, []):
                if model.entry.name == name:
                    shutil.rmtree(model.entry.folder.parent, ignore_errors=True)
            self._kept[user] = [model for model in self._kept.get(user, []) if model.entry.name != name]
            if not self._kept[user]:
                del self._kept[user]

    def session_opened(self, user: str) -> None:
        """A session of the user has begun."""
        with self._lock:
            self._present[user] = self._present.get(user, 0) + 1
            self._gone.pop(user, None)

    def session_closed(self, user: str) -> None:
        """A session of the user has ended. After the last one, the models are kept for `grace` seconds."""
        with self._lock:
            self._present[user] = self._present.get(user, 1) - 1
            if self._present[user] <= 0:
                del self._present[user]
                self._gone[user] = self.clock()
                self._look_later()

    def sweep(self) -> None:
        """Remove the models of users who left more than `grace` seconds ago."""
        with self._lock:
            now = self.clock()
            for user in [user for user, since in self._gone.items() if now - since >= self.grace]:
                self._clear(user)
            self._timer = None
            if self._gone:
                self._look_later()

    def _clear(self, user: str) -> None:
        for name in self.of(user):
            self.remove(user, name)
        self._gone.pop(user, None)

    def _look_later(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(max(0.1, self.grace), self.sweep)
            self._timer.daemon = True
            self._timer.start()

    def _make_room(self, user: str, size: int) -> None:
        models = self._kept.get(user, [])
        if len(models) >= MOST:
            raise InvalidInput("own_models_many", count=len(models))
        if (total := size + sum(model.size for model in models)) > BYTES:
            raise InvalidInput("own_models_large", count=f"{total / 1e6:.0f}", limit=f"{BYTES / 1e6:.0f}")
        self.sweep()
        for absent in sorted(self._gone, key=self._gone.__getitem__):  # whoever left first loses models first
            if self._total() + size <= ALL_BYTES:
                break
            if absent != user:
                self._clear(absent)
        if self._total() + size > ALL_BYTES:
            raise InvalidInput("own_models_full")

    def _total(self) -> int:
        return sum(model.size for models in self._kept.values() for model in models)

    def _free_name(self, user: str, name: str) -> str:
        names = {*catalogue.entries(), *self.of(user)}
        first = OWN + clean_name(name.removeprefix(OWN))
        return next(name for name in numbered(first) if name not in names)

    def _folder(self) -> Path:
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="glassformer-models-"))
            atexit.register(shutil.rmtree, self._root, ignore_errors=True)
        return self._root


def clean_name(name: str) -> str:
    """`name` changed such that it can be a folder, and part of an address and of a widget key, but not a preset."""
    name = unicodedata.normalize("NFC", name)
    result = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-_.")[:_NAME_LENGTH].strip("-_.")
    while result.startswith(catalogue.UNTRAINED):
        result = result.removeprefix(catalogue.UNTRAINED)
    return result or "model"


def numbered(name: str) -> list[str]:
    """The name itself, then with a number after it."""
    return [name, *(f"{name}-{number}" for number in range(2, 1000))]
