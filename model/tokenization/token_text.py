"""Text that a token stands for, in our tokenizers and in those that recordings come from."""

import re
import unicodedata
from collections.abc import Iterable

from viz.whole_words import BYTE_SPACE, DOT, EMPTY, GOES_ON, SPACE, is_special

CONTINUES = DOT  # before a piece that goes on a word, as `Tokenizer.tokens` writes it
_SPACES = (SPACE, BYTE_SPACE)  # of sentencepiece and of byte-level BPE: a space comes before the token
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols without ink
_CLOSE = re.compile(r"(?<=[⺀-鿿＀-￯]) (?=[⺀-鿿＀-￯])| (?=[.,?!;:，。？！；：])")  # where no space is written


def is_visible(character: str) -> bool:
    """Whether a character shows when it stands alone: no space, no control and no combining mark."""
    return unicodedata.category(character)[0] not in "CMZ" and character not in _BLANK


def without_mark(token: str) -> str:
    """The token without what says how it joins the one before."""
    return token.removeprefix(CONTINUES).removeprefix(GOES_ON).lstrip("".join(_SPACES)).strip()


def joined(tokens: Iterable[str]) -> str:
    """The text of tokens: by their marks where they have some, else between spaces."""
    visible = [token for token in tokens if not is_special(token)]
    if EMPTY in visible:  # of a model of characters
        return "".join(visible).replace(EMPTY, " ").strip()
    has_marks = any(token.startswith(_SPACES) for token in visible)
    text = ""
    for token in visible:
        apart = token.startswith(_SPACES) if has_marks else not token.startswith((GOES_ON, CONTINUES))
        text += (" " if apart else "") + without_mark(token)
    return _CLOSE.sub("", text).strip()
