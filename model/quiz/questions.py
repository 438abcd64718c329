"""The list of all quiz questions: topic, the function that poses it, and the page on which the answer can be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from model.quiz import model_questions, random_questions
from model.quiz.posed_question import PosedQuestion, QuizMaterial, fixed

Make = Callable[[QuizMaterial], PosedQuestion | None]


@dataclass(frozen=True)
class Question:
    """A question before its numbers are drawn.

    make    poses it, or returns None if the current model has no answer to it
    page    the page on which the answer can be seen, with its settings in `choices`
    live    whether it is about the current run
    varies  whether another draw gives another question
    """

    name: str
    topic: str
    make: Make
    page: str
    choices: Mapping[str, object] = field(default_factory=dict)
    live: bool = False
    varies: bool = True

    def ask(self, material: QuizMaterial) -> PosedQuestion | None:
        """The question with its numbers; None if the current model has no answer to it."""
        return self.make(material)


def _always(name: str, *wrong: str) -> Make:
    return partial(_fixed, name, wrong)


def _fixed(name: str, wrong: tuple[str, ...], material: QuizMaterial) -> PosedQuestion:
    return fixed(wrong, material.draw(name))


def _all() -> list[Question]:
    attention, layers, position, why = {"view": None}, {"show": None}, {"show": "others"}, {"show": "why"}
    return [
        Question("lookup", "attention", random_questions.lookup, "primer", {"show": None}),
        Question("why_scale", "attention", random_questions.why_scale, "primer", why),
        Question("saturate", "attention", model_questions.saturate, "primer", why, live=True),
        Question("permute", "self_attention", _always("permute", "stay", "mixed"), "position", position, varies=False),
        Question("shape_scores", "self_attention", model_questions.shape_scores, "attention", live=True, varies=False),
        Question("read_row", "self_attention", model_questions.read_row, "attention", live=True),
        Question("row_sum", "self_attention", model_questions.row_sum, "attention", live=True),
        Question(
            "head_previous", "self_attention", model_questions.head_previous, "attention", live=True, varies=False
        ),
        Question("which_mask", "masked", model_questions.which_mask, "masks", live=True),
        Question("allowed_cells", "masked", model_questions.allowed_cells, "masks", live=True, varies=False),
        Question(
            "future_loss", "masked", _always("future_loss", "slower", "better", "nothing"), "break",
            {"show": "effect", "mistake": "no_causal_mask"}, varies=False,
        ),
        Question("empty_row", "masked", random_questions.empty_row, "masks", {"show": "fill"}),
        Question("head_width", "multi_head", model_questions.head_width, "attention", live=True, varies=False),
        Question(
            "more_heads", "multi_head", _always("more_heads", "double", "half"), "attention",
            {"view": "stages", "stage": "concat"},
            varies=False,
        ),
        Question("head_first", "multi_head", model_questions.head_first, "attention", live=True, varies=False),
        Question(
            "cross_parts", "encoder_decoder", _always("cross_parts", "swapped", "values", "encoder"), "attention",
            {"attention_kind": "cross", "view": "stages", "stage": "input"}, varies=False,
        ),
        Question("cross_shape", "encoder_decoder", model_questions.cross_shape, "attention", live=True, varies=False),
        Question("families", "encoder_decoder", random_questions.families, "checkpoints"),
        Question("wavelength", "position", random_questions.wavelength, "position"),
        Question("base_least", "position", random_questions.base_least, "position"),
        Question("inner_product", "position", random_questions.inner_product, "position"),
        Question(
            "beyond_table", "position", _always("beyond_table", "zero", "again", "between"), "position", position,
            varies=False,
        ),
        Question("norm_entry", "layer_norm", random_questions.norm_entry, "layers", {"show": "norm"}),
        Question(
            "batch_norm", "layer_norm", _always("batch_norm", "sentence", "padding", "token"), "layers",
            {"show": "norm"}, varies=False,
        ),
        Question("pre_or_post", "layer_norm", model_questions.pre_or_post, "layers", layers, live=True, varies=False),
        Question("residual_sum", "residual", model_questions.residual_sum, "layers", layers, live=True),
        Question(
            "zero_sublayer", "residual", _always("zero_sublayer", "zero", "normed", "double"), "layers", layers,
            varies=False,
        ),
        Question("energy_ratio", "embedding", random_questions.energy_ratio, "energy"),
        Question("next_word", "embedding", model_questions.next_word, "decoding", attention, live=True),
        Question("tied", "embedding", random_questions.tied, "checkpoints", {"show": "parts"}),
        Question(
            "order_decoder", "whole", _always("order_decoder", "cross_first", "feed_first", "together"), "start",
            varies=False,
        ),
        Question("attentions", "whole", model_questions.attentions, "start", live=True, varies=False),
        Question(
            "ffn_weights", "whole", model_questions.ffn_weights, "layers", {"show": "feed_forward"}, live=True,
            varies=False,
        ),
        Question(
            "parallel", "whole", _always("parallel", "cache", "heads", "order"), "masks", {"show": "loss"},
            varies=False,
        ),
        Question("cache", "today", model_questions.cache, "decoding", live=True, varies=False),
        Question("quadratic", "today", random_questions.quadratic, "attention", {"view": "stages", "stage": "raw"}),
        Question(
            "pre_norm", "today", _always("pre_norm", "fewer", "unneeded", "softmax"), "llm",
            {"show": None, "about": "pre_norm"}, varies=False,
        ),
        Question("grouped", "today", random_questions.grouped, "llm", {"show": None, "about": "grouped"}),
        Question("rotary", "today", random_questions.rotary, "llm", {"show": None, "about": "rotary"}),
    ]  # fmt: skip


QUESTIONS = {question.name: question for question in _all()}
TOPICS = tuple(dict.fromkeys(question.topic for question in QUESTIONS.values()))


def offered(material_for: Callable[[str], QuizMaterial]) -> dict[str, PosedQuestion]:
    """Every question that the current model can answer; `material_for` gives the material of a question by its name."""
    attempts = {name: question.ask(material_for(name)) for name, question in QUESTIONS.items()}
    return {name: attempt for name, attempt in attempts.items() if attempt is not None}


def topics(names: Mapping[str, object]) -> dict[str, list[str]]:
    """Topic -> the questions of `names` that belong to it."""
    return {
        topic: [name for name in names if QUESTIONS[name].topic == topic]
        for topic in TOPICS
        if any(QUESTIONS[name].topic == topic for name in names)
    }
