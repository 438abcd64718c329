"""The parts of a model as a user reads them, with the name that files and commands give them."""

from __future__ import annotations

from pages.shared.text.words import words


def name_of(part: str) -> str:
    """`cross.1.0` as a text says it; the recorded name stands behind it."""
    return words("frame.part_named", name=title_of(part), part=part)


def title_of(part: str) -> str:
    """The same without the recorded name, for what stands beside it."""
    kind, layer, what = part.split(".")
    if what == "feed_forward":
        return words("circuits.feed_forward", side=words(f"circuits.{kind}_side"), layer=layer)
    return words(
        "attention_figure.head_name", kind=words(f"attention_figure.{kind}"), layer=layer, head=what
    )  # fmt: skip
