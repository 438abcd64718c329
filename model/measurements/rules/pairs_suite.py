"""Minimal pairs of the grammar: of each phenomenon, how often the right output is likelier than the wrong one.

Needs no torch to read what was saved; `model.quality.minimal_pairs` measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import grammar, ordinary
from corpora.grammar import contrasts
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.intervals import Estimate, wilson
from model.measurements.asked import Asked
from model.measurements.measurement import Measurement

if TYPE_CHECKING:
    from model.checkpoint.checkpoints import Checkpoint

SEED = 0  # of the pairs
PAIRS = 40  # of a phenomenon


class ScoredPair(NamedTuple):
    """A minimal pair with the log-probabilities of its outputs, in nats."""

    source: str
    right: str
    wrong: str
    log_right: float
    log_wrong: float

    @property
    def is_right(self) -> bool:
        return self.log_right > self.log_wrong


@dataclass(frozen=True)
class Phenomenon:
    """What was found of a phenomenon.

    right    in how many pairs a model finds the right output likelier: `own`, its random `twin`, and `own` at a step
    shorter  in how many pairs the right output has fewer tokens; half where both have as many
    pairs    those in which the wrong one is likelier first, the surest first
    """

    right: Mapping[str, int]
    shorter: float
    pairs: tuple[ScoredPair, ...]

    def share(self, name: str = "own") -> Estimate:
        """The share of the pairs that a model gets right, with its interval."""
        return wilson(self.right[name], len(self.pairs))


@dataclass(frozen=True)
class Suite:
    """The phenomena by name, the hardest first."""

    seed: int
    phenomena: Mapping[str, Phenomenon]

    @cached_property
    def pairs(self) -> int:
        """How many there are."""
        return sum(len(each.pairs) for each in self.phenomena.values())

    def share(self, name: str = "own") -> Estimate:
        """The share of all pairs that a model gets right, with its interval."""
        return wilson(sum(each.right[name] for each in self.phenomena.values()), self.pairs)

    @property
    def shorter(self) -> float:
        """The share of all pairs that one who takes the output with fewer tokens gets right."""
        return sum(each.shorter for each in self.phenomena.values()) / self.pairs

    @property
    def steps(self) -> list[str]:
        """The moments of the training that were measured, beside the end."""
        return [name for name in next(iter(self.phenomena.values())).right if name.isdecimal()]


def language(entry: catalogue.Entry) -> str:
    """The language whose grammar has pairs for a translator; "" if there is none."""
    card = {} if isinstance(entry, catalogue.Untrained) else entry.card
    source = str(card.get("source_language", ""))
    reads_and_writes = entry.config.architecture == "encoder-decoder" and card.get("target_language") == grammar.TARGET
    return source if reads_and_writes and (grammar.LANGUAGES / source / contrasts.FILE).is_file() else ""


def names(language: str) -> list[str]:
    """The phenomena of a language."""
    return list(contrasts.read(grammar.load(language)))


def of_phenomenon(entry: catalogue.Entry, checkpoint: Checkpoint, name: str) -> dict[str, Any]:
    """The pairs of a phenomenon as they are saved. None of their sources is one of the ordinary sentences."""
    from model.quality import minimal_pairs  # late: pages read what was saved before torch is loaded

    of = grammar.load(language(entry))
    known = {sentence.source for sentence in ordinary.read(of.language)}
    pairs = contrasts.draw(of, name, contrasts.read(of)[name], PAIRS, SEED, known)
    return minimal_pairs.scored(checkpoint, pairs, minimal_pairs.others(entry, checkpoint))


def suite(content: Mapping[str, Any]) -> Suite:
    """The phenomena of what was saved, as a page shows them."""
    phenomena = {}
    for name, row in content["phenomena"].items():
        pairs = sorted((ScoredPair(*pair) for pair in row["pairs"]), key=lambda pair: pair.log_right - pair.log_wrong)
        right = {str(model): int(count) for model, count in row["right"].items()}
        phenomena[str(name)] = Phenomenon(right, float(row["shorter"]), tuple(pairs))
    if not phenomena or not all(each.pairs for each in phenomena.values()):
        raise ValueError("no pairs")
    return Suite(int(content["seed"]), dict(sorted(phenomena.items(), key=lambda each: each[1].share().mean)))


def results(phenomena: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """What is saved, of what was found of each phenomenon; the share of all pairs for each model comes first."""
    content: dict[str, Any] = {"seed": SEED, "phenomena": dict(phenomena)}
    found = suite(content)
    models = next(iter(found.phenomena.values())).right
    shares = {name: found.share(name).rounded() for name in models}
    return {"seed": SEED, "sentences": found.pairs, "shorter": round(found.shorter, 4), "all": shares} | content


def _measure(asked: Asked) -> dict[str, Any]:
    if not language(asked.entry):
        raise InvalidInput("contrasts_none", name=asked.entry.name)

    def of_all(checkpoint: Checkpoint, phenomena: list[str], report: Callable[[int], None]) -> dict[str, Any]:
        rows = {}
        for number, name in enumerate(phenomena, 1):
            rows[name] = of_phenomenon(asked.entry, checkpoint, name)
            report(number)
        return results(rows)

    return asked.over(names(language(asked.entry)), of_all)


def _printed(results: dict[str, Any]) -> dict[str, Any]:
    """Shares with their intervals, without the pairs."""
    found = suite(results)
    return results | {
        "phenomena": {
            name: {model: each.share(model).rounded() for model in each.right} for name, each in found.phenomena.items()
        }
    }


MEASUREMENT = Measurement(
    name="pairs-suite",
    about="how often a right output is likelier than one that is wrong in a single point, by phenomenon, as JSON",
    measure=_measure,
    file="pairs_suite.json.gz",
    read=suite,
    printed=_printed,
)
