"""This reader's own models: trained or uploaded here, in the selector of every page, and seen by nobody else."""

import streamlit as st

from model.checkpoint.catalogue import Entry
from model.checkpoint.user_models import OWN, Shelf
from pages.shared.session.user import reader

SHELF = Shelf()


def mine() -> dict[str, Entry]:
    """The reader's own models by name."""
    return SHELF.of(_attending(reader()))


def add(entry: Entry) -> str:
    """Keep a copy of a checkpoint folder for this reader, give its name; raises `InvalidInput` if there is no room."""
    return SHELF.add(_attending(reader()), entry)


def remove(name: str) -> None:
    """Let one of the reader's models go."""
    SHELF.remove(reader(), name)


def is_own(name: str) -> bool:
    """Whether a name is that of somebody's own model."""
    return name.startswith(OWN)


@st.cache_resource(scope="session", show_spinner=False, on_release=SHELF.left)
def _attending(reader: str) -> str:
    """Who reads, noted once in each session; it ends with its tab, and also when the page is loaded anew."""
    SHELF.came(reader)
    return reader
