"""Scores of the attribution methods on a model's card, measured over many sentences. Needs no torch."""

from typing import Any

from model.attribution import method_names


def recorded(card: dict[str, Any]) -> dict[str, Any] | None:
    """The result of `python -m model attribution`; None where the card has none, or not all of it."""
    result: dict[str, Any] | None = card.get("attribution")
    if not result or not result["words"]:
        return None
    names = {
        "correlation": method_names.METHODS,
        "first": method_names.METHODS,
        "area": (*method_names.METHODS, method_names.RANDOM),
    }
    sound = all(_is_interval(result[table].get(name)) for table, each in names.items() for name in each)
    return result if sound else None


def of_random_weights(result: dict[str, Any]) -> dict[str, Any] | None:
    """The same of the model with random weights; None where that was not measured."""
    twin: dict[str, Any] = result.get("random") or {}
    sound = all(
        _is_interval(twin.get(table, {}).get(name))
        for table in ("correlation", "first")
        for name in method_names.METHODS
    )
    return twin if sound else None


def best(result: dict[str, Any]) -> str:
    """The method that most often names the same word first as leave-one-out."""
    return max(method_names.METHODS[:-1], key=lambda name: result["first"][name][0])


def _is_interval(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(isinstance(end, int | float) for end in value)
