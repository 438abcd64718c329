"""Step 2, words to vectors: the nearest rows of the embedding table."""

import random

import numpy as np

from model.analysis.embedding import Neighbour, nearest
from model.checkpoint import catalogue
from model.tokenizer import SPECIALS
from pages.course import tokens
from pages.course.question import Question, among
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import charts
from viz.charts.basic.bars import bars_chart

SHOWN = 6  # neighbours
FAR = 50  # rows that no wrong option is nearer than


def figure(current_run: CurrentRun) -> Question:
    names, read = _names(current_run.entry), current_run.trace.source_tokens
    ids = models.tokenizer(current_run.entry).encode(current_run.sentence)
    first = tokens.longest(read)
    token = tokens.pick("token", words("course_vectors.token"), read, first)
    near = _ranked(current_run.entry, ids[token])[:SHOWN]
    labels, cosines = [names[one.id] for one in near], [one.cosine for one in near]
    charts.chart("course-vectors", bars_chart(labels, cosines, section("course_vectors_chart"), number=".2f"))
    return _question(current_run, ids, first)


def _question(current_run: CurrentRun, ids: list[int], first: int) -> Question:
    """About another token than the one that the figure begins with."""
    names, read = _names(current_run.entry), current_run.trace.source_tokens
    others = [place for place in tokens.worded(read) if place != first] or [first]
    about = max(others, key=lambda place: len(read[place]))
    best, *others = _ranked(current_run.entry, ids[about])
    far = [names[other.id] for other in others[min(FAR, len(others) // 2) :]]
    wrong = random.Random(read[about]).sample(far, min(6, len(far)))
    return among(
        names[best.id],
        wrong,
        token=read[about],
        near=names[best.id],
        cosine=f"{best.cosine:.2f}",
        size=f"{len(names):,}",
    )


def _ranked(entry: catalogue.Entry, id_: int) -> list[Neighbour]:
    """The rows of all tokens that stand for text, the nearest first."""
    table, names = _table(entry), _names(entry)
    return [one for one in nearest(table, id_, len(table)) if names[one.id] not in SPECIALS]


@models.cached(16)
def _table(entry: catalogue.Entry) -> np.ndarray:
    """The encoder's embedding table (V, d_model)."""
    return models.checkpoint(entry).model.source_embedding.weight.detach().cpu().numpy()


@models.cached(16)
def _names(entry: catalogue.Entry) -> tuple[str, ...]:
    tokenizer = models.tokenizer(entry)
    return tokenizer.tokens(range(tokenizer.size))
