"""Step 4, one head: lines from each word written to the words that were read."""

import numpy as np

from pages.course import tokens
from pages.course.question import Question, among
from pages.shared.models.sentence import CurrentRun
from pages.shared.ui import attention_figure
from pages.shared.ui.attention_figure import panels


def figure(current_run: CurrentRun) -> Question:
    look = current_run.entry.card["first_look"]
    layer, head = (look["layer"], look["head"]) if look["attention_kind"] == "cross" else (0, 0)
    shown = [panel for panel in panels(current_run.trace) if panel.kind == "cross"]
    attention_figure.attention(shown, view_="links", kind="cross", layer=layer, head=head, key="course_head")
    weights = current_run.trace.weights("cross")[layer, head]  # (Q, K)
    queries, keys = current_run.trace.output_tokens, tokens.numbered(current_run.trace.source_tokens)
    query = max(tokens.worded(queries), key=lambda row: _lead(weights[row]))
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
