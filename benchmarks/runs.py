"""Training runs: how long our defaults take, what looking costs, and what fifty watching browsers cost the server."""

import json
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from multiprocessing import get_context
from multiprocessing.connection import Connection

from benchmarks.server import free_port
from benchmarks.timing import Row
from model import run_settings
from model.run_settings import DEFAULTS, RunSettings, of_preset
from model.runs import RunReport, run

WATCHING, SECONDS = 50, 10  # browsers, each asking once a second as live_run.js does
LONG = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=20_000, warmup=5)


def runs() -> list[Row]:
    """Everything on one core."""
    import torch

    torch.set_num_threads(1)
    dates = list(run(DEFAULTS["dates"]))
    rows = [_exact(dates), _estimate(dates), _looking("dates", dates)]
    ours, theirs = list(run(DEFAULTS["notebook"])), list(run(of_preset("notebook")))
    rows.append(_looking("notebook", ours))
    name = "notebook to 22 of 22 ÷ notebook C's own settings"
    rows.append(Row(name, _until_known(ours), _until_known(theirs), Fraction(1, 20)))
    return [*rows, watching()]


def _exact(reports: list[RunReport]) -> Row:
    evaluation = reports[-1].evaluation
    assert evaluation is not None
    name = f"dates: {evaluation.exact_held_out:.1%} of {evaluation.held_out} held out ÷ 20 s"
    return Row(name, reports[-1].seconds, 20.0, Fraction(1))


def _estimate(reports: list[RunReport]) -> Row:
    return Row(
        "dates: time taken ÷ time estimated", reports[-1].seconds, run_settings.check(DEFAULTS["dates"]).seconds, None
    )


def _looking(task: str, reports: list[RunReport]) -> Row:
    """Reports, samples, attention and moments."""
    last = reports[-1]
    looked = last.seconds * last.evaluation_share
    return Row(f"{task}: looking ÷ learning", looked, last.seconds - looked, Fraction(1, 10))


def _until_known(reports: list[RunReport]) -> float:
    """Seconds of learning until all pairs come out right, or of the whole run."""
    known = (report for report in reports if report.evaluation and report.evaluation.exact_training == 1)
    report = next(known, reports[-1])
    return report.seconds * (1 - report.evaluation_share)


def watching() -> Row:
    """Processor time of the server for each second that fifty browsers watch a run."""
    with _server() as (address, connection):
        browsers = [Browser(address) for _ in range(WATCHING)]
        with ThreadPoolExecutor(WATCHING) as pool:
            list(pool.map(Browser.ask, browsers))  # what is new to a browser that has just come
            connection.send("start")
            for _ in range(SECONDS):
                began = time.monotonic()
                list(pool.map(Browser.ask, browsers))
                time.sleep(max(0.0, 1 - (time.monotonic() - began)))
            connection.send("stop")
        return Row(f"{WATCHING} browsers watch a run: server ÷ one core", connection.recv(), 1.0, Fraction(1, 4))


class Browser:
    """Asks for what is new to it."""

    def __init__(self, address: str):
        self.address = address
        self.next = 0

    def ask(self) -> None:
        with urllib.request.urlopen(f"{self.address}?since={self.next}", timeout=30) as answer:
            self.next = json.load(answer)["next"]


@contextmanager
def _server() -> Iterator[tuple[str, Connection]]:
    """The route alone, in a process of its own, with a run that goes on."""
    here, there = get_context("spawn").Pipe()
    port = free_port()
    process = get_context("spawn").Process(target=_serve, args=(there, port), daemon=False)
    process.start()
    try:
        yield f"http://127.0.0.1:{port}/runs/{here.recv()}", here
    finally:
        here.send("end")
        process.join(20)


def _serve(connection: Connection, port: int) -> None:
    import threading

    import uvicorn
    from starlette.applications import Starlette

    from pages.shared import train_jobs, train_route

    server = uvicorn.Server(uvicorn.Config(Starlette(routes=train_route.ROUTES), port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    jobs = train_jobs.jobs()
    id_ = jobs.submit(LONG, "bench")
    while len(jobs.progress(id_).reports) < 2 or not server.started:
        time.sleep(0.05)
    connection.send(id_)
    used = began = 0.0
    while (told := connection.recv()) != "end":
        if told == "start":
            used, began = time.process_time(), time.monotonic()
        else:
            connection.send((time.process_time() - used) / (time.monotonic() - began))
    train_jobs.close()
