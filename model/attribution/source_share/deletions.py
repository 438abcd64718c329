"""Source and written text by deletion: one pass without each word tells of every token that is written after it.

S source tokens, T tokens that the decoder read, V vocabulary, N words; row t writes the token after those that it read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.analysis import predictions
from model.attribution.leave_one_out import can_leave_out
from model.attribution.why_question import Question, Side, input_words
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation

Word = tuple[Side, tuple[int, ...]]  # a side, and the positions of a word's tokens there
LOGITS, TOKENS = 2_000_000, 1_000  # computed at once


def words_before(run: Translation, *, whole: bool = False) -> list[list[Word]]:
    """The words that can be deleted before each row writes its token, (T): those of `leave_one_out`."""
    return [
        [(word.side, word.positions) for word in input_words(question) if can_leave_out(question, word)]
        for question in (Question(run, row, 0, whole=whole) for row in range(len(run.target)))
    ]


def deletable(run: Translation, before: Sequence[Sequence[Word]]) -> list[Word]:
    """Each of those words once, but one that is the whole source."""
    return [word for word in dict.fromkeys(word for words in before for word in words)
            if word[0] == "target" or len(word[1]) < len(run.source)]  # fmt: skip


def at_once(checkpoint: Checkpoint, run: Translation) -> int:
    """How many words to delete in one batch."""
    by_logits = LOGITS // (checkpoint.model.config.target_vocabulary * len(run.target))
    return max(1, min(by_logits, TOKENS // (len(run.source) + len(run.target))))


def falls_without(checkpoint: Checkpoint, run: Translation, words: Sequence[Word]) -> np.ndarray:
    """By how much log p of each written token falls if a word is deleted, (N, T) in nats; NaN before it was written.

    The text becomes shorter by the word and those behind move up, as in `leave_one_out`; all other written tokens stay.
    """
    ids = predictions.generated(run.trace)
    scores = predictions.log_probabilities(run.trace, ids)
    falls = np.full((len(words), len(ids)), np.nan)
    for number, logits in enumerate(_logits(checkpoint, run, words)):
        side, positions = words[number]
        gap, first = (len(positions), max(positions)) if side == "target" else (0, 0)
        of_rows = predictions.of_logits(logits[first - gap : len(ids) - gap].numpy(), ids[first:])
        falls[number, first:] = scores[first:] - of_rows
    return falls


def _logits(checkpoint: Checkpoint, run: Translation, words: Sequence[Word]) -> Tensor:
    """Logits of the pass without each word, (N, T, V)."""
    sources, visible = masks.padded([_without(run.source, "source", word) for word in words])
    targets, _ = masks.padded([_without(run.target, "target", word) for word in words])
    with torch.inference_mode():
        logits: Tensor = checkpoint.model(sources, targets, visible)
    return logits


def _without(ids: Sequence[int], side: Side, word: Word) -> list[int]:
    return [id_ for position, id_ in enumerate(ids) if word[0] != side or position not in word[1]]


def shares(before: Sequence[Sequence[Word]], falls: Mapping[Word, np.ndarray]) -> np.ndarray:
    """The source's share of Σ |fall| over the words before each row, (T) in [0, 1]; NaN where no word changes anything.

    A sign says whether a word speaks for the token or against it; both are influence.
    """
    return np.array([_share(row, words, falls) for row, words in enumerate(before)])


def _share(row: int, words: Sequence[Word], falls: Mapping[Word, np.ndarray]) -> float:
    sizes = {word: abs(float(falls[word][row])) for word in words if word in falls}
    total = sum(sizes.values())
    return sum(size for (side, _), size in sizes.items() if side == "source") / total if total else float("nan")
