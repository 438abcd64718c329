"""A training run for the component in the browser, its samples as a table, and its curves to take away."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import altair as alt

from viz import attention
from viz.bundle import FOLDER, Frontend, check_words, script
from viz.inline import inline

# What the component says, in the user's language. Placeholders stand in braces.
WORDS = (
    "progress",  # name of the bar, for screen readers
    "state_asking",
    "state_queued",  # {position} {wait}
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
    "whole_minutes",  # {minutes}
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
    "moments",
    "moments_hint",
    "moment",  # name of the slider, for screen readers
    "after_step",  # {step}
    "energy",  # {embedding} {position} {ratio}
    "no_position",  # {embedding}
    "back",
    "next",
    "play",
    "slow",
    "pause",
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


class Point(NamedTuple):
    """A number of a run after `step` steps; `name` is one of the words above."""

    step: int
    name: str
    value: float


def run_data(
    run: str,
    *,
    state: str,
    live: bool,
    moments: Sequence[int],
    moment: int | None,
    selection: Mapping[str, object] | None,
    beside: str,
    language: str,
    words: Mapping[str, str],
) -> str:
    """The component's `data`: which run it reads from the server, and the state that Python knows of.

    `live` draws samples and attention as they come; else those of `moment` are drawn, one of the steps `moments`
    or the last of them, with the head of `selection` at first. `beside` is another run.
    """
    check_words("run", WORDS, words)
    content = {"run": run, "state": state, "live": live, "moments": list(moments), "moment": moment}
    content |= {"selection": selection, "beside": beside, "language": language}
    return json.dumps(content | {"words": {name: words[name] for name in WORDS}}, ensure_ascii=False)


def moment_data(content: Mapping[str, object], picture: bytes) -> bytes:
    """A saved moment for the component: length of the content, the content, and its attention as `picture`."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(text)) + text + picture


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


STYLE = "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in ("live_run", "wide"))


SCRIPTS = ("dom", "lifecycle", *attention.SCRIPTS[1:], "curves", "moments", "live_run")  # the figure is in the run's
FRONTEND = Frontend(
    '<div class="gf-run"></div>',
    f"{attention.FRONTEND.css}\n{STYLE}",
    f'{script(SCRIPTS)}\nexport default mount(".gf-run", LiveRun);\n',
)
