"""Checkpoints and traces, cached for all sessions. What these functions return is read-only.

torch is imported on the first call, not with this module: the first page is drawn without it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial, wraps
from operator import itemgetter
from threading import Condition
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, overload
from zipfile import BadZipFile

import cachetools
import numpy as np
from cachetools.keys import typedkey

from model.analysis import predictions
from model.checkpoint import catalogue, checkpoints, length_limit
from model.checkpoint.catalogue import load_tokenizer
from model.decode import translate
from model.tokenization.tokenizer import Tokenizer
from model.trace import Trace, load_trace
from pages.shared.load import fair_lock, workers

if TYPE_CHECKING:
    from model.transformer import Transformer


@dataclass(frozen=True)
class Example:
    """A checkpoint's recorded example: shown until its model is warm."""

    sentence: str
    text: str
    trace: Trace


KEPT_BYTES = int(os.environ.get("GLASSFORMER_KEPT_BYTES", 1_000_000_000))  # by all functions together
LARGEST = 250_000_000  # what a value counts at most, so that one that is larger than all is kept while it is used
KEPT: cachetools.LRUCache[Any, tuple[Any, int]] = cachetools.LRUCache(KEPT_BYTES, getsizeof=itemgetter(1))
_KEPT_CHANGE = Condition()  # one for all that share the cache, which is not safe with threads
Beside = Literal["always", "if free"] | Callable[..., bool]  # which calls the compute worker computes
P = ParamSpec("P")
R = TypeVar("R")


class _Computing(threading.local):
    """How many computations of `cached` this thread is in, one within the other."""

    depth = 0


_computing = _Computing()


@overload
def cached(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def cached(*, beside: Beside | None = ..., copy: bool = ...) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def cached(function: Callable[P, R] | None = None, /, *, beside: Beside | None = None, copy: bool = False) -> Any:
    """Keep what a function returns for each model (by its name and content), sentence and other arguments.

    An argument that is given by a name with `_` in front is none of them.
    All sessions share it, and nobody may change it. Sessions that ask for the same at once wait for one computation.
    All such functions share `KEPT`, which is bounded by bytes; what was not used for longest goes first.
    A pass over 20 tokens of a model of opus-mt's size takes 8 MB, over 241 tokens 193 MB.

    `copy`: each call gets a copy of its own, which it may change. The value can be pickled.

    `beside`: the compute worker computes it, where there is one, and others draw meanwhile. Arguments and value can be
    pickled; it is a function of a module.
        "always"    what takes long
        "if free"   short work: this process computes it where the worker has others to serve for long. A pass over 20
                    tokens, as `run` returns it, takes 4 ms on the way (1 MB), of a model of opus-mt's size 8 MB.
        a function  the same where only some calls are work, as it says of their arguments
    """
    if function is None:
        return partial(cached, beside=beside, copy=copy)

    def in_worker(*arguments: P.args, **keywords: P.kwargs) -> R:
        return workers.COMPUTE.call(function, *arguments, **keywords)

    def goes_beside(*arguments: P.args, **keywords: P.kwargs) -> bool:
        # whoever computes what others may wait for keeps its turn: these wait in theirs
        if beside is None or _computing.depth or _key_of(function, *arguments, **keywords) in KEPT:
            return False
        if beside == "always":
            return workers.COMPUTE.is_ready()
        return (beside == "if free" or beside(*arguments, **keywords)) and workers.COMPUTE.is_free()

    here, there = _keeping(function, function, copy), _keeping(function, in_worker, copy)

    @wraps(function)
    def kept(*arguments: P.args, **keywords: P.kwargs) -> R:
        if goes_beside(*arguments, **keywords):
            with suppress(workers.Gone), fair_lock.released():
                return there(*arguments, **keywords)
        return here(*arguments, **keywords)

    return kept


def _keeping(function: Callable[P, R], compute: Callable[P, R], copy: bool) -> Callable[P, R]:
    """`compute`, whose values are kept as those of `function`."""

    @cachetools.cached(KEPT, key=partial(_key_of, function), condition=_KEPT_CHANGE)
    def weighed(*arguments: P.args, **keywords: P.kwargs) -> tuple[Any, int]:
        _computing.depth += 1
        try:
            value = compute(*arguments, **keywords)
        finally:
            _computing.depth -= 1
        stored = pickle.dumps(value) if copy else value
        return stored, min(weigh(stored), LARGEST)

    def kept(*arguments: P.args, **keywords: P.kwargs) -> R:
        stored: Any = weighed(*arguments, **keywords)[0]
        return pickle.loads(stored) if copy else stored

    return kept


def weigh(value: object) -> int:
    """The bytes of all arrays and tensors in a value, and of the rest of it; what stands in it twice counts once."""
    total, ids, rest = 0, set[int](), [value]
    while rest:
        part = rest.pop()
        if id(part) in ids or isinstance(part, type | FunctionType | ModuleType):
            continue
        ids.add(id(part))
        own = getattr(part, "nbytes", None)  # of an array or a tensor
        total += own if isinstance(own, int) else sys.getsizeof(part)
        if isinstance(part, dict):
            rest += [*part, *part.values()]
        elif isinstance(part, list | tuple | set | frozenset):
            rest += part
        elif own is None and hasattr(part, "__dict__"):
            rest.append(vars(part))
    return total


def _key_of(function: Callable[..., object], *arguments: object, **keywords: object) -> Hashable:
    values = map(_hashable, arguments)
    names = {name: _hashable(value) for name, value in keywords.items() if not name.startswith("_")}
    return typedkey(function.__module__, function.__qualname__, *values, **names)


def _hashable(value: Any) -> Hashable:
    """An argument by its content."""
    if isinstance(value, catalogue.Entry):
        return value.name, value.fingerprint
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, hashlib.blake2b(value.tobytes(), digest_size=16).digest()
    if isinstance(value, dict):
        return tuple((key, _hashable(each)) for key, each in value.items())
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), *(_hashable(getattr(value, each.name)) for each in fields(value))
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value


@cached
def checkpoint(entry: catalogue.Entry) -> checkpoints.Checkpoint:
    """A loaded checkpoint; raises `InvalidInput` when its folder is damaged."""
    torch_of_one_thread()

    if isinstance(entry, catalogue.InLanguages):  # one set of weights in memory, whatever the languages
        return checkpoints.told(checkpoint(catalogue.entry_of(entry.folder)), entry)
    return checkpoints.load(entry)


def torch_of_one_thread() -> None:
    """Load torch; each request of this server takes one core."""
    import torch

    torch.set_num_threads(1)


def longest_sentence(entry: catalogue.Entry) -> int:
    """How many tokens a sentence may have; needs no torch."""
    limit = length_limit.readable_tokens(entry.config)
    return min(limit, length_limit.UNTRAINED_TOKENS) if isinstance(entry, catalogue.Untrained) else limit


@cached
def tokenizer(entry: catalogue.Entry) -> Tokenizer:
    """A checkpoint's tokenizer alone, which needs no torch."""
    return load_tokenizer(entry)


@cached(beside="if free")
def run(entry: catalogue.Entry, sentence: str) -> translate.Translation:
    """The translation and trace of a sentence; raises `InvalidInput` for one that cannot be read."""
    result = translate.translate(checkpoint(entry), sentence)
    return replace(result, trace=without_logits(entry, result.trace))


def without_logits(entry: catalogue.Entry, trace: Trace) -> Trace:
    """A trace of a pass without edits as it is kept: without the logits of a large vocabulary."""
    return predictions.without_logits(trace, partial(_model, entry))


def _model(entry: catalogue.Entry) -> Transformer:
    return checkpoint(entry).model


def has_run(entry: catalogue.Entry, sentence: str) -> bool:
    """Whether `run` is in the cache for them."""
    return is_kept(run, entry, sentence)


def is_kept(function: Callable[..., object], *arguments: object) -> bool:
    """Whether what a function of `cached` returns is in the cache of this process."""
    return _key_of(function, *arguments) in KEPT


@cached
def example(entry: catalogue.Entry) -> Example | None:
    """The recorded example of a checkpoint, read without torch; None where it has none that can be read.

    A recording is its own example.
    """
    if isinstance(entry, catalogue.Untrained | catalogue.InLanguages):
        return None
    try:
        trace = load_trace(entry.folder / "example.npz")
    except (OSError, ValueError, KeyError, BadZipFile):
        return None
    return Example(entry.card["examples"][0], entry.card["example_translation"], trace)
