"""The test before and after a lesson as live pages ask for it: what is kept, and when it says what is right."""

import json
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from classroom import keys
from classroom.classrooms import Classrooms, Membership
from classroom.learning import bank, participants
from pages.shared.server.routes import class_routes

TEACHER, ADA = keys.key_of("teacher of a test"), keys.key_of("Ada with a test")
RIGHT = {question.id: question.right for question in bank.by_id().values()}


@pytest.fixture
def teacher(store: Classrooms) -> Membership:
    me = store.create(TEACHER, "")
    store.join(ADA, me.code, "Ada")
    return me


class Browser:
    """What a live page asks as the owner of a key."""

    def __init__(self, key: str = ADA):
        self.client = TestClient(Starlette(routes=class_routes.ROUTES))
        self.headers = {"Authorization": f"Bearer {key}"}

    def test(self) -> Any:
        return self.client.get("/room/test", headers=self.headers)

    def act(self, **content: object) -> int:
        return self.client.post("/room", content=json.dumps(content), headers=self.headers).status_code

    def answer(self, phase: str, choices: list[int]) -> None:
        data = self.test().json()
        form = data["first"] if phase == "before" else bank.other(data["first"])
        for question, choice in zip(data["forms"][form], choices, strict=False):
            told = {"do": "choose", "phase": phase, "question": question["id"], "choice": choice, "seconds": 7}
            assert self.act(**told) == 200
            assert self.act(**told) == 200  # it may arrive twice


def tells_right(data: dict[str, Any]) -> bool:
    return any("right" in question for questions in data["forms"].values() for question in questions)


def test_a_test_is_taken_and_tells_what_is_right_at_its_end(store: Classrooms, teacher: Membership) -> None:
    ada = Browser()
    assert ada.test().status_code == 404  # there is no test yet
    participants.set_up(store, teacher, "all")
    assert ada.test().json()["first"] == ""
    assert ada.act(do="agree") == 200
    ada.answer("before", [0, -1, 3])
    data = ada.test().json()
    assert (data["before"], data["after"]) == ([0, -1, 3], [])
    ada.answer("before", [1, -1, 3, 2, 2, 2])  # a choice may be another one until all are made
    assert ada.test().json()["before"] == [1, -1, 3, 2, 2, 2]
    ada.answer("before", [0] * 6)
    assert ada.test().json()["before"] == [1, -1, 3, 2, 2, 2]
    assert not tells_right(ada.test().json())

    participants.go_to(store, teacher, "after")
    ada.answer("after", [2] * 5)
    assert not tells_right(ada.test().json())
    ada.answer("after", [2] * 6)
    data = ada.test().json()
    told = {question["id"]: question["right"] for questions in data["forms"].values() for question in questions}
    assert told == RIGHT
    participants.close(store, teacher)
    rows = participants.rows(store, teacher)
    assert len(rows) == 12
    assert {row.seconds for row in rows} == {5}
    assert ada.act(do="choose", phase="after", question="weights_a", choice=1, seconds=1) == 409


def test_who_does_not_agree_leaves_nothing_and_is_told_nothing(store: Classrooms, teacher: Membership) -> None:
    participants.set_up(store, teacher, "all")
    ada = Browser()
    assert ada.act(do="choose", phase="before", question="weights_a", choice=1, seconds=1) == 409
    for wrong in (
        {"phase": "before", "question": "weights_a", "choice": 1, "seconds": "nan"},
        {"phase": "before", "question": "weights_a", "choice": "x", "seconds": 1},
        {"phase": "before", "choice": 1, "seconds": 1},
    ):
        assert ada.act(do="choose", **wrong) in (400, 409)
    assert participants.counts(store, teacher)["agreed"] == 0
    assert Browser(TEACHER).test().status_code == 404
    assert Browser(TEACHER).act(do="agree") == 409
    assert Browser("nobody").test().status_code == 404
