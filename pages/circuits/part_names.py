"""The parts of a model as a user reads them."""

from __future__ import annotations

from pages.shared.text.words import words


def short_name(part: str) -> str:
    """`cross.1.0` as a label: the first letters of the kind, then layer and head."""
    kind, layer, head = part.split(".")
    return words("circuits.short", kind=words(f"circuits.short_{kind}"), layer=layer, head=head)


def name_of(part: str) -> str:
    """`cross.1.0` as a user reads it."""
    kind, layer, what = part.split(".")
    if what == "feed_forward":
        return words("circuits.feed_forward", side=words(f"circuits.{kind}_side"), layer=layer)
    return words(
        "attention_figure.head_name", kind=words(f"attention_figure.{kind}"), layer=layer, head=what
    )  # fmt: skip
