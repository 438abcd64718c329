"""Predictions of live pages: the page's engine measures what Python measures, and no answer travels along."""

from pathlib import Path
from typing import Any

from live.model_file import model_file
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.predict.page_data import MEASURED, described, predictions
from model.predict.prediction import PredictionMaterial, ask
from pages.shared.links import ENGINE
from pages.shared.server.routes import engine_route
from tests.live.test_frontend import MODULES
from tests.node import hosted, run_tests

DRAWS = 6


def cases(name: str, folder: Path) -> dict[str, Any]:
    """Each question with what Python measures for it."""
    entry = catalogue.find(name)
    checkpoint = load(entry)
    sentence = entry.card["examples"][0]
    (folder / f"{name}.model").write_bytes(model_file(checkpoint, entry))
    run = translate(checkpoint, sentence)
    asked = []
    for number in range(1, DRAWS + 1):
        material = PredictionMaterial(entry.config, run.trace, number, checkpoint=checkpoint, run=run)
        for kind in MEASURED:
            if question := ask(kind, material):
                content = question.content()
                values = {each: content["values"][each] for each in MEASURED[kind]}
                asked.append(
                    {"name": kind, "draw": described(question), "key": content["key"], "values": values,
                     "shares": content["shares"]}
                )  # fmt: skip
    return {"model": name, "sentence": sentence, "asked": asked}


def test_the_engine_answers_as_python_does(tmp_path: Path) -> None:
    """In the browser's worker and on the server; a model with both sides, and a decoder alone."""
    known = [cases(name, tmp_path) for name in ("de-en", "llm-2017")]
    assert {each["name"] for each in known[0]["asked"]} == set(MEASURED)
    assert {each["name"] for each in known[1]["asked"]} >= {"where", "how_sure", "next_word"}
    run_tests([MODULES / "measures.test.mjs"], tmp_path, predictions=known)
    with hosted([engine_route.ROUTE]) as address:
        run_tests([MODULES / "measures.test.mjs"], tmp_path, f"{address}{ENGINE}")


def test_no_answer_travels_along() -> None:
    entry = catalogue.find("reverse")
    asked = predictions(load(entry), entry, entry.card["examples"][0], 2)
    assert [each["name"] for each in asked] == list(MEASURED)
    for each in asked:
        for draw in each["draws"]:
            assert set(draw) == {"look", "values", "options", "shows", "margin", "measure"}
            assert not set(draw["values"]) & set(MEASURED[each["name"]])
