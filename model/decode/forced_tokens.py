"""Decoding step by step, greedily or by sampling, with tokens forced at chosen steps (a branch).

T tokens read by the decoder (P of them the prompt), S tokens of the source, V vocabulary, k candidates.
Steps count from 0 and each writes one token. Logarithms are natural: log-probabilities are in nats.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.checkpoint.checkpoints import Checkpoint
from model.decode.decoding_loop import Decoded, decode
from model.decode.recorded_pass import trace
from model.decode.start import DecodingStart
from model.decode.token_sampling import Sampling
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS
from model.trace import Trace
from model.transformer import Transformer

Forced = tuple[tuple[int, int], ...]  # (step, token) in the order of the steps


def follow(
    model: Transformer, start: DecodingStart, forced: Sequence[int] = (), sampling: Sampling | None = None
) -> Decoded:
    """Decode after the tokens `forced`, greedily by default. The result begins with `forced`."""
    [output] = decode(model, [start.source or start.prompt], start.limit, forced=forced, sampling=sampling)
    return output


def branch(
    model: Transformer, start: DecodingStart, base: Decoded, step: int, token: int, sampling: Sampling | None
) -> Decoded:
    """Put `token` at `step` of an output and decode the rest anew. Raises `InvalidInput` if that is impossible."""
    is_complete = base.stop == "eos" or len(base.ids) == start.limit
    last = len(base.ids) - is_complete  # an output that was stopped as a repetition may be continued
    if not 0 <= step <= last:
        raise InvalidInput("fork_step", step=step, last=last)
    if not BOS < token < model.config.target_vocabulary:
        raise InvalidInput("fork_token", token=token)
    return follow(model, start, (*base.ids[:step], token), sampling)


def steps_of(checkpoint: Checkpoint, start: DecodingStart, ids: Sequence[int]) -> Trace:
    """The trace of one pass over all tokens that were read. Its row P - 1 + t is step t."""
    return trace(checkpoint.model, checkpoint.tokenizer, start.source, start.read(ids))


# branches as they stand in a link


def spell_branches(branches: Sequence[Forced]) -> str:
    """`3:1234;5:88|4:77`: two outputs, the first with two forced tokens."""
    return "|".join(";".join(f"{step}:{token}" for step, token in branch) for branch in branches)


def read_branches(text: str) -> tuple[list[Forced], list[str]]:
    """The branches of a link, and its invalid parts."""
    branches: list[Forced] = []
    bad = []
    for part in filter(None, text.split("|")):
        branch = _read_branch(part)
        if branch is None or branch in branches:
            bad.append(part)
        else:
            branches.append(branch)
    return branches, bad


def _read_branch(part: str) -> Forced | None:
    pairs = [pair.split(":") for pair in part.split(";")]
    if not all(len(pair) == 2 and all(n.isascii() and n.isdecimal() and len(n) < 7 for n in pair) for pair in pairs):
        return None
    branch = tuple((int(step), int(token)) for step, token in pairs)
    steps = [step for step, _ in branch]
    return branch if steps == sorted(set(steps)) else None


def extended(branch: Forced, step: int, token: int) -> Forced:
    """A branch of a branch: tokens forced before `step` stay, those forced later are dropped."""
    return (*((at, id_) for at, id_ in branch if at < step), (step, token))


def branching(outputs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """For each output but the first: the earlier output with the longest common beginning, and its length."""
    branches = []
    for number, ids in enumerate(outputs[1:], 1):
        lengths = [_common(ids, other) for other in outputs[:number]]
        branches.append((lengths.index(max(lengths)), max(lengths)))
    return branches


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """The length of the common beginning."""
    pairs = zip(first, second, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
