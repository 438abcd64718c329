"""Addresses that name no page: they lead to the page that was meant, or to the start, which says so."""

from urllib.parse import quote

from pages.shared.session.address import LOST
from pages.shared.session.base_path import base
from pages.shared.session.page_list import HOME, pages
from pages.shared.session.view import NAMED


def right_address(path: str, query: str) -> str | None:
    """Where a page's address that Streamlit knows nothing of leads, relative to it; None for one that is right."""
    parts = path.removeprefix(base()).split("/")[1:]
    if len(parts) < 2 and (not any(parts) or parts[0] in pages().keys() - {HOME}):
        return None
    meant = next((part.lower() for part in parts if part.lower() in pages()), None)
    if meant is None:
        note = f"{LOST}={quote('/'.join(parts)[:NAMED], safe='')}"
        query = f"{query}&{note}" if query else note
    up = "../" * (len(parts) - 1) or "./"
    return f"{up}{'' if meant in (None, HOME) else meant}{'?' if query else ''}{query}"
