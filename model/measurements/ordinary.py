"""How many ordinary sentences a translator gets right, and a rule that marks outputs which may be wrong.

Needs no torch to read what was saved; `model.quality.ordinary_fit` measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.checkpoint.catalogue import Entry
from model.decode.doubt import SIGNS, Rule
from model.errors import InvalidInput
from model.intervals import Estimate
from model.measurements.asked import Asked
from model.measurements.measurement import Measurement, spelled

FILE = "ordinary.json"


@dataclass(frozen=True)
class Saved:
    """How many ordinary sentences come out right, and the rule that marks outputs which may be wrong.

    sentences  of which that is measured
    words      of the `word_list` words of a first course that occurred in training
    marked     shares of wrong and of right outputs that the rule marks, and the area under its curve
    by_mean    the same of the mean log-probability alone

    There is no rule where all outputs were right, or all wrong.
    """

    sentences: int
    right: Estimate
    words: int
    word_list: int
    rule: Rule | None
    marked: tuple[Estimate, Estimate, Estimate] | None
    by_mean: tuple[Estimate, Estimate, Estimate] | None


def _read(content: dict[str, Any]) -> Saved:
    counts = int(content["sentences"]["test"]), Estimate(*map(float, content["right"]))
    words = int(content["words"]), int(content["word_list"])
    if "rule" not in content:
        return Saved(*counts, *words, None, None, None)
    rows = {
        str(name): (float(row["mean"]), float(row["scale"]), float(row["weight"]))
        for name, row in content["rule"].items()
    }
    if not set(rows) <= set(SIGNS) or any(scale <= 0 for _, scale, _ in rows.values()):
        raise ValueError("a rule of other signs")
    rule = Rule(rows, float(content["threshold"]))
    return Saved(*counts, *words, rule, _marks(content["marked"]), _marks(content["by_mean"]))


def _marks(row: dict[str, list[float]]) -> tuple[Estimate, Estimate, Estimate]:
    wrong, right, area = (Estimate(*map(float, row[name])) for name in ("wrong", "right", "area"))
    return wrong, right, area


def _measure(asked: Asked) -> dict[str, Any]:
    from corpora import ordinary  # late: pages read what was saved before torch is loaded
    from model.quality.ordinary_fit import measure

    language = str(asked.entry.card.get("source_language", ""))
    translates = asked.entry.card.get("task") == "translation" and asked.entry.card.get("target_language") == "en"
    sentences = ordinary.read(language) if translates else []
    if asked.entry.config.architecture != "encoder-decoder" or not sentences:
        raise InvalidInput("ordinary_none", name=asked.entry.name)
    known = inventory(language)
    return asked.over(sentences, lambda checkpoint, each, report: measure(checkpoint, each, known, report))  # type: ignore[arg-type]


def _save(entry: Entry, results: dict[str, Any]) -> None:
    from model.build import cards

    (entry.folder / FILE).write_text(spelled(results), encoding="utf-8")
    cards.add_ordinary(entry, results)


def inventory(language: str) -> list[str]:
    """The words of a first course, as its list spells them; none where there is no list."""
    from corpora import grammar

    return [word for _, word in grammar.inventory(language)]


MEASUREMENT = Measurement(
    name="ordinary",
    about="how many ordinary sentences come out right, and a rule that marks outputs that may be wrong, as JSON",
    measure=_measure,
    file=FILE,
    read=_read,
    write=_save,
)


def rule(entry: Entry) -> Rule | None:
    """The measured rule that marks the model's doubtful outputs, if there is one."""
    saved = MEASUREMENT.saved(entry)
    return saved.rule if saved else None
