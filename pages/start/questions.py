"""Questions that people come with, each a link to the figure that answers it."""

import streamlit as st

from pages.shared.session import address
from pages.shared.text.words import words

# question: the page that answers it, and what is chosen there
QUESTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "next": ("decoding", {}),
    "heads": ("attention", {"view": "heads"}),
    "mask": ("break", {"mistake": "no_causal_mask"}),
    "scale": ("attention", {"view": "scale"}),
    "norm": ("layers", {"show": "norm"}),
    "order": ("course", {"step": "position"}),
}


def questions() -> None:
    """The list, below the button to the course."""
    with st.container(key="questions", gap="small"):
        st.header(words("start.questions"), anchor=False)
        with st.container(horizontal=True, gap="small"):
            for key, (page, settings) in QUESTIONS.items():
                url = address.url_of(page) | settings
                label = words(f"start_questions.{key}")
                st.page_link(address.script_of(page), label=label, query_params=url, width="content")
