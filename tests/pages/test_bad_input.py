"""Bad input on every reading page: sentences and addresses, and the notices about them."""

import itertools

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.decode.translate import translate
from model.tokenization.tokenizer import CHARACTER_LIMIT
from pages.shared.text.notices import characters
from pages.shared.text.words import all_texts
from tests.app import (
    CARD,
    READING_PAGES,
    buttons,
    enter,
    go,
    nothing_is_marked_up,
    place,
    said,
    sentence,
    shown,
    visit,
)
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, german_english, in_turn

pytestmark = pytest.mark.usefixtures("warm")
UNSEEN = "Der Zwerchfellkrampf kommt."


PLACE_PAGES = ("start", "attention")  # those with a kind of attention, a layer and a head from the first


def swept(*cases: object) -> list[tuple]:
    """Every reading page with one of the cases and one language, in turn; the start with every case."""
    turn = zip(READING_PAGES[1:], itertools.cycle(LANGUAGES), itertools.cycle(cases))
    return [*zip(itertools.cycle(READING_PAGES[:1]), itertools.cycle(reversed(LANGUAGES)), cases), *turn]


@in_turn("typed", ["", "   ", "\t"])
def test_an_empty_sentence_shows_the_example_and_a_hint(typed: str, language: str) -> None:
    app = visit("start", language, sentence=typed)
    assert said(app) == [sentence(language, "notice.empty")]
    assert shown(app) == [KINO, translate(german_english(), KINO).text]


@pytest.mark.sample(3)
@in_turn("page", READING_PAGES)
def test_an_empty_sentence_and_an_unknown_checkpoint_are_both_said(page: str, language: str) -> None:
    app = visit(page, language, sentence="", checkpoint="nowhere")
    notices = said(app)
    assert len(notices) == 2
    assert sentence(language, "notice.empty") in notices
    assert any("nowhere" in notice for notice in notices)


def test_a_sentence_that_is_deleted_shows_the_example() -> None:
    app = enter(enter(visit("start"), BUCH), "")
    assert said(app) == [sentence("en", "notice.empty")]
    assert shown(app)[0] == KINO


@pytest.mark.parametrize("language", LANGUAGES)
def test_unseen_words_are_marked_with_their_pieces(language: str) -> None:
    """Of a model for which no rule was measured that marks its outputs."""
    model = catalogue.find("llm-2017")
    app = visit("start", language, checkpoint=model.name, sentence=UNSEEN)
    pieces = catalogue.load_tokenizer(model).unseen_words(UNSEEN)["Zwerchfellkrampf"]
    assert len(pieces) > 1
    text = sentence(language, "notice.pieces", word="Zwerchfellkrampf", pieces=" ".join(pieces))
    assert sentence(language, "notice.unseen", words=text) in said(app)
    labels = [button.label.replace("\\", "") for button in buttons(app)]
    assert labels[:3] == model.card["examples"][:3]  # three sentences that work
    assert shown(app)[0] == UNSEEN


REFUSED = {  # sentences that no page can show, and why
    "too many tokens": (" ".join(["Ich"] * 120), "sentence_tokens"),
    "too many characters": ("a" * 10_000, "sentence_characters"),
    "a zero byte": ("Das\x00 ist", "sentence_control"),
    "an escape": ("Das \x1b[31mist", "sentence_control"),
    "a delete": ("\x7f", "sentence_control"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("page", "language", "case"), swept(*REFUSED))
def test_a_sentence_that_cannot_be_read_gets_a_notice(page: str, language: str, case: str) -> None:
    text, code = REFUSED[case]
    app = visit(page, language, sentence=text)
    values = {
        "sentence_tokens": {
            "count": len(german_english().tokenizer.encode(text)),
            "limit": german_english().model.config.max_length,
        },
        "sentence_characters": {"count": f"{len(text):,}", "limit": f"{CHARACTER_LIMIT:,}"},
        "sentence_control": {"point": next((f"{ord(mark):04X}" for mark in text if not mark.isprintable()), "")},
    }[code]
    template = all_texts(language)[f"refused.{code}"]
    assert said(app) == [template.format(**values)]
    if code == "sentence_tokens":
        assert app.text_input(key="sentence").value == text  # nothing is cut
    assert len(app.main.button) >= 3  # sentences that work


def test_a_link_to_a_refused_sentence_can_be_left() -> None:
    app = enter(visit("start", sentence="a" * 10_000), BUCH)
    assert said(app) == []
    assert shown(app) == [BUCH, translate(german_english(), BUCH).text]
    app = visit("start", sentence="a" * 10_000)
    app.button(key="example_0").click().run()
    assert shown(app)[0] == KINO


@in_turn(("typed", "named"), [("Ich mag 🎈 sehr.", "🎈"), ("Ich lerne ש heute.", "ש"), ("Das ist 你 und ich.", "你")])
def test_characters_that_the_model_lacks_are_named(typed: str, named: str, language: str) -> None:
    app = visit("start", language, sentence=typed)
    unknown = german_english().tokenizer.unknown_characters(typed)
    assert named in unknown
    assert sentence(language, "notice.characters", characters=characters(unknown)) in said(app)
    assert any(f"“{named}”" in notice for notice in said(app))
    assert shown(app)[0] == typed


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_character_without_ink_is_named_by_its_code_point(language: str) -> None:
    app = visit("start", language, sentence="Das ist \u2800 und \u0f3e.")
    assert [notice for notice in said(app) if "<unk>" in notice] == [
        sentence(
            language, "notice.characters", characters=("U+2800{}U+0F3E").format("、" if language == "zh" else ", ")
        )
    ]


@in_turn("typed", ["Wo bist du？", "Ｗｏ ｂｉｓｔ ｄｕ?", "Er fragt: „Wo bist du?“"])
def test_full_width_marks_and_letters_are_read_as_the_narrow_ones(typed: str, language: str) -> None:
    app = visit("start", language, sentence=typed)
    assert said(app) == []
    assert "Where are you?" in shown(app)[1]


MARKED = ("[a](http://x/) :smile:", "<script>alert(1)</script>", "{0} {x}")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("page", "typed"),
    [
        *((page, f"{MARKUP} **fett** $x^2$ `code` :red[rot]") for page in READING_PAGES),
        *(("start", one) for one in MARKED),
    ],
)
def test_markup_is_shown_as_text(page: str, typed: str) -> None:
    app = visit(page, sentence=typed)
    if page == "start":
        assert shown(app)[0] == typed
    assert app.text_input(key="sentence").value == typed
    nothing_is_marked_up(app)
    assert said(app)  # b, x, http … are words it never saw


PLACES = [
    ("layer", "99"), ("layer", "-1"), ("layer", "two"), ("layer", "²"), ("head", "99"), ("head", "1.5"),
    ("attention_kind", "sideways"), ("attention_kind", "<b>x</b>"),
]  # fmt: skip


CHECKPOINTS = [("checkpoint", "nowhere"), ("checkpoint", "../../etc"), ("checkpoint", "![](http://x/y.png)")]


@pytest.mark.parametrize(
    ("page", "language", "case"),
    [
        *((page, "en", case) for case, page in zip(PLACES, itertools.cycle(PLACE_PAGES))),
        *(("attention", "zh", case) for case in PLACES[-2:]),
        *(("start", language, case) for case, language in zip(CHECKPOINTS, itertools.cycle(LANGUAGES))),
    ],
)
def test_an_address_that_asks_for_too_much_falls_back_and_says_so(
    page: str, language: str, case: tuple[str, str]
) -> None:
    address, value = case
    app = visit(page, language, **{address: value})
    notices = said(app)
    assert len(notices) == 1
    assert value in notices[0]
    nothing_is_marked_up(app)
    assert app.selectbox(key="checkpoint").options
    if language == "en":
        expected = {key: CARD["first_look"][key] for key in place(app)}
        assert place(app) == expected


def test_an_unknown_language_falls_back_and_says_so() -> None:
    app = visit("start", "xx")
    assert said(app) == [sentence("en", "notice.language", value="xx", codes="en, es, zh")]
    assert [title.value for title in app.title] == [sentence("en", "start.question")]


@pytest.mark.parametrize("page", ["start", "attention", "position", "quiz"])
def test_a_notice_about_the_address_goes_when_the_reader_goes_on(page: str) -> None:
    app = visit(page, layer="two")
    enter(app, BUCH)
    assert said(app) == []
    assert said(go(visit(page, layer="two"), "layers")) == []


@pytest.mark.sample(4)
@in_turn("page", READING_PAGES)
def test_a_tour_that_no_page_has_is_said_once(page: str, language: str) -> None:
    values = {"field": sentence(language, "page.tour"), "value": "x"}
    notices = {sentence(language, "notice.setting", **values), sentence(language, "notice.parameter", field="tour")}
    [notice] = said(visit(page, language, tour="x"))
    assert notice in notices


def test_the_same_words_may_stand_twice_on_a_page() -> None:
    def twice() -> None:
        from pages.shared.text import notices

        notices.say("info", "Twice.")
        notices.say("info", "Twice.")

    assert said(AppTest.from_function(twice).run()) == ["Twice."] * 2
