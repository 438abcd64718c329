"""One head switched off, or on again, in a list of changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from model.edit import notation


@dataclass(frozen=True)
class Head:
    """A head of the model in view, and how many layers and heads of its kind there are."""

    kind: str
    layer: int
    head: int
    layers: int
    heads: int

    @property
    def at(self) -> tuple[str, str, str]:
        return self.kind, str(self.layer), str(self.head)


def switched_off(changes: Sequence[notation.Change], head: Head) -> list[notation.Change]:
    """The changes, and this head off."""
    others = (change for change in changes if (change.verb, change.at) != ("off", head.at))
    return [*others, notation.Change("off", head.at)]


def switched_on(changes: Sequence[notation.Change], head: Head) -> list[notation.Change]:
    """The changes, and this head on: of those that switch off more heads, the others stay off."""
    return [part for change in changes for part in (_without(change, head) if _holds(change, head) else [change])]


def _holds(change: notation.Change, head: Head) -> bool:
    return (
        change.on
        and change.verb == "off"
        and len(change.at) == len(head.at)
        and all(place in (notation.EVERY, own) for place, own in zip(change.at, head.at, strict=True))
    )


def _without(change: notation.Change, head: Head) -> Iterable[notation.Change]:
    """Rest of a change without one head, in as few changes as say it."""
    kind, layer, number = change.at
    if layer == notation.EVERY:
        layers = (str(other) for other in range(head.layers) if other != head.layer)
        yield from (notation.Change("off", (kind, other, number)) for other in layers)
    if number == notation.EVERY:
        heads = (str(other) for other in range(head.heads) if other != head.head)
        yield from (notation.Change("off", (kind, str(head.layer), other)) for other in heads)
