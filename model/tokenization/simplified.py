"""Traditional Chinese in simplified characters, by the dictionaries of OpenCC."""

from functools import cache
from typing import TYPE_CHECKING

from model.tokenization.tokenizer import is_chinese

if TYPE_CHECKING:
    from opencc import OpenCC


def simplified(text: str) -> str:
    """這本書 -> 这本书; text without traditional characters stays as it is."""
    return _converter().convert(text) if any(map(is_chinese, text)) else text


@cache
def _converter() -> "OpenCC":
    """Loaded with the first Chinese text, in a fifth of a second."""
    from opencc import OpenCC

    return OpenCC("tw2s")  # which knows that 看著 is 看着, and 著名 is not
