"""Every page through the shell, in both languages: what it shows, and what it says to bad input."""

import itertools
import json
import re
import shutil
import threading
from pathlib import Path
from urllib.parse import unquote

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.tokenizer import CHARACTER_LIMIT
from pages.shared.models import warmup
from pages.shared.text.notices import plain
from pages.shared.ui import files
from pages.shared.ui.files import File
from tests.app import (
    CARD,
    PAGES,
    buttons,
    controls,
    enter,
    inside,
    nothing_is_marked_up,
    place,
    said,
    sentence,
    shown,
    visit,
)
from tests.fixtures import BUCH, KINO, LANGUAGES, MARKUP, SAMPLES, beside_a_damaged_one, german_english

pytestmark = pytest.mark.usefixtures("warm")
READING_PAGES = tuple(name for name in PAGES if name not in ("primer", "checkpoints", "train", "forecast", "glossary"))
PLACE_PAGES = ("start", "attention")  # those with a kind of attention, a layer and a head from the first
UNSEEN = "Der Zwerchfellkrampf kommt."


def swept(*cases: object) -> list[tuple]:
    """Every reading page with one of the cases and one language, in turn; the start with every case in both."""
    turn = zip(READING_PAGES[1:], itertools.cycle(LANGUAGES), itertools.cycle(cases))
    return [*itertools.product(READING_PAGES[:1], LANGUAGES, cases), *turn]


def downloads(app: AppTest) -> dict[str, File]:
    """The files that the page offers, by their keys."""
    links = (re.findall(r'href="([^"]+)" download', element.proto.body) for element in app.main.get("html"))
    found = [files.find(*map(unquote, address.split("/")[-2:])) for addresses in links for address in addresses]
    return {file.key: file for file in found if file}


# what each page shows


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_its_question_in_the_reader_s_language(page: str, language: str) -> None:
    app = visit(page, language)
    assert [title.value for title in app.title] == [sentence(language, f"{page}.question")]
    assert inside(app, "lead") == [sentence(language, f"{page}.lead")]
    links = [link.proto.label for link in app.sidebar.get("page_link")]
    assert links == [sentence(language, f"pages.{name}") for name in PAGES]
    assert app.text_input(key="sentence").label == sentence(language, "frame.sentence")
    assert said(app) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_shows_an_example_and_its_translation(language: str) -> None:
    app = visit("start", language)
    run = translate(german_english(), KINO)
    assert shown(app) == [KINO, run.text]
    assert "cinema" in run.text
    assert app.text_input(key="sentence").value == KINO
    assert {"attention", "architecture"} <= {element.key for element in app.main if hasattr(element, "key")}
    counts = sentence(
        language, "frame.count", count=len(run.trace.source_tokens), limit=Entry(SAMPLES / "de-en").config["max_length"]
    )
    assert counts in [caption.value for caption in app.sidebar.caption]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("model", "unit"), [("de-en", ""), ("gpt-char", "_characters"), ("dates", "_characters")])
def test_the_map_ends_at_the_next_word_or_character(model: str, unit: str, language: str) -> None:
    app = visit("start", language, checkpoint=model)
    [proto] = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("architecture")]
    told = json.loads(json.loads(proto.json) if proto.json else proto.bytes)
    label = sentence(language, f"architecture{unit}.next_word")
    last = "today" if model == "de-en" else shown(app)[-1].strip()[-1]
    assert f'aria-label="{label} {last}. ' in told["wide"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_attention_offers_every_kind_layer_and_head(language: str) -> None:
    app = visit("attention", language)
    config = german_english().model.config
    assert [len(controls(app)[key].options) for key in ("attention_kind", "layer", "head")] == [
        3,
        config.encoder_layers,
        config.heads,
    ]
    assert {"svg", "csv"} <= downloads(app).keys()
    if language == "en":
        assert place(app) == CARD["first_look"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_shows_its_numbers(language: str) -> None:
    app = visit("checkpoints", language)
    assert app.header[0].value == "de\\-en"
    assert sentence(language, "tasks.translation", source=sentence(language, "languages.de"), target=sentence(language, "languages.en")) in [text.value for text in app.text]  # fmt: skip  # noqa: E501
    numbers = [metric.value for metric in app.metric]
    assert f"{CARD['parameters']['total']:,}" in numbers
    size = sum(file.stat().st_size for file in (SAMPLES / "de-en").iterdir())
    assert f"{size / 1e6:.1f} MB" in numbers
    tables = "\n".join(table.value.to_string() for table in app.table)
    for score in CARD["scores"].values():
        for number in (f"{score['pairs']:,}", f"{score['exact']:.1%}", f"{score['bleu']:.1f}", f"{score['chrf']:.1f}"):
            assert number in tables
    for data in CARD["data"]:
        assert f"{data['pairs']:,}" in tables
    for name, value in Entry(SAMPLES / "de-en").config.items():
        assert re.search(rf"{name}\s+{re.escape(plain(str(value)))}", tables)
    for part, count in CARD["parameters"].items():
        told = "shared_embedding" if part == "source_embedding" else part
        assert re.search(rf"{re.escape(sentence(language, f'parts.{told}'))}\s+{count:,}", tables)
    assert CARD["command"] in [code.value for code in app.code]
    assert CARD["scores"]["grammar"]["bleu_signature"] in "".join(c.value.replace("\\", "") for c in app.caption)
    offered = {button.label.replace("\\", "") for button in app.button}
    assert set(CARD["examples"]) <= offered
    assert set(CARD["covers"][0]["examples"]) <= offered
    listed = max((text.value for text in app.text), key=lambda text: text.count(" · "))
    assert len(listed.split(" · ")) == len(CARD["covers"])


# what a user does


def test_a_typed_sentence_is_shown_with_its_translation() -> None:
    app = enter(visit("start"), BUCH)
    assert shown(app) == [BUCH, translate(german_english(), BUCH).text]
    assert app.query_params["sentence"] in (BUCH, [BUCH])
    assert said(app) == []


def test_a_sentence_stays_from_page_to_page() -> None:
    app = enter(visit("start"), BUCH)
    app.switch_page("attention/page.py").run()
    assert app.text_input(key="sentence").value == BUCH
    assert not app.exception
    app.switch_page("start/page.py").run()
    assert shown(app)[0] == BUCH


def test_a_choice_stands_in_the_address_and_stays() -> None:
    app = visit("attention")
    other = (CARD["first_look"]["layer"] + 1) % 3
    controls(app)["layer"].set_value(other).run()
    assert app.query_params["layer"] in (str(other), [str(other)])
    enter(app, BUCH)
    assert place(app)["layer"] == other


def test_an_example_is_a_click_away() -> None:
    app = enter(visit("start"), UNSEEN)
    app.button(key="example_1").click().run()
    assert shown(app) == [CARD["examples"][1], translate(german_english(), CARD["examples"][1]).text]
    assert app.text_input(key="sentence").value == CARD["examples"][1]
    assert said(app) == []


def test_a_sentence_of_a_card_opens_the_start_with_it() -> None:
    app = visit("checkpoints")
    wanted = CARD["covers"][-1]["examples"][-1]
    app.selectbox(key="topic").set_value(CARD["covers"][-1]["topic"]).run()
    next(button for button in app.button if button.label.replace("\\", "") == wanted).click().run()
    assert not app.exception
    assert shown(app)[0] == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recorded_example_stands_in_until_the_model_is_warm(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    app = visit("start", language)
    assert shown(app) == [KINO, CARD["example_translation"]]
    assert sentence(language, "start.recorded") in [caption.value for caption in app.main.caption]


# bad input


@pytest.mark.parametrize(("page", "language", "typed"), swept("", "   ", "\t"))
def test_an_empty_sentence_shows_the_example_and_a_hint(page: str, language: str, typed: str) -> None:
    app = visit(page, language, sentence=typed)
    assert said(app) == [sentence(language, "notice.empty")]
    if page == "start":
        assert shown(app) == [KINO, translate(german_english(), KINO).text]


def test_a_sentence_that_is_deleted_shows_the_example() -> None:
    app = enter(enter(visit("start"), BUCH), "")
    assert said(app) == [sentence("en", "notice.empty")]
    assert shown(app)[0] == KINO


@pytest.mark.parametrize(("page", "language"), [case[:2] for case in swept("")])
def test_unseen_words_are_marked_with_their_pieces(page: str, language: str) -> None:
    app = visit(page, language, sentence=UNSEEN)
    pieces = german_english().tokenizer.unseen_words(UNSEEN)["Zwerchfellkrampf"]
    assert len(pieces) > 1
    assert sentence(language, "notice.unseen", words=f"Zwerchfellkrampf ({' '.join(pieces)})") in said(app)
    labels = [button.label.replace("\\", "") for button in buttons(app)]
    assert labels[:3] == CARD["examples"][:3]  # three sentences that work
    if page == "start":
        assert shown(app)[0] == UNSEEN


@pytest.mark.parametrize(("page", "language"), [case[:2] for case in swept("")])
def test_a_sentence_over_the_limit_gets_limit_and_count(page: str, language: str) -> None:
    typed = " ".join(["Ich"] * 120)
    app = visit(page, language, sentence=typed)
    length, limit = len(german_english().tokenizer.encode(typed)), german_english().model.config.max_length
    assert len(typed) < CHARACTER_LIMIT
    assert length > limit
    [notice] = said(app)
    assert str(length) in notice
    assert str(limit) in notice
    assert app.text_input(key="sentence").value == typed  # nothing is cut
    assert len(app.main.button) >= 3


@pytest.mark.parametrize(("page", "language"), [case[:2] for case in swept("")])
def test_ten_thousand_characters_get_a_sentence(page: str, language: str) -> None:
    app = visit(page, language, sentence="a" * 10_000)
    [notice] = said(app)
    assert "10000" in notice.replace(",", "")
    assert str(CHARACTER_LIMIT) in notice.replace(",", "")


def test_a_link_to_a_refused_sentence_can_be_left() -> None:
    app = enter(visit("start", sentence="a" * 10_000), BUCH)
    assert said(app) == []
    assert shown(app) == [BUCH, translate(german_english(), BUCH).text]
    app = visit("start", sentence="a" * 10_000)
    app.button(key="example_0").click().run()
    assert shown(app)[0] == KINO


@pytest.mark.parametrize(
    ("page", "language", "case"), swept(("Das\x00 ist", "0000"), ("Das \x1b[31mist", "001B"), ("\x7f", "007F"))
)
def test_control_characters_get_a_sentence(page: str, language: str, case: tuple[str, str]) -> None:
    typed, point = case
    [notice] = said(visit(page, language, sentence=typed))
    assert f"U+{point}" in notice


@pytest.mark.parametrize(
    ("page", "language", "case"),
    swept(("Ich mag 🎈 sehr.", "🎈"), ("Ich lerne ש heute.", "ש"), ("Das ist 你 und ich.", "你")),
)
def test_characters_that_the_model_lacks_are_named(page: str, language: str, case: tuple[str, str]) -> None:
    typed, named = case
    app = visit(page, language, sentence=typed)
    unknown = german_english().tokenizer.unknown_characters(typed)
    assert named in unknown
    assert sentence(language, "notice.characters", characters=" ".join(unknown[:6])) in said(app)
    if page == "start":
        assert shown(app)[0] == typed


MARKED = ("[a](http://x/) :smile:", "<script>alert(1)</script>", "{0} {x}")


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
        *((page, language, case) for case in PLACES for page, language in zip(PLACE_PAGES, LANGUAGES, strict=True)),
        *swept(*CHECKPOINTS),
    ],
)
def test_an_address_that_asks_for_too_much_falls_back_and_says_so(
    page: str, language: str, case: tuple[str, str]
) -> None:
    asked, value = case
    app = visit(page, language, **{asked: value})
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
    assert said(app) == [sentence("en", "notice.language", value="xx")]
    assert [title.value for title in app.title] == [sentence("en", "start.question")]


@pytest.mark.parametrize("page", PAGES)
def test_a_notice_about_the_address_goes_when_the_reader_goes_on(page: str) -> None:
    app = visit(page, layer="two")
    enter(app, BUCH)
    assert said(app) == []


# checkpoints that are damaged, or not there


@pytest.mark.parametrize(
    "damage", ["missing tensor", "wrong shape", "config is not JSON", "card is not JSON", "not safetensors", "no words"]
)
def test_a_damaged_checkpoint_is_named_and_the_other_works(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = beside_a_damaged_one(tmp_path, damage)
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    for page in READING_PAGES:
        app = visit(page, checkpoint=name)
        [notice] = said(app)
        assert name in notice
        assert "\n" not in notice
    [other] = buttons(app)  # the way out
    assert "de-en" in other.label.replace("\\", "")
    healthy = visit("start", checkpoint="de-en")
    assert said(healthy) == []
    assert shown(healthy)[1] == translate(german_english(), KINO).text
    for language in LANGUAGES:
        cards = visit("checkpoints", language, card=name)
        assert cards.header[0].value.replace("\\", "") == name
        [notice] = said(cards)
        assert name in notice
        cards = visit("checkpoints", language, card="de-en")
        assert said(cards) == []
        assert f"{CARD['parameters']['total']:,}" in [metric.value for metric in cards.metric]


def test_the_way_out_of_a_damaged_checkpoint_leads_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = beside_a_damaged_one(tmp_path, "not safetensors")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("start", checkpoint=name)
    next(
        button for button in app.main.button if button.label == sentence("en", "notice.use_other", name="de\\-en")
    ).click().run()
    assert shown(app) == [KINO, translate(german_english(), KINO).text]


@pytest.mark.parametrize("lacking", ["examples", "covers", "scores", "first_look", "example_translation"])
def test_a_card_without_a_field_is_named_too(lacking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As left behind by a training that was stopped before its end."""
    for name in ("a-damaged", "de-en"):
        shutil.copytree(SAMPLES / "de-en", tmp_path / name)
    card = {key: value for key, value in CARD.items() if key != lacking}
    (tmp_path / "a-damaged" / "card.json").write_text(json.dumps(card), encoding="utf-8")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    for page in PAGES:
        visit(page)
    assert any("a-damaged" in notice for notice in said(visit("checkpoints", card="a-damaged")))


def test_a_recorded_example_that_is_damaged_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    (tmp_path / "de-en" / "example.npz").write_bytes(b"PK")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    assert shown(visit("start"))[0] == KINO


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("primer", "train", "forecast", "glossary")])
def test_without_checkpoints_a_page_says_how_to_make_one(
    page: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))
        assert said(visit(page, language)) == [sentence(language, "notice.no_checkpoints")]
