"""The labels that a model gives, in one pass or in several beside each other."""

from collections.abc import Mapping, Sequence

import numpy as np

from model.analysis import labels
from model.checkpoint.catalogue import Entry
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.numbers import nats
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.html.plain_table import table_html
from viz.numbers import percent

MOST = 12  # labels of a sentence that are listed


def label_names(entry: Entry) -> Sequence[str]:
    """The labels as they are shown: those of an answer in the user's language; none of a model without labels."""
    if labels.kind_of(entry.config) == "span":
        return words("labels.start"), words("labels.end")
    return entry.config.labels


def label_table(current_run: CurrentRun, passes: Mapping[str, np.ndarray]) -> None:
    """A row for each label of the sentence, the likeliest of the first pass first; or a row for each token.

    A token has its likeliest label; or, below the answer, how likely the answer starts and ends there.

    `passes`: the head of each column and its logits, (S or 1, labels).
    """
    entry, names = current_run.entry, label_names(current_run.entry)
    kind = labels.kind_of(entry.config)
    shares = [labels.shares(kind, logits) for logits in passes.values()]
    said = nats if kind == "score" else lambda share: percent(share, 1)
    if kind == "span":
        spans = [_answer(current_run, name if len(passes) > 1 else "", logits) for name, logits in passes.items()]
        columns = [
            (label, list(map(said, column)))
            for each in shares
            for label, column in zip(names, each.T.tolist(), strict=True)
        ]
        groups = [(name, len(names)) for name in passes] if len(passes) > 1 else []
        return _of_tokens(current_run, columns, groups, spans[0])
    if entry.config.label_each:
        likeliest = [[f"{names[row.argmax()]} · {said(float(row.max()))}" for row in each] for each in shares]
        return _of_tokens(current_run, list(zip(passes, likeliest, strict=True)))
    order = np.argsort(-shares[0][0], kind="stable")[:MOST].tolist()
    rows = [[names[at], *(said(float(each[0, at])) for each in shares)] for at in order]
    return show.table(table_html([words("labels.label"), *passes], rows, chosen=0))


def _of_tokens(
    current_run: CurrentRun,
    columns: Sequence[tuple[str, Sequence[str]]],
    groups: Sequence[tuple[str, int]] = (),
    chosen: range = range(0),
) -> None:
    """A row for each token, those `chosen` marked; of two texts it says which of them the token belongs to.

    `columns`: each with its head; `groups`: names over so many of them each.
    """
    tokens = current_run.trace.source_tokens
    tokenizer = models.tokenizer(current_run.entry)
    second = tokenizer.second_text(tokenizer.encode(current_run.sentence))
    text_column = (
        [] if second is None else [(words("labels.text"), ["2" if at >= second else "1" for at in range(len(tokens))])]
    )
    heads, values = zip(*text_column, *columns, strict=True)
    above = [("", 1 + len(text_column)), *groups] if groups else ()
    rows = list(zip(tokens, *values, strict=True))
    show.table(table_html([words("labels.token"), *heads], rows, chosen, long=True, groups=above))


def _answer(current_run: CurrentRun, name: str, logits: np.ndarray) -> range:
    """The likeliest answer of a pass, in a line, and that there may be none; its tokens."""
    tokenizer = models.tokenizer(current_run.entry)
    ids = tokenizer.encode(current_run.sentence)
    first, last = labels.span(logits, tokenizer.last_text(ids))
    starts, ends = labels.shares("span", logits).T
    share, none = float(starts[first] * ends[last]), float(starts[0] * ends[0])
    said = words("labels.answer", text=tokenizer.decode(ids[first : last + 1]), share=percent(share, 1))
    show.text(f"{name}: {said}" if name else said)
    if none > share:
        show.caption(words("labels.no_answer", share=percent(none, 1)))
    return range(first, last + 1)
