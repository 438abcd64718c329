"""Step 7, layers: from which depth on the token stays first that is finally written."""

from collections.abc import Sequence

from model.analysis.logit_lens import LogitLens
from model.course.question import Question, in_order
from model.course.tokens import longest


def question(lens: LogitLens, output: Sequence[str], depths: Sequence[str], layers: int) -> Question:
    """Ask about the longest token of the output; `depths` are the names of the depths of the lens."""
    about = longest(output)
    ranks = lens.final_ranks[:, about, 0].tolist()
    first = next(at for at in range(len(ranks)) if all(rank == 1 for rank in ranks[at:]))
    return in_order(depths, first, word=output[about], place=depths[first], layers=layers)
