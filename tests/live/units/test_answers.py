"""Answers in a unit: JavaScript gives the verdicts of Python, on typical texts and on random ones."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.errors import InvalidInput
from model.graph.quiz_questions import described
from model.quiz.answers import readings, shape
from model.quiz.posed_question import PosedQuestion
from tests.live.units.test_packages import MODULES
from tests.model.quiz.models import asked
from tests.node import run_tests

TEXTS = [
    "", " ", "12", "1024", "1,024", "1.024", "1,024.5", "1.024,5", "1.280.000", "1,280,000", "0.5", "0,5", ".5", "5.",
    "1/8", "1/0", "0/5", "1/8/2", "1,024/2", "50 %", "50%", "％", "５０％", "−3", "-3", "+3", "--3", "1e3", "1e-3",
    "1e100", "1 024", "= 5", "5 =", "5 ≈", "10²", "½", "１２", "١٢", "०.५", "(4, 9, 9)", "4 9 9", "4×9×9",
    "4 x 9 x 9", "[4;9;9]",    "4、9、9", "（4，9，9）", "4·9", "4*9*9", "4.5", "4, -9",
    "nan", "inf", "abc", "0x10", "1_000", "1,2,3", "1.2.3",
    "12345678901", "1" * 60, "词", "𝟙𝟚", "5\u00a0%", "\u2003 7 \u2003",
]  # fmt: skip
ALPHABET = "0123456789.,/%eE+-− x×()[]=２，。"


def test_javascript_reads_and_judges_as_python_does(tmp_path: Path) -> None:
    draw = random.Random(0)
    texts = TEXTS + ["".join(draw.choices(ALPHABET, k=draw.randint(1, 9))) for _ in range(3000)]
    read = [{"text": text, "numbers": _read(readings, text), "sizes": _read(shape, text)} for text in texts]
    assert sum(each["numbers"] is not None for each in read) > 300
    posed = [
        question for model in ("de-en", "zh-en") for number in (1, 2) for question in asked(model, number).values()
    ]
    questions = [{"question": described(question), "answers": _judged(question)} for question in posed]
    run_tests([MODULES / "answers.test.mjs"], tmp_path, answers={"texts": read, "questions": questions})


def _read(read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except InvalidInput:
        return None


def _judged(question: PosedQuestion) -> list[tuple[str, bool | None]]:
    """Answers with their verdicts: the solution, others close to it, and those that cannot be read."""
    answers = [question.solution(), "1", "abc", "(4, 9, 9)", *map(str, question.options), *question.measured]
    if question.kind == "number":
        key = question.key
        answers += [
            str(key),
            f"{key:,}",
            f"{key:.2f}",
            f"{key:.3f}".replace(".", ","),
            *(str(key * f) for f in (1.029, 1.031, 0.96)),
        ]
    return [(answer, _read(question.is_right, answer)) for answer in answers]
