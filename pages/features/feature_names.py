"""Names of features: the user's own, which stand in the link, and those of a dictionary with their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.features.meaning import naming
from pages.features import cached_features
from pages.features.cached_features import Source
from pages.shared.session import view
from pages.shared.text.words import section, words
from viz.numbers import percent

LIMIT = 40  # characters of a name
_KEY = "names"  # setting: `842:polite:de-en/encoder.output;17:schw:de-en/encoder.output`
_PART, _END = ":", ";"


def own(source: Source) -> dict[int, str]:
    """The user's names for features of a dictionary, by their number."""
    return {int(number): name for number, name, place in _all() if place == _place(source)}


def give(source: Source, feature: int, name: str) -> None:
    """Name a feature; an empty name takes its name away."""
    others = [part for part in _all() if (part[0], part[2]) != (str(feature), _place(source))]
    text = " ".join(name.replace(_PART, " ").replace(_END, " ").split())[:LIMIT]
    kept = [*others, (str(feature), text, _place(source))] if text else others
    while len(spelled := _END.join(map(_PART.join, kept))) > view.SETTING_LIMIT:
        kept = kept[1:]  # a link holds no more characters: the oldest name goes
    view.choose(**{_KEY: spelled or None})


def _place(source: Source) -> str:
    return f"{source.entry.name}/{source.site}{'/own' if source.run else ''}"


def _all() -> list[tuple[str, str, str]]:
    """Number, name and dictionary of each name in the link; what is spelled otherwise is left out."""
    parts = [part.split(_PART, 2) for part in (view.setting(_KEY) or "").split(_END)]
    return [
        (number, name[:LIMIT], place)
        for number, name, place in (part for part in parts if len(part) == 3)
        if number.isascii() and number.isdecimal() and len(number) < 6 and name.strip()
    ]


def _shipped(source: Source) -> dict[int, dict[str, Any]]:
    """What the dictionary's card says of the features that it names, by their number."""
    return {int(each["feature"]): each for each in cached_features.stored(source).card.get("names", ())}


def called(source: Source, feature: int) -> str:
    """The user's name for a feature, else the dictionary's, else the tokens at which it is strongest."""
    return _names(source).get(feature) or _joined(cached_features.strongest_tokens(source)[feature])


def title(source: Source, feature: int) -> str:
    """Its number and its name."""
    return words("features_one.title", id=feature, name=called(source, feature))


def titles(source: Source) -> dict[int, str]:
    """The titles of all features, by their number."""
    names, template = _names(source), words("features_one.title")
    return {
        each: template.format(id=each, name=names.get(each) or _joined(tokens))
        for each, tokens in enumerate(cached_features.strongest_tokens(source))
    }


def _names(source: Source) -> dict[int, str]:
    """Every feature that has a name."""
    texts = section("features_name")
    known = {feature: texts.get(each["name"], "") for feature, each in _shipped(source).items()}
    return known | own(source)


def _joined(tokens: Sequence[str]) -> str:
    return " · ".join(tokens) or words("features_one.dead")


def evidence(source: Source, feature: int) -> str:
    """The measurement on which the dictionary's name for it rests; empty if it has none."""
    known, texts = _shipped(source).get(feature), section("features_name")
    if known is None or known["name"] not in texts:
        return ""
    precision, low, high = known["precision"]
    return words(
        "features_one.evidence", name=texts[known["name"]], precision=percent(precision), low=percent(low),
        high=percent(high), active=known["active"], recall=percent(known["recall"]),
        least=percent(naming.PRECISION),
    )  # fmt: skip
