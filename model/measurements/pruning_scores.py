"""What a checkpoint still writes as heads are removed one after another: chrF over held-out sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics import CHRF

from corpora.corpus import Corpus
from corpora.pairs import Pair
from model.checkpoint.checkpoints import Checkpoint
from model.circuits import ablation, head_pruning
from model.circuits.ablation import Part
from model.decode.translate import translate, translate_all
from model.errors import InvalidInput
from model.intervals import Estimate, normal
from model.measurements.asked import Asked, percent
from model.measurements.measurement import Effects, Measurement, estimates

SENTENCES = 100  # of each held-out set, to score with
ORDERING = 50  # validation sentences, by which the heads are ordered
ORDERS = 3  # random ones, of the seeds 0 to 2


def measure(
    checkpoint: Checkpoint, corpus: Corpus, report: Callable[[int], None] = lambda count: None,
    sentences: int = SENTENCES, ordering: int = ORDERING,
) -> dict[str, Any]:  # fmt: skip
    """The score after each step of the order of effects and of random orders, and without each kind of attention.

    Heads are ordered on validation sentences and scored on test sentences. `report` is told how much is done, in %.
    """
    config = checkpoint.model.config
    if config.architecture == "encoder" or not config.target_vocabulary:
        raise InvalidInput("attribution_vectors", name=checkpoint.name)
    sets = {name: pairs[:sentences] for name, pairs in corpus.tests().items()}
    pairs = [pair for each in sets.values() for pair in each]
    order = _order(checkpoint, corpus.validation()[:: max(1, len(corpus.validation()) // ordering)][:ordering])
    orders = [order, *(head_pruning.shuffled(config, seed) for seed in range(ORDERS))]
    cases = [each[:count] for each in orders for count in head_pruning.stops(len(order))]
    cases += [head_pruning.of_kind(config, kind) for kind in head_pruning.kinds(config)]
    scores: list[list[float]] = []
    for case in cases:
        scores.append(chrf(checkpoint, pairs, case))
        report(round(100 * len(scores) / len(cases)))
    stops = head_pruning.stops(len(order))
    by_order = [scores[start : start + len(stops)] for start in range(0, len(stops) * len(orders), len(stops))]
    return {
        "seed": 0, "sentences": len(pairs), "sets": {name: len(each) for name, each in sets.items()},
        "ordered_on": ordering, "orders": ORDERS, "order": [part.name for part in order],
        "score": {str(count): normal(each).rounded() for count, each in zip(stops, by_order[0], strict=True)},
        "random": {str(count): _over(each).rounded() for count, *each in zip(stops, *by_order[1:], strict=True)},
        "kinds": {kind: normal(each).rounded()
                  for kind, each in zip(head_pruning.kinds(config), scores[len(stops) * len(orders) :], strict=True)},
    }  # fmt: skip


def _over(orders: Sequence[Sequence[float]]) -> Estimate:
    """The mean score of each sentence over several orders, and over the sentences."""
    return normal([sum(each) / len(each) for each in zip(*orders, strict=True)])


def _order(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[Part]:
    runs = [translate(checkpoint, pair.source) for pair in pairs]
    singles = [(part,) for part in head_pruning.heads(checkpoint.model.config)]
    return head_pruning.ordered(ablation.ablated(checkpoint, runs, "zero", singles))


def chrf(checkpoint: Checkpoint, pairs: Sequence[Pair], removed: Sequence[Part]) -> list[float]:
    """chrF of each sentence, 0 to 100, translated without some heads."""
    tap = head_pruning.without(checkpoint.model, removed)
    outputs = translate_all(checkpoint, [pair.source for pair in pairs], tap=tap)
    metric = CHRF()
    return [metric.sentence_score(output, [pair.target]).score for output, pair in zip(outputs, pairs, strict=True)]


@dataclass(frozen=True)
class Removal:
    """chrF by the number of removed heads, by effect and in random order; and without each kind of attention.

    sets  the test sets, and how many sentences of each
    """

    counts: Mapping[str, int]
    sets: Mapping[str, int]
    order: tuple[str, ...]
    score: Mapping[int, Estimate]
    random: Mapping[int, Estimate]
    kinds: Effects


def _read(content: dict[str, Any]) -> Removal:
    counts = {key: int(content[key]) for key in ("seed", "sentences", "ordered_on", "orders")}
    sets = {str(name): int(count) for name, count in content["sets"].items()}
    score, random = (
        {int(count): estimate for count, estimate in estimates(content[key]).items()} for key in ("score", "random")
    )
    return Removal(counts, sets, tuple(map(str, content["order"])), score, random, estimates(content["kinds"]))


def _measure(asked: Asked) -> dict[str, Any]:
    recipe = asked.recipe
    with percent() as report:
        return measure(asked.checkpoint, recipe.corpus(recipe.seed), report)


MEASUREMENT = Measurement(
    name="removal",
    about="the score as heads are removed one after another, as JSON",
    measure=_measure,
    file="removal.json",
    read=_read,
)
