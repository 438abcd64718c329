"""/checkpoints and every sample on every page: the gallery, the chosen card, what each model shows elsewhere."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.measurements import ordinary
from model.trace import load_trace
from pages.checkpoints import gallery
from pages.shared.layout import sidebar
from pages.shared.models import titles
from pages.shared.text.notices import plain
from tests.app import inside, said, sentence, shown, visit
from tests.samples import LANGUAGES, SAMPLES, either_language, in_turn
from viz.numbers import percent
from viz.svg.thumbnail import FAINT, MOST, thumbnail

pytestmark = pytest.mark.usefixtures("warm")

NAMES = tuple(name for name, entry in catalogue.entries().items() if entry.reads_text)
PAGES = ("start", "embedding", "position", "energy", "masks", "attention", "layers", "decoding", "intervene")


PARTS = ("looks", "knows", "scores", "data", "parts")


def tables(*apps: AppTest) -> str:
    return "\n".join(table.value.to_string() for app in apps for table in app.table).replace("\\", "")


# the gallery


@either_language
def test_every_model_is_in_the_gallery(language: str) -> None:
    app = visit("checkpoints", language)
    tiles = inside(app, "tile_")
    assert len(tiles) == len(catalogue.entries())
    assert tiles[0].startswith("de-en")
    for name, entry in catalogue.entries().items():
        [tile] = [tile for tile in tiles if re.match(rf"{name}(?!-)[^a-z]", tile)]  # then the task, in capitals or 汉字
        assert f"{entry.card['parameters']['total']:,}" in tile
    [dates] = [tile for tile in tiles if tile.startswith("dates")]
    assert "100%" in dates
    assert "500" in dates
    assert app.header[0].value == plain("de-en")


@in_turn(("name", "tests"), [("de-en", ("grammar", "auf-deutsch")), ("zh-en", ("grammar", "hsk"))])
def test_a_tile_tells_the_scores_on_our_grammar_and_on_real_sentences(language: str, name: str, tests: tuple) -> None:
    [tile] = [tile for tile in inside(visit("checkpoints", language), "tile_") if tile.startswith(name)]
    for test in tests:
        score = Entry(SAMPLES / name).card["scores"][test]
        values = {"share": percent(score["exact"], 1), "count": f"{score['pairs']:,}"}
        assert sentence(language, f"shelf_exact.{test}", **values) in tile


def test_an_uploaded_model_may_have_been_tested_on_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.checkpoints.gallery.words", lambda key, **values: sentence("en", key, **values))
    monkeypatch.setattr("pages.checkpoints.gallery.name", lambda table, key: key)
    assert gallery.headlines({"scores": {"{x}": {"pairs": 8, "exact": 0.5}}}) == ["50.0% of 8 correct"]


@either_language
def test_a_click_shows_a_card_and_the_link_has_it(language: str) -> None:
    app = visit("checkpoints", language)
    number = next(i for i, name in enumerate(app_order()) if name == "reverse")
    app.button(key=f"pick_{number}").click().run()
    assert not app.exception
    assert app.header[0].value == "reverse"
    assert app.query_params["card"] in ("reverse", ["reverse"])
    view = visit("checkpoints", language, card="reverse")
    assert view.header[0].value == "reverse"
    assert said(view) == []


def app_order() -> list[str]:
    return sorted(catalogue.entries(), key=lambda name: name != catalogue.FIRST)


@pytest.mark.parametrize("value", ["nowhere", "../../etc", "![](http://x/y.png)"])
def test_a_card_that_is_not_there_falls_back_and_says_so(value: str) -> None:
    app = visit("checkpoints", card=value)
    [notice] = said(app)
    assert value in notice
    assert app.header[0].value == plain("de-en")


def test_the_card_of_the_model_in_view_comes_first() -> None:
    assert visit("checkpoints", checkpoint="sort").header[0].value == "sort"
    assert visit("checkpoints", checkpoint="untrained-gpt").header[0].value == plain("de-en")


# the card


@pytest.mark.sample(7)
@in_turn("name", NAMES)
def test_a_card_tells_everything(name: str, language: str) -> None:
    parts = {part: visit("checkpoints", language, card=name, show=part) for part in PARTS}
    assert [said(app) for app in parts.values()] == [[]] * len(PARTS)
    card, app = Entry(SAMPLES / name).card, parts["knows"]
    texts = [text.value for each in parts.values() for text in each.text]
    content = tables(*parts.values())
    assert titles.does(card) in texts or language == "zh"
    kind = "characters" if card.get("source_language") == "zh" else card["task"]
    letters = card.get("run", {}).get("letters", 20)
    assert sentence(language, f"beyond.{kind}", letters=letters) in texts
    assert f"{card['parameters']['total']:,}" in [metric.value for metric in app.metric]
    for score in card["scores"].values():
        for key in ("exact", "accuracy", "most_frequent"):
            if key in score:
                assert percent(score[key], 1) in content
        for key in ("bits", "ngram_bits"):
            if key in score:
                assert str(score[key]) in content
        assert f"{score['pairs']:,}" in content if "pairs" in score else True
    for kind in ("right", "wrong"):
        for sample in card.get("outputs", {}).get(kind, ()):
            assert sample["source"] in content
            assert sample["output"] in content
            assert sample["reference"] in content
    if "outputs" in card and not card["outputs"]["wrong"]:
        cases = next(iter(card["scores"].values()))["pairs"]
        assert sentence(language, "cards.none_wrong", count=cases) in texts
    assert card["command"] in [code.value for code in parts["parts"].code]
    labels = {button.label.replace("\\", "") for button in app.button}
    assert set(card["examples"]) <= labels
    if topics := [select for select in app.selectbox if select.key == "topic"]:
        for topic in card["covers"][:: max(1, len(card["covers"]) // 4)]:
            topics[0].set_value(topic["topic"]).run()
            assert set(topic["examples"]) <= {button.label.replace("\\", "") for button in app.button}
            topics = [app.selectbox(key="topic")]
    else:
        assert {text for topic in card["covers"] for text in topic["examples"]} <= labels


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_untrained_systems_say_which_side_a_family_keeps(language: str) -> None:
    app = visit("checkpoints", language)
    assert sentence(language, "cards.untrained_hint") in [caption.value for caption in app.caption]
    abouts = {name: sentence(language, f"presets_about.{name}") for name in ("bert", "gpt", "t5")}
    assert set(abouts.values()) <= {text.value for text in app.text}
    for family, text in abouts.items():
        assert family.upper() in text
        assert family.upper() in sentence(language, "cards.untrained_hint")
    assert "RMSNorm" in abouts["t5"]  # what ours has not


def test_an_example_opens_the_start_page_with_its_model() -> None:
    app = visit("checkpoints", card="reverse", show="knows")
    next(button for button in app.button if button.label == "stressed").click().run()
    assert not app.exception
    assert shown(app) == ["stressed", "desserts"]
    assert app.query_params["checkpoint"] in ("reverse", ["reverse"])


# every model on every page


# what a model of its kind, or with its position or norm, first brought to the pages; a variant of one of them shows
# its pages in turn
KINDS = ("dates", "reverse-learned", "reverse-no-position", "gpt-char", "mini-encoder", "notebook-c", "zh-en")
OTHERS = [name for name in NAMES if name not in ("de-en", *KINDS)]


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("name", "pages"),
    [*((name, PAGES) for name in KINDS), *((name, PAGES[number % 3 :: 3]) for number, name in enumerate(OTHERS))],
)
def test_every_page_works_with_it(name: str, pages: tuple[str, ...]) -> None:
    for page in pages:
        app = visit(page, checkpoint=name)
        assert [notice for notice in said(app) if "may be wrong" not in notice] == [], page
        title = titles.task_title(Entry(SAMPLES / name).card)
        assert app.sidebar.selectbox(key="checkpoint").format_func(name) == f"{name} · {title}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_cannot_read_is_named(language: str) -> None:
    app = visit("start", language, checkpoint="reverse", sentence="Ab-c")
    unknown = sentence(language, "notice.characters", characters={"en": "“A”, “-”", "zh": "“A”、“-”"}[language])
    assert said(app) == [unknown]
    app = visit("start", language, checkpoint="notebook-c", sentence="wo ist der hund ?")
    assert said(app) == [sentence(language, "notice.unknown", words="hund")]


def test_a_hidden_word_is_no_mistake() -> None:
    app = visit("start", checkpoint="mini-encoder", sentence="she _ eating soup today .")
    assert said(app) == []
    assert shown(app) == ["she _ eating soup today .", "she is eating soup today ."]
    app = visit("start", checkpoint="mini-encoder", sentence="she is eating soup today .")
    assert shown(app) == ["she is eating soup today ."]  # nothing to fill in


def test_a_text_that_goes_on_is_not_said_to_be_cut() -> None:
    assert said(visit("start", checkpoint="gpt-char", sentence="The cat is ")) == []


# the small picture


def test_a_thumbnail_has_a_cell_for_each_weight_that_can_be_seen() -> None:
    weights = np.array([[0.9, 0.1, 0.0], [FAINT / 2, 0.5, 0.5]])
    cells = re.findall(r'x="(\d+)" y="(\d+)".*?fill-opacity="([\d.]+)"', thumbnail(weights, "cross"))
    assert cells == [("0", "0", "0.90"), ("1", "0", "0.10"), ("1", "1", "0.50"), ("2", "1", "0.50")]


def test_a_large_one_is_drawn_by_its_largest_weights() -> None:
    weights = np.zeros((50, 70))
    weights[49, 69] = 1.0
    svg = thumbnail(weights, "decoder")
    assert f'viewBox="0 0 {MOST} {MOST}"' in svg
    assert re.findall(r'x="(\d+)" y="(\d+)"', svg) == [(str(MOST - 1), str(MOST - 1))]


def test_the_tile_shows_the_head_to_look_at_first() -> None:
    entry = Entry(SAMPLES / "reverse")
    look = entry.card["first_look"]
    weights = load_trace(entry.folder / "example.npz").weights("cross")[look["layer"], look["head"]]
    rows, columns = weights.shape
    picture = gallery.picture(entry)
    assert picture
    assert f"{rows} queries by {columns} keys" in picture[1]


def test_the_frame_needs_no_pandas() -> None:
    """Half a second that no first page should wait for."""
    assert not hasattr(sidebar, "pd")
    assert not hasattr(titles, "pd")


# ordinary sentences


@either_language
def test_the_card_of_a_translator_says_what_was_measured_with_ordinary_sentences(language: str) -> None:
    recorded = ordinary.MEASUREMENT.saved(catalogue.find("de-en"))
    assert recorded
    assert recorded.marked
    app = visit("checkpoints", language, card="de-en", show="scores")
    right, low, high = map(percent, recorded.right)
    line = sentence(language, "cards_ordinary.right", share=f"{right} ({low}–{high})", count=recorded.sentences)
    assert line in [element.value for element in app.main.text]
    of_wrong, of_right, _ = recorded.marked
    for share in (of_wrong, of_right):
        assert f"{percent(share.mean)} ({percent(share.low)}–{percent(share.high)})" in tables(app)
    assert inside(app, "figure_ordinary")
    assert inside(visit("checkpoints", language, card="dates", show="scores"), "figure_ordinary") == []
