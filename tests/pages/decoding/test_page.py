"""The page that decodes step by step: what stands on it, recomputed from the model by other means."""

import json
import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import presets
from model.checkpoint import catalogue
from model.checkpoint import load as checkpoints
from model.checkpoint.catalogue import Entry, load_tokenizer
from model.checkpoint.load import Checkpoint
from model.decode import forced_tokens as decode_forks
from model.decode.beam import beam_search
from model.decode.loop import Decoded
from model.decode.translate import translate
from model.tokenizer import BOS, EOS
from pages.decoding import outputs
from pages.decoding.outputs import LEAVES
from pages.shared.session.view import SETTING_LIMIT
from tests.app import controls, inside, nothing_is_marked_up, said, sentence, visit
from tests.fixtures import BUCH, KINO, LANGUAGES, MARKUP, SAMPLES, german_english
from tests.pages.layers.test_page import figures, rows
from viz.data import Selection

pytestmark = pytest.mark.usefixtures("warm")

VIEWS = ("attention", "cache", "inside", "sampling", "beam", "given")
DECODERS = ("gpt", "notebook", "textbook")
WRITERS = {name: entry for name, entry in catalogue.sentence_models().items() if entry.config["decoder_layers"]}


def opened(language: str = "en", **address: str) -> AppTest:
    return visit("decoding", language, **address)


def sent(app: AppTest, key: str = "player") -> Any:
    """What Python handed to the component."""
    found = [element.proto for element in app.get("bidi_component") if element.proto.component_name.endswith(key)]
    assert len(found) == 1
    return json.loads(json.loads(found[0].json) if found[0].json else found[0].bytes)


def preset(name: str) -> Checkpoint:
    return checkpoints.untrained(presets.find(name), 0, load_tokenizer(Entry(SAMPLES / "de-en")))


@cache
def token(word: str) -> int:
    """The one token that a word is."""
    ids = german_english().tokenizer.encode(word)[1:-1]
    assert len(ids) == 1
    return ids[0]


def fresh(forced: list[int], text: str = KINO) -> list[int]:
    """Greedy decoding by the model's whole forward pass, everything anew at each step."""
    checkpoint = german_english()
    source = torch.tensor([checkpoint.tokenizer.encode(text)])
    ids = [BOS, *forced]
    with torch.inference_mode():
        while ids[-1] != EOS:
            logits = checkpoint.model(source, torch.tensor([ids]), torch.ones_like(source, dtype=torch.bool))
            ids.append(int(logits[0, -1].argmax()))
    return ids[1:]


def texts(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in [*app.text, *app.caption])


def html(app: AppTest, key: str = "figure_step") -> str:
    return "\n".join(inside(app, key))


# what is there


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view", VIEWS)
def test_each_view_has_its_title_and_words(view: str, language: str) -> None:
    app = opened(language, view=view)
    assert [title.value for title in app.title] == [sentence(language, "decoding.question")]
    assert said(app) == []
    assert [header.value for header in app.main.header] == [sentence(language, f"decoding_title.{view}")]
    assert sentence(language, f"decoding_hint.{view}") in texts(app)
    drawn = {"attention": 0, "sampling": 0}.get(view, 1)
    assert len(figures(app)) == drawn
    assert all(figure["description"] for figure in figures(app))


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("view", VIEWS)
def test_every_decoder_shows_what_it_has(name: str, view: str) -> None:
    app = opened(checkpoint=f"untrained-{name}", view=view)
    assert said(app) == []
    steps = sent(app)["steps"]
    checkpoint = preset(name)
    run = translate(checkpoint, KINO)
    logits = run.trace.values["logits"]
    written = logits.argmax(-1)[len(logits) - len(steps) :]
    assert [step["id"] for step in steps] == written.tolist()
    assert [header.value for header in app.main.header] == [sentence("en", f"decoding_title.{view}")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["mini-encoder", "bert"])
def test_an_encoder_alone_says_what_it_lacks(name: str, language: str) -> None:
    app = opened(language, checkpoint=f"untrained-{name}", view="beam")
    assert inside(app, "figure_steps")[0] == sentence(language, "decoding.encoder")
    assert not app.main.header
    assert "tour_start" not in [button.key for button in app.main.button]  # there is nothing to lead over
    app.button(key="use_other").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == fresh([])
    assert app.button(key="tour_start")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("key", "value"), [("view", "all"), ("step", "x"), ("leaf", "7"), ("k", "99"), ("way", "best"), ("beam", "5")]
)
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
        for id_, _, _, drawn in step["candidates"][:5]:
            assert drawn == pytest.approx(powers[id_] / sum(powers.values()), abs=2e-3)
    assert [step["id"] for step in data["steps"]] == [
        step["id"] for step in sent(opened(way="sample", temperature="1.5", top_k="5", draw="3"))["steps"]
    ]
    assert len(figures(app)) == 1


# forks


def test_a_forced_word_leads_on_to_what_a_fresh_decoding_writes() -> None:
    library = token("library")
    app = opened(forks=f"4:{library}|4:{library};6:{token('Monday')}", leaf="1")
    ids = fresh([])
    data = sent(app)
    assert [step["id"] for step in data["steps"]] == fresh([*ids[:4], library])
    assert [step["forced"] for step in data["steps"]].index(True) == 4
    assert said(app) == []
    twice = sent(opened(forks=f"4:{library}|4:{library};6:{token('Monday')}"))["steps"]
    assert [step["id"] for step in twice] == fresh([*fresh([*ids[:4], library])[:6], token("Monday")])
    assert [step["forced"] for step in twice].count(True) == 2


def test_both_outputs_stand_beside_each_other_with_their_probabilities() -> None:
    checkpoint = german_english()
    library = token("library")
    app = opened(forks=f"4:{library}")
    shown = html(app, "figure_forks")
    for ids in (fresh([]), fresh([*fresh([])[:4], library])):
        assert " ".join(checkpoint.tokenizer.tokens(ids)) in shown
        trace = trace_of(ids)
        total = sum(float(row[id_]) for row, id_ in zip(trace, ids, strict=True))
        assert f"{total:.2f}".replace("-", "−") in shown
    tree = json.loads(figures(app)[0]["layer"][1]["data"]["values"])
    assert len(tree) == len(fresh([])) + len(fresh([*fresh([])[:4], library])) - 4  # shared words stand once
    assert tree[next(n for n, node in enumerate(tree) if node["row"] == 1)]["parent"] == 3


def trace_of(ids: list[int]) -> torch.Tensor:
    """log softmax of every step, (T, V)."""
    checkpoint = german_english()
    source = torch.tensor([checkpoint.tokenizer.encode(KINO)])
    with torch.inference_mode():
        logits = checkpoint.model(source, torch.tensor([[BOS, *ids[:-1]]]), torch.ones_like(source, dtype=torch.bool))
    return logits[0].double().log_softmax(-1)


def test_a_typed_word_is_forced_and_undone() -> None:
    app = opened(step="4")
    app.text_input(key="word").set_value("library").run()
    app.button(key="force").click().run()
    assert not app.exception
    assert app.query_params["forks"] in (f"4:{token('library')}", [f"4:{token('library')}"])
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], token("library")])
    assert app.text_input(key="word").value == ""
    app.text_input(key="word").set_value("<eos>").run()
    app.button(key="force").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == [*fresh([])[:4], EOS]
    app.button(key="undo").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], token("library")])
    app.button(key="undo").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == fresh([])
    assert "forks" not in app.query_params
    assert not inside(app, "figure_forks")


def test_a_word_of_several_tokens_is_forced_piece_by_piece() -> None:
    pieces = german_english().tokenizer.encode("movies")[1:-1]
    assert len(pieces) > 1
    app = opened(step="4")
    app.text_input(key="word").set_value("movies").run()
    app.button(key="force").click().run()
    assert [step["id"] for step in sent(app)["steps"]][4 : 4 + len(pieces)] == pieces
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], *pieces])


def test_words_that_no_token_holds_are_told_as_text() -> None:
    app = opened(word="漢 " + MARKUP)
    assert len(said(app)) == 1
    assert MARKUP in said(app)[0]
    nothing_is_marked_up(app)
    assert not [button for button in app.main.button if button.key == "force"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_forks_are_named_and_the_others_kept(language: str) -> None:
    app = opened(language, forks=f"99:5|nonsense|4:{token('library')}|2:99999|3:1")
    assert {
        sentence(language, "decoding_forks.bad", value=bad) for bad in ("99:5", "nonsense", "2:99999", "3:1")
    } == set(said(app))
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], token("library")])
    assert app.query_params["forks"] in (f"4:{token('library')}", [f"4:{token('library')}"])


def test_of_too_many_outputs_the_oldest_goes() -> None:
    full = [f"0:{id_}" for id_ in range(100, 100 + LEAVES - 1)]
    app = opened(forks="|".join(full), leaf="0", step="4")
    assert said(app) == []
    app.text_input(key="word").set_value("library").run()
    app.button(key="force").click().run()
    assert said(app) == [sentence("en", "decoding_forks.oldest", limit=LEAVES)]
    forks = app.query_params["forks"]
    text = forks if isinstance(forks, str) else forks[0]
    assert text.split("|") == [*full[1:], f"4:{token('library')}"]
    more = opened(forks="|".join([*full, f"4:{token('library')}"]))
    assert said(more) == [sentence("en", "decoding_forks.oldest", limit=LEAVES)]


# one step


def matrices(app: AppTest) -> dict[str, Any]:
    """Titles and labels of the matrices that are drawn."""
    proto = next(
        element.proto for element in app.get("bidi_component") if element.proto.component_name.endswith("matrices")
    )
    size = int.from_bytes(proto.bytes[:4], "little")
    return {m["key"]: m for m in json.loads(proto.bytes[4 : 4 + size])["matrices"]}


def test_attention_is_that_of_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.decoding import step as decoding_step

    drawn: list[Any] = []
    real = decoding_step.matrices
    monkeypatch.setattr(decoding_step, "matrices", lambda *args, **more: (drawn.extend(args[1]), real(*args, **more)))
    opened(step="4", layer="2", head="1")
    trace = translate(german_english(), KINO).trace
    cross, own = drawn
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

    shown: list[dict[str, Any]] = []
    real = decoding_step.matrices
    monkeypatch.setattr(decoding_step, "matrices", lambda *args, **more: (shown.append(more), real(*args, **more)))
    monkeypatch.setattr(decoding_step.view, "choose", lambda **choices: chosen.append(choices))
    chosen: list[dict[str, Any]] = []
    for cell in (("decoder", 3, 2), ("cross", 4, 6)):  # a head, and the mean of the layer
        opened(step="4", layer="2", head="3", cell=",".join(map(str, cell)))
        assert shown[-1]["selection"] == cell
        shown[-1]["on_select"](Selection(*cell))
        assert chosen.pop() == {"cell": cell} | ({"head": 3} if cell[1] == 3 else {})
    weights = translate(german_english(), KINO).trace.values["decoder.2.cross_attention.weights"][3, 4]
    for gone in ("cross,1,2", "decoder,3,7", "cross,3,99", "cross", "other,0,0", "cross,3,²"):
        app = opened(step="4", layer="2", head="3", cell=gone)
        assert not app.exception
        assert shown[-1]["selection"] == ("cross", 3, int(weights.argmax()))


def test_the_cache_view_states_the_counts_of_this_step() -> None:
    app = opened(view="cache", step="3")
    d, ff, vocabulary, layers, source = 144, 432, 3600, 3, 8
    new = layers * (4 * d * d + 2 * 4 * d + 2 * d * d + 2 * source * d + 2 * d * ff) + d * vocabulary
    anew = layers * (4 * (4 * d * d + 2 * 4 * d + 2 * d * d + 2 * source * d + 2 * d * ff) + 2 * source * d * d)
    anew += 4 * d * vocabulary
    shown = html(app)
    assert f"{new:,}" in shown
    assert f"{anew:,}" in shown
    assert f"{1 - new / anew:.1%}" in shown
    assert f"= {new:,}" in texts(app)
    assert f"{2 * layers * d * (4 + source):,}" in texts(app)
    inserted = re.search(r"This step: (.*) = ([\d,]+)", texts(app))
    assert inserted is not None
    assert eval(inserted[1].replace("·", "*").replace("²", "**2")) == new == int(inserted[2].replace(",", ""))


def test_the_softmax_of_the_step_is_worked_out() -> None:
    app = opened(view="inside", step="4")
    logits = translate(german_english(), KINO).trace.values["logits"][4].astype(np.float64)
    powers = np.exp(logits - logits.max())
    assert f"{powers.sum():.6g}" in texts(app)
    second = int(np.argsort(-logits)[1])
    shown = html(app)
    assert f"{logits.max():.4g}" in shown
    assert f"{powers[second]:.4g}" in shown
    assert f"{powers.max() / powers.sum():.2%}" in shown
    (figure,) = figures(app)
    drawn = [*rows(figure), *(row for layer in figure["layer"] for row in _inline(layer))]
    last = [row for row in drawn if row.get("place") == "2 FFN" and "probability" in row]
    assert last[0]["word"] == "cinema"
    assert last[0]["probability"] == pytest.approx(1 / powers.sum(), rel=1e-3)


# other ways to an output


def test_the_beam_table_has_the_scores_of_the_search() -> None:
    app = opened(view="beam", beam="4", alpha="1")
    checkpoint = german_english()
    tree = beam_search(checkpoint.model, checkpoint.tokenizer.encode(KINO), 95, beam=4, alpha=1.0)
    shown = html(app)
    for hypothesis in tree.hypotheses:
        total = float(sum(trace_of(list(hypothesis.ids))[t, id_] for t, id_ in enumerate(hypothesis.ids)))
        assert f"{total:.3f}".replace("-", "−") in shown
        assert f"{total / ((5 + len(hypothesis.ids)) / 6):.3f}".replace("-", "−") in shown
        assert checkpoint.tokenizer.decode(hypothesis.ids) in shown
    nodes = json.loads(figures(app)[0]["layer"][1]["data"]["values"])
    assert len(nodes) == len(tree.nodes)
    fewer = opened(view="beam", beam="4", alpha="1", dropped="0")
    kept = json.loads(figures(fewer)[0]["layer"][1]["data"]["values"])
    assert len(kept) == sum(node.state != "dropped" for node in tree.nodes) < len(nodes)


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "key"), [("de-en", "word_hint_pieces"), ("gpt-char", "word_hint")])
def test_the_hint_names_a_word_that_can_be_forced(name: str, key: str, language: str) -> None:
    app = opened(language, checkpoint=name, step="4")
    candidates = [word for id_, word, *_ in sent(app)["steps"][4]["candidates"]]
    hint = app.text_input(key="word").placeholder
    found = [word for word in candidates if sentence(language, f"decoding.{key}", word=word) == hint]
    assert len(found) == 1
    again = opened(language, checkpoint=name, step="4", word=found[0])
    assert said(again) == []
    assert again.button(key="force")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tree_marks_what_was_forced_and_what_is_in_view(language: str) -> None:
    app = opened(language, forks=f"4:{token('library')}|2:{EOS}", leaf="1")
    nodes = json.loads(figures(app)[0]["layer"][1]["data"]["values"])
    by_state: dict[str, list[str]] = {}
    for node in nodes:
        by_state.setdefault(node["state"], []).append(node["shown"])
    words = {state: sentence(language, f"decoding_chart.{state}") for state in ("forced", "forced_view", "view")}
    assert by_state[words["forced_view"]] == ["★ library"]
    assert by_state[words["forced"]] == ["<eos>"]
    tokens = german_english().tokenizer.tokens(fresh([*fresh([])[:4], token("library")]))
    assert by_state[words["view"]] == [f"★ {word}" for word in tokens if word != "library"]
    assert {node["ground"] for node in nodes if node["below"]} == {"#b84a13"}
    assert {node["ground"] for node in nodes if not node["below"]}.isdisjoint({"#b84a13"})
    titles = app.selectbox(key="leaf").options
    assert titles[1] == f"1 · {sentence(language, 'decoding_forks.place', step=4, token='library')}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_too_long_for_a_link_is_named(language: str) -> None:
    forks = "|".join(f"0:{id_}" for id_ in range(1000, 1060))
    assert len(forks) > SETTING_LIMIT
    app = opened(language, forks=forks, step="4")
    assert said(app) == [sentence(language, "notice.long", field="forks", limit=SETTING_LIMIT)]
    assert sent(app)["step"] == 4
    assert "forks" not in app.query_params
    app.text_input(key="word").set_value("library").run()
    assert said(app) == []


def _inline(layer: dict[str, Any]) -> list[dict[str, Any]]:
    values = layer.get("data", {}).get("values", "[]")
    return json.loads(values) if isinstance(values, str) else values


@pytest.mark.parametrize("text", ["", "   ", "a\u0007b", MARKUP, "so " * 66])
def test_any_given_output_is_answered(text: str) -> None:
    app = opened(view="given", given=text)
    nothing_is_marked_up(app)
    assert len(said(app)) == ("\u0007" in text)


def test_a_step_to_try_sets_the_page_up() -> None:
    app = opened()
    app.button(key="try_0").click().run()
    assert not app.exception
    assert controls(app)["way"].value == "sample"
    assert controls(app)["view"].value == "sampling"
    tables = "".join(element.proto.body for element in app.main.get("html"))
    written = set(re.findall(r'<th scope="row">\d · ([^<]*)', tables))
    assert len(written) > 5  # of eight draws: what is drawn can be seen
    assert sentence("en", "decoding_sampling.distinct", count=len(written), draws=8) in texts(app)
    app.button(key="try_1").click().run()
    assert controls(app)["view"].value == "beam"


def test_the_sentence_can_be_ended_early_by_a_step_to_try() -> None:
    library = token("library")
    app = opened(forks=f"4:{library}")
    app.button(key="try_3").click().run()
    assert not app.exception
    ids = [*fresh([])[:2], EOS]
    assert [step["id"] for step in sent(app)["steps"]] == ids
    assert sent(app)["step"] == 2
    assert sent(app)["steps"][2]["forced"]
    assert app.query_params["forks"] in (f"4:{library}|2:{EOS}", [f"4:{library}|2:{EOS}"])  # beside what there was
    shown = html(app, "figure_forks")
    assert " ".join(german_english().tokenizer.tokens(fresh([])[:-1])) in re.sub("<[^>]*>", "", shown)
    assert f"{float(sum(trace_of(ids)[t, id_] for t, id_ in enumerate(ids))):.2f}".replace("-", "−") in shown
    assert "try_3" not in [button.key for button in app.main.button]  # it has ended
    app.button(key="put_back").click().run()
    assert app.query_params["forks"] in (f"4:{library}", [f"4:{library}"])


def test_a_model_that_writes_nothing_has_nothing_to_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode_forks, "follow", lambda *args: Decoded((EOS,), "eos"))
    app = opened(view="given", sentence=BUCH)
    assert app.text_input(key="given").value == ""
    assert sentence("en", "decoding_given.empty") in texts(app)
    outputs.run.clear()


def test_another_sentence_keeps_what_can_be_kept() -> None:
    app = opened(forks=f"1:{token('library')}|7:{token('library')}", step="7")
    app.text_input(key="sentence").set_value(BUCH).run()
    assert not app.exception
    assert len(sent(app)["steps"]) > 0


def test_an_output_without_an_end_says_why_it_stopped() -> None:
    app = opened(checkpoint="untrained-gpt")
    checkpoint = preset("gpt")
    run = translate(checkpoint, KINO)
    assert run.stop == "repetition"
    # nothing is said of what it was trained on: it never was
    assert sentence("en", "decoding_stopped.random") in texts(app)
    assert sentence("en", "decoding_stopped.repetition") not in texts(app)
    assert sentence("en", "decoding_stopped.random") not in texts(opened())
