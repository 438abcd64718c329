"""The page of two models as a test opens and reads it."""

from streamlit.testing.v1 import AppTest

from model.decode.translate import translate
from tests.app import nothing_is_marked_up, visit
from tests.samples import KINO, german_english

VARIANTS = ("reverse", "reverse-learned")


def opened(language: str = "en", **address: str) -> AppTest:
    app = visit("compare", language, **address)
    nothing_is_marked_up(app)
    return app


def texts(app: AppTest) -> list[str]:
    return [element.value for element in app.main.text]


def body(app: AppTest, mark: str) -> str:
    """The piece of HTML on the page that holds a mark."""
    return next(one.proto.body for one in app.main if one.type == "html" and mark in one.proto.body)


def own_ids() -> list[int]:
    run = translate(german_english(), KINO)
    return [*run.target[1:], int(run.trace.values["logits"][-1].argmax())]
