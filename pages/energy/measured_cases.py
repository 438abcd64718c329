"""The energy page's cases, measured once per server, and what the model in use has."""

import threading
from collections.abc import Callable

import numpy as np
import streamlit as st

from model.analysis import energy
from model.checkpoint import catalogue, history
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view
from pages.shared.text.notices import plain
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.energy_charts import Case, claim_chart
from viz.vega import for_streamlit

VOCABULARY_SIZES = np.unique(np.geomspace(10, 100_000, 60).astype(int)).tolist()
WIDTHS = (16, 32, 64, 128, 256, 512, 1024)
_measured = threading.Event()


@models.cached
def measured(init: str, vocabulary: int, d_model: int) -> energy.Energy:
    """One case, measured on a table that the model starts with; up to half a second."""
    return energy.measured(init, vocabulary, d_model)


def cases(scaled: bool, draw: Callable[[list[Case]], None]) -> None:
    """Draw every case. On a fresh server first without the measured marks, which take some seconds."""
    rows = energy.table(measure=False)
    if not _measured.is_set():
        first = st.empty()
        with first.container():
            chart = claim_chart([_case(row, None, scaled) for row in rows], scaled, section("energy_chart"))
            st.vega_lite_chart(for_streamlit(chart.spec), width="stretch")
            with st.spinner(words("energy.measuring")):
                for row in rows:
                    measured(row.init, row.vocabulary, row.d_model)
        _measured.set()
        first.empty()
    draw([_case(row, measured(row.init, row.vocabulary, row.d_model), scaled) for row in rows])


def _case(row: energy.Row, measurement: energy.Energy | None, scaled: bool) -> Case:
    return Case(
        row.init,
        row.vocabulary,
        row.d_model,
        row.claimed.shown(scaled),
        row.computed.shown(scaled),
        None if measurement is None else measurement.shown(scaled),
        row.holds,
    )


def curves(d_model: int, scaled: bool) -> dict[str, list[float]]:
    """The computed ratio of each init over the vocabulary sizes."""
    return {
        init: [energy.computed(init, size, d_model).shown(scaled) for size in VOCABULARY_SIZES] for init in energy.INITS
    }


@models.cached
def of_model(entry: catalogue.Entry, side: str) -> energy.Energy:
    """The model in use over its whole table, padding left out."""
    return energy.of_model(models.checkpoint(entry).model, {"encoder": "source", "decoder": "target"}[side])


@models.cached(copy=True)
def drift(entry: catalogue.Entry) -> list[tuple[int, energy.Energy]]:
    """Step and energies of every moment that was kept of the entry's training; none of a model never trained."""
    moments = () if isinstance(entry, catalogue.Untrained) else history.load(entry)
    return [(moment.step, moment.energy) for moment in moments]


def with_moments() -> catalogue.Entry | None:
    """The first model for this user of which moments of its training were kept."""
    models = current.models()
    entries = sorted(models.values(), key=lambda entry: entry is not current.first(models))
    candidates = (entry for entry in entries if not isinstance(entry, catalogue.Untrained))
    return next((entry for entry in candidates if entry.is_sound() and entry.reads_text and drift(entry)), None)


def drift_numbers(moments: list[tuple[int, energy.Energy]]) -> tuple[list[float], list[float], list[float]]:
    """Of every moment: E‖e‖² before and after scaling, and ‖PE‖²."""
    energies = [each for _, each in moments]
    before, position = [each.embedding for each in energies], [each.position for each in energies]
    return before, [each.embedding * each.d_model for each in energies], position


def no_drift(entry: catalogue.Entry) -> None:
    """Say why there is nothing to draw, and offer a model that has it."""
    kind = "untrained" if isinstance(entry, catalogue.Untrained) else "missing"
    show.text(words(f"energy.drift_{kind}"))
    other = with_moments()
    if other is None:
        show.caption(words("energy.drift_nowhere"))
        if st.button(words("energy.drift_train"), key="drift_train"):
            address.open_page("train")
    else:
        st.button(
            words("energy.drift_other", name=plain(other.name)),
            key="drift_other",
            on_click=view.choose,
            kwargs={"checkpoint": other.name},
        )


def of_tokens(current_run: CurrentRun, side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """‖e‖² of each token before and after scaling, and ‖PE‖², (T) each."""
    before, after = energy.before_and_after(current_run.trace, side, current_run.entry.config.scale_embedding)
    return before, after, energy.per_token(current_run.trace, side)[1]


def sides(current_run: CurrentRun) -> dict[str, str]:
    """The stacks that the model has, with their titles."""
    names = [name for name in ("encoder", "decoder") if f"{name}.input" in current_run.trace.values]
    return {name: words(f"energy.side_{name}") for name in names}
