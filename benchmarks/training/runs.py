"""Training runs: how long our defaults take, what looking costs, and what a run costs those who do something else."""

import json
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import quantiles

from benchmarks.harness.server import free_port
from benchmarks.harness.timing import Row, seconds
from model.train import check_settings
from model.train.job import TrainingTask
from model.train.report import RunReport
from model.train.run_settings import DEFAULTS, RunSettings, of_preset
from model.train.training_run import run

TIMES = 3  # of the default run; the median counts
PASSES = 400  # forward passes of another page, with a run going and without
WATCHING, SECONDS = 50, 10  # browsers, each asking once a second as live_run.js does
LONG = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=20_000, warmup=5)


def runs() -> list[Row]:
    """Everything on one core."""
    import torch

    torch.set_num_threads(1)
    list(run(DEFAULTS["notebook"]))  # what torch prepares when first used
    dates = _middle([list(run(DEFAULTS["dates"])) for _ in range(TIMES)])
    rows = [_exact(dates), _estimate(dates), _looking("dates", dates)]
    for task in ("copy", "notebook"):  # the shortest
        rows.append(_looking(task, _middle([list(run(DEFAULTS[task])) for _ in range(TIMES)])))
    ours, theirs = _middle([list(run(DEFAULTS["notebook"])) for _ in range(TIMES)]), list(run(of_preset("notebook")))
    name = "notebook to 22 of 22 ÷ notebook C's own settings"
    rows.append(Row(name, _until_known(ours), _until_known(theirs), Fraction(1, 20)))
    return [*rows, watching()]


def _middle(runs: list[list[RunReport]]) -> list[RunReport]:
    """The run that took the median of the times."""
    return sorted(runs, key=lambda reports: reports[-1].seconds)[len(runs) // 2]


def _exact(reports: list[RunReport]) -> Row:
    evaluation = reports[-1].evaluation
    assert evaluation is not None
    name = f"dates: {evaluation.exact_held_out:.1%} of {evaluation.held_out} held out ÷ 20 s"
    return Row(name, reports[-1].seconds, 20.0, Fraction(1))


def _estimate(reports: list[RunReport]) -> Row:
    return Row(
        "dates: time taken ÷ time estimated", reports[-1].seconds, check_settings.check(DEFAULTS["dates"]).seconds, None
    )


def _looking(task: str, reports: list[RunReport]) -> Row:
    """Reports, samples, attention and moments."""
    last = reports[-1]
    seconds = last.seconds * last.evaluation_share
    return Row(f"{task}: looking ÷ learning", seconds, last.seconds - seconds, Fraction(1, 10))


def _until_known(reports: list[RunReport]) -> float:
    """Seconds of learning until all pairs come out right, or of the whole run."""
    complete = (report for report in reports if report.evaluation and report.evaluation.exact_training == 1)
    report = next(complete, reports[-1])
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


def elsewhere() -> list[Row]:
    """A forward pass of the sample model, recorded, as a page makes it: its p95 while a worker trains ÷ idle."""
    import torch

    from model.checkpoint import catalogue, checkpoints
    from model.decode.translate import translate
    from model.jobs.pool import Jobs

    torch.set_num_threads(1)
    entry = catalogue.Entry(catalogue.folder() / "de-en")
    checkpoint, sentence = checkpoints.load(entry), entry.card["examples"][0]

    def passes() -> list[float]:
        return [seconds(lambda: translate(checkpoint, sentence)) for _ in range(PASSES // 4)]

    passes()
    idle: list[float] = []
    busy: list[float] = []
    jobs = Jobs(TrainingTask, 1)
    try:
        id_ = jobs.submit(TrainingTask(LONG), "bench")
        while not jobs.progress(id_).reports:
            time.sleep(0.05)
        for _ in range(4):  # in turn, so that whatever else slows the machine down meets both alike
            busy += passes()
            jobs.pause(id_)
            while jobs.progress(id_).state != "paused":
                time.sleep(0.01)
            idle += passes()
            jobs.resume(id_)
            while jobs.progress(id_).state != "running":
                time.sleep(0.01)
    finally:
        jobs.close()
    return [Row("elsewhere: p95 of a pass beside a run ÷ idle", _p95(busy), _p95(idle), Fraction(2))]


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


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

    from pages.shared.models import warmup
    from pages.shared.models.trainings import run_queue
    from pages.shared.server.routes import run_routes

    warmup.warm_up()
    warmup.wait()
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=run_routes.ROUTES), port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    jobs = run_queue.jobs()
    id_ = jobs.submit(TrainingTask(LONG), "bench")
    while len(jobs.progress(id_).reports) < 2 or not server.started:
        time.sleep(0.05)
    connection.send(id_)
    used = began = 0.0
    while (command := connection.recv()) != "end":
        if command == "start":
            used, began = time.process_time(), time.monotonic()
        else:
            connection.send((time.process_time() - used) / (time.monotonic() - began))
    run_queue.close()
