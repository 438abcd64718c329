"""Changes as a user lists them, spelled for a link.

A list is spelled `off:cross.1.3;-word:4=Haus`: a verb, places separated by dots, a text after `=`. A minus marks a
change that is switched off; `*` means every layer or every head.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import get_args
from urllib.parse import unquote

from model.edit.edits import Pattern

LIMIT = 12  # changes in a list
EVERY = "*"
_SPELLED = re.compile(r"(-?)([a-z]+):([\w*.]*)(?:=(.*))?", re.DOTALL)
# verb -> the meaning of its places
PLACES = {
    "off": "kind layer head",
    "half": "kind layer head",
    **dict.fromkeys(get_args(Pattern), "kind layer head"),
    "row": "kind layer head query",
    "unmask": "mask",
    "position": "side how",
    "embedding": "side how",
    "word": "token",
    "key": "reader token",
    "value": "reader token",
    "patch": "side at token from",
}
WITH_TEXT = ("row", "word", "key", "value", "patch")


@dataclass(frozen=True)
class Change:
    """One line of the list: `at` are its places, `text` a word, a sentence, or weights between commas."""

    verb: str
    at: tuple[str, ...]
    text: str = ""
    on: bool = True

    def spelled(self) -> str:
        """As it stands in a link."""
        text = f"={_escaped(self.text)}" if self.verb in WITH_TEXT else ""
        return f"{'' if self.on else '-'}{self.verb}:{'.'.join(self.at)}{text}"

    def switched(self) -> "Change":
        """The same change, switched on if it was off, and off if it was on."""
        return replace(self, on=not self.on)


def spell(changes: Iterable[Change]) -> str:
    """A list of changes as it stands in a link."""
    return ";".join(change.spelled() for change in changes)


def read(text: str) -> tuple[list[Change], list[str]]:
    """The changes of a link, at most LIMIT, and the parts that are invalid or too many."""
    changes: list[Change] = []
    bad: list[str] = []
    for part in filter(None, text.split(";")):
        change = _read(part)
        if change and len(changes) < LIMIT:
            changes.append(change)
        else:
            bad.append(part)
    return changes, bad


def _read(part: str) -> Change | None:
    match = _SPELLED.fullmatch(part)
    if not match or match[2] not in PLACES or (match[4] is not None) != (match[2] in WITH_TEXT):
        return None
    return Change(match[2], tuple(match[3].split(".")), unquote(match[4] or ""), not match[1])


def _escaped(text: str) -> str:
    """The text with `;`, `%` and unprintable characters percent-encoded."""
    return "".join(c if c.isprintable() and c not in ";%" else "".join(f"%{b:02X}" for b in c.encode()) for c in text)
