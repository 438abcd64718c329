"""Places along the depth of a model, by name."""

from collections.abc import Sequence

from pages.shared.text.words import words


def title(at: str) -> str:
    """The user's name of a depth: `0.self_attention`, `input`, `final`."""
    layer, _, part = at.rpartition(".")
    return words(f"layers_place.{part}", layer=layer) if layer else words(f"layers_place.{part}")


def layer_title(at: str) -> str:
    """The name of the depth after a whole layer."""
    layer = at.rpartition(".")[0]
    return words("layers_place.layer", layer=layer) if layer else title(at)


def titles(depths: Sequence[str]) -> dict[str, str]:
    """Places with their names."""
    return {at: title(at) for at in depths}
