"""Threads of the server that draw no pages: for one kind of work each, and for work that comes back."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

T = TypeVar("T")


class ThreadPool:
    """At most `threads` pieces of one kind of work at a time; the others wait in line without a thread.

    Work that waits, or which somebody asks for without end, stops no other.
    Symptom: while the database of the classes was locked, no page opened. Cause: requests for it waited in all of the
    threads that the server has for routes and files.
    """

    def __init__(self, name: str, threads: int):
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """The result of `work`, which sees the context variables of whoever asks."""
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(context.run, work, *arguments))


LOOKS = ThreadPool("class-looks", 4)  # at a class
ACTS = ThreadPool("class-acts", 8)  # of teachers and students, which may wait for the database
FILES = ThreadPool("files", 2)  # that are made for a download
ENGINES = ThreadPool("engines", 1)  # that compute for live pages


def regularly(seconds: float, name: str, work: Callable[[], None], end: threading.Event) -> None:
    """Call `work` every so many seconds until `end`, in a thread of its own. An error is logged, and it goes on."""

    def repeat() -> None:
        while not end.wait(seconds):
            try:
                work()
            except Exception:
                logging.getLogger(__name__).exception("%s failed", name)

    threading.Thread(target=repeat, name=name, daemon=True).start()
