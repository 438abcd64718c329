"""The intervene page: its list, its link, and what it draws held against runs made here."""

import html
import re
import threading
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.decode.translate import CONTINUATION, translate
from model.edit import edits
from model.edit.effects import Contrast
from model.edit.notation import LIMIT
from model.errors import SENTENCES
from pages.intervene import effects, suggestions
from pages.shared.session.view import SETTING_LIMIT
from tests.app import controls, inside, nothing_is_marked_up, said, sentence, visit
from tests.fixtures import KINO, LANGUAGES, german_english
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")

SHOWS = ("probability", "attention", "candidates", "effect", "patching")
FORMS = ("head", "row", "mask", "position", "embedding", "word", "patch")
OFF = "off:cross.1.0"


def open_page(language: str = "en", **address: str) -> AppTest:
    app = visit("intervene", language, **address)
    nothing_is_marked_up(app)
    return app


def listed(app: AppTest) -> list[tuple[str, bool]]:
    """The lines of the list and whether each is on."""
    switches = [toggle for toggle in app.main.toggle if str(toggle.key).startswith("on_")]
    return [(toggle.label.replace("\\", ""), toggle.value) for toggle in switches]


def link(app: AppTest) -> str | None:
    value = app.query_params.get("changes")
    return value[0] if isinstance(value, list) else value


def outputs(app: AppTest) -> str:
    """The two outputs as they are read."""
    bodies = [element.proto.body for element in app.main.get("html")]
    return html.unescape(re.sub(r"<[^>]*>", "", next(body for body in bodies if "gf-outputs" in body)))


def texts(app: AppTest) -> list[str]:
    return [element.value for element in app.main.text]


def head_off(kind: str, layer: int, head: int):
    """The de-en model's own run of KINO without a head, from its first principles."""
    checkpoint = german_english()
    side, part = ("encoder", "self") if kind == "encoder" else ("decoder", "self" if kind == "decoder" else "cross")
    return edits.compose(checkpoint.model, edits.zero(f"{side}.{layer}.{part}_attention.head_outputs", head=head))


def logits(kind: str, layer: int, head: int, sentence_: str = KINO) -> np.ndarray:
    """Teacher-forced over the unchanged translation."""
    checkpoint = german_english()
    run = translate(checkpoint, sentence_)
    source = torch.tensor([run.source])
    with torch.inference_mode():
        return checkpoint.model(source, torch.tensor([run.target]), source != 0, head_off(kind, layer, head))[0].numpy()


def log_p(values: np.ndarray) -> np.ndarray:
    return torch.from_numpy(values).double().log_softmax(-1).numpy()


# it opens


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_every_result_opens_in_every_architecture(language: str, name: str) -> None:
    kind = {"de-en": "cross", "untrained-mini-encoder": "encoder", "untrained-gpt": "decoder"}[name]
    alone = name == "untrained-mini-encoder"
    for show in SHOWS:
        app = open_page(language, checkpoint=name, show=show, changes=f"uniform:{kind}.*.*")
        assert said(app) == []
        assert [title.value for title in app.title] == [sentence(language, "intervene.question")]
        vectors = alone and show in ("probability", "candidates", "effect")
        about = f"intervene_encoder.{show}" if vectors else f"intervene_about.{show}"
        assert sentence(language, about) in [caption.value for caption in app.caption]
        titles = {option.content for option in controls(app)["show"].proto.options}
        first = ("intervene_show.probability", "intervene_encoder.title")
        assert [sentence(language, key) in titles for key in first] == [not alone, alone]
        encoder = sentence(language, "intervene_outputs.encoder")
        assert (encoder in texts(app)) == alone


@pytest.mark.parametrize(
    ("name", "what"),
    [
        *(("de-en", what) for what in FORMS),
        *((name, what) for name in ("untrained-bert", "untrained-gpt") for what in ("row", "mask", "word")),
    ],
)
def test_every_form_adds_a_change_that_runs(name: str, what: str) -> None:
    app = open_page(checkpoint=name, what=what)
    app.button(key="add").click().run()
    [(_, on)] = listed(app)
    assert on
    assert link(app) is None  # nothing runs until Apply
    app.button(key="apply").click().run()
    assert not app.exception
    assert said(app) == []
    assert link(app)


# the list


def test_a_change_is_added_applied_switched_off_removed_and_undone() -> None:
    app = open_page(attention_kind="cross", layer="1", head="0")
    unchanged = outputs(app)
    assert sentence("en", "intervene_outputs.unchanged") in unchanged
    assert app.button(key="apply").disabled
    app.button(key="add").click().run()
    assert sentence("en", "intervene_list.waiting") in [caption.value for caption in app.caption]
    assert outputs(app) == unchanged
    app.button(key="apply").click().run()
    assert link(app) == OFF
    assert sentence("en", "intervene_outputs.unchanged") not in outputs(app)
    app.toggle(key="on_0").set_value(False).run()
    assert link(app) == OFF
    app.button(key="apply").click().run()
    assert link(app) == f"-{OFF}"
    assert outputs(app) == unchanged
    app.button(key="undo").click().run()  # the Apply
    app.button(key="undo").click().run()  # the switch
    assert (link(app), [on for _, on in listed(app)]) == (OFF, [True])
    app.button(key="remove_0").click().run()  # without any there is nothing to wait for
    assert (link(app), listed(app)) == (None, [])
    assert outputs(app) == unchanged
    app.button(key="undo").click().run()
    assert (link(app), [on for _, on in listed(app)]) == (OFF, [True])
    app.button(key="clear").click().run()
    assert (link(app), listed(app)) == (None, [])
    assert outputs(app) == unchanged
    for _ in range(3):  # Remove all, Apply, Add
        app.button(key="undo").click().run()
    assert (link(app), listed(app)) == (None, [])
    assert app.button(key="undo").disabled


def test_a_link_carries_several_changes() -> None:
    app = open_page(changes=f"{OFF};-uniform:encoder.*.*;word:5=Haus")
    assert said(app) == []
    assert [on for _, on in listed(app)] == [True, False, True]
    checkpoint = german_english()
    [token] = checkpoint.tokenizer.encode("Haus")[1:-1]
    tap = edits.compose(
        checkpoint.model,
        edits.zero("decoder.1.cross_attention.head_outputs", head=0),
        edits.swap_token("encoder", 5, token),
    )
    text = " ".join(checkpoint.tokenizer.tokens(translate(checkpoint, KINO, tap=tap).target[1:]))
    assert text in outputs(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_it_opens_with_something_to_see_and_an_example_to_begin_with(
    name: str, language: str, drawn: dict[str, Matrix], charted: dict[str, list[dict]]
) -> None:
    app = open_page(language, checkpoint=name)
    assert sentence(language, "intervene_example.nothing") in texts(app)
    kind = {"de-en": "cross", "untrained-mini-encoder": "encoder", "untrained-gpt": "decoder"}[name]
    assert f"{kind}_effect" in drawn  # what needs no change
    assert "changes_chart" not in charted  # no bars of nothing
    app = open_page(language, checkpoint=name, show="probability")
    assert sentence(language, "intervene_example.needed") in texts(app)
    assert "changes_chart" not in charted
    app = open_page(language, checkpoint=name)
    app.button(key="apply_example").click().run()
    assert not app.exception
    assert link(app) == f"off:{kind}.*.*"
    assert any(abs(row["change"]) > 0.01 for row in charted["changes_chart"])
    assert sentence(language, "intervene_example.nothing") not in texts(app)


def test_the_tour_makes_the_change_that_it_tells_of(charted: dict[str, list[dict]]) -> None:
    app = open_page()
    app.button(key="add").click().run()  # a list that was begun makes way
    app.button(key="tour_start").click().run()
    app.button(key="tour_next").click().run()
    assert sentence("en", "intervene_tour.list") in texts(app)
    [(_, on)] = listed(app)
    assert on
    assert link(app) == "off:cross.*.*"
    app.button(key="tour_next").click().run()
    checkpoint = german_english()
    tap = edits.compose(checkpoint.model, edits.zero("decoder.*.cross_attention.head_outputs"))
    changed = translate(checkpoint, KINO, tap=tap)
    assert changed.text != translate(checkpoint, KINO).text
    assert " ".join(checkpoint.tokenizer.tokens(changed.target[1:])).split()[0] in outputs(app)
    assert min(row["change"] for row in charted["changes_chart"]) < -1
    app.button(key="tour_end").click().run()
    assert link(app) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_nothing_changes_without_the_causal_mask_is_said(language: str) -> None:
    hint = sentence(language, "intervene_form.causal_hint")

    def hints(app: AppTest) -> bool:
        return hint in [caption.value for caption in app.caption]

    app = open_page(language, changes="unmask:causal")
    assert sentence(language, "intervene_outputs.same") in outputs(app)
    assert hints(app)
    assert not hints(open_page(language, changes="-unmask:causal"))
    assert not hints(
        open_page(language, changes="unmask:causal;uniform:cross.*.*")
    )  # other words: no reason to explain


def test_the_forms_begin_with_words_that_fit() -> None:
    app = open_page(what="word")
    assert app.selectbox(key="token").value == 5
    assert KINO.split()[4] == "Kino."
    assert app.text_input(key="word").value == "Restaurant"
    app = open_page(what="patch")
    assert app.text_input(key="other").value == KINO.replace("Kino", "Restaurant")
    assert app.selectbox(key="to").value == 5


def test_a_vector_is_carried_over_from_a_token_that_is_named() -> None:
    other = "Am Montag habe ich Deutsch."
    app = open_page(what="patch", other=other, **{"from": "3"})
    tokens = german_english().tokenizer.tokens(german_english().tokenizer.encode(other))
    place = app.selectbox(key="from")
    assert place.options == [f"{i}  {token}" for i, token in enumerate(tokens)]
    assert place.value == 3
    assert place.label == sentence("en", "intervene_form.from")
    assert any(f"at 3 in “{other}”" in text for text in inside(app, "adding"))
    app.button(key="add").click().run()
    assert not app.exception
    alone = open_page(what="patch", checkpoint="gpt-char", other="to be")
    assert alone.selectbox(key="from").options == [f"{i}  {token}" for i, token in enumerate(["<bos>", *"to␣be"])]
    target = open_page(what="patch", side="decoder")  # what that run writes is not known before it runs
    assert target.number_input(key="from").label == sentence("en", "intervene_form.from_place")
    unread = open_page(what="patch", other="   ")
    assert unread.number_input(key="from")
    assert unread.button(key="add").disabled


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_an_output_was_stopped_is_said_under_it(language: str) -> None:
    app = open_page(language, changes="embedding:decoder.unscale")
    why = sentence(language, "decoding_stopped.changed")
    assert outputs(app).count(why) == 1
    assert outputs(app).strip().endswith(why)
    assert not any(sentence(language, f"decoding_stopped.{stop}") in outputs(open_page(language, changes=OFF))
                   for stop in ("repetition", "changed", "random"))  # fmt: skip
    random = open_page(language, checkpoint="untrained-gpt", changes="uniform:decoder.*.*")
    assert outputs(random).count(sentence(language, "decoding_stopped.random")) == 2
    continued = open_page(language, checkpoint="gpt-char", changes="half:decoder.0.0")
    assert outputs(continued).count(sentence(language, "decoding_stopped.length", limit=CONTINUATION)) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_more_changes_than_a_list_holds_are_counted(language: str) -> None:
    listed_ = [f"half:cross.{n // 4}.{n % 4}" for n in range(12)]
    app = open_page(language, changes=";".join([*listed_, "off:encoder.0.0", "fly:1", "off:encoder.0.1"]))
    bad = sentence(language, "intervene_list.bad", value="fly:1")
    assert said(app) == [bad, sentence(language, "intervene_list.many", limit=LIMIT, count=2)]
    assert link(app) == ";".join(listed_)


@pytest.mark.parametrize("language", LANGUAGES)
def test_changes_too_long_for_a_link_are_named(language: str) -> None:
    app = open_page(language, changes=f"patch:encoder.0.1.1={'Haus ' * 90}", what="mask")
    assert said(app) == [sentence(language, "notice.long", field="changes", limit=SETTING_LIMIT)]
    assert listed(app) == []


def test_two_heads_have_no_rank_correlation_of_their_own() -> None:
    app = open_page(checkpoint="dates", show="effect", what="mask")
    lines = [text for text in texts(app) if "ρ = " in text]
    assert [line.rpartition(" over ")[2] for line in lines] == ["4 heads", "8 heads"]  # the encoder's, and all


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_changes_in_a_link_are_named_and_ignored(language: str) -> None:
    app = open_page(language, changes=f"fly:1;{OFF};off:cross.9.1;word:1=<b>Zwerchfell")
    first, second, third = said(app)
    assert first == sentence(language, "intervene_list.bad", value="fly:1")
    assert "off:cross.9.1" in second
    assert "<b>Zwerchfell" in third
    assert len(listed(app)) == 1
    assert link(app) == OFF
    app = open_page(language, show="nothing")
    assert len(said(app)) == 1


def test_a_list_that_cannot_run_says_why() -> None:
    last = catalogue.entries()["de-en"].config["max_length"] - 1
    app = open_page(changes=f"position:encoder.shift{last}")
    [notice] = said(app)
    assert SENTENCES["edit_place"].split("{")[0].strip() in notice or "position" in notice
    assert len(listed(app)) == 1


def test_a_form_says_what_cannot_be_added() -> None:
    app = open_page(what="word", word="Zwerchfellkrampf")
    assert app.button(key="add").disabled
    assert any("Zwerchfellkrampf" in text for text in inside(app, "adding"))


def test_a_slider_scales_the_other_weights() -> None:
    app = open_page(what="row", attention_kind="cross", layer="1", head="0", query="2")
    app.slider(key="weight_1").set_value(0.4).run()
    app.button(key="add").click().run()
    app.button(key="apply").click().run()
    shares = [int(share) for share in str(link(app)).partition("=")[2].split(",")]
    assert sum(shares) == 1000
    assert shares[1] == 400
    own = translate(german_english(), KINO).trace.weights("cross")[1, 0, 2]
    others = [k for k in range(len(own)) if k != 1]
    np.testing.assert_allclose(np.array(shares)[others] / 1000, own[others] / own[others].sum() * 0.6, atol=2e-3)


# the results against runs made here


def test_the_change_of_each_word_s_log_probability(charted: dict[str, list[dict]]) -> None:
    open_page(changes=OFF)
    run = translate(german_english(), KINO)
    before = log_p(run.trace.values["logits"])
    ids = before.argmax(-1)
    after = log_p(logits("cross", 1, 0))
    places = np.arange(len(ids))
    found = charted["changes_chart"]
    np.testing.assert_allclose([row["before"] for row in found], before[places, ids], atol=1e-5)
    np.testing.assert_allclose([row["after"] for row in found], after[places, ids], atol=1e-4)
    np.testing.assert_allclose([row["change"] for row in found], (after - before)[places, ids], atol=1e-4)


def test_the_candidates_before_and_after(charted: dict[str, list[dict]]) -> None:
    open_page(changes=OFF, show="candidates", step="4")
    run = translate(german_english(), KINO)
    before, after = np.exp(log_p(run.trace.values["logits"]))[4], np.exp(log_p(logits("cross", 1, 0)))[4]
    order = np.argsort(-before)
    names = german_english().tokenizer.tokens(order[:6].tolist())
    found = charted["candidates_chart"]
    assert [row["word"] for row in found[:6]] == list(names)
    np.testing.assert_allclose([row["before"] for row in found[:6]], before[order[:6]], atol=1e-6)
    np.testing.assert_allclose([row["after"] for row in found[:6]], after[order[:6]], atol=1e-4)


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
    spelled = f"{rho:+.3f}".replace("-", "−")
    kind = sentence("en", "attention_figure.wall_cross")
    assert sentence("en", "intervene_ranks.line", kind=kind, rho=spelled, count=cross.size) in texts(app)
    assert len(charted["ranks_chart"]) == 3 * cross.size
    app.button(key="add_from_map").click().run()
    assert len(listed(app)) == 1


def test_the_patching_map(drawn: dict[str, Matrix]) -> None:
    app = open_page(show="patching", what="mask", step="4", other="Wir gehen heute ins Haus.")
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    donor = translate(checkpoint, "Wir gehen heute ins Haus.").trace.values["encoder.1.feed_forward.residual"]
    tap = edits.compose(checkpoint.model, edits.patch("encoder.1.feed_forward.residual", donor, row=5))
    source = torch.tensor([run.source])
    with torch.inference_mode():
        changed = checkpoint.model(source, torch.tensor([run.target]), source != 0, tap)[0].numpy()
    before = log_p(run.trace.values["logits"])
    word = before.argmax(-1)[4]
    matrix = drawn["patched"]
    assert matrix.rows[0] == sentence("en", "intervene_change.input")
    assert matrix.columns[5] == "Kino ⇐ Haus"
    assert matrix.values[2, 5] == pytest.approx(log_p(changed)[4, word] - before[4, word], abs=1e-4)
    app.text_input(key="other").set_value("Wir gehen.").run()
    [notice] = said(app)
    assert "8" in notice


def test_the_form_and_the_map_share_one_other_sentence(drawn: dict[str, Matrix]) -> None:
    app = open_page(what="patch", show="patching")
    assert drawn["patched"].columns[5] == "Kino ⇐ Restaurant"
    app.text_input(key="other").set_value(KINO.replace("Kino", "Haus")).run()
    assert not app.exception
    assert said(app) == []
    assert drawn["patched"].columns[5] == "Kino ⇐ Haus"


def test_a_map_can_be_stopped_and_gone_on_with(drawn: dict[str, Matrix]) -> None:
    with patch.object(effects.zlib, "crc32", lambda text: 7):
        app = open_page(show="effect", what="mask")
        drawn.clear()
        app.session_state["_view"].kept["intervene"] = {"stopped": "7"}
        app.run()
        assert drawn == {}
        assert sentence("en", "intervene_map.stopped") in texts(app)
        app.button(key="go_on").click().run()
        assert "cross_effect" in drawn


# the steps to try


@pytest.mark.parametrize("language", LANGUAGES)
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
        typed = again.text_input(key="sentence").value
        own = translate(german_english(), typed)
        without = translate(german_english(), typed, tap=head_off(kind, int(layer), int(head)))
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


# interrupted


def click(key: str) -> None:
    """What a browser sends for a click while a script is running."""
    context = get_script_run_ctx()
    assert context is not None
    found = next(id_ for id_ in context.shared.widget_ids_this_run.snapshot() if id_.endswith(f"-{key}"))
    states = WidgetStates(widgets=[WidgetState(id=found, trigger_value=True)])
    context.script_requests.request_rerun(RerunData(widget_states=states, page_script_hash=context.page_script_hash))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cancelled_map_leaves_nothing_running(language: str, drawn: dict[str, Matrix]) -> None:
    done: list[tuple] = []
    real = effects.head_effects
    threads = set(threading.enumerate())

    def slow(*part):
        done.append(part[2:])
        if len(done) == 3:
            click("stop")
        return real(*part)

    with patch.object(effects, "head_effects", slow), patch.object(effects, "LONG", -1):
        app = open_page(language, show="effect", what="mask")
        assert len(done) == 3  # of nine: what was clicked is heard before the next part
        assert drawn == {}
        assert sentence(language, "intervene_map.stopped") in texts(app)
        assert set(threading.enumerate()) == threads
        app.run()
        assert len(done) == 3
        app.button(key="go_on").click().run()
        assert "cross_effect" in drawn
        assert len(done) == 12


def test_a_cancelled_search_changes_nothing() -> None:
    done: list[str] = []

    def slow(entry, text: str) -> Contrast:
        done.append(text)
        if len(done) == 2:
            click("stop_search")
        return Contrast(None, None, 0.0, 0.0)

    with patch.object(suggestions, "_contrast", slow):
        app = open_page(what="mask")
        app.button(key="try_matters").click().run()
        assert len(done) == 2
        assert said(app) == []
        assert link(app) is None
        assert "stop_search" not in [button.key for button in app.main.button]
