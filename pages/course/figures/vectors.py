"""Step 2, words to vectors: the nearest rows of the embedding table."""

import random
import re

import numpy as np

from model.analysis.embedding import Neighbour, nearest
from model.checkpoint import catalogue
from model.tokenization.tokenizer import SPECIALS
from pages.course import tokens
from pages.course.question import Question, among
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.basic.bars import bars_chart

SHOWN = 6  # neighbours
WRONG = 3  # options
FAR = 50  # rows that no wrong option is nearer than
WORD = re.compile(r"[a-z]{4,}")  # a wrong option, where the references of the card have three of them


def figure(current_run: CurrentRun) -> Question:
    names, output = _names(current_run.entry), current_run.trace.output_tokens
    first = tokens.longest(output)
    token = tokens.pick("token", words("course_vectors.token"), output, first)
    near = _ranked(current_run.entry, names.index(output[token]))[:SHOWN]
    labels, cosines = [names[one.id] for one in near], [one.cosine for one in near]
    show.figure("course-vectors", bars_chart(labels, cosines, section("course_vectors_chart"), number=".2f"))
    return _question(current_run, first)


def _question(current_run: CurrentRun, first: int) -> Question:
    """About another token than the one that the figure begins with."""
    names, output = _names(current_run.entry), current_run.trace.output_tokens
    others = [place for place in tokens.worded(output) if place != first] or [first]
    about = max(others, key=lambda place: len(output[place]))
    best, *others_by_rank = _ranked(current_run.entry, names.index(output[about]))
    far = [names[other.id] for other in others_by_rank[min(FAR, len(others_by_rank) // 2) :]]
    vocabulary = _words(current_run.entry)
    whole = [name for name in far if name in vocabulary]
    far = whole if len(whole) >= WRONG else far
    wrong = random.Random(output[about]).sample(far, min(6, len(far)))
    return among(
        names[best.id],
        wrong,
        token=output[about],
        near=names[best.id],
        cosine=f"{best.cosine:.2f}",
        size=f"{len(names):,}",
    )


def _ranked(entry: catalogue.Entry, id_: int) -> list[Neighbour]:
    """The rows of all tokens that stand for text, the nearest first."""
    table, names = _table(entry), _names(entry)
    return [one for one in nearest(table, id_, len(table)) if names[one.id] not in SPECIALS]


def _words(entry: catalogue.Entry) -> set[str]:
    """Words of the target language; a vocabulary has pieces of words too, and words of the other language."""
    outputs = [each for group in entry.card.get("outputs", {}).values() for each in group]
    return {word for each in outputs for word in WORD.findall(each.get("reference", ""))}


@models.cached
def _table(entry: catalogue.Entry) -> np.ndarray:
    """The decoder's embedding table (V, d_model): its tokens are in the language that the model writes."""
    return models.checkpoint(entry).model.target_embedding.weight.detach().cpu().numpy()


@models.cached
def _names(entry: catalogue.Entry) -> tuple[str, ...]:
    tokenizer = models.tokenizer(entry)
    return tokenizer.tokens(range(tokenizer.size))
