"""My sentences: the model's output for each line, what speaks against it, and which signal finds the wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from model.checkpoint import catalogue
from model.measurements import corpus, ordinary
from model.quality import answers, lines, ranking, signals
from pages.data import given_lines
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.downloads import export
from pages.shared.ui.marked_terms import link
from viz.charts import quality_charts
from viz.figures.figure import Numbers
from viz.html.plain_table import linked_table_html, table_html
from viz.numbers import percent, signed

AT_ONCE = 5  # lines judged between two looks at whether the user has cancelled
BELOW = (10, 20, 30, 40, 50, 60, 70, 80, 90)  # chrF of an output that counts as wrong
# what lines are sorted by: of each, the first line is the one to look at first
KEYS: dict[str, Callable[[signals.Judged], float]] = {
    "probability": lambda row: row.log_probability,
    "chrf": lambda row: 0 if row.chrf is None else row.chrf,
    "unseen": lambda row: -row.unseen_share,
    "ignored": lambda row: -(row.ignored or 0),
    "written": lambda row: -(row.written or 0),
    "repeated": lambda row: -(row.repeated or 0),
    "ratio": lambda row: row.ratio or 0,
    "line": lambda row: row.line.number,
}
if TYPE_CHECKING:
    Rows = Sequence[signals.Judged]  # named here, it would load torch before the first page


def figures(current_run: CurrentRun) -> None:
    """The box for the lines, the table, the chart, and how well each signal finds wrong outputs."""
    entry = current_run.entry
    with page.card("figure_given", words("data_lines.title"), words("data_lines.about")):
        if not answers.can_answer(entry.config):
            show.text(words("data_lines.no_model"))
            return
        given = given_lines.given(entry)
        rows = judged(entry, given) if given else None
    page.flush()
    if not rows:
        return
    with page.card("figure_lines", words("data_lines.table_title")):
        _table(entry, rows)
    page.flush()
    against = [name for name in ("chrf", "ratio") if name in _columns(rows)]
    if against:
        with page.card("figure_lines_chart", words("data_lines.chart_title")):
            _chart(entry, rows, against)
        page.flush()
    with page.card("figure_signals", words("data_signals.title"), words("data_signals.about")):
        _signals(entry, rows)
        rest = "" if given_lines.is_example() else " --lines FILE"
        folder_command.repeat(entry, corpus.MEASUREMENT.name, rest)


def judged(entry: catalogue.Entry, given: Sequence[lines.Line]) -> list[signals.Judged] | None:
    """Each line judged; None where the user has cancelled."""
    parts = [(tuple(given[start : start + AT_ONCE]),) for start in range(0, len(given), AT_ONCE)]
    name = f"lines {entry.name} {entry.fingerprint} {hash(tuple(given))}"
    results = progress.computed(name, parts, lambda part: _judged(entry, part))
    return None if results is None else [row for rows in results.values() for row in rows]


@models.cached(beside="always")
def _judged(entry: catalogue.Entry, part: tuple[lines.Line, ...]) -> list[signals.Judged]:
    rule = ordinary.rule(entry)
    return [signals.judged(models.checkpoint(entry), line, rule) for line in part]


# the table


def _columns(rows: Rows) -> list[str]:
    """The columns behind the sentence: what the model has of all that is known of an output."""
    names = ["chrf", "probability", "unseen", "ignored", "written", "repeated", "ratio", "mark"]
    has = [name for name in names if any(getattr(row, name) is not None for row in rows)]
    return [*(["output"] if any(row.output for row in rows) else []), *(["reference"] if "chrf" in has else []), *has]


def _titles(entry: catalogue.Entry) -> dict[str, str]:
    """The columns' titles; a label is not compared by chrF."""
    titles = section("data_column")
    return titles | ({"chrf": titles["agreement"]} if entry.config.labels else {})


def _table(entry: catalogue.Entry, rows: Rows) -> None:
    titles, columns = _titles(entry), _columns(rows)
    options = {name: titles[name] for name in KEYS if name in (*columns, "line")}
    sort = controls.select("sort", words("data_lines.sort"), options, "probability")
    shown = sorted(rows, key=KEYS[sort])
    if "mark" in columns:
        alone = controls.toggle("marked", words("data_lines.marked"))
        marked = [row for row in shown if row.mark]
        show.text(words("data_lines.says", marked=len(marked), count=len(rows)))
        shown = marked if alone else shown
    if not shown:
        return
    heads = [titles["source"], *(titles[name] for name in columns)]
    cells = [[_cell(row, name) for name in columns] for row in shown]
    first = [(row.line.source, link("why", {"checkpoint": entry.name, "sentence": row.line.source})) for row in shown]
    show.table(linked_table_html(heads, first, cells, texts=sum(name in columns for name in ("output", "reference"))))
    _explained(entry, columns)
    if "mark" in columns:
        show.caption(words("data_lines.rule") if rows[0].doubt is not None else words("data_lines.no_rule"))
    export.files("data-lines", Numbers(_numbers(shown)), measured={"sentences": len(rows)})


def _explained(entry: catalogue.Entry, columns: Sequence[str]) -> None:
    """What each column is, and which of those of a translator this model cannot have."""
    config = entry.config
    kind = "label" if config.labels else "filled" if config.architecture == "encoder" else "written"
    texts = section("data_explained") | {"probability": words(f"data_explained.probability_{kind}")}
    if config.labels:
        texts["chrf"] = texts["agreement"]
    named = [
        texts[name] for name in ("probability", "ignored", "written", "repeated", "ratio", "chrf") if name in columns
    ]
    lacks = "" if config.architecture == "encoder-decoder" else words(f"data_explained.lacks_{config.architecture}")
    show.caption(sentences(texts["link"], *named, lacks))


def _cell(row: signals.Judged, name: str) -> str:
    if name != "reference" and getattr(row, name) is None:
        return "–"
    match name:
        case "output":
            return row.output or words("frame.nothing")
        case "reference":
            return row.line.reference or ""
        case "chrf":
            return f"{row.chrf:.0f}"
        case "unseen":
            return ", ".join(row.unseen) or "–"
        case "ratio":
            return f"{row.ratio:.2f}"
        case "mark":
            return "?" if row.mark else ""
        case _:
            return percent(getattr(row, name))


def _numbers(rows: Rows) -> list[dict[str, object]]:
    return [
        {"line": row.line.number, "source": row.line.source, "output": row.output, "reference": row.line.reference,
         "chrf": row.chrf, "log_probability": row.log_probability, "probability": row.probability, "least": row.least,
         "entropy": row.entropy, "unseen": " ".join(row.unseen), "unseen_share": row.unseen_share,
         "ignored": row.ignored, "written": row.written, "repeated": row.repeated, "ratio": row.ratio,
         "doubt": row.doubt, "mark": row.mark}
        for row in rows
    ]  # fmt: skip


# the chart, and what finds wrong outputs


def _chart(entry: catalogue.Entry, rows: Rows, names: Sequence[str]) -> None:
    """The probability beside each of so many columns, which the user chooses from."""
    titles = _titles(entry)
    options = {name: titles[name] for name in names}
    against = names[0]
    if len(options) > 1:
        against = controls.choice("against", words("data_lines.against"), options, against)
    points = [
        {"source": row.line.source, "output": row.output, "probability": row.probability,
         "y": row.chrf if against == "chrf" else row.ratio, "mark": row.mark}
        for row in rows
    ]  # fmt: skip
    chart = quality_charts.lines_chart(points, titles[against], section("data_chart"))
    show.figure("data-probability", chart, measured={"sentences": len(rows)})


def _signals(entry: catalogue.Entry, rows: Rows) -> None:
    scores = [row.chrf for row in rows if row.chrf is not None]
    if len(scores) < len(rows):
        show.text(words("data_signals.no_references" if given_lines.with_references(entry) else "data_signals.needs"))
        return
    below, of_labels = int(ranking.WRONG_BELOW), bool(entry.config.labels)
    if not of_labels:
        below = controls.steps("below", words("data_signals.below"), BELOW, below)
    wrong = sum(score < below for score in scores)
    result = signals.ranked(rows, below)
    if of_labels:
        show.text(words("data_signals.wrong_labels", wrong=wrong, count=len(rows)))
    else:
        show.text(words("data_signals.wrong", wrong=wrong, count=len(rows), below=below))
    if not result:
        show.text(words("data_signals.nothing"))
        return
    titles = section("data_signal")
    heads = [words("data_signals.signal"), words("data_signals.area"), words("data_signals.beyond")]
    cells = [
        (titles[name], _area(each), "–" if name == signals.PROBABILITY else _beyond(each))
        for name, each in result.items()
    ]
    show.table(table_html(heads, cells, chosen=list(result).index(signals.PROBABILITY)))
    best, plain = next(iter(result)), result[signals.PROBABILITY]
    key = "best" if result[best].beyond.low > 0 else "probability" if best == signals.PROBABILITY else "uncertain"
    values = {"best": titles[best], "area": f"{result[best].area.mean:.2f}", "plain": f"{plain.area.mean:.2f}"}
    show.text(words(f"data_signals.says_{key}", **values))
    show.caption(sentences(words("data_signals.interval"), "" if of_labels else words("data_signals.other_words")))
    numbers = [
        {"signal": name, "area": each.area.mean, "low": each.area.low, "high": each.area.high,
         "beyond": each.beyond.mean, "beyond_low": each.beyond.low, "beyond_high": each.beyond.high, "below": below}
        for name, each in result.items()
    ]  # fmt: skip
    export.files("data-signals", Numbers(numbers), measured={"sentences": len(rows), "seed": ranking.SEED})


def _area(each: ranking.Ranked) -> str:
    value, low, high = (f"{number:.2f}" for number in each.area)
    return words("number.with_range", value=value, low=low, high=high)


def _beyond(each: ranking.Ranked) -> str:
    value, low, high = map(signed, each.beyond)
    return words("number.with_range", value=value, low=low, high=high)
