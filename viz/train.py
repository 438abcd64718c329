"""A training run for the component in the browser, its samples as a table, and its curves to take away."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

import altair as alt

from viz import attention
from viz.bundle import FOLDER, Frontend, check_words
from viz.inline import inline

# What the component says, in the user's language. Placeholders stand in braces.
WORDS = (
    "progress",  # name of the bar, for screen readers
    "state_asking",
    "state_queued",  # {position}
    "state_running",  # {step} {steps}
    "state_paused",
    "state_finished",
    "state_stopped",
    "state_failed",
    "state_lost",
    "unreachable",
    "step",  # names of the numbers
    "loss_train",
    "loss_validation",
    "accuracy",
    "exact_held_out",
    "exact_training",
    "rate",
    "norm",
    "speed",
    "left",
    "took",
    "of",  # {right} {count}
    "seconds",  # {seconds}
    "minutes",  # {minutes} {seconds}
    "chart_loss",  # titles of the charts
    "chart_right",
    "chart_rate",
    "chart_norm",
    "chart_energy",
    "embedding",
    "position",
    "steps_axis",
    "at_step",  # {step}
    "beside",
    "share",  # {share}: of the time that was spent on looking
    "samples",
    "source",
    "reference",
    "output",
    "held_out",
    "learned",
    "right",
    "wrong",
    "nothing",
    "look",
)
LINES = ("loss_train", "loss_validation", "accuracy", "exact_training", "exact_held_out")
TONES = {
    "loss_train": "#2f7fb8",
    "loss_validation": "#c8551b",
    "accuracy": "#6f7680",
    "exact_training": "#2f7fb8",
    "exact_held_out": "#c8551b",
}
DASHES = {"accuracy": [2, 3], "loss_validation": [7, 3], "exact_held_out": [7, 3]}


class Sample(NamedTuple):
    """A source, what should have been written, what was, and whether it was held out from training."""

    source: str
    reference: str
    output: str
    held_out: bool


class Point(NamedTuple):
    """A number of a run after `step` steps; `name` is one of the words above."""

    step: int
    name: str
    value: float


def run_data(
    run: str, *, state: str, live: bool, moment: int | None, beside: str, language: str, words: Mapping[str, str]
) -> str:
    """The component's `data`: which run it reads from the server, and the state that Python knows of.

    `live` draws samples and attention as they come; `moment` is a step to be marked, `beside` another run.
    """
    check_words("run", WORDS, words)
    content = {"run": run, "state": state, "live": live, "moment": moment, "beside": beside, "language": language}
    return json.dumps(content | {"words": {name: words[name] for name in WORDS}}, ensure_ascii=False)


def samples_html(samples: Sequence[Sample], words: Mapping[str, str]) -> str:
    """A table of samples, those held out first; all text escaped, right and wrong by a mark and a colour."""
    heads = "".join(f'<th scope="col">{escape(words[name])}</th>' for name in ("source", "reference", "output"))
    body = ""
    for held, name in ((True, "held_out"), (False, "learned")):
        rows = [sample for sample in samples if sample.held_out is held]
        title = f'<tr><th class="gf-group" scope="rowgroup" colspan="3">{escape(words[name])}</th></tr>'
        body += f"<tbody>{title}{''.join(_row(row, words) for row in rows)}</tbody>" if rows else ""
    table = f"<table><thead><tr>{heads}</tr></thead>{body}</table>"
    label = escape(words["samples"])
    return (
        f'<style>{STYLE}</style><div class="gf-run"><div class="gf-wide" tabindex="0" role="group" '
        f'aria-label="{label}">{table}</div></div>'
    )


def _row(sample: Sample, words: Mapping[str, str]) -> str:
    right = sample.output == sample.reference
    said = escape(sample.output or words["nothing"])
    name = escape(words["right" if right else "wrong"])
    mark = f'<span title="{name}">{"✓" if right else "✗"}</span>'
    cells = "".join(f"<td>{escape(text)}</td>" for text in (sample.source, sample.reference))
    return f'<tr>{cells}<td data-right="{int(right)}">{mark} {said}</td></tr>'


def curves_chart(points: Sequence[Point], words: Mapping[str, str]) -> alt.HConcatChart:
    """Losses on a logarithmic axis, and shares of right answers."""
    losses = [point for point in points if point.name.startswith("loss") and point.value > 0]
    shares = [point for point in points if not point.name.startswith("loss")]
    left = _lines(losses, words["chart_loss"], alt.Scale(type="log"), words)
    right = _lines(shares, words["chart_right"], alt.Scale(domain=[0, 1]), words)
    return alt.hconcat(left, right, background="white").resolve_scale(color="independent", strokeDash="independent")


def _lines(points: Sequence[Point], title: str, scale: alt.Scale, words: Mapping[str, str]) -> alt.Chart:
    names = [name for name in LINES if any(point.name == name for point in points)]
    titles = [words[name] for name in names]
    rows = [{"step": p.step, "value": p.value, "line": words[p.name]} for p in points]
    colours = alt.Scale(domain=titles, range=[TONES[name] for name in names])
    dashes = alt.Scale(domain=titles, range=[DASHES.get(name, [1, 0]) for name in names])
    return (
        alt.Chart(inline(rows), width=420, height=260, title=title)
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("step:Q", title=words["steps_axis"]),
            y=alt.Y("value:Q", title=None, scale=scale),
            color=alt.Color("line:N", scale=colours, legend=alt.Legend(title=None, orient="top")),
            strokeDash=alt.StrokeDash("line:N", scale=dashes),
        )
    )


STYLE = (FOLDER / "live_run.css").read_text(encoding="utf-8")


def _script() -> str:
    """The attention figure with all its parts, its own way into the page taken away, then ours: one module."""
    inner = attention.FRONTEND.js.rpartition("export default ")[0]
    return "\n".join([inner, *((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in ("curves", "live_run"))])


FRONTEND = Frontend('<div class="gf-run"></div>', f"{attention.FRONTEND.css}\n{STYLE}", _script())
