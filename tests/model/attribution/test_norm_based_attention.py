"""Weights times the norm of what they move, against a loop with torch, and the token that falls most."""

import numpy as np
import pytest
import torch

from model.attribution.norm_based_attention import Fall, falls, largest_fall, norm_weights
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.trace import AttentionKind
from tests.samples import SAMPLES

NAMES = ("de-en", "reverse-post-norm", "llm-2017", "mini-encoder", "gpt-char")


def modules(model: torch.nn.Module, kind: AttentionKind) -> list[tuple[str, torch.nn.Module]]:
    side, name = ("encoder", "self") if kind == "encoder" else ("decoder", "cross" if kind == "cross" else "self")
    return [(f"{side}.{at}.{name}_attention", getattr(block, f"{name}_attention"))
            for at, block in enumerate(getattr(model, side))]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_each_share_is_that_of_a_loop_over_heads_and_tokens(name: str) -> None:
    entry = Entry(SAMPLES / name)
    checkpoint = load(entry)
    trace = translate(checkpoint, entry.card["examples"][0]).trace
    for kind in trace.kinds:
        result = norm_weights(checkpoint.model, trace, kind)
        assert result.shape == trace.weights(kind).shape
        np.testing.assert_allclose(result.sum(-1), 1, atol=1e-5)
        np.testing.assert_array_equal(result == 0, trace.weights(kind) == 0)  # a mask stays
        for layer, (path, module) in enumerate(modules(checkpoint.model, kind)):
            weights, values = (torch.from_numpy(trace.values[f"{path}.{part}"]) for part in ("weights", "v"))
            size = values.shape[-1]
            for head in range(len(weights)):
                out = torch.nn.Linear(size, module.output.out_features, bias=False)
                out.weight.data = module.output.weight.data[:, head * size : (head + 1) * size]
                value = values[head * len(values) // len(weights)]
                norms = torch.stack([
                    torch.stack([out(weight * value[key]).norm() for key, weight in enumerate(row)])
                    for row in weights[head][-3:]
                ])  # fmt: skip
                expected = norms / norms.sum(dim=1, keepdim=True)
                np.testing.assert_allclose(result[layer, head, -3:], expected.detach(), atol=1e-5)


def test_the_largest_fall_is_of_mean_shares() -> None:
    weights, norms = np.full((2, 2, 2, 3), 1 / 3), np.full((2, 2, 2, 3), 1 / 3)
    weights[1, 0] = [[0.8, 0.1, 0.1], [0.2, 0.4, 0.4]]
    norms[1, 0] = [[0.1, 0.8, 0.1], [0.5, 0.1, 0.4]]  # key 0: 0.5 to 0.3; key 1: 0.25 to 0.45
    norms[0, 1] = [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3]]
    assert largest_fall(weights, norms) == pytest.approx(Fall(1, 0, 0, 0.5, 0.3))
    for fall, key in zip(falls(weights, norms)[1:], (1, 2), strict=True):
        assert fall == pytest.approx(Fall(0, 1, key, 1 / 3, 0.3))
