"""A sentence run when the page is made: its output and its attention, to be seen while the model is on its way."""

import base64
import zlib
from typing import Any

from model.checkpoint.catalogue import Entry
from model.checkpoint.load import Checkpoint
from model.decode.translate import translate
from model.graph.description import describe
from viz.components.attention import weight_planes


def example(checkpoint: Checkpoint, sentence: str) -> dict[str, Any]:
    """The result of a sentence as the engine of a page has it, with the weights of all heads alone.

    weights   of each kind and layer after each other, as the figure of attention gets them: deflated, in base64
    shapes    [kind, [layers, heads, queries, keys]] in that order
    """
    run = translate(checkpoint, sentence)
    weights = {kind: run.trace.weights(kind) for kind in run.trace.kinds}
    planes = weight_planes(list(weights.values()))
    return {
        "sentence": sentence,
        "text": run.text,
        "sourceTokens": run.trace.source_tokens,
        "targetTokens": run.trace.target_tokens,
        "outputTokens": run.trace.output_tokens,
        "shapes": [(kind, values.shape) for kind, values in weights.items()],
        "weights": base64.b64encode(zlib.compress(planes, 9)).decode(),
    }


def brief(checkpoint: Checkpoint, entry: Entry) -> dict[str, Any]:
    """What a page has to know of a model before it is there: fields of its description."""
    known = describe(checkpoint, entry, {})
    card = {field: value for field, value in known["card"].items() if field not in ("covers", "scores")}
    return {field: known[field] for field in ("name", "trained", "config", "layers")} | {"card": card}
