"""Decoding step by step, greedily or by sampling, with tokens forced at chosen steps (a fork).

T tokens read by the decoder (P of them the prompt), S tokens of the source, V vocabulary, k candidates.
Steps count from 0 and each writes one token. Logarithms are natural: log-probabilities are in nats.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.checkpoint.load import Checkpoint
from model.decode.greedy import trace
from model.decode.loop import Decoded, decode
from model.decode.sampling import Sampling
from model.decode.start import DecodingStart
from model.errors import InvalidInput
from model.tokenizer import BOS
from model.trace import Trace
from model.transformer import Transformer

Forced = tuple[tuple[int, int], ...]  # (step, token) in the order of the steps


def follow(
    model: Transformer, start: DecodingStart, forced: Sequence[int] = (), sampling: Sampling | None = None
) -> Decoded:
    """Decode from the first tokens `forced` on, greedily by default; the result begins with them."""
    [decoded] = decode(model, [start.source or start.prompt], start.limit, forced=forced, sampling=sampling)
    return decoded


def fork(
    model: Transformer, start: DecodingStart, base: Decoded, step: int, token: int, sampling: Sampling | None
) -> Decoded:
    """Write `token` at `step` of what was decoded, and go on from there. Raises `InvalidInput` where that cannot be."""
    ended = base.stop == "eos" or len(base.ids) == start.limit
    last = len(base.ids) - ended  # what was stopped as a loop may be led on
    if not 0 <= step <= last:
        raise InvalidInput("fork_step", step=step, last=last)
    if not BOS < token < model.config.target_vocabulary:
        raise InvalidInput("fork_token", token=token)
    return follow(model, start, (*base.ids[:step], token), sampling)


def steps_of(checkpoint: Checkpoint, start: DecodingStart, ids: Sequence[int]) -> Trace:
    """One pass over everything that was read: row P - 1 + t is step t."""
    return trace(checkpoint.model, checkpoint.tokenizer, start.source, start.read(ids))


# forks as they stand in a link


def spell_forks(forks: Sequence[Forced]) -> str:
    """`3:1234;5:88|4:77`: two outputs, the first with two forced tokens."""
    return "|".join(";".join(f"{step}:{token}" for step, token in fork) for fork in forks)


def read_forks(text: str) -> tuple[list[Forced], list[str]]:
    """The forks of a link, and the parts of it that are none."""
    forks: list[Forced] = []
    bad = []
    for part in filter(None, text.split("|")):
        fork = _read_fork(part)
        if fork is None or fork in forks:
            bad.append(part)
        else:
            forks.append(fork)
    return forks, bad


def _read_fork(part: str) -> Forced | None:
    pairs = [pair.split(":") for pair in part.split(";")]
    if not all(len(pair) == 2 and all(n.isascii() and n.isdecimal() and len(n) < 7 for n in pair) for pair in pairs):
        return None
    fork = tuple((int(step), int(token)) for step, token in pairs)
    steps = [step for step, _ in fork]
    return fork if steps == sorted(set(steps)) else None


def extended(fork: Forced, step: int, token: int) -> Forced:
    """A fork of a fork: what was forced before `step` stays, what came later is decoded anew."""
    return (*((at, id_) for at, id_ in fork if at < step), (step, token))


def branching(outputs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Where each output but the first leaves an earlier one: (its number, step), the one it shares most with."""
    found = []
    for number, ids in enumerate(outputs[1:], 1):
        shared = [_common(ids, other) for other in outputs[:number]]
        found.append((shared.index(max(shared)), max(shared)))
    return found


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
