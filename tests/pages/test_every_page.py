"""Every page through the shell, in both languages: what it shows, and what a user does there."""

import json
import re
import threading
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from pages.shared.models import warmup
from pages.shared.session import page_list
from pages.shared.text.notices import plain
from tests.app import (
    CARD,
    PAGES,
    contents,
    controls,
    downloads,
    enter,
    inside,
    keys,
    place,
    said,
    sentence,
    shown,
    visit,
)
from tests.samples import BUCH, KINO, LANGUAGES, SAMPLES, either_language, german_english, in_turn

pytestmark = pytest.mark.usefixtures("warm")
UNSEEN = "Der Zwerchfellkrampf kommt."


# what each page shows


@in_turn("page", PAGES)
def test_a_page_asks_its_question_in_the_reader_s_language(page: str, language: str) -> None:
    app = visit(page, language)
    assert [title.value for title in app.title] == [sentence(language, f"{page}.question")]
    language_name = sentence(language, "languages.de")
    lead = sentence(language, "start.lead_in", source=language_name) if page == page_list.HOME else None
    assert inside(app, "lead") == [lead or sentence(language, f"{page}.lead")]
    assert list(contents(app)) == [sentence(language, f"pages.{name}") for name in PAGES]
    labels = [field.label for field in app.text_input if field.key == "sentence"]
    declaration = page_list.pages()[page]
    has_sentence = declaration.sidebar == "sentence" or page == page_list.HOME
    assert labels == [sentence(language, "frame.sentence")] * has_sentence
    assert said(app) == []
    # the foot of the page leads to the next; the course leads through its steps first
    if declaration.own_way:
        return
    labels = [link.proto.label for link in app.main.get("page_link")]
    following = PAGES[PAGES.index(page) + 1 :][:1]
    assert labels[-1:] == [sentence(language, "frame.next", page=sentence(language, f"pages.{n}")) for n in following]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_shows_an_example_and_its_translation(language: str) -> None:
    app = visit("start", language)
    run = translate(german_english(), KINO)
    assert shown(app) == [KINO, run.text]
    assert "cinema" in run.text
    assert app.text_input(key="sentence").value == KINO
    assert {"attention", "architecture"} <= {element.key for element in app.main if hasattr(element, "key")}


def wide_map(app: AppTest) -> str:
    """HTML of the map of the model."""
    [proto] = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("architecture")]
    return json.loads(json.loads(proto.json) if proto.json else proto.bytes)["wide"]


def test_the_map_has_the_shapes_of_this_pass() -> None:
    html = wide_map(visit("start", sentence=BUCH))
    values = translate(german_english(), BUCH).trace.values
    blocks = {
        "encoder_input": "encoder.input",
        "encoder_self_attention": "encoder.0.self_attention.weights",
        "encoder_feed_forward": "encoder.0.feed_forward.hidden",
        "cross_attention": "decoder.0.cross_attention.weights",
        "logits": "logits",
    }
    for block, name in blocks.items():
        _, _, rest = html.partition(f'data-block="{block}"')
        shape = re.search(r'class="value"[^>]*>([^<]*)<', rest)
        assert shape
        assert shape[1] == f"({', '.join(map(str, values[name].shape))})", block


def test_an_encoder_alone_shows_how_alike_its_outputs_are() -> None:
    app = visit("start", checkpoint="untrained-mini-encoder")
    assert "similarity" in keys(app)
    blocks = re.findall(r'data-block="(\w+)"', wide_map(app))
    assert "encoder_output" in blocks
    assert "cross_attention" not in blocks


@in_turn(("model", "unit"), [("de-en", ""), ("gpt-char", "_characters"), ("dates", "_characters")])
def test_the_map_ends_at_the_next_word_or_character(model: str, unit: str, language: str) -> None:
    app = visit("start", language, checkpoint=model)
    label = sentence(language, f"architecture{unit}.next_word")
    last = "today" if model == "de-en" else shown(app)[-1].strip()[-1]
    assert f'aria-label="{label} {last}. ' in wide_map(app)


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


@either_language
def test_a_card_shows_its_numbers(language: str) -> None:
    app = visit("checkpoints", language)
    assert app.header[0].value == "de\\-en"
    assert sentence(language, "tasks.translation", source=sentence(language, "languages.de"), target=sentence(language, "languages.en")) in [text.value for text in app.text]  # fmt: skip  # noqa: E501
    numbers = [metric.value for metric in app.metric]
    assert f"{CARD['parameters']['total']:,}" in numbers
    size = sum(file.stat().st_size for file in (SAMPLES / "de-en").iterdir())
    assert f"{size / 1e6:.1f} MB" in numbers
    parts = [visit("checkpoints", language, show=part) for part in ("scores", "data", "parts", "knows")]
    tables = "\n".join(table.value.to_string() for part in parts for table in part.table)
    for score in CARD["scores"].values():
        for number in (f"{score['pairs']:,}", f"{score['exact']:.1%}", f"{score['bleu']:.1f}", f"{score['chrf']:.1f}"):
            assert number in tables
    for data in CARD["data"]:
        assert f"{data['pairs']:,}" in tables
    for name, value in vars(Entry(SAMPLES / "de-en").config).items():
        assert re.search(rf"{name}\s+{re.escape(plain(str(value)))}", tables)
    for part, count in CARD["parameters"].items():
        part_name = "shared_embedding" if part == "source_embedding" else part
        assert re.search(rf"{re.escape(sentence(language, f'parts.{part_name}'))}\s+{count:,}", tables)
    assert CARD["command"] in [code.value for part in parts for code in part.code]
    captions = "".join(caption.value.replace("\\", "") for part in parts for caption in part.caption)
    assert CARD["scores"]["grammar"]["bleu_signature"] in captions
    labels = {button.label.replace("\\", "") for button in parts[-1].button}
    assert set(CARD["examples"]) <= labels
    assert set(CARD["covers"][0]["examples"]) <= labels
    line = max((text.value for text in parts[-1].text), key=lambda text: text.count(" · "))
    assert len(line.split(" · ")) == len(CARD["covers"])


# what a user does


def test_a_typed_sentence_is_shown_with_its_translation() -> None:
    app = enter(visit("start"), BUCH)
    assert shown(app) == [BUCH, translate(german_english(), BUCH).text]
    assert app.query_params["sentence"] in (BUCH, [BUCH])
    assert said(app) == []


def test_a_sentence_stays_from_page_to_page() -> None:
    app = enter(visit("start"), BUCH)
    to_next = app.main.get("page_link")[-1].proto
    assert parse_qs(to_next.query_string)["sentence"] == [BUCH]
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
    app = visit("checkpoints", show="knows")
    last = CARD["covers"][-1]["examples"][-1]
    app.selectbox(key="topic").set_value(CARD["covers"][-1]["topic"]).run()
    next(button for button in app.button if button.label.replace("\\", "") == last).click().run()
    assert not app.exception
    assert shown(app)[0] == last


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recorded_example_stands_in_until_the_model_is_warm(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    app = visit("start", language)
    assert shown(app) == [KINO, CARD["example_translation"]]
    assert sentence(language, "start.recorded") in [caption.value for caption in app.main.caption]
