"""The output as far as it is written, after each of its tokens."""

from collections.abc import Sequence

from model.tokenization.token_text import is_special, without_mark
from model.trace import Trace


def written(text: str, tokens: Sequence[str]) -> list[str]:
    """The beginning of `text` that each token completes: found in the text itself, which has the right spaces."""
    end, so_far = 0, []
    for token in tokens:
        piece = "" if is_special(token) else without_mark(token)
        start = text.find(piece, end) if piece else -1
        end = start + len(piece) if start >= 0 else end
        so_far.append(text[:end])
    if so_far:
        so_far[-1] = text
    return so_far


def after_words(text: str, trace: Trace, *, whole: bool) -> list[str]:
    """The beginning of `text` that each row of a figure completes, whose rows are whole words or tokens."""
    so_far = written(text, trace.output_tokens)
    return [so_far[word.end - 1] for word in trace.words("output_tokens", whole=whole)]
