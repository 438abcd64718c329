"""Question to a pass: why this token, at this step, perhaps rather than another one; and the words to choose from.

S source tokens, T tokens that the decoder read up to the step asked about, C words (columns), B batch, V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.analysis import predictions
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation
from model.tokenization.token_text import CONTINUES, without_mark
from model.tokenization.tokenizer import SPECIALS
from model.trace import LOGITS, Tap, TokenList, Trace, silent
from model.transformer import Transformer

Side = Literal["source", "target"]


@dataclass(frozen=True)
class Question:
    """Why the token `word` at row `row` of a pass, and not `rather` (None: whatever else).

    Its score is log p(word), in nats; with `rather`, log p(word) − log p(rather), which is the difference of their
    logits.

    whole   whether the words to choose from are whole ones where a token is a character; pieces of a word always count
            together
    """

    run: Translation
    row: int
    word: int
    rather: int | None = None
    whole: bool = False

    @property
    def source(self) -> tuple[int, ...]:
        """Ids that the encoder read, (S)."""
        return self.run.source

    @property
    def target(self) -> tuple[int, ...]:
        """Ids that the decoder had read when it wrote the token, (T); empty for an encoder alone."""
        return self.run.target[: self.row + 1]

    def of_rows(self, logits: Tensor) -> Tensor:
        """The score from each row of logits (B, V): (B)."""
        log_probabilities = logits.log_softmax(dim=-1)
        return log_probabilities[:, self.word] - (0 if self.rather is None else log_probabilities[:, self.rather])


@dataclass(frozen=True)
class Word:
    """A word that may have caused the token: its side, its places there (several where it is in pieces), its text."""

    side: Side
    places: tuple[int, ...]
    text: str
    special: bool


def input_words(question: Question) -> list[Word]:
    """The words of the source, then those that the decoder had read."""
    return _words(question, "source", "source_tokens") + _words(question, "target", "target_tokens")


def _words(question: Question, side: Side, tokens: TokenList) -> list[Word]:
    """Words of a side, up to where the token was written: of a word that it goes on, the pieces before it."""
    trace, count = question.run.trace, len(question.source if side == "source" else question.target)
    shown: tuple[str, ...] = getattr(trace, tokens)
    words: list[Word] = []
    for start, end, text, _ in trace.words(tokens, whole=question.whole):
        if start >= count:
            break
        if end > count:
            end, text = count, "".join(map(without_mark, shown[start:count]))
        places = tuple(range(start, end))
        if len(text) > 1 and text.startswith(CONTINUES) and words and not words[-1].special:
            last = words.pop()
            words.append(Word(side, (*last.places, *places), last.text + text.removeprefix(CONTINUES), special=False))
        else:
            words.append(Word(side, places, text, shown[start] in SPECIALS))
    return words


def by_word(question: Question, by_token: np.ndarray) -> np.ndarray:
    """Values of the tokens, source then target (…, S + T), summed over each word: (…, C)."""
    starts = {"source": 0, "target": len(question.source)}
    places = [[starts[word.side] + place for place in word.places] for word in input_words(question)]
    return np.stack([by_token[..., at].sum(axis=-1) for at in places], axis=-1)


def row_logits(model: Transformer, source: Tensor | None, target: Tensor | None, mask: Tensor | None, rows: Tensor,
               tap: Tap = silent) -> Tensor:  # fmt: skip
    """Logits (B, V) at row `rows[b]` of each sentence of a batch, of tokens or labels; the output sees no other row.

    source (B, S), target (B, T) and mask as in `Transformer.forward`, rows (B).
    """
    last = "decoder.output" if target is not None else "encoder.output"

    def chosen(name: str, value: Tensor) -> Tensor:
        value = tap(name, value)
        return value[torch.arange(len(value)), rows][:, None] if name == last else value

    result = model(source, target, mask, chosen)
    return (model.label_head(result.to(model.device)).to(result.device) if model.config.labels else result)[:, 0]


def can_ask(checkpoint: Checkpoint) -> bool:
    """Whether the model writes tokens or labels; an encoder without an output layer gives vectors alone."""
    config = checkpoint.model.config
    return bool(config.target_vocabulary or config.labels)


def answer_trace(run: Translation) -> Trace:
    """The trace whose logits are those of what is asked about: of tokens or, where the model gives labels, of these."""
    labels = run.trace.values.get("labels")
    return run.trace if labels is None else replace(run.trace, values={LOGITS: labels}, likeliest=None)


def answers(run: Translation) -> np.ndarray:
    """The token, or the label, that the model finds likeliest in each row: ids (T), or (1) of a label of a sentence."""
    return predictions.written(answer_trace(run))
