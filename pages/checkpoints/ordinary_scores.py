"""How a translator does with ordinary sentences, and how well its doubtful outputs are marked, on its card."""

import pandas as pd
import streamlit as st

from model.checkpoint import catalogue
from model.intervals import Estimate
from model.measurements import ordinary
from pages.shared.layout import page
from pages.shared.text.words import words
from viz.numbers import percent


def draw(entry: catalogue.Entry) -> None:
    """How many ordinary sentences come out right, and how well doubtful outputs are marked, where it was measured."""
    saved = ordinary.MEASUREMENT.saved(entry)
    if saved is None:
        return
    with page.card("figure_ordinary", words("cards_ordinary.title")):
        st.text(words("cards_ordinary.right", share=_interval(saved.right), count=saved.sentences))
        st.text(words("cards_ordinary.words", words=saved.words, of=saved.word_list))
        if saved.marked and saved.by_mean:
            rows = {"mark": saved.marked, "mean": saved.by_mean}
            columns = [words(f"cards_ordinary.{name}") for name in ("wrong_marked", "right_marked", "area")]
            cells = [
                [_interval(wrong), _interval(right), f"{area.mean:.2f} ({area.low:.2f}–{area.high:.2f})"]
                for wrong, right, area in rows.values()
            ]
            names = [words(f"cards_ordinary.{name}") for name in rows]
            st.table(pd.DataFrame(cells, index=names, columns=columns))
        st.caption(words("cards_ordinary.about"))


def _interval(share: Estimate) -> str:
    return f"{percent(share.mean)} ({percent(share.low)}–{percent(share.high)})"
