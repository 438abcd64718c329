"""The sheet of one pass: the model's weights and the recorded values, in the order in which forward computes.

T tokens, Q queries, K keys, D = d_model / H. Weights are shown as in x W, (in, out): torch keeps the transpose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from model.analysis.sheet.parts import (
    Add,
    Axis,
    Bucket,
    Copy,
    Kind,
    Location,
    LookUp,
    Mask,
    Norm,
    Part,
    Product,
    Rotation,
    Rule,
    Scale,
    Sheet,
    Sinusoid,
    Slope,
    Softmax,
    Trained,
)
from model.config import TABLES
from model.parts.activations import ACTIVATIONS
from model.parts.layer_norms import TextbookLayerNorm
from model.position_methods import RelativeBias, distances, frequencies
from model.trace import Trace
from model.transformer import FeedForward, MultiHeadAttention, Residual, Transformer


def build(model: Transformer, trace: Trace, source_ids: Sequence[int], target_ids: Sequence[int]) -> Sheet:
    """Every weight and value of the pass that `trace` recorded, with the ids that the two sides read.

    The model reads tokens; one that reads numbers has no sheet.
    """
    builder = _Builder(model, trace)
    memory = builder.side("encoder", source_ids, None) if model.config.encoder_layers else None
    if model.config.decoder_layers:
        builder.side("decoder", target_ids, memory)
    tokens = {"source": trace.source_tokens, "target": trace.target_tokens, "output": trace.output_tokens}
    return Sheet(builder.parts, tokens)


class _Builder:
    def __init__(self, model: Transformer, trace: Trace):
        self.model = model
        self.config = model.config
        self.values = trace.values
        self.parts: dict[str, Part] = {}

    def side(self, side: str, ids: Sequence[int], memory: str | None) -> str:
        """Everything of one side, in order; gives the key of its output."""
        rows: Axis = "source" if side == "encoder" else "target"
        x = self._embedding(side, ids, rows)
        for number, layer in enumerate(self.model.get_submodule(side).children()):
            residuals, entered = layer.get_submodule("residuals").named_children(), x
            for sublayer, (order, residual) in zip(_sublayers(layer), residuals, strict=True):
                assert isinstance(residual, Residual)
                norm = f"{side}.{number}.residuals.{order}.norm"
                reads = entered if self.config.parallel else x
                x = self._sublayer(Location(side, number, sublayer), rows, x, reads, norm, residual, memory)
        return self._output(side, rows, x)

    # ---- the two ends

    def _embedding(self, side: str, ids: Sequence[int], rows: Axis) -> str:
        where, config = Location(side, "embedding"), self.config
        factor = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        name = "source_embedding" if side == "encoder" else "target_embedding"
        table = self._weight(name, where, "embedding", (("vocabulary", "d_model")))
        rule = LookUp(table, np.asarray(ids), factor)
        embedding = self._value(f"{side}.embedding", where, (rows, "d_model"), rule)
        added = [self._position(side, where, rows, len(ids))] if config.position in TABLES else []
        if config.segments:
            added.append(self._segment(side, where, rows, ids))
        last: Rule = Add(embedding, *added) if added else Copy((embedding,))
        if config.embedding_norm:
            total = self._value(f"{side}.embedding_sum", where, (rows, "d_model"), last)
            norm = f"embedding_norms.{side}"
            last = self._norm(norm, self.model.get_submodule(norm), where, total)
        if config.embedding_size:
            narrow = self._value(f"{side}.narrow_input", where, (rows, "d_model"), last)
            last = self._linear("widening", self.model.widening, where, narrow, ("d_model", "d_model"))
        return self._value(f"{side}.input", where, (rows, "d_model"), last)

    def _position(self, side: str, where: Location, rows: Axis, length: int) -> str:
        rule: Rule = Sinusoid(self.config.position_base, self.config.position_start)
        if self.config.position == "learned":
            table = self._weight(f"position_tables.{side}", where, "position_table", ("position", "d_model"))
            rule = LookUp(table, np.arange(length))
        return self._value(f"{side}.position", where, (rows, "d_model"), rule)

    def _segment(self, side: str, where: Location, rows: Axis, ids: Sequence[int]) -> str:
        table = self._weight("segment_embedding", where, "segment_table", ("position", "d_model"))
        segments = self.model.segment(torch.tensor([list(ids)]))[0].numpy()
        return self._value(f"{side}.segment", where, (rows, "d_model"), LookUp(table, segments))

    def _output(self, side: str, rows: Axis, x: str) -> str:
        where = Location(side, "output")
        norm = self.model.get_submodule(f"{side}_norm")
        rule = Copy((x,)) if isinstance(norm, nn.Identity) else self._norm(f"{side}_norm", norm, where, x)
        output = self._value(f"{side}.output", where, (rows, "d_model"), rule)
        if self.config.labels:
            self._labels(where, rows, output)
        last = side == "decoder" or not self.config.decoder_layers
        if last and "logits" in self.values:
            read = self._transform(where, rows, output) if self.config.output_transform else output
            to_logits = self._linear("output", self.model.output, where, read, ("d_model", "vocabulary"))
            self._value("logits", where, ("output" if side == "decoder" else rows, "vocabulary"), to_logits)
        return output

    def _labels(self, where: Location, rows: Axis, output: str) -> None:
        """Add the head of an encoder, which reads each vector, or that of the first token for the sentence."""
        head, read = self.model.label_head, output
        if not head.each:
            whole = self.parts[output]
            rows = "one"
            read = self._add(
                f"{output}.first", whole.name, "copy", whole.array[:1], whole.recorded, (rows, "d_model"),
                Copy((output,)), where, "first_vector",
            )  # fmt: skip
        if "label_transform" in self.values:
            activation = self.config.label_activation
            rule = self._linear(
                "label_head.dense", head.dense, where, read, ("d_model", "d_model"), activation=activation
            )
            read = self._value("label_transform", where, (rows, "d_model"), rule)
        rule = self._linear("label_head.output", head.output, where, read, ("d_model", "label"))
        self._value("labels", where, (rows, "label"), rule)

    def _transform(self, where: Location, rows: Axis, x: str) -> str:
        module, activation = self.model.output_transform, self.config.output_activation
        rule = self._linear(
            "output_transform.dense", module.dense, where, x, ("d_model", "d_model"), activation=activation
        )
        dense = self._derived("output_transform.activated", where, rows, rule)
        norm = self._norm("output_transform.norm", module.norm, where, dense)
        return self._value("output_transform", where, (rows, "d_model"), norm)

    # ---- a sublayer and the residual connection round it

    def _sublayer(
        self, where: Location, rows: Axis, x: str, read: str, norm: str, residual: Residual, memory: str | None
    ) -> str:
        """Name the stream x that a sublayer that reads `read` is added to: the same, but for parallel ones."""
        name = f"{where.side}.{where.block}.{where.sublayer}"
        part = self.model.get_submodule(name)
        if residual.pre:
            read = self._derived(f"{name}.normed", where, rows, self._norm(norm, residual.norm, where, read))
        if isinstance(part, MultiHeadAttention):
            output = self._attention(name, where, rows, read, part, memory)
        else:
            assert isinstance(part, FeedForward)
            output = self._feed_forward(name, where, rows, read, part)
        last: Rule = Add(x, output)
        if not residual.pre and not isinstance(residual.norm, nn.Identity):
            total = self._derived(f"{name}.added", where, rows, Add(x, output))
            last = self._norm(norm, residual.norm, where, total)
        return self._value(f"{name}.residual", where, (rows, "d_model"), last)

    def _attention(
        self, name: str, where: Location, rows: Axis, read: str, part: MultiHeadAttention, memory: str | None
    ) -> str:
        keys, memory_keys = rows, read
        if where.sublayer == "cross_attention":
            assert memory is not None
            whole = self.parts[memory]
            keys = "source"
            memory_keys = self._add(
                f"{name}.memory", whole.name, "copy", whole.array, whole.recorded,
                (keys, "d_model"), Copy((memory,)), where, "memory",
            )  # fmt: skip
        heads = [
            self._head(
                name, Location(where.side, where.block, where.sublayer, head), rows, keys, read, memory_keys, part
            )
            for head in range(part.heads)
        ]
        row = np.concatenate(list(self.values[f"{name}.head_outputs"]), axis=-1)  # (Q, d_model)
        all_heads = self._add(
            f"{name}.concatenated", f"{name}.head_outputs", "copy", row, self.values[f"{name}.head_outputs"].shape,
            (_written(where, rows), "d_model"), Copy(tuple(heads)), where, "concatenated",
        )  # fmt: skip
        rule = self._linear(f"{name}.output", part.output, where, all_heads, ("d_model", "d_model"))
        return self._value(f"{name}.output", where, (_written(where, rows), "d_model"), rule)

    def _head(
        self, name: str, where: Location, rows: Axis, keys: Axis, read: str, memory: str, part: MultiHeadAttention
    ) -> str:
        head, queries = where.head or 0, _written(where, rows)
        letters = {}
        for letter in "qkv":
            number = head if letter == "q" else head // part.sharing
            columns = slice(number * part.head_size, (number + 1) * part.head_size)
            linear, axis = getattr(part, letter), queries if letter == "q" else keys
            left = read if letter == "q" else memory
            rule: Rule = self._linear(
                f"{name}.{letter}", linear, where, left, ("d_model", "d_k"), columns, number=number
            )
            if letter != "v" and hasattr(part, "norms"):
                before = self._value(f"{name}.unnormed_{letter}", where, (axis, "d_k"), rule, number)
                rule = self._norm(f"{name}.norms.{letter}", part.norms[letter], where, before, "d_k")
            if letter != "v" and part.rotary:
                before = self._value(f"{name}.unrotated_{letter}", where, (axis, "d_k"), rule, number)
                turns = frequencies(part.head_size, part.rotary_base, part.frequencies).tolist()
                rule = Rotation(before, tuple(turns), 0.0 if part.frequencies else part.rotary_base)
            letters[letter] = self._value(f"{name}.{letter}", where, (axis, "d_k"), rule, number)
        k, v = self.parts[letters["k"]], self.parts[letters["v"]]
        rotation = self._add(
            f"{k.key}.T", k.name, "copy", k.array.T, k.recorded, ("d_k", keys), Copy((k.key,), transposed=True), where,
            "k_transposed",
        )  # fmt: skip
        scores = self._value(
            f"{name}.scores", where, (queries, keys), Product(letters["q"], rotation, factor=part.head_size**-0.5)
        )
        bias = self._position_bias(f"{name}.position_bias", where, queries, head)
        masked = self._value(f"{name}.masked_scores", where, (queries, keys), Mask(scores, bias))
        weights = self._value(f"{name}.weights", where, (queries, keys), Softmax(masked))
        again = self._add(
            f"{v.key}.again", v.name, "copy", v.array, v.recorded, (keys, "d_k"), Copy((v.key,)), where, "v_again"
        )
        return self._value(f"{name}.head_outputs", where, (queries, "d_k"), Product(weights, again))

    def _position_bias(self, name: str, where: Location, axis: Axis, head: int) -> str | None:
        """Add the part of the position bias of a head's scores; return its name, None if there is no bias."""
        if name not in self.values:
            return None
        rule: Rule
        if self.config.position == "alibi":
            rule = Slope(float(self.model.linear_bias.slopes[head]))
        else:
            relative = self.model.relative_bias[where.side]
            assert isinstance(relative, RelativeBias)
            table = f"relative_bias.{where.side}.weight[{head}]"
            if table not in self.parts:  # all layers share it: it stands in the first
                whole = f"relative_bias.{where.side}.weight"
                self._weight(whole, where, "relative_bias", ("bucket", "one"), slice(head, head + 1))
            queries, keys = self.values[name].shape[1:]
            rule = Bucket(table, relative.buckets(distances(0, queries, keys)).numpy())
        return self._value(name, where, (axis, axis), rule)

    def _feed_forward(self, name: str, where: Location, rows: Axis, read: str, part: FeedForward) -> str:
        activation = self.config.activation
        if part.gated:
            gate = self._linear(f"{name}.gate", part.gate, where, read, ("d_model", "d_ff"), activation=activation)
            first = self._value(f"{name}.gate", where, (rows, "d_ff"), gate)
            linear = self._linear(f"{name}.hidden", part.hidden, where, read, ("d_model", "d_ff"))
            rule: Rule = Scale(first, self._value(f"{name}.linear", where, (rows, "d_ff"), linear))
        else:
            rule = self._linear(f"{name}.hidden", part.hidden, where, read, ("d_model", "d_ff"), activation=activation)
        hidden = self._value(f"{name}.hidden", where, (rows, "d_ff"), rule)
        rule = self._linear(f"{name}.output", part.output, where, hidden, ("d_ff", "d_model"))
        return self._value(f"{name}.output", where, (rows, "d_model"), rule)

    # ---- rules with weights

    def _linear(
        self, name: str, linear: nn.Linear, where: Location, left: str, axes: tuple[Axis, Axis],
        columns: slice = slice(None), activation: str = "", number: int | None = None,
    ) -> Product:  # fmt: skip
        right = self._weight(f"{name}.weight", where, "weight", axes, columns, number)
        bias = None
        if linear.bias is not None:
            bias = self._weight(f"{name}.bias", where, "bias", ("one", axes[1]), columns, number)
        return Product(left, right, bias, activation=activation)

    def _norm(self, name: str, norm: nn.Module, where: Location, x: str, size: Axis = "d_model") -> Norm:
        kind = "rms" if isinstance(norm, nn.RMSNorm) else self.config.norm_kind
        first = f"{name}.weight[0]"  # of the heads, which share it: it stands beside the first
        weight = first if where.head else self._weight(f"{name}.weight", where, "norm_weight", ("one", size))
        bias = None
        if kind != "rms":
            bias = self._weight(f"{name}.bias", where, "norm_bias", ("one", size))
        assert isinstance(norm, nn.LayerNorm | TextbookLayerNorm | nn.RMSNorm)
        return Norm(x, weight, bias, norm.eps or 0.0, kind)

    # ---- parts

    def _weight(
        self, name: str, where: Location, role: str, axes: tuple[Axis, Axis], columns: slice = slice(None),
        number: int | None = None,
    ) -> str:  # fmt: skip
        """A parameter, or the columns of one head in it: head `number`, where it is not the one at the location."""
        table = name.endswith("embedding")
        parameter = self.model.get_parameter(f"{name}.weight" if table else name).detach().cpu()
        array = parameter.numpy() if table or parameter.dim() == 1 or role in _TABLES else parameter.numpy().T
        array = np.atleast_2d(array)[:, columns]
        whole = f"{name}.weight" if table else name
        part_of = "feed_forward" if where.sublayer == "feed_forward" else "attention" if where.sublayer else where.block
        detail = name.rpartition(".")[0].rpartition(".")[2]
        is_table = role.startswith(("norm", "embedding", "position", "relative", "segment"))
        full_role = role if is_table else f"{part_of}.{detail}.{role}"
        return self._add(
            _of_head(whole, where), _of_head(whole, where) if number is None else f"{whole}[{number}]",
            "weight", array, tuple(parameter.shape), axes, Trained(), where, full_role,
        )  # fmt: skip

    def _value(self, name: str, where: Location, axes: tuple[Axis, Axis], rule: Rule, number: int | None = None) -> str:
        """A recorded value; of the heads the one at the location, or the key and value `number` that it shares."""
        array = self.values[name]
        key, matrix, path = name, array, name
        if array.ndim == 3 and where.head is not None:
            number = where.head if number is None else number
            key, matrix, path = _of_head(name, where), array[number], f"{name}[{number}]"
        role = name.rpartition(".")[2]
        if role in ("output", "residual"):
            role = f"{where.sublayer or where.side}.{role}"
        return self._add(key, path, "value", matrix, array.shape, axes, rule, where, role)

    def _derived(self, name: str, where: Location, rows: Axis, rule: Norm | Add | Product) -> str:
        if isinstance(rule, Norm):
            array = self._normed(rule)
        elif isinstance(rule, Add):
            array = self._array(rule.first) + self._array(rule.second)
        else:
            array = self._multiplied(rule)
        axes: tuple[Axis, Axis] = (rows, "d_model")
        return self._add(name, name, "derived", array, array.shape, axes, rule, where, name.rpartition(".")[2])

    def _normed(self, rule: Norm) -> np.ndarray:
        norm = self.model.get_submodule(rule.weight.removesuffix(".weight"))
        with torch.inference_mode():
            result: Tensor = norm(torch.from_numpy(self._array(rule.x)).to(self.model.device))
        return result.cpu().numpy()

    def _multiplied(self, rule: Product) -> np.ndarray:
        total = torch.from_numpy(self._array(rule.left) @ self._array(rule.right))
        if rule.bias:
            total = total + torch.from_numpy(self._array(rule.bias))
        return ACTIVATIONS[rule.activation](total).numpy()

    def _array(self, key: str) -> np.ndarray:
        return self.parts[key].array

    def _add(
        self, key: str, name: str, kind: Kind, array: np.ndarray, shape: tuple[int, ...], axes: tuple[Axis, Axis],
        rule: Rule, where: Location, role: str,
    ) -> str:  # fmt: skip
        assert key not in self.parts, key
        self.parts[key] = Part(key, name, kind, array, tuple(shape), axes, rule, where, role)
        return key


_TABLES = ("position_table", "relative_bias")  # whose rows are looked up


def _sublayers(layer: nn.Module) -> list[str]:
    names = ("self_attention", "cross_attention", "feed_forward")
    return [name for name in names if getattr(layer, name, None) is not None]


def _of_head(name: str, where: Location) -> str:
    return name if where.head is None else f"{name}[{where.head}]"


def _written(where: Location, rows: Axis) -> Axis:
    """Rows of cross-attention are labelled with the token being written, as on every page."""
    return "output" if where.sublayer == "cross_attention" else rows
