"""The page of the user's own sentences: what it says of each output follows from the model, and input stays text."""

import re
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from corpora import ordinary
from corpora.corpus import Listed, numbered
from corpora.grammar import Grammar
from corpora.translation import Translation
from model import masks
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load
from model.decode.translate import encode, translate
from model.features import sentences
from model.influence import small_task
from pages.data import asked_word, given_lines, nearest, sample, search
from pages.shared.text.words import all_texts
from tests.app import click, inside, said, sentence, visit
from tests.app import table as csv_table
from tests.figures import check_chart, watching_figures
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, german_english
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")


table = partial(csv_table, keep_default_na=False)  # an empty cell is an empty text


def pasted(text: str, **address: str) -> AppTest:
    app = visit("data", **address)
    app.text_area(key="lines").set_value(text).run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def links(app: AppTest) -> list[str]:
    return [each.proto.body for each in app.main.get("html") if "gf-linked" in each.proto.body]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_begins_with_the_sentences_of_the_card(language: str) -> None:
    app = visit("data", language)
    rows = table(app, "data-lines")
    assert KINO in set(rows["source"])
    row = rows[rows["source"] == KINO].iloc[0]
    assert row["output"] == translate(german_english(), KINO).text
    assert list(rows["log_probability"]) == sorted(rows["log_probability"])
    assert sentence(language, "data_signals.no_references") in inside(app, "figure_signals")


def test_pasted_lines_are_judged_sorted_and_filtered() -> None:
    app = pasted(f"{KINO}\nDer Zwerchfellkrampf quabbelt.\n{BUCH}")
    rows = table(app, "data-lines")
    assert rows["source"].iloc[0] == "Der Zwerchfellkrampf quabbelt."
    assert "Zwerchfellkrampf" in rows["unseen"].iloc[0]
    assert rows["mark"].astype(str).tolist() == ["True", "False", "False"]
    assert sentence("en", "data_lines.says", marked=1, count=3) in inside(app, "figure_lines")
    app.selectbox(key="sort").set_value("line").run()
    assert table(app, "data-lines")["line"].tolist() == [1, 2, 3]
    app.toggle(key="marked").set_value(True).run()
    assert table(app, "data-lines")["line"].tolist() == [2]
    assert app.query_params["sort"] == "line"


def test_with_references_signals_are_compared() -> None:
    with watching_figures(lambda name, figure: charts.update({name: figure})):
        charts: dict[str, Figure] = {}
        app = click(visit("data"), "lines_references")
    rows, signals = table(app, "data-lines"), table(app, "data-signals")
    assert len(rows) == given_lines.REFERENCED
    held_out = [row.source for row in ordinary.read("de") if row.set == "test"][: given_lines.REFERENCED]
    assert set(rows["source"]) == set(held_out)
    wrong = (rows["chrf"] < 50).sum()
    assert sentence("en", "data_signals.wrong", wrong=wrong, count=len(rows), below=50) in inside(app, "figure_signals")
    by_hand = -rows["log_probability"]
    bad, good = by_hand[rows["chrf"] < 50], by_hand[rows["chrf"] >= 50]
    share = sum((a > b) + (a == b) / 2 for a in bad for b in good) / (len(bad) * len(good))
    assert signals.set_index("signal")["area"]["surprise"] == pytest.approx(share, abs=1e-6)
    assert signals["area"].is_monotonic_decreasing
    check_chart(charts["data-probability"].spec)  # type: ignore[attr-defined]


def test_a_sentence_links_to_what_caused_its_output_and_markup_stays_text() -> None:
    [html] = links(pasted(f"{MARKUP}\n{BUCH}"))
    assert "/why?" in html
    assert "sentence=Wo+ist+das+Buch%3F" in html
    assert MARKUP not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("Ja.\n" * 501, "lines_many", {"count": "501", "limit": 500}),
        ("a" * 100_000, "lines_long", {"row": 1, "count": "100,000", "limit": "2,000"}),
        ("Ja.\tYes.\nNein.", "lines_references", {"count": 1, "lines": 2, "row": 2}),
    ],
)
def test_lines_that_cannot_be_read_get_one_sentence(text: str, code: str, values: dict) -> None:
    app = pasted(text)
    assert said(app) == [all_texts("en")[f"refused.{code}"].format(**values)]
    assert not links(app)


def test_a_line_that_the_model_cannot_read_is_named() -> None:
    app = pasted(f"{BUCH}\n" + "sehr " * 190)
    [notice] = said(app)
    assert notice.startswith("Line 2: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_decoder_alone_shows_what_it_adds_and_leaves_out_what_needs_an_encoder(language: str) -> None:
    app = visit("data", language, checkpoint="gpt-char")
    rows, checkpoint = table(app, "data-lines"), load(catalogue.find("gpt-char"))
    for source, output in zip(rows["source"], rows["output"], strict=True):
        assert output == translate(checkpoint, source).text.removeprefix(source).strip()
    assert set(rows["ignored"]) == set(rows["mark"]) == {""}
    assert (rows["ratio"] > 0).all()
    texts, [html] = all_texts(language), links(app)
    assert texts["data_column.ratio"] in html
    assert all(texts[f"data_column.{name}"] not in html for name in ("ignored", "written", "mark"))
    assert any(
        sentence(language, "data_explained.lacks_decoder") in text for text in (each.value for each in app.caption)
    )


def test_an_encoder_alone_is_judged_by_its_hidden_words_or_by_every_word() -> None:
    app = pasted("she _ eating soup today .\nshe is eating soup today .", checkpoint="mini-encoder")
    rows = table(app, "data-lines").sort_values("line")
    assert rows["output"].tolist() == [
        translate(load(catalogue.find("mini-encoder")), "she _ eating soup today .").text,
        "",
    ]
    assert set(rows["ratio"]) == {""}
    texts, [html] = all_texts("en"), links(app)
    assert texts["data_column.output"] in html
    assert texts["data_column.repeated"] not in html
    assert any(sentence("en", "data_explained.lacks_encoder") in text for text in (each.value for each in app.caption))


def test_the_corpus_tells_what_training_showed_of_the_sentence_in_view() -> None:
    app = visit("data", show="corpus", checkpoint="dates", find="march")
    text = app.text_input(key="sentence").value or ""
    index = sample.of(catalogue.find("dates"), None).by_words
    rows = table(app, "data-words")
    assert list(rows["word"]) == list(dict.fromkeys(index.words(text)))
    for word, count in zip(rows["word"], rows["sentences"], strict=True):
        assert count == sum(word in index.words(pair.source) for pair in index.pairs)
    near = table(app, "data-nearest")
    assert set(near["source"]) <= {pair.source for pair in index.pairs}
    said_of = sentence("en", "data_corpus.about", count=len(index.pairs), seed=0)
    assert said_of in [caption.value for caption in app.caption]


def test_a_model_without_its_sentences_says_so() -> None:
    app = visit("data", show="corpus", checkpoint="untrained-t5")
    assert sentence("en", "data_corpus.none") in inside(app, "figure_corpus")


@pytest.fixture
def anew() -> Iterator[None]:
    """Samples are made anew, and other tests see none of them."""
    sample.models.KEPT.clear()
    yield
    sample.models.KEPT.clear()


@pytest.mark.usefixtures("anew")
def test_what_a_translator_learned_from_is_read_from_its_index_without_a_word_of_the_grammar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(Grammar, "draw")
    monkeypatch.setattr(sample.stored_index, "SEED", 5)
    app = visit("data", show="corpus", checkpoint="es-en", find="agua")
    index = asked_word.stored(catalogue.find("es-en"))
    assert index is not None
    holding = [pair for pair in index.sample if "agua" in re.findall(r"\w+", pair.source.lower())]
    rows = table(app, "data-found")
    assert set(rows["source"]) <= {pair.source for pair in holding}
    found = sentence("en", "data_corpus.found", count=len(holding), of=len(index.sample), shown=len(rows))
    assert found in inside(app, "figure_search")
    assert sentence("en", "data_corpus.about", count=len(index.sample), seed=5) in [each.value for each in app.caption]


@pytest.mark.usefixtures("anew")
def test_without_an_index_the_grammar_writes_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "OF_GRAMMAR", 400)
    monkeypatch.setattr(asked_word, "stored_state", lambda entry: None)
    entry = catalogue.find("es-en")
    found, corpus = sample.of(entry, None), Translation("es", sample.seed(entry), pairs=400)
    assert set(found.by_words.pairs) <= set(corpus.texts())
    assert found.groups == numbered(corpus.groups(), found.by_words.pairs)


@pytest.mark.usefixtures("anew")
def test_a_model_whose_corpus_is_empty_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "corpus_of", lambda entry: Listed([], []))
    app = visit("data", show="corpus", checkpoint="dates")
    assert all_texts("en")["refused.influence_no_pairs"] in said(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_found_by_topic_and_pattern_and_lead_to_those_like_them(language: str) -> None:
    app = visit("data", language, show="corpus", checkpoint="small-de-en", of_topic="food", of_pattern="not")
    pairs = small_task.of(catalogue.find("small-de-en")).pairs
    food = {"apfel", "suppe", "brot", "kuchen", "ei"}
    like = [pair for pair in pairs if food & set(pair.source.split()) and "nicht" in pair.source.split()]
    rows = table(app, "data-found")
    assert set(rows["source"]) <= {pair.source for pair in like}
    assert len(rows) == min(search.SHOWN, len(like)) > 1
    found = sentence(language, "data_corpus.found", count=len(like), of=len(pairs), shown=len(rows))
    assert found in inside(app, "figure_search")
    [html] = links(app)
    assert "of_topic=" in html
    assert "of_pattern=not" in html
    titles = app.selectbox(key="of_pattern").options
    assert any(title.startswith(all_texts(language)["data_pattern.not"]) for title in titles)
    app.selectbox(key="of_pattern").set_value(search.ANY).run()
    app.text_input(key="find").set_value("suppe").run()
    assert all("suppe" in source.split() for source in table(app, "data-found")["source"])


def test_sentences_without_topics_say_so() -> None:
    app = visit("data", show="corpus", checkpoint="reverse")
    assert sentence("en", "data_corpus.no_groups") in [caption.value for caption in app.caption]


def test_a_pattern_of_a_grammar_is_named_by_its_fixed_words() -> None:
    assert search.gist("Das muss (dir|{p:pron dat}) nicht leidtun.") == "Das muss … nicht leidtun."
    assert search.gist("{n:who -all}比{o:person}(|那么){j:adj}。") == "…比…。"


def test_the_nearest_sentences_by_the_encoder_have_the_largest_cosines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "READ", 60)
    entry = catalogue.find("dates")
    app = visit("data", show="corpus", checkpoint="dates", near="vectors")
    sampled = sample.of(entry, None).by_words.pairs
    pairs = sampled[:: -(-len(sampled) // 60)]
    assert pairs[-1] in sampled[-len(sampled) // 2 :]
    checkpoint = load(entry)
    text = app.text_input(key="sentence").value or entry.card["examples"][0]
    ids = [encode(checkpoint, each) for each in (text, *(pair.source for pair in pairs))]
    own, *others = (checkpoint.model.encode(*masks.padded([each]))[0].mean(dim=0).detach().numpy() for each in ids)
    cosines = [float(own @ each / np.linalg.norm(own) / np.linalg.norm(each)) for each in others]
    rows = table(app, "data-nearest")
    best = sorted(zip(cosines, pairs, strict=True), key=lambda each: -each[0])[: nearest.SHOWN]
    assert rows["source"].tolist() == [pair.source for _, pair in best]
    assert rows["vectors"].astype(float).tolist() == pytest.approx([cosine for cosine, _ in best], abs=0.006)
