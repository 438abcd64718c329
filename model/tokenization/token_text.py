"""Text that a token stands for, in our tokenizers and in those that recordings come from."""

import re
import unicodedata
from collections.abc import Iterable

from viz.whole_words import is_special

CONTINUES = "·"  # before a piece that goes on a word, as `Tokenizer.tokens` writes it
_SPACES = ("▁", "Ġ")  # of sentencepiece and of byte-level BPE: a space comes before the token
_GOES_ON = "##"  # of WordPiece: none does
_SPACE = "␣"  # how our tokenizers show a space that is a token
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols without ink
_CLOSE = re.compile(r"(?<=[⺀-鿿＀-￯]) (?=[⺀-鿿＀-￯])| (?=[.,?!;:，。？！；：])")  # where no space is written


def is_visible(character: str) -> bool:
    """Whether a character shows when it stands alone: no space, no control and no combining mark."""
    return unicodedata.category(character)[0] not in "CMZ" and character not in _BLANK


def without_mark(token: str) -> str:
    """The token without what says how it joins the one before."""
    return token.removeprefix(CONTINUES).removeprefix(_GOES_ON).lstrip("".join(_SPACES)).strip()


def joined(tokens: Iterable[str]) -> str:
    """The text of tokens: by their marks where they have some, else between spaces."""
    visible = [token for token in tokens if not is_special(token)]
    if _SPACE in visible:  # of a model of characters
        return "".join(visible).replace(_SPACE, " ").strip()
    has_marks = any(token.startswith(_SPACES) for token in visible)
    text = ""
    for token in visible:
        apart = token.startswith(_SPACES) if has_marks else not token.startswith((_GOES_ON, CONTINUES))
        text += (" " if apart else "") + without_mark(token)
    return _CLOSE.sub("", text).strip()
