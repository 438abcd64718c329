"""What a browser is told of predictions: nothing of a key while a question is open, and the files after the class."""

import json

import pytest
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from classroom import keys
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Member
from pages.shared.server.routes import class_routes
from pages.shared.text.words import all_texts
from tests.app import click, downloads
from tests.classroom.test_predictions import HEAD_OFF, HOW_SURE, asked
from tests.pages.classroom.test_class_routes import act, look
from tests.pages.classroom.test_classroom import start
from tests.samples import LANGUAGES

TEACHER, ADA = keys.key_of("predicting teacher"), keys.key_of("predicting ada")
OF_KEY = {"key", "measured", "shares", "shows", "why", "result", "posed"}


@pytest.mark.parametrize("content", [HEAD_OFF, HOW_SURE])
def test_the_key_comes_with_the_end(store: Classrooms, content: dict) -> None:
    client = TestClient(Starlette(routes=class_routes.ROUTES))
    teacher = store.create(TEACHER, "")
    store.join(ADA, teacher.code, "Ada")
    values = {"kind": "cross", "layer": 1, "head": 3, "output": "We go", "token": "We", "step": 1}
    task = asked(store, teacher, content | {"values": values})
    assert act(client, ADA, do="answer", task=task, text="0") == (409, "class_sure")
    assert act(client, ADA, do="answer", task=task, text="0", sure=2) == (200, "")
    for told in (look(client, ADA)["task"], look(client, TEACHER)["task"], look(client, TEACHER, board=1)["asked"]):
        assert not OF_KEY & set(told)
        assert content["key"] not in json.dumps({**told, "options": []})
    assert act(client, TEACHER, do="close") == (200, "")
    for language in LANGUAGES:
        told = look(client, ADA, language=language)
        texts = all_texts(language)
        assert told["task"]["key"] == content["key"]
        measured = {"none": texts["predict_head_off.option_none"], "63.4": "63%"}[content["key"]]
        assert told["task"]["measured"] == measured
        assert told["mine"] == "0"
    board = look(client, TEACHER, board=1)
    assert board["asked"]["result"]["right"] == 0
    assert board["predictions"]["answers"] == 1


def test_the_files_are_there_when_the_class_has_ended(store: Classrooms) -> None:
    app, code = start()
    with store.reading() as session:
        member = session.scalars(select(Member).where(Member.teacher)).one()
    teacher = Membership(member.classroom_id, member.id, code, teacher=True, ended=False, choice="")
    task = asked(store, teacher, HEAD_OFF)
    store.answer(store.join(ADA, code, "Ada"), "1", task=task, sure=4)
    assert "predictions_predictions" not in downloads(app.run())
    files = downloads(click(app, "end_class"))
    assert {"class_results", "predictions_predictions", "predictions_codebook"} <= set(files)
