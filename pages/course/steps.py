"""The ten steps of the course in their order: what draws each figure, and which page has the details."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from model.course.question import Question
from pages.course.figures import cross, head, heads, layers, learning, lookup, mask, position, vectors, writing
from pages.shared.models.sentence import CurrentRun


@dataclass(frozen=True)
class Step:
    """A step: what draws its figure and gives its question, and the page with the details."""

    figure: Callable[[CurrentRun], Question]
    page: str
    settings: Mapping[str, object] = field(default_factory=dict)


STEPS = {
    "lookup": Step(lookup.figure, "primer"),
    "vectors": Step(vectors.figure, "embedding", {"show": "near", "side": "decoder"}),
    "position": Step(position.figure, "position"),
    "head": Step(head.figure, "attention", {"attention_kind": "cross"}),
    "heads": Step(heads.figure, "attention", {"attention_kind": "decoder"}),
    "mask": Step(mask.figure, "masks"),
    "layers": Step(layers.figure, "layers", {"show": "early"}),
    "cross": Step(cross.figure, "sheet"),
    "writing": Step(writing.figure, "decoding"),
    "learning": Step(learning.figure, "train", {"task": "reverse"}),
}
END = "explain"
DETAILS_OF_END: tuple[str, Mapping[str, object]] = ("features", {"show": "sentence"})
