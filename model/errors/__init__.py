"""Errors that a user can fix: `InvalidInput` with a code, each with a sentence that says what is wrong and what to do.

The error carries code and values, so that a page can show the sentence in the user's language. The sentences of each
language are in `words/`, by code.
"""

import tomllib
from pathlib import Path

_ENGLISH = Path(__file__).parent / "words" / "en.toml"
SENTENCES: dict[str, str] = tomllib.loads(_ENGLISH.read_text(encoding="utf-8"))["refused"]


class InvalidInput(ValueError):
    """Bad input, a bad configuration or a damaged checkpoint; `str()` is the English sentence."""

    def __init__(self, code: str, **values: object):
        self.code = code
        self.values = values
        super().__init__(SENTENCES[code].format(**values))

    def __reduce__(self) -> tuple[object, ...]:
        """For the way between processes: code and values, not the sentence."""
        return _refused, (self.code, self.values)


def is_panic(error: BaseException) -> bool:
    """Whether a library has failed in Rust: no `except Exception` catches that, and nothing exports its type."""
    return type(error).__name__ == "PanicException"


def _refused(code: str, values: dict[str, object]) -> InvalidInput:
    return InvalidInput(code, **values)
