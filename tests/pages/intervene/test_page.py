"""The page of changes: its forms, its list and its link."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue, checkpoints
from model.decode.start import decoding_start
from model.decode.translate import translate
from model.edit import edited_pass, edits
from model.edit.notation import LIMIT
from model.errors import SENTENCES
from pages.shared.session.view import SETTING_LIMIT
from pages.shared.text.notices import plain
from tests.app import controls, inside, said, sentence
from tests.pages.intervene.page import OFF, link, listed, open_page, outputs, texts
from tests.samples import KINO, LANGUAGES, MARKUP, either_language, german_english, in_turn
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")


SHOWS = ("probability", "attention", "candidates", "effect", "patching")


FORMS = ("head", "row", "mask", "position", "embedding", "word", "patch")


# it opens


@in_turn("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
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


@pytest.mark.sample(3)
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
    tap = edited_pass.compose(
        checkpoint.model,
        edits.zero("decoder.1.cross_attention.head_outputs", head=0),
        edits.swap_token("encoder", 5, token),
    )
    text = " ".join(checkpoint.tokenizer.tokens(translate(checkpoint, KINO, tap=tap).target[1:]))
    assert text in outputs(app)


def test_a_sentence_in_a_link_stays_text() -> None:
    app = open_page(what="mask", changes=f"-patch:encoder.0.1.1={MARKUP} **Buch**")
    assert plain(f"{MARKUP} **Buch**") in app.toggle(key="on_0").label


@in_turn("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
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
    tap = edited_pass.compose(checkpoint.model, edits.zero("decoder.*.cross_attention.head_outputs"))
    run = translate(checkpoint, KINO, tap=tap)
    assert run.text != translate(checkpoint, KINO).text
    assert " ".join(checkpoint.tokenizer.tokens(run.target[1:])).split()[0] in outputs(app)
    assert min(row["change"] for row in charted["changes_chart"]) < -1
    app.button(key="tour_end").click().run()
    assert link(app) is None


@either_language
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
    assert app.text_input(key="word").value == "Museum"
    app = open_page(what="patch")
    assert app.text_input(key="other").value == KINO.replace("Kino", "Museum")
    assert app.selectbox(key="to").value == 5


def test_a_vector_is_carried_over_from_a_token_that_is_named() -> None:
    other = "Am Montag habe ich Deutsch."
    app = open_page(what="patch", other=other, **{"from": "3"})
    tokens = german_english().tokenizer.tokens(german_english().tokenizer.encode(other))
    place = app.selectbox(key="from")
    assert place.options == [f"{i}  {token}" for i, token in enumerate(tokens)]
    assert place.value == 3
    assert place.label == sentence("en", "intervene_form.from")
    assert any(f"position 3 of “{other}”" in text for text in inside(app, "adding"))
    app.button(key="add").click().run()
    assert not app.exception
    alone = open_page(what="patch", checkpoint="gpt-char", other="to be")
    assert alone.selectbox(key="from").options == [f"{i}  {token}" for i, token in enumerate(["<bos>", *"to␣be"])]
    target = open_page(what="patch", side="decoder")  # what that run writes is not known before it runs
    assert target.number_input(key="from").label == sentence("en", "intervene_form.from_place")
    unread = open_page(what="patch", other="   ")
    assert unread.number_input(key="from")
    assert unread.button(key="add").disabled


@either_language
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
    entry = catalogue.find("gpt-char")
    limit = decoding_start(checkpoints.load(entry), entry.card["examples"][0]).limit
    assert outputs(continued).count(sentence(language, "decoding_stopped.length", limit=limit)) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_more_changes_than_a_list_holds_are_counted(language: str) -> None:
    changes = [f"half:cross.{n // 4}.{n % 4}" for n in range(12)]
    app = open_page(language, changes=";".join([*changes, "off:encoder.0.0", "fly:1", "off:encoder.0.1"]))
    bad = sentence(language, "intervene_list.bad", value="fly:1")
    assert said(app) == [bad, sentence(language, "intervene_list.many", limit=LIMIT, count=2)]
    assert link(app) == ";".join(changes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_changes_too_long_for_a_link_are_named(language: str) -> None:
    app = open_page(language, changes=f"patch:encoder.0.1.1={'Haus ' * (SETTING_LIMIT // 5)}", what="mask")
    assert said(app) == [sentence(language, "notice.long", field="changes", limit=SETTING_LIMIT)]
    assert listed(app) == []


def test_two_heads_have_no_rank_correlation_of_their_own() -> None:
    app = open_page(checkpoint="dates", show="effect", what="mask")
    lines = [text for text in texts(app) if "ρ = " in text]
    assert [line.rpartition(" over ")[2] for line in lines] == ["4 heads", "8 heads"]  # the encoder's, and all


@either_language
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
    last = catalogue.entries()["de-en"].config.max_length - 1
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
