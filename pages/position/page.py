"""Position: the table of waves, its wavelengths, distances and shifts, what else there is, and sums by hand."""

from collections.abc import Callable

import streamlit as st

from model.analysis import sinusoids
from model.analysis.cosine import cosines
from pages.position import in_attention, length_generalisation, model_tables, sine_matrices, sine_settings
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text.formulas import latex
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.matrices import matrices
from viz.charts.position import position_charts
from viz.data import Selection
from viz.numbers import power_of_ten


def settings(tab: str, current_run: CurrentRun) -> tuple[CurrentRun, sine_settings.Sines] | tuple[CurrentRun]:
    """The table that the figures of a view show; the others have controls of their own."""
    if tab in ("methods", "worked", "longer"):
        st.empty()
        return (current_run,)
    if tab == "others":
        entry = model_tables.learned_entry(current_run.entry)
        return current_run, sine_settings.settings(entry.config, width=model_tables.learned_table(entry).shape[1])
    return current_run, sine_settings.settings(current_run.entry.config)


def table(current_run: CurrentRun, sines: sine_settings.Sines) -> None:
    """The heat map with one number worked out, and chosen columns as curves."""
    with page.card("figure_table", words("position.table_title")):
        _say_base(sines)
        row, column = sine_settings.cell(sines)
        heat = sine_matrices.heat_map(sines, sine_settings.row_labels(sines.length, current_run))
        figure = matrices(
            "position_table", [heat], selection=Selection("table", row, column), on_select=sine_settings.picked
        )
        _cell_sum(row, column, sines)
        show.caption(model_tables.model_says(sines, current_run))
        export.files("position-table", figure)
    page.flush()
    page.formula("position")
    with page.card("figure_curves", words("position.curves_title")):
        columns, places = sine_settings.pairs(sines.d_model)
        chart = position_charts.curves_chart(sines.table, columns, places, section("position_chart"))
        show.figure("position-curves", chart)
        show.caption(words("position.curves_hint"))


def _say_base(sines: sine_settings.Sines) -> None:
    """Say what the base does, in numbers."""
    fast, slow = float(sines.waves[0]), float(sines.waves[-1])
    key = "position.base_long" if slow > sines.length else "position.base_short"
    effect = words("position.base_effect", base=f"{sines.base:,}", fast=f"{fast:.2f}", slow=f"{slow:,.0f}")
    show.text(effect + words(key, length=sines.length, turns=f"{sines.length / slow:.2g}"))


def _cell_sum(m: int, column: int, sines: sine_settings.Sines) -> None:
    divisor, angle, value = sinusoids.entry(m, column, sines.d_model, sines.base)
    show.latex(
        latex(
            "position_cell_cos" if column % 2 else "position_cell_sin",
            row=m,
            column=column,
            base=sines.base,
            exponent=column - column % 2,
            d_model=sines.d_model,
            divisor=f"{divisor:.6g}",
            angle=f"{angle:.5g}",
            value=f"{value:.4f}",
        )
    )


def waves(current_run: CurrentRun, sines: sine_settings.Sines) -> None:
    """Wavelengths with their bands, and the Fourier spectrum."""
    with page.card("figure_waves", words("position.waves_title")):
        _say_base(sines)
        bands = sinusoids.bands(sines.waves)
        edges = {name: sinusoids.band_edges(name) for name in sinusoids.BANDS}
        other = sinusoids.wavelengths(sines.d_model, sine_settings.PAPER) if sines.base != sine_settings.PAPER else None
        chart = position_charts.waves_chart(sines.waves, bands, edges, sines.length, section("position_chart"), other)
        show.figure("position-waves", chart)
        counts = {name: bands.count(name) for name in (*sinusoids.BANDS, sinusoids.BEYOND)}
        hint = words("position.waves_hint") + (words("position.waves_reference") if other is not None else "")
        show.caption(words("position.waves_count", pairs=len(bands), **counts) + hint)
    page.flush()
    page.formula("wavelength")
    with page.card("figure_spectrum", words("position.spectrum_title")):
        _spectrum(sines)


def _spectrum(sines: sine_settings.Sines) -> None:
    columns, places = sine_settings.pairs(sines.d_model)
    window = controls.steps("window", words("position.window"), sine_settings.WINDOWS, 512)
    rows = sinusoids.positions(window, sines.d_model, sines.base)[:, columns]
    frequencies, amplitudes = sinusoids.spectrum(rows)
    theory = [1 / float(sines.waves[column // 2]) for column in columns]
    chart = position_charts.spectrum_chart(frequencies, amplitudes, theory, columns, places, section("position_chart"))
    show.figure("position-spectrum", chart)
    off = max(sinusoids.peak_offsets(frequencies, amplitudes, theory), default=0)
    show.caption(words("position.spectrum_hint", off=f"{off:.2f}", window=window))


def single_frequency(current_run: CurrentRun, sines: sine_settings.Sines) -> None:
    """Draw what is lost with a single frequency."""
    with page.card("figure_one", words("position.one_title")):
        wavelength = controls.steps("wavelength", words("position.wavelength"), sine_settings.WAVELENGTHS, 8)
        single = sinusoids.single_frequency(sines.length, wavelength)
        alone, every = cosines(single)[0], cosines(sines.table)[0]  # (length) each
        for key, rows in (("position.one_says", single), ("position.all_say", sines.table)):
            step, different = f"{100 * sinusoids.step(rows):.1f}", sinusoids.distinct(rows)
            values = {"distinct": different, "length": sines.length, "step": step}
            show.text(words(key, wavelength=wavelength, pairs=sines.d_model // 2, **values))
        chart = position_charts.single_chart(alone, every, section("position_chart"))
        show.figure("position-one", chart)
        show.caption(words("position.one_hint"))


def distance(current_run: CurrentRun, sines: sine_settings.Sines) -> None:
    """Inner products over distance, and the rotation that shifts every position alike."""
    with page.card("figure_distance", words("position.distance_title")):
        _products(sines)
    page.flush()
    page.formula("inner_product")
    with page.card("figure_rotation", words("position.rotation_title")):
        _rotation(sines)
    page.formula("rotation")


def _products(sines: sine_settings.Sines) -> None:
    m, n = sine_settings.two(sines)
    heat = sine_matrices.products(sines)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        cell = Selection("products", m, n)
        matrices(
            "position_products",
            [heat],
            selection=cell,
            share=0.38,
            on_select=sine_settings.picked_two,
            files="position-products",
        )
    with right:
        bases, tones = sine_settings.bases(sines.base)
        places, curves = sinusoids.falloff(m, sines.length, sines.d_model, bases)
        chart = position_charts.distance_chart(
            places, curves, heat.values[m], sines.base, tones, section("position_chart")
        )
        show.figure("position-distance", chart)
    error = sinusoids.product_error(sines.length, sines.d_model, sines.base)
    show.caption(words("position.products_hint", row=m, error=power_of_ten(error)))


def _rotation(sines: sine_settings.Sines) -> None:
    with st.container(horizontal=True, key="rotation_controls", gap="medium"):
        k = controls.slider("shift", words("position.shift"), 0, 64, 5)
        m = controls.slider("from", words("position.from"), 0, 64, 0)
    columns = sine_settings.clocks(sines.d_model)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        hands = sinusoids.hands([m, m + k], columns, sines.d_model, sines.base)
        chart = position_charts.clocks_chart(hands, columns, section("position_chart"))
        show.figure("position-clocks", chart, width="content")
    with right:
        figures = sine_matrices.rotation(k, m, columns, sines)
        matrices("position_rotation", figures, share=0.58, files="position-rotation")
    error = sinusoids.rotation_error(k, sines.length, sines.d_model, sines.base)
    show.caption(words("position.rotation_hint", k=k, length=sines.length, error=power_of_ten(error)))


def others(current_run: CurrentRun, sines: sine_settings.Sines) -> None:
    """Sinusoidal, learned and none beside each other, also past the end of the learned table."""
    entries, entry = model_tables.learned_entries(current_run.entry), model_tables.learned_entry(current_run.entry)
    table = model_tables.learned_table(entry)  # (max_length, d_model)
    limit, width = table.shape
    with page.card("figure_others", words("position.others_title")):
        tables = {kind: (each.name, model_tables.learned_table(each)) for kind, each in entries.items()}
        figures = sine_matrices.alikeness(sines, tables)
        matrices("position_others", figures, files="position-others")
        show.caption(words("position.others_hint"))
        name, shortest = min(tables.values(), key=lambda entries: len(entries[1]))
        if sines.length > len(shortest):
            show.caption(words("position.others_rows", rows=len(shortest), name=name))
    page.flush()
    with page.card("figure_beyond", words("position.beyond_title")):
        figures = sine_matrices.beyond(sines, table)
        matrices("position_beyond", figures, files="position-beyond")
        show.caption(words("position.beyond_hint"))
    show.text(words("position.learned_note", name=entry.name, d_model=width, limit=limit))


def worked(current_run: CurrentRun) -> None:
    """The textbook's sums, its wrong row, and adding against concatenating."""
    with page.card("figure_worked", words("position.worked_title")):
        base = controls.choice("worked_base", words("position.base"), {10_000: "10,000", 100: "100"}, 10_000)
        figures = sine_matrices.worked_sum(base)
        matrices("position_worked", figures, files="position-worked")
        show.caption(words("position.worked_hint"))
    page.flush()
    with page.card("figure_row", words("position.row_title")):
        figures = sine_matrices.worked_row()
        matrices("position_row", figures, files="position-row")
        show.caption(words("position.row_hint"))
    with page.card("figure_adding", words("position.adding_title")):
        _adding(current_run)


def _adding(current_run: CurrentRun) -> None:
    d_model = current_run.entry.config.d_model
    extra = controls.steps("extra", words("position.extra"), sine_settings.EXTRAS, 64)
    chart = position_charts.widths_chart(d_model, extra, section("position_chart"))
    show.figure("position-adding", chart)
    cost = model_tables.layer_costs(current_run.entry.config, extra)
    show.text(words("position.adding_cost", d_model=d_model, extra=extra, **cost))
    show.caption(words("position.adding_hint"))


page.head(
    "position",
    tour=(
        Stop("position.tour_table", "figure_table", {"show": None, "base": None, "length": None, "d_model": None}),
        Stop("position.tour_waves", "figure_waves", {"show": "waves", "base": 10_000}),
        Stop("position.tour_base", "figure_waves", {"show": "waves", "base": 100}),
        Stop("position.tour_distance", "figure_distance", {"show": "distance", "base": None, "bases": None}),
        Stop("position.tour_others", "figure_beyond", {"show": "others", "base": None}),
    ),
)
VIEWS: dict[str, Callable[..., None]] = {
    "table": table,
    "waves": waves,
    "one": single_frequency,
    "distance": distance,
    "others": others,
    "worked": worked,
    "methods": in_attention.figures,
    "longer": length_generalisation.figures,
}
page.tabs("position", VIEWS, read(), settings=settings)
tour.try_this(
    {
        "position.try_base": Step("figure_distance", {"show": "distance", "base": 10, "length": 128, "bases": None}),
        "position.try_one": Step("figure_one", {"show": "one", "wavelength": 8, "base": None}),
        "position.try_turn": Step("figure_rotation", {"show": "distance", "shift": 6, "from": 20, "base": None}),
    }
)
