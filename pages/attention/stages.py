"""One head step by step, from the sublayer's input to the residual stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.analysis.attention import head_stages
from model.checkpoint import catalogue
from model.config import TransformerConfig
from model.trace import AttentionKind
from pages.attention.step_formulas import step_latex
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import parameters, view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.attention_figure import panels
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices, one_matrix
from viz.data import Matrix, Selection
from viz.matrices.attention.stage_matrices import PAIRS, STEPS, Labels, stage_matrices, step_parts

FIRST = "input"  # the step that the page opens with
FORMERLY = "softmax"  # in links that are older, where they name a cell of this step


@dataclass(frozen=True, eq=False)
class Head:
    """The chosen head: its stages by name, its tokens, and what the figures call its parts."""

    place: PickedHead
    values: Mapping[str, np.ndarray | None]
    labels: Labels
    titles: Mapping[str, str]

    def pictures(self, *parts: tuple[str, str]) -> list[Matrix]:
        """A matrix for each part, which comes with its sign."""
        return stage_matrices(parts, self.values, self.labels, self.titles)


def waits(current_run: CurrentRun) -> bool:
    """Say that this needs the model itself, not only its recorded example; once it is there the page is drawn again."""
    if current_run.recorded:
        show.caption(words("attention_stages.waits"))
    return current_run.recorded


def chosen_head(current_run: CurrentRun, picked: PickedHead) -> Head:
    """The head that the controls name, of a model that is loaded."""
    stages = _stages(current_run.entry, current_run.sentence, picked.kind, picked.layer, picked.head)
    panel = next(panel for panel in panels(current_run.trace) if panel.kind == picked.kind)
    titles = section("attention_part")
    if picked.kind != "cross":
        titles["memory"] = titles["x"]
    values = vars(stages) | {"k_transposed": stages.k.T}
    return Head(picked, values, Labels(panel.queries, panel.keys, picked.kind), titles)


@models.cached
def _stages(entry: catalogue.Entry, sentence: str, kind: AttentionKind, layer: int, head: int) -> head_stages.Stages:
    return head_stages.stages(models.checkpoint(entry).model, models.run(entry, sentence).trace, kind, layer, head)


def stage_by_stage(current_run: CurrentRun, picked: PickedHead) -> None:
    """The chosen step: its formula with shapes, what it makes, and what it is made of."""
    if waits(current_run):
        return
    step = controls.choice(
        "stage",
        words("attention_stages.stage"),
        {name: words(f"attention_step.{name}") for name in STEPS},
        _opening(),
        hidden=True,
    )
    config = current_run.entry.config
    head, norm, fill = chosen_head(current_run, picked), config.norm, config.mask_fill
    formula, about = st.columns([2, 3], vertical_alignment="center")
    with formula:
        show.latex(
            step_latex(
                step,
                head.values,
                head=picked.head,
                cross=picked.kind == "cross",
                norm=norm,
                fill=fill,
                kind=config.norm_kind,
            )
        )
    with about:
        show.caption(words(f"attention_about.{_about(step, picked, norm, config)}", **_counts(head, config)))
        for note, numbers in _notes(step, picked, head, config).items():
            show.caption(words(f"attention_positions.{note}", **numbers))
        if step in ("key", "value") and config.key_value_heads:
            groups = {"count": config.heads // config.key_value_heads}
            show.caption(words("attention_positions.shared", **groups))
        _stepper(step)
    figures = head.pictures(*step_parts(step, head.values))
    matrices("stages", figures, on_select=locked)
    export.files(f"{picked.kind}-layer{picked.layer}-head{picked.head}-{step}", one_matrix(figures[-1]), "_stages")


def _opening() -> str:
    """The step to begin with."""
    cell, _, _ = (view.setting(f"stages{parameters.CELL}") or "").partition(",")
    return FORMERLY if cell in [part for _, part in STEPS[FORMERLY]] else FIRST


def locked(selection: Selection) -> None:
    """A cell of one query and one key is worked out on the page."""
    if selection.key in PAIRS:
        view.choose(query=selection.row, key=selection.column)


def _stepper(step: str) -> None:
    """Back and Next through the steps."""
    order = list(STEPS)
    number = order.index(step)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="stage_steps"):
        for name, to in (("back", number - 1), ("next", number + 1)):
            there = 0 <= to < len(order)
            st.button(
                words(f"page.{name}"),
                key=f"stage_{name}",
                disabled=not there,
                on_click=view.choose,
                kwargs={"stage": order[to] if there else None},
            )
        st.caption(words("attention_stages.of", number=number + 1, count=len(order)), width="content")


def _counts(head: Head, config: TransformerConfig) -> dict[str, object]:
    """How many numbers the sentences about the steps speak of."""
    queries, keys = len(head.labels.queries), len(head.labels.keys)
    heads, d_k = config.heads, np.asarray(head.values["q"]).shape[1]
    scores = {"queries": queries, "keys": keys, "scores": f"{queries * keys:,}"}
    return scores | {"width": heads * d_k, "heads": heads, "d_k": d_k}


def _notes(step: str, picked: PickedHead, head: Head, config: TransformerConfig) -> dict[str, dict[str, object]]:
    """Which sentences say what else this model does at a step, with their numbers."""
    notes: dict[str, dict[str, object]] = {}
    letter = {"query": "q", "key": "k"}.get(step)
    if letter and head.values[f"unnormed_{letter}"] is not None:
        notes["normed"] = {}
    if letter and head.values[f"unrotated_{letter}"] is not None:
        turned = 2 * sum(map(bool, config.frequencies))
        notes |= {"rotary_part": {"count": turned, "d_k": config.d_k}} if 0 < turned < config.d_k else {"rotary": {}}
    elif letter and config.position == "rotary" and picked.kind == "decoder":
        notes["unrotated"] = {}
    if step == "masked" and head.values["bias"] is not None:
        notes["bias"] = {}
    if step in ("mask", "masked") and picked.kind == "decoder" and config.window(picked.layer):
        notes["window"] = {"count": config.window(picked.layer)}
    return notes


def _about(step: str, picked: PickedHead, norm: str, config: TransformerConfig) -> str:
    """Which sentence explains a step: two of them depend on where the norm stands, and where the keys come from."""
    if step == "input":
        return f"input_{norm}_cross" if picked.kind == "cross" else f"input_{norm}"
    if step == "residual":
        return "residual_parallel" if config.parallel else f"residual_{norm}"
    return f"{step}_cross" if step in ("key", "value") and picked.kind == "cross" else step
