"""Question to a pass: why this token, at this step, perhaps rather than another one; and the words to choose from.

S source tokens, T tokens that the decoder read up to the step asked about, C words (columns), B batch, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.analysis import labels, predictions
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation
from model.edit.edit_effects import first_step
from model.tokenization.token_text import CONTINUES, is_special, without_mark
from model.tokenization.tokenizer import UNK
from model.trace import LOGITS, Tap, TokenList, Trace, silent
from model.transformer import Transformer

Side = Literal["source", "target"]


@dataclass(frozen=True)
class Question:
    """Why the token `word` at row `row` of a pass, and not `rather` (None: whatever else).

    Its score is log p(word), in nats; with `rather`, log p(word) − log p(rather), which is the difference of their
    logits. Of a model that gives labels, `word` is a label, and its score is that of `model.analysis.labels.scores`:
    of several labels at once log p of this one, of an answer the logit that it starts (or ends) at this token, and a
    number as it is.

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

    def of_rows(self, scores: Tensor) -> Tensor:
        """The score from each row of `row_scores` (B, V): (B)."""
        return scores[:, self.word] - (0 if self.rather is None else scores[:, self.rather])


@dataclass(frozen=True)
class Word:
    """A word that may have caused the token: its side, its places there (several where it is in pieces), its text."""

    side: Side
    positions: tuple[int, ...]
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
        positions = tuple(range(start, end))
        if len(text) > 1 and text.startswith(CONTINUES) and words and not words[-1].special:
            last = words.pop()
            words.append(
                Word(side, (*last.positions, *positions), last.text + text.removeprefix(CONTINUES), special=False)
            )
        else:
            words.append(Word(side, positions, text, is_special(shown[start])))
    return words


def by_word(question: Question, by_token: np.ndarray) -> np.ndarray:
    """Values of the tokens, source then target (…, S + T), summed over each word: (…, C)."""
    starts = {"source": 0, "target": len(question.source)}
    positions = [[starts[word.side] + position for position in word.positions] for word in input_words(question)]
    return np.stack([by_token[..., at].sum(axis=-1) for at in positions], axis=-1)


def row_logits(model: Transformer, source: Tensor | None, target: Tensor | None, mask: Tensor | None, rows: Tensor,
               tap: Tap = silent) -> Tensor:  # fmt: skip
    """Logits (B, V) at row `rows[b]` of each sentence of a batch, of tokens or labels; the output sees no other row.

    source (B, S), target (B, T) and mask as in `Transformer.forward`, rows (B).
    """
    last = "decoder.output" if target is not None else "encoder.output"

    def chosen(name: str, value: Tensor) -> Tensor:
        value = tap(name, value)
        if name != last:
            return value
        return value.gather(1, rows.to(value.device)[:, None, None].expand(-1, 1, value.size(-1)))

    result = model(source, target, mask, chosen)
    return (model.label_head(result.to(model.device)).to(result.device) if model.config.labels else result).squeeze(1)


def row_scores(model: Transformer, source: Tensor | None, target: Tensor | None, mask: Tensor | None, rows: Tensor,
               tap: Tap = silent) -> Tensor:  # fmt: skip
    """What `Question` asks for, of every token or label (B, V), at a row of each sentence; arguments as `row_logits`.

    The same as `labels.scores`, for torch.
    """
    logits, kind = row_logits(model, source, target, mask, rows, tap), model.config.label_kind
    if kind in labels.WITHOUT_PROBABILITY:
        return logits
    return torch.nn.functional.logsigmoid(logits) if kind == "several" else logits.log_softmax(dim=-1)


def can_ask(checkpoint: Checkpoint) -> bool:
    """Whether the model writes tokens or labels; an encoder without an output layer gives vectors alone."""
    config = checkpoint.model.config
    return bool(config.target_vocabulary or config.labels)


def answer_trace(run: Translation) -> Trace:
    """The trace whose logits are those of what is asked about: of tokens or, where the model gives labels, of these."""
    logits = run.trace.values.get("labels")
    return run.trace if logits is None else replace(run.trace, values={LOGITS: logits}, likeliest=None)


def score(run: Translation, kind: str, row: int, word: int) -> float:
    """The score of a token or a label, as of `Question`, from the trace of a pass; kind as of `labels.kind_of`."""
    if "labels" in run.trace.values:
        return float(labels.scores(kind, run.trace.values["labels"])[row, word])
    return float(predictions.log_probabilities(run.trace, [word], row)[0])


def asked_about(checkpoint: Checkpoint, run: Translation) -> list[tuple[int, int]]:
    """Row and token, or label, of everything that can be asked about.

    Of an encoder alone that fills in words the rows of the hidden ones, or all.
    """
    config = checkpoint.model.config
    if config.labels and config.label_kind != "one":
        rows: Sequence[int] = range(len(run.trace.values["labels"]))
        rows = checkpoint.tokenizer.last_text(run.source) if config.label_kind == "span" else rows
        return [(row, label) for row in rows for label in range(len(config.labels))]
    ids = answers(run)
    if run.target:
        rows = range(first_step(checkpoint, run), len(run.target))
    elif config.labels:
        rows = range(len(ids))
    else:
        hidden = [row for row, id_ in enumerate(run.source) if id_ == (checkpoint.tokenizer.mask_id or UNK)]
        rows = hidden or range(len(run.source))
    return [(row, int(ids[row])) for row in rows]


def said_first(checkpoint: Checkpoint, run: Translation) -> tuple[int, int]:
    """What of `asked_about` a model that gives labels says itself: its likeliest label, or where the answer starts."""
    if checkpoint.model.config.label_kind == "span":
        return labels.span(run.trace.values["labels"], checkpoint.tokenizer.last_text(run.source))[0], 0
    return 0, int(answers(run)[0])


def answers(run: Translation) -> np.ndarray:
    """The token, or the label, that the model finds likeliest in each row: ids (T), or (1) of a label of a sentence."""
    return predictions.generated(answer_trace(run))
