"""The score of every head for every role, and of the same heads with random weights, over sentences."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from model.checkpoint.checkpoints import Checkpoint
from model.circuits import head_roles
from model.decode.translate import can_read, translate
from model.errors import InvalidInput
from model.measurements.asked import MODEL, option
from model.measurements.measurement import Measurement


def measure(
    checkpoint: Checkpoint, sentences: Sequence[str], report: Callable[[int], None] = lambda count: None
) -> dict[str, Any]:
    """By role and head: mean score, lower end of its 95 % interval, score of even weights, and whether it has the role.

    `random` has the same of the model with random weights of `seed`, if this one is trained. `report` is told how many
    sentences are done.
    """
    readable = [sentence for sentence in sentences if can_read(checkpoint, sentence)]
    if not readable:
        raise InvalidInput("sentence_empty")
    twin = head_roles.twin(checkpoint)
    own, random = list[head_roles.Gathered](), list[head_roles.Gathered]()
    for number, sentence in enumerate(readable, 1):
        run = translate(checkpoint, sentence)
        own.append(head_roles.of_sentence(checkpoint, run))
        random.append(head_roles.of_twin(checkpoint, twin, run))
        report(number)
    for seed in range(head_roles.ROUNDS):
        own.append(head_roles.of_repeated_text(checkpoint, seed))
        random.append(head_roles.of_repeated_text(twin, seed))
    result = {"seed": head_roles.TWIN_SEED, "sentences": len(readable), "roles": _named(own)}
    return result | ({"random": _named(random)} if checkpoint.trained else {})


def _named(gathered: Sequence[head_roles.Gathered]) -> dict[str, dict[str, list[float | bool]]]:
    """By role and head (`cross.1.0`)."""
    result: dict[str, dict[str, list[float | bool]]] = {}
    for name, role, scores, (layer, head) in head_roles.heads(head_roles.summed(gathered)):
        numbers = (scores.mean, scores.low, scores.chance)
        row: list[float | bool] = [round(float(each[layer, head]), 4) for each in numbers]
        result.setdefault(role, {})[name] = [*row, bool(scores.stated(role)[layer, head])]
    return result


MEASUREMENT = Measurement[None](
    name="roles",
    about="how well each head fits each role, as JSON",
    measure=lambda asked: asked.over(asked.examples() if asked.lines is None else asked.lines, measure),
    options=(
        *MODEL,
        option("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of the card's"),
    ),
    save=None,
)
