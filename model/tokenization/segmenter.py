"""Chinese text cut into words by a dictionary, which is loaded with the first text that has two such characters."""

import re

_HAN = re.compile(r"[一-鿿]{2,}")


def words(text: str) -> list[tuple[int, str]]:
    """Words of two or more Chinese characters, each with its place. No names are guessed: they fall into characters."""
    if not _HAN.search(text):
        return []
    import rjieba

    result, start = [], 0
    for piece in rjieba.cut(text, False):
        if _HAN.fullmatch(piece):
            result.append((start, piece))
        start += len(piece)
    return result


def every_word(text: str) -> set[str]:
    """Every such word that stands anywhere in the text, also inside of another or across two."""
    if not _HAN.search(text):
        return set()
    import rjieba

    return {word for word in rjieba.cut_all(text) if _HAN.fullmatch(word)}
