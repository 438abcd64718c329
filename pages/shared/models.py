"""Checkpoints and traces, cached for all sessions. What these functions return is read-only.

torch is imported on the first call, not with this module: the first page is drawn without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import streamlit as st

from model import catalogue
from model.tokenizer import Tokenizer, load_tokenizer
from model.trace import Trace, load_trace

if TYPE_CHECKING:
    from model.checkpoints import Checkpoint
    from model.translation import Translation


@dataclass(frozen=True)
class Example:
    """A checkpoint's recorded example: shown until its model is warm."""

    sentence: str
    text: str
    trace: Trace


@st.cache_resource(max_entries=16, show_spinner=False)
def checkpoint(name: str, fingerprint: str) -> Checkpoint:
    """A loaded checkpoint; raises `Refused` when its folder is damaged."""
    import torch

    torch.set_num_threads(1)
    from model import checkpoints

    return checkpoints.load(catalogue.find(name))


@st.cache_resource(max_entries=16, show_spinner=False)
def tokenizer(name: str, fingerprint: str) -> Tokenizer:
    """A checkpoint's tokenizer alone, which needs no torch."""
    return load_tokenizer(catalogue.find(name))


@st.cache_resource(max_entries=64, show_spinner=False)
def run(name: str, fingerprint: str, sentence: str) -> Translation:
    """The translation and trace of a sentence; raises `Refused` for one that cannot be read."""
    from model.translation import translate

    return translate(checkpoint(name, fingerprint), sentence)


@st.cache_resource(max_entries=16, show_spinner=False)
def example(name: str, fingerprint: str) -> Example | None:
    """The recorded example of a checkpoint, read without torch; None where it has none that can be read."""
    entry = catalogue.find(name)
    try:
        trace = load_trace(entry.folder / "example.npz")
    except (OSError, ValueError, KeyError, BadZipFile):
        return None
    return Example(entry.card["examples"][0], entry.card["example_translation"], trace)
