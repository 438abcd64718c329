"""The output as far as it is written, after each of its tokens."""

from collections.abc import Sequence

from model.tokenization.token_text import is_special, without_mark


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
