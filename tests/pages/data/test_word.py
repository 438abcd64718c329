"""The tab of one word: its sentences are those of the methods, its scores those recorded; training again is real."""

import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.features import sentences
from model.influence import methods, moments, retraining, stored_index
from model.influence.stored_index import StoredIndex
from model.measurements.training_data import influence_scores
from model.train import objectives
from pages.data import asked_word, one_word, retrained
from pages.shared.text.words import all_texts
from tests.app import click, inside, said, sentence, visit
from tests.figures import check_chart, watching_figures
from tests.pages.data.test_page import table
from tests.samples import LANGUAGES, SAMPLES
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")
SMALL = asked_word.SMALL


def test_sentences_are_those_that_speak_most_for_the_word_and_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "MOMENTS", 1)  # of ten, which are as real
    app = visit("data", show="word", checkpoint=SMALL, method="words", beside="1")
    rows = table(app, "data-word")
    entry = catalogue.find(SMALL)
    text = app.text_input(key="sentence").value or entry.card["examples"][0]
    tokens = entry.card["example_translation"].split()
    row = max(range(len(tokens)), key=lambda at: (len(tokens[at]), -at))
    asked = asked_word.AskedWord(entry, text, row, tokens[row]).asked
    index = methods.Index(asked_word.task(entry), asked_word.models.checkpoint(entry).model)
    numbers = {pair.source: number for number, pair in enumerate(index.task.pairs)}
    for method in methods.METHODS:
        scores = index.scores(method, [asked])[0]
        expected = [scores[numbers[source]] for source in rows["source"]]
        assert rows[method].astype(float).tolist() == pytest.approx(expected, rel=1e-4, abs=1e-6)
    by_side = {side: each["words"].astype(float).to_numpy() for side, each in rows.groupby("side")}
    scores = index.scores("words", [asked])[0]
    assert by_side["for"] == pytest.approx(np.sort(scores)[::-1][: one_word.SHOWN])
    assert by_side["against"] == pytest.approx(np.sort(scores)[: one_word.SHOWN])
    assert all(tokens[row] in target.split() for target in rows[rows["side"] == "for"]["target"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_best_method_stands_first_with_its_score(language: str) -> None:
    with watching_figures(lambda name, figure: charts.update({name: figure})):
        charts: dict[str, Figure] = {}
        app = visit("data", language, show="word", checkpoint=SMALL)
    measured = asked_word.recorded(catalogue.find(SMALL))
    assert measured is not None
    means = [score.mean for score in measured.scores.values()]
    assert means == sorted(means, reverse=True)
    chart = charts["data-methods"]
    check_chart(chart.spec)  # type: ignore[attr-defined]
    titles = {name: all_texts(language)[f"data_method.{name}"] for name in measured.scores}
    rows = table(app, "data-methods")
    assert rows["method"].tolist()[: len(titles)] == list(titles.values())
    assert rows["score"].tolist()[: len(titles)] == pytest.approx(means, abs=1e-3)
    removal = inside(app, "figure_methods")
    assert any(titles[measured.removal.method] in text and str(measured.removal.words) in text for text in removal)


def test_training_again_shows_the_word_in_every_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer steps than the page takes, which are as real."""
    task = asked_word.task(catalogue.find(SMALL))
    short = replace(task, settings=replace(task.settings, steps=12))
    asked_for = []

    def trained(entry: catalogue.Entry, change: retraining.Change, seed: int, number: int) -> retraining.Weights:
        asked_for.append((change, seed))
        return retraining.trained(short, change, seed) if number == asked_word.STAGES else {}

    monkeypatch.setattr(asked_word, "trained", trained)
    app = visit("data", show="word", checkpoint=SMALL, out="word")
    assert not asked_for
    app = click(app, "train_again")
    changes = dict.fromkeys(change for change, _ in asked_for)
    assert len(asked_for) == 3 * retraining.SEEDS * asked_word.STAGES
    before, without, beside = changes
    assert before == retraining.Change()
    assert len(without.pairs) == len(beside.pairs) > 0
    rows = table(app, "data-without")
    entry = catalogue.find(SMALL)
    run = asked_word.models.run(entry, entry.card["examples"][0])
    token = max(run.trace.output_tokens[:-1], key=len)
    holding = {number for number, pair in enumerate(task.pairs) if token in pair.target.split()}
    assert set(without.pairs) == holding
    asked = retraining.asked(run, run.trace.output_tokens.index(token))
    for name, change in (("before", before), ("without", without), ("random", beside)):
        for seed in range(retraining.SEEDS):
            model = retraining.model_of(task.config, retraining.trained(short, change, seed))
            expected = np.exp(retraining.log_probabilities(model, [asked])[0])
            assert float(rows[name][seed]) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_that_stays_is_told_what_still_teaches_it(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = catalogue.find(SMALL)
    parameters = asked_word.models.checkpoint(entry).model.named_parameters()
    weights = {name: value.detach().numpy() for name, value in parameters}
    monkeypatch.setattr(asked_word, "trained", lambda *asked: weights)
    app = click(visit("data", language, show="word", checkpoint=SMALL, method="words"), "train_again")
    tokens = entry.card["example_translation"].split()
    word = max(tokens, key=len)
    holding = sum(word in pair.target.split() for pair in asked_word.task(entry).pairs)
    still = sentence(language, "data_without.still", word=word, count=holding, left=holding - 20)
    assert still in inside(app, "figure_without")
    app = click(visit("data", language, show="word", checkpoint=SMALL, method="words", out="word"), "train_again")
    assert all_texts(language)["data_without.still"][:12] not in "".join(inside(app, "figure_without"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["pattern", "topic"])
def test_all_sentences_of_a_pattern_or_a_topic_are_taken_out(
    kind: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = asked_word.task(catalogue.find(SMALL))
    weights = retraining.trained(replace(task, settings=replace(task.settings, steps=1)), retraining.Change(), 0)
    asked_for = []
    monkeypatch.setattr(asked_word, "trained", lambda entry, change, seed, number: asked_for.append(change) or weights)
    options = {}
    for name, numbers in task.groups[kind].items():
        title = all_texts(language)[f"data_{kind}.{name}"]
        options[name] = all_texts(language)["data_without.group"].format(name=title, count=len(numbers))
    app = visit("data", language, show="word", checkpoint=SMALL, out=kind)
    assert app.selectbox(key=kind).options == list(options.values())
    name = {"pattern": "not", "topic": "food"}[kind]
    app = click(app.selectbox(key=kind).set_value(name).run(), "train_again")
    assert app.query_params[kind] == name
    before, without, beside = dict.fromkeys(asked_for)
    words = {"nicht"} if kind == "pattern" else {"apfel", "suppe", "brot", "kuchen", "ei"}
    expected = {number for number, pair in enumerate(task.pairs) if words & set(pair.source.split())}
    assert set(without.pairs) == expected
    assert len(beside.pairs) == len(expected)
    assert before == retraining.Change()
    app = visit("data", language, show="word", checkpoint=SMALL, out=kind, **{kind: name})
    assert app.selectbox(key=kind).value == name


@pytest.mark.parametrize(
    ("without", "random", "verdict"),
    [([0.1, 0.2], [0.3, 0.9], "falls"), ([0.1, 0.4], [0.3, 0.9], "unclear"), ([0.95, 1.0], [0.3, 0.9], "rises")],
)
def test_a_difference_is_claimed_only_where_every_training_shows_it(
    without: list[float], random: list[float], verdict: str
) -> None:
    assert retrained._verdict({"before": [0.5, 0.5], "without": without, "random": random}) == verdict


def test_a_translator_shows_shared_words_alone_and_leads_to_the_small_model() -> None:
    app = visit("data", show="word", checkpoint="dates")
    assert sentence("en", "data_word.only_overlap") in inside(app, "figure_word")
    rows = table(app, "data-word")
    assert set(rows.columns) >= {"side", "source", "target", "words"}
    app = click(app, "word_small")
    assert app.query_params["checkpoint"] == SMALL


def test_a_model_without_sentences_says_so() -> None:
    app = visit("data", show="word", checkpoint="gpt-char")
    assert sentence("en", "data_word.none") in [caption.value for caption in app.caption]


def test_a_model_with_an_index_is_asked_by_all_its_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = catalogue.find("dates")
    checkpoint, pairs = asked_word.models.checkpoint(entry), sentences.corpus_of(entry).train(0)[:30]
    examples = objectives.examples(checkpoint.model.config, checkpoint.tokenizer, pairs, "")
    index = StoredIndex(stored_index.made(checkpoint, pairs, examples, {}))
    monkeypatch.setattr(asked_word, "stored", lambda entry: index)
    monkeypatch.setattr(asked_word, "stored_state", lambda entry: (1, 1))
    app = visit("data", show="word", checkpoint="dates", method="gradients", beside="1")
    assert sentence("en", "data_word.untested", name=SMALL) in inside(app, "figure_word")
    rows = table(app, "data-word")
    run = asked_word.models.run(entry, entry.card["examples"][0])
    written = [word for word in run.trace.words("output_tokens", whole=True) if word.text.isalnum()]
    word = max(written, key=lambda word: len(word.text))
    asked = retraining.asked(run, word.start)
    expected = index.gradients(checkpoint, asked[:2], range(word.start, word.end))
    numbers = {pair.source: number for number, pair in enumerate(index.pairs)}
    found = rows["gradients"].astype(float).tolist()
    assert found == pytest.approx([expected[numbers[source]] for source in rows["source"]], rel=1e-3, abs=1e-5)
    assert found[0] == pytest.approx(expected.max(), rel=1e-3)
    assert set(rows.columns) >= set(stored_index.METHODS)


def test_what_a_method_has_done_is_not_done_again_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "MOMENTS", 1)
    asked_word.models.KEPT.clear()
    done, part = [], methods.Index._part
    monkeypatch.setattr(methods.Index, "_part", lambda self, *which: done.append(which) or part(self, *which))
    app = visit("data", show="word", checkpoint=SMALL, method="tracin")
    count = len(asked_word.task(catalogue.find(SMALL)).pairs)
    assert sorted(done) == sorted(methods.parts("tracin", count))
    for key in list(asked_word.models.KEPT):  # the scores of the word are lost, and the parts are not
        if "scores" in str(key):
            del asked_word.models.KEPT[key]
    assert max(methods.ALONG * moments.MOMENTS, methods.WHOLE) <= 160  # sentences between two looks at Stop: 0.2 s
    entry = catalogue.find(SMALL)
    row = influence_scores.rows(tokens := asked_word.models.run(entry, entry.card["examples"][0]).trace.output_tokens)
    longest = max(row, key=lambda at: (len(tokens[at]), -at))
    mark = zlib.crc32(f"word {entry.name} {entry.fingerprint} {entry.card['examples'][0]} {longest} False".encode())
    app.session_state["_view"].kept["data"] = {"stopped": str(mark)}
    app.run()
    assert sentence("en", "progress.stopped") in inside(app, "figure_word")
    next(button for button in app.button if str(button.key).startswith("go_on")).click().run()
    assert len(table(app, "data-word")) == 2 * one_word.SHOWN
    assert len(done) == len(methods.parts("tracin", count))


def test_parts_that_are_lost_are_done_again_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_word.models.KEPT.clear()
    entry, alone, prepare = catalogue.find(SMALL), [], asked_word.prepare
    monkeypatch.setattr(asked_word, "prepare", lambda entry, *part: alone.append(part) or prepare(entry, *part))
    visit("data", show="word", checkpoint=SMALL, method="gradients")
    parts = methods.parts("gradients", len(asked_word.task(entry).pairs))
    assert alone == parts
    for key in list(asked_word.models.KEPT):
        if "_index" in str(key) or "scores" in str(key):
            del asked_word.models.KEPT[key]
    visit("data", show="word", checkpoint=SMALL, method="gradients")
    assert alone == 2 * parts


def test_taking_all_sentences_out_is_refused_before_any_training(monkeypatch: pytest.MonkeyPatch) -> None:
    task = asked_word.task(catalogue.find(SMALL))
    groups = {"topic": {"food": tuple(range(len(task.pairs)))}, "pattern": {}}
    monkeypatch.setattr(asked_word, "task", lambda entry: replace(task, groups=groups))
    app = visit("data", show="word", checkpoint=SMALL, out="topic", topic="food", method="words")
    assert all_texts("en")["refused.influence_no_pairs"] in said(app)
    assert "train_again" not in [button.key for button in app.button]
    assert app.selectbox(key="out").value == "topic"  # another choice can be made


def test_an_index_that_is_written_again_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shutil.copytree(SAMPLES / "dates", tmp_path / "dates")
    entry = Entry(folder)
    checkpoint, pairs = asked_word.models.checkpoint(entry), sentences.corpus_of(entry).train(0)[:30]
    assert asked_word.stored(entry) is None
    for count in (20, 30):
        examples = objectives.examples(checkpoint.model.config, checkpoint.tokenizer, pairs[:count], "")
        stored_index.save(folder, stored_index.made(checkpoint, pairs[:count], examples, {}))
        found = asked_word.stored(entry)
        assert found is not None
        assert found.pairs == pairs[:count]
        state = asked_word.stored_state(entry)
        run = asked_word.models.run(entry, entry.card["examples"][0])
        word = run.trace.words("output_tokens", whole=True)[0]
        asked = (entry.card["examples"][0], word.text, tuple(range(word.start, word.end)))
        for method in stored_index.METHODS:
            assert one_word._of_larger(entry, state, method, *asked).shape == (count,)
