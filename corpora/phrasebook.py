"""Phrase books: whole sentences with slots, in a text file that a teacher can read and extend.

# At the café                     a comment or a topic
@drink                            a list; its members follow, indented
    einen Kaffee = a coffee
    einen Tee = a tea
Ich nehme {drink}. = I'll have {drink}.
{drink^}? Gern! = {drink^}? With pleasure!              ^ capitalises
{drink.1} und {drink.2}, bitte. = {drink.1} and {drink.2}, please.   two different members
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpora.pairs import Pair

FOLDER = Path(__file__).parent / "phrases"
SLOT = re.compile(r"\{(\w+)(?:\.(\d))?(\^?)\}")


@dataclass(frozen=True)
class PhraseBook:
    """The phrases of one file and the lists that fill their slots."""

    name: str
    phrases: tuple[Pair, ...]
    lists: dict[str, tuple[Pair, ...]]

    @property
    def plain(self) -> list[Pair]:
        """The phrases without slots."""
        return [phrase for phrase in self.phrases if not SLOT.search(phrase.source)]

    def expand(self, phrase: Pair, rng: random.Random, most: int) -> Iterator[Pair]:
        """At most `most` distinct fillings of a phrase's slots; a phrase without slots gives itself."""
        slots = sorted({(name, index) for name, index, _ in SLOT.findall(phrase.source)})
        pairs: set[Pair] = set()
        for _ in range(1 if not slots else most):
            filling: dict[tuple[str, str], Pair] = {}
            for name, index in slots:
                others = {member for (other, _), member in filling.items() if other == name}
                filling[name, index] = rng.choice([m for m in self.lists[name] if m not in others])
            pair = Pair(_fill(phrase.source, filling, 0), _fill(phrase.target, filling, 1))
            if pair not in pairs:
                pairs.add(pair)
                yield pair


def read(path: Path) -> PhraseBook:
    """Read a phrase book; a line that cannot be right is refused with its number."""
    phrases: list[Pair] = []
    lists: dict[str, list[Pair]] = {}
    current = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("@"):
            current = line[1:].strip()
            lists[current] = []
            continue
        source, equals, target = line.strip().partition(" = ")
        if not equals or not source or not target:
            raise ValueError(f"{path.name}:{number}: write 'German = English', found {line!r}")
        pair = Pair(source.strip(), target.strip())
        if line[0].isspace():
            lists[current].append(pair)
        else:
            _check(pair, lists, f"{path.name}:{number}")
            phrases.append(pair)
    return PhraseBook(path.stem, tuple(phrases), {k: tuple(v) for k, v in lists.items()})


def read_all(language: str) -> tuple[PhraseBook, ...]:
    """Every phrase book of a language, by name."""
    return tuple(read(path) for path in sorted((FOLDER / language).glob("*.txt")))


def _check(pair: Pair, lists: dict[str, list[Pair]], where: str) -> None:
    slots = [{(name, index) for name, index, _ in SLOT.findall(side)} for side in pair]
    if slots[0] != slots[1]:
        raise ValueError(f"{where}: the two sides have different slots: {pair}")
    for name, _ in slots[0]:
        if name not in lists:
            raise ValueError(f"{where}: no list @{name} stands above this line")


def _fill(text: str, filling: dict[tuple[str, str], Pair], side: int) -> str:
    def word(match: re.Match[str]) -> str:
        member = filling[match[1], match[2] or ""][side]
        return member[0].upper() + member[1:] if match[3] else member

    return SLOT.sub(word, text)
