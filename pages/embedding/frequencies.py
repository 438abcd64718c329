"""Numbers as waves: the spectrum of their embeddings while the model learned, and the circle of one frequency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.analysis import number_waves
from model.checkpoint import catalogue, history
from pages.embedding import side_in_view, vocabulary_map
from pages.shared.layout import page
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.notices import plain
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.charts.embedding import number_wave_charts
from viz.charts.position.position_charts import spectrum_chart
from viz.data import Matrix
from viz.numbers import percent

SHIPPED = "modular"  # a model whose numbers lie on circles
CIRCLES = 5  # frequencies that can be looked at


@dataclass(frozen=True, eq=False)
class Moment:
    """The rows of the numbers (N, d) after `step` steps of the training; `step` is None of the model as it is."""

    step: int | None
    rows: np.ndarray

    @property
    def name(self) -> str:
        return words("embedding_frequencies.now") if self.step is None else f"{self.step:,}"

    @property
    def amplitudes(self) -> np.ndarray:
        return number_waves.spectrum(self.rows)[1]


def frequencies(current_run: CurrentRun) -> None:
    """Both figures, or why there are none."""
    name = side_in_view.choose_side(current_run)
    if current_run.recorded:
        show.caption(words("embedding.wait"))
        return
    moments = _moments(current_run.entry, name)
    if not moments:
        _none()
        return
    with page.card("figure_frequencies", words("embedding_frequencies.title"), words("embedding_frequencies.about")):
        moment = _chosen(moments)
        _learning(current_run.entry, moment)
        spectra, circle = st.columns([3, 2], gap="medium")
        with spectra:
            _spectra(moments, moment)
        with circle:
            _circle(current_run, moment)
    if len(moments) > 1:
        page.flush()
        with page.card("figure_growth", words("embedding_frequencies.growth_title")):
            _growth(moments)


@models.cached
def _moments(entry: catalogue.Entry, name: str) -> list[Moment]:
    """Moments of the training that kept the table, or the model as it is where none did; empty without numbers."""
    ids = number_waves.ids_of(vocabulary_map.vocabulary(entry))
    if not ids:
        return []
    table = side_in_view.tables(entry)[name]
    if isinstance(entry, catalogue.Untrained):
        return [Moment(None, table[ids])]
    tables = [(moment.step, moment.embedding) for moment in history.load(entry)]
    moments = [Moment(step, each[ids].astype(float)) for step, each in tables if each is not None]
    return moments or [Moment(None, table[ids])]


def _none() -> None:
    show.text(words("embedding_frequencies.none", fewest=number_waves.FEWEST))
    if SHIPPED in current.models():
        st.button(
            words("embedding_frequencies.other", name=plain(SHIPPED)),
            key="frequencies_other",
            on_click=view.choose,
            kwargs={"checkpoint": SHIPPED},
        )


def _chosen(moments: list[Moment]) -> Moment:
    """The moment of the training in view, the last by default."""
    if len(moments) == 1:
        return moments[0]
    steps = [moment.step for moment in moments]
    step = controls.steps("moment", words("embedding_frequencies.moment"), steps, steps[-1], "{:,}".format)
    return moments[steps.index(step)]


def _learning(entry: catalogue.Entry, moment: Moment) -> None:
    """Both losses of the training, with the moment in view."""
    points = _curve(entry)
    training = [(point.step, point.loss) for point in points if point.loss == point.loss]
    held_out = [(point.step, point.validation_loss) for point in points if point.validation_loss is not None]
    if moment.step is None or not held_out:
        return
    texts = section("embedding_frequencies_chart")
    chart = number_wave_charts.learning_chart(training, held_out, moment.step, texts)
    show.figure("embedding-learning", chart)


@models.cached
def _curve(entry: catalogue.Entry) -> tuple[history.Point, ...]:
    return history.curve(entry)


def _spectra(moments: list[Moment], moment: Moment) -> None:
    """The spectrum of the moment, with that of the first and of the last, as of the positional encoding."""
    selection = list(dict.fromkeys((moments[0], moment, moments[-1])))
    waves, _ = number_waves.spectrum(moment.rows)
    amplitudes = np.stack([each.amplitudes for each in selection], axis=1)  # (F, up to 3)
    amplitudes[0] = 0  # what all numbers share
    names = [each.name for each in selection]
    colours = [{0: 4, len(moments) - 1: 0}.get(moments.index(each), 1) for each in selection]
    texts = section("embedding_frequencies_chart")
    chart = spectrum_chart(waves, amplitudes, (), names, colours, texts, "linear")
    show.figure("embedding-frequencies", chart)
    share, count = percent(number_waves.MOST), len(moment.amplitudes) - 1
    show.text(
        words("embedding_frequencies.needed", needed=number_waves.needed(moment.amplitudes), count=count, share=share)
    )


def _circle(current_run: CurrentRun, moment: Moment) -> None:
    """The plane of one of the strongest frequencies, and the angles of the sum that the user has typed."""
    count = len(moment.rows)
    strongest = number_waves.strongest(moment.amplitudes, CIRCLES)
    titles = {k: f"{k}/{count}" for k in strongest}
    k = controls.choice("frequency", words("embedding_frequencies.frequency"), titles, strongest[0])
    places = number_waves.circle(moment.rows, k)
    angles = number_waves.angles(places)
    numbers = [int(token) for token in current_run.trace.target_tokens if token.isdecimal() and int(token) < count]
    texts = section("embedding_frequencies_chart")
    chart = number_wave_charts.circle_chart(places, angles, list(dict.fromkeys(numbers)), texts)
    show.figure("embedding-circle", chart)
    away = number_waves.roundness(places, k)
    show.text(words("embedding_frequencies.round", k=k, count=count, away=f"{away:.0f}"))
    if len(numbers) == 3 and current_run.entry.card.get("task") == SHIPPED:
        at = dict(zip(("angle_a", "angle_b", "angle_result"), (f"{angles[n]:.0f}" for n in numbers), strict=True))
        total = f"{(angles[numbers[0]] + angles[numbers[1]]) % 360:.0f}"
        a, b, result = numbers
        show.text(words("embedding_frequencies.adds", a=a, b=b, result=result, total=total, **at))


def _growth(moments: list[Moment]) -> None:
    """Every frequency over the steps."""
    amplitudes = np.stack([moment.amplitudes[1:] for moment in moments])  # (moments, F − 1)
    count = len(moments[0].rows)
    matrix = Matrix(
        "growth", words("embedding_frequencies.growth_matrix"), amplitudes, tuple(moment.name for moment in moments),
        tuple(f"{k}/{count}" for k in range(1, amplitudes.shape[1] + 1)), row_axis=words("embedding_frequencies.step"),
        column_axis=words("embedding_frequencies_chart.frequency"), scale="positive", decimals=2,
    )  # fmt: skip
    matrices("growth", [matrix], files="embedding-growth")
    show.caption(words("embedding_frequencies.growth_hint"))
