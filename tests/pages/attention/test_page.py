"""The attention page: every view of it, and its numbers against the model worked out a second time."""

import math
import re
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.analysis.attention.measures import measures
from model.decode.translate import translate
from pages.attention import arithmetic, stages
from pages.attention import measures as attention_measures
from pages.shared.models import warmup
from pages.shared.text.words import catalogue
from pages.shared.ui import attention_figure, export
from tests.app import controls, inside, said, sentence, visit
from tests.fixtures import KINO, LANGUAGES, MARKUP, SAMPLES, german_english
from viz.data import AttentionPanel, Matrix, Pin
from viz.html import arithmetic as cell_tables
from viz.matrices.attention import measures as measure_figures
from viz.matrices.attention.stages import STEPS
from viz.matrices.attention.stages import WORDS as PARTS

pytestmark = pytest.mark.usefixtures("warm")

VIEWS = ("stages", "cell", "measures", "rollout", "similarity")
SYSTEMS = ("de-en", "untrained-mini-encoder", "untrained-gpt", "untrained-notebook")
EN = catalogue("en")
KIND, LAYER, HEAD = "cross", 1, 2
HERE = {"attention_kind": KIND, "layer": str(LAYER), "head": str(HEAD)}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, SimpleNamespace]:
    """What the page hands to its matrix figures, by the key of the figure."""
    figures: dict[str, SimpleNamespace] = {}

    def keep(key: str, matrices: list[Matrix], **options: object) -> None:
        figures[key] = SimpleNamespace(matrices={matrix.key: matrix for matrix in matrices}, **options)

    for module in (arithmetic, attention_measures, stages):
        monkeypatch.setattr(module, "matrices", keep)
    return figures


Drawn = dict[str, SimpleNamespace]


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.main.caption]


def titles(app: AppTest) -> list[str]:
    return [heading.value for heading in app.main.header]


# every view


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_view_opens_in_every_system(system: str, language: str, drawn: Drawn) -> None:
    for view in VIEWS:
        app = visit("attention", language, checkpoint=system, view=view)
        assert titles(app) == [sentence(language, f"attention_title.{view}")]
        assert sentence(language, f"attention_hint.{view}") in captions(app)
        assert said(app) == []
    assert set(drawn) == {"stages", "cell", "measures", "rollout", "similarity"}


def test_a_view_is_chosen_by_hand_and_stands_in_the_address() -> None:
    app = visit("attention")
    for view in (*VIEWS[1:], VIEWS[0]):
        app.segmented_control(key="view").set_value(view).run()
        assert not app.exception
        assert titles(app) == [EN[f"attention_title.{view}"]]
        written = app.query_params.get("view")
        assert written in ((None,) if view == "stages" else (view, [view]))  # the default is left out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_needs_the_model_waits_for_it(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    for view, waits in (("stages", True), ("cell", True), ("measures", False), ("rollout", False)):
        found = sentence(language, "attention_stages.waits") in captions(visit("attention", language, view=view))
        assert found is waits


# the word or cell that is locked in the large map


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> list[Pin | None]:
    """What the large map is told to lock, run after run."""
    found: list[Pin | None] = []
    pack = attention_figure.attention_data

    def watch(panels: list[AttentionPanel], *, pin: Pin | None, **rest: object) -> bytes:
        found.append(pin)
        return pack(panels, pin=pin, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(attention_figure, "attention_data", watch)
    return found


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("cross,3,1", Pin("cross", 3, 1)), ("cross,0,0", Pin("cross", 0, 0)), ("cross,2,", Pin("cross", 2, None)),
        ("decoder,,4", Pin("decoder", None, 4)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("page", ["attention", "start"])
def test_a_link_locks_a_word_or_a_cell(text: str, pin: Pin, page: str, pins: list[Pin | None]) -> None:
    app = visit(page, pin=text)
    assert said(app) == []
    assert pins == [pin]
    assert app.query_params["pin"] in (text, [text])  # it stays in the address
    app.button(key="try_1" if page == "attention" else "try_0").click().run()  # a step that stays with the model
    assert pins[-1] == pin


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("checkpoint", ["de-en", "untrained-mini-encoder"])
def test_a_step_opens_a_head_that_looks_at_the_token_before(checkpoint: str, language: str, monkeypatch) -> None:
    """The large map shows the head with the highest score of its model, and that is at least one half."""
    app = visit("attention", language, checkpoint=checkpoint, layer="0", head="1")
    opened: list[dict[str, Any]] = []
    monkeypatch.setattr(attention_figure, "attention", lambda panels, **at: opened.append({"panels": panels, **at}))
    [step] = [each for each in app.button if each.label == sentence(language, "attention.try_previous")]
    step.click().run()
    at = opened[-1]
    panel = next(panel for panel in at["panels"] if panel.kind == at["kind"])
    scores = measures(panel.weights, panel.kind)["previous"]
    assert scores[at["layer"], at["head"]] == scores.max() >= 0.5
    assert controls(app)["measure"].value == "previous"
    assert said(app) == []


def test_without_that_model_the_step_opens_the_measure(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "de-en").symlink_to(SAMPLES / "de-en")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("attention")
    [step] = [each for each in app.button if each.label == sentence("en", "attention.try_previous")]
    step.click().run()
    assert controls(app)["measure"].value == "previous"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text",
    ["cross,99,0", "cross,0,99", "cross,,", "cross,1", "cross,1,2,3", "cross,-1,0", "cross,²,0", "sideways,1,1", "x"],
)
def test_a_link_that_locks_what_is_not_there_says_so(text: str, language: str, pins: list[Pin | None]) -> None:
    app = visit("attention", language, pin=text)
    [notice] = said(app)
    assert text in notice
    assert sentence(language, "place.pin") in notice
    assert pins == [None]
    assert "pin" not in app.query_params


def test_a_model_without_that_kind_of_attention_says_so(pins: list[Pin | None]) -> None:
    app = visit("attention", checkpoint="untrained-gpt", pin="cross,0,0")
    assert ["cross,0,0" in notice for notice in said(app)] == [True]
    assert pins == [None]


def test_another_sentence_lets_go(pins: list[Pin | None]) -> None:
    app = visit("attention", pin="cross,3,1")
    app.text_input(key="sentence").set_value("Das Kino ist alt.").run()
    assert said(app) == []
    assert pins == [Pin("cross", 3, 1), None]
    assert "pin" not in app.query_params


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
        for table, needed in (
            ("attention_part", PARTS), ("attention_chart", measure_figures.WORDS), ("attention_step", STEPS),
        ):  # fmt: skip
            known = {key.removeprefix(f"{table}.") for key in catalogue(language) if key.startswith(f"{table}.")}
            assert known == set(needed)
        assert {f"attention_cell.{word}" for word in cell_tables.WORDS} <= set(catalogue(language))


# the stages, worked out by torch from the model's own weights


@pytest.fixture(scope="module")
def worked() -> dict[str, np.ndarray]:
    """The chosen head once more: no code of the page, the pass begins at the recorded residual stream."""
    model, values = german_english().model, translate(german_english(), KINO).trace.values
    block, size = model.decoder[LAYER], model.config.d_model // model.config.heads
    before = torch.from_numpy(values[f"decoder.{LAYER}.self_attention.residual"])
    memory = torch.from_numpy(values["encoder.output"])
    attention, own = block.cross_attention, slice(HEAD * size, (HEAD + 1) * size)
    x = block.residuals[1].norm(before)
    q, k, v = attention.q(x), attention.k(memory), attention.v(memory)
    split = lambda y: y.reshape(len(y), model.config.heads, size).transpose(0, 1)  # noqa: E731
    every = torch.nn.functional.scaled_dot_product_attention(split(q), split(k), split(v))  # (H, Q, D)
    joined = every.transpose(0, 1).reshape(len(x), -1)
    output = attention.output(joined)
    raw = torch.einsum("qd,kd->qk", q[:, own], k[:, own])
    found = {
        "before": before, "x": x, "memory": memory, "q": q[:, own], "k": k[:, own], "v": v[:, own],
        "w_q": attention.q.weight[own].T, "w_o": attention.output.weight.T, "b_o": attention.output.bias[None],
        "raw": raw, "scaled": raw / math.sqrt(size), "weights": (raw / math.sqrt(size)).softmax(dim=-1),
        "head_output": every[HEAD], "concatenated": joined, "output": output, "residual": before + output,
    }  # fmt: skip
    return {name: value.detach().numpy() for name, value in found.items()}


def test_the_steps_show_the_pass(worked: dict[str, np.ndarray], drawn: Drawn) -> None:
    app = visit("attention", stage="input", **HERE)
    trace = translate(german_english(), KINO).trace
    shown: dict[str, Matrix] = {}
    for number, step in enumerate(STEPS):
        assert EN["attention_stages.of"].format(number=number + 1, count=len(STEPS)) in captions(app)
        assert app.segmented_control(key="stage").value == step
        shown |= drawn["stages"].matrices
        assert app.button(key="stage_next").disabled == (number == len(STEPS) - 1)
        app.button(key="stage_next").click().run() if number < len(STEPS) - 1 else None
        assert not app.exception
    for name, value in worked.items():
        np.testing.assert_allclose(shown[name].values, value, atol=2e-4, err_msg=name)
    assert shown["weights"].rows == trace.output_tokens
    assert shown["weights"].columns == trace.source_tokens
    assert shown["allowed"].values.all()
    app.button(key="stage_back").click().run()
    assert app.segmented_control(key="stage").value == "output"


def test_a_decoder_cannot_see_the_future(drawn: Drawn) -> None:
    visit("attention", stage="masked", attention_kind="decoder", layer="0", head="0")
    matrices = drawn["stages"].matrices
    count = len(matrices["allowed"].rows)
    np.testing.assert_array_equal(matrices["allowed"].values, np.tri(count, dtype=bool))
    assert (matrices["masked"].values[np.triu_indices(count, 1)] == -np.inf).all()


def test_a_step_names_its_shapes() -> None:
    app = visit("attention", stage="query", **HERE)
    formula = next(latex.value for latex in app.main.latex if "W^Q" in latex.value)
    assert r"\underset{144 \times 36}{W^Q_{2}}" in formula


# the arithmetic of a cell


def numbers(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(r"−?\d+(?:\.\d+)?(?:e−?\d+)?", text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_written_out_adds_up(language: str, worked: dict[str, np.ndarray]) -> None:
    query, key = 4, 5
    app = visit("attention", language, view="cell", query=str(query), key=str(key), **HERE)
    bodies = [element.proto.body for element in app.main.get("html")]
    steps, products, row = (body for body in bodies if "gf-numbers" in body or "gf-products" in body)
    lines = [numbers(re.sub("<span>.*?</span>|<[^>]*>", " ", line)) for line in products.split("<li>")[1:]]
    q, k = worked["q"][query], worked["k"][key]
    assert len(lines) == 36
    for (a, b, product), x, y in zip(lines, q, k, strict=True):
        assert (a, b) == (pytest.approx(float(x), abs=1e-3), pytest.approx(float(y), abs=1e-3))
        assert product == pytest.approx(a * b, abs=0.51e-4)
    cells = [re.findall("<td>(.*?)</td>", line) for line in steps.split("<tr>")[2:]]
    (dot, score, power, total, weight), exact = zip(*[(numbers(a)[-1], numbers(b)[0]) for a, b in cells], strict=True)
    assert dot == pytest.approx(sum(line[2] for line in lines), abs=1e-6)
    assert score == pytest.approx(dot / 6, abs=0.51e-4)
    assert power == pytest.approx(math.exp(score), rel=1e-5)
    powers = [numbers(re.sub("<th.*?</th>", "", line))[1] for line in row.split("<tr")[2:]]
    assert powers[key] == power
    assert total == pytest.approx(sum(powers), rel=1e-5)
    assert weight == pytest.approx(power / total, abs=0.51e-4)
    raw, scaled = worked["raw"][query, key], worked["scaled"][query]
    powers_of_e = np.exp(scaled.astype(float))
    expected = (raw, scaled[key], powers_of_e[key], powers_of_e.sum(), worked["weights"][query, key])
    for found, value in zip(exact, expected, strict=True):
        assert found == pytest.approx(float(value), rel=1e-3)


def test_the_greatest_weight_is_worked_out_first(worked: dict[str, np.ndarray], drawn: Drawn) -> None:
    visit("attention", view="cell", **HERE)
    place = np.unravel_index(worked["weights"].argmax(), worked["weights"].shape)
    assert drawn["cell"].selection == ("weights", *place)


def test_a_forbidden_cell_is_worked_out_too() -> None:
    app = visit("attention", view="cell", attention_kind="decoder", layer="0", head="0", query="1", key="3")
    text = " ".join(inside(app, "arithmetic"))
    assert EN["attention_cell.hidden"] in text
    assert EN["attention_cell.forbidden"] in text


def test_typed_markup_is_text_in_the_arithmetic() -> None:
    app = visit("attention", view="cell", sentence=MARKUP)
    bodies = [element.proto.body for element in app.main.get("html")]
    assert not any("<b>x" in body or "<img" in body for body in bodies)


# rollout, measures, likeness


def test_rollout_is_that_of_the_paper(drawn: Drawn) -> None:
    for side in ("encoder", "decoder"):
        weights = translate(german_english(), KINO).trace.weights(side).astype(float)
        expected = np.eye(weights.shape[-1])
        for layer in weights[:2]:
            expected = (layer.mean(axis=0) / 2 + np.eye(len(expected)) / 2) @ expected
        visit("attention", view="rollout", side=side, upto="1")
        shown = drawn["rollout"].matrices["rollout"].values
        np.testing.assert_allclose(shown, expected, atol=1e-6)
        np.testing.assert_allclose(shown.sum(axis=1), 1, atol=1e-6)
        mean = drawn["rollout"].matrices["mean"].values
        np.testing.assert_allclose(mean, weights[1].mean(axis=0), atol=1e-6)


MEASURES: dict[str, Callable[[np.ndarray], float]] = {
    "entropy": lambda w: float(np.mean([-sum(x * math.log2(x) for x in row if x > 0) for row in w])),
    "distance": lambda w: float(np.mean([sum(x * abs(q - k) for k, x in enumerate(row)) for q, row in enumerate(w)])),
    "previous": lambda w: float(np.mean([w[q, q - 1] for q in range(1, len(w))])),
    "first": lambda w: float(np.mean(w[:, 0])),
    "diagonal": lambda w: float(np.trace(w) / len(w)),
    "coverage": lambda w: float(np.mean([min(1.0, column.sum()) for column in w.T])),
}


@pytest.mark.parametrize("name", MEASURES)
def test_measures_on_the_wall_and_in_the_table(name: str, drawn: Drawn) -> None:
    app = visit("attention", view="measures", measure=name)
    trace = translate(german_english(), KINO).trace
    kinds = {
        "coverage": ["cross"], "distance": ["encoder", "decoder"], "previous": ["encoder", "decoder"],
        "diagonal": ["encoder", "decoder"],
    }.get(name, ["encoder", "decoder", "cross"])  # fmt: skip
    walls, table = drawn["measures"].matrices, app.dataframe[0].value
    assert list(walls) == kinds
    assert len(table) == 36
    for kind, weights in ((kind, trace.weights(kind)) for kind in kinds):
        for layer in range(3):
            for head in range(4):
                expected = MEASURES[name](weights[layer, head].astype(float))
                assert walls[kind].values[layer, head] == pytest.approx(expected, abs=1e-5)
                lines = table[(table["kind"] == EN[f"attention_figure.wall_{kind}"]) & (table["layer"] == layer)]
                assert float(lines[lines["head"] == head][name].iloc[0]) == pytest.approx(expected, abs=1e-5)


def test_likeness_names_the_most_and_the_least_alike(drawn: Drawn) -> None:
    app = visit("attention", view="similarity", attention_kind="encoder")
    alike = drawn["similarity"].matrices["alike"]
    np.testing.assert_allclose(np.diag(alike.values), 1)
    np.testing.assert_allclose(alike.values, alike.values.T)
    off = np.where(np.eye(12, dtype=bool), -1, alike.values)
    i, j = sorted(np.unravel_index(off.argmax(), off.shape))
    expected = EN["attention_similarity.most"].format(
        first=f"{i // 4}·{i % 4}", second=f"{j // 4}·{j % 4}", value=f"{off.max():.3f}"
    )
    assert expected in [text.value for text in app.main.text]


def test_one_head_alone_is_said_so() -> None:
    app = visit("attention", checkpoint="untrained-mini-encoder", view="similarity")
    assert EN["attention_similarity.alone"] in captions(app)


# a click in a figure


def test_a_click_chooses_the_head_or_the_cell(drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: dict[str, object] = {}
    for module in (attention_measures, stages):
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("page", "lines"), [("start", True), ("attention", False)])
def test_the_svg_is_the_figure_of_the_page(page: str, lines: bool, language: str, monkeypatch) -> None:
    """Linked words on Start, cells on Attention; both name the head."""
    taken: list[Callable[[], str]] = []
    monkeypatch.setattr(export, "files", lambda name, svg, rows, **settings: taken.append(svg))
    visit(page, language, **HERE)
    svg = taken[0]()
    assert ("<path" in svg) is lines
    texts = section_of(language)
    assert f"<title>{texts['head_name'].format(kind=texts[KIND], layer=LAYER, head=HEAD)}</title>" in svg
    assert ">cinema</text>" in svg


def section_of(language: str) -> dict[str, str]:
    start = "attention_figure."
    return {key.removeprefix(start): text for key, text in catalogue(language).items() if key.startswith(start)}
