"""Which method finds the training pairs that taught a word: each held against training again without some pairs.

W words, M subsets, S seeds, N training pairs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from model.decode.translate import translate
from model.influence import agreement, methods, planting, retraining, small_task
from model.influence.retraining import Asked, Change
from model.influence.small_task import SmallTask
from model.intervals import Estimate, normal, wilson
from model.measurements import asked
from model.measurements.measurement import Measurement, estimates, rounded

SEED = 0
SUBSETS = 64  # random halves of the pairs
REMOVED, REMOVED_WORDS, RANDOM_SETS = 20, 40, 10  # pairs taken out for each of so many words, and random ones for all
SENTENCES = 100  # held-out ones at most, whose words are asked about
Report = Callable[[float], None]  # is told how many percent are done


def measure(
    call: asked.Asked, report: Report = lambda share: None, removed_words: int = REMOVED_WORDS
) -> dict[str, Any]:
    """The linear datamodelling score of each method with its interval, the ceiling, and two tests by retraining.

    `scores` and `behind` (the best less this one) are over the words of the model's own outputs of held-out sentences;
    `removal` has by how much the probability of a word falls without the best method's first pairs, without random
    ones, and the difference; `planted` the share of planted wrong words of which all pairs are found.
    """
    checkpoint, task = call.checkpoint, small_task.of(call.entry)
    subsets = call.options.subsets
    sentences = call.held_out(SENTENCES)
    runs = [translate(checkpoint, sentence) for sentence in sentences]
    words = [retraining.asked(run, row) for run in runs for row in rows(run.trace.output_tokens)]
    places = [number for number, run in enumerate(runs) for _ in rows(run.trace.output_tokens)]
    rng = np.random.default_rng(SEED)
    total = subsets * retraining.SEEDS / 2 + retraining.SEEDS + removed_words + RANDOM_SETS + 1
    done = 0.0

    def trained(change: Change, seed: int, words: Sequence[Asked], of: SmallTask = task) -> np.ndarray:
        nonlocal done
        weights = retraining.trained(of, change, seed)
        done += 1 - len(change.pairs) / len(of.pairs)
        report(100 * min(1.0, done / total))
        return retraining.log_probabilities(retraining.model_of(of.config, weights), words)

    # the linear datamodelling score
    index = methods.Index(task, checkpoint.model)
    scored = {method: index.scores(method, words) for method in methods.METHODS}
    kept = np.zeros((subsets, len(task.pairs)), dtype=bool)  # (M, N)
    for row in kept:
        row[rng.permutation(len(row))[: len(row) // 2]] = True
    changes = [Change(tuple(np.flatnonzero(~row).tolist())) for row in kept]
    outputs = np.stack(
        [np.stack([trained(change, seed, words) for change in changes], axis=1) for seed in range(retraining.SEEDS)]
    )  # (S, W, M) fmt: skip
    drawn = agreement.Drawn(places, subsets, SEED)
    draws = {
        method: drawn.correlations(agreement.sums(scores, kept), outputs.mean(axis=0))
        for method, scores in scored.items()
    }
    best = max(draws, key=lambda method: draws[method][0])
    results: dict[str, Any] = {
        "seed": SEED, "sentences": len(runs), "words": len(words), "pairs": len(task.pairs), "subsets": subsets,
        "seeds": retraining.SEEDS,
        "ceiling": agreement.estimate(agreement.ceiling(outputs, drawn)).rounded(),
        "scores": rounded({method: agreement.estimate(each) for method, each in draws.items()}),
        "behind": rounded({method: agreement.estimate(draws[best] - each) for method, each in draws.items()
                           if method != best}),
    }  # fmt: skip

    # the best method's first pairs of a word taken out, and random ones
    chosen = _one_of_each(places, removed_words)
    alone = [words[number] for number in chosen]
    before = np.exp(trained(Change(), SEED, alone))
    found = np.array([
        np.exp(trained(first_pairs(scored[best][number], REMOVED), SEED, [words[number]]))[0] for number in chosen
    ])  # fmt: skip
    random_sets = [Change(tuple(rng.permutation(len(task.pairs))[:REMOVED].tolist())) for _ in range(RANDOM_SETS)]
    random_falls = before - np.mean([np.exp(trained(change, SEED, alone)) for change in random_sets], axis=0)
    results["removal"] = {
        "method": best, "words": len(chosen), "pairs": REMOVED, "sets": RANDOM_SETS,
        **rounded({"before": normal(before), "found": normal(before - found), "random": normal(random_falls),
                   "difference": normal(before - found - random_falls)}),
    }  # fmt: skip

    # wrong pairs among the right ones
    spoiled, kinds = planting.planted(task, SEED)
    model = retraining.model_of(task.config, retraining.trained(spoiled, Change(), SEED))
    planted_index = methods.Index(spoiled, model)
    results["planted"] = {"kinds": len(kinds), "pairs": planting.COPIES} | rounded({
        method: wilson(sum(map(planting.is_found, kinds, planted_index.scores(method, [each.asked for each in kinds]))),
                       len(kinds))
        for method in methods.METHODS
    })  # fmt: skip
    report(100.0)
    return results


def rows(tokens: Sequence[str]) -> list[int]:
    """The rows whose token is a word, among the tokens that were written: no mark, and not the end."""
    return [row for row, token in enumerate(tokens) if token.isalpha()]


def first_pairs(scores: np.ndarray, count: int) -> Change:
    """The pairs that speak most for a word taken out; scores (N)."""
    return Change(tuple(np.argsort(-scores, kind="stable")[:count].tolist()))


def _one_of_each(places: Sequence[int], count: int) -> list[int]:
    """A word of each of so many sentences, by their numbers."""
    rng = random.Random(SEED)
    by_sentence: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        by_sentence.setdefault(place, []).append(number)
    return [rng.choice(numbers) for numbers in list(by_sentence.values())[:count]]


class Removal(NamedTuple):
    """By how much the probability of so many words falls without so many pairs."""

    method: str
    words: int
    pairs: int
    found: Estimate
    random: Estimate
    difference: Estimate


class Saved(NamedTuple):
    """What was measured; `scores` has the best method first, `behind` by how much it leads the others."""

    seed: int
    sentences: int
    words: int
    pairs: int
    subsets: int
    seeds: int
    ceiling: Estimate
    scores: dict[str, Estimate]
    behind: dict[str, Estimate]
    removal: Removal
    planted: dict[str, Estimate]


def _read(content: dict[str, Any]) -> Saved:
    scores = estimates(content["scores"])
    in_order = dict(sorted(scores.items(), key=lambda each: -each[1].mean))
    removal, planted = content["removal"], {name: content["planted"][name] for name in scores}
    counts = {name: int(content[name]) for name in ("seed", "sentences", "words", "pairs", "subsets", "seeds")}
    estimate = Estimate(*map(float, content["ceiling"]))
    falls = [Estimate(*map(float, removal[name])) for name in ("found", "random", "difference")]
    tested = Removal(str(removal["method"]), int(removal["words"]), int(removal["pairs"]), *falls)
    return Saved(
        **counts, ceiling=estimate, scores=in_order, behind=estimates(content["behind"]), removal=tested,
        planted=estimates(planted),
    )  # fmt: skip


def _measure(call: asked.Asked) -> dict[str, Any]:
    with asked.percent() as report:
        return measure(call, report)


MEASUREMENT = Measurement(
    name="influence-scores",
    about="how well each method finds the training pairs that taught a word, by training again without some",
    measure=_measure,
    options=(
        asked.CHECKPOINT,
        asked.option("--subsets", type=int, default=SUBSETS, help=f"random halves of the pairs (default: {SUBSETS})"),
    ),
    file="influence.json",
    read=_read,
)
