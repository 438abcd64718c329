"""The smallest Streamlit page with our figure: a button, and the wall it draws."""

import tomllib
from pathlib import Path

import streamlit as st

from benchmarks.wall.weights import LABELS, TOKENS, weights
from viz.components.attention import FRONTEND, attention_data
from viz.data import AttentionPanel

WORDS = Path(__file__).parents[2] / "viz" / "words" / "en.toml"


@st.cache_resource
def panel() -> AttentionPanel:
    """The weights, there before the button is pressed."""
    plain = (False,) * TOKENS
    return AttentionPanel("encoder", weights(), LABELS, LABELS, plain, plain)


st.set_page_config(layout="wide")
component = st.components.v2.component("wall", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)
shown = panel()
if st.button("Draw"):
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))["attention_figure"]
    data = attention_data([shown], view="matrix", kind="encoder", layer=0, head=0, words=words)
    component(data=data, key="wall", height="content")
