"""Real effect of leaving a word out: the model runs on the sentence that lacks it.

C words, N sets of words that are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.attribution.why_question import Question, Word, input_words, row_scores
from model.checkpoint.checkpoints import Checkpoint

AT_ONCE = 1_500  # tokens in a batch


def can_leave_out(question: Question, word: Word) -> bool:
    """Whether the model can run without a word: the first token of a decoder and the hidden word have to stay."""
    if word.side == "target":
        return 0 not in word.positions
    return bool(question.run.target) or question.row not in word.positions


Lost = tuple[int, ...]  # a set of words, as positions in `input_words`


def leave_one_out(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    """By how much the score falls if a word is deleted, (C) in nats; NaN for a word that has to stay."""
    sets = single_words(question)
    return falls(question, dict(zip(sets, scores_without(checkpoint, question, sets), strict=True)))


def single_words(question: Question) -> list[Lost]:
    """The sets that `falls` needs the scores of: none, and each word that can be left out."""
    words = enumerate(input_words(question))
    return [(), *((at,) for at, word in words if can_leave_out(question, word))]


def falls(question: Question, scores: Mapping[Lost, float]) -> np.ndarray:
    """Fall of the score by each word left out, (C), as in `leave_one_out`, from the scores without each word."""
    result = np.full(len(input_words(question)), np.nan)
    for positions, score in scores.items():
        if positions:
            result[positions] = scores[()] - score
    return result


def scores_without(checkpoint: Checkpoint, question: Question, sets: Sequence[Sequence[int]]) -> np.ndarray:
    """The score without each set of words, (N) in nats. A set has positions in `input_words`.

    Words are deleted, so the sentence becomes shorter and those behind move up. NaN where nothing of the source would
    be left.
    """
    words = input_words(question)
    scores = np.full(len(sets), np.nan)
    inputs = {number: _shortened(question, [words[at] for at in each]) for number, each in enumerate(sets)}
    possible = [number for number, (source, _, _) in inputs.items() if source or not question.source]
    longest = len(question.source) + len(question.target)
    size = max(1, AT_ONCE // longest)
    for start in range(0, len(possible), size):
        numbers = possible[start : start + size]
        rows = _row_scores(checkpoint, question, [inputs[number] for number in numbers])
        scores[numbers] = question.of_rows(rows).double().numpy()
    return scores


Shortened = tuple[tuple[int, ...], tuple[int, ...], int]  # source, target, and the row that is asked about


def _shortened(question: Question, words: Sequence[Word]) -> Shortened:
    gaps = {side: {position for word in words if word.side == side for position in word.positions} for side in
            ("source", "target")}  # fmt: skip
    source = tuple(id_ for position, id_ in enumerate(question.source) if position not in gaps["source"])
    target = tuple(id_ for position, id_ in enumerate(question.target) if position not in gaps["target"])
    earlier = (
        gaps["target"] if question.run.target else {position for position in gaps["source"] if position < question.row}
    )
    return source, target, question.row - len(earlier)


def likeliest_without(checkpoint: Checkpoint, question: Question, position: int) -> int:
    """The id that the model would write if the word at `position` of `input_words` were deleted."""
    scores = _row_scores(checkpoint, question, [_shortened(question, [input_words(question)[position]])])
    return int(scores[0].argmax())


def _row_scores(checkpoint: Checkpoint, question: Question, inputs: Sequence[Shortened]) -> Tensor:
    sources, targets, rows = zip(*inputs, strict=True)
    with torch.inference_mode():
        source, visible = masks.padded(sources) if question.source else (None, None)
        target = masks.padded(targets)[0] if question.target else None
        return row_scores(checkpoint.model, source, target, visible, torch.tensor(rows))


def compared(question: Question) -> list[int]:
    """The words by which methods are compared, as positions in `input_words`: of a translation those of the source.

    Without the last word written, a decoder writes that word once more: words written so far say little of causes.
    """
    return [
        at
        for at, word in enumerate(input_words(question))
        if can_leave_out(question, word) and (word.side == "source" or not question.source)
    ]


def ordinary(question: Question) -> list[int]:
    """Columns of `compared` whose word is not special, such as `<bos>` and `<eos>`."""
    words = input_words(question)
    return [at for at in compared(question) if not words[at].special]
