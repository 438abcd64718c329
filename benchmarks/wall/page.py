"""The smallest Streamlit page with our figure: a button, and the wall it draws."""

import tomllib
from pathlib import Path

import streamlit as st

from benchmarks.wall.weights import LABELS, weights
from viz.components.attention import FRONTEND, attention_data
from viz.data import AttentionPanel, Look

WORDS = Path(__file__).parents[2] / "viz" / "words" / "en.toml"


@st.cache_resource
def panel() -> AttentionPanel:
    """The weights, there before the button is pressed."""
    return AttentionPanel.of_tokens("encoder", weights(), LABELS, LABELS)


st.set_page_config(layout="wide")
component = st.components.v2.component("wall", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)
shown = panel()
if st.button("Draw"):
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))["attention_figure"]
    data = attention_data([shown], Look("matrix", "encoder"), words)
    component(data=data, key="wall", height="content")
