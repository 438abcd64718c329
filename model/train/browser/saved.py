"""What makes a checkpoint of weights that were trained in a page: the files that stay the same, and its cards."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpora import task_list
from corpora.tasks.user_table import Own
from corpora.tasks.user_text import Passage
from model.checkpoint.catalogue import TOKENS
from model.config import TransformerConfig
from model.tokenization.tokenizer import Tokenizer
from model.train.trainer import TrainingSettings
from model.transformer import MultiHeadAttention, Transformer

CHANGED = Own.name  # task and data of pairs that a reader changed or brought


def defaults() -> dict[str, Any]:
    """The fields of a config that leaves out what it can: what a config.json does not name has these."""
    return asdict(TransformerConfig(source_vocabulary=1, target_vocabulary=1))


def token_files(tokenizer: Tokenizer) -> dict[str, str]:
    """The files of a checkpoint with its tokenizer, as text by name."""
    with TemporaryDirectory() as folder:
        tokenizer.save(Path(folder))
        return {name: (Path(folder) / name).read_text(encoding="utf-8") for name in TOKENS}


def undivided(model: Transformer) -> dict[str, float]:
    """The factor √d_k of each parameter of queries: with it, a model that divides by √d_k computes what one that does
    not has learned.
    """
    attentions = ((name, each) for name, each in model.named_modules() if isinstance(each, MultiHeadAttention))
    return {
        f"{name}.q.{own}": math.sqrt(each.head_size)
        for name, each in attentions
        for own, _ in each.q.named_parameters()
    }


def cards(tasks: Sequence[str], run: dict[str, int], settings: TrainingSettings) -> Mapping[str, dict[str, Any]]:
    """The card of each task, and of `CHANGED`, without what is measured and counted in the page.

    run   the settings that it names; not the task, by whose settings its data could not be made again
    """
    licences = dict.fromkeys(tasks, "ours") | {CHANGED: Own.licence, Passage.name: Passage.licence}
    is_alone = task_list.tasks()[tasks[0]].alone
    return {task: _card(task, licence, run, settings, is_alone) for task, licence in licences.items()}


def _card(task: str, licence: str, run: dict[str, int], settings: TrainingSettings, is_alone: bool) -> dict[str, Any]:
    return {
        "task": task,
        "command": "",
        "examples": [],
        "example_translation": "",
        "first_look": {"attention_kind": "decoder" if is_alone else "cross", "layer": 0, "head": 0},
        "covers": [],
        "data": [{"name": task, "pairs": 0, "licence": licence}],
        "splits": {"train": 0, "test": 0},
        "parameters": {},
        "scores": {},
        "outputs": {"right": [], "wrong": []},
        "training": {
            "steps": 0,
            "seed": settings.seed,
            "minutes": 0.0,
            "threads": 1,
            "label_smoothing": settings.label_smoothing,
        },
        "run": run,
    }
