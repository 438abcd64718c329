"""What is kept of a typed text: every script and emoji, and nothing that changes what stands beside it."""

import re

# control characters, halves of characters, what is no character, and marks that turn the direction of what follows;
# U+200C to U+200F stay: Persian and emoji are written with them
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_INVISIBLE = re.compile(
    r"[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2065\u3164\ufeff\uffa0]+"
)


def clean(text: str) -> str:
    """The text without these; "" where nothing of it can be seen."""
    text = _UNWANTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    return text if _INVISIBLE.sub("", text) else ""


def clean_line(text: str) -> str:
    """The same in one line."""
    return clean(" ".join(text.split()))


def storable(text: str) -> str:
    """The text without the characters that no database can hold."""
    return _UNSTORABLE.sub("", text)
