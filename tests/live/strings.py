"""Strings as people type and paste them, and worse ones, from a seed."""

import random
import unicodedata
from collections.abc import Iterator, Sequence

_EMOJI = ["🙂", "👩‍👩‍👧", "🏳️‍🌈", "é", "🇩🇪", "👍🏽", "①", "ﬁ", "½", "Ⅷ", "ß", "İ", "ǆ", "\ufeff", "\u200b", "\u00ad"]
_SPACES = [" ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u2009", "\x0b", "\x85", "▁", "\x1c"]
_MARKS = list(""".,?!:;()"'„“”«»‚’`´-–—…·/%&<>[]{}#*_=+|~^$€\\，。？！：；（）、《》「」『』・‐−―""")
_HAN = "我们今天晚上去电影院看电影這本書很有意思一二三百万〇々龍𠮷"
_SPECIALS = ["<eos>", "<unk>", "<bos>", "<pad>", "</s>", "[MASK]", ">>de<<", "_", "<0x41>"]


def strings(sentences: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """`count` strings, from the empty one to very long ones; many are a sentence with something done to it."""
    draw = random.Random(seed)
    yield from ["", " ", "a", "\n", "▁", "''", '"', "_", "<eos>"][:count]
    kinds = [_plain, _noisy, _noisy, _mixed, _mixed, _any, _long]
    for number in range(count - 9):
        yield kinds[number % len(kinds)](draw, sentences)


def _plain(draw: random.Random, sentences: Sequence[str]) -> str:
    return draw.choice(sentences)


def _noisy(draw: random.Random, sentences: Sequence[str]) -> str:
    """A sentence with characters left out, doubled, swapped or put in."""
    text = list(draw.choice(sentences))
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        text[at : at + draw.randint(0, 1)] = draw.choice([_piece(draw), draw.choice(text or ["x"]) * 2, ""])
    case = draw.choice([str, str, str.upper, str.lower, str.title])
    return case("".join(text))


def _mixed(draw: random.Random, sentences: Sequence[str]) -> str:
    """Words, numbers, marks, spaces, emoji, Chinese and specials in any order."""
    words = draw.choice(sentences).split() or ["x"]
    return "".join(draw.choice([draw.choice(words), _piece(draw), " "]) for _ in range(draw.randint(1, 14)))


def _piece(draw: random.Random) -> str:
    number = str(draw.randrange(10 ** draw.randint(1, 5)))
    return draw.choice([*map(draw.choice, (_EMOJI, _SPACES, _MARKS, _MARKS, _HAN, _SPECIALS)), number])


def _any(draw: random.Random, sentences: Sequence[str]) -> str:
    """Characters from all of Unicode that have been there for long enough."""
    return "".join(_character(draw) for _ in range(draw.randint(1, 20)))


def _character(draw: random.Random) -> str:
    while True:
        character = chr(draw.choice([draw.randrange(0x250), draw.randrange(0x3000), draw.randrange(0x2FA20)]))
        if unicodedata.ucd_3_2_0.category(character) not in ("Cn", "Cs", "Co"):
            return character


def _long(draw: random.Random, sentences: Sequence[str]) -> str:
    return draw.choice([" ", "", "\n"]).join(draw.choice(sentences) for _ in range(draw.randint(3, 12)))
