"""The labels that a model gives, in one pass or in several beside each other."""

from collections.abc import Mapping

import numpy as np

from model.analysis.softmax import softmax
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.html.plain_table import table_html
from viz.numbers import percent

MOST = 12  # labels of a sentence that are listed


def label_table(current_run: CurrentRun, passes: Mapping[str, np.ndarray]) -> None:
    """A row for each label of the sentence, the likeliest of the first pass first; or for each token its likeliest one.

    `passes`: the head of each column and its logits, (S or 1, labels).
    """
    names = current_run.entry.config["labels"]
    shares = [softmax(logits.astype(np.float64)) for logits in passes.values()]
    if current_run.entry.config["label_each"]:
        lines = zip(current_run.trace.source_tokens, *shares, strict=True)
        rows = [[token, *(_likeliest(names, each) for each in columns)] for token, *columns in lines]
        return show.table(table_html([words("labels.token"), *passes], rows))
    order = np.argsort(-shares[0][0], kind="stable")[:MOST].tolist()
    rows = [[names[at], *(percent(float(each[0, at]), 1) for each in shares)] for at in order]
    return show.table(table_html([words("labels.label"), *passes], rows, chosen=0))


def _likeliest(names: list[str], shares: np.ndarray) -> str:
    best = int(shares.argmax())
    return f"{names[best]} · {percent(float(shares[best]), 1)}"
