"""Keys and grades of predictions over the shipped models, each worked out another way."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate
from model.predict.grading import answers, graded
from model.predict.misconceptions import MISCONCEPTIONS
from model.predict.prediction import KINDS, MARGIN, NEAR, AskedHead, PredictionMaterial, ask
from model.quiz.posed_question import PosedQuestion
from tests.model.predict.reference import Content, Reference

MODELS = tuple(catalogue.sentence_models())
FEW = ("es-en", "sort", "induction", "llm-rotary", "copy-8-relative", "mini-encoder")
ALL = 10_000
MOST_WRITTEN = 40  # tokens of a sentence whose outputs are written again and again


@cache
def material(model: str, sentence: str, numbers: int, place: AskedHead | None = None) -> PredictionMaterial:
    entry = catalogue.sentence_models()[model]
    checkpoint = checkpoints.load(entry)
    run = translate(checkpoint, sentence)
    return PredictionMaterial(entry.config, run.trace, numbers, checkpoint=checkpoint, run=run, place=place)


def written(first: PredictionMaterial) -> int:
    """How many tokens the model wrote itself."""
    return len(first.run.ids) - first.first if first.run.target else 0


def examples(model: str) -> list[str]:
    return list(catalogue.sentence_models()[model].card["examples"])


def questions(model: str, sentence: str, numbers: range) -> Iterator[Content]:
    first = material(model, sentence, 0)
    for number in numbers:
        own = PredictionMaterial(
            first.config, first.trace, number, checkpoint=first.checkpoint, run=first.run
        )  # fmt: skip
        for name in KINDS:
            if question := ask(name, own):
                assert question.margin > 0
                yield question.content()


def wrong(reference: Reference, question: Content) -> list[str]:
    """What of a question or of its grades differs from the reference; empty where nothing does."""
    key, found = reference.key(question), []
    if question["look"] == "percent":
        if abs(float(question["key"]) - float(key)) > 0.02:
            found.append(f"{question} should have {key}")
        near = {answer for answer in answers(question) if abs(int(answer) - float(key)) <= NEAR}
    else:
        if question["key"] != key:
            found.append(f"{question} should have {key}")
        near = {str(key)}
    edge = {answer for answer in answers(question) if question["look"] == "percent"
            and abs(abs(int(answer) - float(key)) - NEAR) < 0.02}  # fmt: skip
    graded_right = {answer for answer in answers(question) if graded(question, answer).right}
    if graded_right - edge != near - edge:
        found.append(f"{question} takes {graded_right}")
    return found


@pytest.mark.parametrize("model", FEW)
def test_keys_and_grades_are_those_of_plain_passes(model: str) -> None:
    sentence = examples(model)[0]
    first = material(model, sentence, 0)
    reference = Reference(first.checkpoint, sentence, written(first))
    asked = list(questions(model, sentence, range(1, 4)))
    assert {question["question"] for question in asked} >= {"where"}
    assert [problem for question in asked for problem in wrong(reference, question)] == []


@pytest.mark.full
def test_ten_thousand_keys_and_grades() -> None:
    """All shipped models; prints how many of each kind were held against the reference, and how many were wrong."""
    counts: Counter[str] = Counter()
    problems: list[str] = []
    references: dict[tuple[str, str], Reference] = {}
    start = 1
    while counts.total() < ALL:
        for model in MODELS:
            for sentence in examples(model):
                first = material(model, sentence, 0)
                if len(first.run.target) > MOST_WRITTEN:
                    continue
                if (model, sentence) not in references:
                    references[model, sentence] = Reference(first.checkpoint, sentence, written(first))
                for question in questions(model, sentence, range(start, start + 3)):
                    counts[question["question"]] += 1
                    problems += wrong(references[model, sentence], question)
        start += 3
    print(dict(counts), counts.total(), "questions,", len(problems), "wrong")
    assert problems == []


def test_the_same_number_asks_the_same_and_the_head_in_view_is_asked_about() -> None:
    sentence = examples("es-en")[0]
    first, second = (list(questions("es-en", sentence, range(5, 7))) for _ in range(2))
    assert first == second
    assert first[: len(KINDS)] != first[len(KINDS) :]
    place = AskedHead("cross", 1, 3)
    asked = ask("where", material("es-en", sentence, 5, place))
    assert asked is not None
    assert [asked.posed.values[name] for name in ("kind", "layer", "head")] == list(place)


def test_what_is_not_clear_is_not_asked() -> None:
    """No head of this model changes a clear output by less than the margin."""
    sentence = examples("es-en")[1]
    for number in range(1, 5):
        question = ask("head_off", material("es-en", sentence, number))
        assert question is None or question.margin >= MARGIN
    for name in ("head_off", "next_word", "likelier", "position", "how_sure", "without_mask", "without_positions"):
        assert ask(name, material("mini-encoder", examples("mini-encoder")[0], 1)) is None
    assert ask("without_positions", material("copy-8-no-position", examples("copy-8-no-position")[0], 1)) is None


def test_every_misconception_has_an_answer_that_is_wrong() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for model in ("es-en", "sort", "induction", "llm-rotary"):
        for question in questions(model, examples(model)[0], range(1, 7)):
            assert question["key"] not in question["shows"]
            assert set(question["shows"]) <= set(answers(question))
            assert len(set(answers(question))) >= 4
            for name in question["shows"].values():
                seen[name, question["question"]] += 1
    rare = {("certain", "how_sure")}  # where a word was in doubt, which these sentences have none of
    declared = {(name, kind) for name, each in MISCONCEPTIONS.items() for kind in each.answers}
    assert set(seen) | rare == declared


def test_a_slider_may_be_off_by_ten_points() -> None:
    question = {"question": "how_sure", "look": "percent", "key": "63.4", "options": [], "shows": {}}
    grades = {answer: graded(question, answer) for answer in ("53", "54", "63", "73", "74")}
    assert [grade.right for grade in grades.values()] == [False, True, True, True, False]
    assert grades["53"].distance == 10.4
    assert PosedQuestion("number", 63.4, rounding=NEAR).is_right("54")
