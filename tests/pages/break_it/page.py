"""The page of mistakes as a test opens and reads it."""

import re
from functools import cache
from html import unescape

import numpy as np
from streamlit.testing.v1 import AppTest

from model.decode.translate import Translation, translate
from tests.app import nothing_is_marked_up, sentence, visit
from tests.samples import KINO, german_english, written

D = 144  # d_model of de-en


@cache
def run() -> Translation:
    return translate(german_english(), KINO)


def values() -> dict[str, np.ndarray]:
    return run().trace.values


def opened(mistake: str, language: str = "en", **address: str) -> AppTest:
    app = visit("break", language, mistake=mistake, **address)
    nothing_is_marked_up(app)
    return app


def bodies(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.main if element.type == "html"]


def numbers(app: AppTest) -> dict[str, tuple[str, str]]:
    """Every line of every table on the page: healthy and broken."""
    line = re.compile(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>')
    return {unescape(name): (good, bad) for body in bodies(app) for name, good, bad in line.findall(body)}


def number(app: AppTest, key: str, **blanks: object) -> tuple[float, float]:
    good, bad = numbers(app)[sentence("en", f"break_numbers.{key}", **blanks)]
    return tuple(written(re.sub("[,%]", "", text)) for text in (good, bad))  # type: ignore[return-value]


def softmax(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponents = np.exp(scores.astype(float) - scores.max(axis, keepdims=True))
    return exponents / exponents.sum(axis, keepdims=True)
