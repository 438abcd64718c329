"""The output as far as it is written, after each of its tokens."""

from collections.abc import Sequence

from model.tokenization.token_text import is_special, without_mark
from model.trace import AttentionKind
from pages.shared.models.sentence import CurrentRun
from pages.shared.ui.switches import word_switch
from viz.data import Film


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


def film(current_run: CurrentRun, kind: AttentionKind, *, paused: bool) -> Film | None:
    """The output as the rows of a figure of cross-attention complete it, which are whole words or tokens."""
    so_far = written(current_run.text, current_run.trace.output_tokens)
    if kind != "cross" or not so_far:
        return None
    rows = current_run.trace.words("output_tokens", whole=word_switch.is_on())
    return Film([so_far[row.end - 1] for row in rows], current_run.sentence, paused)
