"""Other ways to an output: beam search, and an output that a user gives."""

import json
import math

import pytest
import torch

from model.checkpoint import catalogue, checkpoints
from model.decode import forced_tokens
from model.decode.beam_search import beam_search
from model.decode.decoding_loop import Decoded
from model.decode.translate import translate
from model.tokenization.tokenizer import EOS
from pages.shared.models import models
from tests.app import nothing_is_marked_up, said, sentence
from tests.pages.decoding.page import _inline, html, opened, preset, sent, texts, trace_of
from tests.pages.layers.test_page import figures
from tests.samples import BUCH, KINO, MARKUP, german_english

pytestmark = pytest.mark.usefixtures("warm")


WRITERS = {name: entry for name, entry in catalogue.sentence_models().items() if entry.config.decoder_layers}


def test_the_beam_table_has_the_scores_of_the_search() -> None:
    app = opened(view="beam", beam="4", alpha="1")
    checkpoint = german_english()
    tree = beam_search(checkpoint.model, checkpoint.tokenizer.encode(KINO), 95, beam=4, alpha=1.0)
    markup = html(app)
    for hypothesis in tree.hypotheses:
        total = float(sum(trace_of(list(hypothesis.ids))[t, id_] for t, id_ in enumerate(hypothesis.ids)))
        assert f"{total:.3f}".replace("-", "−") in markup
        assert f"{total / ((5 + len(hypothesis.ids)) / 6):.3f}".replace("-", "−") in markup
        assert checkpoint.tokenizer.decode(hypothesis.ids) in markup
    nodes = json.loads(figures(app)[0]["layer"][1]["data"]["values"])
    assert len(nodes) == len(tree.nodes)
    fewer = opened(view="beam", beam="4", alpha="1", dropped="0")
    rows_of_tree = json.loads(figures(fewer)[0]["layer"][1]["data"]["values"])
    assert len(rows_of_tree) == sum(node.state != "dropped" for node in tree.nodes) < len(nodes)


def test_a_given_output_is_judged_word_by_word() -> None:
    app = opened(view="given", given="We go to the cinema.")
    checkpoint = german_english()
    ids = [*checkpoint.tokenizer.encode("We go to the cinema.")[1:-1], EOS]
    logs = trace_of(ids)
    total = float(sum(logs[t, id_] for t, id_ in enumerate(ids)))
    assert app.metric[0].value == f"{total:.3f}".replace("-", "−")
    assert app.metric[1].value == f"{math.exp(-total / len(ids)):.2f}"
    bars = [row for layer in figures(app)[0]["layer"] for row in _inline(layer) if "surprise" in row]
    surprises = {row["line"]: row["surprise"] for row in bars}
    assert list(surprises.values()) == pytest.approx([-float(logs[t, i]) for t, i in enumerate(ids)], rel=1e-3)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", [*WRITERS, "untrained-textbook", "untrained-gpt"])
def test_a_model_s_own_output_is_judged_as_it_was_written(name: str) -> None:
    """Its spaces too, and no end that it never wrote."""
    app = opened(checkpoint=name, view="given")
    steps = sent(app)["steps"]
    checkpoint = preset(name.removeprefix("untrained-")) if "untrained" in name else checkpoints.load(WRITERS[name])
    run = translate(checkpoint, app.text_input(key="sentence").value)
    logs = torch.from_numpy(run.trace.values["logits"]).double().log_softmax(-1)[-len(steps) :]
    total = float(sum(row[id_] for row, id_ in zip(logs, run.ids[-len(steps) :], strict=True)))
    assert [float(app.metric[n].value.replace("−", "-")) for n in (0, 2)] == pytest.approx([total, total], abs=1e-3)
    assert app.metric[0].value == app.metric[2].value != "−0.000"
    assert all(share > 0 for step in steps for _, _, share, _ in step["candidates"])  # however small
    assert sentence("en", "decoding_given.agrees") in texts(app)


def test_a_space_can_be_typed_where_every_character_is_a_token() -> None:
    app = opened(checkpoint="gpt-char", view="given")
    own = app.text_input(key="given").value
    assert own.startswith("␣")
    again = opened(checkpoint="gpt-char", view="given", given=own[:8])
    bars = _inline(figures(again)[0]["layer"][0])
    assert [row["token"] for row in bars] == ["␣" if c == " " else c for c in own[:8]]
    assert sentence("en", "decoding_given.agrees") in texts(again)
    forced = opened(checkpoint="gpt-char", step="1", word="␣")
    assert said(forced) == []
    forced.button(key="force").click().run()
    assert sent(forced)["steps"][1]["word"] == "␣"


@pytest.mark.parametrize("text", ["", "   ", "a\u0007b", MARKUP, "so " * 66])
def test_any_given_output_is_answered(text: str) -> None:
    app = opened(view="given", given=text)
    nothing_is_marked_up(app)
    assert len(said(app)) == ("\u0007" in text)


def test_a_model_that_writes_nothing_has_nothing_to_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    models.KEPT.clear()  # another test may have decoded the sentence
    monkeypatch.setattr(forced_tokens, "follow", lambda *args: Decoded((EOS,), "eos"))
    app = opened(view="given", sentence=BUCH)
    assert app.text_input(key="given").value == ""
    assert sentence("en", "decoding_given.empty") in texts(app)
    models.KEPT.clear()
