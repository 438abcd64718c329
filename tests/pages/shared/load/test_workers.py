"""The compute worker gives the values and the errors of this one, and its end stops nobody."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from tokenizers import normalizers

from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.jobs import process
from pages.decoding import beam
from pages.intervene import effects, outcomes
from pages.shared.load import fair_lock, workers
from pages.shared.load.workers import ComputeWorker
from pages.shared.models import models, warmup
from pages.why import cached_answers
from pages.why.paths import cached_paths
from pages.why.question_asked import Key
from viz import converter

LONG = 60.0  # seconds, after which a test has failed
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#c03"/></svg>'


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(scope="module")
def second() -> Iterator[ComputeWorker]:
    worker = ComputeWorker()
    worker.start(warmup.load_first)
    wait_for(worker.is_ready)
    yield worker
    worker.end()


@pytest.fixture
def beside(second: ComputeWorker, monkeypatch: pytest.MonkeyPatch) -> ComputeWorker:
    """The process as that of this server, and empty caches."""
    monkeypatch.setattr(workers, "COMPUTE", second)
    models.KEPT.clear()
    return second


def process_of() -> int:
    return os.getpid()


def too_long() -> None:
    raise InvalidInput("sentence_tokens", count=99, limit=60)


class Local(Exception):
    """One that cannot be pickled."""

    def __init__(self, first: str, second: str):
        super().__init__(first + second)


def strange() -> None:
    raise Local("not", " here")


def panics() -> None:
    """The library of tokenizers fails in Rust, which is no `Exception`."""
    normalizers.Sequence([normalizers.Prepend(""), normalizers.NFD()]).normalize_str("a")


def question(sentence: str) -> Key:
    return Key(catalogue.sentence_models()["de-en"], sentence, 2, 10, None, False)


def test_what_takes_long_is_computed_there_with_the_same_numbers(
    beside: ComputeWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, entry = question("Wir gehen heute ins Kino."), catalogue.sentence_models()["de-en"]
    answers: list[Callable[[], np.ndarray]] = [
        lambda: cached_answers.values(key, "value_zeroing"),
        lambda: cached_answers.times_input(key, (1.0, 0.5))[1],
        lambda: effects.head_effects(entry, key.sentence, (("cross", 1), ("encoder", 0))),
        lambda: models.run(entry, key.sentence).trace.values["logits"],
        lambda: cached_paths.contributions(key).inputs["encoder"],
        lambda: outcomes.outcome(entry, key.sentence, "off:cross.1.2", 0).output,
        lambda: np.array([each.score for each in beam._search(entry, key.sentence, 2, 0.6).hypotheses]),
    ]
    there = [answer() for answer in answers]
    with pytest.raises(InvalidInput):
        outcomes.outcome(entry, key.sentence, "off:cross.9.9", 0)
    models.KEPT.clear()
    monkeypatch.setattr(beside, "is_ready", lambda: False)
    for before, answer in zip(there, answers, strict=True):
        np.testing.assert_allclose(before, answer(), rtol=0, atol=1e-12)


def test_it_is_another_process_and_its_errors_are_ours(second: ComputeWorker) -> None:
    assert second.call(process_of) not in (os.getpid(), 0)
    with pytest.raises(InvalidInput) as error:
        second.call(too_long)
    assert (error.value.code, error.value.values) == ("sentence_tokens", {"count": 99, "limit": 60})
    with pytest.raises(RuntimeError, match="Local: not here"):
        second.call(strange)
    with pytest.raises(RuntimeError, match="PanicException"):
        second.call(panics)
    assert second.is_ready()


def note(who: str, file: str) -> None:
    with Path(file).open("a") as notes:
        notes.write(f"{who} ")
    if who == "first":
        wait_for(Path(f"{file}.go").exists)


def test_users_are_served_in_turn(second: ComputeWorker, tmp_path: Path) -> None:
    file, threads = tmp_path / "order", list[threading.Thread]()

    def ask(who: str) -> None:
        with fair_lock.hold(who=who), fair_lock.released():
            second.call(note, who, str(file))

    for count, who in enumerate(["first", "flood", "flood", "flood", "ada"]):
        threads.append(threading.Thread(target=ask, args=(who,), daemon=True))
        threads[-1].start()
        wait_for(lambda count=count: len(second._line._line) == count if count else file.exists())
    Path(f"{file}.go").touch()
    for thread in threads:
        thread.join(LONG)
    assert file.read_text().split() == ["first", "flood", "ada", "flood", "flood"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_page_gets_its_answer_when_it_is_killed_or_hangs_and_then_there_is_another(
    beside: ComputeWorker, fault: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = beside.call(process_of)
    os.kill(killed, fault)
    monkeypatch.setattr(beside, "patience", 0.2)
    values = cached_answers.values(question("Wir gehen morgen ins Kino."), "value_zeroing")
    monkeypatch.undo()
    assert np.isfinite(values).any()
    wait_for(beside.is_ready)
    assert beside.call(process_of) not in (killed, os.getpid())


def slow(file: str) -> None:
    Path(f"{file}.began").touch()
    wait_for(Path(f"{file}.go").exists)


def test_short_work_is_done_here_while_another_call_takes_long(
    beside: ComputeWorker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call, asked = beside.call, list[str]()
    monkeypatch.setattr(beside, "call", lambda function, *_: asked.append(function.__name__))
    entry, file = catalogue.sentence_models()["de-en"], tmp_path / "slow"
    assert beside.is_free()
    models.run(entry, "Wir lesen heute ein Buch.")
    assert asked == ["run"]
    models.KEPT.clear()
    thread = threading.Thread(target=call, args=(slow, str(file)), daemon=True)
    thread.start()
    wait_for(Path(f"{file}.began").exists)
    wait_for(lambda: not beside.is_free())
    assert models.run(entry, "Wir lesen heute ein Buch.").text.endswith(".")
    assert asked == ["run"]
    Path(f"{file}.go").touch()
    thread.join(LONG)
    assert beside.is_free()


def test_files_are_made_in_a_third_process_of_a_server_and_else_here(monkeypatch: pytest.MonkeyPatch) -> None:
    files = ComputeWorker()
    monkeypatch.setattr(workers, "FILES", files)
    assert workers.call_for_file(process_of) == os.getpid()
    monkeypatch.setattr(process, "cores", lambda: 2)
    monkeypatch.setenv(workers.VARIABLE, "0")  # which is about computing
    workers.start(warmup.load_first, warmup.wait)
    try:
        third = workers.call_for_file(process_of)
        assert third != os.getpid()
        assert workers.call_for_file(converter.svg_to_png, SVG, 2.0) == converter.svg_to_png(SVG, 2.0)
        os.kill(third, signal.SIGKILL)
        assert workers.call_for_file(process_of) == os.getpid()  # nobody loses a file
    finally:
        workers.end()
    assert workers.call_for_file(process_of) == os.getpid()


def test_one_that_nobody_calls_ends_and_another_one_starts() -> None:
    worker = ComputeWorker(idle=0.0)
    worker.open()
    first = worker._worker
    assert first is not None
    wait_for(lambda: not worker.is_ready())
    assert first.process.wait(LONG) is not None
    worker.idle = None
    worker.open()
    assert worker.call(process_of) not in (os.getpid(), first.process.pid)  # type: ignore[union-attr]
    worker.end()


def test_there_is_none_where_a_setting_says_no(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(workers.COMPUTE, "start", lambda *arguments: started.append(arguments))
    monkeypatch.setenv(workers.VARIABLE, "0")
    workers.start(warmup.load_first, warmup.wait)
    workers.end()
    assert not started


@models.cached
def outer(entry: catalogue.Entry) -> str:
    return models.run(entry, "Wir kaufen heute ein Buch.").text


def test_whoever_computes_what_others_may_wait_for_keeps_its_turn(
    beside: ComputeWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "call", lambda *_: pytest.fail("it went aside"))
    assert outer(catalogue.sentence_models()["de-en"]).endswith(".")
