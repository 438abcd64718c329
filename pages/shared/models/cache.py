"""Checkpoints and traces, cached for all sessions. What these functions return is read-only.

torch is imported on the first call, not with this module: the first page is drawn without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import streamlit as st

from model.checkpoint import catalogue
from model.checkpoint.catalogue import load_tokenizer
from model.tokenizer import Tokenizer
from model.trace import Trace, load_trace

if TYPE_CHECKING:
    from model.checkpoint.load import Checkpoint
    from model.decode.translate import Translation


@dataclass(frozen=True)
class Example:
    """A checkpoint's recorded example: shown until its model is warm."""

    sentence: str
    text: str
    trace: Trace


def _key(entry: catalogue.Entry) -> tuple[str, str]:
    return entry.name, entry.fingerprint


BY_CONTENT: dict[str | type[Any], Callable[[Any], Any]] = {catalogue.Entry: _key, catalogue.Untrained: _key}


def checkpoint(entry: catalogue.Entry) -> Checkpoint:
    """A loaded checkpoint; raises `InvalidInput` when its folder is damaged."""
    return _untrained(entry) if isinstance(entry, catalogue.Untrained) else _trained(entry)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def _trained(entry: catalogue.Entry) -> Checkpoint:
    return _load(entry)


@st.cache_resource(max_entries=2, show_spinner=False, hash_funcs=BY_CONTENT)  # up to 250 MB each
def _untrained(entry: catalogue.Entry) -> Checkpoint:
    return _load(entry)


def _load(entry: catalogue.Entry) -> Checkpoint:
    import torch

    torch.set_num_threads(1)
    from model.checkpoint import load as checkpoints

    return checkpoints.load(entry)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def tokenizer(entry: catalogue.Entry) -> Tokenizer:
    """A checkpoint's tokenizer alone, which needs no torch."""
    return load_tokenizer(entry)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def run(entry: catalogue.Entry, sentence: str) -> Translation:
    """The translation and trace of a sentence; raises `InvalidInput` for one that cannot be read."""
    from model.decode.translate import translate

    return translate(checkpoint(entry), sentence)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def example(entry: catalogue.Entry) -> Example | None:
    """The recorded example of a checkpoint, read without torch; None where it has none that can be read."""
    if isinstance(entry, catalogue.Untrained):
        return None
    try:
        trace = load_trace(entry.folder / "example.npz")
    except (OSError, ValueError, KeyError, BadZipFile):
        return None
    return Example(entry.card["examples"][0], entry.card["example_translation"], trace)
