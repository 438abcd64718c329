"""Heads removed one after another, without training the model again: in which order, and what is left to write with.

A removed head writes zeros, as when it is switched off by an edit.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from model.circuits.ablation import Ablated, Part, parts
from model.config import TransformerConfig
from model.edit import edits
from model.edit.edited_pass import compose
from model.intervals import Estimate
from model.trace import ATTENTION_KINDS, AttentionKind, Tap, silent
from model.transformer import Transformer

STEPS = 18  # about so many scores of one order


def heads(config: TransformerConfig) -> list[Part]:
    """Every head, in the order of the pass."""
    return [part for part in parts(config) if part.head is not None]


def ordered(effects: Mapping[Ablated, Estimate]) -> list[Part]:
    """Heads by the effect of removing each alone: first the one whose removal lowers the log-probability least."""
    return [part for (part,) in sorted(effects, key=lambda each: -effects[each].mean)]


def shuffled(config: TransformerConfig, seed: int) -> list[Part]:
    """Every head in a random order."""
    result = heads(config)
    random.Random(seed).shuffle(result)
    return result


def stops(count: int) -> list[int]:
    """Numbers of removed heads at which to score: none, all of `count`, and about `STEPS` in even steps."""
    return sorted({*range(0, count, max(1, count // STEPS)), count})


def of_kind(config: TransformerConfig, kind: AttentionKind) -> list[Part]:
    """All heads of one kind of attention."""
    return [part for part in heads(config) if part.kind == kind]


def kinds(config: TransformerConfig) -> list[AttentionKind]:
    """The kinds of attention that the model has."""
    return [kind for kind in ATTENTION_KINDS if of_kind(config, kind)]


def without(model: Transformer, removed: Sequence[Part]) -> Tap:
    """A tap that switches heads off, by the edits that anybody makes on a page."""
    return compose(model, *(edits.zero(part.value, head=part.head) for part in removed)) if removed else silent
