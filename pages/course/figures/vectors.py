"""Step 2, words to vectors: the nearest rows of the embedding table."""

import numpy as np

from model.checkpoint import catalogue
from model.course import tokens, vectors
from model.course.question import Question
from pages.course import token_choice
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.basic.bars import bars_chart

SHOWN = 6  # neighbours


def figure(current_run: CurrentRun) -> Question:
    names, output = _names(current_run.entry), current_run.trace.output_tokens
    first = tokens.longest(output)
    token = token_choice.pick("token", words("course_vectors.token"), output, first)
    near = vectors.ranked(_table(current_run.entry), names, names.index(output[token]))[:SHOWN]
    labels, cosines = [names[one.id] for one in near], [one.cosine for one in near]
    show.figure("course-vectors", bars_chart(labels, cosines, section("course_vectors_chart"), number=".2f"))
    return vectors.question(_table(current_run.entry), names, output, vectors.written_words(current_run.entry.card))


@models.cached
def _table(entry: catalogue.Entry) -> np.ndarray:
    """The decoder's embedding table (V, d_model): its tokens are in the language that the model writes."""
    return models.checkpoint(entry).model.target_embedding.weight.detach().cpu().numpy()


@models.cached
def _names(entry: catalogue.Entry) -> tuple[str, ...]:
    tokenizer = models.tokenizer(entry)
    return tokenizer.tokens(range(tokenizer.size))
