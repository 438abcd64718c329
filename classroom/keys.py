"""Codes of classes, and the keys that say who somebody is."""

import hashlib
import re
import secrets

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without 0 O, 1 I L, which look alike
LENGTH = 6  # 31⁶ = 887 million codes; wrong ones are counted (`pages/shared/load/fair_use.py`)
_PART = 3


def new_code() -> str:
    """A code that nobody can guess from others."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(text: str) -> str:
    """A code as somebody typed it, with the marks and small letters that people add; "" if it cannot be one."""
    code = re.sub(r"[\s\-–—_.]", "", text).upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def spelled(code: str) -> str:
    """A code in two groups, as it is read aloud."""
    return f"{code[:_PART]}-{code[_PART:]}"


def key_of(user: str) -> str:
    """The key by which a browser asks our routes; it follows from the name in the browser's cookie, not from the class.

    The database keeps only `hashed(key)`, so that nobody who reads it can act as somebody in a class.
    """
    return hashlib.sha256(f"glassformer room {user}".encode()).hexdigest()[:40]


def hashed(key: str) -> str:
    """Hash a key for the database, which never holds the key itself."""
    return hashlib.sha256(key.encode()).hexdigest()
