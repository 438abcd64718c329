"""A language from right to left, made of the English texts: what stays in Latin letters did not come from a text."""

import re
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


def write(folder: Path, some: dict[str, Text] | None = None) -> None:
    """A folder of languages with this one, of all English texts or of `some`."""
    own = folder / CODE
    own.mkdir(parents=True)
    (own / "language.toml").write_text(LANGUAGE, encoding="utf-8")
    tables: dict[str, dict[str, str]] = {}
    for text in (texts() if some is None else some).values():
        table, key = text.key.split(".", 1)
        tables.setdefault(table, {})[key] = hebrew(text.text)
    lines = []
    for table, entries in tables.items():
        lines += [f"[{table}]", *(f"{_spelled(key)} = {_spelled(text)}" for key, text in entries.items())]
    (own / "texts.toml").write_text("\n".join(lines), encoding="utf-8")


def _spelled(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
