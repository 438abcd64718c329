"""What each head matches: content, position, both, or what earlier parts wrote, over sentences.

N sentences.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from model.attribution.score_terms.replacement import Agreement, by_head, by_part, effects
from model.attribution.score_terms.sources import SOURCES, shares
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.decode.recorded_pass import trace
from model.decode.translate import Translation, translate
from model.errors import InvalidInput
from model.intervals import Estimate, normal
from model.measurements.asked import CHECKPOINT, LINES
from model.measurements.measurement import Measurement, estimates, rounded

SEED = 0
SENTENCES = 300
TESTED, CELLS = 50, 1000  # sentences whose parts are replaced, and how many cells are drawn
AGREES = 0.9  # rank correlation from which on the predictions for a head count as reliable
Shares = dict[str, list[dict[str, float]]]  # by head, a row for each sentence


def measure(
    checkpoint: Checkpoint, sentences: Sequence[str], report: Callable[[int], None] = lambda count: None
) -> dict[str, Any]:
    """The share of each source in the variance of each head's scores, the mean over sentences with its interval.

    `test` has by kind of part the cells and Spearman's ρ of predicted and measured effects of replacing a part,
    `test_heads` the same by head. The `random` ones are of the same model with random weights, which reads the same
    tokens. `report` is told how many sentences are done.
    """
    if not sentences:
        raise InvalidInput("sentence_empty")
    twin = random_model(checkpoint.model.config, SEED)
    own, random, tested = Shares(), Shares(), list[Translation]()
    for number, sentence in enumerate(sentences, 1):
        run = translate(checkpoint, sentence)
        passes = run.trace, trace(twin, checkpoint.tokenizer, run.source, run.target)
        for model, each, into in zip((checkpoint.model, twin), passes, (own, random), strict=True):
            for place, found in shares(model, each).items():
                into.setdefault(".".join(map(str, place)), []).append(found)
        tested += [run] if number <= TESTED else []
        report(number)
    found = effects(checkpoint.model, tested, CELLS, SEED)
    tables = {"heads": _means(own), "random": _means(random)}
    tests = {"test": _listed(by_part(found)), "test_heads": _listed(by_head(found))}
    return {"seed": SEED, "sentences": len(sentences), **tables, **tests}


def _listed(found: Agreement) -> dict[str, list[float]]:
    return {name: [count, round(rho, 4)] for name, (count, rho) in found.items()}


def _means(found: Shares) -> dict[str, dict[str, list[float]]]:
    return {
        head: rounded({source: normal([row[source] for row in rows]) for source in SOURCES})
        for head, rows in found.items()
    }


class Saved(NamedTuple):
    """By head (`cross.1.0`) and source the share over so many sentences, and of the model with random weights.

    test        by kind of part, and of `all`, the cells and ρ of the test by replacement
    test_heads  the same by head; empty in files of older versions
    """

    seed: int
    sentences: int
    heads: dict[str, dict[str, Estimate]]
    random: dict[str, dict[str, Estimate]]
    test: Agreement
    test_heads: Agreement


def _read(content: dict[str, Any]) -> Saved:
    heads, random = ({head: estimates(row) for head, row in content[name].items()} for name in ("heads", "random"))
    if any(row.keys() != set(SOURCES) for row in (*heads.values(), *random.values())):
        raise ValueError("a source is missing")
    test, test_heads = (
        {name: (int(count), float(rho)) for name, (count, rho) in content.get(key, {}).items()}
        for key in ("test", "test_heads")
    )
    return Saved(int(content["seed"]), int(content["sentences"]), heads, random, test, test_heads)


MEASUREMENT = Measurement(
    name="score-sources",
    about="what each head matches: how much of the variance of its scores is content, position, both or earlier parts",
    measure=lambda asked: asked.over(asked.sentences(SENTENCES), measure),
    options=(CHECKPOINT, LINES),
    file="score_sources.json",
    read=_read,
)
