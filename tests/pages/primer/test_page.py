"""The primer's page: its numbers on the screen and in its figures, its controls, and what it says to bad links."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app import controls, inside, said, sentence, visit
from tests.figures import check_chart, watching_figures
from tests.samples import LANGUAGES, either_language, in_turn
from viz.figures.chart import Chart
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")

FIGURES = ("dictionary", "query", "query_weights", "vectors", "scores", "weights", "variance", "softmax")
KEY = "\u2080\u2081\u2082\u2083\u2084\u2085"


@pytest.fixture
def drawn() -> Iterator[dict[str, list[dict[str, Any]]]]:
    """The numbers of each figure, by its name, as a user takes them away; each figure is a valid chart."""
    result: dict[str, list[dict[str, Any]]] = {}

    def keep(name: str, figure: Figure) -> None:
        assert isinstance(figure, Chart)
        check_chart(figure.spec)
        assert figure.spec["description"]
        result[name] = [dict(row) for row in figure.rows()]

    with watching_figures(keep):
        yield result


def metrics(app: AppTest) -> list[str]:
    return [metric.value for metric in app.metric]


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.main.caption]


@pytest.mark.sample(3)
@in_turn("checkpoint", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_the_page_needs_no_particular_model(language: str, checkpoint: str, drawn: dict) -> None:
    app = visit("primer", language, checkpoint=checkpoint)
    assert [title.value for title in app.title] == [sentence(language, "primer.question")]
    assert inside(app, "lead") == [sentence(language, "primer.lead")]
    for part, steps in (("dictionary", 2), ("query", 3), ("scores", 1), ("why", 1)):
        app = visit("primer", language, checkpoint=checkpoint, show=part)
        assert [header.value for header in app.header] == [sentence(language, f"primer_{part}.title")]
        assert said(app) == []
        assert len([button for button in app.button if (button.key or "").startswith("try_")]) == steps
    assert set(drawn) == set(FIGURES)


@pytest.mark.parametrize(
    ("link", "part"),
    [
        ({"asked": "fruit"}, "dictionary"), ({"weight_chair": "0.5"}, "dictionary"), ({"similarity": "dot"}, "query"),
        ({"likeness": "0.25"}, "scores"), ({"measure": "entropy", "size": "512"}, "why"),
    ],
)  # fmt: skip
def test_a_link_from_before_the_tabs_opens_the_figure_that_it_is_about(link: dict, part: str) -> None:
    app = visit("primer", **link)
    assert [header.value for header in app.header] == [sentence("en", f"primer_{part}.title")]
    assert said(app) == []
    controls(app)["show"].set_value("dictionary").run()  # and the user can leave it
    assert [header.value for header in app.header] == [sentence("en", "primer_dictionary.title")]


def test_it_works_without_any_model(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    assert metrics(visit("primer")) == ["10", "8", "1"]


def test_the_dictionary_answers_ten_and_eight(drawn: dict) -> None:
    app = visit("primer")
    assert metrics(app) == ["10", "8", "1"]
    assert sentence("en", "primer_dictionary.is_one") in captions(app)
    soft = {row["item"]: row["product"] for row in drawn["dictionary"] if row["look_up"] == "Soft look-up"}
    hard = {row["item"]: row["product"] for row in drawn["dictionary"] if row["look_up"] == "Hard look-up"}
    assert soft == pytest.approx({"apple": 6, "banana": 2, "chair": 0, "sum": 8})
    assert hard == {"apple": 10, "banana": 0, "chair": 0, "sum": 10}


def test_weights_and_values_can_be_edited_by_hand() -> None:
    app = visit("primer")
    app.slider(key="weight_chair").set_value(0.5).run()
    assert metrics(app) == ["10", "9", "1.5"]  # 6 + 2 + 1
    assert sentence("en", "primer_dictionary.is_not") in captions(app)
    app.toggle(key="normalise").set_value(True).run()
    assert metrics(app) == ["10", "6", "1"]  # 9 / 1.5
    app.number_input(key="value_apple").set_value(16).run()
    assert metrics(app) == ["16", "8.4", "1"]  # (9.6 + 2 + 1) / 1.5
    controls(app)["asked"].set_value("fruit").run()
    assert metrics(app)[0] == sentence("en", "primer_dictionary.missing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_weights_that_sum_to_nothing_get_a_sentence(language: str) -> None:
    app = visit("primer", language, weight_apple="0", weight_banana="0", normalise="1")
    [notice] = said(app)
    assert "0" in notice
    assert metrics(app)[1:] == ["0", "0"]


@either_language
def test_the_output_slides_from_one_sign_to_the_other(language: str, drawn: dict) -> None:
    app = visit("primer", language, show="query")
    for row in drawn["query"]:
        assert row["output"] == pytest.approx(50 + 130 / (1 + math.exp(-10 * (row["q"] - 1.5))))
    weight = 1 / (1 + math.exp(5))  # of the other key, for a query on a key
    one, two = 50 + 130 * weight, 180 - 130 * weight
    assert sentence(language, "primer_query.at_keys_gaussian", one=f"{one:.4g}", two=f"{two:.4g}") in captions(app)
    first, second = app.latex[0].value.split("q_2")
    for on_screen, q in ((first, 1.2), (second, 1.8)):
        assert f"& = {50 + 130 / (1 + math.exp(-10 * (q - 1.5))):.2f}" in on_screen
    assert not any("7 · 1" in caption for caption in captions(app))  # the tutorial's numbers are not in view


SETTINGS = ("query_a", "query_b", "similarity", "sharpness")


def settings(app: AppTest) -> tuple[object, ...]:
    sliders = {slider.key: slider.value for slider in app.slider}
    return tuple(sliders.get(key) if key in sliders else controls(app)[key].value for key in SETTINGS)


def test_the_numbers_of_a_tutorial_are_a_step(drawn: dict) -> None:
    app = visit("primer", show="query")
    [step] = [each for each in app.button if each.label == sentence("en", "primer.try_tutorial")]
    step.click().run()
    assert [row["score"] for row in drawn["query_weights"]] == [7, 14, 8, 16]
    assert "\\ & = 179.88" in app.latex[0].value
    assert any("7 · 1 = 7" in caption and "179.98" in caption for caption in captions(app))


@pytest.mark.parametrize(
    ("link", "meant"),
    [
        ({"query_a": "1.5"}, (1.5, 8, "dot", 1)),
        ({"similarity": "gaussian"}, (7, 8, "gaussian", 1)),
        ({"similarity": "gaussian", "query_a": "1.5"}, (1.5, 8, "gaussian", 1)),
        ({"sharpness": "0"}, (7, 8, "dot", 0)),
        ({"weight_chair": "0.5"}, (1.2, 1.8, "gaussian", 10)),
    ],
)
def test_a_link_to_some_settings_of_the_query_means_what_it_meant(link: dict, meant: tuple) -> None:
    """The first links left out queries 7 and 8, the dot product, and sharpness 1."""
    app = visit("primer", **link)
    controls(app)["show"].set_value("query").run()
    assert settings(app) == meant
    app.run()
    assert settings(app) == meant
    app.slider(key="query_b").set_value(3.0).run()
    assert settings(app) == (meant[0], 3.0, *meant[2:])


def test_a_link_from_a_moved_query_names_all_its_settings() -> None:
    app = visit("primer", show="query")
    app.slider(key="query_a").set_value(1.4).run()
    named = {key: app.query_params[key] for key in SETTINGS}
    assert named == {"query_a": "1.4", "query_b": "1.8", "similarity": "gaussian", "sharpness": "10"}
    again = visit("primer", **named)
    assert settings(again) == (1.4, 1.8, "gaussian", 10)


def test_waist_and_hip_on_the_screen(drawn: dict) -> None:
    app = visit("primer", query_a="7", query_b="8", similarity="dot", sharpness="1")
    first, second = app.latex[0].value.split("q_2")
    assert "0.0009 \\cdot 50 + 0.9991 \\cdot 180 \\\\ & = 179.88" in first
    assert "0.0003 \\cdot 50 + 0.9997 \\cdot 180 \\\\ & = 179.96" in second
    assert [row["score"] for row in drawn["query_weights"]] == [7, 14, 8, 16]
    share = 1 / (1 + math.exp(7))
    assert drawn["query_weights"][0]["weight"] == pytest.approx(share)
    for row in drawn["query"][::10]:
        assert row["output"] == pytest.approx(50 + 130 / (1 + math.exp(-row["q"])))
    assert any("179.98" in caption for caption in captions(app))  # read as one query


def test_the_query_moves(drawn: dict) -> None:
    app = visit("primer", similarity="gaussian", query_a="1.5", sharpness="1")
    assert "0.5000 \\cdot 50 + 0.5000 \\cdot 180 \\\\ & = 115.00" in app.latex[0].value
    app.slider(key="query_b").set_value(1.0).run()
    near = math.exp(0) / (math.exp(0) + math.exp(-0.5))
    assert drawn["query_weights"][2]["weight"] == pytest.approx(near)
    app.slider(key="sharpness").set_value(0.0).run()
    assert [row["weight"] for row in drawn["query_weights"]] == [0.5] * 4


def test_the_scores_come_from_the_vectors_in_view(drawn: dict) -> None:
    visit("primer", d_k="4", vector_seed="7")
    vectors: dict[str, list[float]] = {}
    for row in drawn["vectors"]:
        vectors.setdefault(row["vector"], []).append(row["value"])
    assert {len(vector) for vector in vectors.values()} == {4}
    on_screen = {(row["function"], row["key"]): row["score"] for row in drawn["scores"]}
    shares = {(row["function"], row["key"]): row["weight"] for row in drawn["weights"]}
    assert len(on_screen) == len(shares) == 15
    for function, scale in (("Dot product", 1), ("Scaled dot product", 2)):
        dots = {}
        for i in range(1, 6):
            key = f"k{KEY[i]}"
            dots[key] = sum(a * b for a, b in zip(vectors["q"], vectors[key], strict=True)) / scale
            assert on_screen[function, key] == pytest.approx(dots[key], abs=2e-3)  # entries are shown with four digits
        total = sum(math.exp(dot) for dot in dots.values())
        for key, dot in dots.items():
            assert shares[function, key] == pytest.approx(math.exp(dot) / total, abs=2e-3)
    for function in ("Dot product", "Scaled dot product", "Additive (Bahdanau)"):
        assert sum(share for (name, _), share in shares.items() if name == function) == pytest.approx(1)


@pytest.mark.parametrize("measure", ["largest", "entropy", "gradient"])
def test_what_the_division_does(measure: str, drawn: dict) -> None:
    app = visit("primer", measure=measure, size="512")
    for row in drawn["variance"]:
        assert row["theory"] == row["d_k"]
        assert row["low"] < row["variance"] < row["high"]
        assert abs(row["variance"] / row["d_k"] - 1) < 0.2
    at = {(row["d_k"], row["scores"]): row["median"] for row in drawn["softmax"]}
    without, divided = sentence("en", "primer_why.unscaled"), sentence("en", "primer_why.scaled")
    assert len(at) == 18
    change = at[512, without] / at[2, without]
    assert change > 3 if measure == "largest" else change < 0.02
    assert at[512, divided] / at[2, divided] == pytest.approx(1, abs=0.2)
    expected = f"{at[512, without]:.2g} "
    assert any("512" in caption and expected in caption for caption in captions(app))


def test_a_tour_and_a_step_set_the_page_up() -> None:
    app = visit("primer", weight_chair="0.5")
    app.button(key="tour_start").click().run()
    assert metrics(app) == [sentence("en", "primer_dictionary.missing"), "8", "1"]  # as its card says
    app.button(key="try_1").click().run()
    assert metrics(app)[1:] == ["6", "1"]
    app.button(key="tour_next").click().run()
    assert "= 115.00" in app.latex[0].value
    assert not app.exception


@pytest.mark.sample(3)
@in_turn(
    ("asked", "value"),
    [
        ("weight_apple", "2"), ("weight_apple", "nan"), ("value_apple", "-1"), ("query_a", "inf"), ("asked", "pear"),
        ("similarity", "<b>x</b>"), ("d_k", "3"), ("vector_seed", "-1"), ("size", "1024"), ("keys", "5"),
        ("measure", "![](http://x/y.png)"), ("sharpness", "much"), ("normalise", "yes"),
    ],
)  # fmt: skip
def test_a_bad_link_falls_back_and_says_so(language: str, asked: str, value: str) -> None:
    app = visit("primer", language, **{asked: value})
    [notice] = said(app)
    assert value in notice
    assert metrics(visit("primer", language, **{asked: value}, show="dictionary")) == ["10", "8", "1"]


@either_language
def test_figures_are_drawn_in_the_reader_s_language(language: str, drawn: dict) -> None:
    visit("primer", language)
    visit("primer", language, show="query")
    assert {row["look_up"] for row in drawn["dictionary"]} == {
        sentence(language, "primer_dictionary.hard"), sentence(language, "primer_dictionary.soft"),
    }  # fmt: skip
    assert sentence(language, "primer_query.sign") in drawn["query_weights"][0]["key"]
