"""A Hugging Face model folder on disk: its JSON files, and what its README says about licence and language."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import InvalidInput

CONFIG = "config.json"
_POINTER = b"version https://git-lfs.github.com/spec/"
_CACHED = "models--"  # a repository's folder in the cache of huggingface_hub


def located(path: Path) -> tuple[Path, str, str]:
    """The folder that holds the files, the model's name and its revision: of a folder of the hub's cache, its snapshot.

    Raises `InvalidInput` where the cache has several and does not say which is the newest.
    """
    place = path.resolve()
    cached = next((each for each in (place, *place.parents[:2]) if each.name.startswith(_CACHED)), None)
    if cached is None:
        return path, place.name, ""
    name = cached.name.removeprefix(_CACHED).replace("--", "/")
    if place.parent.name == "snapshots":
        return path, name, place.name
    main, snapshots = cached / "refs" / "main", list((cached / "snapshots").glob("*"))
    newest = main.read_text(encoding="utf-8").strip() if main.is_file() else ""
    found = [each for each in snapshots if each.name == newest] or snapshots
    if len(found) != 1:
        raise InvalidInput("import_snapshots", folder=path)
    return found[0], name, found[0].name


@dataclass(frozen=True)
class Folder:
    """A folder with at least a config.json. Raises `InvalidInput` if there is none."""

    path: Path

    def __post_init__(self) -> None:
        if not self.path.is_dir():
            raise InvalidInput("import_folder", folder=self.path)
        if not (self.path / CONFIG).is_file():
            for below in checkpoints_below(self.path):
                if (below / CONFIG).is_file():
                    raise InvalidInput("import_below", folder=self.path, below=below)
            raise InvalidInput("import_config", folder=self.path)

    def json(self, file: str) -> dict[str, Any]:
        """The object in a JSON file; empty if there is no such file."""
        return read_json(self.path / file) if (self.path / file).is_file() else {}

    def has(self, *files: str) -> bool:
        """Whether all the files are there."""
        return all((self.path / file).is_file() for file in files)

    def about(self) -> dict[str, list[str]]:
        """The front matter of README.md: the values of each field, as far as they are words or lists of words."""
        readme = self.path / "README.md"
        text = readme.read_text(encoding="utf-8", errors="replace") if readme.is_file() else ""
        front = re.match(r"^---\s*\n(.*?)\n---", text, re.DOTALL)
        fields: dict[str, list[str]] = {}
        name = ""
        for line in front[1].splitlines() if front else ():
            if field := re.match(r"^([a-z_]+):\s*(.*)$", line):
                name, value = field[1], field[2].strip().strip("[]")
                fields[name] = [_plain(each) for each in value.split(",") if each.strip()]
            elif name and (item := re.match(r"^\s*-\s+(?:text:\s*)?(.+)$", line)):
                fields[name].append(_plain(item[1]))
        return fields


def checkpoints_below(folder: Path) -> list[Path]:
    """Folders of transformers' Trainer, such as checkpoint-500, the last one first."""
    return sorted(folder.glob("checkpoint-[0-9]*"), key=lambda below: (len(below.name), below.name), reverse=True)


def refuse_pointer(path: Path) -> None:
    """Raise `InvalidInput` where Git LFS has left the place of a file in its stead."""
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            raise InvalidInput("import_pointer", file=path.name)


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file. Raises `InvalidInput` for anything else."""
    refuse_pointer(path)
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))  # editors of Windows put a mark before it
    except (ValueError, RecursionError) as error:
        raise InvalidInput("import_json", file=path.name, problem=error) from None
    if not isinstance(value, dict):
        raise InvalidInput("import_json", file=path.name, problem="an object {…} is expected")
    return value


def _plain(text: str) -> str:
    return text.strip().strip("\"'")
