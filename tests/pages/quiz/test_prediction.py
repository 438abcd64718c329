"""Predict first on the page of the quiz: an answer, how sure, then what was measured."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from model.predict.misconceptions import MISCONCEPTIONS
from model.predict.prediction import KINDS
from pages.shared.text.words import all_texts
from tests.app import click, said, visit
from tests.model.predict.test_keys import material
from tests.samples import in_turn

pytestmark = pytest.mark.usefixtures("warm")
SENTENCE = "Hoy vamos a la playa."


def opened(kind: str, language: str = "en", **address: str) -> AppTest:
    about = {"checkpoint": "es-en", "sentence": SENTENCE, "numbers": "7", "show": "predict", "predict": kind}
    return visit("quiz", language, **(about | address))


def measured(kind: str) -> dict:
    from model.predict.prediction import ask

    question = ask(kind, material("es-en", SENTENCE, 7))
    assert question is not None
    return question.content()


def answer(app: AppTest, kind: str, text: str, sure: int = 3) -> AppTest:
    look = measured(kind)["look"]
    [control] = [each for each in (app.radio if look == "options" else app.slider if look == "percent" else app.pills)
                 if str(each.key).startswith(("answer_", "percent_"))]  # fmt: skip
    control.set_value(int(text) if look == "percent" else text)
    [step] = [each for each in app.segmented_control if str(each.key).startswith("sure_")]
    step.set_value(sure)
    app.run()
    return click(app, "prediction_reveal")


def texts(app: AppTest) -> str:
    return " ".join([*said(app), *(each.value for each in app.text), *(each.value for each in app.caption)])


@in_turn("kind", tuple(KINDS))
def test_nothing_is_told_before_the_answer(language: str, kind: str) -> None:
    app = opened(kind, language)
    content = measured(kind)
    assert said(app) == []
    assert all_texts(language)["predict.title"] in [each.value for each in (*app.header, *app.subheader)]
    before = texts(app)
    right = content["key"] if content["look"] == "percent" else str(content["key"])
    answer(app, kind, str(round(float(right))) if content["look"] == "percent" else right)
    assert texts(app) != before
    assert "0.06" in texts(app)  # the Brier score of one right answer with 75 %
    assert not app.exception


def test_a_wrong_answer_is_named_by_its_misconception_and_stays() -> None:
    content = measured("head_off")
    lure, name = next(iter(content["shows"].items()))
    app = answer(opened("head_off"), "head_off", lure, 4)
    assert all_texts("en")[f"misconceptions.{name}"] in texts(app)
    assert name in MISCONCEPTIONS
    kept = json.dumps(content["key"])
    assert kept not in dict(app.query_params).values()  # no link has the answer


def test_a_recording_and_an_encoder_alone_say_so() -> None:
    app = opened("likelier", checkpoint="mini-encoder", sentence="she _ eating soup today .")
    assert all_texts("en")["predict.none"] in texts(app)
