"""The page of attention: its views, its address, clicks and files."""

import csv
import io
import threading
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from model.decode.translate import translate
from model.trace import ATTENTION_KINDS
from pages.attention import measures, stages
from pages.shared.models import warmup
from pages.shared.text.words import all_texts
from pages.shared.ui.downloads import export
from tests.app import click, downloads, said, sentence, visit
from tests.pages.attention.page import EN, HEAD, HERE, KIND, LAYER, Drawn, captions
from tests.samples import BUCH, LANGUAGES, either_language, german_english, in_turn
from viz.figures.figure import Figure
from viz.matrices.attention.stage_matrices import STEPS

pytestmark = pytest.mark.usefixtures("warm")


VIEWS = ("stages", "heads", "scale", "cell", "there", "measures", "rollout", "similarity")


SYSTEMS = ("de-en", "untrained-mini-encoder", "untrained-gpt", "untrained-notebook")


def titles(app: AppTest) -> list[str]:
    return [heading.value for heading in app.main.header]


# every view


@pytest.mark.sample(3)
@in_turn("system", SYSTEMS)
def test_every_view_opens_in_every_system(system: str, language: str, drawn: Drawn) -> None:
    for view in VIEWS:
        app = visit("attention", language, checkpoint=system, view=view)
        assert titles(app) == [sentence(language, f"attention_title.{view}")]
        assert sentence(language, f"attention_hint.{view}") in captions(app)
        assert said(app) == []
    of_several = {"heads_look", "heads_kept"} if system != "untrained-mini-encoder" else set()
    assert set(drawn) == of_several | {
        "stages", "scale", "cell", "there", "there_row", "measures", "rollout", "similarity",
    }  # fmt: skip


def test_a_view_is_chosen_by_hand_and_stands_in_the_address() -> None:
    app = visit("attention")
    for view in (*VIEWS[1:], VIEWS[0]):
        app.segmented_control(key="view").set_value(view).run()
        assert not app.exception
        assert titles(app) == [EN[f"attention_title.{view}"]]
        text = app.query_params.get("view")
        assert text in ((None,) if view == "stages" else (view, [view]))  # the default is left out


@in_turn(
    ("view", "key", "value"),
    [
        ("stages", "view", "sideways"), ("stages", "stage", "<b>x</b>"), ("cell", "query", "99"), ("cell", "key", "-1"),
        ("measures", "measure", "beauty"), ("rollout", "upto", "7"), ("rollout", "side", "cross"),
    ],
)  # fmt: skip
def test_an_address_that_asks_for_what_is_not_there_says_so(view: str, key: str, value: str, language: str) -> None:
    app = visit("attention", language, **({"view": view} | {key: value}))
    [notice] = said(app)
    assert value in notice
    assert titles(app) == [sentence(language, f"attention_title.{view}")]


@either_language
def test_what_needs_the_model_waits_for_it(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    for view, waits in (("stages", True), ("cell", True), ("measures", False), ("rollout", False)):
        result = sentence(language, "attention_stages.waits") in captions(visit("attention", language, view=view))
        assert result is waits


def step(app: AppTest) -> object:
    return app.segmented_control(key="stage").value


def test_the_steps_open_at_the_first_unless_a_link_says_otherwise() -> None:
    assert step(visit("attention")) == "input"
    assert step(visit("attention", stage="mix")) == "mix"
    # links from when the softmax was first left it out
    assert step(visit("attention", stages_cell="weights,3,1")) == "softmax"
    assert step(visit("attention", stages_cell="x,3,1")) == "input"


def test_next_leads_through_the_steps() -> None:
    app = click(visit("attention", view="stages", stage="raw"), "stage_next")
    assert app.query_params["stage"] in ("scaled", ["scaled"])


@in_turn("kind", ATTENTION_KINDS)
def test_the_chosen_kind_is_explained(kind: str, language: str) -> None:
    app = visit("attention", language, attention_kind=kind)
    [html] = [element.proto.body for element in app.main.get("html") if "term-attention-kind-" in element.proto.body]
    term = "cross-attention" if kind == "cross" else "self-attention"
    assert f'id="term-attention-kind-{term}"' in html


# the word or cell that is locked in the large map


def test_the_steps_to_try_and_the_tour_set_the_page_up() -> None:
    app = visit("attention", view="cell", query="0", key="1")
    app.button(key="try_2").click().run()
    assert app.query_params.get("query") is None
    for number in range(4):
        app.button(key=f"try_{number}").click().run()
        assert not app.exception
        assert said(app) == []
    app.button(key="tour_start").click().run()
    for _ in range(3):
        app.button(key="tour_next").click().run()
        assert not app.exception
    assert titles(app) == [EN["attention_title.measures"]]


def test_figures_have_exactly_their_words() -> None:
    for language in LANGUAGES:
        parts = {part for equation in STEPS.values() for _, part in equation} | {"queries", "keys", "model", "head"}
        for table, words_of_figure in (("attention_part", parts), ("attention_step", STEPS)):
            words_of_language = {
                key.removeprefix(f"{table}.") for key in all_texts(language) if key.startswith(f"{table}.")
            }
            assert words_of_language == set(words_of_figure)


# a click in a figure


def test_a_click_chooses_the_head_or_the_cell(drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: dict[str, object] = {}
    for module in (measures, stages):
        monkeypatch.setattr(module.view, "choose", lambda **choices: chosen.update(choices))
    visit("attention", view="measures")
    drawn["measures"].on_select(SimpleNamespace(key="decoder", row=2, column=3))
    assert chosen == {"attention_kind": "decoder", "layer": 2, "head": 3}
    visit("attention", view="similarity", attention_kind="encoder")
    drawn["similarity"].on_select(SimpleNamespace(key="alike", row=6, column=1))
    assert chosen == {"attention_kind": "encoder", "layer": 1, "head": 2, "other": 1}
    chosen.clear()
    visit("attention", view="cell")
    drawn["cell"].on_select(SimpleNamespace(key="scaled", row=1, column=2))
    assert chosen == {"query": 1, "key": 2}
    chosen.clear()
    visit("attention", stage="query")
    drawn["stages"].on_select(SimpleNamespace(key="w_q", row=1, column=2))
    assert chosen == {}


# taking the figure away


@in_turn(("page", "lines"), [("start", True), ("attention", False)])
def test_the_svg_is_the_figure_of_the_page(page: str, lines: bool, language: str, monkeypatch) -> None:
    """Linked words on Start, cells on Attention; both name the head."""
    figures: list[Figure] = []
    monkeypatch.setattr(export, "files", lambda name, figure, end: figures.append(figure))
    visit(page, language, **HERE)
    svg = figures[0].svg()
    assert ("<path" in svg) is lines
    texts = section_of(language)
    assert f"<title>{texts['head_name'].format(kind=texts[KIND], layer=LAYER, head=HEAD)}</title>" in svg
    assert ">cinema</text>" in svg


def section_of(language: str) -> dict[str, str]:
    start = "attention_figure."
    return {key.removeprefix(start): text for key, text in all_texts(language).items() if key.startswith(start)}


def test_the_numbers_and_the_picture_are_those_of_the_sentence() -> None:
    files = downloads(visit("attention", sentence=BUCH, **HERE))
    trace = translate(german_english(), BUCH).trace
    weights = trace.weights(KIND)[LAYER, HEAD]
    lines = list(csv.DictReader(io.StringIO(files["csv"].make().decode("utf-8-sig"))))
    assert len(lines) == weights.size
    for line in lines:
        query, key = int(line["query_index"]), int(line["key_index"])
        assert float(line["weight"]) == pytest.approx(weights[query, key], abs=1e-5)
        assert (line["query"], line["key"]) == (trace.output_tokens[query], trace.source_tokens[key])
        assert line["read"] == trace.target_tokens[query]
    texts = [node.text for node in ElementTree.fromstring(files["svg"].make()).iter("{http://www.w3.org/2000/svg}text")]
    assert {*trace.source_tokens, *trace.output_tokens} <= set(texts)
