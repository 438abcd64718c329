"""What is kept of a text: every script and emoji, and nothing that changes what stands beside it."""

import pytest

from classroom import limits
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Answer, Sentence
from classroom.texts import clean, clean_line
from classroom.watch import Watch
from tests.classroom.conftest import BEN, count, refused

FAMILY, FLAG = "👩‍👩‍👧‍👦", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        "Ada",
        "李华",
        "محمد علي",
        "שָׁלוֹם",
        "می‌خواهم",
        "हिन्दी",
        "Zoë",
        FAMILY,
        FLAG,
        "a\u200fb",
        "<b>x</b>",
        "🏳️‍🌈 ok",
        "one\ntwo",
    ],
)
def test_ordinary_texts_stay_as_they_are(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\u202eadA", "adA"), ("A\u2066d\u2069a", "Ada"), ("A\x00d\x07a\x1b[31m", "Ada[31m"),
        ("\ud800Ada\udfff", "Ada"), ("a\ufffe\uffff", "a"), ("\x85\x9f", ""), ("\u200b\u200d\u2060", ""),
        ("\u3164\u00ad", ""), (" \r\n a\r\nb ", "a\nb"),
    ],
)  # fmt: skip
def test_what_turns_or_breaks_the_text_beside_it_is_left_out(text: str, kept: str) -> None:
    assert clean(text) == kept


def test_a_name_is_one_line() -> None:
    assert clean_line(" Ada\u2028\tL.\n") == "Ada L."


def test_a_class_keeps_texts_clean(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    ben = classrooms.join(BEN, teacher.code, "\u202enimda\x00\ud800 \u0645")
    task = classrooms.ask(teacher, "text", "Why\u202e?")
    classrooms.answer(ben, "\u2067so\x07 \ud83d", task=task)
    with refused("class_answer"):
        classrooms.answer(ada, "\u202e\u200b", task=task)
    classrooms.type(ben, "de-en", "Wir\u202e gehen.\udcff", "We\ud800 go.", '{"rows": ["\ud800"]}')
    classrooms.show(teacher, "attention?sentence=\ud800", {"en": "Look\u202e", "zh": "看"})
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    board = snapshot.board
    assert [name for _, name, _ in board["members"]] == ["", "Ada", "nimda \u0645"]
    assert (board["asked"]["question"], board["asked"]["answers"]) == ("Why?", [["so", 1, None]])
    assert [(each["text"], each["output"]) for each in board["sentences"]] == [("Wir gehen.", "We go.")]
    assert snapshot.students["says"] == {"en": "Look", "zh": "看"}


def test_a_question_with_options_takes_no_other_answer(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    task = classrooms.ask(
        teacher, "choice", "Which?", [("Kino\u202e", "Kino\u202e"), ("heute", "heute"), ("\u200b", "\u200b")]
    )
    for text in ("anything", "kino", "Kino heute", "Kino,heute"):
        with refused("class_option"):
            classrooms.answer(ada, text, task=task)
    classrooms.answer(ada, "Kino", task=task)
    classrooms.ask(teacher, "quiz", "Which row?", [("right", "2"), ("stay", "3")], name="masked 7")
    with refused("class_option"):
        classrooms.answer(ada, "2", name="masked 7", right=True)
    classrooms.answer(ada, "stay", name="masked 7", right=False)
    quiz = classrooms.ask(teacher, "quiz", "How many?", name="row 7")
    with refused("class_quiz"):  # its page knows what is right
        classrooms.answer(ada, "12", task=quiz)
    classrooms.answer(ada, "12", name="row 7", right=False)
    assert (count(classrooms, Answer), count(classrooms, Sentence)) == (3, 0)


def test_what_becomes_short_by_cleaning_is_not_too_long(classrooms: Classrooms, teacher: Membership) -> None:
    assert classrooms.join(BEN, teacher.code, "\u202e" * 100 + "x" * limits.NICKNAME)
