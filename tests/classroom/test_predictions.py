"""Predictions in a class: nobody sees the key before it is revealed, and what the answers say afterwards."""

import csv
import io
import json

import pytest

from classroom import limits, prediction_files
from classroom.asking import predictions
from classroom.classrooms import Classrooms, Membership
from classroom.keys import key_of
from classroom.snapshot import Snapshot, take
from model.predict.prediction import KINDS
from pages.shared.classroom.predictions import codebook_texts
from tests.classroom.conftest import BEN, refused

HEAD_OFF = {
    "question": "head_off", "look": "options", "key": "none", "values": {"kind": "cross", "layer": 1, "head": 3},
    "options": [["0", "We"], ["1", "=SUM(A1)"], ["2", "the"], ["none", ""]], "shows": {"1": "attention_effect"},
    "shares": {}, "door": {}, "model": "es-en", "sentence": "Hoy vamos al cine.", "view": "intervene",
}  # fmt: skip
HOW_SURE = HEAD_OFF | {
    "question": "how_sure", "look": "percent", "key": "63.4", "values": {}, "options": [],
    "shows": {str(percent): "certain" for percent in range(95, 101)},
}  # fmt: skip


def asked(classrooms: Classrooms, teacher: Membership, content: dict) -> int:
    options = [(option, text or "none") for option, text in content["options"]]
    return classrooms.ask(teacher, "predict", content["question"], options, name=content["question"], posed=content)


def look(classrooms: Classrooms, me: Membership) -> Snapshot:
    with classrooms.reading() as session:
        snapshot = take(session, me.classroom)
    assert snapshot is not None
    return snapshot


def test_an_answer_is_graded_and_nothing_is_told_before_the_end(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    task = asked(classrooms, teacher, HEAD_OFF)
    with refused("class_sure"):
        classrooms.answer(ada, "1", task=task)
    with refused("class_option"):
        classrooms.answer(ada, "7", task=task, sure=4)
    classrooms.answer(ada, "1", task=task, sure=4)
    classrooms.answer(ada, "none", task=task, sure=1)  # the first one counts
    before = look(classrooms, teacher)
    assert before.board["asked"]["answers"] == [["1", 1, None]]
    assert "result" not in before.board["asked"]
    assert before.board["predictions"] is None
    assert before.answered == {ada.member: "1"}
    classrooms.close(teacher)
    after = look(classrooms, teacher)
    assert after.board["asked"]["answers"] == [["1", 1, False]]
    result = after.board["asked"]["result"]
    assert (result["right"], result["calibration"]["brier"]) == (0, round(0.95**2, 3))
    assert after.board["predictions"]["findings"] == [["attention_effect", 1, 1, False, 0]]
    assert after.students["task"]["open"] is False  # what was measured stays in view
    assert after.answered == {ada.member: "1"}
    with refused("class_closed"):
        classrooms.answer(ada, "none", task=task, sure=1)
    classrooms.ask(teacher, "text", "Why?")
    assert look(classrooms, teacher).students["task"]["question"] == "Why?"


def test_a_slider_takes_whole_percent(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    task = asked(classrooms, teacher, HOW_SURE)
    for text in ("101", "-1", "fifty", "5.5"):
        with refused("class_option"):
            classrooms.answer(ada, text, task=task, sure=2)
    classrooms.answer(ada, "54", task=task, sure=2)
    classrooms.close(teacher)
    result = look(classrooms, teacher).board["asked"]["result"]
    assert (result["right"], result["distance"]) == (1, 9.4)


def test_a_sentence_has_more_words_than_a_question_options(classrooms: Classrooms, teacher: Membership) -> None:
    words = [[str(at), f"word {at}"] for at in range(limits.WORDS + 1)]
    asked(classrooms, teacher, HEAD_OFF | {"options": words[:-1]})
    with refused("class_options"):
        asked(classrooms, teacher, HEAD_OFF | {"options": words})


def test_a_student_with_a_misconception_is_counted_by_its_name() -> None:
    posed = [json.dumps(HEAD_OFF | {"sentence": str(number)}) for number in range(6)]
    given = [predictions.Given(1, each, "1", False, 4) for each in posed]
    given += [predictions.Given(2, each, "none", True, 3) for each in posed]
    told = predictions.of_class(tuple(given))
    assert told["answers"] == 12
    assert told["findings"] == [["attention_effect", 12, 6, True, 1]]
    assert [tuple(step) for step in told["calibration"]["steps"]] == [(0.75, 6, 1.0), (0.95, 6, 0.0)]


def test_files_have_every_answer_and_the_meaning_of_each_column(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    ben = classrooms.join(BEN, teacher.code, "")
    task = asked(classrooms, teacher, HEAD_OFF)
    classrooms.answer(ada, "1", task=task, sure=4)
    task = asked(classrooms, teacher, HOW_SURE)
    classrooms.answer(ben, "99", task=task, sure=3)
    assert prediction_files.has_answers(classrooms, teacher)
    first = _rows(prediction_files.answers_csv(classrooms, teacher))
    assert len(first) == 1  # the other one is not revealed yet
    classrooms.close(teacher)
    one, two = _rows(prediction_files.answers_csv(classrooms, teacher))
    assert {
        "student": "Ada",
        "answer": "'=SUM(A1)",
        "key": "none",
        "right": "0",
        "stated": "0.95",
    }.items() <= one.items()
    assert (one["misconception"], two["misconception"]) == ("attention_effect", "certain")
    assert (two["student"], two["distance"], two["key"]) == ("Student 2", "35.6", "63.4")
    book = _rows(prediction_files.codebook_csv(codebook_texts(), KINDS))
    assert [row["column"] for row in book if not row["value"]] == list(one)
    assert all(row["en"] and row["es"] and row["zh"] for row in book)
    assert {row["value"] for row in book if row["column"] == "question"} - {""} == set(KINDS)


@pytest.mark.parametrize("count", [0, 2])
def test_who_is_removed_does_not_count(
    classrooms: Classrooms, teacher: Membership, ada: Membership, count: int
) -> None:
    others = [classrooms.join(key_of(f"other {number}"), teacher.code, "") for number in range(count)]
    task = asked(classrooms, teacher, HEAD_OFF)
    for each in (ada, *others):
        classrooms.answer(each, "none", task=task, sure=2)
    classrooms.close(teacher)
    classrooms.remove(teacher, [ada.member], True)
    told = look(classrooms, teacher).board["predictions"]
    assert (told["answers"] if told else 0) == count


def _rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
