"""A row of attention weights that is edited by hand."""

import numpy as np

from model.edit import hand_edited_row


def test_a_slider_moves_the_others_and_keeps_the_sum() -> None:
    assert hand_edited_row.rebalanced((500, 300, 200), 0, 0) == (0, 600, 400)
    assert hand_edited_row.rebalanced((500, 300, 200), 0, 1000) == (1000, 0, 0)
    assert hand_edited_row.rebalanced((1000, 0, 0), 0, 400) == (400, 300, 300)
    assert hand_edited_row.rebalanced((1000,), 0, 10) == (1000,)
    rng = np.random.default_rng(0)
    for _ in range(200):
        row = hand_edited_row.as_shares(rng.dirichlet(np.full(7, 0.3)))
        place, value = int(rng.integers(7)), int(rng.integers(1001))
        result = hand_edited_row.rebalanced(row, place, value)
        assert sum(row) == sum(result) == 1000
        assert result[place] == value
        assert min(result) >= 0
