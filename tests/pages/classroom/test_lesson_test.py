"""The test before and after a lesson on the page /class, without a browser."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from classroom.classrooms import Classrooms
from classroom.keys import key_of, read_code
from classroom.learning import bank, participants
from classroom.learning.analysis import MINIMUM
from classroom.tables import Member, Participant, Reply
from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.classroom.lesson_test import Taking
from pages.shared.classroom.visible import Visible
from pages.shared.session import language_choice
from pages.shared.text.notices import plain
from pages.shared.text.words import all_texts, refusal
from tests.app import click, downloads, inside, keys, visit
from tests.classroom.conftest import count
from tests.figures import check_chart, watching_figures
from tests.pages.classroom.test_classroom import go, join, start
from tests.samples import either_language
from viz.figures.figure import Figure


def to_test(app: AppTest) -> AppTest:
    return go(app, "class", show="test")


def choose(teacher: AppTest, key: str, value: str) -> AppTest:
    next(group for group in teacher.main.button_group if group.key == key).set_value(value).run()
    assert not teacher.exception
    return teacher


def answer(student: AppTest, count: int = len(bank.TOPICS), right: bool = True) -> None:
    for _ in range(count):
        [radio] = student.radio
        question = bank.by_id()[(radio.key or "").removeprefix("test_")]
        radio.set_value(question.right if right else bank.UNKNOWN).run()
        click(student, "test_next")


@either_language
def test_a_class_answers_before_and_after_and_the_teacher_reads_the_gain(store: Classrooms, language: str) -> None:
    texts = all_texts(language)
    teacher, code = start(language)
    choose(go(teacher, "class", show="test", language=language), "test_kind", "all")
    rule = texts["class_test.rule"].format(minimum=MINIMUM)
    assert rule in [caption.value for caption in teacher.caption]
    students = [join(code, language) for _ in range(3)]
    for student in students:
        go(student, "class", show="test", language=language)
        assert texts["lesson_test.class_stored"] in inside(student, "figure_test")
        click(student, "test_agree")
        answer(student, right=False)
        assert inside(student, "figure_test") == [texts["lesson_test.thanks"]]  # and not what was right
    choose(teacher, "test_phase", "after")
    for number, student in enumerate(students):
        go(student, "class", show="test", language=language)
        answer(student, right=number > 0)
        right = 6 if number else 0
        assert texts["lesson_test.result"].format(before=0, after=right, count=6) in inside(student, "figure_test")
    assert my_class.outbox().flush(5)
    go(teacher, "class", show="test", language=language)
    shown = inside(teacher, "figure_test_results")
    assert shown == [texts["class_test.counts"].format(agreed=3, before=3, after=3)]  # nothing else that changes
    assert rule in [caption.value for caption in teacher.caption]
    assert downloads(teacher) == {}
    click(teacher, "test_close")
    few = refusal_of("learning_few", language, count=3, minimum=MINIMUM)
    assert few in [caption.value for caption in teacher.caption]
    assert downloads(teacher) == {}
    go(students[0], "class", language=language)
    assert texts["lesson_test.result"].format(before=0, after=0, count=6) in inside(students[0], "figure_test")


def test_the_files_of_a_closed_test_have_every_answer(store: Classrooms) -> None:
    teacher, code = start()
    files = downloads(played(store, teacher, code, MINIMUM))
    rows = list(csv.DictReader(io.StringIO(files["test_0"].make().decode("utf-8-sig"))))
    assert len(rows) == 12 * MINIMUM
    assert {len(row["participant"]) for row in rows} == {12}
    for name in {row["participant"] for row in rows}:  # nobody gets a form twice
        own = {(row["phase"], row["form"]) for row in rows if row["participant"] == name}
        assert own in ({("before", "A"), ("after", "B")}, {("before", "B"), ("after", "A")})
    assert json.loads(files["test_2"].make())["nbformat"] == 4


def refusal_of(code: str, language: str, **values: object) -> str:
    with language_choice.speaking(language):
        return plain(refusal(InvalidInput(code, **values)))


def test_no_keeps_nothing_and_is_remembered(store: Classrooms) -> None:
    en = all_texts("en")
    teacher, code = start()
    choose(to_test(teacher), "test_kind", "two")
    student = click(to_test(join(code)), "test_decline")
    assert inside(student, "figure_test") == [en["lesson_test.declined"]]
    go(student, "quiz")
    assert inside(to_test(student), "figure_test") == [en["lesson_test.declined"]]
    assert count(store, Participant) == count(store, Reply) == 0
    choose(teacher, "test_phase", "after")
    assert inside(to_test(student), "figure_test") == [en["lesson_test.late"]]


def test_one_may_go_back_and_goes_on_after_a_reload(store: Classrooms) -> None:
    teacher, code = start()
    choose(to_test(teacher), "test_kind", "all")
    student = click(to_test(join(code)), "test_agree")
    first = student.radio[0].key
    student.radio[0].set_value(3).run()
    click(click(student, "test_next"), "test_back")
    assert (student.radio[0].key, student.radio[0].value) == (first, 3)
    student.radio[0].set_value(bank.UNKNOWN).run()
    click(student, "test_next")
    assert my_class.outbox().flush(5)
    second = student.radio[0].key
    del student.session_state[f"_{Taking.__name__.lower()}"]  # what a reload forgets
    assert to_test(student).radio[0].key == second


def test_one_of_two_versions_has_pictures_in_the_lesson(store: Classrooms) -> None:
    teacher, code = start()
    choose(to_test(teacher), "test_kind", "two")
    students = [click(to_test(join(code)), "test_agree") for _ in range(2)]
    choose(teacher, "test_phase", "lesson")

    def figures() -> list[tuple[bool, bool]]:
        keys_shown = [keys(go(to_test(student), "attention", checkpoint="de-en")) for student in students]
        return sorted(("picture_attention" in shown, "attention" in shown) for shown in keys_shown)

    assert figures() == [(False, True), (True, False)]
    choose(teacher, "test_phase", "after")
    assert figures() == [(False, True), (False, True)]


def components(app: AppTest) -> tuple[set[str], set[str]]:
    """The keys of what a browser draws by itself: in the place of a picture, and elsewhere."""
    found: tuple[set[str], set[str]] = (set(), set())

    def walk(block: Block, is_picture: bool) -> None:
        for child in block.children.values():
            key = getattr(child.proto, "id", "").rpartition("-")[2]
            if isinstance(child, Block):
                walk(child, is_picture or key.startswith("still_"))
            elif "component" in child.type or "chart" in child.type:
                found[not is_picture].add(key or child.proto.id.rpartition("-")[2])

    walk(app.main, False)
    return found


# a page, and what is drawn in the place of a picture there, because it has none
STILL = {"start": {"architecture"}, "sheet": {"sheet"}, "decoding": set(), "embedding": {"space", "curve"}}


@pytest.mark.parametrize(("page", "still"), STILL.items())
def test_nothing_can_be_touched_in_the_picture_version(
    store: Classrooms, warm: None, monkeypatch: pytest.MonkeyPatch, page: str, still: set[str]
) -> None:
    settings = {"checkpoint": "de-en"} | ({"show": "space"} if page == "embedding" else {})
    app = visit(page, **settings)
    drawn = components(app)
    assert drawn[0] == set()
    assert downloads(app) != {}
    monkeypatch.setattr(my_class, "sees_pictures", lambda: True)
    go(app, page, **settings)
    in_place, elsewhere = components(app)
    assert in_place == still
    assert elsewhere == drawn[1] & {"copy_link", "come_back"}
    assert downloads(app) == {}


def test_what_changes_a_figure_is_hidden_where_figures_are_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "stButton" not in Visible().rule()
    rule = Visible(pictures="attention").rule()
    for hidden in ("stSlider]", "stButton]", ".st-key-checkpoint", ".st-key-sentence"):
        assert hidden in rule
    assert ".st-key-step" not in rule  # a token there, a part of the course here
    assert ".st-key-step *" in Visible(pictures="course").rule()
    monkeypatch.setattr(my_class, "sees_pictures", lambda: True)
    for page, are_hidden in (("attention", True), ("quiz", False), ("class", False)):  # answers are no figures
        app = visit(page)
        styles = [element.proto.body for element in app._tree.get("html") if element.proto.body.startswith("<style>")]
        assert ("stButton]" in " ".join(styles)) == are_hidden, page


def played(store: Classrooms, teacher: AppTest, code: str, size: int) -> AppTest:
    """A class of two versions whose `size` students have answered everything; its teacher looks at the result."""
    choose(to_test(teacher), "test_kind", "two")
    students = [store.join(key_of(f"student {at}"), read_code(code)) for at in range(size)]
    with store.reading() as session:
        taught = session.scalars(select(Member).where(Member.teacher)).one()
    me = replace(students[0], member=taught.id, teacher=True)
    for student in students:
        participants.take_part(store, student)
    for phase in ("before", "after"):
        participants.go_to(store, me, phase)
        for number, student in enumerate(students):
            taker = participants.taker(store, student)
            assert taker is not None
            for at, question in enumerate(bank.forms()[taker.form(phase)]):
                is_right = at < (1 + number % 3 if phase == "before" else 3 + number % 2)
                choice = question.right if is_right else bank.UNKNOWN
                participants.answer(store, student, phase, question.id, choice, seconds=20)
    participants.close(store, me)
    return to_test(teacher)


def test_of_a_whole_class_the_teacher_sees_groups_and_questions(store: Classrooms) -> None:
    shown = " ".join(inside(played(store, *start(), 18), "figure_test_results"))
    en = all_texts("en")
    for part in ("class_test.group_touch", "class_test.group_picture"):
        assert en[part].removesuffix("{gain}") in shown
    for part in ("learning_result.limits", "learning_topic.mask", "learning_questions.discrimination"):
        assert en[part].split("{")[0] in shown


@pytest.mark.parametrize(
    ("size", "language", "groups"),
    [(18, "en", ("everyone", "touch", "picture")), (14, "zh", ("everyone",)), (6, "en", None)],
)
def test_the_chart_of_the_gain_draws_what_the_class_is_large_enough_for(
    store: Classrooms, size: int, language: str, groups: tuple[str, ...] | None
) -> None:
    figures: dict[str, Figure] = {}
    with watching_figures(figures.__setitem__):
        teacher, code = start(language)
        go(played(store, teacher, code, size), "class", show="test", language=language)
    if groups is None:
        assert figures == {}
        return
    texts = all_texts(language)
    for figure in figures.values():
        check_chart(figure.spec)  # type: ignore[attr-defined]
    gains, topics = (list(figures[name].rows()) for name in ("test_gain", "test_topics"))
    shown = inside(teacher, "figure_test_results")
    written = [[float(n.replace("−", "-")) for n in re.findall(r"[+−]\d\.\d", line)[:3]] for line in shown]
    for group, row in zip(groups, gains, strict=True):
        assert str(row["group"]).startswith(texts[f"class_test_chart.{group}"])
        assert pytest.approx([row[end] for end in ("gain", "low", "high")], abs=0.051) in written
    # of the six questions, in the order of their topics, `played` has those right that come first
    shares = [(row["phase"], row["share"]) for row in topics if row["topic"] == texts["learning_topic.position"]]
    assert shares == [("before", round((size // 3) / size, 4)), ("after", 1)]
    assert [row["share"] for row in topics][::11] == [1, 0]
    for name, rows in (("group", gains), ("topic", topics)):  # the text alternatives say them
        figure_name = figures["test_gain" if rows is gains else "test_topics"].name
        assert [row for row in rows if str(row[name]) not in figure_name] == []
