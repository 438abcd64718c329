"""The database of classes, for routes that ask it."""

from tests.pages.classroom.conftest import store

__all__ = ["store"]
