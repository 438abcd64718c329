"""The quiz page: a question at a time, answers by hand, a score that stays, a link that asks the same of all."""

import csv
import io
import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from model.decode.translate import translate
from model.errors import InvalidInput
from model.quiz.posed_question import QuizMaterial, Share
from model.quiz.questions import QUESTIONS
from pages.quiz import score
from pages.shared.text.words import all_texts
from tests.app import PAGES, click, downloads, inside, nothing_is_marked_up, said, sentence, visit
from tests.samples import BUCH, KINO, MARKUP, german_english, in_turn
from viz.numbers import percent

pytestmark = pytest.mark.usefixtures("warm")


def opened(name: str, language: str = "en", **address: str) -> AppTest:
    app = visit("quiz", language, **({"question": name, "numbers": "7"} | address))
    nothing_is_marked_up(app)
    return app


def asked(name: str, text: str = KINO, numbers: int = 7):
    """The question as the page must put it."""
    config = german_english().model.config
    result = QUESTIONS[name].ask(QuizMaterial(config, translate(german_english(), text).trace, numbers))
    assert result is not None
    return result


def typed(app: AppTest, name: str, text: str, numbers: int = 7, language: str = "en") -> AppTest:
    app.text_input(key=f"answer_{name}_{numbers}").set_value(text)
    [check] = [button for button in app.button if button.label == sentence(language, "quiz.check")]
    check.click().run()
    assert not app.exception
    return app


def told(app: AppTest) -> str:
    return " ".join(said(app))


@in_turn("model", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_one_question_is_on_the_page(language: str, model: str) -> None:
    app = visit("quiz", language, checkpoint=model)
    assert said(app) == []
    assert app.header[0].value == sentence(language, "quiz_lookup.title")
    assert [header.value for header in app.header][1:] == [sentence(language, "quiz.score")]
    assert sentence(language, "quiz.teacher") in [each.label for each in app.expander]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "language"),
    [
        *((name, "en") for name in QUESTIONS),
        *((name, "zh") for name in ("lookup", "read_row", "which_mask", "families")),
    ],
)
def test_every_question_is_drawn_told_and_explained(name: str, language: str) -> None:
    app = opened(name, language)
    one = asked(name)
    values = {key: percent(value) if isinstance(value, Share) else value for key, value in one.values.items()}
    assert inside(app, "asked") == [sentence(language, f"quiz_{name}.question", **values)]
    click(app, "hint")
    assert sentence(language, f"quiz_{name}.hint", **values) in [text.value for text in app.text]
    click(app, "tell")
    keys = {f"why_{one.key}", "why"} & {key.removeprefix(f"quiz_{name}.") for key in _keys(name)}
    result = one.measured.get(one.solution(), "")
    answer = percent(result) if isinstance(result, Share) else result
    why = sentence(language, f"quiz_{name}.{sorted(keys)[-1]}", **values, found=answer)
    assert why in told(app)
    assert app.button(key="door")


def _keys(name: str) -> list[str]:
    from pages.shared.text.words import all_texts

    return [key for key in all_texts("en") if key.startswith(f"quiz_{name}.")]


def test_a_number_is_checked() -> None:
    app = opened("lookup")
    typed(app, "lookup", "")
    assert sentence("en", "quiz.empty") in told(app)
    assert sentence("en", "quiz.score_none") in inside(app, "figure_score")
    v = asked("lookup").values
    right = sum(v[f"value_{fruit}"] * v[f"weight_{fruit}"] for fruit in ("apple", "banana", "chair"))  # type: ignore[operator]
    typed(app, "lookup", "1000")
    assert sentence("en", "quiz_lookup.wrong") in told(app)
    assert sentence("en", "quiz.score_all", right=0, answered=1) in inside(app, "figure_score")
    typed(app, "lookup", "a lot")
    assert str(InvalidInput("quiz_number", value="a lot")) in told(app)
    typed(app, "lookup", f"{right:.1f}")
    assert sentence("en", "quiz.right", why="") in told(app)
    assert "1000" in " ".join(text.value for text in app.text)
    assert sentence("en", "quiz.score_all", right=0, answered=1) in inside(app, "figure_score")


def test_a_typed_answer_is_not_called_chosen_and_is_said_in_normal_digits() -> None:
    app = typed(opened("lookup", "zh"), "lookup", "１０００．５", language="zh")
    why = sentence("zh", "quiz_lookup.wrong")
    assert sentence("zh", "quiz.wrong_typed", answer="1000.5", why=why) in told(app)
    click(app := opened("permute", "zh"), "option_stay")
    why, stay = (sentence("zh", f"quiz_permute.{part}_stay") for part in ("wrong", "option"))
    assert sentence("zh", "quiz.wrong", answer=stay, why=why) in told(app)


def test_a_right_answer_stays_in_its_field_with_the_comma_it_was_typed_with() -> None:
    app = opened("row_sum")
    right = asked("row_sum").solution().replace(".", ",")
    typed(app, "row_sum", "0")
    typed(app, "row_sum", right)
    assert sentence("en", "quiz.right", why="") in told(app)
    [field] = [field for field in app.main.text_input if field.key != "sentence"]
    assert (field.value, field.disabled) == (right, True)


def test_a_shape_of_the_reader_s_own_sentence() -> None:
    app = opened("cross_shape", sentence=BUCH)
    trace = translate(german_english(), BUCH).trace
    typed(app, "cross_shape", f"4, {len(trace.target_tokens)}, {len(trace.source_tokens)}")
    assert told(app).startswith(sentence("en", "quiz.first", why=""))
    assert sentence("en", "quiz.score_all", right=1, answered=1) in inside(app, "figure_score")


def test_a_choice_is_answered_by_its_click() -> None:
    app = opened("permute")
    click(app, "option_stay")
    assert sentence("en", "quiz_permute.wrong_stay") in told(app)
    assert app.button(key="option_stay").disabled
    click(app, "option_right")
    assert sentence("en", "quiz_permute.why") in told(app)
    assert all(app.button(key=f"option_{option}").disabled for option in ("right", "stay", "mixed"))


def test_a_head_is_found_in_the_model() -> None:
    one = asked("head_previous")
    wrong = next(name for name in one.measured if name not in one.key)
    kind, layer, head = wrong.split("/")
    app = opened("head_previous", attention_kind=kind, layer=layer, head=head)
    click(app, "take_head")
    assert percent(float(one.measured[wrong])) in told(app)
    kind, layer, head = one.key[0].split("/")
    for key, value in (("attention_kind", kind), ("layer", int(layer)), ("head", int(head))):
        [group] = [group for group in app.main.button_group if group.key == key]
        group.set_value(value).run()
    click(app, "take_head")
    assert sentence("en", "quiz.right", why="") in told(app)


@pytest.mark.parametrize(("name", "setting"), [("saturate", "factor"), ("base_least", "base")])
def test_a_step_is_chosen(name: str, setting: str) -> None:
    one = asked(name)
    app = opened(name, **{setting: f"{one.options[0]:.12g}"})
    click(app, "take_step")
    assert one.measured[str(one.options[0])] in told(app)
    app = opened(name, **{setting: f"{one.key:.12g}"})
    click(app, "take_step")
    assert told(app).startswith(sentence("en", "quiz.first", why=""))


def test_the_score_stays_on_other_pages_and_can_be_taken() -> None:
    words = all_texts("zh")
    app = opened("permute", "zh")
    click(app, "option_right")
    click(app, "door")
    assert [title.value for title in app.title] == [words[f"{QUESTIONS['permute'].page}.question"]]
    app.switch_page("quiz/page.py").run()
    assert not app.exception
    assert sentence("zh", "quiz.score_all", right=1, answered=1) in inside(app, "figure_score")
    assert {"csv_quiz", "json_quiz"} <= downloads(app).keys()
    [row] = json.loads(downloads(app)["json_quiz"].make())
    assert row[words["quiz_columns.title"]] == words["quiz_permute.title"]
    assert (row[words["quiz_columns.result"]], row[words["quiz_columns.numbers"]]) == (words["quiz_columns.first"], 7)


def test_the_files_say_what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    record = score.attempts.Attempt("lookup", 7, "", "", ["=1+1", "9.3"], ["=1+1", "9.3"], "right", True)
    monkeypatch.setattr(score.attempts, "attempts", lambda: [record])
    monkeypatch.setattr("pages.shared.text.words.language", lambda: "en")
    [row] = json.loads(score.as_json(score.rows()))
    assert (row["question"], row["result"], row["numbers"], row["hint"]) == ("lookup", "right later", 7, "yes")
    [line] = csv.DictReader(io.StringIO(score.csv(score.rows()).decode("utf-8-sig")))
    assert line["answers"].startswith("'=")  # no formula


def test_a_teacher_s_link_asks_the_same_of_all() -> None:
    first = opened("wavelength", set="position,masked")
    second = opened("wavelength", set="position,masked")
    assert inside(first, "asked") == inside(second, "asked")
    assert inside(opened("wavelength", numbers="8"), "asked") != inside(first, "asked")
    count = sum(question.topic in ("position", "masked") for question in QUESTIONS.values())
    assert sentence("en", "quiz.asked", count=count) in [caption.value for caption in first.caption]
    for key, value in (("set", "position,masked"), ("numbers", "7")):
        assert first.query_params[key] in (value, [value])


def test_single_questions_can_be_chosen() -> None:
    app = visit("quiz", only="permute,tied", numbers="3")
    assert app.header[0].value == sentence("en", "quiz_permute.title")
    click(app, "next")
    assert app.header[0].value == sentence("en", "quiz_tied.title")
    assert app.button(key="next").disabled
    click(app, "back")
    assert app.header[0].value == sentence("en", "quiz_permute.title")


def test_users_get_numbers_of_their_own_and_others_again() -> None:
    texts = {inside(visit("quiz", question="wavelength"), "asked")[0] for _ in range(4)}
    assert len(texts) > 1
    app = opened("wavelength")
    before = inside(app, "asked")
    click(app, "hint")
    click(app, "tell")
    results = set()
    for _ in range(3):
        if app.button(key="again"):
            click(app, "again")
            results.add(inside(app, "asked")[0])
            click(app, "hint")
            click(app, "tell")
    assert results - set(before)


def test_a_link_asks_everyone_for_the_same_numbers() -> None:
    app = visit("quiz", question="wavelength")
    for button in ("hint", "tell", "again"):
        click(app, button)
    app.query_params |= {"numbers": "7"}
    assert inside(app.run(), "asked") == inside(opened("wavelength"), "asked")


@in_turn(
    ("key", "value"), [("question", "x"), ("set", "position,x"), ("only", "x"), ("numbers", "-1"), ("numbers", "1e9")]
)
def test_an_address_that_asks_for_too_much_says_so(key: str, value: str, language: str) -> None:
    [notice] = said(visit("quiz", language, **{key: value}))
    assert value in notice


def test_what_is_typed_is_text() -> None:
    app = opened("lookup")
    typed(app, "lookup", MARKUP)
    nothing_is_marked_up(app)
    app = opened("read_row", sentence=f"{MARKUP} Das Haus ist alt")
    nothing_is_marked_up(app)


def test_every_door_leads_to_a_page() -> None:
    assert {question.page for question in QUESTIONS.values()} <= set(PAGES)


@pytest.mark.sample(3)
@in_turn(
    ("name", "taught"),
    [
        ("quadratic", "attention_about.raw"), ("more_heads", "attention_about.concat"), ("tied", "cards.tied"),
        ("families", "cards.untrained_hint"), ("parallel", "masks_loss.caption"),
        ("pre_norm", "llm_about.pre_norm"), ("grouped", "llm_about.grouped"), ("rotary", "llm_about.rotary"),
        ("cache", "decoding_cache.memory"),
    ],
)  # fmt: skip
def test_the_door_leads_to_the_sentence_that_teaches_it(name: str, taught: str, language: str) -> None:
    from pages.shared.session.view import spelled

    door = {**QUESTIONS[name].choices, **asked(name).door}
    app = visit(QUESTIONS[name].page, language, **{key: spelled(value) for key, value in door.items()})
    blanks = re.split(r"\{\w+\}", all_texts(language)[taught])
    sentence_ = ".+".join(map(re.escape, blanks))
    assert any(re.fullmatch(sentence_, element.value) for element in (*app.main.caption, *app.main.text))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", QUESTIONS)
def test_what_a_door_sets_up_is_there(name: str) -> None:
    """Opened as a link, so that a setting that the page does not know would be said."""
    from pages.shared.session.view import spelled

    question = QUESTIONS[name]
    settings = {key: value for key, value in {**question.choices, **asked(name).door}.items() if value is not None}
    app = visit(question.page, **{key: spelled(value) for key, value in settings.items()})
    assert said(app) == []
    for key, value in settings.items():
        assert app.query_params[key] in (spelled(value), [spelled(value)]), key


def topics_of(app: AppTest) -> list[str]:
    return app.selectbox(key="topic").options


def test_a_student_chooses_a_topic_and_sees_how_much_of_it_is_done() -> None:
    language = "es"
    texts = all_texts(language)
    app = visit("quiz", language, numbers="7", only="lookup,why_scale,row_sum")
    assert topics_of(app) == [
        f"{texts['quiz.all_topics']} · 0/3", f"{texts['quiz_topics.attention']} · 0/2",
        f"{texts['quiz_topics.self_attention']} · 0/1",
    ]  # fmt: skip
    app.selectbox(key="topic").set_value("attention").run()
    assert app.query_params["topic"] == "attention"
    click(app, "next")
    assert app.header[0].value == texts["quiz_why_scale.title"]
    assert next(button for button in app.button if button.key == "next").disabled  # the other topic is left out
    click(click(app, "hint"), "tell")
    assert topics_of(app)[1] == f"{texts['quiz_topics.attention']} · 1/2"
    link = {"only": "lookup,why_scale,row_sum", "topic": "attention", "question": "lookup"}
    assert visit("quiz", language, **link).selectbox(key="topic").value == "attention"


def test_a_link_of_one_topic_offers_no_other() -> None:
    app = visit("quiz", "en", set="masked")
    assert "topic" not in {box.key for box in app.selectbox}
    assert said(visit("quiz", "en", topic="nothing")) != []
