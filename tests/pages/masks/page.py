"""The page of masks as a test opens and reads it."""

from streamlit.testing.v1 import AppTest

from tests.app import nothing_is_marked_up, visit

LONG = "Ich bleibe zu Hause, weil ich müde bin."


def open_page(show: str, language: str = "en", **address: str) -> AppTest:
    app = visit("masks", language, show=show, **address)
    nothing_is_marked_up(app)
    return app


THREE = {"sentence_b": "Wo ist das Buch?", "sentence_c": LONG, "sentence_d": ""}
