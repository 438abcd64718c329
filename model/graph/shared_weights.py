"""The weights of several ONNX graphs in one block of bytes, each once, and in half precision where that is exact.

Our checkpoints hold half precision, so their graphs compute with the very numbers that torch computes with. A weight
that half precision would round stays as it is.
"""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LOCATION = "weights"  # what the graphs call the block
_SMALL = 64  # numbers; fewer stay in the graph
_ALIGNED = 8  # bytes


class WeightBlock:
    """Bytes to which graphs hand their weights."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._places: dict[bytes, int] = {}
        self._size = 0

    def take_from(self, graph: onnx.GraphProto) -> None:
        """Move the large weights of a graph here; what is half as long there is cast before it is used."""
        _name_constants(graph)
        casts = []
        for tensor in graph.initializer:
            if _size(tensor) < _SMALL:
                continue
            values = numpy_helper.to_array(tensor)
            name, smaller = tensor.name, _stored(values)
            if smaller.dtype != values.dtype:
                casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=tensor.data_type))
                tensor.name, tensor.data_type = f"{name}.half", TensorProto.FLOAT16
            self._refer(tensor, smaller.tobytes())
        nodes = [*casts, *graph.node]
        del graph.node[:]
        graph.node.extend(nodes)

    def _refer(self, tensor: TensorProto, data: bytes) -> None:
        for field in ("raw_data", "float_data", "int32_data", "int64_data"):
            tensor.ClearField(field)  # type: ignore[arg-type]
        tensor.data_location = TensorProto.EXTERNAL
        place = {"location": LOCATION, "offset": str(self._place(data)), "length": str(len(data))}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=value)

    def _place(self, data: bytes) -> int:
        """Where these bytes begin; equal ones are stored once."""
        if data not in self._places:
            padded = data + bytes(-len(data) % _ALIGNED)
            self._places[data] = self._size
            self._parts.append(padded)
            self._size += len(padded)
        return self._places[data]

    def bytes(self) -> bytes:
        return b"".join(self._parts)


def _name_constants(graph: onnx.GraphProto) -> None:
    """Make initializers of large constants: a table of positions is one, and both graphs have it."""
    constants = [node for node in graph.node if node.op_type == "Constant" and _size(node.attribute[0].t) >= _SMALL]
    for node in constants:
        graph.node.remove(node)
        graph.initializer.append(node.attribute[0].t)
        graph.initializer[-1].name = node.output[0]


def _size(tensor: TensorProto) -> int:
    return math.prod(tensor.dims)


def _stored(values: np.ndarray) -> np.ndarray:
    """The same numbers, in half precision if none of them changes."""
    if values.dtype != np.float32:
        return values
    with np.errstate(over="ignore"):
        half = values.astype(np.float16)
    return half if np.array_equal(half.astype(np.float32), values) else values
