"""A database of its own for each test of a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from classroom.classrooms import Classrooms
from classroom.database import VARIABLE
from pages.shared.classroom import my_class
from tests.samples import empty_database


def forget() -> None:
    for cache in (my_class._open, my_class.watch):
        cache.cache_clear()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Classrooms]:
    """The database that pages and routes use, empty."""
    monkeypatch.setenv(VARIABLE, f"sqlite:///{empty_database(tmp_path / 'rooms.sqlite')}")
    forget()
    monkeypatch.setattr(my_class._reads(), "patience", 30.0)  # seconds: a busy machine is no fault of the database
    yield my_class.classrooms()
    forget()
