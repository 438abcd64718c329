"""A language from right to left, made of the English texts: what stays in Latin letters did not come from a text."""

import re
from itertools import groupby
from pathlib import Path

from scripts.language.english import Text, texts

CODE = "qps"
# English letters as Hebrew ones; what the app fills in, marks, code, formulas and links stays
_HEBREW = dict(zip("abcdefghijklmnopqrstuvwxyz", "אבקדעפגהיחכלמנופקרסתוושצזז", strict=True))
_KEPT = re.compile(r"\{[^}]*\}|`[^`]*`|\$[^$]+\$|\]\([^)]*\)|\[\[[\w-]+\||\[\[[\w-]+\]\]")
LANGUAGE = 'name = "עברית מדומה"\nshort = "ער"\ntag = "he"\ndirection = "rtl"\n'


def hebrew(text: str) -> str:
    """The text with Hebrew letters where a translator would write others."""
    parts, end = [], 0
    for kept in _KEPT.finditer(text):
        parts += [_letters(text[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join((*parts, _letters(text[end:])))


def _letters(text: str) -> str:
    return "".join(_HEBREW.get(letter.lower(), letter) for letter in text)


def write(tree: Path, some: dict[str, Text] | None = None) -> None:
    """The files of this language in a tree, of all English texts or of `some`."""
    put(tree, "viz/languages", LANGUAGE)
    for folder, group in groupby((texts() if some is None else some).values(), lambda text: text.folder):
        lines = []
        for table, entries in groupby(group, lambda text: text.key.split(".")[0]):
            lines += [f"[{table}]"]
            lines += [f"{_spelled(text.key.split('.', 1)[1])} = {_spelled(hebrew(text.text))}" for text in entries]
        put(tree, folder, "\n".join(lines))


def put(tree: Path, folder: Path | str, content: str, code: str = CODE) -> None:
    """A file of a language in a folder of a tree."""
    (tree / folder).mkdir(parents=True, exist_ok=True)
    (tree / folder / f"{code}.toml").write_text(content, encoding="utf-8")


def _spelled(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
