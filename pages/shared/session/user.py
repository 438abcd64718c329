"""Which browser this is: a random name in a cookie, so that a user finds their runs again after a reload.

It says nothing about anybody, and leaves only with requests to this server.
"""

import re
import secrets
from dataclasses import dataclass, field

import streamlit as st

from pages.shared.session.state import state

NAME = "glassformer_reader"
AGE = 24 * 3600  # seconds
PATTERN = re.compile(r"[\w-]{22}")


@dataclass
class WithoutCookie:
    """A session whose browser sent no cookie."""

    name: str = field(default_factory=lambda: secrets.token_urlsafe(16))


def user() -> str:
    """The name in this session's cookie; without one, a name that lasts as long as the session."""
    return _cookie() or state(WithoutCookie).name


def share() -> str:
    """Whose share of the server a run takes: this browser's, or of those without a cookie that of their address."""
    return _cookie() or address()


def address() -> str:
    """The network address of this session; a whole school may have the same."""
    return st.context.ip_address or ""


def _cookie() -> str:
    cookie = st.context.cookies.get(NAME, "")
    return cookie if isinstance(cookie, str) and PATTERN.fullmatch(cookie) else ""  # a page's own tests have none
