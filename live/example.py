"""Example that a page shows while the model is on its way: a run made beforehand, and the model's card."""

import base64
import zlib
from math import isfinite
from typing import Any

from model.attribution.score_terms.replacement import ALL
from model.checkpoint.catalogue import Entry, Untrained
from model.checkpoint.checkpoints import Checkpoint
from model.graph.description import describe
from model.graph.example import example_run
from model.measurements import score_sources

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
    known = describe(checkpoint, entry.card, {})
    card = {field: value for field, value in known["card"].items() if field not in _LONG}
    card |= {"data": entry.card.get("data", [])}  # with its licences
    seed = {"seed": entry.seed} if isinstance(entry, Untrained) else {}
    return {field: known[field] for field in ("name", "trained", "config", "layers")} | seed | {"card": card}


def score_test(entry: Entry) -> dict[str, Any] | None:
    """How well the terms of scores foresee what replacing a part does, as saved; None where that is not saved.

    all, parts, heads   the cells and Spearman's ρ: of all, of each kind of part, of each head
    goal                from which ρ on the page calls the predictions for a head reliable
    """
    saved = score_sources.MEASUREMENT.saved(entry)
    if saved is None or not saved.test_heads:
        return None
    parts = {name: each for name, each in saved.test.items() if name != ALL and isfinite(each[1])}
    return {"all": saved.test[ALL], "parts": parts, "heads": saved.test_heads, "goal": score_sources.AGREES}
