"""One head alone and all heads looking alike: against weights without the other heads, and sums by hand."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.recorded_pass import recorded
from model.decode.translate import Translation, translate
from model.edit import heads_alone
from model.edit.edit_effects import edited_values
from model.trace import path, silent
from tests.samples import SAMPLES


def test_a_head_alone_is_a_model_whose_other_heads_reach_nothing(checkpoint: Checkpoint, run: Translation) -> None:
    """W_O without the rows of the other heads, in every layer; its bias stays."""
    model, size = copy.deepcopy(checkpoint.model), checkpoint.model.config.d_model // checkpoint.model.config.heads
    for name, weight in model.named_parameters():
        if name.endswith("attention.output.weight"):
            with torch.no_grad():
                weight[:, :size] = 0
                weight[:, 2 * size :] = 0
    alone = translate(replace(checkpoint, model=model), run.sentence)
    kept = heads_alone.kept(checkpoint, run, heads_alone.EVERY, 1)
    assert kept.text == alone.text
    assert kept.same == (alone.ids == run.ids)
    logits = torch.from_numpy(recorded(model, run.source, run.target, silent)["logits"])
    ids = torch.tensor([*run.target[1:], run.ids[-1]])  # what is written after each token read
    likely = logits.softmax(dim=-1).gather(-1, ids[:, None])[:, 0]
    np.testing.assert_allclose(kept.probabilities, likely.numpy(), atol=1e-5)


def test_heads_that_look_alike_keep_their_own_values(checkpoint: Checkpoint, run: Translation) -> None:
    attention = path("encoder", 0)
    changes = heads_alone.edited(checkpoint.model.config.heads, attention, "alike")
    weights, values = (run.trace.values[f"{attention}.{name}"] for name in ("weights", "v"))  # (H, Q, K), (H, K, D)
    by_hand = np.einsum("qk,hkd->hqd", sum(weights) / len(weights), values)
    new = edited_values(checkpoint, run, changes)
    np.testing.assert_allclose(new[f"{attention}.head_outputs"], by_hand, atol=1e-5)


def test_two_heads_find_the_largest_and_the_smallest_digit_and_neither_does_alone() -> None:
    checkpoint = load(Entry(SAMPLES / "spread"))
    run = translate(checkpoint, "738465=")
    every, first, second, alike = (
        heads_alone.kept(checkpoint, run, heads_alone.EVERY, case) for case in heads_alone.cases(2)
    )
    assert (every.text, every.same) == ("738465=5", True)
    assert every.probabilities.shape == (2,)  # the digit and <eos>
    assert every.probabilities.min() > 0.9
    for fewer in (first, second, alike):
        assert not fewer.same
        assert fewer.probabilities.min() < 0.1


@pytest.mark.parametrize("name", ["mini-encoder", "gpt-char"])
def test_every_architecture_has_all_cases(name: str) -> None:
    checkpoint = load(Entry(SAMPLES / name))
    run = translate(checkpoint, Entry(SAMPLES / name).card["examples"][0])
    cases = heads_alone.cases(checkpoint.model.config.heads)
    found = [heads_alone.kept(checkpoint, run, path(run.trace.kinds[0], 0), case) for case in cases]
    assert found[0].same
    assert len({each.probabilities.shape for each in found}) == 1
    assert all(((each.probabilities > 0) & (each.probabilities <= 1)).all() for each in found)


def test_the_query_in_which_heads_differ_most() -> None:
    same, apart = [[0.5, 0.5]] * 2, [[1.0, 0.0], [0.0, 1.0]]
    weights = np.array([[same[0], apart[0]], [same[1], apart[1]]])  # (H, Q, K)
    assert heads_alone.farthest_apart(weights, [True, True]) == 1
    assert heads_alone.farthest_apart(weights, [True, False]) == 0  # the other one is no text
    assert heads_alone.farthest_apart(weights, [False, False]) == 1
