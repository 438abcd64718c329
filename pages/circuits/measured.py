"""What is measured of a model: the roles of its heads, and the effect of removing each part, over its sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping

from model.checkpoint import catalogue
from model.circuits import ablation, head_roles
from model.decode import translate
from model.errors import InvalidInput
from pages.shared.models import cache as models
from pages.shared.models import sentences
from pages.shared.ui import progress

FILE = "ablations.json"  # of a checkpoint: what `python -m model ablation` wrote
LIVE = 12  # sentences that are measured where nothing is recorded
Effects = Mapping[str, "ablation.Effect"]  # by the name of the part


def readable(entry: catalogue.Entry) -> list[str]:
    """Sentences of the card that the model can read, short ones first of each kind."""
    chosen: list[str] = []
    for sentence in dict.fromkeys(sentences.of_card(entry)):
        try:
            translate.encode(models.checkpoint(entry), sentence)
        except InvalidInput:
            continue
        chosen.append(sentence)
        if len(chosen) == LIVE:
            break
    return chosen


def roles(entry: catalogue.Entry) -> head_roles.Measured | None:
    """The roles of all heads; None where the user has cancelled."""
    parts = [("sentence", sentence) for sentence in readable(entry)]
    parts += [("repeated", str(seed)) for seed in range(head_roles.ROUNDS)]
    found = progress.computed(
        f"roles {entry.name} {entry.fingerprint}", parts, lambda kind, text: _of(entry, kind, text)
    )
    return None if found is None else head_roles.summed(list(found.values()))


@models.cached(512)
def _of(entry: catalogue.Entry, kind: str, text: str) -> head_roles.Gathered:
    checkpoint = models.checkpoint(entry)
    if kind == "repeated":
        return head_roles.of_repeated_text(checkpoint, int(text))
    return head_roles.of_sentence(checkpoint, models.run(entry, text))


def recorded(entry: catalogue.Entry) -> tuple[int, Mapping[str, Effects]] | None:
    """What was recorded of the model: the number of sentences, and for each way the effects; None if nothing was."""
    if isinstance(entry, catalogue.Untrained):
        return None
    try:
        found = json.loads((entry.folder / FILE).read_text(encoding="utf-8"))
        ways: dict[str, Effects] = {
            way: {part: ablation.Effect(*map(float, values)) for part, values in found[way].items()}
            for way in ablation.WAYS
        }
        return int(found["sentences"]), ways
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def effects(entry: catalogue.Entry, way: str) -> tuple[int, Effects] | None:
    """The number of sentences, and the effect of removing each part: recorded, or measured now on the card's."""
    known = recorded(entry)
    if known is not None:
        return known[0], known[1][way]
    chosen = readable(entry)
    found = progress.computed(
        f"ablation {way} {entry.name} {entry.fingerprint}",
        [(number,) for number in range(len(chosen))],
        lambda number: _ablated(entry, tuple(chosen), way, number),
    )
    if found is None:
        return None
    gathered: dict[str, list[float]] = {}
    for each in found.values():
        for part, effect in each.items():
            gathered.setdefault(part, []).append(effect)
    return len(chosen), {part: ablation.summed(values) for part, values in gathered.items()}


@models.cached(512)
def _ablated(entry: catalogue.Entry, chosen: tuple[str, ...], way: str, number: int) -> dict[str, float]:
    """The effects on one of the sentences."""
    runs = [models.run(entry, sentence) for sentence in chosen]
    found = ablation.of_sentence(models.checkpoint(entry), runs, number, way)  # type: ignore[arg-type]
    return {part.name: effect for part, effect in found.items()}
