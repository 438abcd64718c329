"""Where the app stands on its host."""

import streamlit as st


def base() -> str:
    """The path that all addresses begin with, as Streamlit's `server.baseUrlPath` has it: "/class/one", or ""."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""
