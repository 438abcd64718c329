"""Checkpoints and traces, cached for all sessions. What these functions return is read-only.

torch is imported on the first call, not with this module: the first page is drawn without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from threading import Condition
from typing import Any, ParamSpec, TypeVar
from zipfile import BadZipFile

import cachetools
import numpy as np
import streamlit as st

from model.analysis import predictions
from model.checkpoint import catalogue, length_limit, load
from model.checkpoint.catalogue import load_tokenizer
from model.checkpoint.recording import Recording
from model.config import TransformerConfig
from model.decode import translate
from model.tokenization.tokenizer import Tokenizer
from model.trace import Trace, load_trace


@dataclass(frozen=True)
class Example:
    """A checkpoint's recorded example: shown until its model is warm."""

    sentence: str
    text: str
    trace: Trace


def _key(entry: catalogue.Entry) -> tuple[str, str]:
    return entry.name, entry.fingerprint


PASS_BYTES = 500_000_000
PASSES: cachetools.LRUCache[Any, Any] = cachetools.LRUCache(PASS_BYTES, getsizeof=lambda value: weigh(value))
_PASSES_CHANGE = Condition()  # one for all that share the cache, which is not safe with threads
P = ParamSpec("P")
R = TypeVar("R")
BY_CONTENT: dict[str | type[Any], Callable[[Any], Any]] = dict.fromkeys(
    (catalogue.Entry, catalogue.Untrained, Recording), _key
)


def cached(max_entries: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a function returns for each model (by its name and content), sentence and other arguments.

    All sessions share it, and nobody may change it.
    """
    return st.cache_resource(max_entries=max_entries, show_spinner=False, hash_funcs=BY_CONTENT)


def copied(max_entries: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same for what can be pickled; each call gets a copy of its own, which it may change."""
    return st.cache_data(max_entries=max_entries, show_spinner=False, hash_funcs=BY_CONTENT)


def weigh(value: object) -> int:
    """The bytes of all arrays in a value, and something for the rest of it."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if is_dataclass(value):
        return 1000 + sum(weigh(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, dict | tuple | list):
        return 100 + sum(map(weigh, value.values() if isinstance(value, dict) else value))
    return 100 if isinstance(value, str | int | float) or value is None else 1000


def _hashable(value: object) -> object:
    return _key(value) if isinstance(value, catalogue.Entry) else value


def weighed(function: Callable[P, R]) -> Callable[P, R]:
    """As `cached`, for what may be large: all such functions share `PASSES`, which is bounded by bytes.

    A pass over 20 tokens of a model of opus-mt's size takes 8 MB, over 241 tokens 193 MB.
    """

    return cachetools.cached(PASSES, key=partial(_pass_key, function), condition=_PASSES_CHANGE)(function)


def _pass_key(function: Callable[..., object], *arguments: object) -> tuple[object, ...]:
    return (function.__module__, function.__qualname__, *map(_hashable, arguments))


def checkpoint(entry: catalogue.Entry) -> load.Checkpoint:
    """A loaded checkpoint; raises `InvalidInput` when its folder is damaged."""
    return _untrained(entry) if isinstance(entry, catalogue.Untrained) else _trained(entry)


@cached(16)
def _trained(entry: catalogue.Entry) -> load.Checkpoint:
    return _load(entry)


@cached(2)  # up to 250 MB each
def _untrained(entry: catalogue.Entry) -> load.Checkpoint:
    return _load(entry)


def _load(entry: catalogue.Entry) -> load.Checkpoint:
    torch_of_one_thread()

    return load.load(entry)


def torch_of_one_thread() -> None:
    """Load torch; each request of this server takes one core."""
    import torch

    torch.set_num_threads(1)


def longest_sentence(entry: catalogue.Entry) -> int:
    """How many tokens a sentence may have; needs no torch."""
    limit = length_limit.readable_tokens(TransformerConfig(**entry.config))
    return min(limit, length_limit.UNTRAINED_TOKENS) if isinstance(entry, catalogue.Untrained) else limit


@cached(16)
def tokenizer(entry: catalogue.Entry) -> Tokenizer:
    """A checkpoint's tokenizer alone, which needs no torch."""
    return load_tokenizer(entry)


@weighed
def run(entry: catalogue.Entry, sentence: str) -> translate.Translation:
    """The translation and trace of a sentence; raises `InvalidInput` for one that cannot be read."""
    passed = translate.translate(checkpoint(entry), sentence)
    return replace(passed, trace=without_logits(entry, passed.trace))


def without_logits(entry: catalogue.Entry, trace: Trace) -> Trace:
    """A trace of a pass without edits as it is kept: without the logits of a large vocabulary."""
    return predictions.without_logits(trace, lambda: checkpoint(entry).model)


def has_run(entry: catalogue.Entry, sentence: str) -> bool:
    """Whether `run` is in the cache for them."""
    return _pass_key(run, entry, sentence) in PASSES


@weighed
def example(entry: catalogue.Entry) -> Example | None:
    """The recorded example of a checkpoint, read without torch; None where it has none that can be read.

    A recording is its own example.
    """
    if isinstance(entry, catalogue.Untrained):
        return None
    try:
        trace = load_trace(entry.folder / "example.npz")
    except (OSError, ValueError, KeyError, BadZipFile):
        return None
    return Example(entry.card["examples"][0], entry.card["example_translation"], trace)
