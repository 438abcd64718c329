"""Whether a translation may be wrong: signs in its pass, a rule that weighs them, and the words that they point at.

The rule is a logistic regression that `python -m model ordinary` fits. Needs no torch.

T written tokens, S tokens of the source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.analysis import predictions
from model.analysis.softmax import log_softmax
from model.tokenization.token_text import CONTINUES, is_special, without_mark
from model.tokenization.tokenizer import is_chinese
from model.trace import LOGITS, Trace

if TYPE_CHECKING:
    from model.decode.translate import Translation

UNSURE = 0.5  # a word with a token of less probability is one that the model was not sure of
IGNORED = 0.4  # a word of the source to which no row of any head gives more than this is one that nothing looked at
# Of each, more is more doubt. They told wrong outputs for the sentences of the set `fit` best from right ones, German
# and Chinese together, in cross-validation; the least probability of a token and repeated words added nothing to them.
SIGNS = ("surprise", "entropy", "unseen", "ignored")


@dataclass(frozen=True)
class Rule:
    """Weighs signs: doubt where Σ weight · (sign − mean) / scale exceeds the threshold.

    signs  name -> mean, scale and weight
    """

    signs: Mapping[str, tuple[float, float, float]]
    threshold: float

    def score(self, signs: Mapping[str, float]) -> float:
        """The weighed sum."""
        return sum(
            weight * (signs[name] - mean) / scale for name, (mean, scale, weight) in self.signs.items() if weight
        )

    def doubts(self, signs: Mapping[str, float]) -> bool:
        """Whether the output is to be marked."""
        return self.score(signs) > self.threshold


@dataclass(frozen=True)
class Doubt:
    """What a doubted output is marked for.

    unseen   words of the sentence that training never showed
    ignored  its words that nothing looked at
    unsure   written words with the probability of the least likely token of each, the least sure first
    """

    unseen: tuple[str, ...]
    ignored: tuple[str, ...]
    unsure: tuple[tuple[str, float], ...]


def signs(run: Translation) -> dict[str, float]:
    """What a pass shows of each of `SIGNS`.

    surprise  mean of −ln p of the written tokens, in nats
    entropy   mean of the distributions that they were taken from, in nats
    unseen    share of the source's words that training never showed
    ignored   1 − the most attention that a row gives to the word of the source that gets least

    Words are here what the tokens themselves show, in Chinese characters, since a page without Python has no
    dictionary; `model/graph/doubt_score.py` computes the same there.
    """
    trace = run.trace
    surprises = -predictions.log_probabilities(trace, predictions.generated(trace))  # (T)
    logs = log_softmax(trace.values[LOGITS])  # (T, V)
    most = trace.weights("cross").max(axis=(0, 1, 2))  # (S)
    attention = [float(most[start:end].max()) for start, end in plain_words(trace.source_tokens)]
    unseen = [word for word in run.unseen_words if len(word) == 1 or not is_chinese(word)]
    return {
        "surprise": float(surprises.mean()),
        "entropy": float(-(np.exp(logs) * logs).sum(axis=-1).mean()),
        "unseen": len(unseen) / max(len(attention), 1),
        "ignored": 1 - min(attention, default=1.0),
    }


def plain_words(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Start and end of each word among the tokens of a text, by their own marks; none of punctuation."""
    starts = [at for at, token in enumerate(tokens) if not (token.startswith(CONTINUES) and token != CONTINUES)]
    words = zip(starts, [*starts[1:], len(tokens)], strict=True)
    return [(start, end) for start, end in words if is_word(tokens[start])]


def doubt(run: Translation, rule: Rule | None) -> Doubt | None:
    """Why an output is doubted; None for one that is trusted. Without a rule, one with a word below `UNSURE` is."""
    words = sorted(_sureness(run.trace), key=lambda word: word[1])
    unsure = tuple(word for word in words if word[1] < UNSURE)
    if rule is None:
        return Doubt((), (), unsure) if unsure else None
    values = signs(run)
    if not rule.doubts(values):
        return None
    ignored = tuple(text for text, share in looked_at(run.trace) if share < IGNORED)
    unseen = tuple(run.unseen_words)
    if not (unsure or unseen or ignored):
        unsure = tuple(words[:1])
    return Doubt(unseen, tuple(word for word in ignored if word not in unseen), unsure)


def looked_at(trace: Trace) -> list[tuple[str, float]]:
    """Each word of the source with the most attention that any row of any head gives to a token of it."""
    most = trace.weights("cross").max(axis=(0, 1, 2))  # (S)
    return [
        (word.text, float(most[word.start : word.end].max()))
        for word in trace.words("source_tokens", whole=True)
        if is_word(trace.source_tokens[word.start])
    ]


def _sureness(trace: Trace) -> list[tuple[str, float]]:
    """Each written word with the probability of its least likely token."""
    shares = np.exp(predictions.log_probabilities(trace, predictions.generated(trace)))  # (T)
    return [
        (word.text, float(shares[word.start : word.end].min()))
        for word in trace.words("output_tokens", whole=True)
        if not is_special(trace.output_tokens[word.start])
    ]


def is_word(token: str) -> bool:
    """Whether a token is a part of a word; a character that the model lacks, `<unk>`, is one too."""
    return token == "<unk>" or (not is_special(token) and any(map(str.isalnum, without_mark(token))))
