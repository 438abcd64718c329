"""One pass over a sentence and its finished output, and a record of every value that it computes.

S source tokens, T tokens that the decoder reads. A side that the architecture lacks is empty. `padding` tokens of
`<pad>` follow the source, and its mask hides them.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.tokenization.tokenizer import PAD, Tokenizer
from model.trace import Recorder, Tap, Trace, silent
from model.transformer import Transformer


def one_pass(
    model: Transformer, source: Sequence[float], target: Sequence[int], tap: Tap = silent, *, padding: int = 0
) -> Tensor:
    """Logits (T, V) of a teacher-forced pass; of an encoder alone its logits (S, V), or its output (S, d_model)."""
    read = torch.tensor([[*source, *[PAD] * padding]]) if source else None
    mask = masks.real(read) if padding and read is not None else None
    with torch.inference_mode():
        return model(read, torch.tensor([target]) if target else None, mask, tap)[0]


def recorded(
    model: Transformer, source: Sequence[float], target: Sequence[int], tap: Tap = silent, *, padding: int = 0
) -> dict[str, np.ndarray]:
    """Every value of that pass by its recorded name."""
    recorder = Recorder(tap)
    one_pass(model, source, target, recorder, padding=padding)
    return recorder.values


def trace(
    model: Transformer, tokenizer: Tokenizer, source: Sequence[int], target: Sequence[int], tap: Tap = silent
) -> Trace:
    """The trace of that pass.

    `target` is what the decoder reads, beginning with `<bos>`, so row t of a value belongs to decoding step t. The
    logits of an encoder alone, if it has any, belong to its own positions.
    """
    recorder = Recorder(tap)
    output = one_pass(model, source, target, recorder)
    predictions = output.argmax(dim=-1).tolist() if "logits" in recorder.values else []
    if target and len(target) >= len(model.config.forced):
        predictions[: len(model.config.forced)] = model.config.forced  # which is written whatever the logits are
    return trace_of(recorder.values, tokenizer, source, target, predictions)


def trace_of(
    values: Mapping[str, np.ndarray],
    tokenizer: Tokenizer,
    source: Sequence[int],
    target: Sequence[int],
    output: Sequence[int],
) -> Trace:
    """The trace of recorded values, with what encoder and decoder read and what was written, as ids."""
    begins = bool(source)  # a decoder alone goes on with the text that it reads
    return Trace(
        values,
        tokenizer.tokens(source, begins=True),
        tokenizer.tokens(target, begins=True),
        tokenizer.tokens(output, begins=begins),
        groupings={
            "source_tokens": tokenizer.grouping(source, begins=True),
            "target_tokens": tokenizer.grouping(target, begins=True),
            "output_tokens": tokenizer.grouping(output, begins=begins),
        },
    )
