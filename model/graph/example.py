"""A sentence run when a page is made, as the page's own engine would give it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.trace import AttentionKind


@dataclass(frozen=True)
class ExampleRun:
    """The texts and tokens of a run by the names of engine.js, and its weights (L, H, Q, K) of each kind."""

    texts: dict[str, Any]
    weights: dict[AttentionKind, np.ndarray]


def example_run(checkpoint: Checkpoint, sentence: str) -> ExampleRun:
    """Run a sentence. Raises `InvalidInput` if the model cannot read it."""
    run = translate(checkpoint, sentence)
    texts = {
        "sentence": sentence,
        "text": run.text,
        "sourceTokens": run.trace.source_tokens,
        "targetTokens": run.trace.target_tokens,
        "outputTokens": run.trace.output_tokens,
    }
    return ExampleRun(texts, {kind: run.trace.weights(kind) for kind in run.trace.kinds})
