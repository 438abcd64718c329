"""Residual connections and their absence: each pass without them written out once more from the formulas."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.checkpoint.checkpoints import random_model
from model.decode.translate import translate
from model.edit import residual_ablation
from model.edit.edited_pass import compose
from model.edit.edits import remove_residual
from model.edit.residual_ablation import DEPTHS, STACK, TOKENS, Norm, alike, along, by_depth, removed
from model.trace import Recorder
from model.transformer import Transformer
from tests.conftest import tiny
from tests.samples import KINO, german_english

SOURCE, TARGET = torch.tensor([[1, 5, 9, 7, 2]]), torch.tensor([[1, 4, 8, 3]])
MASK = torch.ones_like(SOURCE, dtype=torch.bool)
NORMS: tuple[Norm, ...] = ("pre", "post", "none")


def attend(part: nn.Module, x: Tensor, memory: Tensor, causal: bool = False) -> Tensor:
    """Multi-head attention by torch's own function, from the weights of `part`."""
    q, k, v = (
        getattr(part, name)(y).unflatten(-1, (part.heads, -1)).transpose(1, 2)
        for name, y in (("q", x), ("k", memory), ("v", memory))
    )
    mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return part.output(mixed.transpose(1, 2).flatten(2))


def step(x: Tensor, norm: nn.Module, sublayer, kind: str, residual: bool) -> Tensor:
    stream = x if residual else torch.zeros_like(x)
    return stream + sublayer(norm(x)) if kind == "pre" else norm(stream + sublayer(x))


def stack(model: Transformer, x: Tensor, kind: str, residual: bool, depth: int) -> Tensor:
    """The encoder's first layers."""
    for layer in list(model.encoder)[:depth]:
        first, second = (each.norm for each in layer.residuals)
        x = step(x, first, lambda y, layer=layer: attend(layer.self_attention, y, y), kind, residual)
        feed = layer.feed_forward
        x = step(x, second, lambda y, feed=feed: feed.output(feed.activation(feed.hidden(y))), kind, residual)
    return x


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_without_residual_connections_only_what_is_written_goes_on(norm: str) -> None:
    model = tiny(norm)  # type: ignore[arg-type]
    recorder = Recorder(compose(model, remove_residual()))
    with torch.inference_mode():
        logits = model(SOURCE, TARGET, MASK, recorder)
        memory = stack(model, model.embed("encoder", SOURCE, 0, lambda _, value: value), norm, False, 2)
        np.testing.assert_allclose(recorder.values["encoder.output"], memory[0], atol=1e-5)
        x = model.embed("decoder", TARGET, 0, lambda _, value: value)
        for layer in model.decoder:
            first, second, third = (each.norm for each in layer.residuals)
            feed = layer.feed_forward
            x = step(x, first, lambda y, part=layer.self_attention: attend(part, y, y, True), norm, False)
            x = step(x, second, lambda y, part=layer.cross_attention: attend(part, y, memory), norm, False)
            x = step(x, third, lambda y, feed=feed: feed.output(feed.activation(feed.hidden(y))), norm, False)
        np.testing.assert_allclose(logits[0], model.output(x)[0], atol=1e-4)


def test_one_sublayer_alone_loses_its_residual_connection() -> None:
    model = tiny("pre")
    with torch.inference_mode():
        recorder = Recorder(compose(model, remove_residual("encoder.1.feed_forward")))
        model(SOURCE, TARGET, MASK, recorder)
        x = stack(model, model.embed("encoder", SOURCE, 0, lambda _, value: value), "pre", True, 1)
        layer = model.encoder[1]
        x = x + attend(layer.self_attention, *[layer.residuals[0].norm(x)] * 2)
        output = layer.feed_forward(layer.residuals[1].norm(x))
    np.testing.assert_allclose(recorder.values["encoder.1.feed_forward.residual"], output[0], atol=1e-5)


def test_decoding_with_a_cache_writes_the_same_without_them() -> None:
    checkpoint = german_english()
    tap = compose(checkpoint.model, remove_residual())
    run = translate(checkpoint, KINO, tap=tap)
    predictions = run.trace.values["logits"].argmax(-1).tolist()  # one pass over all steps at once
    assert predictions[:-1] == list(run.target[1:])


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("norm", NORMS)
def test_every_depth_against_the_formulas(norm: Norm, residual: bool) -> None:
    result = by_depth(norm, residual=residual)
    model = random_model(replace(STACK, norm=norm), 0).double()
    x = model.embed("encoder", torch.arange(TOKENS)[None], 0, lambda _, value: value)
    gradient = torch.randn(x.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    start = (gradient - gradient.mean(1, keepdim=True)) / (gradient - gradient.mean(1, keepdim=True)).norm()
    for depth in (0, 1, 2, 3, 6):
        output, back = torch.func.vjp(lambda y, depth=depth: stack(model, y, norm, residual, depth), x)
        rows = nn.functional.normalize(output[0], dim=-1)
        mean = ((rows @ rows.T).sum() - TOKENS) / (TOKENS * (TOKENS - 1))
        assert result.alike[DEPTHS.index(depth)] == pytest.approx(float(mean), abs=1e-9)
        length = float(back(start)[0].norm())
        assert result.gradient[DEPTHS.index(depth)] == pytest.approx(length, rel=1e-3, abs=1e-13)


def test_what_the_page_says_of_the_stacks_holds() -> None:
    for norm in NORMS:
        with_, without = (by_depth(norm, residual=residual) for residual in (True, False))
        assert without.alike[DEPTHS.index(2)] > 0.99
        assert with_.alike[DEPTHS.index(2)] < 0.75
        assert without.gradient[-1] < 1e-15
        assert with_.gradient[-1] > 1e-3
    steady = by_depth("pre", residual=True).gradient
    assert 0.5 < steady.min() < steady.max() < 5
    assert by_depth("post", residual=True).gradient[-1] < 0.05 * steady[-1]
    assert by_depth("none", residual=True).gradient[-1] > 1000


def test_alike_by_hand() -> None:
    assert alike(np.array([[1.0, 0], [0, 2], [-3, 0]])) == pytest.approx(-1 / 3)
    assert alike(np.array([[1.0, 2], [2, 4]])) == pytest.approx(1)
    assert alike(np.array([[1.0, 2]])) == 1


def test_a_trained_model_cannot_do_without_them() -> None:
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    ablation = removed(checkpoint, run)
    assert ablation.outcome.text != run.text
    assert ablation.outcome.stop == "repetition"
    healthy, without = along(run.trace.values, "decoder"), along(ablation.values, "decoder")
    assert list(healthy) == list(without)
    assert healthy["input"] == pytest.approx(without["input"])
    last = list(without)[-1]
    assert without[last] > 0.999 > 0.9 > healthy[last]
    assert residual_ablation.along(ablation.values, "encoder")["input"] < 0.5
