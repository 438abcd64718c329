"""How many students a core carries on each page and tab, from the processor time of one sentence.

One visitor types sentences that nobody has typed; the time is that of the whole server. A process draws one page at a
time, so a core that is busy for longer than `BUSY` of the time lets its users wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from fractions import Fraction

from benchmarks.class_load import EVERY, PAGES, sentences, settled, views, warm
from benchmarks.harness.server import ROOT, Address, streamlit
from benchmarks.harness.timing import Row
from benchmarks.harness.visitor import Visitor

SENTENCES, BEFORE = 12, 2  # that are measured on each page, and typed before
BUSY = 0.7  # share of a core's time
CLASS = 50  # students whom one process is to carry


def students() -> list[Row]:
    """A row for each page."""
    return _rows(PAGES)


def tabs() -> list[Row]:
    """A row for each tab of a page."""
    return _rows(view for view in views() if view not in PAGES)


def _rows(views: Iterable[str]) -> list[Row]:
    """Processor time of a sentence on each, beside what there is of it for each sentence of a class."""
    texts = sentences()
    with streamlit(ROOT / "app.py") as address:
        warm(address)
        times = {view: asyncio.run(_sentence(address, view, texts)) for view in views}
    available = BUSY * EVERY / CLASS
    return [
        Row(f"students: {int(BUSY * EVERY / seconds)} per core on /{view}", seconds, available, Fraction(1))
        for view, seconds in times.items()
    ]


async def _sentence(address: Address, view: str, texts: Iterator[str]) -> float:
    """Processor seconds of the server for a sentence on that page or tab."""
    visitor = Visitor(address, *view.split("?"))
    await visitor.open()
    for _ in range(BEFORE):
        await visitor.type(next(texts))
    before = await settled(address)
    for _ in range(SENTENCES):
        await visitor.type(next(texts))
    after = await settled(address)
    await visitor.close()
    return (after - before) / SENTENCES
