"""Reads for those who cannot wait: a page asks the database for a moment, and nobody asks while it does not answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 1.0  # seconds


class PatientReads:
    """Reads in a thread of their own, one after the other. Threads may share it."""

    def __init__(self, patience: float = PATIENCE):
        self.patience = patience
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="patient-reads")
        self._late: Future[Any] | None = None

    def ask(self, read: Callable[[], T]) -> T:
        """Return what `read` returns; raise TimeoutError if it takes too long, at once while an earlier one does."""
        if self._late is not None and not self._late.done():
            raise TimeoutError("the database has not answered an earlier question")
        future = self._pool.submit(read)
        try:
            return future.result(self.patience)
        except TimeoutError:
            if not future.cancel():
                self._late = future
            raise
