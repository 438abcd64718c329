"""Fifty users at once, each typing another sentence every ten seconds: how long they wait, page by page.

`python -m benchmarks.class_load [--address URL] [--page NAME …]`: without an address it starts a server of its own,
and tells its memory too. `--page why?show=parts` is a tab of a page, `--tabs` are all pages and tabs, and `--page
intervene?computed=browser` is a page whose view the visitors' browsers compute. Sentences never
repeat, so no answer comes from a cache. The times hold until the run of the page has ended on the server; drawing it is
the browser's part. `--downloads 2` downloads two of the pages' files a second meanwhile. `--minutes 60` goes round the
pages for an hour: memory that still grows at its end is a leak.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median, quantiles
from urllib.request import Request, urlopen

from benchmarks.harness.server import ROOT, Address, streamlit
from benchmarks.harness.visitor import Visitor
from corpora.translation import Translation
from pages.shared.session import page_list
from scripts.compare_views import SHOWS, each

PAGES = (
    "", "course", "sheet", "embedding", "position", "energy", "masks", "attention", "layers", "decoding", "intervene",
    "why", "circuits", "features", "break", "compare",
)  # fmt: skip
VISITORS, EVERY, ROUNDS = 50, 10.0, 4
IDLE = 100  # sessions
QUIET = 0.05  # seconds of processor time in a second, of a server at rest


@dataclass(frozen=True)
class Load:
    """All answers on one page: seconds, errors, files downloaded, the server's processor seconds for each, its MB."""

    page: str
    seconds: list[float]
    errors: list[str]
    files: int
    processor: float | None
    memory: float | None

    @property
    def p95(self) -> float:
        return quantiles(self.seconds, n=20)[-1] if len(self.seconds) > 1 else float("nan")

    def __str__(self) -> str:
        work = "" if self.processor is None else f"{1000 * self.processor:>8.0f} ms CPU{self.memory:>8.0f} MB"
        name, wrong = f"/{self.page}", f"  {len(self.errors)} failed: {self.errors[0][:80]}" if self.errors else ""
        waits = f"{median(self.seconds):>8.2f}{self.p95:>8.2f}{max(self.seconds):>8.2f} s"
        return f"{name:<12}{waits}{self.files:>6} files{work}{wrong}"


def views() -> list[str]:
    """Each page, and after it each of its tabs, as `page?settings`."""
    result = []
    for page in PAGES:
        starts = [start for start in SHOWS if start.split("&")[0] == (page or "start")]
        queries = ["&".join([*start.split("&")[1:], tab]) for start in starts for tab in each(SHOWS[start])]
        result += [page, *(f"{page}?{query}" for query in queries)]
    return result


def in_browsers() -> list[str]:
    """Pages whose view a browser can compute: the server draws what stands around it."""
    return [f"{name}?computed=browser" for name, page in page_list.pages().items() if page.in_browser]


def sentences() -> Iterator[str]:
    """Sentences that nobody has typed yet, short ones that a class could type: held-out ones first."""
    corpus = Translation("de")
    held_out = (pair for pairs in corpus.tests().values() for pair in pairs)
    texts = (pair.source for pair in chain(held_out, corpus.train(0)))
    return iter(dict.fromkeys(text for text in texts if 15 < len(text) < 60))


async def load(
    address: str,
    view: str,
    sentences: Iterator[str],
    *,
    visitors: int = VISITORS,
    every: float = EVERY,
    rounds: int = ROUNDS,
    downloads: float = 0,
) -> Load:
    """The visitors open the page or tab, then each type, at a moment of chance within each `every` seconds.

    `downloads` files a second that their pages offer are fetched meanwhile.
    """
    errors: list[str] = []
    seconds: list[float] = []
    here = [Visitor(address, *view.split("?")) for _ in range(visitors)]
    for some in _batches(here, 5):
        await asyncio.gather(*(visitor.open() for visitor in some))
    before = processor(address)
    start = time.monotonic() + 0.5
    chance = Random(0)

    async def visit(visitor: Visitor) -> None:
        for moment in [(turn + chance.random()) * every for turn in range(rounds)]:
            await asyncio.sleep(start + moment - time.monotonic())
            try:
                seconds.append(await visitor.type(next(sentences)))
            except Exception as error:
                errors.append(f"{type(error).__name__} {error}")
        errors.extend(visitor.errors)

    async def download() -> int:
        """Return how many files came."""
        count = 0
        while downloads and time.monotonic() < start + rounds * every:
            await asyncio.sleep(1 / downloads)
            visitor = chance.choice(here)
            if not visitor.files:
                continue
            try:
                count += await asyncio.to_thread(_fetch, address + chance.choice(visitor.files), visitor.cookies) > 0
            except OSError as error:
                errors.append(f"{type(error).__name__} {error}")
        return count

    files, *_ = await asyncio.gather(download(), *(visit(visitor) for visitor in here))
    after, memory = processor(address), memory_of(address)
    await asyncio.gather(*(visitor.close() for visitor in here))
    work = None if before is None or after is None else (after - before) / max(1, len(seconds))
    return Load(view, seconds, errors, files, work, memory)


async def idle(address: str, visitors: int = IDLE) -> float | None:
    """The bytes that a session takes which only reads: many open the page, and nobody types."""
    first = Visitor(address, "")
    await first.open()
    before = memory_of(address)
    here = [Visitor(address, "") for _ in range(visitors)]
    for some in _batches(here, 5):
        await asyncio.gather(*(visitor.open() for visitor in some))
    after = memory_of(address)
    await asyncio.gather(*(visitor.close() for visitor in [first, *here]))
    return None if before is None or after is None else 1e6 * (after - before) / visitors


def _fetch(address: str, cookies: str) -> int:
    with urlopen(Request(address, headers={"Cookie": cookies} if cookies else {}), timeout=60) as answer:
        return len(answer.read())


def _batches(visitors: list[Visitor], size: int) -> Iterator[list[Visitor]]:
    return (visitors[start : start + size] for start in range(0, len(visitors), size))


def processor(address: str) -> float | None:
    """Processor seconds that the server and its processes have used, where it is ours and Linux tells."""
    if not (stats := _told(address, "stat")):
        return None
    times = [each.rsplit(")", 1)[1].split()[11:13] for each in stats]
    return sum(int(user) + int(system) for user, system in times) / 100  # in ticks, a hundred to the second on Linux


async def settled(address: str) -> float:
    """Processor seconds of the server when it has ended what it goes on with after a page is drawn."""
    seconds, before = processor(address), None
    while seconds is not None and (before is None or seconds - before > QUIET):
        await asyncio.sleep(1)
        seconds, before = processor(address), seconds
    if seconds is None:
        raise OSError("the processor time of a server is known on Linux only")
    return seconds


def memory_of(address: str) -> float | None:
    """Memory of the server and its processes in MB, likewise; what they share is counted for each."""
    sizes = [int(each.split()[1]) for each in _told(address, "statm")]
    return sum(sizes) * 4096 / 1e6 if sizes else None


def physical_memory_of(address: str) -> float | None:
    """The same, but what several processes share is counted once."""
    shares = [line for each in _told(address, "smaps_rollup") for line in each.splitlines() if line.startswith("Pss:")]
    return sum(int(line.split()[1]) for line in shares) * 1024 / 1e6 if shares else None


def _told(address: str, file: str) -> list[str]:
    """A file of Linux about the server's process and about each that it started."""
    process = getattr(address, "process", None)
    folders = [Path("/proc", str(process.pid))] if process else []
    for folder in folders:
        for children in folder.glob("task/*/children"):  # a child belongs to the thread that started it
            folders += [Path("/proc", each) for each in children.read_text().split()]
    return [(folder / file).read_text() for folder in folders if (folder / file).is_file()]


def warm(address: str) -> None:
    """Wait until the model is loaded."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with urlopen(f"{address}/warm", timeout=60) as answer:
            if answer.status == 204:
                return
        time.sleep(0.2)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.class_load", description=__doc__)
    parser.add_argument("--address", help="a server that is running, e.g. http://localhost:8501")
    pages = parser.add_mutually_exclusive_group()
    pages.add_argument(
        "--page", action="append", choices=[*views(), *in_browsers()], metavar="PAGE", help="default: all"
    )
    pages.add_argument("--tabs", action="store_true", help="each page, and each of its tabs")
    parser.add_argument("--visitors", type=int, default=VISITORS)
    parser.add_argument("--every", type=float, default=EVERY, help="seconds between two sentences of one visitor")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="sentences of each visitor")
    parser.add_argument("--downloads", type=float, default=0.0, help="files a second that are downloaded meanwhile")
    parser.add_argument("--minutes", type=float, default=0.0, help="go round the pages until then")
    options = parser.parse_args()
    texts = sentences()
    print(
        f"{options.visitors} visitors, another sentence every {options.every:g} s each; seconds until the page is drawn"
    )
    server = nullcontext(Address(options.address)) if options.address else streamlit(ROOT / "app.py")
    with server as address:
        warm(address)
        if processor(address) is not None:  # before the load: after it memory shrinks
            asyncio.run(settled(address))
        if (bytes_ := asyncio.run(idle(address))) is not None:
            print(f"a session that only reads takes {bytes_ / 1000:.0f} kB, measured over {IDLE}", flush=True)
        print(f"{'page':<12}{'median':>8}{'p95':>8}{'longest':>8}", flush=True)
        end = time.monotonic() + 60 * options.minutes
        while True:
            for page in options.page or (views() if options.tabs else PAGES):
                results = load(
                    address,
                    page,
                    texts,
                    visitors=options.visitors,
                    every=options.every,
                    rounds=options.rounds,
                    downloads=options.downloads,
                )
                print(asyncio.run(results), flush=True)
            if time.monotonic() >= end:
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
