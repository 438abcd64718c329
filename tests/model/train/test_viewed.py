"""Models that a page trained: the graphs of its views compute what torch computes, whatever the size."""

from dataclasses import replace

import pytest
import torch

from model.initial_weights import drawn_from
from model.train.browser import ready
from model.train.browser.ready import Ready
from model.train.browser.sizes import SIZES
from model.train.browser.viewed import viewed
from tests.model.graph.test_score_rows import check


def _cases() -> list:
    """Every kind with every size; but one of each kind and number of layers and of heads, the others are thorough."""
    widths = {1: 32, 2: 64, 4: 128}  # by heads
    return [
        pytest.param(
            Ready(kind, size), id=f"{name}-{size.name}",
            marks=() if widths[size.heads] == size.d_model and name != "dates" else pytest.mark.thorough,
        )
        for name, kind in ready.KINDS.items()
        for size in SIZES
        if not kind.graphs
    ]  # fmt: skip


@pytest.mark.parametrize("of", _cases())
def test_why_there_is_of_the_trained_weights(of: Ready) -> None:
    model = of.model().eval()
    with drawn_from(1), torch.no_grad():  # as after some steps: nothing is 0 or 1
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    shown = viewed(of)
    vector = torch.nn.utils.parameters_to_vector(model.parameters()).detach().numpy()
    check(model, replace(shown.graphs, weights=vector.tobytes() + shown.graphs.weights))
