"""Edits in a cached run, and the gradients that flow through edits."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from model.edit import edits
from model.edit.edited_pass import Edit, compose
from model.parts.key_values import LayerCache
from model.trace import Recorder
from tests.model.edit.small import BATCH, OTHER, SOURCE, TARGET, built, run, stepwise

STEPWISE: dict[str, Callable[[dict[str, np.ndarray]], list[Edit]]] = {
    "head off": lambda values: [edits.zero("decoder.*.self_attention.head_outputs", head=1)],
    "one token of a head": lambda values: [edits.scale("decoder.0.self_attention.head_outputs", -2, head=0, row=2)],
    "uniform": lambda values: [edits.replace_weights("decoder.*.self_attention", "uniform")],
    "diagonal": lambda values: [edits.replace_weights("decoder.0.self_attention", "diagonal")],
    "previous": lambda values: [edits.replace_weights("decoder.*.self_attention", "previous")],
    "matrix": lambda values: [edits.replace_weights("decoder.0.self_attention", np.arange(16.0).reshape(4, 4) + 1)],
    "forbidden cell": lambda values: [edits.forbid("decoder.0.self_attention", row=3, key=1)],
    "forbidden key": lambda values: [edits.forbid("decoder.0.self_attention", row=2, key=0), edits.scale("logits", 2)],
    "shifted": lambda values: [edits.shift_position("decoder", 3)],
    "shuffled": lambda values: [edits.shuffle_position("decoder", 4), edits.shift_position("decoder", 1)],
    "removed": lambda values: [edits.remove_position("decoder")],
    "swapped first": lambda values: [edits.swap_token("decoder", 0, 9)],
    "swapped later": lambda values: [edits.swap_token("decoder", 2, 9)],
    "patched": lambda values: [edits.patch("decoder.0.self_attention.k", values["decoder.0.self_attention.v"])],
    "patched weights": lambda values: [
        edits.patch("decoder.0.self_attention.weights", values["decoder.0.self_attention.weights"][::-1].copy())
    ],
    "patched row": lambda values: [
        edits.patch("decoder.0.feed_forward.residual", values["decoder.output"], row=3, from_row=0)
    ],
}


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
@pytest.mark.parametrize("name", STEPWISE)
def test_a_cached_run_equals_the_whole_pass(name: str, kind: str) -> None:
    model, recorder = built(kind), Recorder()
    source = SOURCE if model.config.encoder_layers else None
    mask = None if source is None else source > 0
    with torch.inference_mode():
        model(source, TARGET, mask, recorder)
        changes = STEPWISE[name](recorder.values)
        whole = model(source, TARGET, mask, compose(model, *changes))
        tap = compose(model, *changes)
        steps = stepwise(model, TARGET, tap)
        tap.check()
    torch.testing.assert_close(steps, whole, atol=1e-5, rtol=1e-5)
    assert (whole - torch.from_numpy(recorder.values["logits"])).abs().max() > 1e-3


def test_cross_attention_edits_hold_for_every_step_of_a_cached_run() -> None:
    model = built("encoder-decoder")
    values = run(model, source=OTHER)
    for change in (
        edits.patch("decoder.0.cross_attention.v", values["decoder.0.cross_attention.v"]),
        edits.scale("decoder.0.cross_attention.k", -1, row=4),
        edits.replace_weights("decoder.0.cross_attention", "diagonal", head=1),
        edits.forbid("decoder.0.cross_attention", row=2, key=4),
        edits.patch("encoder.0.feed_forward.residual", values["encoder.output"], row=2),
    ):
        steps = stepwise(model, TARGET, compose(model, change))
        np.testing.assert_allclose(steps[0].numpy(), run(model, change)["logits"], atol=1e-5)


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_one_tap_serves_run_after_run(kind: str) -> None:
    model = built(kind)
    tap = compose(model, edits.swap_token("decoder", 1, 7), edits.shift_position("decoder", 2))
    first = stepwise(model, TARGET, tap)
    assert torch.equal(first, stepwise(model, TARGET, tap))
    with torch.inference_mode():
        source = SOURCE if model.config.encoder_layers else None
        whole = model(source, TARGET, None if source is None else source > 0, tap)
    torch.testing.assert_close(first, whole, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_a_cached_step_of_several_tokens_goes_on_with_the_run(kind: str) -> None:
    model = built(kind)
    tap = compose(model, edits.swap_token("decoder", 2, 7), edits.shift_position("decoder", 2))
    source = SOURCE if model.config.encoder_layers else None
    mask = None if source is None else source > 0
    with torch.inference_mode():
        whole = model(source, TARGET, mask, tap)
        memory = None if source is None else model.encode(source, source > 0, tap)
        caches = [LayerCache() for _ in model.decoder]
        steps = [model.decode(tokens, memory, mask, tap, caches) for tokens in TARGET.split([1, 2, 1], dim=1)]
    torch.testing.assert_close(torch.cat(steps, dim=1), whole, atol=1e-5, rtol=1e-5)


def test_a_cached_step_that_is_not_told_its_start_is_refused() -> None:
    model = built("decoder")
    tap = compose(model, edits.shift_position("decoder", 2))
    with pytest.raises(AssertionError, match="told where it starts"):
        stepwise(model, TARGET, lambda name, value: tap(name, value))


GRADIENTS = {
    "head off": [edits.zero("decoder.0.cross_attention.head_outputs", head=0)],
    "uniform": [edits.replace_weights("encoder.*.self_attention", "uniform", head=1)],
    "opened": [edits.allow("decoder.*.self_attention")],
    "narrowed": [edits.forbid("decoder.*.cross_attention", key=1)],
    "scaled": [edits.scale("*.scores", 3.0), edits.unscale_embedding("encoder")],
    "moved": [edits.shift_position("encoder", 2), edits.shuffle_position("decoder", 4)],
    "swapped": [edits.swap_token("decoder", 1, 18)],
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_flow_through_edits(name: str) -> None:
    """Along a random direction of all parameters the gradient equals the difference quotient."""
    model = built("encoder-decoder").double()
    parameters = list(model.parameters())
    generator = torch.Generator().manual_seed(3)
    direction = [torch.randn(p.shape, generator=generator, dtype=torch.float64) * 1e-6 for p in parameters]

    def loss() -> torch.Tensor:
        tap = compose(model, *GRADIENTS[name])
        return model(BATCH, TARGET.expand(2, -1), BATCH != 0, tap).square().mean()

    loss().backward()
    slope = sum(float((p.grad * d).sum()) for p, d in zip(parameters, direction, strict=True) if p.grad is not None)
    values = []
    with torch.no_grad():
        for sign in (1, -2):
            for p, d in zip(parameters, direction, strict=True):
                p.add_(d, alpha=sign)
            values.append(float(loss()))
    assert (values[0] - values[1]) / 2 == pytest.approx(slope, rel=1e-4)


def test_the_embedding_of_the_swapped_token_learns() -> None:
    model = built("encoder-decoder")
    model(SOURCE, TARGET, SOURCE > 0, compose(model, edits.swap_token("encoder", 2, 20))).sum().backward()
    grad = model.source_embedding.weight.grad
    assert grad is not None
    assert (grad[20] != 0).any()
    assert (grad[int(SOURCE[0, 2])] == 0).all()
