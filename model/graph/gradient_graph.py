"""Gradient × input as a graph: `model/attribution/gradients.py` for a page without Python.

torch traces the backward pass into operators with lengths that stay open, and the exporter of the other graphs writes
those down once they have names that it knows. n scales of the embeddings, S source tokens, T target tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, fx, nn
from torch._decomp import get_decompositions
from torch.fx.experimental.proxy_tensor import make_fx

from model.attribution.gradients import new_path, products_of, tokens_at_once
from model.attribution.integration import SHARE, TOLERANCE
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.transformer import Transformer

GRADIENT = "gradient"  # of the graph among the analyses
OUTPUTS = ("scores", "products")
_A = torch.ops.aten
_SPELLED = [
    _A.native_layer_norm, _A.native_layer_norm_backward, _A.threshold_backward, _A.gelu_backward, _A.silu_backward,
    _A.tanh_backward, _A.sigmoid_backward, _A.log_sigmoid_backward, _A._softmax_backward_data,
    _A._log_softmax_backward_data, _A.addmm, _A.t, _A.new_zeros, _A.rsub, _A._unsafe_view,
]  # fmt: skip


def applies(config: TransformerConfig) -> bool:
    """Whether a page asks which words caused a token: the model reads tokens and writes some."""
    return config.inputs == "tokens" and bool(config.decoder_layers)


def described(checkpoint: Checkpoint) -> dict[str, Any] | None:
    """For the description of a model: how integrated gradients begin, see live/frontend/integrated.js.

    scales  of the path at first; most: that it may have; tokens: of all passes of a call at most
    share, tolerance: how far off the values may be, of the change or in nats
    """
    if not applies(checkpoint.model.config):
        return None
    path = new_path(checkpoint)
    return {"scales": path.scales, "most": path.most, "tokens": tokens_at_once(checkpoint), "share": SHARE,
            "tolerance": TOLERANCE}  # fmt: skip


class Products(nn.Module):
    """Scores (n) and products (n, S + T) of `products_of`, for log p of a token."""

    def __init__(self, model: Transformer):
        super().__init__()
        self.model = model

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """inputs: ids (1, S), if there is an encoder, and (1, T); the row and the id of the token (1); scales (n)."""
        *ids, row, word, scales = inputs
        source, target = ids[0] if self.model.config.encoder_layers else None, ids[-1]

        def score(scores: Tensor) -> Tensor:
            return scores.gather(1, word.long().to(scores.device).expand(scores.size(0))[:, None]).squeeze(1)

        return products_of(self.model, source, target, row.long(), scales, score)


def traced(model: Transformer, inputs: tuple[Tensor, ...]) -> fx.GraphModule:
    """The forward and the backward pass as operators that the exporter knows, for inputs of any length."""
    table = get_decompositions(_SPELLED)
    trace = make_fx(Products(model), table, "symbolic", _allow_non_fake_inputs=True)  # type: ignore[arg-type]
    module: fx.GraphModule = trace(*inputs)
    for node in list(module.graph.nodes):
        if node.target in _SAME:
            node.replace_all_uses_with(node.all_input_nodes[0])
            module.graph.erase_node(node)
        elif node.op == "call_function":
            node.target = _known(node)
    module.graph.eliminate_dead_code()
    module.recompile()
    return module


def _known(node: fx.Node) -> Callable[..., Any]:
    """What computes the same, and takes lengths while the exporter follows it."""
    if node.target in _NAMES:
        return _NAMES[node.target]
    has_lengths = any(
        not isinstance(each.meta.get("val"), Tensor) for each in node.all_input_nodes if "val" in each.meta
    )
    schema = getattr(node.target, "_schema", None)
    if schema is None or not has_lengths:
        return node.target  # type: ignore[return-value]
    name = schema.name.removeprefix("aten::")
    found: Callable[..., Any] = getattr(torch.Tensor, name, None) or getattr(torch, name)
    return found


def _sliced(x: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Tensor:
    return x[(*[slice(None)] * dim, slice(start, end, step))]


def _spread(gradient: Tensor, sizes: list[int], dim: int, start: int, end: int, step: int) -> Tensor:
    """The gradient of a slice, with zeros around it."""
    places = torch.arange(sizes[dim])[start:end:step]
    return torch.zeros(sizes).index_add(dim, places, gradient)


_SAME = {_A.alias.default, _A.clone.default, _A.detach.default, _A.lift_fresh_copy.default}
_NAMES: dict[Any, Callable[..., Any]] = {
    _A.sym_size.int: torch.Tensor.size,
    _A.view.default: torch.reshape,
    _A.slice.Tensor: _sliced,
    _A.slice_backward.default: _spread,
    _A._to_copy.default: lambda x, dtype=None, **_: x if dtype is None else x.to(dtype),
    _A._softmax.default: lambda x, dim, _: x.softmax(dim),
    _A._log_softmax.default: lambda x, dim, _: x.log_softmax(dim),
}
