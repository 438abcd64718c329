"""The languages that texts exist in: each file `XX.toml` of this folder declares one. And their texts.

The texts of a language are the files `XX.toml` in folders called `words`, beside what they are about, and in folders
below these. `GLASSFORMER_LANGUAGES` names further folders with the same tree, such as one with `viz/languages/fr.toml`,
`viz/words/fr.toml`, `pages/start/words/fr.toml` and so on.
"""

import logging
import os
import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Literal

FIRST = "en"  # whose texts stand in where another language has none
FURTHER = "GLASSFORMER_LANGUAGES"  # an environment variable
APP = ("model/errors/words", "pages/*/words", "pages/*/words/*")  # folders of its texts, but for those of figures
_HERE = Path(__file__).parent
CODE = re.compile("[a-z]{2,3}")


@dataclass(frozen=True, kw_only=True)
class Language:
    """What its file says of a language."""

    code: str  # the name of its files, and in links
    file: Path
    name: str  # its own
    short: str = ""  # its own, of a few letters
    tag: str = ""  # in HTML, if it is not the code
    direction: Literal["ltr", "rtl"] = "ltr"
    spaces: bool = True  # between words and between sentences
    preferred: bool = False  # whether a browser that asks for it gets it unasked
    complete: bool = False  # whether every change of a text brings it in this language too, so that none can be missing

    def __post_init__(self) -> None:
        for field in ("short", "tag"):
            if not getattr(self, field):
                object.__setattr__(self, field, self.code)
        if self.direction not in ("ltr", "rtl"):
            raise ValueError(f"{self.file}: direction is {self.direction!r}, and has to be ltr or rtl.")


@cache
def languages() -> dict[str, Language]:
    """All languages by code, English first. Raises ValueError for a file or a folder that is none of a language."""
    further = further_trees()
    if old := [file for tree in further for file in tree.glob("*/language.toml")]:
        raise ValueError(
            f"{old[0].parent}: one folder with all texts of a language is no longer read. Put them where the "
            f"repository has them, such as pages/start/words/{old[0].parent.name}.toml, and let {FURTHER} name the "
            "folder that pages/ is in."
        )
    folders = (*(tree / "viz" / "languages" for tree in further), _HERE)  # ours last, so that no other replaces them
    files = {file.stem: file for folder in folders for file in folder.glob("*.toml") if CODE.fullmatch(file.stem)}
    return {code: _read(files[code]) for code in sorted(files, key=lambda code: (code != FIRST, code))}


def further_trees() -> list[Path]:
    """The folders that `GLASSFORMER_LANGUAGES` names."""
    return [Path(folder) for folder in os.environ.get(FURTHER, "").split(os.pathsep) if folder]


def _read(file: Path) -> Language:
    """The language that a file declares. Raises ValueError if it says something else than `Language` does."""
    try:
        return Language(code=file.stem, file=file, **tomllib.loads(file.read_text(encoding="utf-8")))
    except (TypeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{file}: {error}") from None


def files(code: str, *folders: str) -> list[Path]:
    """The files of a language's texts: of figures, and in these folders of its tree, sorted."""
    viz = languages()[code].file.parents[1]  # which has another name where the package is installed
    return sorted(
        file for folder in (f"{viz.name}/words", *folders) for file in viz.parent.glob(f"{folder}/{code}.toml")
    )


@cache
def texts_of(code: str, *folders: str) -> dict[str, str]:
    """The texts in the `files` of a language by `table.key`; an empty one waits for its translator.

    A key stands in one file. A file that is wrong raises ValueError; of a language that may lack texts it is left out
    and the host is told, since every page has a few texts of all languages. Such a language has no text with a
    placeholder that English has not: the app fills in no others.
    """
    texts: dict[str, str] = {}
    for file in files(code, *folders):
        try:
            texts |= _texts_in(file, texts)
        except ValueError as error:
            if languages()[code].complete:
                raise
            logging.getLogger(__name__).warning("%s is left out: %s", file, error)
    if languages()[code].complete:
        return texts
    english = texts_of(FIRST, *folders)
    return {key: text for key, text in texts.items() if key not in english or _fits(text, english[key])}


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


def _fits(text: str, english: str) -> bool:
    try:
        return set(blanks(text)) <= set(blanks(english))
    except ValueError:
        return False


def blanks(text: str) -> list[str]:
    """The names in braces, in alphabetical order. Raises ValueError for a brace that is left open."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})
