"""Step 7, layers: from which place along the depth on the token stays first that is finally written."""

from collections.abc import Sequence

from model.analysis.logit_lens import LogitLens
from model.course.question import Question, in_order
from model.course.tokens import longest


def question(lens: LogitLens, output: Sequence[str], places: Sequence[str], layers: int) -> Question:
    """Ask about the longest token of the output; `places` are the names of the places of the lens."""
    about = longest(output)
    ranks = lens.final_ranks[:, about, 0].tolist()
    first = next(place for place in range(len(ranks)) if all(rank == 1 for rank in ranks[place:]))
    return in_order(places, first, word=output[about], place=places[first], layers=layers)
