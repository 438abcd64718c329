"""Graphs of one size from those of another: torch's exporter takes long, and a page needs graphs of eighteen sizes.

A graph is exported once for each number of layers, of a model that nobody trains: its 11 heads have 26 numbers each.
Whatever in the graph follows from the size has 11 or 13 as a factor, or is a root of such a number. `resized` puts in
what another size has there; tests hold the result against an export and against torch.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
from onnx import AttributeProto, helper, numpy_helper

from model.config import TransformerConfig
from model.position_methods import sinusoidal_positions
from model.train.browser.sizes import TEMPLATE_HEAD_SIZE, TEMPLATE_HEADS

_SMALL = 64  # numbers; equal ones are spelled as a node if there are more


class Resizing:
    """What becomes of the numbers of a template's graph in a model with another config."""

    def __init__(self, config: TransformerConfig, heads: int = TEMPLATE_HEADS, head_size: int = TEMPLATE_HEAD_SIZE):
        """The template has so many heads of this size: a prime, which the config's own number is not, and twice one."""
        self._sizes = {head_size // 2: (head_size, config.d_k)}  # positions need an even width
        if heads != config.heads:
            self._sizes[heads] = heads, config.heads
        roots = {head_size: config.d_k, heads * head_size: config.d_model}
        self._floats = {old**power: new**power for old, new in roots.items() for power in (0.5, -0.5, 1.0, -1.0)}
        self._table = sinusoidal_positions(config.max_length, config.d_model, config.position_base).numpy()

    def whole(self, number: int) -> int:
        """A length, or a product of lengths."""
        factor = 1
        for prime, (old, new) in self._sizes.items():
            while number and number % prime == 0:
                assert number % old == 0, f"{number} is no product of sizes"
                number, factor = number // old, factor * new
        return number * factor

    def array(self, values: Any) -> np.ndarray:
        """A constant of the graph, as an array; a table of positions is that of the other model."""
        if values.dtype == np.int64:  # a list of lengths, however many there are
            return np.array([self.whole(int(each)) for each in values.ravel()], np.int64).reshape(values.shape)
        shape = tuple(map(self.whole, values.shape))
        if values.size == 1 and values.dtype.kind == "f":
            return self._float(values)
        if shape == values.shape:
            return values
        if (values == values.flat[0]).all():
            return np.full(shape, values.flat[0], values.dtype)
        assert values.shape[:-2] in ((), (1,)), "a constant that follows from the size is no table of positions"
        return self._table[: shape[-2]].reshape(shape)

    def axis(self, size: int | str) -> int | str:
        """The length of an axis; a letter stays."""
        return size if isinstance(size, str) else self.whole(size)

    def is_table(self, values: np.ndarray) -> bool:
        """Whether this is the whole table of positions."""
        return np.array_equal(values.reshape(-1, values.shape[-1]), self._table)

    def nodes(self, graph: onnx.GraphProto) -> None:
        """Resize the constants that are nodes, and what inputs and outputs declare but the lengths of vectors."""
        for attribute in _tensors(graph):
            attribute.t.CopyFrom(
                numpy_helper.from_array(self.array(numpy_helper.to_array(attribute.t)), attribute.t.name)
            )
        for value in (*graph.input, *graph.output):
            axes = value.type.tensor_type.shape.dim
            for axis in axes:
                if axis.dim_value and len(axes) == 1:
                    axis.ClearField("dim_value")
                elif axis.dim_value:
                    axis.dim_value = self.whole(axis.dim_value)

    def _float(self, values: np.ndarray) -> np.ndarray:
        found = [new for old, new in self._floats.items() if math.isclose(values.item(), old, rel_tol=1e-6)]
        return np.full(values.shape, found[0], values.dtype) if found else values


def resized(template: bytes, config: TransformerConfig) -> bytes:
    """The graph of a model with this config, from that of its `Size.template`."""
    model, to = onnx.load_model_from_string(template), Resizing(config)
    graph, zeros = model.graph, []
    for tensor in list(graph.initializer):
        values = to.array(numpy_helper.to_array(tensor))
        if values.size >= _SMALL and values.dtype.kind == "f" and (values == values.flat[0]).all():
            graph.initializer.remove(tensor)
            shape = f"{tensor.name}.shape"
            graph.initializer.append(numpy_helper.from_array(np.array(values.shape, np.int64), shape))
            value = helper.make_tensor("value", tensor.data_type, [1], [values.flat[0]])
            zeros.append(helper.make_node("ConstantOfShape", [shape], [tensor.name], value=value))
        else:
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    to.nodes(graph)
    nodes = [*zeros, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    return model.SerializeToString(deterministic=True)


def _tensors(graph: onnx.GraphProto) -> Iterator[AttributeProto]:
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.TENSOR:
                yield attribute
