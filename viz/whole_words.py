"""Which tokens stand for text, which make one word, and attention between words in place of tokens.

It stands here because the package for notebooks is installed without `model/`, which alone of viz/ imports it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

# marks of tokenizers, which a piece begins with or, the last two, ends with:
# a space comes before, the same in bytes, goes on a word, the same as our pages write it, goes on, ends a word
SPACE, BYTE_SPACE, GOES_ON, DOT, TO_BE_CONTINUED, ENDS = MARKS = ("▁", "Ġ", "##", "·", "@@", "</w>")
NO_MARK = ""  # every token is a word
EMPTY = "␣"  # text of a space that is a token
Joins = Literal["space", "word", "goes on", "open"]
Segment = Callable[[str], Sequence[tuple[int, str]]]  # words of a text without spaces, each with its place
# <s>, <|endoftext|>, [CLS], but no byte such as <0x0A>; the pages that run a model read the same file
_SPECIAL = re.compile(json.loads((Path(__file__).parent / "frontend/common/special.json").read_text(encoding="utf-8")))
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_SPACES = dict(zip("\n\t ", "⏎⇥␣", strict=True))  # how they are shown
# Han, kana, Thai, Lao, Burmese, Khmer: no spaces between words, so a piece without a mark does not go on one
_UNSPACED = re.compile(
    "[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003134f]"
)
_INSIDE = "'’-"  # between letters a part of the word: don't, E-Mail


class Word(NamedTuple):
    """Tokens from `start` up to `end` that are shown as one; `spaced` says that a space comes before its text."""

    start: int
    end: int
    text: str
    spaced: bool = False


class _Unit(NamedTuple):
    """Tokens that are whole characters together.

    joins   how it stands to the unit before: "space" between them, "word" of its own, "goes on" by its mark, or "open"
            where a missing mark says nothing
    alone   a special, or bytes that are no character
    """

    start: int
    end: int
    text: str
    joins: Joins
    alone: bool


class Grouping(NamedTuple):
    """Tokens of a text in both ways: bytes of one character together, as it is always shown, and whole words."""

    characters: tuple[Word, ...]
    words: tuple[Word, ...]


def is_special(token: str) -> bool:
    """Whether a token stands for no text."""
    return bool(_SPECIAL.fullmatch(token))


def words_of(
    tokens: Sequence[str], specials: Sequence[bool], mark: str | None = None, segment: Segment | None = None
) -> tuple[Word, ...]:
    """The words of a text; punctuation and specials stand alone.

    tokens     as their tokenizer stores them
    specials   which tokens stand for no text
    mark       one of `MARKS` or `NO_MARK`; left out, what the tokens look like
    segment    cuts Chinese; left out, pieces in scripts without spaces between words stand alone
    """
    units = _units(tokens, specials, mark)
    inside = _inside_words(units, segment)
    groups: list[list[_Unit]] = []
    for at, unit in enumerate(units):
        if at and not unit.alone and not units[at - 1].alone and _goes_on(groups[-1], units, at, inside):
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return tuple(map(_word, groups))


def characters(tokens: Sequence[str], specials: Sequence[bool], mark: str | None = None) -> tuple[Word, ...]:
    """The tokens; those that are bytes of one character are one."""
    return tuple(_word([unit]) for unit in _units(tokens, specials, mark))


def as_stored(tokens: Sequence[str], specials: Sequence[bool], mark: str | None = None) -> tuple[Word, ...]:
    """The same, where a token that is a character or more by itself is shown as its tokenizer stores it."""
    return tuple(
        each._replace(text=tokens[each.start]) if each.end - each.start == 1 else each
        for each in characters(tokens, specials, mark)
    )


def joined(weights: np.ndarray, query_words: Sequence[Word], key_words: Sequence[Word]) -> np.ndarray:
    """Attention between words (…, I, J) from attention between tokens (…, Q, K).

    Weight of a word j: summed over its keys, as it gets what all of its tokens get. Of a word i: averaged over its
    queries. Rows go on adding up to 1, and a word that was hidden from every query of another one stays at 0.
    """
    if len(query_words) == weights.shape[-2] and len(key_words) == weights.shape[-1]:
        return weights
    sums = np.add.reduceat(weights, [word.start for word in key_words], axis=-1)
    counts = np.array([word.end - word.start for word in query_words], dtype=weights.dtype)
    means: np.ndarray = np.add.reduceat(sums, [word.start for word in query_words], axis=-2) / counts[:, None]
    return means


def mark_of(tokens: Sequence[str]) -> str:
    """The mark that tokens look like; `NO_MARK` if like none."""
    for mark, is_marked in (
        (BYTE_SPACE, lambda token: token[:1] in ("Ġ", "Ċ")),
        (SPACE, lambda token: token.startswith(SPACE) or _BYTE.fullmatch(token)),
        (GOES_ON, lambda token: token.startswith(GOES_ON) and len(token) > len(GOES_ON)),
        (TO_BE_CONTINUED, lambda token: token.endswith(TO_BE_CONTINUED) and len(token) > len(TO_BE_CONTINUED)),
        (ENDS, lambda token: token.endswith(ENDS)),
        (DOT, lambda token: token.startswith(DOT) and len(token) > len(DOT)),
    ):
        if any(map(is_marked, tokens)):
            return mark
    return BYTE_SPACE if _is_of_bytes("".join(tokens)) else NO_MARK


def _is_of_bytes(text: str) -> bool:
    """Whether a text is written in bytes, and not in letters: a sentence in Chinese has no space that would tell."""
    if text.isascii() or not BYTES.keys() >= set(text):
        return False
    try:
        bytes(BYTES[character] for character in text).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _units(tokens: Sequence[str], specials: Sequence[bool], mark: str | None) -> list[_Unit]:
    if mark is None:
        mark = mark_of([token for token, special in zip(tokens, specials, strict=True) if not special])
    units: list[_Unit] = []
    content = b""  # of the last unit
    for at, (token, special) in enumerate(zip(tokens, specials, strict=True)):
        if special:
            units.append(_Unit(at, at + 1, token, "word", alone=True))
            content = b""
            continue
        joins, piece = _read(token, "" if not at or specials[at - 1] else tokens[at - 1], mark)
        start = at
        if joins == "open" and piece and _lacks(content) and _follows(piece[0]):
            start, _, _, joins, _ = units.pop()
            piece = content + piece
        content = piece
        units.append(_Unit(start, at + 1, *_decoded(content, joins)))
    return units


def _read(token: str, before: str, mark: str) -> tuple[Joins, bytes]:
    """How a token stands to the one before, which is empty after a special; and the bytes of its text."""
    if mark in (GOES_ON, DOT):
        is_marked = token.startswith(mark) and len(token) > len(mark)
        return ("goes on", _encoded(token[len(mark) :])) if is_marked else ("word", _encoded(token))
    if mark in (TO_BE_CONTINUED, ENDS):
        goes_on = before.endswith(mark) == (mark == TO_BE_CONTINUED)
        return "goes on" if before and goes_on else "space", _encoded(token.removesuffix(mark))
    if mark == SPACE:
        byte = _BYTE.fullmatch(token)
        content = bytes([int(byte[1], 16)]) if byte else _encoded(token.replace(SPACE, " "))
    elif mark == BYTE_SPACE and BYTES.keys() >= set(token):
        content = bytes(BYTES[character] for character in token)
    else:
        return "open" if mark else "word", _encoded(token)
    return ("space", content[1:]) if content.startswith(b" ") else ("open", content)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _follows(byte: int) -> bool:
    """Whether it is none of the first bytes of a character."""
    return 0x80 <= byte < 0xC0


def _lacks(content: bytes) -> bool:
    """Whether the last character of a text lacks bytes."""
    tail = next((at for at in range(1, min(len(content), 4) + 1) if not _follows(content[-at])), 0)
    lead = content[-tail] if tail else 0
    return tail < (4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 0)


def _decoded(content: bytes, joins: Joins) -> tuple[str, Joins, bool]:
    """Text, join and whether it stands alone: bytes that are no text do, in hexadecimal."""
    try:
        return content.decode("utf-8"), joins, False
    except UnicodeDecodeError:
        return " ".join(f"{byte:02X}" for byte in content), joins, True


def _goes_on(group: Sequence[_Unit], units: Sequence[_Unit], at: int, inside: Sequence[bool]) -> bool:
    """Whether the unit at a place goes on the word that the group is so far."""
    unit, text = units[at], "".join(each.text for each in group)
    if unit.joins != "open":
        return unit.joins == "goes on" or (unit.joins == "word" and inside[at])
    if not text or not unit.text:  # a space alone, as before a Chinese character
        return True
    last, first = text[-1], unit.text[0]
    if last.isspace() or first.isspace():
        return False
    if unicodedata.category(first)[0] == "M":
        return True
    if _UNSPACED.match(last) or _UNSPACED.match(first):
        return inside[at]
    if _is_punctuation(unit.text):
        after = units[at + 1] if at + 1 < len(units) else None
        is_inside = unit.text in _INSIDE and last.isalpha()
        return bool(is_inside and after and after.joins == "open" and after.text[:1].isalpha())
    return not _is_punctuation(text)


def _is_punctuation(text: str) -> bool:
    return all(unicodedata.category(character)[0] in "PS" for character in text)


def _inside_words(units: Sequence[_Unit], segment: Segment | None) -> list[bool]:
    """Whether each unit begins inside a word of the dictionary."""
    if segment is None:
        return [False] * len(units)
    text, starts = "", []
    for unit in units:
        text += " " if unit.alone or unit.joins == "space" else ""
        starts.append(len(text))
        text += " " if unit.alone else unit.text
    inside = {place + at for place, word in segment(text) for at in range(1, len(word))}
    return [start in inside for start in starts]


def _word(units: Sequence[_Unit]) -> Word:
    text = "".join(unit.text for unit in units)
    shown = text if units[0].alone else "".join(_SPACES.get(each, each) for each in text) or EMPTY
    return Word(units[0].start, units[-1].end, shown, units[0].joins == "space")


def _byte_alphabet() -> dict[str, int]:
    """The character that GPT-2 writes for each byte: itself where it is visible, else one from 256 on."""
    visible = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    alphabet = {chr(byte): byte for byte in visible}
    others = (byte for byte in range(256) if byte not in visible)
    return alphabet | {chr(256 + number): byte for number, byte in enumerate(others)}


BYTES = _byte_alphabet()
