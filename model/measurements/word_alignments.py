"""Alignment error rate of the heads of a checkpoint, over held-out sentences of the grammar it learnt from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpora import grammar
from corpora.grammar import Aligned
from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.circuits import word_alignment
from model.circuits.word_alignment import ROWS, Measured, error_rate, named
from model.errors import InvalidInput
from model.intervals import Estimate, normal, of_counts
from model.measurements.asked import Asked, percent
from model.measurements.measurement import Effects, Measurement, estimates, rounded

SENTENCES, SEED = 500, 0
TWINS = 5  # models with random weights, of the seeds 0 to 4


def gold_for(entry: Entry) -> Callable[[int, int], list[Aligned]]:
    """What draws pairs with gold for a model, from a seed; `InvalidInput` if there is none, or no cross-attention."""
    if not has_gold(entry):
        raise InvalidInput("alignment_gold", name=entry.name)
    return grammar.load(entry.card["source_language"]).aligned


def has_gold(entry: Entry) -> bool:
    """Whether a grammar of ours writes sentences that the model can align."""
    languages = entry.card.get("source_language"), entry.card.get("target_language")
    return entry.config.architecture == "encoder-decoder" and languages[0] in grammar.known() and languages[1] == "en"


def measure(
    entry: Entry, checkpoint: Checkpoint, report: Callable[[int], None] = lambda count: None, sentences: int = SENTENCES
) -> dict[str, Any]:
    """AER of every head in both rows, of the mean of each layer's heads, of random models and of the diagonal.

    `alike` counts the words of one piece that are spelled alike in both languages; tables beside it say how many of
    them a head joins with the right word. `report` is told how much of all is done, in %.
    """
    pairs = gold_for(entry)(SEED, sentences)
    twins = [random_model(checkpoint.model.config, seed) for seed in range(TWINS)]
    models = [checkpoint, *(Checkpoint(checkpoint.name, twin, checkpoint.tokenizer, trained=False) for twin in twins)]

    def told(before: int) -> Callable[[int], None]:
        return lambda count: report(round(100 * (before * len(pairs) + count) / (len(models) * len(pairs))))

    own, *twins = (word_alignment.measure(each, pairs, told(number)) for number, each in enumerate(models))
    results: dict[str, Any] = {"seed": SEED, "sentences": len(pairs)}
    results |= {"words": sum(len(pair.target_words) for pair in pairs)}
    results |= {kind: sum(len(getattr(pair, kind)) for pair in pairs) for kind in ("sure", "possible")}
    rates = of_counts(own.counts, error_rate)
    results |= {row: rounded(named(rates[number])) for number, row in enumerate(ROWS)}
    results["random"] = {row: _of_twins(twins, number) for number, row in enumerate(ROWS)} | {"models": TWINS}
    results["diagonal"] = Estimate(*of_counts(word_alignment.diagonal(pairs), error_rate)).rounded()
    results["alike"] = int(own.alike[:, 0, 0, 0, 1].sum())
    if results["alike"]:
        shares = of_counts(own.alike, lambda totals: totals[..., 0] / np.maximum(1, totals[..., 1]))
        results |= {f"alike_{row}": rounded(named(shares[number])) for number, row in enumerate(ROWS)}
    return results


def _of_twins(twins: list[Measured], row: int) -> dict[str, Any]:
    """The mean over all heads of all random models with its interval, and the best of these heads."""
    rates = np.stack([error_rate(twin.counts.sum(axis=0).astype(float))[row, :, :-1] for twin in twins])
    return {"mean": normal(rates.ravel().tolist()).rounded(), "best": round(float(rates.min()), 4)}


@dataclass(frozen=True)
class Alignment:
    """AER by row and head (`cross.1.0`, `cross.1.mean`); `random` by row: random models, and the best of their heads.

    alike  of words spelled alike in both languages: the share that a head joins rightly, by row
    """

    counts: Mapping[str, int]
    rates: Mapping[str, Effects]
    random: Mapping[str, tuple[Estimate, float]]
    diagonal: Estimate
    alike: Mapping[str, Effects]


def _read(content: dict[str, Any]) -> Alignment:
    counts = {key: int(content[key]) for key in ("seed", "sentences", "words", "sure", "possible", "alike")}
    return Alignment(
        counts | {"models": int(content["random"]["models"])},
        {row: estimates(content[row]) for row in ROWS},
        {row: (Estimate(*content["random"][row]["mean"]), float(content["random"][row]["best"])) for row in ROWS},
        Estimate(*content["diagonal"]),
        {row: estimates(content[f"alike_{row}"]) for row in ROWS} if counts["alike"] else {},
    )


def _measure(asked: Asked) -> dict[str, Any]:
    entry = catalogue.find(asked.options.name)
    gold_for(entry)
    with percent() as report:
        return measure(entry, asked.checkpoint, report)


MEASUREMENT = Measurement(
    name="alignment",
    about="the alignment error rate of every cross-attention head, as JSON",
    measure=_measure,
    file="alignment.json",
    read=_read,
)
