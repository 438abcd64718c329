"""The tab of byte pairs: what it draws against the learnt merges, and the model's own cut against its tokenizer."""

import html
import json
import re

import pytest

from model.checkpoint.catalogue import Entry, load_tokenizer
from model.tokenization import byte_pairs
from pages.shared.text.words import all_texts
from tests.app import CARD, downloads, inside, nothing_is_marked_up, said, sentence, visit
from tests.figures import watching_figures
from tests.samples import LANGUAGES, SAMPLES, german_english
from viz.figures.figure import Figure
from viz.figures.merges import MergesFigure

pytestmark = pytest.mark.usefixtures("warm")

TEXT = "Wir schwimmen. Ihr schwimmt. Kinokarte, Kinokarte!"


def component(**address: str) -> dict:
    """What the component in the browser gets."""
    drawn: list[Figure] = []
    with watching_figures(lambda _, figure: drawn.append(figure)):
        visit("embedding", show="merges", **address)
    [figure] = [each for each in drawn if isinstance(each, MergesFigure)]
    [part] = figure.parts()
    return json.loads(part.data)


def pieces(word: str, joins: list[int], step: int) -> list[str]:
    """As the browser cuts a word: at each place that no merge up to the step joins."""
    result = [word[0]]
    for character, merge in zip(word[1:], joins, strict=True):
        if 0 < merge <= step:
            result[-1] += character
        else:
            result.append(character)
    return result


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tab_in_each_language(language: str) -> None:
    app = visit("embedding", language, show="merges")
    assert said(app) == []
    nothing_is_marked_up(app)
    heads = ["title", "tokenizers_title"]
    assert [app.header[0].value, app.header[2].value] == [
        sentence(language, f"embedding_merges.{key}") for key in heads
    ]
    text = sentence(language, "embedding_merges.example")
    assert app.text_input(key="text").value == text
    assert len(text) <= byte_pairs.TEXT_LIMIT


def test_the_figure_has_every_state_of_the_text() -> None:
    data, states = component(text=TEXT, merges="3"), byte_pairs.learn(TEXT).states
    assert data["step"] == 3
    assert len(data["steps"]) == len(states) > 5
    for step, (shown, state) in enumerate(zip(data["steps"], states, strict=True)):
        assert [pieces(word, joins, step) for word, joins in data["text"]] == [list(word) for word in state.words]
        assert (shown["tokens"], shown["vocabulary"]) == (state.length, state.vocabulary)
        assert shown["pairs"] == [[*pair, count] for pair, count in state.pairs[:8]]


@pytest.mark.parametrize(("text", "key"), [("", "empty"), (" ", "empty"), ("Kinokarte", "nothing"), ("🙂", "nothing")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_teaches_nothing_says_so(language: str, text: str, key: str) -> None:
    app = visit("embedding", language, show="merges", text=text)
    assert sentence(language, f"embedding_merges.{key}") in inside(app, "figure_merges")


def test_a_long_text_in_a_link_is_cut_at_the_limit() -> None:
    assert visit("embedding", show="merges", text="ab " * 150).text_input(key="text").value == ("ab " * 150)[:400]


def test_a_step_that_the_text_lacks_is_said() -> None:
    [notice] = said(visit("embedding", show="merges", text=TEXT, merges="99"))
    assert "99" in notice


def test_the_model_s_merges_of_a_word_are_listed_in_their_order() -> None:
    app = visit("embedding", show="merges")
    table = inside(app, "figure_cut")[0]
    steps = ["9: ▁ + s", "120: ▁s + ch", "1,165: ▁sch + w", "2,393: im + men", "2,733: ▁schw + immen"]
    places = [table.index(step) for step in steps]
    assert places == sorted(places)
    merges = json.loads(german_english().tokenizer.inner.to_str())["model"]["merges"]
    assert merges[2732] == ["▁schw", "immen"]
    says = sentence("en", "embedding_merges.whole", word="schwimmen", rank=2733, merges=len(merges))
    assert says in inside(app, "cut_says")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_that_stays_in_pieces_names_the_merges_that_are_missing(language: str) -> None:
    [says] = inside(visit("embedding", language, show="merges", cut="Fahrradkette"), "cut_says")
    pairs = f"“▁Fahrrad” + “k”{all_texts(language)['embedding_merges.or']}“k” + “ette”"
    merges = len(json.loads(german_english().tokenizer.inner.to_str())["model"]["merges"])
    assert sentence(language, "embedding_merges.absent", pairs=pairs, merges=merges) in says
    assert sentence(language, "embedding_merges.unseen") in says


def test_a_character_that_no_token_holds_is_named() -> None:
    [says] = inside(visit("embedding", show="merges", cut="Kino <b>票</b>"), "cut_says")
    assert sentence("en", "embedding.unknown", characters="“票”") in says


@pytest.mark.parametrize(("name", "kind"), [("gpt-char", "characters"), ("notebook-c", "words")])
def test_a_model_without_merges_says_how_it_cuts_and_offers_one(name: str, kind: str) -> None:
    app = visit("embedding", checkpoint=name, show="merges")
    assert sentence("en", f"embedding_merges.no_merges_{kind}") in inside(app, "figure_cut")
    app.button(key="cut_other").click().run()
    assert app.query_params["checkpoint"] in ("de-en", ["de-en"])
    assert inside(app, "cut_says")


def test_the_same_text_in_each_tokenizer() -> None:
    app = visit("embedding", show="merges", text="我会游泳。", cut="游")
    table = [element.proto.body for element in app.main.get("html") if "gf-plain" in element.proto.body][-1]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", table)[1:]]
    lines = {name: (int(tokens), int(unknown), html.unescape(word)) for name, _, _, tokens, unknown, word in rows}
    for name in ("de-en", "zh-en", "es-en", "llm-2017", "gpt-char", "notebook-c"):
        tokenizer = load_tokenizer(Entry(SAMPLES / name))
        ids, own = (tokenizer.inner.encode(text).ids for text in ("我会游泳。", "游"))
        assert lines[name] == (len(ids), ids.count(3), " | ".join(tokenizer.tokens(own, begins=True))), name
    assert lines["zh-en"] == (5, 0, "游")
    assert lines["de-en"][1:] == (5, "<unk>")
    assert lines[all_texts("en")["embedding_merges.utf_8"]] == (15, 0, "E6 | B8 | B8")
    says = inside(app, "figure_tokenizers")[1]
    assert says == sentence("en", "embedding_merges.bytes", characters=5, bytes=15, ratio="3.00")


def test_the_files_of_the_figure() -> None:
    app = visit("embedding", show="merges", text=TEXT, merges="2")
    files = {key: file for key, file in downloads(app).items() if key.endswith("byte-pairs")}
    assert set(files) == {f"{kind}_byte-pairs" for kind in ("html", "svg", "csv", "png1", "png2", "png3")}
    svg = files["svg_byte-pairs"].make().decode()
    state = byte_pairs.learn(TEXT).states[2]
    left, right = state.pairs[0][0]
    assert f"{left} + {right}" in svg
    assert svg.count(">▁<") == sum(word.count("▁") for word in state.words)
    assert b"gf-merges" in files["html_byte-pairs"].make()
    assert files["csv_byte-pairs"].make().decode("utf-8-sig").count("\n") == 1 + len(byte_pairs.learn(TEXT).states)


def test_the_reader_of_chinese_gets_a_word_that_is_cut() -> None:
    app = visit("embedding", "zh", checkpoint="zh-en", show="merges")
    assert CARD["source_language"] == "de"
    assert app.text_input(key="cut").value == "swimming"
    assert "▁swim | ming" in inside(app, "figure_cut")[0]
