"""Why several heads: what stands on the page, against torch's softmax over an edited pass and against the cards."""

import re
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.decode.translate import translate
from model.edit import heads_alone
from model.tokenization.token_text import is_special
from tests.app import said, sentence, visit
from tests.pages.attention.page import HEAD, HERE, KIND, LAYER, Drawn
from tests.samples import KINO, LANGUAGES, german_english

pytestmark = pytest.mark.usefixtures("warm")


def table_cells(app: AppTest) -> list[list[str]]:
    """The cells of every line of the tables on the page."""
    lines = [line for element in app.main.get("html") for line in re.findall("<tr.*?</tr>", element.proto.body, re.S)]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.S) for line in lines]


@pytest.mark.parametrize("reach", ["model", "layer"])
def test_the_numbers_are_those_of_the_model(reach: str, drawn: Drawn) -> None:
    app = visit("attention", view="heads", reach=reach, **HERE)
    run = translate(german_english(), KINO)
    weights = run.trace.weights(KIND)[LAYER]
    query = heads_alone.farthest_apart(weights, [not is_special(token) for token in run.trace.output_tokens])
    [looks], [kept] = (list(drawn[key].matrices.values()) for key in ("heads_look", "heads_kept"))
    assert looks.columns == run.trace.source_tokens
    np.testing.assert_allclose(looks.values[HEAD], weights[HEAD, query])
    np.testing.assert_allclose(looks.values[-1], weights[:, query].mean(axis=0))
    attention = f"decoder.{LAYER}.cross_attention" if reach == "layer" else heads_alone.EVERY
    alone = heads_alone.kept(german_english(), run, attention, HEAD)
    np.testing.assert_allclose(kept.values[1 + HEAD], alone.probabilities)
    assert kept.columns == run.trace.output_tokens
    name = sentence("en", "attention_several.only", head=HEAD)
    mean = np.exp(np.log(alone.probabilities).mean())
    [line] = [cells for cells in table_cells(app) if cells[0] == name]
    assert float(line[1].strip("<%&lt;")) == pytest.approx(100 * mean, abs=0.06)
    assert unescape(line[2]) == alone.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_models_that_learned_with_one_head_stand_beside_those_with_more(language: str) -> None:
    app = visit("attention", language, checkpoint="spread", view="heads")
    scores = {name: entry.card["scores"] for name, entry in catalogue.entries().items()}
    cells = [line[-2:] for line in table_cells(app)]
    for name, heads in (("spread-one-head", 1), ("spread", 2), ("addition-one-head", 1), ("addition", 4)):
        [score] = scores[name].values()
        assert [str(heads), f"{score['exact']:.1%}"] in cells
    assert [line for line in cells if line[-1] == "100%"] == [["1", "100%"], ["4", "100%"], ["8", "100%"]]  # sorting
    links = [link.proto.query_string for link in app.main.get("page_link") if link.proto.page == "compare"]
    assert any("checkpoint=spread-one-head&other=spread&" in link for link in links)
    # neither head of the two finds both digits
    values = {"head": 1, "all": "96.3%", "share": "1.4%"}
    assert sentence(language, "attention_several.needed", **values) in [text.value for text in app.text]


def test_a_model_with_one_head_has_nothing_to_leave_out(drawn: Drawn) -> None:
    app = visit("attention", checkpoint="spread-one-head", view="heads")
    assert sentence("en", "attention_several.one") in [text.value for text in app.text]
    assert not drawn
    assert said(app) == []


def test_an_encoder_alone_writes_nothing_and_has_its_probabilities(drawn: Drawn) -> None:
    """It has the likeliest token of each place, and no column for what is written."""
    app = visit("attention", checkpoint="untrained-bert", view="heads")
    [looks], [kept] = (list(drawn[key].matrices.values()) for key in ("heads_look", "heads_kept"))
    assert len(kept.columns) == len(looks.columns)
    first = sentence("en", "attention_several.only", head=0)
    assert [len(cells) for cells in table_cells(app) if cells[0] == first] == [2]


def test_the_question_on_start_keeps_model_and_sentence() -> None:
    app = visit("start", checkpoint="notebook-c", sentence="wo ist das buch ?")
    label = sentence("en", "start_questions.heads")
    [link] = [link.proto for link in app.main.get("page_link") if link.proto.label == label]
    assert link.page == "attention"
    assert {"view=heads", "checkpoint=notebook-c"} <= set(link.query_string.split("&"))
    assert "sentence=" in link.query_string
