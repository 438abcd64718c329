"""The page /class, and what a class adds to other pages, without a browser."""

import base64
import csv
import io
import json
import re
import time
from contextlib import suppress
from urllib.parse import parse_qsl

import numpy as np
import pytest
from sqlalchemy import delete, select
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from classroom import database, keys, limits
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Classroom, Member
from classroom.watch import Watch
from model.errors import SENTENCES, InvalidInput
from model.quiz.posed_question import QuizMaterial
from model.quiz.questions import QUESTIONS
from pages.classroom import teaching
from pages.shared.classroom import my_class, questions
from pages.shared.load import fair_use
from pages.shared.models import live_files
from pages.shared.server.routes import class_routes
from pages.shared.session import language_choice, user
from pages.shared.text.words import all_texts
from tests.app import CARD, click, contents, downloads, enter, go, inside, said, sentence, visit
from tests.app import keys as keys_on
from tests.browser import run
from tests.pages.classroom.conftest import forget
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, either_language, german_english

EN = all_texts("en")


def submit(app: AppTest, label: str) -> AppTest:
    next(button for button in app.main.button if button.label == label).click().run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def start(language: str = "en") -> tuple[AppTest, str]:
    """A teacher, and the code of their class."""
    teacher = submit(visit("class", language), all_texts(language)["class.start"])
    code = re.match(r"\w{3}-[A-Z0-9]{3}", inside(teacher, "figure_invite")[0])
    assert code
    return teacher, code[0]


def join(code: str, language: str = "en", nickname: str = "") -> AppTest:
    student = visit("class", language, room=code)
    student.text_input[1].set_value(nickname)
    return submit(student, all_texts(language)["class.join"])


def board(store: Classrooms, code: str) -> dict:
    with store.reading() as session:
        classroom = session.scalars(select(Classroom.id).where(Classroom.code == keys.read_code(code))).one()
    snapshot = Watch(store).look(classroom)
    assert snapshot is not None
    return {**snapshot.board, **snapshot.students}


@either_language
def test_a_class_from_its_start_to_its_end(store: Classrooms, language: str) -> None:
    teacher, code = start(language)
    student = join(code, language, "Ada")
    assert sentence(language, "class.joined_title") in [header.value for header in student.header]
    assert board(store, code)["members"][1][1:] == ["Ada", False]
    assert inside(student, "lead") == [sentence(language, "class.lead_student")]
    assert inside(teacher.run(), "lead") == [sentence(language, "class.lead")]
    teacher = click(teacher, "end_class")
    assert said(teacher) == [sentence(language, "class.ended")]
    student.session_state["_known"].asked = float("-inf")  # its browser heard of it
    student.run()
    assert inside(student, "lead") == [sentence(language, "class.lead")]
    assert sentence(language, "class.ended_title") in [header.value for header in student.header]
    assert sentence(language, "class.joined_title") not in [header.value for header in student.header]
    assert said(join(code, language)) == [sentence(language, "class.ended")]
    teacher = click(teacher, "leave")
    assert sentence(language, "class.start") in {button.label for button in teacher.main.button}


def test_what_a_student_types_stands_on_the_board_and_in_the_results(store: Classrooms, warm: None) -> None:
    teacher, code = start()
    student = join(code, nickname="Ada")
    go(student, "attention")
    assert board(store, code)["sentences"] == []  # what a page opens with was not typed
    enter(student, BUCH)
    enter(student, MARKUP)
    enter(student, BUCH)  # once more: it stands there already
    on_screen = board(store, code)["sentences"]
    assert [(each["by"], each["text"]) for each in on_screen] == [("Ada", BUCH), ("Ada", MARKUP)]
    assert on_screen[0]["output"] == run(BUCH).text
    picture, weights = on_screen[0]["picture"], run(BUCH).trace.weights("cross")
    look = CARD["first_look"]
    expected = weights[look["layer"], look["head"]]
    cells = np.frombuffer(base64.b64decode(picture["cells"]), np.uint8).reshape(expected.shape)
    assert np.abs(cells / 255 - expected).max() <= 0.5 / 255 + 1e-6
    teacher.run()
    assert [(row["student"], row["text"], row["model"]) for row in results_of(teacher)] == [
        ("Ada", BUCH, "de-en"), ("Ada", MARKUP, "de-en"),
    ]  # fmt: skip


def test_a_student_whose_browser_computes_is_on_the_board_too(store: Classrooms, warm: None) -> None:
    _, code = start()
    student = join(code, nickname="Ada")
    go(student, "masks", computed="browser", checkpoint="de-en")
    enter(student, BUCH)
    assert "in_browser" in {each.proto.component_name for each in student.get("bidi_component")}
    assert [(each["text"], each["output"]) for each in board(store, code)["sentences"]] == [(BUCH, run(BUCH).text)]


@either_language
def test_a_sentence_that_its_model_cannot_read_is_marked_on_the_board(
    store: Classrooms, warm: None, language: str
) -> None:
    teacher, code = start(language)
    student = join(code)
    go(student, "attention")
    enter(student, "我喜欢学习汉语。")
    assert [button.label for button in student.button if button.key == "use_for"] == [
        EN["notice.fit_use"].format(name="zh\\-en")
    ]
    enter(student, BUCH)
    click(enter(student, "我在图书馆看书。"), "use_for")
    client = TestClient(Starlette(routes=class_routes.ROUTES))
    key = keys.key_of(teacher.session_state["_withoutcookie"].name)
    answer = client.get("/room", params={"board": 1, "language": language}, headers={"Authorization": f"Bearer {key}"})
    words = all_texts(language)
    wrong = words["notice.fit_language"].format(source=words["languages.de"], language=words["languages.zh"])
    sentences = [(each["checkpoint"], each["misfit"]) for each in answer.json()["sentences"]]
    assert sentences == [("de-en", wrong), ("de-en", ""), ("de-en", wrong), ("zh-en", "")]


def test_a_teacher_asks_a_question_of_the_quiz_and_its_answers_count(store: Classrooms, warm: None) -> None:
    teacher, code = start()
    student = join(code)
    go(teacher, "quiz", question="which_mask", only="which_mask,permute")
    click(teacher, "ask_class")
    assert sentence("en", "class.asked") in [caption.value for caption in teacher.caption]
    task = board(store, code)["asked"]
    assert task["kind"] == "quiz"
    assert task["open"]
    assert task["question"] in inside(teacher, "asked")[0]
    page, _, settings = board(store, code)["view"].partition("?")
    assert page == "quiz"
    go(student, page, **dict(parse_qsl(settings)))
    assert inside(student, "asked") == inside(teacher, "asked")
    assert student.query_params["only"] == teacher.query_params["only"]  # so that both count the same questions
    assert task["posed"]["view"] == board(store, code)["view"]
    click(student, f"option_{task['options'][0][0]}")
    answers = board(store, code)["asked"]["answers"]
    assert [row[:2] for row in answers] == [[task["options"][0][0], 1]]
    assert isinstance(answers[0][2], bool)
    assert "ask_class" not in {button.key for button in student.button}
    for language in LANGUAGES:
        with language_choice.speaking(language):
            [row] = results_of(go(teacher, "class"))
            question = task["posed"]
            assert row["question"] == sentence(language, f"quiz_{question['question']}.question", **question["values"])
            assert row["text"] in {
                sentence(language, f"quiz_which_mask.option_{option}", **question["values"])
                for option, _ in task["options"]
            }


def results_of(teacher: AppTest) -> list[dict[str, str]]:
    content = downloads(teacher)["class_results"].make().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_of_the_quiz_can_be_put_in_each_language(warm: None, name: str) -> None:
    config, trace = german_english().model.config, run(KINO).trace
    one = QUESTIONS[name].ask(QuizMaterial(config, trace, 7))
    if one is None:
        pytest.skip("de-en is too sure of its next word")
    question = json.loads(json.dumps(questions.posed(name, one.kind, one.values, "quiz")))  # as it is kept
    task = {"question": "", "options": [[option, "?"] for option in one.texts], "posed": question}
    for language in LANGUAGES:
        with language_choice.speaking(language):
            assert questions.said(task, None) == sentence(language, f"quiz_{name}.question", **one.values)


@pytest.mark.parametrize(
    ("code", "said_code"), [("ABCDEF", "class_unknown"), ("", "class_unknown"), (MARKUP, "class_unknown")]
)
def test_a_wrong_code_gets_a_sentence(store: Classrooms, code: str, said_code: str) -> None:
    assert said(join(code[:12])) == [SENTENCES[said_code]]


def test_codes_cannot_be_tried_without_end(store: Classrooms) -> None:
    student = visit("class")
    for _ in range(fair_use.PER_MINUTE[fair_use.CODES]):
        submit(student, EN["class.join"])
    submit(student, EN["class.join"])
    assert "wrong codes within a minute" in said(student)[0]
    _, code = start()
    student.text_input[0].set_value(code)
    assert said(submit(student, EN["class.join"])) == said(student)  # their own wrong codes count


def test_wrong_codes_of_many_browsers_keep_nobody_out_who_has_the_right_one(store: Classrooms) -> None:
    _, code = start()
    for number in range(700):
        fair_use.take(fair_use.CODES, f"stranger {number}")
    assert said(join(code)) == []


def one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody comes from the same address, and nobody has come before."""
    monkeypatch.setattr(user, "address", lambda: "192.0.2.1")
    monkeypatch.setattr(fair_use, "_limiter", type(fair_use._limiter)(type(fair_use._limiter.storage)()))


def test_a_flood_from_a_school_keeps_its_teachers_and_pupils_out_of_no_class(
    store: Classrooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_address(monkeypatch)
    monkeypatch.setattr(limits, "MEMBERS", 3)
    for number in range(100):
        fair_use.take(fair_use.CLASSROOMS, f"throw-away {number}")
    _, code = start()
    with monkeypatch.context() as patch:
        for number in range(610):  # most find the class full
            patch.setattr(user, "user", lambda number=number: f"throw-away {number}")
            patch.setattr(my_class, "key", lambda: keys.key_of(user.user()))
            with suppress(InvalidInput):
                my_class.join(code, "")
    _, other = start()
    assert said(join(other)) == []


def test_an_address_starts_no_flood_of_classes(store: Classrooms, monkeypatch: pytest.MonkeyPatch) -> None:
    one_address(monkeypatch)
    monkeypatch.setitem(fair_use.OF_ADDRESS, fair_use.CLASSROOMS, 2)
    for _ in range(2):
        start()
    assert "classes were started within a minute" in said(submit(visit("class"), EN["class.start"]))[0]


def test_a_database_that_does_not_answer_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(database.VARIABLE, "sqlite:////nowhere/rooms.sqlite")
    forget()
    assert said(visit("class")) == [SENTENCES["rooms_closed"]]
    visit("start")  # other pages work without classes
    forget()


def pages_in_list(app: AppTest) -> list[str]:
    return list(contents(app))


def test_students_see_the_pages_and_models_that_the_teacher_chose(store: Classrooms, warm: None) -> None:
    teacher, code = start()
    student = join(code)
    everything = pages_in_list(student)
    teacher.multiselect(key="visible_pages").set_value(["attention", "masks"]).run()
    teacher.multiselect(key="visible_models").set_value(["de-en"]).run()
    teacher.multiselect(key="visible_hide").set_value(["tour", "head"]).run()
    state = student.session_state["_known"]
    state.asked = float("-inf")
    go(student, "attention")
    assert pages_in_list(student) == [EN[f"pages.{name}"] for name in ("attention", "masks", "class")]
    assert student.sidebar.selectbox(key="checkpoint").options == ["de-en · German → English"]
    styles = [element.proto.body for element in student.get("html") if ".st-key-tour_start" in element.proto.body]
    assert len(styles) == 1
    assert ".st-key-head" in styles[0]
    assert pages_in_list(go(teacher, "attention")) == everything  # the teacher has them all


def test_a_link_can_choose_what_is_seen(warm: None) -> None:
    app = visit("attention", visible="pages:attention,nowhere;models:de-en;hide:tour,</style>;junk")
    assert pages_in_list(app) == [EN["pages.attention"], EN["pages.class"]]
    assert app.query_params["visible"] == "pages:attention,nowhere;models:de-en;hide:tour,</style>;junk"
    assert not any("</style>;" in element.proto.body for element in app.get("html"))


def test_a_student_sees_what_to_do_and_no_tab_of_a_teacher(store: Classrooms) -> None:
    _, code = start()
    student = join(code)
    assert EN["class.wait_about"] in inside(student, "figure_joined")
    assert [group.key for group in student.main.button_group] == []
    assert "next_page" not in keys_on(student)
    assert EN["class.question_joined"] in [title.value for title in student.title]
    student = click(student, "alone")
    assert student.session_state["_view"].page == "start"


def test_the_title_says_what_the_tab_shows(store: Classrooms) -> None:
    def title(app: AppTest) -> str:
        return app.title[0].value

    assert title(visit("class")) == EN["class.question"]
    assert title(visit("class", room="K7Q2MX")) == EN["class.question_join"]
    teacher, _ = start()
    assert title(teacher) == EN["class.question_board"]
    [tabs] = [group for group in teacher.main.button_group if group.key == "show"]
    for tab in ("lessons", "test", "class"):
        tabs.set_value(tab).run()
        assert title(teacher) == EN[f"class.question_{'board' if tab == 'class' else tab}"]
        [tabs] = [group for group in teacher.main.button_group if group.key == "show"]
    assert title(visit("class", show="lessons")) == EN["class.question_lessons"]
    assert title(click(teacher, "end_class")) == EN["class.question_over"]


def test_who_is_out_while_the_page_is_drawn_is_told(store: Classrooms) -> None:
    """The page of the class looks again after the line of the class was drawn."""
    _, code = start()
    student = join(code)
    with store.writing() as session:
        session.execute(delete(Classroom))
    student.session_state["_known"].asked = time.monotonic()
    assert said(student.run()) == [EN["class.gone"]]
    student.session_state["_known"].asked = float("-inf")
    assert said(student.run()) == []


def test_who_leaves_in_another_tab_is_told_nothing(store: Classrooms) -> None:
    _, code = start()
    student = join(code)
    store.leave(keys.key_of(student.session_state["_withoutcookie"].name))
    student.session_state["_known"].asked = float("-inf")
    assert said(student.run()) == []
    assert EN["class.join"] in [button.label for button in student.main.button]


def test_who_was_removed_is_told_once_and_cannot_come_back_until_let_in(store: Classrooms) -> None:
    _, code = start()
    student = join(code, nickname="Ada")
    with store.reading() as session:
        ada = session.scalars(select(Member).where(Member.nickname == "Ada")).one()
        me = session.scalars(select(Member).where(Member.teacher)).one()
    act = Membership(ada.classroom_id, me.id, "", True, False, "")
    store.remove(act, [ada.id], True)
    student.session_state["_known"].asked = float("-inf")  # its browser heard of it
    assert said(student.run()) == [EN["class.gone"]]
    assert said(student.run()) == []
    student.text_input[0].set_value(code)
    assert said(submit(student, EN["class.join"])) == [SENTENCES["class_removed"]]
    store.remove(act, [ada.id], False)
    assert said(submit(student, EN["class.join"])) == []
    assert [title.value for title in student.title] == [EN["class.question_joined"]]  # the whole page says so


@pytest.mark.parametrize(("language", "model"), [("en", "de-en"), ("es", "es-en")])
def test_the_link_opens_a_live_page_where_the_teacher_wants_it(
    store: Classrooms, warm: None, monkeypatch: pytest.MonkeyPatch, language: str, model: str
) -> None:
    made: list[str] = []
    monkeypatch.setattr(live_files, "files", lambda entry: made.append(entry.name))
    monkeypatch.setattr(teaching, "network_origins", lambda seen: ["http://school.example"])
    teacher, code = start(language)
    code = code.replace("-", "")
    assert f"http://school.example/class?room={code}&language={language}" in " ".join(inside(teacher, "figure_invite"))
    assert made == []
    teacher.toggle(key="on_device").set_value(True).run()
    link = f"http://school.example/live/{model}/?class={code}&language={language}"
    assert link in " ".join(inside(teacher, "figure_invite"))
    assert set(made) == {model}  # at once, so that no student waits for its files
    again = go(teacher, "class", language=language)  # the class keeps it, beside what else students see
    again.multiselect(key="visible_pages").set_value(["masks"]).run()
    assert link in " ".join(inside(again, "figure_invite"))
    again.toggle(key="on_device").set_value(False).run()
    assert link not in " ".join(inside(again, "figure_invite"))
    assert again.multiselect(key="visible_pages").value == ["masks"]
