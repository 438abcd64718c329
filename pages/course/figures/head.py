"""Step 4, one head: lines from each word written to the words that were read."""

import numpy as np

from pages.course import heads, tokens
from pages.course.question import Question, among
from pages.shared.models.sentence import CurrentRun


def figure(current_run: CurrentRun) -> Question:
    heads.links(current_run, "course_head")
    layer, head = heads.of_card(current_run.entry)
    weights = current_run.trace.weights("cross")[layer, head]  # (Q, K)
    queries, keys = current_run.trace.output_tokens, tokens.numbered(current_run.trace.source_tokens)
    # the figure opens with the clearest row, so the question is about the next one
    query = sorted(tokens.worded(queries), key=lambda row: -_lead(weights[row]))[:2][-1]
    order = np.argsort(-weights[query], kind="stable").tolist()
    best = order[0]
    return among(
        keys[best],
        [keys[place] for place in order[1:]],
        word=queries[query],
        layer=layer,
        head=head,
        token=keys[best],
        weight=f"{weights[query, best]:.2f}",
    )


def _lead(row: np.ndarray) -> float:
    """By how much the largest weight leads."""
    second, first = np.sort(row)[-2:] if len(row) > 1 else (0.0, row[0])
    return float(first - second)
