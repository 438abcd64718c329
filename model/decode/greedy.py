"""Greedy decoding with a key/value cache: at each step the likeliest token, until `<eos>`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.tokenizer import BOS, EOS, PAD, Tokenizer
from model.trace import Recorder, Tap, Trace, silent
from model.transformer import LayerCache, Transformer

Stop = Literal["eos", "length", "repetition"]
_REPEATS = {1: 4, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3}  # length of a phrase: how often in a row is a loop


@dataclass(frozen=True)
class Decoded:
    """The tokens a decoder wrote, `<eos>` included where it came, and why it stopped."""

    ids: tuple[int, ...]
    stop: Stop


def greedy(model: Transformer, sources: Sequence[Sequence[int]], limit: int, *, tap: Tap = silent) -> list[Decoded]:
    """Decode a batch of source id lists, at most `limit` tokens each, with keys and values cached.

    For a decoder alone the sources are prompts, and what is decoded is how each goes on. `tap` is handed
    the newest tokens' rows of each step, of the whole batch, so it may edit but not record.
    """
    if not model.config.decoder_layers:
        raise InvalidInput("beam_architecture")
    if model.config.architecture == "decoder":
        return [_decode(model, torch.tensor([prompt]), [()], None, None, limit, tap)[0] for prompt in sources]
    source, mask = pad(sources)
    with torch.inference_mode():
        memory = model.encode(source, mask, tap)
    first = torch.full((len(sources), 1), BOS)
    return _decode(model, first, sources, memory, None if mask.all() else mask, limit, tap)


def _decode(
    model: Transformer,
    new: Tensor,
    sources: Sequence[Sequence[int]],
    memory: Tensor | None,
    mask: Tensor | None,
    limit: int,
    tap: Tap,
) -> list[Decoded]:
    """Greedy decoding from the tokens `new` (B, T), which all rows share in length."""
    written: list[list[int]] = [[] for _ in new]
    stops: list[Stop | None] = [None] * len(new)
    caches = [LayerCache() for _ in model.decoder]
    with torch.inference_mode():
        for _ in range(limit):
            logits = model.decode(new, memory, mask, tap, caches)  # (B, T, V)
            new = logits[:, -1:].argmax(dim=-1)  # (B, 1)
            for i, id_ in enumerate(new[:, 0].tolist()):
                if stops[i] is None:
                    written[i].append(id_)
                    stops[i] = stop_reason(written[i], sources[i])
            if all(stops):
                break
    return [Decoded(tuple(ids), stop or "length") for ids, stop in zip(written, stops, strict=True)]


def pad(sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Ids (B, T) filled up with `<pad>`, and the mask (B, T), true on real tokens."""
    longest = max(map(len, sentences))
    ids = torch.tensor([[*sentence, *[PAD] * (longest - len(sentence))] for sentence in sentences])
    return ids, ids != PAD


def trace(
    model: Transformer, tokenizer: Tokenizer, source: Sequence[int], target: Sequence[int], tap: Tap = silent
) -> Trace:
    """One teacher-forced pass over a source and a finished target, everything recorded.

    `target` is what the decoder reads, `<bos>` first, so row t of the result is decoding step t. A side
    that the architecture lacks is empty. An encoder's logits, if it has any, are of its own positions.
    """
    recorder = Recorder(tap)
    ids = torch.tensor([source]) if source else None
    mask = None if ids is None else torch.ones_like(ids, dtype=torch.bool)
    with torch.inference_mode():
        output = model(ids, torch.tensor([target]) if target else None, mask, recorder)
    predicted = output[0].argmax(dim=-1).tolist() if "logits" in recorder.values else []
    return Trace(recorder.values, tokenizer.tokens(source), tokenizer.tokens(target), tokenizer.tokens(predicted))


def stop_reason(ids: list[int], source: Sequence[int] = ()) -> Stop | None:
    """Why decoding should end after these tokens, None to go on; the limit is not known here.

    A phrase that comes again and again is a loop, unless the source has as many of each of its tokens:
    `aaaa` backwards is `aaaa`.
    """
    if ids[-1] == EOS:
        return "eos"
    for length, times in _REPEATS.items():
        if ids[-length * times :] == ids[-length:] * times and any(
            ids.count(token) > source.count(token) for token in ids[-length:]
        ):
            return "repetition"
    return None
