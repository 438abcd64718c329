"""Where the app stands on its host."""

from urllib.parse import urlsplit

import streamlit as st


def base() -> str:
    """The path that all addresses begin with, as Streamlit's `server.baseUrlPath` has it: "/class/one", or ""."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def origin() -> str:
    """Where the app stands, as this user's browser sees it."""
    here = urlsplit(st.context.url or "http://localhost:8501")
    return f"{here.scheme}://{here.netloc}{base()}"
