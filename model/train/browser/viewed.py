"""Models of the graphs that every view of a page uses, into which the page puts the weights that it has trained."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper

from model.graph.export import Graphs, export, score_row_graphs
from model.graph.score_rows import Parts
from model.graph.shared_weights import LOCATION
from model.initial_weights import drawn_from
from model.train.browser import start
from model.train.browser.ready import KINDS, Kind, Ready
from model.train.browser.resized import Resizing
from model.train.browser.sizes import Size
from model.transformer import Transformer

_NAMED = "model."  # before the name of a weight in the graphs
_ALIGNED = 8  # bytes
_HEAD_SIZE = 58  # in the template of graphs of scores: twice a prime that counts nothing else in them


@dataclass(frozen=True)
class Viewed:
    """Graphs, whose block of bytes begins with the weights in float32, in the order of the model's parameters.

    graphs      `weights` has what stands in the block behind the model's own weights
    positions   first byte of the table of positions there, and behind its end: 0 without positions
    """

    graphs: Graphs
    positions: tuple[int, int]


def viewed(ready: Ready) -> Viewed:
    """The graphs of a model with sinusoidal positions, whatever its weights are."""
    template = _template(ready.kind.template, ready.size.layers)
    block = _Block(template.weights, start.drawn(ready.model()), Resizing(ready.config))
    assert template.step is not None
    rows, parts, weights = _score_rows(ready.settings.alone, ready.size.layers, ready.size.heads)
    scores = _Block(weights, start.drawn(ready.model()), Resizing(ready.config, ready.size.heads, _HEAD_SIZE))
    graphs = replace(
        template,
        whole=block.take(template.whole),
        step=block.take(template.step),
        analyses={name: block.take(data) for name, data in template.analyses.items()}
        | {name: scores.take(data) for name, data in rows.items()},
        parts=parts,
        values={name: tuple(map(block.resizing.axis, shape)) for name, shape in template.values.items()},
    )
    assert not scores.others, "a graph of scores has more than the model's own weights"
    return Viewed(replace(graphs, weights=bytes(block.others)), block.positions)


@cache
def _template(kind: Kind, layers: int) -> Graphs:
    """The graphs of all sizes with so many layers."""
    return export(_any_model(kind, Size(layers, 1, 1).template), with_score_rows=False)


@cache
def _score_rows(alone: bool, layers: int, heads: int) -> tuple[dict[str, bytes], dict[str, Parts], bytes]:
    """The graphs of scores of all widths: they have nodes for each head, and nothing of the vocabulary."""
    size = Size(layers, heads, heads * _HEAD_SIZE)
    return score_row_graphs(_any_model(KINDS["text" if alone else "letters"], size))


def _any_model(kind: Kind, size: Size) -> Transformer:
    model = Ready(kind, size).model().eval()
    with drawn_from(0):  # equal weights would be stored once, and those that half precision holds as such
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter.data)
    return model


class _Block:
    """The bytes of one model that its graphs refer to."""

    def __init__(self, template: bytes, parameters: Sequence[start.Drawn], resizing: Resizing):
        self.resizing, self.others, self.positions = resizing, bytearray(), (0, 0)
        self._template, self._end = template, 0
        self._weights: dict[str, tuple[int, list[int]]] = {}  # first byte and shape
        for each in parameters:
            self._weights[_NAMED + each.name] = (self._end, each.shape)
            self._end += 4 * math.prod(each.shape)
        self._places: dict[bytes, int] = {}

    def take(self, data: bytes) -> bytes:
        """A graph of the template for this model."""
        graph = onnx.load_model_from_string(data)
        for tensor in graph.graph.initializer:
            if tensor.name in self._weights:
                at, shape = self._weights[tensor.name]
                tensor.dims[:] = shape
                _refer(tensor, at, 4 * math.prod(shape))
                continue
            is_large = tensor.data_location == TensorProto.EXTERNAL
            values = self.resizing.array(self._stored(tensor) if is_large else numpy_helper.to_array(tensor))
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
            if is_large:
                _refer(tensor, self._end + self._place(values), values.nbytes)
        self.resizing.nodes(graph.graph)
        return graph.SerializeToString(deterministic=True)

    def _stored(self, tensor: TensorProto) -> np.ndarray:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
        return np.frombuffer(self._template, kind, math.prod(tensor.dims), int(entries["offset"])).reshape(tensor.dims)

    def _place(self, values: np.ndarray) -> int:
        """Where these numbers begin behind the weights."""
        data = values.tobytes()
        if data not in self._places:
            at = self._places[data] = len(self.others)
            self.others += data + bytes(-len(data) % _ALIGNED)
            if self.resizing.is_table(values):
                self.positions = (at, at + len(data))
        return self._places[data]


def _refer(tensor: TensorProto, at: int, length: int) -> None:
    for field in ("raw_data", "float_data", "external_data"):
        tensor.ClearField(field)  # type: ignore[arg-type]
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": LOCATION, "offset": str(at), "length": str(length)}.items():
        tensor.external_data.add(key=key, value=value)
