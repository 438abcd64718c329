"""Import a Hugging Face model: read its folder, convert it, try it, and write an ordinary checkpoint folder."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.errors import InvalidInput
from model.pretrained import card, other_formats, vocabulary
from model.pretrained.card import Origin
from model.pretrained.converted import Converted, Fields
from model.pretrained.families import bart, bert, gpt2, gpt_neox, llama, opt, t5
from model.pretrained.folder import CONFIG, Folder
from model.pretrained.tensors import Tensors

Progress = Callable[[int, int], None]

FAMILIES: dict[str, Callable[[Fields, Tensors], Converted]] = {
    "marian": bart.marian,
    "pegasus": bart.pegasus,
    "m2m_100": bart.m2m100,
    "bart": bart.bart,
    "mbart": bart.mbart,
    "t5": t5.t5,
    "mt5": t5.t5,
    "gpt2": gpt2.gpt2,
    "gpt_neo": gpt2.gpt_neo,
    "gpt_neox": gpt_neox.gpt_neox,
    "opt": opt.opt,
    "llama": llama.llama,
    "qwen2": llama.llama,
    "qwen3": llama.llama,
    "mistral": llama.llama,
    "smollm3": llama.llama,
    "gemma": llama.gemma,
    "bert": bert.bert,
    "roberta": bert.roberta,
    "xlm-roberta": bert.roberta,
    "distilbert": bert.distilbert,
    "electra": bert.electra,
    "albert": bert.albert,
}


def convert(folder: Folder, progress: Progress = lambda done, total: None) -> Checkpoint:
    """The model in a Hugging Face folder as one of ours. Raises `InvalidInput` for what cannot be imported."""
    return _converted(folder, progress)[0]


def _converted(folder: Folder, progress: Progress) -> tuple[Checkpoint, list[str]]:
    """The model, and the heads that were left out of it."""
    values = folder.json(CONFIG)
    family = values.get("model_type")
    if family not in FAMILIES:
        raise InvalidInput("import_family", family=family or "?", choices=", ".join(FAMILIES))
    if values.get("auto_map"):
        raise InvalidInput("import_code", file=CONFIG)
    fields = Fields(values, folder.json("generation_config.json"))
    tensors = Tensors(folder.path, progress)
    converted = FAMILIES[family](fields, tensors)
    converted, tokenizer = vocabulary.convert(folder, fields, converted)
    model = checkpoints.with_weights(converted.checked, converted.weights)
    return Checkpoint(folder.path.name, model, tokenizer), tensors.heads_left_out


def import_folder(
    folder: Path,
    out: Path,
    name: str,
    origin: Origin,
    *,
    half: bool = False,
    examples: Sequence[str] = (),
    progress: Progress = lambda done, total: None,
) -> Entry:
    """Write the model of `folder` as the checkpoint `out`/`name`; nothing is left behind if that fails.

    `half` stores half precision. `examples` are the sentences of its card, by default some that fit its family.
    """
    torch.set_num_threads(1)
    if not re.fullmatch(r"[\w][\w.-]{0,63}", name):
        raise InvalidInput("import_name", name=name)
    if (out / name).exists():
        raise InvalidInput("import_exists", name=name, folder=out)
    other_formats.refuse(folder)
    read = Folder(folder)
    checkpoint, left_out = _converted(read, progress)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".importing-", dir=out) as partial:
            entry = Entry(Path(partial) / name)
            checkpoints.save_model(entry.folder, checkpoint.model, half=half)
            checkpoint.tokenizer.save(entry.folder)
            checkpoint = checkpoints.load_files(entry)
            card.write(entry, checkpoint, read, replace(origin, left_out=tuple(left_out)), examples)
            shutil.move(entry.folder, out / name)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InvalidInput("import_space", folder=out) from None
        raise
    return Entry(out / name)


def default_name(source: str) -> str:
    """Name the checkpoint of a folder or a repository: by the last part, as far as a name may have it."""
    return re.sub(r"[^\w.-]+", "-", Path(os.path.abspath(source)).name)
