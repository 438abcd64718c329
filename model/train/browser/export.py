"""A step of training and a pass as ONNX. Only `python -m model training-graphs` calls it: the step needs onnxscript.

Pitfalls of torch's exporter, for which `step` has its form: its optimizer drops a small constant that is added, so ε is
an input; it takes two inputs that are one tensor for one, so all examples differ; powers of the step number come out
wrong, so bias corrections are inputs. Batch and lengths are fixed by the trace.
"""

import copy
import io
import warnings

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor
from torch._decomp import get_decompositions
from torch.fx.experimental.proxy_tensor import make_fx

from model.graph.export import OPSET
from model.train.browser.step import NUMBERS, SWITCHES, RecordedPass, Step, ids_of
from model.transformer import Transformer

VECTORS = ("weights", "first", "second", "average")
STEP_OUTPUTS = (*(f"{name}.next" for name in VECTORS), "loss", "gradient_norm")
_STEP_OPSET = 18  # the first of torch's newer exporter
_EXAMPLES = (1e-3, 1.5, 1e-9, 1.0, 0.1, 0.9, 0.99, 0.98, 0.97, 0.96)  # of the scalars, all different
_A = torch.ops.aten
_SPELLED = [
    _A.native_layer_norm, _A.native_layer_norm_backward, _A.embedding_dense_backward, _A.threshold_backward,
    _A._softmax_backward_data, _A._log_softmax_backward_data, _A.nll_loss_forward, _A.nll_loss_backward, _A.addmm, _A.t,
    _A.new_zeros, _A.clamp, _A.rsub, _A._unsafe_view, _A.masked_fill,
]  # fmt: skip


def step_graph(model: Transformer, batch: int, *lengths: int) -> bytes:
    """The graph of a step of `batch` examples, with so many ids in each of `ids_of`, special ones included."""
    vector = torch.nn.utils.parameters_to_vector(model.parameters()).detach()
    vectors = [vector + 0.01 * place for place in range(len(VECTORS))]
    names = ids_of(model.config)
    ids = [torch.ones(batch, length, dtype=torch.int32) + place for place, length in enumerate(lengths)]
    scalars = [torch.tensor(value) for value in _EXAMPLES]
    example = (*vectors, *ids, *scalars)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = make_fx(Step(model), decomposition_table=get_decompositions(_SPELLED))(*example)  # type: ignore[arg-type]
        program = torch.onnx.export(
            torch.export.export(traced, example), example, input_names=(*VECTORS, *names, *NUMBERS, *SWITCHES),
            output_names=STEP_OUTPUTS, opset_version=_STEP_OPSET, dynamo=True, optimize=True, verbose=False,
        )  # fmt: skip
    assert program is not None
    return _bare(program.model_proto)


def pass_graph(model: Transformer) -> bytes:
    """The graph of a recorded pass, of any batch and lengths."""
    module = RecordedPass(copy.deepcopy(model)).eval()
    for parameter in module.parameters():  # the exporter takes two weights with the same numbers for one
        torch.nn.init.normal_(parameter.data)
    names = ids_of(model.config)
    ids = [torch.ones(2, length, dtype=torch.int32) for length in (5, 4)][-len(names) :]
    example = (*ids, *(torch.tensor(value) for value in _EXAMPLES[-len(SWITCHES) :]))
    module(*example)
    file = io.BytesIO()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            example,
            file,  # type: ignore[arg-type]  # this exporter also writes to memory
            input_names=[*names, *SWITCHES],
            output_names=module.names,
            dynamic_axes={**{n: {0: "B", 1: n[0].upper()} for n in names}, **{n: {} for n in module.names}},
            opset_version=OPSET,
            do_constant_folding=False,
            dynamo=False,
        )
    graph = onnx.load_model_from_string(file.getvalue())
    for output in graph.graph.output:
        output.type.tensor_type.ClearField("shape")
    _take_weights(graph.graph, dict(module.named_parameters()))
    return _bare(graph)


def _take_weights(graph: onnx.GraphProto, parameters: dict[str, Tensor]) -> None:
    """Make the weights parts of an input: one vector with all of them in the order of the parameters."""
    others = [tensor for tensor in graph.initializer if tensor.name not in parameters]
    assert len(graph.initializer) - len(others) == len(parameters), "the exporter has renamed or folded a weight"
    del graph.initializer[:]
    graph.initializer.extend(others)
    sizes = [each.numel() for each in parameters.values()]
    graph.initializer.append(numpy_helper.from_array(np.array(sizes, np.int64), "sizes"))
    parts = [helper.make_node("Split", [VECTORS[0], "sizes"], [f"{name}.flat" for name in parameters])]
    for name, parameter in parameters.items():
        graph.initializer.append(numpy_helper.from_array(np.array(parameter.shape, np.int64), f"{name}.shape"))
        parts.append(helper.make_node("Reshape", [f"{name}.flat", f"{name}.shape"], [name]))
    nodes = [*parts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    graph.input.insert(0, helper.make_tensor_value_info(VECTORS[0], onnx.TensorProto.FLOAT, [sum(sizes)]))


def _bare(graph: onnx.ModelProto) -> bytes:
    """The graph without where its nodes come from, which takes most of its room."""
    for node in graph.graph.node:
        node.ClearField("doc_string")
        node.ClearField("name")
        del node.metadata_props[:]
    del graph.graph.value_info[:]
    del graph.graph.metadata_props[:]
    del graph.metadata_props[:]
    return graph.SerializeToString(deterministic=True)
