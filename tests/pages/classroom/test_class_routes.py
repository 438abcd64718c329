"""The routes of classes: who gets what, and what is refused."""

import json
import time
from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from classroom import keys
from classroom.classrooms import Classrooms, Membership
from pages.shared.classroom import my_class, questions
from pages.shared.load import fair_use
from pages.shared.server.routes import class_routes
from pages.shared.text.words import all_texts
from tests.samples import LANGUAGES, MARKUP

TEACHER, ADA = keys.key_of("route teacher"), keys.key_of("route ada")


@pytest.fixture
def teacher(store: Classrooms) -> Membership:
    return store.create(TEACHER, "Attention")


@pytest.fixture
def ada(store: Classrooms, teacher: Membership) -> Membership:
    return store.join(ADA, teacher.code, "Ada")


@pytest.fixture
def client(store: Classrooms) -> TestClient:
    return TestClient(Starlette(routes=class_routes.ROUTES))


def look(client: TestClient, key: str, **asked: object) -> dict:
    answer = client.get("/room", params=asked, headers={"Authorization": f"Bearer {key}"})
    return answer.json() | {"status": answer.status_code}


def act(client: TestClient, key: str, **content: object) -> tuple[int, str]:
    answer = client.post("/room", json=content, headers={"Authorization": f"Bearer {key}"})
    return answer.status_code, answer.json().get("refused", "")


def test_a_student_sees_what_the_teacher_does_and_not_the_board(
    client: TestClient, teacher: Membership, ada: Membership
) -> None:
    assert act(client, TEACHER, do="show", view="/attention?head=3&language=zh&sentence=Wo+ist+das%3F")[0] == 200
    assert act(client, TEACHER, do="ask", question="Why?", options="one\n\ntwo\none \n")[0] == 200
    assert act(client, TEACHER, do="countdown", minutes=2)[0] == 200
    state = look(client, ADA)
    # each browser keeps its language, and sees the model that the teacher sees
    assert state["view"] == "attention?head=3&sentence=Wo+ist+das%3F&checkpoint=de-en"
    assert state["task"]["options"] == [["one", "one"], ["two", "two"]]
    assert 119 < state["left"] <= 120
    assert state["present"] == 1  # who teaches is not counted
    assert not {"members", "sentences", "asked"} & set(state)
    assert look(client, ADA, board=1)["status"] == 403
    assert act(client, ADA, do="answer", task=state["task"]["id"], text="two") == (200, "")
    assert look(client, ADA)["mine"] == "two"
    assert look(client, TEACHER, board=1)["asked"]["answers"] == [["two", 1, None]]


def test_a_question_waits_until_something_changes(
    client: TestClient, teacher: Membership, ada: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    since = look(client, ADA)["since"]
    monkeypatch.setattr(class_routes, "PATIENCE", 0.6)
    began = time.monotonic()
    assert look(client, ADA, since=since)["since"] == since
    assert time.monotonic() - began >= 0.6
    act(client, TEACHER, do="show", view="/masks")
    monkeypatch.setattr(class_routes, "PATIENCE", 60)
    assert look(client, ADA, since=since)["view"] == "masks?checkpoint=de-en"


@pytest.mark.parametrize("key", ["", "nobody", keys.hashed(TEACHER)])
def test_who_is_in_no_class_learns_nothing(client: TestClient, teacher: Membership, key: str) -> None:
    assert look(client, key) | {"says": ""} == {"refused": "class_unknown", "says": "", "status": 404}
    assert act(client, key, do="show", view="/") == (409, "class_unknown")


def test_a_student_cannot_act_as_teacher(client: TestClient, ada: Membership) -> None:
    for content in (
        {"do": "show", "view": "/masks"}, {"do": "countdown", "minutes": 1}, {"do": "close"},
        {"do": "hide", "sentence": 1, "hidden": True}, {"do": "ask", "question": "Why?", "options": ""},
        {"do": "hide_answer", "task": 1, "text": "x", "hidden": True}, {"do": "say", "says": {}},
        {"do": "remove", "members": [1], "removed": True}, {"do": "lock", "locked": True},
    ):  # fmt: skip
        assert act(client, ADA, **content) == (403, "class_teacher")


def test_another_site_cannot_act_as_the_user(client: TestClient, teacher: Membership) -> None:
    """A form of another site sends cookies and no header: it is nobody."""
    client.cookies.set("glassformer_reader", "x" * 22)
    answer = client.post("/room", content=json.dumps({"do": "show", "view": "/masks"}))
    assert (answer.status_code, answer.json()["refused"]) == (409, "class_unknown")
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (lambda: {"do": "show", "view": "https://elsewhere.example/"}, "class_view"),
        (lambda: {"do": "show", "view": "//elsewhere.example/attention"}, "class_view"),
        (lambda: {"do": "show", "view": "javascript:alert(1)"}, "class_view"),
        (lambda: {"do": "show", "view": "/nowhere"}, "class_view"),
        (lambda: {"do": "show", "view": f"/attention?sentence={'x' * 4000}"}, "class_long"),
        (lambda: {"do": "countdown", "minutes": "soon"}, "class_view"),
        (lambda: {"do": "countdown", "minutes": 1e9}, "class_minutes"),
        (lambda: {"do": "ask", "question": "", "options": ""}, "class_question"),
        (lambda: {"do": "answer", "task": 7, "text": "x"}, "class_closed"),
        (lambda: {"do": "delete everything"}, "class_view"),
        (lambda: {}, "class_view"),
        (lambda: {"do": ["show"]}, "class_view"),
    ],
)  # fmt: skip
def test_junk_gets_a_sentence(client: TestClient, teacher: Membership, content: Callable[[], dict], code: str) -> None:
    status, refusal = act(client, TEACHER, **content())
    assert (status in (400, 409), refusal) == (True, code)


def test_what_is_too_large_or_no_json_is_refused(client: TestClient, teacher: Membership) -> None:
    for body in (b"{", b"[]", b"\xff", b'{"do": "show", "view": "' + b"x" * class_routes.BODY + b'"}'):
        answer = client.post("/room", content=body, headers={"Authorization": f"Bearer {TEACHER}"})
        assert (answer.status_code, answer.json()["refused"]) == (400, "class_view")


def test_texts_travel_as_they_are_and_say_it_in_the_reader_s_language(
    client: TestClient, teacher: Membership, ada: Membership
) -> None:
    act(client, TEACHER, do="ask", question=MARKUP, options="")
    assert look(client, ADA)["task"]["question"] == MARKUP
    assert look(client, ADA, board=1, language="zh")["says"] == "只有这个课堂的老师可以这样做。"


def test_a_question_of_the_quiz_comes_in_the_language_of_each_browser(
    client: TestClient, store: Classrooms, teacher: Membership, ada: Membership
) -> None:
    values = {"query": "the", "layer": 1, "head": 0}
    question = questions.posed("read_row", "choice", values, "quiz?question=read_row&numbers=7")
    store.ask(teacher, "quiz", "Look …", [("0", "<bos>"), ("5", "Kino")], name="x", posed=question)
    question = questions.posed("permute", "choice", {}, "quiz?question=permute")
    for language in LANGUAGES:
        task = look(client, ADA, language=language)["task"]
        assert task["question"] == all_texts(language)["quiz_read_row.question"].format(**values)
        assert task["options"] == [["0", "<bos>"], ["5", "Kino"]]  # tokens are the same for all
        assert task["view"] == "quiz?question=read_row&numbers=7"
    store.ask(teacher, "quiz", "Shuffle …", [("right", "They move."), ("stay", "They stay.")], name="y", posed=question)
    store.answer(ada, "stay", name="y", right=False)
    question = questions.posed("head_previous", "head", {}, "quiz?question=head_previous")
    store.ask(teacher, "quiz", "Find …", name="z", posed=question)
    store.answer(ada, "cross/1/0", name="z", right=False)
    my_class.watch().renew(teacher.classroom)
    for language in LANGUAGES:
        texts = all_texts(language)
        board = look(client, TEACHER, language=language, board=1)
        kind = texts["quiz_figure.kind_cross"]
        head = texts["quiz_figure.place"].format(kind=kind, layer=1, head=0)
        assert board["asked"]["spelled"] == {"cross/1/0": head}
        assert [task["question"] for task in board["earlier"]] == [
            texts["quiz_permute.question"], texts["quiz_read_row.question"].format(**values),
        ]  # fmt: skip
        assert dict(board["earlier"][0]["options"])["stay"] == texts["quiz_permute.option_stay"]


def test_a_teacher_hears_at_once_who_has_come(
    client: TestClient, store: Classrooms, teacher: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = look(client, TEACHER)
    assert before["present"] == 0  # who teaches is not counted
    monkeypatch.setattr(class_routes, "PATIENCE", 60)
    store.join(ADA, teacher.code, "Ada")
    after = look(client, TEACHER, since=before["since"])
    assert after["present"] == 1
    my_class.watch().renew(teacher.classroom)
    assert len(look(client, TEACHER, board=1)["here"]) == 1


def test_nobody_sends_without_end(client: TestClient, ada: Membership, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.ACTS, 3)
    monkeypatch.setattr(fair_use, "_limiter", type(fair_use._limiter)(type(fair_use._limiter.storage)()))
    refusal = [act(client, ADA, do="answer", task=1, text="x")[1] for _ in range(4)]
    assert refusal == ["class_closed"] * 3 + ["fair_acts"]


@pytest.mark.parametrize(
    "kept",
    [{"found": {"language": "zh"}, "source": "de", "target": "en"}, {"found": {"newer": 1}}, {"source": "de"},
     {"found": [], "source": "de", "target": "en"}],
)  # fmt: skip
def test_what_another_version_kept_of_a_sentence_is_no_mark_and_no_error(
    kept: dict, client: TestClient, teacher: Membership, ada: Membership, store: Classrooms
) -> None:
    store.type(ada, "de-en", "Wo ist das Buch?", "Where's the book?", "{}", kept)
    state = look(client, TEACHER, board=1)
    assert [each["misfit"] for each in state["sentences"]] == [""]


def test_a_lesson_says_its_text_to_each_student_in_their_language(
    client: TestClient, teacher: Membership, ada: Membership
) -> None:
    says = {"en": "Guess first.", "zh": "先猜一猜。", "xx": "?"}
    assert act(client, TEACHER, do="show", view="/masks", says=says) == (200, "")
    assert [look(client, ADA, language=language)["says"] for language in ("en", "zh", "es")] == [
        "Guess first.", "先猜一猜。", "Guess first.",
    ]  # fmt: skip
    shown = look(client, ADA)["shown"]
    assert act(client, TEACHER, do="say", says={"zh": "再看。"}) == (200, "")
    state = look(client, ADA, language="en")
    assert (state["says"], state["shown"]) == ("再看。", shown)  # nobody is moved
    act(client, TEACHER, do="show", view="/layers")
    assert look(client, ADA)["says"] == ""
    assert act(client, TEACHER, do="say", says={"en": "x" * 601}) == (409, "class_long")
    for junk in ("text", ["en"], {"en": 3}):
        assert act(client, TEACHER, do="say", says=junk)[0] in (400, 409)


def test_a_teacher_removes_and_locks(client: TestClient, teacher: Membership, ada: Membership) -> None:
    assert act(client, TEACHER, do="remove", members=[ada.member], removed=True) == (200, "")
    assert act(client, TEACHER, do="lock", locked=True) == (200, "")
    assert look(client, ADA)["status"] == 404
    assert act(client, ADA, do="answer", task=1, text="x") == (409, "class_unknown")
    board = look(client, TEACHER, board=1)
    assert (board["removed"], board["locked"], board["present"], board["idle"]) == (
        [ada.member], True, 0, [ada.member],
    )  # fmt: skip
    act(client, TEACHER, do="remove", members=[ada.member], removed=False)
    assert look(client, ADA)["status"] == 200
    for junk in ("x", [None], [[1]], [10**30], None, 7):
        assert act(client, TEACHER, do="remove", members=junk, removed=True) in ((400, "class_view"), (200, ""))


def test_half_a_character_is_no_fault_of_the_server(client: TestClient, teacher: Membership, ada: Membership) -> None:
    for content in (
        {"do": "ask", "question": "\ud800", "options": "a\nb\ud800"}, {"do": "show", "view": "/masks?sentence=\ud800"},
        {"do": "ask", "question": "Why?\ud800", "options": ""},
    ):  # fmt: skip
        body = json.dumps(content)
        answer = client.post("/room", content=body, headers={"Authorization": f"Bearer {TEACHER}"})
        assert answer.status_code in (200, 409)


# ---- the way in and out of a live page


READER = "a" * 22
JSON = {"Content-Type": "application/json"}


def enter(client: TestClient, code: str, nickname: str = "") -> dict:
    return client.post("/room/own", json={"code": code, "nickname": nickname}).json()


def test_a_live_page_joins_a_class_finds_it_again_and_leaves(
    client: TestClient, store: Classrooms, teacher: Membership
) -> None:
    client.cookies.set("glassformer_reader", READER)
    assert client.get("/room/own").json() == {"code": ""}
    own = enter(client, keys.spelled(teacher.code).lower(), "Ada")
    assert own == {"key": keys.key_of(READER), "code": keys.spelled(teacher.code), "teacher": False}
    assert client.get("/room/own").json() == own
    assert look(client, own["key"])["code"] == own["code"]
    assert [name for _, name, _ in look(client, TEACHER, board=1)["members"]] == ["", "Ada"]
    client.delete("/room/own", headers={"Authorization": f"Bearer {own['key']}"})
    assert client.get("/room/own").json() == {"code": ""}
    assert look(client, own["key"])["status"] == 404


def test_a_browser_without_cookies_is_somebody_until_its_page_is_closed(
    client: TestClient, teacher: Membership
) -> None:
    first, second = (enter(client, teacher.code)["key"] for _ in range(2))
    assert first != second
    assert look(client, first)["status"] == look(client, second)["status"] == 200


def test_another_site_lets_nobody_join(client: TestClient, teacher: Membership) -> None:
    """A form of another site sends cookies, and text that may be JSON."""
    client.cookies.set("glassformer_reader", READER)
    content = json.dumps({"code": teacher.code, "nickname": ""})
    answer = client.post("/room/own", content=content, headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["refused"]) == (400, "class_view")
    assert client.get("/room/own").json() == {"code": ""}


def test_wrong_codes_are_counted_and_keep_no_other_browser_out(
    client: TestClient, teacher: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.CODES, 2)
    client.cookies.set("glassformer_reader", "b" * 22)
    refused = [enter(client, "ZZZZZZ")["refused"] for _ in range(3)]
    assert refused == ["class_unknown", "class_unknown", "fair_codes"]
    assert enter(client, teacher.code)["refused"] == "fair_codes"
    client.cookies.set("glassformer_reader", "c" * 22)
    assert enter(client, teacher.code)["key"]


@pytest.mark.parametrize("content", [b"{", b"[]", b"{}", b'{"code": "x"}', b"x" * (class_routes.BODY + 1)])
def test_junk_at_the_entrance_gets_a_sentence(client: TestClient, teacher: Membership, content: bytes) -> None:
    answer = client.post("/room/own", content=content, headers=JSON)
    assert (answer.status_code, answer.json()["refused"]) == (400, "class_view")


# ---- what a live page has computed

PICTURE = {"kind": "cross", "layer": 0, "head": 1, "rows": ["a", "<eos>"], "columns": [MARKUP[:20]], "cells": "AP8="}
TYPED = {"do": "type", "checkpoint": "reverse", "text": "abc", "output": "cba", "picture": PICTURE}


def test_a_sentence_of_a_live_page_is_on_the_board_as_the_students_own(
    client: TestClient, teacher: Membership, ada: Membership
) -> None:
    for _ in range(2):  # a browser that heard no answer sends it again
        assert act(client, ADA, **TYPED) == (200, "")
    [sentence] = look(client, TEACHER, board=1)["sentences"]
    assert (sentence["checkpoint"], sentence["text"], sentence["output"]) == ("reverse", "abc", "cba")
    picture = sentence["picture"]
    assert {name: picture[name] for name in PICTURE} == PICTURE
    assert picture["own"] is True
    assert act(client, TEACHER, **TYPED) == (200, "")
    assert len(look(client, TEACHER, board=1)["sentences"]) == 1  # a teacher types for nobody


@pytest.mark.parametrize(
    "change",
    [
        {"checkpoint": "none"}, {"checkpoint": "forecast"}, {"checkpoint": ["reverse"]}, {"text": " "}, {"picture": {}},
        {"picture": PICTURE | {"kind": "self"}}, {"picture": PICTURE | {"layer": 99}},
        {"picture": PICTURE | {"head": -1}}, {"picture": PICTURE | {"cells": "AP8A"}},
        {"picture": PICTURE | {"cells": "<b>"}}, {"picture": PICTURE | {"rows": [], "cells": ""}},
    ],
)  # fmt: skip
def test_a_picture_that_no_page_of_ours_makes_is_refused(
    client: TestClient, teacher: Membership, ada: Membership, change: dict
) -> None:
    status, refusal = act(client, ADA, **TYPED | change)
    assert (status in (400, 409), refusal) == (True, "class_view")
    assert look(client, TEACHER, board=1)["sentences"] == []


# ---- five hundred at a time


def test_of_all_who_wait_one_looks_at_the_database(
    client: TestClient, teacher: Membership, ada: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the number of looks, with a clock that stands still."""
    watch = my_class.watch()
    monkeypatch.setattr(watch.classrooms, "clock", lambda: 1e9)
    assert watch.latest(ada.classroom) is None  # nobody has looked yet
    watch.look(ada.classroom, ada.member)
    assert watch.latest(ada.classroom) is None  # the first one looks
    assert [watch.latest(ada.classroom) for _ in range(3)] == [watch.look(ada.classroom)] * 3
    act(client, TEACHER, do="show", view="/masks")
    assert watch.latest(ada.classroom) is None  # news
    assert watch.latest(ada.classroom) is not None


def test_who_answers_sees_it_without_a_new_look_and_the_board_has_it(
    client: TestClient, store: Classrooms, teacher: Membership, ada: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(client, TEACHER, do="ask", question="Why?", options="one\ntwo")
    task = look(client, ADA)["task"]["id"]
    watch = my_class.watch()
    now = store.clock()
    monkeypatch.setattr(watch.classrooms, "clock", lambda: now)
    watch.look(ada.classroom)
    before = watch.look(ada.classroom)
    act(client, ADA, do="answer", task=task, text="one")
    act(client, ADA, do="answer", task=task, text="two")  # the first counts
    assert watch.look(ada.classroom) is before
    assert look(client, ADA)["mine"] == "one"
    assert look(client, TEACHER, board=1)["asked"]["answers"] == [["one", 1, None]]
    assert look(client, ADA)["mine"] == "one"  # also of the class as it was read then
    act(client, TEACHER, do="ask", question="And this?", options="one\ntwo")
    assert look(client, ADA)["mine"] is None


def test_a_training_on_a_students_device_stands_on_the_board(
    client: TestClient, teacher: Membership, ada: Membership
) -> None:
    curve = {"task": "sort", "step": 30, "steps": 600, "changed": True, "points": [[0, 3.5, 0], [30, 1.5, 0.25]]}
    assert act(client, ADA, do="train", **curve) == (200, "")
    for language in LANGUAGES:
        [shown] = look(client, TEACHER, board=1, language=language)["trainings"]
        assert shown == curve | {"member": ada.member, "title": all_texts(language)["train_task.sort"]}
    assert "trainings" not in look(client, ADA)
    for wrong in ({"task": "nothing"}, {"points": []}, {"points": [[0, MARKUP, 0]]}, {"task": ["sort"]}):
        assert act(client, ADA, do="train", **(curve | wrong)) == (400, "class_view")
    assert act(client, "nobody", do="train", **curve) == (409, "class_unknown")
    [shown] = look(client, TEACHER, board=1)["trainings"]
    assert shown["points"] == curve["points"]
