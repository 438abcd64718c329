"""Greedy decoding, which writes the likeliest token at each step, and the recorded pass over a finished output."""

from collections.abc import Sequence

import torch

from model import masks
from model.decode.decoding_loop import Decoded, decode
from model.tokenization.tokenizer import Tokenizer
from model.trace import Recorder, Tap, Trace, silent
from model.transformer import Transformer


def greedy(model: Transformer, sources: Sequence[Sequence[int]], limit: int, *, tap: Tap = silent) -> list[Decoded]:
    """Write the likeliest token at each step, for a batch of source id lists; see `decode`."""
    return decode(model, sources, limit, tap=tap)


def trace(
    model: Transformer, tokenizer: Tokenizer, source: Sequence[int], target: Sequence[int], tap: Tap = silent
) -> Trace:
    """The trace of one teacher-forced pass over a source and a finished target.

    `target` is what the decoder reads, beginning with `<bos>`, so row t of a value belongs to decoding step t. A side
    that the architecture lacks is empty. The logits of an encoder alone, if it has any, belong to its own positions.
    """
    recorder = Recorder(tap)
    ids = torch.tensor([source]) if source else None
    mask = None if ids is None else masks.everything(ids)
    with torch.inference_mode():
        output = model(ids, torch.tensor([target]) if target else None, mask, recorder)
    predicted = output[0].argmax(dim=-1).tolist() if "logits" in recorder.values else []
    return Trace(
        recorder.values,
        tokenizer.tokens(source, begins=True),
        tokenizer.tokens(target, begins=True),
        tokenizer.tokens(predicted, begins=bool(source)),  # a decoder alone goes on with the text that it reads
    )
