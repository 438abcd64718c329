"""A database of its own for each test of a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.shared.teaching import classes
from rooms.database import VARIABLE
from rooms.rooms import Rooms


def forget() -> None:
    for kept in (classes._open, classes.watch):
        kept.cache_clear()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    """The database that pages and routes use, empty."""
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    forget()
    yield classes.rooms()
    forget()
