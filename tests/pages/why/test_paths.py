"""The paths of a word on the page: sums, runs and recorded edges as the model has them, in every kind of model."""

import html
import json

import pytest

from model.attribution.paths.faithfulness import logits_of, share_kept
from model.attribution.paths.graph import contribution_graph
from model.attribution.paths.pruning import strongest
from model.attribution.why_question import Question
from model.decode.translate import translate
from model.edit.edit_effects import generated
from pages.why.paths import cached_paths
from tests.app import downloads, inside, said, sentence, table, visit
from tests.samples import KINO, SAMPLES, either_language, german_english
from viz.numbers import percent, signed

pytestmark = pytest.mark.usefixtures("warm")
STEP = 4  # cinema


def asked(rather: int | None = None) -> Question:
    run = translate(german_english(), KINO)
    return Question(run, STEP, int(generated(run)[STEP]), rather)


@either_language
def test_the_figure_has_the_strongest_edges_and_the_sum_is_said(language: str) -> None:
    app = visit("why", language, show="parts", step=str(STEP), edges="12")
    assert said(app) == []
    graph = contribution_graph(german_english().model, asked())
    rows = table(app, "why-paths")
    assert list(rows["value"]) == pytest.approx(
        sorted((edge.value for edge in strongest(graph, 12)), key=lambda v: -abs(v))
    )
    sums = {"source": graph.inputs["encoder"].sum(), "written": graph.inputs["decoder"].sum(), "biases": graph.biases,
            "logit": graph.logit}  # fmt: skip
    texts = {name: signed(float(value)) for name, value in sums.items()}
    assert sentence(language, "why_paths.sum", **texts) in inside(app, "figure_paths")


@either_language
def test_what_is_kept_is_said_and_drawn(language: str) -> None:
    app = visit("why", language, show="parts", step=str(STEP), edges="24")
    question = asked()
    graph = contribution_graph(german_english().model, question)
    edges = strongest(graph, 24)
    none, logit = logits_of(german_english(), question, graph, [[], edges])
    share = share_kept(float(logit), graph.logit, float(none))
    texts = section_of(app)
    assert percent(share) in texts
    assert signed(float(logit)) in texts
    rows = table(app, "why-kept")
    drawn = rows[(rows["edges"] == 24) & (rows["run"] == "free")]["kept"]
    assert list(drawn) == pytest.approx([share], abs=1e-4)
    assert set(rows["edges"]) == {0, *cached_paths.SIZES}


def section_of(app) -> str:
    return html.unescape(" ".join(inside(app, "figure_kept")))


def test_recorded_edges_are_those_of_the_file() -> None:
    app = visit("why", checkpoint="reverse", show="parts")
    recording = json.loads((SAMPLES / "reverse" / "edges.json").read_text(encoding="utf-8"))
    text = " ".join(inside(app, "figure_edges"))
    for method in ("eap", "eap_ig"):
        for weights in ("trained", "random"):
            assert signed(recording["agreement"][weights][method]["rank"][0]) in text
    rows = table(app, "why-edges").set_index("edge")
    assert {edge: list(rows.loc[edge, ["real", "eap", "eap_ig"]]) for edge in recording["edges"]} == recording["edges"]


@pytest.mark.parametrize(
    ("checkpoint", "key"),
    [("mini-encoder", "cannot"), ("llm-rotary", "not_measured"), ("untrained-gpt", "not_measured_own")],
)
def test_a_model_without_a_recording_says_why_and_shows_another(checkpoint: str, key: str) -> None:
    app = visit("why", checkpoint=checkpoint, show="parts")
    assert said(app) == []
    texts = inside(app, "figure_edges")
    assert sentence("en", f"why_edges.{key}", example="reverse") in texts
    assert len(table(app, "why-edges")) > 0


def test_the_picture_and_the_file_have_the_sentences() -> None:
    app = visit("why", show="parts", step=str(STEP), edges="4")
    files = {name: file for name, file in downloads(app).items() if name.endswith("_why-paths")}
    picture = files["svg_why-paths"].make().decode()
    for said_of_edge in table(app, "why-paths")["said"]:
        assert html.escape(said_of_edge, quote=False).split(" ")[0] in picture
    assert "cinema" in picture


def test_a_long_text_has_a_sentence_in_place_of_a_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_paths, "MOST_TOKENS", 3)
    assert sentence("en", "why_paths.too_long", most=3) in inside(visit("why", show="parts"), "figure_paths")


def test_wrong_number_of_edges_in_a_link_is_answered() -> None:
    assert len(said(visit("why", show="parts", edges="5"))) == 1
