"""The position page: each view in both languages and for each kind of model, its numbers worked out anew here."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from model.config import TransformerConfig
from model.transformer import EncoderLayer
from pages.position import sine_matrices, sine_settings
from pages.shared.text.words import all_texts, section
from tests.app import controls, downloads, inside, said, sentence, visit
from tests.pages.position.page import frequencies, layers, rows_of, specs, texts, trained_with_a_table
from tests.samples import in_turn, written
from tests.viz.pictures import matrix_svg
from viz.charts.position import position_charts
from viz.components.matrix.matrix_data import matrix_rows

pytestmark = pytest.mark.usefixtures("warm")

VIEWS = {
    "table": ["position_table"],
    "waves": [],
    "one": [],
    "distance": ["position_products", "position_rotation"],
    "others": ["position_others", "position_beyond"],
    "methods": [],
    "worked": ["position_worked", "position_row"],
    "longer": [],
}
CHARTS = {"table": 1, "waves": 2, "one": 1, "distance": 2, "others": 0, "methods": 1, "worked": 1, "longer": 2}
MODELS = ("de-en", "untrained-mini-encoder", "untrained-gpt")


# what is there


@pytest.mark.sample(2)
@in_turn("show", VIEWS)
def test_each_view_has_its_figures(show: str, language: str) -> None:
    app = visit("position", language, show=show)
    assert said(app) == []
    assert [title.value for title in app.title] == [sentence(language, "position.question")]
    components = [element.key for element in app.main if getattr(element, "key", None)]
    assert [key for key in components if key.startswith("position_")] == VIEWS[show]
    assert len(specs(app)) == CHARTS[show]
    assert all(spec["description"] for spec in specs(app))
    # the page, and it alive; SVG, CSV, HTML and three sizes of PNG of each figure
    files = 2 + 6 * (len(VIEWS[show]) + len(specs(app)))
    assert len(downloads(app)) == files
    if language == "zh":
        assert all(re.search(r"[一-鿿]", spec["description"]) for spec in specs(app))


@pytest.mark.parametrize("checkpoint", MODELS[1:])
@pytest.mark.parametrize("show", ["table", "others", "worked"])
def test_other_systems_have_the_page_too(show: str, checkpoint: str) -> None:
    app = visit("position", checkpoint=checkpoint, show=show)
    assert said(app) == []
    if show == "table":
        model = {"untrained-gpt": "model_learned", "untrained-mini-encoder": "model_same"}[checkpoint]
        start = sentence("en", f"position.{model}", last=7, error="").split(";")[0]
        assert start in texts(app)
    if show == "others":
        name, limit = {"untrained-gpt": ("untrained-gpt", 128)}.get(checkpoint, trained_with_a_table())
        assert f"{name}: {limit}" in texts(app)


def test_a_control_is_in_the_address_and_a_bad_one_is_said() -> None:
    app = visit("position", base="100", d_model="64", length="32")
    assert "Base 100: " in texts(app)
    assert app.select_slider(key="base").value == 100
    app.select_slider(key="base").set_value(1_000).run()
    assert app.query_params["base"] == "1000"
    assert "Base 1,000: " in texts(app)
    app = visit("position", base="99")
    assert said(app) == [sentence("en", "notice.setting", field="Base", value="99")]
    assert "Base 10,000: " in texts(app)
    app = visit("position", show="nothing", row="-1")
    assert len(said(app)) == 2


def test_a_setting_leaves_the_address_with_its_control_and_comes_back_with_it() -> None:
    app = visit("position", show="distance", shift="6")
    for show, shift in (("table", None), ("distance", "6")):
        controls(app)["show"].set_value(sentence("en", f"position.view_{show}")).run()
        assert app.query_params.get("shift") in (shift, [shift])


def test_a_cell_outside_a_smaller_table_is_kept_inside() -> None:
    app = visit("position", d_model="16", length="8", row="200", column="4000")
    assert said(app) == []
    assert "PE_{(7,\\,15)}" in "".join(element.proto.body for element in app.main if element.type == "latex")


# what it says is true


@pytest.mark.parametrize(("base", "d_model"), [(100, 64), (10_000, 512)])
def test_what_the_base_does_is_said_in_right_numbers(base: int, d_model: int) -> None:
    app = visit("position", show="waves", base=str(base), d_model=str(d_model))
    waves = [2 * np.pi / theta for theta in frequencies(d_model, base)]
    assert f"after 6.28 positions, the slowest after {waves[-1]:,.0f}." in texts(app)
    edges = [10**power for power in (1.5, 2.5, 3.5)]
    word, paragraph, document = (sum(wave < edge for wave in waves) for edge in edges)
    counts = {"word": word, "paragraph": paragraph - word, "document": document - paragraph}
    text = sentence("en", "position.waves_count", pairs=len(waves), beyond=len(waves) - document, **counts)
    assert text in texts(app)
    on_screen = rows_of(specs(app)[0], "column")
    np.testing.assert_allclose([row["wavelength"] for row in on_screen], waves, atol=1e-3)


def test_the_curves_are_the_columns_of_the_table() -> None:
    app = visit("position", base="100", d_model="16", length="24", pairs="0,5")
    rows = rows_of(specs(app)[0], "column")
    assert {row["column"] for row in rows} == {"0", "10"}
    for row in rows:
        theta = 100 ** (-int(row["column"]) / 16)
        assert row["value"] == pytest.approx(np.sin(row["position"] * theta), abs=1e-4)


def test_the_spectrum_s_dots_stand_at_its_rules() -> None:
    app = visit("position", show="waves", base="100", d_model="64", window="256", pairs="0,2,4")
    spec = specs(app)[1]
    rules, lines, dots = layers(spec)
    for rule, dot, column in zip(rules, dots, (0, 16, 32), strict=True):
        assert rule["column"] == dot["column"] == str(column)
        assert rule["frequency"] == pytest.approx(100 ** (-column / 64) / (2 * np.pi))
        assert abs(dot["frequency"] - rule["frequency"]) <= 1 / 256
        wave = np.sin(100 ** (-column / 64) * np.arange(256))
        turns = np.exp(-2j * np.pi * dot["frequency"] * np.arange(256))  # the transform, by its definition
        assert dot["amplitude"] == pytest.approx(abs(wave @ turns) / 128, abs=1e-4)
    assert min(row["frequency"] for row in lines) > 0


def test_products_are_the_sum_of_cosines_for_every_base() -> None:
    app = visit("position", show="distance", base="1000", d_model="32", length="40", m="10", n="2", bases="10")
    lines, dots = layers(specs(app)[0])
    assert {row["base"] for row in lines} == {"10", "1,000"}
    assert {row["distance"] for row in dots} == set(range(-10, 30))
    for row in [*lines, *dots]:
        total = sum(np.cos(row["distance"] * theta) for theta in frequencies(32, int(row["base"].replace(",", ""))))
        assert row["product"] == pytest.approx(total, abs=1e-4)
    matrix = sine_matrices.products(sine_settings.Sines(1000, 32, 40)).values
    for shift in range(-39, 40):
        assert np.ptp(np.diagonal(matrix, shift)) < 1e-12  # depends on the distance alone


def test_the_rotation_shows_the_same_row_twice() -> None:
    sines = sine_settings.Sines(10_000, 144, 64)
    columns = sine_settings.clocks(144)
    block, vectors = sine_matrices.rotation(6, 20, columns, sines)
    thetas = [10_000 ** (-column / 144) for column in columns]
    for place, theta in enumerate(thetas):
        inner = block.values[2 * place : 2 * place + 2, 2 * place : 2 * place + 2]
        turn = [[np.cos(6 * theta), np.sin(6 * theta)], [-np.sin(6 * theta), np.cos(6 * theta)]]
        np.testing.assert_allclose(inner, turn, atol=1e-12)
    assert np.count_nonzero(block.values) == 4 * len(thetas)
    later = [wave(26 * theta) for theta in thetas for wave in (np.sin, np.cos)]
    np.testing.assert_allclose(vectors.values[1], later, atol=1e-12)
    np.testing.assert_allclose(vectors.values[2], later, atol=1e-12)
    assert np.abs(vectors.values[3]).max() < 1e-12


def test_the_clocks_stay_apart_by_the_same_angle() -> None:
    differences = []
    for start in ("0", "33"):
        app = visit("position", show="distance", base="100", d_model="16", shift="3", **{"from": start})
        spec = next(spec for spec in specs(app) if "clock" in spec["description"])
        hands = rows_of(spec, "end_x")
        angle = {
            (row["hand"], row["column"]): np.arctan2(row["end_y"] - row["y"], row["end_x"] - row["x"]) for row in hands
        }
        names = sorted({hand for hand, _ in angle}, key=len)
        columns = sorted({column for _, column in angle})
        differences.append([(angle[names[1], column] - angle[names[0], column]) % (2 * np.pi) for column in columns])
    np.testing.assert_allclose(differences[0], differences[1], atol=1e-3)
    np.testing.assert_allclose(differences[0][0], 3, atol=1e-3)


@pytest.mark.parametrize("wavelength", [4, 16])
def test_one_wavelength_leaves_as_many_rows_as_it_is_long(wavelength: int) -> None:
    app = visit("position", show="one", wavelength=str(wavelength), length="64")
    step = f"{200 * np.sin(np.pi / wavelength):.1f}"
    values = {"wavelength": wavelength, "distinct": wavelength, "length": 64, "step": step}
    assert sentence("en", "position.one_says", **values) in texts(app)
    assert "64 different rows for 64 positions" in texts(app)
    lines, dots = layers(specs(app)[0])
    assert [row["distance"] for row in dots] == list(range(wavelength, 64, wavelength))
    single = [row for row in lines if row["table"] == all_texts("en")["position_chart.one"]]
    expected = [np.cos(2 * np.pi * row["distance"] / wavelength) for row in single]
    np.testing.assert_allclose([row["similarity"] for row in single], expected, atol=1e-4)


def test_a_learned_table_has_no_row_past_its_end() -> None:
    table = np.random.default_rng(0).normal(size=(20, 40))
    sinusoidal, known_rows = sine_matrices.beyond(sine_settings.Sines(100, 40, 64), table)
    assert sinusoidal.rows == known_rows.rows == tuple(map(str, range(12, 28)))
    np.testing.assert_array_equal(known_rows.values[:8], table[12:, :32])
    assert np.isnan(known_rows.values[8:]).all()
    assert sinusoidal.values[15, 4] == pytest.approx(np.sin(27 * 100 ** (-4 / 40)))
    assert "20" in known_rows.note
    assert "19" in known_rows.note


def test_the_textbook_s_row_beside_the_right_one() -> None:
    embedding, position, total = sine_matrices.worked_sum(100)
    np.testing.assert_allclose(position.values[2], [0.9093, -0.4161, 0.1987, 0.9801], atol=5e-5)
    np.testing.assert_allclose(total.values, embedding.values + position.values)
    row, off = sine_matrices.worked_row()
    np.testing.assert_allclose(row.values[0], [0.541, -0.489, 0.895, 1.655])
    np.testing.assert_allclose(row.values[1], [0.541, -0.490, 0.630, 1.700], atol=6e-4)
    np.testing.assert_allclose(off.values[0], [0, 0, 0.265, -0.045], atol=1.5e-3)
    assert np.abs(off.values[1]).max() < 2e-3  # base 100 is what was printed


@pytest.mark.parametrize("extra", [16, 64])
def test_concatenating_costs_what_a_wider_layer_has(extra: int) -> None:
    app = visit("position", show="worked", extra=str(extra))
    config = {"source_vocabulary": 9, "target_vocabulary": 9, "heads": 4, "d_ff": 432}  # de-en
    added, wider = (
        sum(p.numel() for p in EncoderLayer(TransformerConfig(d_model=width, **config)).parameters())
        for width in (144, 144 + extra)
    )
    assert f"has {added:,} parameters" in texts(app)
    assert f"{wider:,} parameters, {100 * wider / added - 100:.0f}% more" in texts(app)
    bars = rows_of(specs(app)[0], "way")
    assert sorted(row["width"] for row in bars) == sorted([144, 144, extra])


def test_the_rows_are_those_that_the_model_adds() -> None:
    app = visit("position")
    match = re.search(r"the largest difference is (\S+?)\. ", texts(app))
    assert match
    assert 1e-8 <= written(match[1]) < 1e-6
    other = visit("position", base="100")
    assert sentence("en", "position.model_other", base="10,000", d_model=144) in texts(other)


# what is taken away


def test_several_matrices_are_one_picture() -> None:
    matrices = sine_matrices.worked_sum(10_000)
    root = ElementTree.fromstring(matrix_svg(matrices, section("matrix_figure")))
    drawn_texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {matrix.title for matrix in matrices} <= set(drawn_texts)
    assert len(matrix_rows(matrices[0])) == 16


def test_charts_keep_the_colour_of_a_column_and_stay_small() -> None:
    words = section("position_chart")
    table = sine_settings.Sines(10_000, 512, 256).table
    every = position_charts.curves_chart(table, range(0, 512, 64), range(8), words).spec
    some = position_charts.curves_chart(table, [128], [2], words).spec
    wide, narrow = (spec["layer"][0]["encoding"]["color"]["scale"]["range"] for spec in (every, some))
    assert narrow == [wide[2]]
    assert len(json.dumps(every)) < 200_000


def test_every_step_to_try_and_every_stop_leads_somewhere() -> None:
    for number in range(3):
        app = visit("position")
        app.button(key=f"try_{number}").click().run()
        assert not app.exception
        assert said(app) == []
        assert app.query_params["show"] in ("distance", "one")
    app = visit("position")
    app.button(key="tour_start").click().run()
    for _ in range(4):
        assert len(inside(app, "tour")) >= 1
        app.button(key="tour_next").click().run()
        assert not app.exception
        assert said(app) == []
    assert app.query_params["show"] == "others"
