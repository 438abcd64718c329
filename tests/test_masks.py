"""Masks by the rules of the notebook's system, worked by hand and held against those the model applies."""

import math

import pytest
import torch
from torch import nn

from model import masks
from model.refused import Refused
from model.transformer import attention
from tests.conftest import tiny

SOURCE = torch.tensor([[1, 5, 6, 2], [1, 7, 2, 0]])
TARGET = torch.tensor([[1, 4, 9], [1, 4, 0]])


def grid(mask: torch.Tensor) -> list[list[int]]:
    return mask.int().tolist()


def test_padding_and_cross_by_hand() -> None:
    for mask in (masks.padding(SOURCE), masks.cross(SOURCE)):
        assert mask.dtype == torch.bool
        assert grid(mask[:, 0]) == [[[1, 1, 1, 1]], [[1, 1, 1, 0]]]


def test_causal_by_hand() -> None:
    assert grid(masks.causal(3)[0, 0]) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert grid(masks.causal(2, start=3)[0, 0]) == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert grid(masks.causal(1, start=2)[0, 0]) == [[1, 1, 1]]  # a cached step: all that is known, no future


def test_decoder_self_is_causal_and_target_padding() -> None:
    mask = masks.decoder_self(TARGET)
    assert grid(mask[0, 0]) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert grid(mask[1, 0]) == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    torch.testing.assert_close(mask, masks.causal(3) & masks.padding(TARGET))


def test_shapes_broadcast_to_the_scores() -> None:
    batch, heads, s, t = 2, 5, 4, 3
    pairs = ((masks.padding(SOURCE), s, s), (masks.decoder_self(TARGET), t, t), (masks.cross(SOURCE), t, s))
    for mask, q, k in pairs:
        assert torch.broadcast_shapes(mask.shape, (batch, heads, q, k)) == (batch, heads, q, k)
    assert masks.padding(SOURCE).shape == masks.cross(SOURCE).shape == (2, 1, 1, 4)
    assert masks.decoder_self(TARGET).shape == (2, 1, 3, 3)
    assert masks.causal(3).shape == (1, 1, 3, 3)


def applied() -> dict[str, torch.Tensor]:
    """Where the model lets attention look, by name: true where a masked score is finite."""
    seen = {}

    def watch(name: str, value: torch.Tensor) -> torch.Tensor:
        if name.endswith("masked_scores"):
            seen[name.removesuffix(".masked_scores")] = value.isfinite()
        return value

    with torch.inference_mode():
        tiny()(SOURCE, TARGET, SOURCE != 0, watch)
    return seen


def test_they_are_the_masks_of_the_model() -> None:
    model_masks = applied()
    assert len(model_masks) == 6
    for layer in (0, 1):
        encoder = model_masks[f"encoder.{layer}.self_attention"]
        cross = model_masks[f"decoder.{layer}.cross_attention"]
        own = model_masks[f"decoder.{layer}.self_attention"]
        assert torch.equal(encoder, masks.padding(SOURCE).expand_as(encoder))
        assert torch.equal(cross, masks.cross(SOURCE).expand_as(cross))
        assert torch.equal(own, masks.causal(3).expand_as(own))
        # the model spares itself the target's padding: it stands last, so only padding's own rows differ
        differ = (own != masks.decoder_self(TARGET)).any(dim=(1, 3))  # (B, T)
        assert grid(differ) == [[0, 0, 0], [0, 0, 1]]


def test_target_padding_changes_no_real_position() -> None:
    model = tiny()
    mask = masks.decoder_self(TARGET)

    def pad_target(name: str, value: torch.Tensor) -> torch.Tensor:
        hide = "decoder" in name and name.endswith("self_attention.masked_scores")
        return value.masked_fill(~mask, -math.inf) if hide else value

    with torch.inference_mode():
        plain = model(SOURCE, TARGET, SOURCE != 0)
        masked = model(SOURCE, TARGET, SOURCE != 0, pad_target)
    real = TARGET != 0
    assert torch.equal(plain[real], masked[real])
    assert not torch.allclose(plain[~real], masked[~real])


def test_weights_vanish_exactly_where_a_mask_is_false() -> None:
    torch.manual_seed(0)
    x = torch.randn(2, 2, 3, 4)
    mask = masks.decoder_self(TARGET)
    seen = {}
    attention(x, x, x, mask, nn.Identity(), lambda name, value: seen.setdefault(name, value))
    weights = seen["weights"]
    assert torch.equal(weights == 0, ~mask.expand_as(weights))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 3))


def test_a_row_that_sees_nothing_is_refused_and_would_have_been_nan() -> None:
    empty = torch.tensor([[1, 5, 2], [0, 0, 0]])
    x = torch.randn(2, 1, 3, 4)
    unchecked = (empty != 0)[:, None, None, :]
    assert attention(x, x, x, unchecked, nn.Identity())[1].isnan().all()
    uniform = attention(x, x, x, unchecked, nn.Identity(), mask_fill=-1e9)[1, 0]
    torch.testing.assert_close(uniform, x[1, 0].mean(dim=0).expand(3, 4))  # what −1e9 makes of it
    for build in (masks.padding, masks.cross, masks.decoder_self):
        with pytest.raises(Refused) as refusal:
            build(empty)
        assert refusal.value.code == "mask_row"
        assert refusal.value.values == {"sentence": 2, "query": 1}
    assert str(refusal.value).startswith("In sentence 2, query 1 may attend to no key")


def test_padding_in_front_is_refused_by_the_causal_mask_alone() -> None:
    front = torch.tensor([[5, 6, 7], [0, 0, 5]])
    masks.padding(front)
    with pytest.raises(Refused) as refusal:
        masks.decoder_self(front)
    assert refusal.value.values == {"sentence": 2, "query": 1}


def test_a_mask_of_the_users_own_is_checked() -> None:
    own = torch.ones(4, 4, dtype=torch.bool)
    assert masks.checked(own) is own
    own[2] = False
    with pytest.raises(Refused, match="query 3 may attend to no key"):
        masks.checked(own)
    with pytest.raises(Refused, match="holds float32"):
        masks.checked(torch.zeros(4, 4))
    with pytest.raises(Refused, match="holds int64"):
        masks.checked(torch.ones(4, 4, dtype=torch.int64))
