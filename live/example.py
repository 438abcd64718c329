"""Example that a page shows while the model is on its way: a run made beforehand, and the model's card."""

import base64
import zlib
from typing import Any

from model.checkpoint.catalogue import Entry, Untrained
from model.checkpoint.checkpoints import Checkpoint
from model.graph.description import describe
from model.graph.example import example_run

_LONG = ("covers", "scores")  # of a card, which no page needs before the model is there


def example(checkpoint: Checkpoint, sentence: str) -> dict[str, Any]:
    """The result of a sentence as the engine of a page has it, with the weights of all heads alone.

    shapes    [kind, [layers, heads, queries, keys]], …
    weights   of all of them after each other, in float32: deflated, in base64
    """
    run = example_run(checkpoint, sentence)
    weights = zlib.compress(b"".join(values.astype("<f4").tobytes() for values in run.weights.values()), 9)
    shapes = [(kind, values.shape) for kind, values in run.weights.items()]
    return run.texts | {"shapes": shapes, "weights": base64.b64encode(weights).decode()}


def brief(checkpoint: Checkpoint, entry: Entry) -> dict[str, Any]:
    """Part of a model's description that a page needs before the model is there."""
    known = describe(checkpoint, entry, {})
    card = {field: value for field, value in known["card"].items() if field not in _LONG}
    card |= {"data": entry.card.get("data", [])}  # with its licences
    seed = {"seed": entry.seed} if isinstance(entry, Untrained) else {}
    return {field: known[field] for field in ("name", "trained", "config", "layers")} | seed | {"card": card}
