"""What the page of the forecast says beside its figures."""

import streamlit as st

from pages.shared import notices
from pages.shared.words import words

_COMMAND = "python -m model train forecast"
_UNSAFE = 'torch.save(model, "model.pt")      # a pickle: loading it runs whatever code is in it'
_SAFE = 'safetensors.torch.save_file(weights, "model.safetensors")  # numbers and names, nothing to run'


def no_advice() -> None:
    """That this is a lesson and no advice."""
    with st.container(key="no_advice"):
        st.text(words("forecast.no_advice"))


def no_model() -> None:
    """That the checkpoint is not there, and what makes it."""
    notices.say("info", words("forecast.no_model"))
    st.code(_COMMAND, language="bash")


def pickle() -> None:
    """Why no model is stored as the original does."""
    with st.expander(words("forecast_pickle.title")):
        st.text(words("forecast_pickle.text"))
        st.code(f"{_UNSAFE}\n{_SAFE}", language="python")
