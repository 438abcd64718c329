"""The corpus: what training showed of each word of a sentence, and which training sentences are near it."""

from __future__ import annotations

from corpora.text_index import TextIndex
from model.checkpoint import catalogue
from model.features import sentences
from pages.data import nearest, sample, search
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import show
from pages.shared.ui.downloads import export
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html


def figures(current_run: CurrentRun) -> None:
    """Each word of the sentence, its neighbours that were never seen, near sentences, and a search."""
    entry = current_run.entry
    with page.card("figure_corpus", words("data_corpus.title")):
        if isinstance(entry, catalogue.Untrained) or not sentences.has_corpus(entry):
            show.text(words("data_corpus.none"))
            return
        made = sample.made(entry)
        if made is None:
            return
        found = made.by_words
        show.caption(words("data_corpus.about", count=len(found.pairs), seed=sample.seed(entry)))
        _words(found, current_run.sentence, entry)
    page.flush()
    with page.card("figure_never", words("data_corpus.never_title"), words("data_corpus.never_about")):
        never = found.never_together(current_run.sentence)
        if never:
            heads = [words("data_corpus.first"), words("data_corpus.second")]
            show.table(table_html([*heads], never))
        else:
            show.text(words("data_corpus.never_none"))
    page.flush()
    with page.card("figure_nearest", words("data_corpus.near_title")):
        nearest.figure(current_run, found)
    page.flush()
    with page.card("figure_search", words("data_corpus.search_title")):
        search.figure(entry, found, made.groups)


def _words(index: TextIndex, sentence: str, entry: catalogue.Entry) -> None:
    seen = [index.seen(word) for word in dict.fromkeys(index.words(sentence))]
    heads = [words(f"data_corpus.{name}") for name in ("word", "sentences", "before", "behind")]
    rows = [(each.word, f"{each.sentences:,}", _counted(each.before), _counted(each.behind)) for each in seen]
    show.table(table_html(heads, rows))
    numbers = [
        {"word": each.word, "sentences": each.sentences, "before": _counted(each.before),
         "behind": _counted(each.behind)}
        for each in seen
    ]  # fmt: skip
    export.files("data-words", Numbers(numbers), measured={"sentences": len(index.pairs), "seed": sample.seed(entry)})


def _counted(neighbours: tuple[tuple[str, int], ...]) -> str:
    return " · ".join(f"{word} {count:,}" for word, count in neighbours) or "–"
