"""Pages and routes of a class whose database is locked: nobody waits for it, and nothing that is typed is lost."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from urllib.parse import parse_qsl

import pytest
from sqlalchemy import Connection, event, make_url, select
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from classroom import database, keys
from classroom.classrooms import Classrooms
from classroom.learning import bank
from classroom.tables import Reply
from pages.shared.classroom import kept_notes, my_class
from pages.shared.load import fair_use
from pages.shared.server.routes import class_routes
from pages.shared.session import user_notes
from pages.shared.text.words import all_texts
from tests.app import click, enter, inside, visit
from tests.pages.classroom.conftest import forget
from tests.pages.classroom.test_classroom import board, go, join, start
from tests.pages.classroom.test_lesson_test import answer, choose
from tests.samples import BUCH, KINO, either_language

TEACHER = keys.key_of("faults teacher")
LONG = 30.0  # seconds, after which a test has failed


@pytest.fixture
def store(store: Classrooms, monkeypatch: pytest.MonkeyPatch) -> Iterator[Classrooms]:
    """The database, for whose lock nobody waits long."""
    monkeypatch.setattr(database, "WAIT", 0.2)
    forget()
    yield my_class.classrooms()
    forget()


@contextmanager
def locked(store: Classrooms) -> Iterator[None]:
    """Another program holds the lock."""
    path = make_url(str(store._engine.url)).database
    with closing(sqlite3.connect(str(path), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def away(store: Classrooms) -> Iterator[None]:
    """The database answers nobody: neither reads nor writes begin."""

    def refuse(_: Connection) -> None:
        raise OperationalError("BEGIN", {}, OSError("the database is away"))

    event.listen(store._engine, "begin", refuse)
    try:
        yield
    finally:
        event.remove(store._engine, "begin", refuse)


def test_what_a_student_types_while_the_database_is_locked_is_on_the_board_afterwards(
    store: Classrooms, warm: None
) -> None:
    _, code = start()
    student = join(code, nickname="Ada")
    go(student, "attention")
    with locked(store):
        enter(student, BUCH)
        enter(student, KINO)
        assert [each.value for each in student.main.error] == []
        assert board(store, code)["sentences"] == []
    assert my_class.outbox().flush(LONG)
    assert [each["text"] for each in board(store, code)["sentences"]] == [BUCH, KINO]


def test_an_answer_in_the_quiz_counts_in_the_class_afterwards(store: Classrooms, warm: None) -> None:
    teacher, code = start()
    student = join(code)
    click(go(teacher, "quiz", question="which_mask", only="which_mask,permute"), "ask_class")
    page, _, settings = board(store, code)["view"].partition("?")
    go(student, page, **dict(parse_qsl(settings)))
    option = board(store, code)["asked"]["options"][0][0]
    with locked(store):
        click(student, f"option_{option}")
    assert my_class.outbox().flush(LONG)
    assert [row[:2] for row in board(store, code)["asked"]["answers"]] == [[option, 1]]


@pytest.fixture
def kept(store: Classrooms) -> Iterator[None]:
    """Notes are kept in the database, as `app.py` has it."""
    kept_notes.keep()
    yield
    user_notes.NOTES.keeper = None


def as_another_process() -> None:
    """Forget what is in memory."""
    assert my_class.outbox().flush(LONG)
    user_notes.NOTES._known.clear()
    user_notes.NOTES._asked.clear()


@pytest.mark.parametrize("is_locked", [False, True])
def test_answers_in_the_quiz_survive_the_process_that_took_them(
    store: Classrooms, kept: None, warm: None, is_locked: bool
) -> None:
    student = visit("quiz", question="which_mask")
    option = next(button.key for button in student.button if str(button.key).startswith("option_"))
    with locked(store) if is_locked else nullcontext():
        click(student, str(option))
        score = inside(student, "figure_score")
        assert score
    as_another_process()
    assert inside(student.run(), "figure_score") == score


@pytest.mark.parametrize(("language", "outage"), [("en", away), ("zh", locked)])
def test_a_student_answers_the_test_of_a_lesson_while_the_database_is_away(
    store: Classrooms, language: str, outage: Callable[[Classrooms], AbstractContextManager[None]]
) -> None:
    texts = all_texts(language)
    closed = texts["refused.rooms_closed"]
    teacher, code = start(language)
    choose(go(teacher, "class", show="test", language=language), "test_kind", "all")
    student = click(go(join(code, language), "class", show="test", language=language), "test_agree")
    answer(student, 3)
    assert my_class.outbox().flush(LONG)
    with outage(store):
        answer(student, 3)
        assert inside(student, "figure_test") == [texts["lesson_test.thanks"]]
        choose(teacher, "test_phase", "lesson")
        assert [*inside(teacher, "figure_test"), *inside(teacher, "figure_test_results")].count(closed) == 1
        go(teacher, "class", show="test", language=language)
        results = inside(teacher, "figure_test_results")
        if outage is away:
            assert results == [closed]  # nobody can read it
        else:
            assert texts["class_test.counts"].format(agreed=1, before=0, after=0) in results
    assert my_class.outbox().flush(LONG)
    with store.reading() as session:
        replies = [(reply.question, reply.right) for reply in session.scalars(select(Reply))]
    assert len(replies) == len(set(replies)) == len(bank.TOPICS)
    assert [right for _, right in replies] == [True] * len(bank.TOPICS)
    my_class.forget()
    go(teacher, "class", show="test", language=language)
    assert texts["class_test.counts"].format(agreed=1, before=1, after=0) in inside(teacher, "figure_test_results")


@either_language
def test_who_acts_meanwhile_is_told_and_asked_to_come_again(store: Classrooms, language: str) -> None:
    teacher = store.create(TEACHER, "")
    client = TestClient(Starlette(routes=class_routes.ROUTES))
    act = {"content": '{"do": "show", "view": "/masks"}', "headers": {"Authorization": f"Bearer {TEACHER}"}}
    with locked(store):
        answer = client.post("/room", params={"language": language}, **act)  # type: ignore[arg-type]
        assert answer.status_code == 503
        assert answer.json()["says"] == all_texts(language)["refused.rooms_closed"]
        assert client.get("/room", headers=act["headers"]).status_code == 200  # type: ignore[arg-type]
    assert client.post("/room", **act).status_code == 200  # type: ignore[arg-type]
    assert my_class.watch().look(teacher.classroom).students["view"].startswith("masks")  # type: ignore[union-attr]


def test_requests_that_wait_for_the_database_take_no_thread_of_others(
    store: Classrooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(request: Request) -> Response:
        return PlainTextResponse("here")

    store.create(TEACHER, "")
    monkeypatch.setattr(database, "WAIT", LONG)
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.ACTS, 1000)
    forget()
    with TestClient(Starlette(routes=[*class_routes.ROUTES, Route("/other", other)])) as client:
        act = {"content": '{"do": "close"}', "headers": {"Authorization": f"Bearer {TEACHER}"}}
        with ThreadPoolExecutor(61) as pool:
            with locked(store):
                acts = [pool.submit(client.post, "/room", **act) for _ in range(60)]  # type: ignore[arg-type]
                assert pool.submit(client.get, "/other").result(LONG / 2).text == "here"
                assert not any(each.done() for each in acts)
            assert {each.result(LONG).status_code for each in acts} == {200}
