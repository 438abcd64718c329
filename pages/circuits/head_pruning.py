"""What the model still writes as heads are switched off one after another, and without a kind of attention."""

from __future__ import annotations

from model.checkpoint.catalogue import Untrained
from model.measurements import pruning_scores
from pages.circuits import cached_measurements
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import name, section, words
from pages.shared.ui import folder_command, show
from viz.charts.effects import pruning_charts
from viz.charts.effects.pruning_charts import Score, Without
from viz.palette import PARTS


def figures(current_run: CurrentRun) -> None:
    """The scores as curves, and what they say."""
    with page.card("figure_removal", words("circuits.removal_title"), words("circuits.removal_about")):
        result = pruning_scores.MEASUREMENT.saved(current_run.entry)
        if isinstance(current_run.entry, Untrained):
            show.text(words("circuits.untrained_removal"))
            return
        if result is None:
            cached_measurements.say_missing(pruning_scores.MEASUREMENT, current_run.entry)
            return
        orders = {"effect": result.score, "random": result.random}
        scores = [
            Score(words(f"circuits.order_{order}"), count, score.mean, score.low, score.high)
            for order, each in orders.items()
            for count, score in each.items()
        ]
        kinds = [
            Without(words(f"circuits.without_{kind}"), score.mean, PARTS[kind]) for kind, score in result.kinds.items()
        ]
        chart = pruning_charts.scores_chart(scores, kinds, section("circuits_removal_chart"))
        measured = {"sentences": result.counts["sentences"], "seed": result.counts["seed"]}
        show.figure("removal", chart.with_rows(lambda: _rows(result)), measured=measured)
        _say(result)
        page.formula("chrf")
        show.caption(words("circuits.removal_sources"))
        sets = (words("circuits.set", name=name("sets", each), count=count) for each, count in result.sets.items())
        show.caption(words("circuits.removal_measured", sets=words("circuits.comma").join(sets), **result.counts))
        show.caption(words("circuits.removal_limits"))
        folder_command.repeat(current_run.entry, pruning_scores.MEASUREMENT.name)


def _rows(result: pruning_scores.Removal) -> list[dict[str, object]]:
    """Every number of the command, under its names; `head` is the one that is removed last in the order of effects."""
    orders = [("score", result.score), ("random", result.random)]
    rows: list[dict[str, object]] = [
        {"order": order, "removed": count, "head": result.order[count - 1] if count and order == "score" else "",
         "score": score.mean, "low": score.low, "high": score.high}
        for order, scores in orders
        for count, score in scores.items()
    ]  # fmt: skip
    return rows + [
        {"order": f"without {kind}", "score": score.mean, "low": score.low, "high": score.high}
        for kind, score in result.kinds.items()
    ]


def _say(result: pruning_scores.Removal) -> None:
    """The score after half of the heads, and without each kind of attention."""
    whole, heads = result.score[0], len(result.order)
    count = min(result.score, key=lambda each: abs(each - heads / 2))
    score, other = result.score[count], result.random[count]
    show.text(
        words("circuits.half_removed", count=count, heads=heads, score=_one(score.mean), low=_one(score.low),
              high=_one(score.high), whole=_one(whole.mean), random=_one(other.mean))
    )  # fmt: skip
    each = (
        words("circuits.score_without", what=words(f"circuits.without_{kind}"), score=_one(score.mean),
              low=_one(score.low), high=_one(score.high))
        for kind, score in result.kinds.items()
    )  # fmt: skip
    show.text(words("circuits.without_kinds", scores=words("circuits.comma").join(each)))


def _one(value: float) -> str:
    return f"{value:.1f}"
