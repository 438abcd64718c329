"""Step 8, encoder and decoder together: the shape of cross-attention, the only way from one to the other."""

from model.course.question import Question, among
from model.trace import Trace

WITHOUT = "off:cross.*.*"  # the change that cuts the way, as a link spells it


def question(trace: Trace) -> Question:
    """Ask for the number of weights of one head. Wrong: those of self-attention, of all heads, and the sum."""
    _, heads, written, read = trace.weights("cross").shape
    counts = (read * read, written * written, heads * written * read, written + read)
    return among(
        f"{written * read:,}",
        [f"{count:,}" for count in counts],
        written=written,
        read=read,
        count=f"{written * read:,}",
    )
