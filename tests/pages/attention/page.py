"""The page of attention as a test opens and reads it."""

from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from pages.shared.text.words import all_texts

EN = all_texts("en")


KIND, LAYER, HEAD = "cross", 1, 2


HERE = {"attention_kind": KIND, "layer": str(LAYER), "head": str(HEAD)}


Drawn = dict[str, SimpleNamespace]


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.main.caption]
