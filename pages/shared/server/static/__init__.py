"""The files below `/static/`, which a browser loads first: Streamlit's, and what makes them fewer and smaller."""

from pathlib import Path

import streamlit as st

STREAMLIT = Path(st.__file__).parent / "static"
FILES = STREAMLIT / "static"
ADDED = Path(__file__).parent / "added"  # ours beside them
FONTS = ADDED / "fonts"
