"""Small models with fixed seeds; no test touches the network."""

import gc
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Literal
from unittest.mock import Mock

import pytest
import torch
from playwright.sync_api import Browser, expect, sync_playwright
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import context
from streamlit.runtime.scriptrunner import script_cache
from streamlit.testing.v1 import app_test, local_script_runner
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from classroom.database import VARIABLE
from corpora.grammar import Grammar, Kind
from corpora.pairs import Pair
from model.config import TransformerConfig
from model.transformer import Transformer
from pages.shared.models import warmup
from pages.shared.text.words import all_texts
from tests.browser import PATIENCE, Contexts, Visits, idle, launch
from tests.figures import watching_figures
from tests.server import server
from viz.data import Matrix
from viz.figures.chart import Chart
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure

torch.set_num_threads(1)
# no test writes into the classes of a server that runs on this machine
os.environ[VARIABLE] = f"sqlite:///{tempfile.mkdtemp(prefix='glassformer-test-')}/rooms.sqlite"


def tiny(
    norm: Literal["pre", "post"] = "post", *, final_norm: bool = False, tied: bool = False, seed: int = 0
) -> Transformer:
    """A model small enough to check number by number, its norms and biases away from their starting values."""
    torch.manual_seed(seed)
    config = TransformerConfig(
        source_vocabulary=23,
        target_vocabulary=23 if tied else 19,
        d_model=16,
        heads=2,
        encoder_layers=2,
        decoder_layers=2,
        d_ff=24,
        norm=norm,
        final_norm=final_norm,
        tied_embeddings="all" if tied else "none",
        max_length=64,
    )
    model = Transformer(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.2)
    return model


@pytest.fixture(scope="session")
def draws(pytestconfig: pytest.Config) -> Callable[[int], int]:
    """How many of n random draws a test makes: a sixth of them with `make test`, all with `make test-all`."""
    quick = "not thorough" in pytestconfig.option.markexpr
    return lambda count: -(-count // 6) if quick else count


@pytest.fixture(params=["pre", "post"])
def model(request: pytest.FixtureRequest) -> Transformer:
    """A tiny model of each norm placement."""
    return tiny(request.param, final_norm=request.param == "pre")


# corpora: a shorter one is the beginning of a longer one with the same seed, so that each seed is drawn once


def drawn_once(draw: Callable[[Grammar, int, int], dict[Pair, Kind]]) -> Callable[..., dict[Pair, Kind]]:
    longest: dict[tuple[Grammar, int], dict[Pair, Kind]] = {}

    def drawn(of: Grammar, seed: int, count: int) -> dict[Pair, Kind]:
        key = of, seed
        if count > len(longest.get(key, ())):
            longest[key] = draw(of, seed, count)
        return dict(islice(longest[key].items(), count))

    return drawn


Grammar.kinds = drawn_once(Grammar.kinds)  # type: ignore[method-assign]


# pages


@pytest.fixture(scope="session")
def warm() -> None:
    """The model is loaded, so that pages show real runs."""
    warmup.warm_up()
    warmup.wait()


@pytest.fixture
def drawn() -> Iterator[dict[str, Matrix]]:
    """The matrices that pages show, by key; the last ones of a page win."""
    result: dict[str, Matrix] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, MatrixFigure):
            result.update({matrix.key: matrix for matrix in figure.matrices})

    with watching_figures(keep):
        yield result


@pytest.fixture
def charted() -> Iterator[dict[str, list[dict]]]:
    """The numbers behind each chart, by its name."""
    result: dict[str, list[dict]] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, Chart):
            result[name] = list(figure.rows())

    with watching_figures(keep):
        yield result


# AppTest begins anew what a server does once: the search of all installed packages for components, which took half of
# the time of all tests of pages, and the compilation of the pages
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
app_test.ScriptCache = local_script_runner.ScriptCache = cache(script_cache.ScriptCache)
# its runtime knows no browser, so the context of one is a mock, made anew for each cookie that is read
context._get_client_context = lambda: None
app_test.MagicMock = Mock


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    """Until the page is drawn. AppTest's own looks every millisecond, and holds the script up with it."""
    assert runner._script_thread
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise TimeoutError(f"the page is not drawn after {timeout} s")


local_script_runner.require_widgets_deltas = _wait


# the browser: all tests in one run on one worker, with one server, while the other workers run the rest


# folders whose files share what takes seconds to make: live pages, models of other libraries, the built documentation
TOGETHER = ("tests/live/", "tests/model/pretrained/", "tests/docs/", "tests/pages/features/")


class ByFile(LoadFileScheduling):
    """Tests of a file, or of a folder of `TOGETHER`, on one worker, and all that need the app in a browser on one."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        if in_browser(file):
            return "browser"
        return next((folder for folder in TOGETHER if file.startswith(folder)), file)


def in_browser(file: str) -> bool:
    return "/test_browser" in file and file.startswith(("tests/pages/", "tests/languages/"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves to `make test-all`, and give tests in a browser a second try.

    Of the cases of a test with the mark `sample(n)` one in n stays, the same each time, the others are `thorough`: by a
    checksum of their names, since in their order the same value of one parameter would always stay. The summary
    lists second tries: a busy machine can be slower than any patience.
    """
    items.sort(key=lambda item: (not in_browser(item.nodeid), "browser" not in item.path.name))  # the longest first
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("sample"):
            cases.setdefault(item.nodeid.split("[")[0], []).append(item)
    for items_of_test in cases.values():
        count = next(mark.args[0] for mark in items_of_test[0].iter_markers("sample"))
        by_name = sorted(items_of_test, key=lambda item: zlib.crc32(item.nodeid.encode()))
        for item in by_name[-(-len(by_name) // count) :]:
            item.add_marker(pytest.mark.thorough)


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a test was tried again, which only a slow machine excuses."""
    for report in terminalreporter.stats.get("rerun", []):
        lines = report.longreprtext.rstrip().splitlines()
        said = [line for line in lines if line.startswith("E ")][:5]
        terminalreporter.write_line("\n".join([f"{report.nodeid} failed at first:", *said, *lines[-1:]]))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture(scope="session")
def address(browser: Browser) -> Iterator[str]:
    """One server for all tests, its model warm."""
    with server() as address:
        page = browser.new_page(locale="en")
        page.goto(address)
        idle(page)
        expect(page.get_by_text(all_texts("en")["start.recorded"])).to_have_count(0, timeout=4 * PATIENCE)
        idle(page)
        page.close()
        yield address


@pytest.fixture(scope="module")
def visits(address: str, contexts: Contexts) -> Iterator[Visits]:
    """The browsers of a file's tests. A page that `again` keeps is there for the files that follow."""
    visits = Visits(contexts, address)
    yield visits
    visits.end(kept=visits.of_again(at_rest=True))


@pytest.fixture
def visit(visits: Visits, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """Opens pages, each in a browser of its own; a second try finds none that the first one left."""
    if getattr(request.node, "execution_count", 1) > 1:
        visits.forget()
    yield visits
    visits.end(kept=visits.of_again())
