"""A word cut by the merges of the model in view, and a text in the tokens of each tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.tokenization.merge_order import Cut, MergeOrder, Pair
from model.tokenization.tokenizer import UNK, Tokenizer
from pages.embedding.word_pieces import WORD_LIMIT
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.notices import characters, plain, quoted
from pages.shared.text.words import sentences, words
from pages.shared.ui import controls, show
from viz.html.plain_table import table_html
from viz.whole_words import BYTE_SPACE

SHIPPED = ("de-en", "zh-en", "es-en", "llm-2017", "gpt-char", "notebook-c")  # each cuts in another way
MOST = 9  # tokenizers in the table
NAMED = 3  # pairs without a merge that are named
# a word that merges make, by what the model reads, and one that they leave in pieces
_WORDS = {"zh": ("swimming", "cinema"), "es": ("trabajar", "cinéfilo")}
_OTHERWISE = ("schwimmen", "Kinokarte")


@dataclass(frozen=True)
class Line:
    """What one tokenizer makes of the text and of the word."""

    name: str
    kind: str
    vocabulary: int
    tokens: int
    unknown: int
    pieces: tuple[str, ...]


def words_to_cut(entry: catalogue.Entry) -> tuple[str, str]:
    """A word that is worth cutting, and another one, for what the model reads."""
    return _WORDS.get(entry.card.get("source_language", ""), _OTHERWISE)


def choose_word(current_run: CurrentRun) -> str:
    """The control for a word to cut."""
    word = controls.text("cut", words("embedding.word"), words_to_cut(current_run.entry)[0], WORD_LIMIT)
    return word.strip()


def in_the_model(current_run: CurrentRun, word: str) -> None:
    """The merges that the model's tokenizer applies to the word, in the order in which it learnt them."""
    tokenizer = models.tokenizer(current_run.entry)
    if not tokenizer.pieces(word):
        show.text(words("embedding_merges.no_word"))
        return
    cut = _order(current_run.entry).cut(word)
    if cut is None:
        _no_merges(tokenizer)
        return
    heads = [words(f"embedding_merges.{head}") for head in ("merge", "pieces")]
    rows = [(words("embedding_merges.start"), _spaced(cut.start))]
    rows += [(f"{step.rank:,}: {' + '.join(step.pair)}", _spaced(step.pieces)) for step in cut.steps]
    show.table(table_html(heads, rows, len(cut.steps)))
    with st.container(key="cut_says"):
        show.text(sentences(_result(word, cut), _training(tokenizer, word), _unknown(tokenizer, word)))
    show.caption(words("embedding_merges.order", merges=cut.merges))


def _result(word: str, cut: Cut) -> str:
    """Say why the word is cut as it is."""
    if len(cut.pieces) == 1:
        rank = cut.steps[-1].rank if cut.steps else 0
        key = "embedding_merges.whole" if rank else "embedding_merges.single"
        return words(key, word=word, rank=rank, merges=cut.merges)
    count = words("embedding_merges.cut", word=word, count=len(cut.pieces))
    if not cut.absent:
        return sentences(count, words("embedding_merges.apart"))
    return sentences(count, words("embedding_merges.absent", pairs=_pairs(cut.absent), merges=cut.merges))


def _pairs(pairs: tuple[Pair, ...]) -> str:
    distinct = list(dict.fromkeys(pairs))
    named = words("embedding_merges.or").join(" + ".join(map(quoted, pair)) for pair in distinct[:NAMED])
    return named if len(distinct) <= NAMED else words("embedding_merges.and_so_on", pairs=named)


def _training(tokenizer: Tokenizer, word: str) -> str:
    if not tokenizer.knows_training or not word.isalpha():
        return ""
    return words("embedding_merges.seen" if word in tokenizer.seen else "embedding_merges.unseen")


def _unknown(tokenizer: Tokenizer, word: str) -> str:
    unknown = tokenizer.unknown_characters(word)
    return words("embedding.unknown", characters=characters(unknown)) if unknown else ""


def _no_merges(tokenizer: Tokenizer) -> None:
    """Say how a tokenizer without such merges cuts, and offer a model that has them."""
    show.text(words(f"embedding_merges.no_merges_{_kind(tokenizer)}"))
    name = current.first(current.models()).name
    st.button(
        words("embedding_merges.other", name=plain(name)),
        key="cut_other",
        on_click=view.choose,
        kwargs={"checkpoint": name},
    )


def in_each(current_run: CurrentRun, text: str, word: str) -> None:
    """The text in the tokens of each tokenizer, that of the model in view first."""
    columns = ("tokenizer", "kind", "vocabulary", "tokens", "unknown", "word")
    heads = [words(f"embedding_merges.column_{column}", word=word) for column in columns]
    lines = [line for entry in _entries(current_run) if (line := _line(entry, text, word))]
    rows = [_cells(line) for line in (*lines, _bytes(text, word))]
    show.table(table_html(heads, rows, None if isinstance(current_run.entry, catalogue.Untrained) else 0))
    if text:
        size = len(text.encode())
        show.text(words("embedding_merges.bytes", characters=len(text), bytes=size, ratio=f"{size / len(text):.2f}"))
    show.caption(words("embedding_merges.why_bytes"))


def _cells(line: Line) -> tuple[str, ...]:
    counts = (f"{count:,}" for count in (line.vocabulary, line.tokens, line.unknown))
    return (line.name, words(f"embedding_merges.kind_{line.kind}"), *counts, _spaced(line.pieces))


def _entries(current_run: CurrentRun) -> list[catalogue.Entry]:
    """The models whose tokenizers are compared: the one in view, ours, and those that were imported."""
    entries = current.models()
    own = [] if isinstance(current_run.entry, catalogue.Untrained) else [current_run.entry.name]
    names = [*own, *SHIPPED, *_imported(entries.values())]
    return [entries[name] for name in dict.fromkeys(names) if name in entries][:MOST]


def _imported(entries: Iterable[catalogue.Entry]) -> Iterator[str]:
    for entry in entries:
        if not isinstance(entry, catalogue.Untrained) and entry.is_sound() and "imported" in entry.card:
            yield entry.name


@models.cached
def _line(entry: catalogue.Entry, text: str, word: str) -> Line | None:
    """What the tokenizer of a model makes of both; None where it cannot be read."""
    try:
        tokenizer = models.tokenizer(entry)
    except InvalidInput:
        return None
    ids, own = tokenizer.pieces(text), tokenizer.pieces(word)
    pieces = tokenizer.tokens(own, begins=True)
    return Line(entry.name, _kind(tokenizer), tokenizer.size, len(ids), ids.count(UNK), pieces)


def _bytes(text: str, word: str) -> Line:
    """The row of UTF-8, from which byte-level tokenizers begin."""
    pieces = tuple(f"{byte:02X}" for byte in word.encode())
    return Line(words("embedding_merges.utf_8"), "bytes", 256, len(text.encode()), 0, pieces)


def _kind(tokenizer: Tokenizer) -> str:
    """How a tokenizer cuts: a key of the texts."""
    if tokenizer.whole:
        return "characters" if tokenizer.spells else "words"
    name = type(tokenizer.inner.model).__name__.lower()
    return {"wordlevel": "words", "bpe": "byte_merges" if tokenizer.mark == BYTE_SPACE else "merges"}.get(name, name)


@models.cached
def _order(entry: catalogue.Entry) -> MergeOrder:
    return MergeOrder(models.tokenizer(entry).inner)


def _spaced(pieces: Iterable[str]) -> str:
    return " | ".join(pieces)
