"""How likely the token is, in words and figures."""

from __future__ import annotations

import numpy as np

from pages.shared.text.words import words
from pages.shared.ui import show
from pages.why.cached_answers import score
from pages.why.question_asked import AskedQuestion
from viz.numbers import percent, signed


def said(subject: AskedQuestion) -> None:
    """How likely the token is, in a line."""
    value = score(subject.key)
    if subject.rather is None:
        key = {"": "why.probability", "score": "why.number", "span": "why.logit"}
        said = {"share": share(value)} if subject.has_probability else {"value": signed(value)}
        show.text(words(key.get(subject.label_kind, "why.probability_label"), token=subject.token, **said))
    else:
        show.text(words("why.difference", token=subject.token, other=subject.other, value=signed(value)))


def share(log_probability: float) -> str:
    """A probability in percent."""
    return percent(float(np.exp(log_probability)), 1)
