"""A checkpoint to take away: its folder as a zip, which can be uploaded again."""

import streamlit as st

from model.catalogue import Entry, Untrained
from pages.shared.words import words


def download(entry: Entry) -> None:
    """The button for it; random weights are not worth one."""
    if isinstance(entry, Untrained):
        return
    st.download_button(
        words("upload.download"), lambda: packed(entry), f"{entry.name}.zip", "application/zip",
        key=f"download_{entry.name}", on_click="ignore",
    )  # fmt: skip


def packed(entry: Entry) -> bytes:
    """The zip, made when it is asked for."""
    from model import exchange

    return exchange.pack(entry)
