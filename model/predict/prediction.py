"""A question that asks for a prediction, with its key, and the material from which it is drawn.

A question whose measured margin is too small to be fair is not asked: functions that pose one return None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from model.predict.misconceptions import MISCONCEPTIONS
from model.quiz.posed_question import PosedQuestion, QuizMaterial
from model.tokenization.token_text import is_special
from model.trace import AttentionKind

if TYPE_CHECKING:
    from model.checkpoint.checkpoints import Checkpoint
    from model.decode.translate import Translation

Look = Literal["options", "words", "percent"]
MARGIN = 0.1  # nats by which the likeliest token leads the second, in every step that decides a key
LEAD = 0.1  # by which the largest weight of a row leads the second
NEAR = 10  # percentage points within which an answer on the slider is right
NONE = "none"  # the option that no word changes
PERCENT = 101  # answers of a slider
_TRIED = 12  # places that are tried until one is fair


class AskedHead(NamedTuple):
    """A head that a question is about: its kind of attention, its layer, its number in the layer."""

    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True)
class Kind:
    """A kind of question: the module that poses it, and the page with its settings on which the answer can be seen."""

    module: str
    page: str
    settings: Mapping[str, str] = field(default_factory=dict)


KINDS = {
    "where": Kind("from_trace", "attention"),
    "head_off": Kind("from_edits", "intervene"),
    "without_mask": Kind("from_edits", "intervene"),
    "without_positions": Kind("from_edits", "intervene"),
    "how_sure": Kind("from_trace", "decoding"),
    "next_word": Kind("from_outputs", "decoding"),
    "likelier": Kind("from_outputs", "decoding", {"view": "given"}),
    "position": Kind("from_trace", "attention"),
}


@dataclass(frozen=True, eq=False)
class PredictionMaterial(QuizMaterial):
    """The material of a quiz's question and the model itself; `place` is the head in view, tried first."""

    checkpoint: Checkpoint = field(kw_only=True)
    run: Translation = field(kw_only=True)
    place: AskedHead | None = None

    @cached_property
    def first(self) -> int:
        """The first row whose token the model wrote itself."""
        from model.edit.edit_effects import first_step

        return first_step(self.checkpoint, self.run)

    @cached_property
    def logits(self) -> np.ndarray:
        """Of the model's own pass, (T, V)."""
        logits: np.ndarray = self.trace.values["logits"]
        return logits

    def places(self, name: str, kinds: Iterable[AttentionKind]) -> list[AskedHead]:
        """Heads of these kinds: the one in view, then some in an order drawn for the question `name`."""
        wanted = [kind for kind in kinds if kind in self.trace.kinds]
        every = [
            AskedHead(kind, layer, head)
            for kind in wanted
            for layer, head in np.ndindex(self.trace.weights(kind).shape[:2])
        ]
        drawn = self.draw(f"predict {name}").sample(every, min(_TRIED, len(every)))
        return list(dict.fromkeys([*([self.place] if self.place in every and self.place else []), *drawn]))


@dataclass(frozen=True, eq=False)
class Prediction:
    """A question for a prediction.

    posed     the question with its key; of a slider a number in percent
    look      how it is answered: by one of some options, by a word of a sentence, or by a slider from 0 to 100 %
    shows     answer -> the misconception that it shows; never the key
    shares    answer -> what was measured for it, 0 to 1
    margin    by which the key is measured: nats, a weight or a share
    measure   where the key is read off, for a page that runs the model without Python: a `row` of the pass, ids that
              the output is `forced` to begin with, or the `first` row that the model wrote itself
    """

    name: str
    posed: PosedQuestion
    look: Look = "options"
    shows: Mapping[str, str] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    margin: float = 1.0
    measure: Mapping[str, object] = field(default_factory=dict)

    def content(self) -> dict[str, Any]:
        """Everything as JSON holds it, as a class keeps it; `grading` and `diagnosis` read it."""
        return {
            "question": self.name,
            "look": self.look,
            "key": str(self.posed.key),
            "values": dict(self.posed.values),
            "options": [[str(option), self.posed.texts.get(str(option), "")] for option in self.posed.options],
            "shows": dict(self.shows),
            "shares": {answer: round(share, 4) for answer, share in self.shares.items()},
            "door": dict(self.posed.door),
        }


def prediction(
    name: str, posed: PosedQuestion, shows: Mapping[str, str] | None = None, *, look: Look = "options",
    shares: Mapping[str, float] | None = None, margin: float = 1.0, measure: Mapping[str, object] | None = None,
) -> Prediction:  # fmt: skip
    """A prediction; of `shows` what is offered and wrong. Of two misconceptions in one answer the first counts."""
    offered = set(map(str, posed.options)) if look != "percent" else set(map(str, range(PERCENT)))
    wrong = {answer: which for answer, which in (shows or {}).items() if answer in offered and answer != str(posed.key)}
    assert all(name in MISCONCEPTIONS[which].answers for which in wrong.values()), name
    return Prediction(name, posed, look, wrong, shares or {}, margin, measure or {})


def ask(name: str, material: PredictionMaterial) -> Prediction | None:
    """The question of that kind, drawn by the material's number; None where the model has none that is fair."""
    question: Prediction | None = getattr(import_module(f"model.predict.{KINDS[name].module}"), name)(material)
    return question


def gaps(logits: np.ndarray) -> np.ndarray:
    """By how much the likeliest token of each row (T, V) leads the second: (T), in nats."""
    top = -np.partition(-logits.astype(np.float64), 1, axis=-1)[:, :2]
    leads: np.ndarray = top[:, 0] - top[:, 1]
    return leads


def alone(tokens: Sequence[str]) -> Iterator[int]:
    """The places of tokens that a text names without doubt: no special, and only once among them."""
    return (at for at, token in enumerate(tokens) if not is_special(token) and tokens.count(token) == 1)
