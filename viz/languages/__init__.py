"""The languages that texts exist in: each folder of `pages/content/` with a `language.toml` is one. And their texts.

`GLASSFORMER_LANGUAGES` names a further folder of such folders. In the installed package, the folders are in it.
"""

import logging
import os
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Literal

FIRST = "en"  # whose texts stand in where another language has none
FULL = ("en", "zh")  # which every change of a text brings, so that they lack none
FURTHER = "GLASSFORMER_LANGUAGES"  # an environment variable
_HERE = Path(__file__).parent
_CODE = re.compile("[a-z]{2,3}")


@dataclass(frozen=True, kw_only=True)
class Language:
    """What `language.toml` says of a language."""

    code: str  # the name of its folder, and in links
    folder: Path
    name: str  # its own
    short: str = ""  # its own, of a few letters
    tag: str = ""  # in HTML, if it is not the code
    direction: Literal["ltr", "rtl"] = "ltr"
    spaces: bool = True  # between words and between sentences
    preferred: bool = False  # whether a browser that asks for it gets it unasked

    def __post_init__(self) -> None:
        for field in ("short", "tag"):
            if not getattr(self, field):
                object.__setattr__(self, field, self.code)
        if self.direction not in ("ltr", "rtl"):
            raise ValueError(f"{self.folder}: direction is {self.direction!r}, and has to be ltr or rtl.")


def content() -> Path:
    """The folder of the shipped languages."""
    packaged = _HERE / "languages"
    return packaged if packaged.is_dir() else _HERE.parent / "pages" / "content"


@cache
def languages() -> dict[str, Language]:
    """All languages by code, English first. Raises ValueError for a `language.toml` that says something else."""
    further = os.environ.get(FURTHER)
    added = _files(Path(further)) if further else []
    files = [*(file for file in added if file.parent.name not in FULL), *_files(content())]
    found = {file.parent.name: read(file) for file in files}
    return dict(sorted(found.items(), key=lambda item: (item[0] != FIRST, item[0])))


def read(file: Path) -> Language:
    """The language of a `language.toml`. Raises ValueError if it says something else than `Language` does."""
    try:
        return Language(code=file.parent.name, folder=file.parent, **tomllib.loads(file.read_text(encoding="utf-8")))
    except (TypeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{file}: {error}") from None


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.glob("*/language.toml") if _CODE.fullmatch(file.parent.name)]


def texts_of(code: str, files: Iterable[Path]) -> dict[str, str]:
    """The texts in files of a language by `table.key`; an empty one waits for its translator.

    A key stands in one file. A file that is wrong raises ValueError; of a language that may lack texts it is left out
    and the host is told, since every page has a few texts of all languages.
    """
    texts: dict[str, str] = {}
    for file in files:
        try:
            texts |= _texts_in(file, texts)
        except ValueError as error:
            if code in FULL:
                raise
            logging.getLogger(__name__).warning("%s is left out: %s", file, error)
    return texts


def _texts_in(file: Path, others: Collection[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for table, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
        for key, text in entries.items() if isinstance(entries, dict) else [("", None)]:
            if not isinstance(text, str):
                raise ValueError(f"{file}: {table}.{key} is no text in quotes")
            if f"{table}.{key}" in others:
                raise ValueError(f"{file}: {table}.{key} stands in another file too")
            if text.strip():
                texts[f"{table}.{key}"] = text
    return texts


def fitting(texts: Mapping[str, str], english: Mapping[str, str]) -> dict[str, str]:
    """Those texts whose placeholders English has too: the app fills in no others."""
    return {key: text for key, text in texts.items() if key not in english or _fits(text, english[key])}


def _fits(text: str, english: str) -> bool:
    try:
        return set(blanks(text)) <= set(blanks(english))
    except ValueError:
        return False


def blanks(text: str) -> list[str]:
    """The names in braces, in alphabetical order. Raises ValueError for a brace that is left open."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})
