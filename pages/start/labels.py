"""The labels that an encoder's head gives: of the sentence, or of each token, with their probabilities."""

import numpy as np

from model.analysis.softmax import softmax
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.html.plain_table import table_html
from viz.numbers import percent

MOST = 12  # labels of a sentence that are listed


def labels(current_run: CurrentRun) -> None:
    """A row for each label, the likeliest first; or one for each token, with the likeliest label."""
    names, logits = current_run.entry.config["labels"], current_run.trace.values["labels"]
    shares = softmax(logits.astype(np.float64))  # (S or 1, labels)
    each = current_run.entry.config["label_each"]
    with page.card(
        "figure_labels",
        words("labels.title"),
        words("labels.hint_token" if each else "labels.hint_sentence", why=words("pages.why")),
    ):
        show.table(_of_tokens(current_run, names, shares) if each else _of_sentence(names, shares[0]))


def _of_sentence(names: list[str], shares: np.ndarray) -> str:
    order = np.argsort(-shares, kind="stable")[:MOST].tolist()
    rows = [[names[at], percent(float(shares[at]), 1)] for at in order]
    return table_html([words("labels.label"), words("labels.probability")], rows, chosen=0)


def _of_tokens(current_run: CurrentRun, names: list[str], shares: np.ndarray) -> str:
    best = shares.argmax(axis=-1).tolist()
    rows = [
        [token, names[at], percent(float(row[at]), 1)]
        for token, at, row in zip(current_run.trace.source_tokens, best, shares, strict=True)
    ]
    return table_html([words("labels.token"), words("labels.label"), words("labels.probability")], rows)
