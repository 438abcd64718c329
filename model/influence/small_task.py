"""Models that can be trained again in seconds: their settings, and the pairs that they learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from corpora.corpus import Parted, numbered
from corpora.pairs import Example, Pair
from corpora.task_list import tasks
from model.checkpoint.catalogue import Entry, Untrained
from model.config import TransformerConfig
from model.errors import InvalidInput
from model.tokenization.tokenizer import Tokenizer
from model.train import cost_estimate, data, model_config
from model.train.run_settings import RunSettings

SECONDS = 30.0  # of one core that a training may take by its estimate


@dataclass(frozen=True, eq=False)
class SmallTask:
    """A run, all N pairs that it learns from in every epoch, and these as ids.

    groups   the numbers of pairs with something in common: by "pattern" and "topic", then by name; empty if unknown
    """

    settings: RunSettings
    config: TransformerConfig
    tokenizer: Tokenizer
    pairs: tuple[Pair, ...]
    examples: tuple[Example, ...]
    groups: Mapping[str, Mapping[str, tuple[int, ...]]]


def can_train_again(entry: Entry) -> bool:
    """Whether the model of a checkpoint is that of a run which can be made again in seconds, on the same pairs."""
    settings = None if isinstance(entry, Untrained) else _settings(entry.card.get("run"))
    if settings is None or settings.task not in tasks():
        return False
    task = tasks()[settings.task]
    plain = settings.causal_mask and not settings.dropout and not settings.alone
    if not (task.finite and plain) or task.brings:
        return False
    return cost_estimate.estimated(settings, data.prepare(settings)).seconds <= SECONDS


def of(entry: Entry) -> SmallTask:
    """The task of a checkpoint. Raises `InvalidInput` for one whose model cannot be trained again here."""
    settings = _settings(entry.card.get("run"))
    if settings is None or not can_train_again(entry):
        raise InvalidInput("influence_model", name=entry.name)
    return of_settings(settings)


def of_settings(settings: RunSettings) -> SmallTask:
    """The task of a run whose pairs are the same in each epoch."""
    content = data.prepare(settings)
    config, pairs = model_config.config(settings, content), content.corpus.train(0)
    groups = content.corpus.groups() if isinstance(content.corpus, Parted) else {}
    examples = tuple(data.encoded(config, content, pairs))
    return SmallTask(settings, config, content.tokenizer, tuple(pairs), examples, numbered(groups, pairs))


def with_seed(settings: RunSettings, seed: int) -> RunSettings:
    """The same run from another start and with its batches in another order."""
    return replace(settings, seed=seed)


def _settings(fields: Any) -> RunSettings | None:
    try:
        return RunSettings(**fields)
    except TypeError:  # no run, or one of another version
        return None
