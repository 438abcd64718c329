"""Scores of the attribution methods on a model's card, measured over many sentences. Needs no torch."""

from typing import Any

from model.attribution.method_names import METHODS, RANDOM, UNCERTAIN


def measured(card: dict[str, Any]) -> dict[str, Any] | None:
    """The result of `python -m model attribution`; None where the card has none, or not all of it."""
    result: dict[str, Any] | None = card.get("attribution")
    if not result or not result["words"]:
        return None
    names = _methods(result)
    sound = _are_intervals(result, names) and all(_is_interval(result["area"].get(name)) for name in (*names, RANDOM))
    return result if sound else None


def of_random_weights(result: dict[str, Any]) -> dict[str, Any] | None:
    """The same of the model with random weights; None where that was not measured."""
    twin: dict[str, Any] = result.get("random") or {}
    return twin if _are_intervals(twin, _methods(twin)) else None


def best(result: dict[str, Any]) -> str:
    """The method that most often names the same word first as leave-one-out."""
    return max(_methods(result)[:-1], key=lambda name: result["first"][name][0])


def _methods(result: dict[str, Any]) -> list[str]:
    """The methods that have scores: one that lacked values for a question has none."""
    return [name for name in METHODS if name != UNCERTAIN or name in result.get("first", {})]


def _are_intervals(result: dict[str, Any], names: list[str]) -> bool:
    return all(_is_interval(result.get(table, {}).get(name)) for table in ("correlation", "first") for name in names)


def _is_interval(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(isinstance(end, int | float) for end in value)
