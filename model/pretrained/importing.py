"""Import a Hugging Face model: read its folder, convert it, try it, and write an ordinary checkpoint folder."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.errors import InvalidInput
from model.pretrained import card, other_formats, proof, vocabulary
from model.pretrained.card import Origin
from model.pretrained.converted import Fields
from model.pretrained.families import families
from model.pretrained.folder import CONFIG, Folder
from model.pretrained.proof import Proof
from model.pretrained.tensors import Tensors
from model.pretrained.vocabulary import Numbering

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Imported:
    """A model as one of ours, the ids that it had, and the heads that were left out of it."""

    checkpoint: Checkpoint
    numbering: Numbering
    left_out: tuple[str, ...]


# whose repositories name code of their own, which transformers does not run either: it has a class for them
UPSTREAM = ("phi3",)


def convert(folder: Folder, progress: Progress = lambda done, total: None) -> Imported:
    """The model in a Hugging Face folder as one of ours. Raises `InvalidInput` for what cannot be imported."""
    values = folder.json(CONFIG)
    family = values.get("model_type")
    if not isinstance(family, str) or family not in families():
        raise InvalidInput("import_family", family=family or "?", choices=", ".join(families()))
    if values.get("auto_map") and family not in UPSTREAM:
        raise InvalidInput("import_code", file=CONFIG)
    fields = Fields(values, folder.json("generation_config.json"))
    tensors = Tensors(folder.path, progress)
    try:
        converted = families()[family](fields, tensors)
        converted, tokenizer, numbering = vocabulary.convert(folder, fields, converted)
    except InvalidInput:
        raise
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:  # a field of another kind
        raise InvalidInput("import_fields", family=family, problem=error) from error
    model = checkpoints.with_weights(converted.checked, converted.weights)
    return Imported(Checkpoint(folder.path.name, model, tokenizer), numbering, tuple(tensors.heads_left_out))


def import_folder(
    folder: Path,
    out: Path,
    name: str,
    origin: Origin,
    *,
    half: bool = False,
    examples: Sequence[str] = (),
    check: bool | None = None,
    progress: Progress = lambda done, total: None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Entry:
    """Write the model of `folder` as the checkpoint `out`/`name`; nothing is left behind if that fails.

    half      store half precision
    examples  the sentences of its card, by default some that fit its family
    check     whether it has to be compared with transformers; None: if that is installed and can read the folder
    say       is told why it could not be compared
    """
    torch.set_num_threads(1)
    if not re.fullmatch(r"[\w][\w.-]{0,63}", name):
        raise InvalidInput("import_name", name=name)
    if (out / name).exists():
        raise InvalidInput("import_exists", name=name, folder=out)
    read, imported = _imported(folder, progress, check=check)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".importing-", dir=out) as partial:
            entry = Entry(Path(partial) / name)
            checkpoints.save_model(entry.folder, imported.checkpoint.model, half=half)
            imported.checkpoint.tokenizer.save(entry.folder)
            checkpoint = checkpoints.load_files(entry)
            origin = replace(origin, left_out=imported.left_out)

            def prove(sentences: Sequence[str]) -> Proof | None:
                if check is False or not proof.is_possible():
                    return None
                try:
                    return _proof(folder, imported, checkpoint if half else None, sentences)
                except InvalidInput as problem:
                    if check or problem.code != "import_unread":
                        raise
                    say(str(problem))
                    return None

            card.write(entry, checkpoint, read, origin, examples, prove)
            shutil.move(entry.folder, out / name)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InvalidInput("import_space", folder=out) from None
        raise
    return Entry(out / name)


def check_again(folder: Path, entry: Entry, progress: Progress = lambda done, total: None) -> None:
    """Compare a checkpoint's original with transformers, and write what comes of it into its card.

    Raises `InvalidInput` if the checkpoint was made of other weights, or the two compute something else.
    """
    torch.set_num_threads(1)
    _, imported = _imported(folder, progress, check=True)
    stored, weights = checkpoints.load_files(entry), imported.checkpoint.model.state_dict()
    values = stored.model.state_dict()
    half = any(not torch.equal(value, weights[name]) for name, value in values.items() if name in weights)
    if (
        stored.model.config != imported.checkpoint.model.config
        or values.keys() != weights.keys()
        or (half and not all(torch.equal(value, weights[name].half().float()) for name, value in values.items()))
    ):
        raise InvalidInput("import_other", name=entry.name)
    card.add_proof(entry, _proof(folder, imported, stored if half else None, entry.card["examples"]))


def _imported(folder: Path, progress: Progress, *, check: bool | None) -> tuple[Folder, Imported]:
    if check and not proof.is_possible():
        raise InvalidInput("import_check")
    other_formats.refuse(folder)
    read = Folder(folder)
    return read, convert(read, progress)


def _proof(folder: Path, imported: Imported, half: Checkpoint | None, sentences: Sequence[str]) -> Proof:
    """The comparison. `half` is the same model with rounded weights, whose difference is then what counts."""
    found = proof.prove(folder, imported.checkpoint, imported.numbering, sentences)
    if half is None:
        return found
    rounded = proof.prove(folder, half, imported.numbering, sentences, most=proof.MOST_OF_HALF)
    return replace(found, difference=rounded.difference)


def default_name(source: str) -> str:
    """Name the checkpoint of a folder or a repository: by the last part, as far as a name may have it."""
    return re.sub(r"[^\w.-]+", "-", Path(os.path.abspath(source)).name)
