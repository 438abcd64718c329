"""The results of changes against runs made here; steps to try; maps that are stopped."""

import threading
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from model.decode.translate import translate
from model.edit import edited_pass, edits
from model.edit.edit_effects import Contrast
from pages.intervene import effects, suggestions
from pages.shared.layout import progress
from tests.app import keys, said, sentence
from tests.pages.intervene.page import OFF, link, listed, open_page, outputs, texts
from tests.samples import KINO, either_language, german_english
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")


def head_off(kind: str, layer: int, head: int):
    """The de-en model's own run of KINO without a head, from its first principles."""
    checkpoint = german_english()
    side, part = ("encoder", "self") if kind == "encoder" else ("decoder", "self" if kind == "decoder" else "cross")
    return edited_pass.compose(checkpoint.model, edits.zero(f"{side}.{layer}.{part}_attention.head_outputs", head=head))


def logits(kind: str, layer: int, head: int, sentence_: str = KINO) -> np.ndarray:
    """Teacher-forced over the unchanged translation."""
    checkpoint = german_english()
    run = translate(checkpoint, sentence_)
    source = torch.tensor([run.source])
    with torch.inference_mode():
        return checkpoint.model(source, torch.tensor([run.target]), source != 0, head_off(kind, layer, head))[0].numpy()


def log_p(values: np.ndarray) -> np.ndarray:
    return torch.from_numpy(values).double().log_softmax(-1).numpy()


# the results against runs made here


def test_the_change_of_each_word_s_log_probability(charted: dict[str, list[dict]]) -> None:
    open_page(changes=OFF)
    run = translate(german_english(), KINO)
    before = log_p(run.trace.values["logits"])
    ids = before.argmax(-1)
    after = log_p(logits("cross", 1, 0))
    places = np.arange(len(ids))
    result = charted["changes_chart"]
    np.testing.assert_allclose([row["before"] for row in result], before[places, ids], atol=1e-5)
    np.testing.assert_allclose([row["after"] for row in result], after[places, ids], atol=1e-4)
    np.testing.assert_allclose([row["change"] for row in result], (after - before)[places, ids], atol=1e-4)


def test_the_candidates_before_and_after(charted: dict[str, list[dict]]) -> None:
    open_page(changes=OFF, show="candidates", step="4")
    run = translate(german_english(), KINO)
    before, after = np.exp(log_p(run.trace.values["logits"]))[4], np.exp(log_p(logits("cross", 1, 0)))[4]
    order = np.argsort(-before)
    names = german_english().tokenizer.tokens(order[:6].tolist())
    result = charted["candidates_chart"]
    assert [row["word"] for row in result[:6]] == list(names)
    np.testing.assert_allclose([row["before"] for row in result[:6]], before[order[:6]], atol=1e-6)
    np.testing.assert_allclose([row["after"] for row in result[:6]], after[order[:6]], atol=1e-4)


def test_both_attention_maps_and_their_difference(drawn: dict[str, Matrix]) -> None:
    address = {"show": "attention", "what": "mask", "attention_kind": "cross", "layer": "2", "head": "1"}
    open_page(changes="half:cross.2.3", **address)  # beside this head: nothing of it changes
    own = translate(german_english(), KINO).trace.weights("cross")[2, 1]
    assert (drawn["before"].values == own).all()
    assert (drawn["before"].values == drawn["after"].values).all()
    assert (drawn["difference"].values == 0).all()
    open_page(changes="uniform:cross.2.1", **address)
    np.testing.assert_allclose(drawn["after"].values, np.full(own.shape, 1 / own.shape[1]), atol=1e-6)
    np.testing.assert_allclose(drawn["difference"].values, 1 / own.shape[1] - own, atol=1e-6)
    open_page(changes="unmask:3", **address)
    assert drawn["before"].columns[-3:] == ("<pad>",) * 3
    assert (drawn["before"].values[:, -3:] == 0).all()


def test_the_wall_of_heads_is_left_out_where_the_maps_hold_every_head() -> None:
    assert "figure_heads" in keys(open_page(show="attention"))
    assert "figure_heads" not in keys(open_page(show="effect"))


def test_the_effect_map_and_its_rank_correlation(drawn: dict[str, Matrix], charted: dict[str, list[dict]]) -> None:
    app = open_page(show="effect", what="mask", step="2")
    run = translate(german_english(), KINO)
    before = log_p(run.trace.values["logits"])
    word = before.argmax(-1)[2]
    for kind, layer, head in (("encoder", 0, 3), ("decoder", 2, 1), ("cross", 1, 0)):
        expected = log_p(logits(kind, layer, head))[2, word] - before[2, word]
        assert drawn[f"{kind}_effect"].values[layer, head] == pytest.approx(expected, abs=1e-4)
    cross = run.trace.weights("cross")[:, :, 2].max(-1)
    assert (drawn["cross_strength"].values == cross).all()

    def places(values: np.ndarray) -> np.ndarray:
        order = np.argsort(values.ravel())
        ranks = np.empty(len(order))
        ranks[order] = np.arange(len(order))
        return ranks

    rho = np.corrcoef(places(cross), places(np.abs(drawn["cross_effect"].values)))[0, 1]
    text = f"{rho:+.3f}".replace("-", "−")
    kind = sentence("en", "attention_figure.wall_cross")
    assert sentence("en", "intervene_ranks.line", kind=kind, rho=text, count=cross.size) in texts(app)
    assert len(charted["ranks_chart"]) == 3 * cross.size
    app.button(key="add_from_map").click().run()
    assert len(listed(app)) == 1


def test_the_patching_map(drawn: dict[str, Matrix]) -> None:
    app = open_page(show="patching", what="mask", step="4", other="Wir gehen heute ins Haus.")
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    donor = translate(checkpoint, "Wir gehen heute ins Haus.").trace.values["encoder.1.feed_forward.residual"]
    tap = edited_pass.compose(checkpoint.model, edits.patch("encoder.1.feed_forward.residual", donor, row=5))
    source = torch.tensor([run.source])
    with torch.inference_mode():
        logits_after = checkpoint.model(source, torch.tensor([run.target]), source != 0, tap)[0].numpy()
    before = log_p(run.trace.values["logits"])
    word = before.argmax(-1)[4]
    matrix = drawn["patched"]
    assert matrix.rows[0] == sentence("en", "intervene_change.input")
    assert matrix.columns[5] == "Kino ⇐ Haus"
    assert matrix.values[2, 5] == pytest.approx(log_p(logits_after)[4, word] - before[4, word], abs=1e-4)
    app.text_input(key="other").set_value("Wir gehen.").run()
    [notice] = said(app)
    assert "8" in notice


def test_the_form_and_the_map_share_one_other_sentence(drawn: dict[str, Matrix]) -> None:
    app = open_page(what="patch", show="patching")
    assert drawn["patched"].columns[5] == "Kino ⇐ Museum"
    app.text_input(key="other").set_value(KINO.replace("Kino", "Haus")).run()
    assert not app.exception
    assert said(app) == []
    assert drawn["patched"].columns[5] == "Kino ⇐ Haus"


def test_a_map_can_be_stopped_and_gone_on_with(drawn: dict[str, Matrix]) -> None:
    with patch.object(progress.zlib, "crc32", lambda text: 7):
        app = open_page(show="effect", what="mask")
        drawn.clear()
        app.session_state["_view"].kept["intervene"] = {"stopped": "7"}
        app.run()
        assert drawn == {}
        assert sentence("en", "progress.stopped") in texts(app)
        next(button for button in app.button if str(button.key).startswith("go_on")).click().run()
        assert "cross_effect" in drawn


# the steps to try


@either_language
def test_the_head_that_matters_and_the_one_that_only_looks(language: str) -> None:
    """Both come as a link, and do what they say."""
    app = open_page(language)
    for step, changes_words in (("try_matters", True), ("try_idle", False)):
        app.button(key=step).click().run()
        assert not app.exception
        assert said(app) == []
        address = {key: value[0] if isinstance(value, list) else value for key, value in app.query_params.items()}
        again = open_page(**address)
        kind, layer, head = str(link(again)).removeprefix("off:").split(".")
        text = again.text_input(key="sentence").value
        own = translate(german_english(), text)
        without = translate(german_english(), text, tap=head_off(kind, int(layer), int(head)))
        assert (without.text != own.text) == changes_words
        assert (sentence(language, "intervene_outputs.same") in outputs(again)) == (not changes_words)
        if not changes_words:
            assert own.trace.weights(kind)[int(layer), int(head)].max(-1)[1:].mean() > 0.6


def test_the_other_steps_change_the_words_but_for_the_one_that_asks_why_not() -> None:
    for step, same in (("try_equal", False), ("try_padding", False), ("try_causal", True), ("try_scale", False)):
        app = open_page()
        app.button(key=step).click().run()
        assert not app.exception
        assert said(app) == []
        assert len(listed(app)) == 1
        assert link(app)
        assert (sentence("en", "intervene_outputs.same") in outputs(app)) == same
        app.button(key="put_back").click().run()
        assert link(app) is None


def test_a_search_that_finds_nothing_says_so() -> None:
    nothing = Contrast(None, None, 0.0, 0.0)
    with patch.object(suggestions, "_contrast", lambda *args: nothing):
        app = open_page()
        app.button(key="try_idle").click().run()
        assert said(app) == [sentence("en", "intervene_try.no_idle", count=suggestions.SEARCHED)]
        assert link(app) is None


def click(key: str) -> None:
    """Request a rerun as a browser does for a click while a script is running."""
    context = get_script_run_ctx()
    assert context is not None
    widget_id = next(id_ for id_ in context.shared.widget_ids_this_run.snapshot() if f"-{key}" in id_)
    states = WidgetStates(widgets=[WidgetState(id=widget_id, trigger_value=True)])
    context.script_requests.request_rerun(
        RerunData(
            widget_states=states,
            page_script_hash=context.page_script_hash,
            fragment_id=ThreadState.get().fragment_id,
        )
    )


# interrupted


def at_work() -> set[threading.Thread]:
    """The threads that do something now; a timer may wait for the end of another session."""
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading.Timer)}


@either_language
def test_a_cancelled_map_leaves_nothing_running(language: str, drawn: dict[str, Matrix]) -> None:
    reports: list[tuple] = []
    real = effects.head_effects
    threads = at_work()

    def slow(*part):
        reports.append(part[2:])
        if len(reports) == 3:
            click("stop")
        return real(*part)

    with (
        patch.object(effects, "head_effects", slow),
        patch.object(progress, "LONG", -1),
        patch.object(effects, "BATCH", 1),  # as for a large model
    ):
        app = open_page(language, show="effect", what="mask")
        assert len(reports) == 3  # of nine: what was clicked is heard before the next part
        assert drawn == {}
        assert sentence(language, "progress.stopped") in texts(app)
        assert at_work() == threads
        app.run()
        assert len(reports) == 3
        next(button for button in app.button if str(button.key).startswith("go_on")).click().run()
        assert "cross_effect" in drawn
        assert len(reports) == 12


def test_a_cancelled_search_changes_nothing() -> None:
    reports: list[str] = []

    def slow(entry, text: str) -> Contrast:
        reports.append(text)
        if len(reports) == 2:
            click("stop_search")
        return Contrast(None, None, 0.0, 0.0)

    with patch.object(suggestions, "_contrast", slow):
        app = open_page(what="mask")
        app.button(key="try_matters").click().run()
        assert len(reports) == 2
        assert said(app) == []
        assert link(app) is None
        assert "stop_search" not in [button.key for button in app.main.button]
