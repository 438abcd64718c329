"""Chinese text cut into words by a dictionary, which is loaded with the first text that has two such characters."""

import re
from collections.abc import Container

_HAN = re.compile(r"[一-鿿]{2,}")
_APART = "把被给跟两"  # which no word begins with that is worth a warning: 把门 of 把门关上, 两度
_JOINS = ("c", "d", "p", "r", "u", "v", "y", "z")  # parts of speech of a character that stands beside words: 很, 有, 的


def words(text: str, vocabulary: Container[str] = ()) -> list[tuple[int, str]]:
    """Words of two or more Chinese characters, each with its place. No names are guessed: they fall into characters.

    The dictionary has entries that are no words: 觉得很有 falls into 觉得, 很 and 有 if `vocabulary` has 觉得;
    so does 把门.
    """
    if not _HAN.search(text):
        return []
    import rjieba

    result, start = [], 0
    for piece in rjieba.cut(text, False):
        place = start
        for word in (piece,) if piece in vocabulary else _phrase(piece, vocabulary) or (piece,):
            if _HAN.fullmatch(word):
                result.append((place, word))
            place += len(word)
        start += len(piece)
    return result


def _phrase(piece: str, vocabulary: Container[str]) -> list[str]:
    """The known words of a piece and the characters that join them; [] if there is more in it, or no such character."""
    import rjieba

    if piece[0] in _APART and piece[1:] in vocabulary:
        return [piece[0], piece[1:]]
    parts, rest = [], piece
    while rest:
        ends = (end for end in range(len(rest), 1, -1) if rest[:end] in vocabulary)
        end = next(ends, 1)
        if end == 1 and not rjieba.tag(rest[0], False)[0][1].startswith(_JOINS):
            return []
        parts.append(rest[:end])
        rest = rest[end:]
    return parts if 1 < len(parts) < len(piece) and any(len(part) == 1 for part in parts) else []


def every_word(text: str) -> set[str]:
    """Every such word that stands anywhere in the text, also inside of another or across two."""
    if not _HAN.search(text):
        return set()
    import rjieba

    return {word for word in rjieba.cut_all(text) if _HAN.fullmatch(word)}
