"""Whether heads align words: the alignment error rate of each head of cross-attention, in two rows of the decoder."""

from __future__ import annotations

from model.checkpoint.catalogue import Entry, Untrained
from model.intervals import Estimate
from model.measurements import word_alignments
from model.measurements.measurement import Effects
from pages.circuits import cached_measurements
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import folder_command, show
from viz.charts.effects import alignment_charts
from viz.charts.effects.alignment_charts import Rate


def figures(current_run: CurrentRun) -> None:
    """The rates as a chart, what they say of this model, and how they were measured."""
    with page.card("figure_alignment", words("circuits.alignment_title"), words("circuits.alignment_about")):
        result = word_alignments.MEASUREMENT.saved(current_run.entry)
        if result is None:
            _without(current_run.entry)
            return
        rows = {row: words(f"circuits.row_{row}") for row in word_alignments.ROWS}
        rates = [
            Rate(head, rows[row], effect.mean, effect.low, effect.high)
            for head in result.rates["written"]
            for row in word_alignments.ROWS
            for effect in (result.rates[row][head],)
        ]
        baselines = [(words("circuits.random_weights"), result.random["written"][0].mean),
                     (words("circuits.diagonal"), result.diagonal.mean)]  # fmt: skip
        chart = alignment_charts.rates_chart(rates, baselines, section("circuits_alignment_chart"))
        measured = {"sentences": result.counts["sentences"], "seed": result.counts["seed"]}
        show.figure("alignment", chart.with_rows(lambda: _rows(result)), measured=measured)
        _say(result)
        page.formula("alignment_error_rate")
        show.caption(words("circuits.alignment_measured", **result.counts))
        show.caption(words("circuits.alignment_limits"))
        folder_command.repeat(current_run.entry, word_alignments.MEASUREMENT.name)


def _rows(result: word_alignments.Alignment) -> list[dict[str, object]]:
    """Every number of the command, under its names."""
    random = {row: result.random[row][0] for row in word_alignments.ROWS}
    rates: dict[str, Effects] = {**result.rates, "random": random, "": {"diagonal": result.diagonal}}
    rows: list[dict[str, object]] = [
        {"row": row, "head": head, "aer": rate.mean, "low": rate.low, "high": rate.high}
        for row, each in rates.items()
        for head, rate in each.items()
    ]
    rows += [{"row": "random best", "head": row, "aer": result.random[row][1]} for row in word_alignments.ROWS]
    return rows + [
        {"row": f"alike_{row}", "head": head, "share": share.mean, "low": share.low, "high": share.high}
        for row, each in result.alike.items()
        for head, share in each.items()
    ]


def _without(entry: Entry) -> None:
    """Say why there is nothing to show."""
    if not isinstance(entry, Untrained) and word_alignments.has_gold(entry):
        cached_measurements.say_missing(word_alignments.MEASUREMENT, entry)
    else:
        show.text(words("circuits.no_gold"))


def head_name(head: str) -> str:
    """`cross.1.0` as a text says it; `cross.1.mean` are all heads of a layer."""
    _, layer, number = head.split(".")
    key = "circuits.mean_of_layer" if number == "mean" else "circuits.head_of_layer"
    return words("frame.part_named", name=words(key, layer=layer, head=number), part=head)


def best(rates: Effects) -> tuple[str, Estimate]:
    """The head with the lowest error; a mean of a layer is none."""
    head = min((each for each in rates if not each.endswith(".mean")), key=lambda each: rates[each].mean)
    return head, rates[head]


def _say(result: word_alignments.Alignment) -> None:
    """What was found in this model, beside its baselines and the literature."""
    for row in word_alignments.ROWS:
        head, rate = best(result.rates[row])
        baseline, lowest = result.random[row]
        show.text(
            words(f"circuits.best_{row}", head=head_name(head), aer=_two(rate.mean), low=_two(rate.low),
                  high=_two(rate.high), random=_two(baseline.mean), lowest=_two(lowest),
                  models=result.counts["models"])
        )  # fmt: skip
    if result.alike:
        _say_alike(result)
    written, read = (best(result.rates[row])[1] for row in word_alignments.ROWS)
    finding = "reversed" if written.high < read.low else "agreeing" if read.high < written.low else "undecided"
    show.text(words(f"circuits.alignment_{finding}"))
    show.caption(words("circuits.alignment_sources"))


def _say_alike(result: word_alignments.Alignment) -> None:
    """Names, of which one need not ask what they are translated as: in the last decoder layer."""
    last = max(int(head.split(".")[1]) for head in result.alike["written"])
    spans = {}
    for row in word_alignments.ROWS:
        shares = [each.mean for head, each in result.alike[row].items() if head.startswith(f"cross.{last}.")]
        spans[row] = words("circuits.from_to", low=_two(min(shares)), high=_two(max(shares)))
    show.text(words("circuits.alike", count=result.counts["alike"], layer=last, **spans))


def _two(value: float) -> str:
    return f"{value:.2f}"
