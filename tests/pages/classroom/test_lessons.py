"""Lessons: ours in both languages, a teacher's own by link and file, and what is no lesson."""

import base64
import json
import zlib
from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest
import torch
from streamlit.testing.v1 import AppTest

from classroom.classrooms import Classrooms
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.errors import SENTENCES, InvalidInput
from model.quiz.posed_question import QuizMaterial
from model.quiz.questions import QUESTIONS
from pages.shared.classroom import lessons
from pages.shared.classroom.lessons import Lesson, Part
from pages.shared.text.words import all_texts
from tests.app import click, downloads, said, visit
from tests.model.checkpoint.test_chinese import chinese_english
from tests.samples import LANGUAGES, MARKUP, german_english, spanish_english

OURS = lessons.shipped()
MINE = Lesson(
    {"en": MARKUP, "zh": "我的"}, {"en": "about"},
    (
        Part("attention?head=3&checkpoint=de-en", 2, {"en": "Look."}, {"zh": "提示"}), Part("?checkpoint=de-en", 1.5),
        Part("masks?show=leak&checkpoint=de-en"),
    ),
)  # fmt: skip


def refused(code: str):
    return pytest.raises(InvalidInput, check=lambda error: error.code == code)


def test_ours_take_15_45_and_90_minutes() -> None:
    assert [lesson.minutes for lesson in OURS.values()] == [15, 45, 90]


@pytest.mark.parametrize("name", OURS)
def test_ours_say_everything_in_each_language(name: str) -> None:
    lesson = OURS[name]
    texts = [lesson.title, lesson.about, *(text for part in lesson.parts for text in (part.says, part.notes))]
    assert all({*LANGUAGES, "es"} <= set(text) and all(text.values()) for text in texts)
    assert all(text["en"] != text["zh"] for text in texts)


def opened_view(name: str, at: int, language: str) -> tuple[str, dict[str, str]]:
    """Page and settings of a view of ours."""
    page, _, query = OURS[name].parts[at].view_in(language).partition("?")
    return page, dict(parse_qsl(query))


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "at", "language"),
    [
        (name, at, language)
        for name, lesson in OURS.items()
        for at, part in enumerate(lesson.parts)
        for language in (part.view if isinstance(part.view, dict) else (LANGUAGES[at % 2],))
    ],
)
def test_every_view_of_ours_opens_as_it_is_meant(warm: None, name: str, at: int, language: str) -> None:
    """A setting that a page does not know, or refuses, would get a notice; so would a sentence in another language."""
    page, settings = opened_view(name, at, language)
    app = visit(page or "start", language, **settings)
    assert said(app) == []
    assert settings.items() <= app.query_params.items()


@pytest.mark.parametrize("name", OURS)
def test_a_class_in_chinese_gets_no_german(name: str) -> None:
    lesson = OURS[name]
    assert not [text for part in lesson.parts for text in (part.says["zh"], part.notes["zh"]) if "德语" in text]
    for at in range(len(lesson.parts)):
        assert opened_view(name, at, "zh")[1]["checkpoint"] != "de-en"
        assert opened_view(name, at, "en")[1]["checkpoint"] != "zh-en"


@pytest.mark.parametrize("name", OURS)
def test_a_class_in_spanish_gets_no_german(name: str) -> None:
    lesson = OURS[name]
    assert not [text for part in lesson.parts for text in (part.says["es"], part.notes["es"]) if "alem" in text]
    assert all(
        opened_view(name, at, "es")[1]["checkpoint"] not in ("de-en", "zh-en") for at in range(len(lesson.parts))
    )


PLACES = {"en": "layer {layer}, head {head}", "zh": "第 {layer} 层，头 {head}", "es": "capa {layer}, cabeza {head}"}


@pytest.mark.parametrize(
    ("language", "model"), [("en", german_english), ("zh", chinese_english), ("es", spanish_english)]
)
def test_the_last_questions_of_the_first_lesson_are_about_the_head_that_was_shown(
    language: str, model: Callable[[], Checkpoint]
) -> None:
    (_, head_view), (_, question_view) = (opened_view("attention", at, language) for at in (-2, -1))
    assert question_view["sentence"] == head_view["sentence"]
    checkpoint = model()
    trace = translate(checkpoint, question_view["sentence"]).trace
    material = QuizMaterial(checkpoint.model.config, trace, int(question_view["numbers"]))
    for name in question_view["only"].split(","):
        question = QUESTIONS[name].ask(material)
        assert question is not None
        for key in ("attention_kind", "layer", "head"):
            assert str(question.door[key]) == head_view[key], (name, key)
    text = OURS["attention"].parts[-1].says[language]
    assert PLACES[language].format(layer=head_view["layer"], head=head_view["head"]) in text


@pytest.mark.parametrize(
    ("language", "model", "word", "source"),
    [
        ("en", german_english, "cinema", "Kino"),
        ("zh", chinese_english, "library", "图书馆"),
        ("es", spanish_english, "red", "rojo"),
    ],
)
def test_the_word_that_a_class_guesses_is_written_and_read_from_where_it_should(
    language: str, model: Callable[[], Checkpoint], word: str, source: str
) -> None:
    """The first view asks for it; the sentence that the text quotes is what the model writes, and the lines cross."""
    _, first = opened_view("attention", 0, language)
    checkpoint, says = model(), OURS["attention"].parts[0].says[language]
    run = translate(checkpoint, first["sentence"])
    look = catalogue.find(first["checkpoint"]).card["first_look"]
    keys = run.trace.weights(look["attention_kind"])[look["layer"], look["head"]].argmax(-1).tolist()
    assert word in says
    assert run.trace.source_tokens[keys[run.trace.output_tokens.index(word)]] in source
    assert keys != sorted(keys)
    if language != "zh":  # where no sentence is quoted
        assert run.text.replace("'", "’") in says


@pytest.mark.parametrize(
    ("language", "model", "token", "alike"),
    [("zh", chinese_english, "馆", {"店", "院"}), ("es", spanish_english, "niño", {"niña"})],
)
def test_the_neighbours_that_a_class_looks_up_mean_something(
    language: str, model: Callable[[], Checkpoint], token: str, alike: set[str]
) -> None:
    """In the second lesson, which names the token."""
    checkpoint = model()
    vectors = torch.nn.functional.normalize(checkpoint.model.source_embedding.weight, dim=-1)
    [id_] = checkpoint.tokenizer.pieces(token)
    near = checkpoint.tokenizer.tokens((vectors @ vectors[id_]).topk(6).indices.tolist())
    assert alike <= set(near)
    assert any(token in part.notes[language] for part in OURS["word-by-word"].parts)


@pytest.mark.parametrize("lesson", [MINE, *OURS.values()])
def test_a_lesson_survives_link_and_file(lesson: Lesson) -> None:
    text = lessons.packed(lesson)
    assert lessons.unpacked(text) == lessons.from_json(lessons.to_json(lesson)) == lesson
    assert len(text) < lessons.PACKED


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "lesson_unread"), ("{", "lesson_unread"), ("[]", "lesson_unread"), ("[" * 100_000, "lesson_unread"),
        ('{"title": {}}', "lesson_unread"), ('{"title": 3, "parts": []}', "lesson_unread"),
        ('{"title": {"en": 3}, "parts": []}', "lesson_unread"),
        ({"view": "//elsewhere.example"}, "class_view"), ({"view": "javascript:alert(1)"}, "class_view"),
        ({"view": "x" * 2000}, "class_long"), ({"says": {"en": "x" * 700}}, "class_long"),
        ({"minutes": 0}, "class_minutes"), ({"minutes": "3"}, "class_minutes"), ({"minutes": 1e9}, "class_minutes"),
    ],
)  # fmt: skip
def test_what_is_no_lesson_gets_a_sentence(content: str | dict, code: str) -> None:
    if isinstance(content, dict):
        part = {"view": "masks", "minutes": 1, "says": {}, "notes": {}} | content
        content = json.dumps({"title": {}, "parts": [part]})
    with refused(code):
        lessons.from_json(content)


def test_a_link_that_unpacks_to_a_flood_is_refused() -> None:
    flood = lessons.packed(Lesson({"en": "x" * 5_000_000}))
    with refused("lesson_unread"):
        lessons.unpacked(flood)
    many = Lesson({}, parts=(Part("masks"),) * (lessons.PARTS + 1))
    with refused("lesson_parts"):
        lessons.unpacked(lessons.packed(many))
    with refused("lesson_parts"):
        lessons.with_view(many, "masks")


def test_a_view_is_added_without_what_is_the_teacher_s_own() -> None:
    lesson = lessons.with_view(Lesson({}), "attention?language=zh&head=3&visible=hide:tour&embed=true")
    assert lesson.parts[0].view == "attention?head=3&checkpoint=de-en"
    lesson = lessons.with_view(Lesson({}), "attention?language=zh&checkpoint=zh-en")
    assert lesson.parts[0].view == "attention?checkpoint=zh-en"
    first, second, third = MINE.parts
    assert lessons.moved(MINE, 2, -1).parts == (first, third, second)
    assert lessons.moved(MINE, 0, -1) == MINE
    assert lessons.without(MINE, 1).parts == (first, third)


def test_a_text_in_one_language_serves_both() -> None:
    assert [lessons.in_language({"en": "Look.", "zh": ""}, language) for language in LANGUAGES] == ["Look."] * 2
    assert lessons.in_language({}, "en") == ""


def opened(lesson: str, language: str = "en") -> AppTest:
    return visit("class", language, show="lessons", lesson=lesson)


def test_a_lesson_from_a_link_is_copied_changed_and_saved() -> None:
    app = click(opened(lessons.packed(MINE)), "copy_sent")
    assert app.text_area(key="lesson_title_en").value == MARKUP
    app.text_area(key="lesson_says_0_zh").set_value("看。").run()
    click(app, "lesson_down_0")
    assert app.text_area(key="lesson_says_1_zh").value == "看。"  # the fields move with their view
    assert app.text_area(key="lesson_says_0_zh").value == ""
    click(app, "lesson_remove_0")
    lesson = lessons.from_json(downloads(app)["lesson_file"].make())
    assert [part.view for part in lesson.parts] == [MINE.parts[0].view, MINE.parts[2].view]
    assert lesson.parts[0].says == {"en": "Look.", "zh": "看。"}
    assert any(lessons.packed(lesson) in code.value for code in app.code)
    click(app, "lesson_delete")
    assert "lesson_begin" in {button.key for button in app.button}


def test_a_view_that_names_no_model_means_the_first_one_in_each_language(warm: None) -> None:
    """A lesson that was made before `language=zh` meant a model."""
    content = {"title": {}, "parts": [{"view": "attention?head=3", "minutes": 1, "says": {}, "notes": {}}]}
    app = click(opened(lessons.packed(lessons.read(content)), "zh"), "give_sent")
    assert app.selectbox(key="checkpoint").value == "de-en"


def test_giving_a_lesson_opens_its_first_view(warm: None) -> None:
    app = click(opened(lessons.packed(MINE), "zh"), "give_sent")
    assert app.query_params["head"] == "3"
    assert app.query_params["language"] == "zh"
    assert app.title[0].value == all_texts("zh")["attention.question"]


def test_a_link_that_is_no_lesson_gets_a_sentence() -> None:
    assert said(opened("nonsense")) == [SENTENCES["lesson_unread"]]


WILD = {
    "title": {"en": "\ud800Look\u202e", "zh": "\x00看"}, "about": {"en": "\udfff"},
    "parts": [{"view": "attention?sentence=\ud83d", "minutes": 2, "says": {"en": "\ud800"}, "notes": {"en": "a\x07b"}}],
}  # fmt: skip


def test_a_lesson_loses_what_cannot_be_written(store: Classrooms) -> None:
    lesson = lessons.from_json(json.dumps(WILD))
    assert (lesson.title, lesson.about) == ({"en": "Look", "zh": "看"}, {"en": ""})
    [part] = lesson.parts
    assert (part.view, part.says, part.notes) == ("attention?checkpoint=de-en", {"en": ""}, {"en": "ab"})
    assert lessons.read(json.loads(lessons.to_json(lesson))) == lesson


def test_a_link_to_a_wild_lesson_opens(store: Classrooms) -> None:
    packed = base64.urlsafe_b64encode(zlib.compress(json.dumps(WILD).encode())).decode().rstrip("=")
    app = visit("class", show="lessons", lesson=packed)
    assert said(app) == []
    assert "Look" in [header.value for header in app.header]
    click(app, "copy_sent")
    assert said(app) == []
