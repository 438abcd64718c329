"""The training sentences nearest to the one in view: by the words that they share, or by the encoder's vectors."""

from __future__ import annotations

from math import ceil

import numpy as np

from corpora.pairs import Pair
from corpora.text_index import TextIndex
from model.analysis.cosine import cosine
from model.checkpoint import catalogue
from model.decode import translate
from model.errors import InvalidInput
from model.influence import methods
from pages.data import asked_word
from pages.shared.layout import progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html

SHOWN = 10
READ = 4000  # sentences at most that the encoder reads where no index ships with the model
AT_ONCE = 200


def figure(current_run: CurrentRun, index: TextIndex) -> None:
    """The way to compare, where the model has an encoder, and the nearest sentences."""
    way = "words"
    if current_run.entry.config.architecture != "decoder":
        ways = {name: words(f"data_corpus.near_{name}") for name in ("words", "vectors")}
        way = controls.choice("near", words("data_corpus.near_by"), ways, "words")
    heads = [words("data_corpus.source"), words("data_corpus.target")]
    if way == "words":
        show.caption(words("data_corpus.near_about"))
        between = "" if index.spells else " "
        rows = [(*each.pair, between.join(each.shared)) for each in index.nearest(current_run.sentence, SHOWN)]
        heads.append(words("data_corpus.shared"))
        compared = len(index.pairs)
    else:
        found = _by_vectors(current_run, index)
        if found is None:
            return
        pairs, cosines = found
        show.caption(words("data_corpus.vectors_about", count=len(pairs)))
        first = np.argsort(-cosines, kind="stable")[:SHOWN]
        rows = [(*pairs[number], f"{cosines[number]:.2f}") for number in first]
        heads.append(words("data_corpus.cosine"))
        compared = len(pairs)
    if not rows:
        show.text(words("data_corpus.near_none"))
        return
    show.table(table_html(heads, rows, texts=1))
    numbers = [{"source": source, "target": target, way: near} for source, target, near in rows]
    export.files("data-nearest", Numbers(numbers), measured={"sentences": compared})


def _by_vectors(current_run: CurrentRun, index: TextIndex) -> tuple[list[Pair], np.ndarray] | None:
    """Sentences, and the cosine of each one's mean vector with that of the sentence; None where cancelled."""
    entry = current_run.entry
    source = tuple(models.run(entry, current_run.sentence).source)
    if stored := asked_word.stored(entry):
        return stored.pairs, stored.nearness(models.checkpoint(entry), source)
    pairs = tuple(index.pairs[:: ceil(len(index.pairs) / READ)])  # from all places: they stand in alphabetical order
    parts = [(pairs[start : start + AT_ONCE],) for start in range(0, len(pairs), AT_ONCE)]
    name = f"vectors {entry.name} {entry.fingerprint}"
    results = progress.computed(name, parts, lambda part: _vectors(entry, tuple(pair.source for pair in part)))
    if results is None:
        return None
    vectors = np.concatenate(list(results.values()))
    own = methods.mean_vectors(models.checkpoint(entry).model, [source])
    read = [pair for pair, vector in zip(pairs, vectors, strict=True) if not np.isnan(vector).any()]
    return read, cosine(own, vectors[~np.isnan(vectors).any(axis=1)])


@models.cached(beside="always")
def _vectors(entry: catalogue.Entry, sources: tuple[str, ...]) -> np.ndarray:
    """The encoder's mean vector of each source; NaN for one that the model cannot read, (sources, d_model)."""
    models.torch_of_one_thread()
    checkpoint = models.checkpoint(entry)
    found = np.full((len(sources), checkpoint.model.config.d_model), np.nan)
    ids = {}
    for number, source in enumerate(sources):
        try:
            ids[number] = translate.encode(checkpoint, source)
        except InvalidInput:
            continue
    if ids:
        found[list(ids)] = methods.mean_vectors(checkpoint.model, list(ids.values()))
    return found
