"""Loading torch and the first model in the background, so that the first page need not wait.

Until then pages show the recorded example of a checkpoint, and the browser asks `/warm` (`warm_route.py`).
Symptom: thirty users who opened a fresh server at once waited long. Cause: reruns that asked for the model, and
Streamlit's garbage collection after each of them, left the loading thread hardly any time. Therefore no run of the page
asks, and `.streamlit/config.toml` turns that collection off. Tests: `tests/house/test_cold.py`.
"""

import gc
import threading
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext, suppress

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.models import models
from pages.shared.text.words import words

UNVISITED = 10.0  # seconds after which a server that nobody has opened yet warms up
_ready = threading.Event()
_started = threading.Lock()


def warm_up() -> None:
    """Start loading, once per process."""
    if _started.acquire(blocking=False):
        threading.Thread(target=_load, name="warm-up", daemon=True).start()


def warm_up_later() -> None:
    """Start loading after a while; a visitor's first page, which torch would hold up, starts it sooner."""
    timer = threading.Timer(UNVISITED, warm_up)
    timer.daemon = True
    timer.start()


def is_warm() -> bool:
    """Whether a model would answer without loading torch first."""
    return _ready.is_set()


def spinner() -> AbstractContextManager[None]:
    """Say that the model runs while torch is being loaded: later runs are done before it would be seen."""
    return nullcontext() if is_warm() else st.spinner(words("notice.running"))


def wait() -> None:
    """Until then."""
    _ready.wait()


def _load() -> None:
    try:
        models.torch_of_one_thread()
        with suppress(StopIteration):
            _run(catalogue.default(catalogue.sentence_models()))
    finally:
        # garbage collection then skips everything that is loaded by now
        gc.collect()
        gc.freeze()
        _ready.set()
    _run_all(catalogue.FIRST_FOR.values())
    gc.freeze()


def load_first() -> None:
    """In the compute worker: load torch, and the models that are shown first, in whatever language."""
    models.torch_of_one_thread()
    _ready.set()
    _run_all((catalogue.FIRST, *catalogue.FIRST_FOR.values()))


def _run_all(names: Collection[str]) -> None:
    for name, entry in catalogue.sentence_models().items():
        if name in names:
            _run(entry)


def _run(entry: catalogue.Entry) -> None:
    """Load a model by its first example."""
    with suppress(InvalidInput):  # the page of a damaged checkpoint says what is wrong with it
        models.run(entry, entry.card["examples"][0])
