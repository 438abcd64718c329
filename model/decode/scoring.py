"""The log-probability that a model gives to a given output, token by token, in nats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.softmax import log_probabilities, log_softmax
from model.checkpoint.checkpoints import Checkpoint
from model.decode.forced_tokens import steps_of
from model.decode.start import DecodingStart
from model.decode.translate import target_ids
from model.errors import InvalidInput
from model.tokenization.tokenizer import EOS, SPACE, SPECIALS, Tokenizer

BLANK = "␣"  # a visible space, for spaces at the ends of a text, which would be stripped


@dataclass(frozen=True)
class ScoredOutput:
    """The model's scores for a given output, token by token, (T) each; log-probabilities in nats, ranks from 1.

    log_probabilities       of each token, after the given tokens before it (teacher forcing)
    best                    the likeliest token at each step, with `best_log_probabilities`
    own                     log-probability of each given token after the model's own output, as far as that goes
    free                    the model's own output, with `free_log_probabilities`
    """

    ids: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    ranks: tuple[int, ...]
    best: tuple[int, ...]
    best_log_probabilities: tuple[float, ...]
    own: tuple[float, ...]
    free: tuple[int, ...]
    free_log_probabilities: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.log_probabilities)

    @property
    def perplexity(self) -> float:
        """exp of the mean −log p of a token: as if the model had guessed among so many equally likely tokens."""
        return float(np.exp(-self.total / len(self.ids)))


def output_ids(checkpoint: Checkpoint, start: DecodingStart, text: str) -> tuple[int, ...]:
    """The tokens of a typed output: with `<eos>` at the end of a translation, without it after a continuation."""
    ids = target_ids(checkpoint, typed(checkpoint.tokenizer, text))
    ids = (*checkpoint.model.config.forced, *ids, EOS) if start.source else ids
    if len(ids) > start.limit:
        raise InvalidInput("sentence_tokens", count=len(ids), limit=start.limit)
    return tuple(ids)


def typed(tokenizer: Tokenizer, text: str) -> str:
    """Typed text as the tokenizer should read it: where every character is a token, `␣` stands for a space."""
    return text.replace(BLANK, SPACE) if tokenizer.spells else text


def shown(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """An output as it could be typed, specials left out: a space at its start or end is a `␣` that `typed` reads."""
    if not tokenizer.spells:
        return tokenizer.decode(ids)
    text = "".join(token for token in tokenizer.tokens(ids) if token not in SPECIALS)
    inner = text.strip(BLANK)
    return text.replace(inner, inner.replace(BLANK, " "), 1) if inner else text


def score_output(
    checkpoint: Checkpoint, start: DecodingStart, ids: tuple[int, ...], free: tuple[int, ...]
) -> ScoredOutput:
    """Score the output `ids`: after the given tokens (teacher forcing), and after the model's own output `free`."""
    logits_of = {
        each: steps_of(checkpoint, start, each).values["logits"][len(start.prompt) - 1 :] for each in {ids, free}
    }
    forced_logits, free_logits = logits_of[ids], logits_of[free]
    rows = log_softmax(forced_logits)  # (T, V)
    own = log_probabilities(forced_logits, ids).tolist()
    common = min(len(ids), len(free))
    return ScoredOutput(
        ids=ids,
        log_probabilities=tuple(own),
        ranks=tuple(1 + int((row > value).sum()) for row, value in zip(rows, own, strict=True)),
        best=tuple(rows.argmax(axis=-1).tolist()),
        best_log_probabilities=tuple(rows.max(axis=-1).tolist()),
        own=tuple(log_probabilities(free_logits[:common], ids[:common]).tolist()),
        free=free,
        free_log_probabilities=tuple(log_probabilities(free_logits, free).tolist()),
    )
