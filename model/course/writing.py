"""Step 9, writing a word: the candidates of a step, and how the output goes on after each of them."""

from collections.abc import Callable, Sequence

import numpy as np

from model.analysis import predictions
from model.checkpoint.checkpoints import Checkpoint
from model.course.question import Question, among
from model.decode import forced_tokens
from model.decode.decoding_loop import Decoded
from model.decode.start import DecodingStart
from model.tokenization.tokenizer import EOS
from model.trace import Trace

SHOWN = 5  # candidates


def candidates(trace: Trace, step: int) -> tuple[list[int], list[float]]:
    """The likeliest tokens of a step, with their probabilities."""
    ids, log_probabilities = predictions.candidates(trace, step, SHOWN)
    return ids.tolist(), np.exp(log_probabilities).tolist()


def continued(checkpoint: Checkpoint, start: DecodingStart, base: Decoded, step: int, token: int) -> tuple[str, ...]:
    """The output when `token` is written at `step` of the model's own output, and the model goes on from there."""
    output = forced_tokens.branch(checkpoint.model, start, base, step, token, None)
    return checkpoint.tokenizer.tokens(output.ids, begins=bool(start.source))


def question(
    trace: Trace, named: Callable[[Sequence[int]], Sequence[str]], output_after: Callable[[int], Sequence[str]]
) -> Question:
    """Ask which token follows the second candidate of the first step.

    `named` gives the tokens of ids, `output_after` the output that begins with a token.
    """
    ids, _ = candidates(trace, 0)
    output = output_after(next(id_ for id_ in ids[1:] if id_ != EOS))
    following = output[min(1, len(output) - 1)]
    wrong = [name for name in (*trace.output_tokens[1:], *output[2:], *named(ids)) if name != following]
    return among(following, wrong, forced=output[0], word=following, sentence=" ".join(output))
