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
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
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
from pages.shared.load import second_process, turns

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
P = ParamSpec("P")
R = TypeVar("R")


class _Computing(threading.local):
    """How many computations of `cached` this thread is in, one within the other."""

    depth = 0


_computing = _Computing()


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Keep what a function returns for each model (by its name and content), sentence and other arguments.

    An argument that is given by a name with `_` in front is none of them.
    All sessions share it, and nobody may change it. Sessions that ask for the same at once wait for one computation.
    All such functions share `KEPT`, which is bounded by bytes; what was not used for longest goes first.
    A pass over 20 tokens of a model of opus-mt's size takes 8 MB, over 241 tokens 193 MB.
    """

    @cachetools.cached(KEPT, key=partial(_key_of, function), condition=_KEPT_CHANGE)
    def weighed(*arguments: P.args, **keywords: P.kwargs) -> tuple[R, int]:
        _computing.depth += 1
        try:
            value = function(*arguments, **keywords)
        finally:
            _computing.depth -= 1
        return value, min(weigh(value), LARGEST)

    @wraps(function)
    def kept(*arguments: P.args, **keywords: P.kwargs) -> R:
        return weighed(*arguments, **keywords)[0]

    return kept


def computed_beside(function: Callable[P, R]) -> Callable[P, R]:
    """The same for what takes long: the second process computes it, where there is one, and others draw meanwhile.

    Its arguments and its value can be pickled; it is a function of a module.
    """
    return _beside(function, lambda *arguments, **keywords: second_process.is_ready())


def computed_beside_if_free(function: Callable[P, R]) -> Callable[P, R]:
    """The same for short work: this process computes it where the second one has others to serve for long.

    A pass over 20 tokens, as `run` returns it, takes 4 ms on the way (1 MB), of a model of opus-mt's size 8 MB.
    """
    return computed_beside_where(lambda *arguments, **keywords: True)(function)


def computed_beside_where(is_work: Callable[P, bool]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same where only some calls are work, as `is_work` says of their arguments; others are answered here."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        return _beside(function, lambda *about, **named: is_work(*about, **named) and second_process.is_free())

    return decorate


def _beside(function: Callable[P, R], is_asked: Callable[P, bool]) -> Callable[P, R]:
    here = cached(function)

    @cached
    @wraps(function)
    def beside(*arguments: P.args, **keywords: P.kwargs) -> R:
        return second_process.call(function, *arguments, **keywords)

    @wraps(function)
    def kept(*arguments: P.args, **keywords: P.kwargs) -> R:
        # whoever computes what others may wait for keeps its turn: these wait in theirs
        is_new = not _computing.depth and _key_of(function, *arguments, **keywords) not in KEPT
        if is_new and is_asked(*arguments, **keywords):
            with suppress(second_process.Gone), turns.aside():
                return beside(*arguments, **keywords)
        return here(*arguments, **keywords)

    return kept


def copied(function: Callable[P, R]) -> Callable[P, R]:
    """The same for what can be pickled; each call gets a copy of its own, which it may change."""

    @cached
    @wraps(function)
    def pickled(*arguments: P.args, **keywords: P.kwargs) -> bytes:
        return pickle.dumps(function(*arguments, **keywords))

    @wraps(function)
    def copy(*arguments: P.args, **keywords: P.kwargs) -> R:
        value: R = pickle.loads(pickled(*arguments, **keywords))
        return value

    return copy


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


@computed_beside_if_free
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
    return _key_of(run, entry, sentence) in KEPT


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
