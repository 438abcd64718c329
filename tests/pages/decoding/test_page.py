"""The page of decoding: its views, its time line, and one step worked out."""

import json
import re
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.decode.translate import translate
from model.tokenization.tokenizer import BOS
from tests.app import controls, inside, said, sentence
from tests.pages.decoding.page import _inline, fresh, html, opened, preset, sent, texts
from tests.pages.layers.test_page import figures, rows
from tests.samples import KINO, german_english, in_turn
from viz.data import Selection

pytestmark = pytest.mark.usefixtures("warm")


VIEWS = ("attention", "cache", "inside", "sampling", "beam", "given")


DECODERS = ("gpt", "notebook", "textbook")


# what is there


@in_turn("view", VIEWS)
def test_each_view_has_its_title_and_words(view: str, language: str) -> None:
    app = opened(language, view=view)
    assert [title.value for title in app.title] == [sentence(language, "decoding.question")]
    assert said(app) == []
    assert [header.value for header in app.main.header] == [sentence(language, f"decoding_title.{view}")]
    assert sentence(language, f"decoding_hint.{view}") in texts(app)
    count = {"attention": 0, "sampling": 0}.get(view, 1)
    assert len(figures(app)) == count
    assert all(figure["description"] for figure in figures(app))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("view", VIEWS)
def test_every_decoder_shows_what_it_has(name: str, view: str) -> None:
    app = opened(checkpoint=f"untrained-{name}", view=view)
    assert said(app) == []
    steps = sent(app)["steps"]
    checkpoint = preset(name)
    run = translate(checkpoint, KINO)
    logits = run.trace.values["logits"]
    output = logits.argmax(-1)[len(logits) - len(steps) :]
    assert [step["id"] for step in steps] == output.tolist()
    assert [header.value for header in app.main.header] == [sentence("en", f"decoding_title.{view}")]


@in_turn("name", ["mini-encoder", "bert"])
def test_an_encoder_alone_says_what_it_lacks(name: str, language: str) -> None:
    app = opened(language, checkpoint=f"untrained-{name}", view="beam")
    assert inside(app, "figure_steps")[0] == sentence(language, "decoding.encoder")
    assert not app.main.header
    assert "tour_start" not in [button.key for button in app.main.button]  # there is nothing to lead over
    app.button(key="use_other").click().run()
    assert app.selectbox(key="checkpoint").value == {"en": "de-en", "zh": "zh-en"}[language]  # what the user reads
    assert sent(app)["steps"]
    assert app.button(key="tour_start")


@in_turn(("key", "value"), [("view", "all"), ("step", "x"), ("leaf", "7"), ("k", "99"), ("way", "best"), ("beam", "5")])
def test_a_link_that_asks_in_vain_is_told(key: str, value: str, language: str) -> None:
    app = opened(language, **({"view": "beam"} if key == "beam" else {}), **{key: value})
    assert len(said(app)) == 1
    assert value in said(app)[0]
    assert sent(app)["steps"]


# the time line and its candidates


def test_the_steps_are_those_of_a_fresh_decoding() -> None:
    checkpoint = german_english()
    data = sent(opened(step="4", k="3"))
    ids = fresh([])
    assert data["step"] == 4
    assert [step["id"] for step in data["steps"]] == ids
    assert [step["word"] for step in data["steps"]] == list(checkpoint.tokenizer.tokens(ids))
    assert [step["read"] for step in data["steps"]] == list(checkpoint.tokenizer.tokens([BOS, *ids[:-1]]))
    source = torch.tensor([checkpoint.tokenizer.encode(KINO)])
    with torch.inference_mode():
        logits = checkpoint.model(source, torch.tensor([[BOS, *ids[:-1]]]), torch.ones_like(source, dtype=torch.bool))
    for step, shares in zip(data["steps"], logits[0].double().softmax(-1), strict=True):
        top = shares.topk(3)
        assert [c[0] for c in step["candidates"]] == top.indices.tolist()
        assert [c[2] for c in step["candidates"]] == pytest.approx(top.values.tolist(), rel=1e-3)
        assert step["others"] == pytest.approx(1 - float(top.values.sum()), abs=2e-6)
        assert step["left"] == len(shares) - 3


def test_a_step_beyond_the_output_is_its_last() -> None:
    assert sent(opened(step="60"))["step"] == len(fresh([])) - 1


def test_sampling_draws_and_says_from_what() -> None:
    app = opened(way="sample", temperature="1.5", top_k="5", draw="3", view="sampling")
    data = sent(app)
    assert data["sampled"]
    for step in data["steps"]:
        shares = {c[0]: c[2] for c in step["candidates"][:5]}
        powers = {id_: share ** (1 / 1.5) for id_, share in shares.items() if share > 1e-6}
        assert step["id"] in shares  # of the five likeliest
        for id_, _, _, draw_probability in step["candidates"][:5]:
            assert draw_probability == pytest.approx(powers[id_] / sum(powers.values()), abs=2e-3)
    assert [step["id"] for step in data["steps"]] == [
        step["id"] for step in sent(opened(way="sample", temperature="1.5", top_k="5", draw="3"))["steps"]
    ]
    assert len(figures(app)) == 1


def matrices(app: AppTest) -> dict[str, Any]:
    """Titles and labels of the matrices that are drawn."""
    proto = next(
        element.proto for element in app.get("bidi_component") if element.proto.component_name.endswith("matrix")
    )
    size = int.from_bytes(proto.bytes[:4], "little")
    return {m["key"]: m for m in json.loads(proto.bytes[4 : 4 + size])["matrices"]}


# one step


def test_attention_is_that_of_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.decoding import step as decoding_step

    calls: list[Any] = []
    real = decoding_step.matrices
    monkeypatch.setattr(
        decoding_step, "matrices", lambda *args, **more: (calls.extend(args[1]), real(*args, **more))[1]
    )
    opened(step="4", layer="2", head="1")
    trace = translate(german_english(), KINO).trace
    cross, own = calls
    weights = trace.values["decoder.2.cross_attention.weights"][:, 4]  # (H, S)
    assert np.allclose(cross.values[:4], weights)
    assert np.allclose(cross.values[4], weights.mean(0))
    every = np.mean([trace.values[f"decoder.{n}.cross_attention.weights"][:, 4] for n in range(3)], axis=(0, 1))
    assert np.allclose(cross.values[5], every)
    assert np.allclose(own.values[:4], trace.values["decoder.2.self_attention.weights"][:, 4, :5])
    assert np.allclose(cross.values.sum(1), 1)
    assert np.allclose(own.values.sum(1), 1, atol=1e-6)
    assert (cross.columns, own.columns) == (trace.source_tokens, trace.target_tokens[:5])


def test_a_locked_cell_is_wholly_in_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.decoding import step as decoding_step

    calls: list[dict[str, Any]] = []
    real = decoding_step.matrices
    watch = lambda *args, **more: (calls.append(more), real(*args, **more))[1]  # noqa: E731
    monkeypatch.setattr(decoding_step, "matrices", watch)
    monkeypatch.setattr(decoding_step.view, "choose", lambda **choices: selections.append(choices))
    selections: list[dict[str, Any]] = []
    for cell in (("decoder", 3, 2), ("cross", 4, 6)):  # a head, and the mean of the layer
        opened(step="4", layer="2", head="3", cell=",".join(map(str, cell)))
        assert calls[-1]["selection"] == cell
        calls[-1]["on_select"](Selection(*cell))
        assert selections.pop() == {"cell": cell} | ({"head": 3} if cell[1] == 3 else {})
    weights = translate(german_english(), KINO).trace.values["decoder.2.cross_attention.weights"][3, 4]
    for gone in ("cross,1,2", "decoder,3,7", "cross,3,99", "cross", "other,0,0", "cross,3,²"):
        app = opened(step="4", layer="2", head="3", cell=gone)
        assert not app.exception
        assert calls[-1]["selection"] == ("cross", 3, int(weights.argmax()))


def test_the_cache_view_states_the_counts_of_this_step() -> None:
    app = opened(view="cache", step="3")
    d, ff, vocabulary, layers, source = 144, 432, 6500, 3, 8
    new = layers * (4 * d * d + 2 * 4 * d + 2 * d * d + 2 * source * d + 2 * d * ff) + d * vocabulary
    anew = layers * (4 * (4 * d * d + 2 * 4 * d + 2 * d * d + 2 * source * d + 2 * d * ff) + 2 * source * d * d)
    anew += 4 * d * vocabulary
    markup = html(app)
    assert f"{new:,}" in markup
    assert f"{anew:,}" in markup
    assert f"{1 - new / anew:.1%}" in markup
    assert f"= {new:,}" in texts(app)
    assert f"{2 * layers * d * (4 + source):,}" in texts(app)
    formula = re.search(r"This step: (.*) = ([\d,]+)", texts(app))
    assert formula is not None
    assert eval(formula[1].replace("·", "*").replace("²", "**2")) == new == int(formula[2].replace(",", ""))


def test_the_softmax_of_the_step_is_worked_out() -> None:
    app = opened(view="inside", step="4")
    logits = translate(german_english(), KINO).trace.values["logits"][4].astype(np.float64)
    powers = np.exp(logits - logits.max())
    assert f"{powers.sum():.6g}" in texts(app)
    second = int(np.argsort(-logits)[1])
    markup = html(app)
    assert f"{logits.max():.4g}" in markup
    assert f"{powers[second]:.4g}" in markup
    assert f"{powers.max() / powers.sum():.2%}" in markup
    (figure,) = figures(app)
    rows_of_figure = [*rows(figure), *(row for layer in figure["layer"] for row in _inline(layer))]
    last = [row for row in rows_of_figure if row.get("place") == "2 FFN" and "probability" in row]
    assert last[0]["word"] == "cinema"
    assert last[0]["probability"] == pytest.approx(1 / powers.sum(), rel=1e-3)


# other ways to an output


def test_a_step_to_try_sets_the_page_up() -> None:
    app = opened()
    app.button(key="try_0").click().run()
    assert not app.exception
    assert controls(app)["way"].value == "sample"
    assert controls(app)["view"].value == "sampling"
    tables = "".join(element.proto.body for element in app.main.get("html"))
    candidates = set(re.findall(r'<th scope="row">\d · ([^<]*)', tables))
    assert len(candidates) > 5  # of eight draws: what is drawn can be seen
    assert sentence("en", "decoding_sampling.distinct", count=len(candidates), draws=8) in texts(app)
    app.button(key="try_1").click().run()
    assert controls(app)["view"].value == "beam"


def test_an_output_without_an_end_says_why_it_stopped() -> None:
    app = opened(checkpoint="untrained-gpt")
    checkpoint = preset("gpt")
    run = translate(checkpoint, KINO)
    assert run.stop == "repetition"
    # nothing is said of what it was trained on: it never was
    assert sentence("en", "decoding_stopped.random") in texts(app)
    assert sentence("en", "decoding_stopped.repetition") not in texts(app)
    assert sentence("en", "decoding_stopped.random") not in texts(opened())
