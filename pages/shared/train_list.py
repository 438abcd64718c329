"""The runs of this reader, each a click away."""

import streamlit as st

from pages.shared import train, view
from pages.shared.train import Bench
from pages.shared.words import words


def runs(bench: Bench) -> None:
    """A button for each run; the one in view is not offered."""
    if not bench.runs:
        return
    with st.container(key="runs", gap="small"):
        st.subheader(words("train.runs"), anchor=False)
        with st.container(horizontal=True, gap="small", key="run_buttons"):
            for id_, title in train.numbered(bench).items():
                chosen = bench.run is not None and bench.run.id == id_
                choices = {"run": id_, "beside": None, "moment": None}
                st.button(title, key=f"run_{id_}", disabled=chosen, on_click=view.choose, kwargs=choices)
