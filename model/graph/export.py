"""A model as ONNX graphs: a whole pass with every recorded value, and one decoding step with a cache.

B batch, S source tokens, T target tokens, P tokens already read.
"""

import io
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import onnx
import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.decode.doubt import SIGNS
from model.graph.analyses import Analysis, Computed, analyses_of
from model.graph.doubt_score import GIVEN, DoubtScore, names_read
from model.graph.doubt_score import OUTPUTS as DOUBT_OUTPUTS
from model.graph.gradient_graph import GRADIENT, traced
from model.graph.gradient_graph import OUTPUTS as GRADIENT_OUTPUTS
from model.graph.score_rows import GROUPED, OUTPUTS, PICKED, Parts, ScoreRows, names_before, score_parts
from model.graph.shared_weights import WeightBlock
from model.graph.traced_passes import (
    NextStep,
    WholePass,
    cached_names,
    layer_counts,
    norm_names,
    patch_places,
    scale_shape,
    traceable,
)
from model.transformer import Transformer

OPSET = 17  # the first with LayerNormalization
HEAD_SCALE, PAST = "head_scale", "past."
READ, PATCH = ("source", "target"), ("patch_rows", "patch")
DOUBT = "doubt"  # the graph of `doubt_score.py` among the analyses
_exporting = threading.Lock()  # torch's exporter keeps its state in globals
_LENGTHS = {"B": 2, "S": 5, "T": 4}  # of the traced example, all different
_ANY = 7  # every length of an analysis: `path` needs two scales and five of each panel
_OTHERS = {"B": 3, "S": 9, "T": 7}  # what has these lengths in another pass is such an axis
_CHANGED = {HEAD_SCALE: {0: "B"}} | {name: {1: "R"} for name in PATCH}
Shape = tuple[int | str, ...]


@dataclass(frozen=True)
class Graphs:
    """A model as ONNX.

    whole     the graph of a whole pass. Inputs `source` (B, S) and `target` (B, T), whichever the model has: ids, int32
              (numbers in float32 of a model for numbers), `head_scale` (B, kinds, layers, heads), and `patch_rows`
              (N, R) and `patch` (N, R, d), the rows and vectors of `traced_passes.Patched`. Outputs: every recorded
              value by its name, with the batch before it; a value that does not depend on the batch has 1.
              And the `value_norms` of each attention (B, heads, keys)
    step      the graph of one decoding step; None for an encoder alone. Inputs `target` (B, 1), `encoder.output` where
              there is an encoder, `past.NAME` for each kept key and value, `head_scale`, `patch_rows` and `patch`.
              Outputs `logits` (B, 1, V), and the keys and values with those of this token, by their recorded names
    analyses  graphs of `model/graph/analyses.py` by name: `input` to `output`; and those of `score_rows.py` by
              `score_row_name`, of `doubt_score.py` and of `gradient_graph.py`, with the inputs and outputs that these
              explain
    parts     of each graph of `score_rows.py` its `score_parts`, by `cross.1` for the cross-attention of layer 1
    weights   the block of bytes that all graphs refer to as `weights`
    values    recorded names to shapes without the batch, in the order of the pass; "S" and "T" are lengths
    """

    whole: bytes
    step: bytes | None
    analyses: dict[str, bytes]
    parts: dict[str, Parts]
    weights: bytes
    values: dict[str, Shape]


def export(
    model: Transformer, *, with_score_rows: bool = True, with_doubt: bool = False, with_gradient: bool = False
) -> Graphs:
    """The graphs of a model; `score_rows.py` may be left out, `doubt_score.py` and `gradient_graph.py` added."""
    with _exports():
        copy, block = traceable(model), WeightBlock()
        whole = WholePass(copy).eval()
        values = _shapes(whole)
        graphs = {"whole": _whole(whole)} | ({"step": _step(copy)} if copy.config.decoder_layers else {})
        asked = {name: _analysis(copy, each) for name, each in analyses_of(copy.config).items()}
        rows, parts = _score_rows(whole, values) if with_score_rows else ({}, {})
        asked |= rows | ({DOUBT: _doubt(whole, values)} if with_doubt else {})
        asked |= {GRADIENT: _gradient(whole)} if with_gradient else {}
    for graph in (*graphs.values(), *asked.values()):
        block.take_from(graph.graph)
    files = {name: graph.SerializeToString() for name, graph in graphs.items()}
    analyses = {name: graph.SerializeToString() for name, graph in asked.items()}
    return Graphs(files["whole"], files.get("step"), analyses, parts, block.bytes(), values)


def score_row_graphs(model: Transformer) -> tuple[dict[str, bytes], dict[str, Parts], bytes]:
    """Of `Graphs` only the analyses of `score_rows.py`, their parts, and the block that they refer to."""
    with _exports():
        whole, block = WholePass(traceable(model)).eval(), WeightBlock()
        rows, parts = _score_rows(whole, _shapes(whole))
    for graph in rows.values():
        block.take_from(graph.graph)
    return {name: graph.SerializeToString() for name, graph in rows.items()}, parts, block.bytes()


@contextmanager
def _exports() -> Iterator[None]:
    """Alone, without gradients, and without warnings that sizes are constants, which is meant, or the exporter old."""
    with _exporting, warnings.catch_warnings(), torch.inference_mode(False), torch.no_grad():
        warnings.simplefilter("ignore")
        yield


def _whole(module: WholePass) -> onnx.ModelProto:
    inputs = _example(module, _LENGTHS)
    axes = {name: {0: "B", 1: name[0].upper()} for name in READ if name in inputs} | _CHANGED
    module(*inputs.values())
    outputs = [*module.names, *norm_names(module.model.config)]
    axes |= {name: {} for name in outputs}
    return _traced(module, inputs, outputs, axes)


def _step(model: Transformer) -> onnx.ModelProto:
    config, length, batch = model.config, _LENGTHS["T"], _LENGTHS["B"]
    inputs: dict[str, Tensor] = {"target": torch.ones(batch, 1, dtype=torch.int32)}
    axes: dict[str, dict[int, str]] = {"target": {0: "B"}} | _CHANGED
    if config.encoder_layers:
        inputs["encoder.output"] = torch.zeros(batch, _LENGTHS["S"], config.d_model)
        axes["encoder.output"] = {0: "B", 1: "S"}
    for name in cached_names(config):
        inputs[PAST + name] = torch.zeros(batch, config.kv_heads, length, config.d_k)
        axes[PAST + name] = {0: "B", 2: "P"}
    inputs |= _unchanged(config, batch)
    return _traced(NextStep(model).eval(), inputs, ["logits", *cached_names(config)], axes)


def _analysis(model: Transformer, analysis: Analysis) -> onnx.ModelProto:
    shape = analysis.shape(model.config)
    example = torch.ones([_ANY if isinstance(size, str) else size for size in shape], dtype=analysis.kind)
    axes = {"input": {at: size for at, size in enumerate(shape) if isinstance(size, str)}, "output": {}}
    return _traced(Computed(model, analysis).eval(), {"input": example}, ["output"], axes)


def _score_rows(whole: WholePass, shapes: Mapping[str, Shape]) -> tuple[dict[str, onnx.ModelProto], dict[str, Parts]]:
    """The graphs of `score_rows.py`, whose inputs are recorded values, and the parts of each."""
    model = whole.model
    passed = dict(zip(shapes, whole(*_example(whole, _LENGTHS | {"B": 1}).values()), strict=False))
    values = {name: value[0].numpy() for name, value in passed.items()}
    rows, parts = dict[str, onnx.ModelProto](), dict[str, Parts]()
    for kind, count in layer_counts(model.config).items():
        for layer in range(count):
            known = parts[f"{kind}.{layer}"] = score_parts(model, values, kind, layer)
            names = names_before(kind, layer, list(shapes))
            inputs = {name: passed[name] for name in names}
            inputs |= {name: torch.zeros(1, dtype=torch.int32) for name in PICKED}
            inputs |= {name: torch.ones(3, len(known[name]["parts"])) for name in GROUPED}
            axes = {
                name: {at: size for at, size in enumerate(shapes[name], 1) if isinstance(size, str)} for name in names
            }
            axes |= {name: {0: name} for name in GROUPED} | {name: {} for name in OUTPUTS}
            graph = _traced(ScoreRows(model, kind, layer, names).eval(), inputs, list(OUTPUTS), axes)
            rows[score_row_name(kind, layer)] = _with_used_inputs(graph)
    return rows, parts


def _doubt(whole: WholePass, shapes: Mapping[str, Shape]) -> onnx.ModelProto:
    passed = dict(zip(shapes, whole(*_example(whole, _LENGTHS | {"B": 1}).values()), strict=False))
    inputs = {name: passed[name] for name in names_read(whole.model.config)}
    axes = {name: {at: size for at, size in enumerate(shapes[name], 1) if isinstance(size, str)} for name in inputs}
    length, source = _LENGTHS["T"], _LENGTHS["S"]
    written, words = torch.zeros(length, dtype=torch.int32), torch.ones(2, source)
    inputs |= dict(zip(GIVEN, (written, words, torch.ones(1), torch.ones(len(SIGNS), 3)), strict=True))
    axes |= {"written": {0: "T"}, "words": {0: "W", 1: "S"}} | {name: {} for name in ("unseen", "rule", *DOUBT_OUTPUTS)}
    return _traced(DoubtScore().eval(), inputs, list(DOUBT_OUTPUTS), axes)


def _gradient(whole: WholePass) -> onnx.ModelProto:
    inputs = {name: ids for name, ids in _example(whole, _LENGTHS | {"B": 1}).items() if name in READ}
    axes: dict[str, dict[int, str]] = {name: {1: name[0].upper()} for name in inputs} | {"scales": {0: "N"}}
    inputs |= {name: torch.zeros(1, dtype=torch.int32) for name in ("row", "word")} | {"scales": torch.ones(3)}
    axes |= {name: {} for name in ("row", "word", *GRADIENT_OUTPUTS)}
    return _traced(traced(whole.model, tuple(inputs.values())), inputs, list(GRADIENT_OUTPUTS), axes)


def _with_used_inputs(graph: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph without inputs that nothing depends on, so that nobody has to give them."""
    used = {name for node in graph.graph.node for name in node.input}
    kept = [each for each in graph.graph.input if each.name in used]
    del graph.graph.input[:]
    graph.graph.input.extend(kept)
    return graph


def score_row_name(kind: str, layer: int) -> str:
    """Of the graph of an attention among the analyses."""
    return f"score_row.{kind}.{layer}"


def _traced(
    module: nn.Module, inputs: dict[str, Tensor], outputs: list[str], axes: dict[str, dict[int, str]]
) -> onnx.ModelProto:
    file = io.BytesIO()
    torch.onnx.export(
        module,
        tuple(inputs.values()),
        file,  # type: ignore[arg-type]  # this exporter also writes to memory
        input_names=list(inputs),
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=OPSET,
        do_constant_folding=False,  # it would store a transposed copy beside each shared table
        dynamo=False,
    )
    graph = onnx.load_model_from_string(file.getvalue())
    for output in graph.graph.output:  # the shapes of the example: whoever runs the graph sees the real ones
        output.type.tensor_type.ClearField("shape")
    return graph


def _example(module: WholePass, lengths: dict[str, int]) -> dict[str, Tensor]:
    config = module.model.config
    batch = lengths["B"]
    inputs: dict[str, Tensor] = {}
    if config.encoder_layers:
        kind = torch.int32 if config.inputs == "tokens" else torch.float32
        inputs["source"] = torch.ones(batch, lengths["S"], dtype=kind)
    if config.decoder_layers:
        inputs["target"] = torch.ones(batch, lengths["T"], dtype=torch.int32)
    return inputs | _unchanged(config, batch)


def _unchanged(config: TransformerConfig, batch: int) -> dict[str, Tensor]:
    """Inputs that change nothing of a pass."""
    places = len(patch_places(config)), 2
    rows, patch = torch.full(places, -1, dtype=torch.int32), torch.zeros(*places, config.d_model)
    return {HEAD_SCALE: torch.ones(batch, *scale_shape(config))} | dict(zip(PATCH, (rows, patch), strict=True))


def value_shapes(model: Transformer) -> dict[str, Shape]:
    """The shape of each recorded value without its batch, in the order of the pass."""
    with torch.inference_mode():
        return _shapes(WholePass(model))


def _shapes(module: WholePass) -> dict[str, Shape]:
    """The shape of each value without its batch: an axis that follows a length has its letter."""
    first = module(*_example(module, _LENGTHS).values())
    other = module(*_example(module, _OTHERS).values())
    letters = {(_LENGTHS[letter], _OTHERS[letter]): letter for letter in ("S", "T")}
    return {
        name: tuple(letters.get(sizes, sizes[0]) for sizes in zip(a.shape[1:], b.shape[1:], strict=True))
        for name, a, b in zip(module.names, first, other, strict=False)  # without the norms behind them
    }
