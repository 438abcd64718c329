"""This word: the training sentences that speak for it and against it, by several methods, and which to believe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from corpora.pairs import Pair
from corpora.text_index import TextIndex
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.features import sentences
from model.influence import methods, moments, retraining, stored_index
from model.influence.shared_words import SharedWords
from model.intervals import Estimate
from model.measurements.training_data import influence_scores
from pages.data import asked_word, retrained, sample
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, folder_command, show, token_picker
from pages.shared.ui.downloads import export
from viz.charts.effects import training_pair_charts
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html
from viz.numbers import percent, signed

SHOWN = 8  # sentences of a table
OVERLAP = "words"  # the method that needs the sentences alone


def figures(current_run: CurrentRun) -> None:
    """The sentences behind a word by a method, how far each method can be trusted, and training without some."""
    entry = current_run.entry
    if not _can_ask(entry):
        with page.card("figure_word", words("data_word.title"), words("data_word.none")):
            _take_small(entry)
        return
    if not asked_word.is_small(entry):
        _of_corpus(current_run)
        return
    with page.card("figure_word", words("data_word.title"), words("data_word.about")):
        asked = asked_word.picked(current_run)
        if asked is None:
            show.text(words("data_word.no_word"))
            return
        method = _method(entry, methods.METHODS)
        found = _by_methods(asked, method)
        if found is None:
            return
        pairs = asked_word.task(entry).pairs
        show.caption(words("data_word.of_small", count=len(pairs), probability=percent(asked.probability)))
        _both_sides(pairs, found, method, asked.token)
    page.flush()
    if measured := asked_word.recorded(entry):
        with page.card("figure_methods", words("data_methods.title"), words("data_methods.about")):
            _methods(entry, measured)
        page.flush()
    with page.card("figure_without", words("data_without.title"), words("data_without.about")):
        retrained.figure(asked, found[method])


def _can_ask(entry: catalogue.Entry) -> bool:
    """Whether the model writes other texts than it reads, and its training sentences are here."""
    is_there = not isinstance(entry, catalogue.Untrained) and sentences.has_corpus(entry)
    return is_there and entry.config.architecture == "encoder-decoder"


def _take_small(entry: catalogue.Entry) -> None:
    """A button to the model that can be trained again."""
    if asked_word.SMALL in catalogue.entries() and entry.name != asked_word.SMALL:
        choices = {"checkpoint": asked_word.SMALL, "sentence": None, "step": None, "method": None}
        label = words("data_word.take_small", name=asked_word.SMALL)
        st.button(label, key="word_small", on_click=view.choose, kwargs=choices)


def _of_corpus(current_run: CurrentRun) -> None:
    """The sentences behind a word of a model that takes long to train: by the methods of its index, or shared words."""
    entry = current_run.entry
    with page.card("figure_word", words("data_word.title"), words("data_word.about_corpus")):
        stored, state = asked_word.stored(entry), asked_word.stored_state(entry)
        if stored:
            pairs = tuple(stored.pairs)
        else:
            made = sample.made(entry)
            if made is None:
                return
            pairs = tuple(made.by_words.pairs)
        written = models.run(entry, current_run.sentence).trace.words("output_tokens", whole=True)
        asked = [word for word in written if word.text[:1].isalnum()]
        if not asked:
            show.text(words("data_word.no_word"))
            return
        chosen = token_picker.longest_first("step", words("data_word.word"), [word.text for word in asked])
        word = asked[chosen]
        method, names = OVERLAP, [OVERLAP]
        if stored:
            method = _method(entry, stored_index.METHODS)
            names = [method, *(name for name in stored_index.METHODS if name != method)] if _beside() else [method]
        rows = tuple(range(word.start, word.end))
        found = {name: _of_larger(entry, state, name, current_run.sentence, word.text, rows) for name in names}
        show.caption(words("data_word.of_corpus", count=len(pairs)))
        _both_sides(pairs, found, method, word.text)
        show.text(words("data_word.untested" if stored else "data_word.only_overlap", name=asked_word.SMALL))
        _take_small(entry)


@models.cached
def _shared(entry: catalogue.Entry, state: asked_word.State) -> SharedWords:
    stored = asked_word.stored(entry)
    if stored is None:
        return SharedWords(sample.of(entry, state).by_words)
    return SharedWords(TextIndex(stored.pairs, spells=models.tokenizer(entry).spells))


@models.cached(beside="always")
def _of_larger(
    entry: catalogue.Entry, state: asked_word.State, method: str, sentence: str, word: str, rows: tuple[int, ...]
) -> np.ndarray:
    """How much each training sentence of a larger model speaks for a word of its output, (N); of its index, if any."""
    shared, index = _shared(entry, state), asked_word.stored(entry)
    if method == "words" or index is None:
        return shared.scores(sentence, word)
    models.torch_of_one_thread()
    checkpoint, asked = models.checkpoint(entry), retraining.asked(models.run(entry, sentence), rows[0])
    if method == "vectors":
        return index.nearness(checkpoint, asked.source) * shared.teaches(word)
    return index.gradients(checkpoint, asked[:2], rows)


def _beside() -> bool:
    return controls.toggle("beside", words("data_word.beside"))


def _method(entry: catalogue.Entry, names: Sequence[str]) -> str:
    """The method in view, at first the best one; each with its score beside its name."""
    titles, measured = section("data_method"), asked_word.recorded(entry)
    scores = {name: score for name, score in measured.scores.items() if name in names} if measured else {}
    options = {
        name: words("data_methods.with_score", name=titles[name], score=f"{scores[name].mean:.2f}")
        if scores
        else titles[name]
        for name in scores or names
    }
    return controls.choice("method", words("data_word.method"), options, next(iter(options)))


def _by_methods(asked: asked_word.AskedWord, method: str) -> dict[str, np.ndarray] | None:
    """The scores by the method in view, and by all if these are asked for; None where cancelled or refused."""
    beside = _beside()
    names = [method, *(name for name in methods.METHODS if beside and name != method)]
    mark = f"word {asked.entry.name} {asked.entry.fingerprint} {asked.sentence} {asked.row} {beside}"
    new = [name for name in names if not models.is_kept(asked_word.scores, asked.entry, name, asked.asked)]

    def done(name: str, number: int | None) -> np.ndarray | None:
        if number is None:
            return asked_word.scores(asked.entry, name, asked.asked)
        asked_word.prepare(asked.entry, name, number)
        return None

    try:
        with st.spinner(words("data_word.reading")):
            work = asked_word.missing(asked.entry, new) if new else []
            results = progress.computed(mark, [*work, *((name, None) for name in names)], done)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return None
    if results is None:
        return None
    return {name: scores for (name, _), scores in results.items() if scores is not None}


def _both_sides(pairs: Sequence[Pair], found: Mapping[str, np.ndarray], method: str, token: str) -> None:
    """The sentences that speak most for the word, and those that speak most against it."""
    order = np.argsort(-found[method], kind="stable")
    ordered = found[method][order]  # one that shares no word, 0, speaks neither for the word nor against it
    chosen = {"for": order[ordered > 0][:SHOWN], "against": order[ordered != 0][::-1][:SHOWN]}
    places = {name: np.empty(len(pairs), dtype=int) for name in found}
    for name, scores in found.items():
        places[name][np.argsort(-scores, kind="stable")] = np.arange(1, len(pairs) + 1)
    titles = section("data_method")
    others = list(found) if len(found) > 1 else []
    heads = [words("data_corpus.source"), words("data_corpus.target"), *(titles[name] for name in others)]
    for side, numbers in chosen.items():
        show.subheader(words(f"data_word.{side}", word=token))
        rows = [(*pairs[number], *(f"{places[name][number]:,}" for name in others)) for number in numbers]
        if rows:
            show.table(table_html(heads, rows, texts=1))
        else:
            show.text(words("data_word.no_sentence"))
    if others:
        show.caption(words("data_word.places", count=len(pairs)))
    table = [
        {"side": side, "source": pairs[number].source, "target": pairs[number].target,
         **{name: float(scores[number]) for name, scores in found.items()}}
        for side, numbers in chosen.items()
        for number in numbers
    ]  # fmt: skip
    export.files("data-word", Numbers(table), measured={"sentences": len(pairs)})


def _methods(entry: catalogue.Entry, measured: influence_scores.Saved) -> None:
    """The score of each method and what it says: which is best, by how much, and whether taking sentences out shows it.

    The numbers are those of another model where this one has none.
    """
    titles = section("data_method")
    rows = [(titles[name], (score.mean, score.low, score.high)) for name, score in measured.scores.items()]
    chart = training_pair_charts.scores_chart(rows, measured.ceiling.mean, section("data_methods_chart"))
    counts = {"sentences": measured.sentences, "seed": measured.seed}
    show.figure("data-methods", chart, measured=counts)
    best, second = list(measured.scores)[:2]
    ahead = measured.behind[second]
    lead = dict(zip(("ahead", "low", "high"), (signed(each).removeprefix("+") for each in ahead), strict=True))
    values = {"best": titles[best], "score": f"{measured.scores[best].mean:.2f}", "second": titles[second], **lead}
    show.text(words("data_methods.best" if ahead.is_certain else "data_methods.uncertain", **values))
    show.text(words("data_methods.ceiling", ceiling=f"{measured.ceiling.mean:.2f}", seeds=measured.seeds))
    removal = measured.removal
    falls = {name: _points(each) for name, each in (("found", removal.found), ("random", removal.random))}
    show.text(words("data_methods.removal", method=titles[removal.method], pairs=removal.pairs, words=removal.words,
                    **falls))  # fmt: skip
    shares = [f"{titles[name]} {percent(measured.planted[name].mean)}" for name in measured.scores]
    show.text(words("data_methods.planted", shares=words("data_methods.comma").join(shares)))
    measured_of = {"words": measured.words, "sentences": measured.sentences, "subsets": measured.subsets,
                   "seeds": measured.seeds, "moments": moments.MOMENTS}  # fmt: skip
    show.caption(words("data_methods.measured", **measured_of))
    if influence_scores.MEASUREMENT.saved(entry):
        folder_command.repeat(entry, influence_scores.MEASUREMENT.name)
    else:
        show.caption(words("data_methods.elsewhere", name=asked_word.SMALL))


def _points(fall: Estimate) -> str:
    """A fall of a probability in percentage points, with its interval."""
    mean, low, high = (signed(100 * each, 1).removeprefix("+") for each in fall)
    return words("number.with_range", value=mean, low=low, high=high)
