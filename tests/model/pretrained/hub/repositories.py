"""The repositories by name: which family reads them, and what writes their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.model.pretrained.hub import lists, sentencepieces
from tests.model.pretrained.hub.writing import write


@dataclass(frozen=True)
class Repository:
    """`model_type` of its config.json, and a function that writes its tokenizer and gives the ids of its config."""

    model_type: str
    files: Callable[[Path], dict[str, Any]]


REPOSITORIES = {
    "t5-v1_1": Repository("t5", sentencepieces.t5_v1_1),
    "mt5": Repository("mt5", sentencepieces.mt5),
    "pegasus": Repository("pegasus", sentencepieces.pegasus),
    "xlm-roberta": Repository("xlm-roberta", sentencepieces.xlm_roberta),
    "camembert": Repository("camembert", sentencepieces.camembert),
    "mbart": Repository("mbart", sentencepieces.mbart),
    "mbart50": Repository("mbart", sentencepieces.mbart50),
    "nllb": Repository("m2m_100", sentencepieces.nllb),
    "albert": Repository("albert", sentencepieces.albert),
    "llama": Repository("llama", sentencepieces.llama),
    "gemma": Repository("gemma", sentencepieces.gemma),
    "bert-uncased": Repository("bert", lists.bert_uncased),
    "bert-cased": Repository("bert", lists.bert_cased),
    "bert-german": Repository("bert", lists.bert_german),
    "electra": Repository("electra", lists.electra),
    "gpt2": Repository("gpt2", lists.gpt2),
    "roberta": Repository("roberta", lists.roberta),
    "bart": Repository("bart", lists.bart),
    "opt": Repository("opt", lists.opt),
    "qwen2": Repository("qwen2", lists.qwen2),
    "gpt-neox": Repository("gpt_neox", lists.gpt_neox),
    "byt5": Repository("t5", lists.byt5),
}


def lay(name: str, folder: Path) -> dict[str, Any]:
    """Write a repository's tokenizer and its config.json without weights; the ids of the config."""
    folder.mkdir(parents=True, exist_ok=True)
    ids = REPOSITORIES[name].files(folder)
    write(folder, "config.json", {"model_type": REPOSITORIES[name].model_type, **ids})
    return ids
