"""The switch for whole words: on Start, Attention and /why, in a link, in files, and with imported tokenizers."""

import csv
import io
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load
from model.decode.translate import Translation, translate
from model.pretrained import importing
from model.pretrained.card import Origin
from pages.shared.ui import attention_figure, show
from tests.app import downloads, said, sentence, visit
from tests.figures import attention, figures
from tests.model.pretrained.small import build
from tests.samples import SAMPLES, german_english, in_turn
from viz.data import Pin
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure

__all__ = ["figures"]
pytestmark = pytest.mark.usefixtures("warm")
RARE = "Der Buchhändler ist schön, oder?"
SOURCE = ("<bos>", "Der", "Buchhändler", "ist", "schön", ",", "oder", "?", "<eos>")


def rare() -> Translation:
    return translate(german_english(), RARE)


def unexpected(app: AppTest) -> list[str]:
    """Notices of the page, but that training never showed the rare word."""
    return [notice for notice in said(app) if "Buchhändler" not in notice]


@in_turn("page", ["start", "attention"])
def test_the_figure_joins_the_tokens_of_each_word(page: str, language: str, figures: list[Figure]) -> None:
    app = visit(page, language, sentence=RARE, attention_kind="cross", layer="1", head="0")
    plain = attention(figures).panels["cross"]
    assert plain.keys == rare().trace.source_tokens
    assert not [each for each in app.latex if "sum_{k" in each.value]
    app.toggle(key="words").set_value(True).run()
    assert app.query_params["words"] in ("1", ["1"])
    panel = attention(figures).panels["cross"]
    assert panel.keys == SOURCE
    np.testing.assert_allclose(panel.weights.sum(-1), 1, atol=1e-5)
    pieces = slice(2, rare().trace.source_tokens.index("ist"))
    np.testing.assert_allclose(panel.weights[..., 0, 2], plain.weights[..., 0, pieces].sum(-1), atol=1e-6)
    written = rare().trace.output_tokens
    first = written.index("tr")
    assert panel.queries[first] == "trader"
    rows = plain.weights[..., first : first + 3, 0].mean(-1)
    np.testing.assert_allclose(panel.weights[..., first, 0], rows, atol=1e-6)
    assert panel.read[first + 1] == "trader"
    assert [each for each in app.latex if "sum_{k" in each.value]
    app.toggle(key="words").set_value(False).run()
    assert "words" not in app.query_params
    assert unexpected(app) == []


def test_a_link_opens_the_words_and_a_wrong_one_says_so(figures: list[Figure]) -> None:
    app = visit("attention", sentence=RARE, words="1")
    assert app.toggle(key="words").value is True
    assert attention(figures).panels["encoder"].queries == SOURCE
    [notice] = unexpected(visit("attention", words="2"))
    assert sentence("en", "whole_words.label") in notice


@pytest.mark.parametrize("words", ["0", "1"])
def test_a_link_to_a_cell_means_the_same_tokens(words: str, figures: list[Figure]) -> None:
    """Place 5 of the source is inside its second word."""
    app = visit("attention", sentence=RARE, words=words, attention_kind="encoder", pin="encoder,5,2")
    assert unexpected(app) == []
    assert attention(figures).look.pin == Pin("encoder", *((5, 2) if words == "0" else (2, 2)))
    last = len(rare().source)
    assert unexpected(visit("attention", sentence=RARE, words=words, pin=f"encoder,{last - 1},{last - 1}")) == []
    assert len(unexpected(visit("attention", sentence=RARE, words=words, pin=f"encoder,{last},0"))) == 1


def test_a_click_on_a_word_is_kept_as_its_first_token(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, chosen = {}, {}
    draw = show.figure

    def watch(name: str, figure: Figure, **settings: Any) -> None:
        calls.update(settings.get("calls") or {})
        draw(name, figure, **settings)

    monkeypatch.setattr(show, "figure", watch)
    visit("start", sentence=RARE, words="1")
    monkeypatch.setattr(attention_figure.view, "choose", lambda **choices: chosen.update(choices))
    calls["pin"]({"kind": "cross", "query": None, "key": 3})
    assert chosen["pin"] == ["cross", "", rare().trace.source_tokens.index("ist")]
    calls["pin"](None)
    assert chosen["pin"] is None


def test_the_output_appears_word_by_word(figures: list[Figure]) -> None:
    visit("start", sentence=RARE, words="1")
    figure = attention(figures)
    assert figure.look.film
    texts = figure.look.film.written
    assert len(texts) == len(figure.panels["cross"].queries) < len(rare().trace.output_tokens)
    assert texts[1:3] == ["The trader", "The trader is"]
    assert texts[-1] == rare().text
    assert figure.words["step"].startswith("word")


def test_a_causal_mask_stays(figures: list[Figure]) -> None:
    for checkpoint in ("de-en", "gpt-char"):
        app = visit("attention", checkpoint=checkpoint, attention_kind="decoder", words="1", **(
            {"sentence": RARE} if checkpoint == "de-en" else {}))  # fmt: skip
        assert not np.triu(attention(figures).panels["decoder"].weights, 1).any()
        assert sentence("en", "whole_words.causal") in [each.value for each in app.caption]


@in_turn("view", ["stages", "scale", "cell", "measures", "rollout", "similarity"])
def test_what_belongs_to_single_tokens_stays_and_says_so(view: str, language: str, figures: list[Figure]) -> None:
    app = visit("attention", language, sentence=RARE, words="1", view=view, stage="softmax", attention_kind="encoder")
    is_said = sentence(language, "whole_words.kept") in [each.value for each in app.caption]
    assert is_said == (view != "rollout")
    matrix = [figure for figure in figures if isinstance(figure, MatrixFigure)][-1].matrices[-1]
    tokens = {"stages": rare().trace.source_tokens, "scale": rare().trace.source_tokens, "rollout": SOURCE}
    assert matrix.columns == tokens.get(view, matrix.columns)
    if view == "rollout":
        np.testing.assert_allclose(matrix.values.sum(-1), 1, atol=1e-5)
    assert sentence(language, "whole_words.kept") not in [
        each.value for each in visit("attention", language, view=view).caption
    ]


def test_files_hold_the_joined_numbers(figures: list[Figure]) -> None:
    app = visit("attention", sentence=RARE, words="1", attention_kind="cross", layer="1", head="0")
    made = next(file.make() for key, file in downloads(app).items() if key.startswith("csv"))
    rows = list(csv.DictReader(io.StringIO(made.decode("utf-8-sig"))))
    panel = attention(figures).panels["cross"]
    assert [row["key"] for row in rows[: len(SOURCE)]] == list(SOURCE)
    assert [float(row["weight"]) for row in rows] == pytest.approx(panel.weights[1, 0].ravel(), abs=1e-6)


@in_turn("words", ["0", "1"])
def test_why_joins_characters_where_it_is_asked_to(words: str, language: str) -> None:
    app = visit("why", language, checkpoint="zh-en", sentence="我今天去看电影。", words=words)
    assert said(app) == []
    bodies = [element.proto.body for element in app.main.get("html") if "gf-influence" in element.proto.body]
    assert [("<b>电影</b>" in body) for body in bodies] == [words == "1"] * 2
    assert bool([each for each in app.latex if "sum_{k" in each.value]) == (words == "1")
    for tab in ("trust", "parts"):
        assert said(visit("why", language, checkpoint="zh-en", words=words, show=tab)) == []


# imported models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, originals = tmp_path_factory.mktemp("checkpoints"), tmp_path_factory.mktemp("originals")
    shutil.copytree(SAMPLES / "de-en", folder / "de-en")
    for name in ("bert", "gpt2"):
        build(name, originals / name)
        importing.import_folder(originals / name, folder, name, Origin(f"somebody/{name}"))
    return folder


@pytest.mark.sample(2)
@pytest.mark.parametrize("page", ["start", "attention"])
@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("bert", ("<bos>", "the", "dogs", ",", "gardens", "and", "houses", "<eos>")),
        ("gpt2", ("The", "dogs", ",", "gardens", "and", "龙", "houses")),
    ],
)
def test_imported_tokenizers_have_words(
    model: str, words: tuple[str, ...], page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, figures: list[Figure]
) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))
    text = "The dogs, gardens and 龙 houses" if model == "gpt2" else "The dogs, gardens and houses"
    shown = {}
    for whole in ("0", "1"):
        visit(page, checkpoint=model, sentence=text, words=whole)
        [panel] = attention(figures).panels.values()
        np.testing.assert_allclose(panel.weights.sum(-1), 1, atol=1e-5)
        first = panel.key_specials.index(False) if model == "gpt2" else 0
        shown[whole] = panel.keys[first:]
    assert shown["1"][: len(words)] == words
    assert len(shown["0"]) > len(shown["1"])
    assert not shown["0"][0].startswith("·")  # nothing comes before the first piece
    if model == "gpt2":
        assert "龙" in shown["0"]  # read as three bytes
        assert len(translate(load(catalogue.find(model)), text).target) > len(shown["0"])
