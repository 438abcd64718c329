"""The runs of this user, each a click away."""

import streamlit as st

from pages.shared.models.trainings.runs import TrainState, numbered
from pages.shared.session import view
from pages.shared.text.words import words


def runs(state: TrainState) -> None:
    """A button for each run; the one in view is not offered."""
    if not state.runs:
        return
    with st.container(key="runs", gap="small"):
        st.subheader(words("train.runs"), anchor=False)
        with st.container(horizontal=True, gap="small", key="run_buttons"):
            for id_, title in numbered(state).items():
                in_view = state.run is not None and state.run.id == id_
                choices = {"run": id_, "beside": None, "moment": None}
                st.button(title, key=f"run_{id_}", disabled=in_view, on_click=view.choose, kwargs=choices)
