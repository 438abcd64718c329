"""The one decoding loop, with a key/value cache. Greedy, sampled, forced decoding and beam search use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from model import masks
from model.decode.token_sampling import Sampling, next_tokens, uniforms
from model.errors import InvalidInput
from model.parts.key_values import LayerCache
from model.tokenization.tokenizer import BOS, EOS
from model.trace import Tap, silent
from model.transformer import Transformer

Stop = Literal["eos", "length", "repetition"]
Choose = Callable[[int, Tensor, list[LayerCache]], Tensor | None]
REPEATS = {1: 4, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3}  # tokens of a phrase -> repetitions that count as a loop


@dataclass(frozen=True)
class Decoded:
    """The tokens that a decoder wrote, with `<eos>` if it was written, and why decoding stopped."""

    ids: tuple[int, ...]
    stop: Stop


def decode(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    limit: int,
    *,
    forced: Sequence[int] = (),
    sampling: Sampling | None = None,
    tap: Tap = silent,
) -> list[Decoded]:
    """Decode a batch of source id lists, at most `limit` tokens each; greedily by default.

    For a decoder alone the sources are prompts, and each output continues one. Every output begins with `forced`,
    which is read in one pass. `tap` gets the rows of the newest tokens at each step, of the whole batch: it may edit
    values, but a `Recorder` cannot be used.
    """
    if not model.config.decoder_layers:
        raise InvalidInput("beam_architecture")
    forced = list(forced or model.config.forced)[:limit]
    if model.config.architecture == "decoder":
        return _continued(model, sources, limit, forced, sampling, tap)
    return _decode(model, sources, limit, forced, sampling, tap)


def _continued(
    model: Transformer,
    prompts: Sequence[Sequence[int]],
    limit: int,
    forced: list[int],
    sampling: Sampling | None,
    tap: Tap,
) -> list[Decoded]:
    """Prompts of one length are decoded together: shorter ones would need padding before them."""
    outputs: dict[int, Decoded] = {}
    for length in sorted({len(prompt) for prompt in prompts}):
        places = [place for place, prompt in enumerate(prompts) if len(prompt) == length]
        batch = _decode(model, [prompts[place] for place in places], limit, forced, sampling, tap)
        outputs |= zip(places, batch, strict=True)
    return [outputs[place] for place in range(len(prompts))]


def _decode(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    limit: int,
    forced: list[int],
    sampling: Sampling | None,
    tap: Tap,
) -> list[Decoded]:
    read = [() if model.config.architecture == "decoder" else source for source in sources]
    outputs = [list(forced) for _ in sources]
    stops = [stop_reason(forced, source) if forced else None for source in read]
    draws = uniforms(sampling.seed, limit).tolist() if sampling else [0.0] * limit

    def choose(step: int, logits: Tensor, caches: list[LayerCache]) -> Tensor | None:
        new = next_tokens(logits, sampling, draws[len(forced) + step])  # (B)
        for i, id_ in enumerate(new.tolist()):
            if stops[i] is None:
                outputs[i].append(id_)
                stops[i] = stop_reason(outputs[i], read[i])
        return None if all(stops) else new[:, None]

    if not all(stops):
        run(model, sources, limit - len(forced), choose, forced=forced, tap=tap)
    return [Decoded(tuple(ids), stop or "length") for ids, stop in zip(outputs, stops, strict=True)]


def run(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    steps: int,
    choose: Choose,
    *,
    forced: Sequence[int] = (),
    tap: Tap = silent,
) -> None:
    """Decode step by step: `choose` returns the next tokens of each step, or None to end.

    `choose` gets the step, the logits (B, V) and the caches, and returns ids (B, 1). If it changes the order or the
    number of rows, it also has to reorder the caches.
    """
    caches = [LayerCache() for _ in model.decoder]
    new = torch.tensor([first_tokens(model, source, forced) for source in sources], device=model.device)  # (B, T)
    with torch.inference_mode():
        memory, mask = _encode(model, sources, tap)
        for step in range(steps):
            logits = model.decode(new, memory, mask, tap, caches)[:, -1]  # (B, V)
            tokens = choose(step, logits, caches)
            if tokens is None:
                break
            new = tokens


def first_tokens(model: Transformer, source: Sequence[int], forced: Sequence[int] = ()) -> list[int]:
    """Ids that the decoder reads first: the prompt of a decoder alone, else `<bos>`; then the forced tokens."""
    return [*(source if model.config.architecture == "decoder" else [BOS]), *forced]


def _encode(model: Transformer, sources: Sequence[Sequence[int]], tap: Tap) -> tuple[Tensor | None, Tensor | None]:
    """The encoder's output (B, S, d_model), and its mask (B, S) if there is padding. None for a decoder alone."""
    if model.config.architecture == "decoder":
        return None, None
    source, mask = (each.to(model.device) for each in masks.padded(sources))
    return model.encode(source, mask, tap), None if mask.all() else mask


def stop_reason(ids: list[int], source: Sequence[int] = ()) -> Stop | None:
    """Why decoding should end after these tokens; None to continue. The limit of tokens is not checked here.

    A repeated phrase counts as a loop, unless the source has as many of each of its tokens: the right output for
    `aaaa` backwards is `aaaa`.
    """
    if ids[-1] == EOS:
        return "eos"
    for length, times in REPEATS.items():
        if ids[-length * times :] == ids[-length:] * times and any(
            ids.count(token) > source.count(token) for token in ids[-length:]
        ):
            return "repetition"
    return None
