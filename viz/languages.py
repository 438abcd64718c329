"""The languages that texts exist in: each folder of `pages/content/` with a `language.toml` is one.

`GLASSFORMER_LANGUAGES` names a further folder of such folders. In the installed package, the folders are in it.
"""

import os
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
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
