"""The original beside what the changes make of it: words, probabilities, attention, candidates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from model.analysis.cosine import cosine
from model.analysis.softmax import log_probabilities
from model.edit import change_edits, edit_effects
from model.tokenization.tokenizer import PAD
from model.trace import ATTENTION_KINDS
from pages.intervene import outcomes, output_words
from pages.shared.changes.in_link import EditState
from pages.shared.links import FRESH
from pages.shared.models import ending, models
from pages.shared.session import address
from pages.shared.text.numbers import nats
from pages.shared.text.words import section, words
from pages.shared.ui import head_picker, show
from pages.shared.ui.attention_figure import panels
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.label_table import label_table
from pages.shared.ui.matrices import matrices
from pages.shared.ui.switches import value_switch
from viz.charts.effects import intervention_charts
from viz.charts.effects.intervention_charts import Likely
from viz.html.outputs import Output, in_common, outputs_html
from viz.matrices import interventions


def titles(state: EditState) -> dict[str, str]:
    """The results to choose from; those of an encoder alone are vectors."""
    texts = section("intervene_show")
    return texts if state.writes else texts | {"probability": words("intervene_encoder.title")}


def about(state: EditState, show: str) -> str:
    """Describe a result, in a sentence or two."""
    own = {} if state.writes else section("intervene_encoder")
    return own.get(show) or words(f"intervene_about.{show}")


def outputs(state: EditState, before: edit_effects.Outcome, after: edit_effects.Outcome) -> None:
    """Both translations, differences marked; of an encoder alone its labels, if it gives any."""
    if before.labels is not None and after.labels is not None:
        names = words("intervene_outputs.before"), words("intervene_outputs.after")
        label_table(state.current_run, dict(zip(names, (before.labels, after.labels), strict=True)))
        return
    if not state.writes:
        show.text(words("intervene_outputs.encoder"))
        return
    tokens = partial(models.tokenizer(state.entry).tokens, begins=bool(state.run.source))
    same = before.ids == after.ids
    other = max(len(before.ids), len(after.ids)) - len(in_common(before.ids, after.ids))
    summary = words("intervene_outputs.same") if same else words("intervene_outputs.other", count=other)
    if not state.spelled:
        summary = words("intervene_outputs.unchanged")
    about = (state.entry, state.current_run.sentence)
    ends = (ending.stopped(*about, before.stop), ending.stopped(*about, after.stop, after.stop != before.stop))
    pair = (
        Output(words("intervene_outputs.before"), tokens(before.ids), frozenset(), ends[0]),
        Output(words("intervene_outputs.after"), tokens(after.ids), frozenset(), f"{summary} · {ends[1]}".rstrip(" ·")),
    )
    show.table(outputs_html(*pair, section("intervene_outputs")))
    unmasked = any(change.on and change.at == ("causal",) for change in state.applied)
    if same and unmasked and state.entry.config.architecture == "encoder-decoder":
        show.caption(words("intervene_form.causal_hint"))
    _elsewhere(state)


def _elsewhere(state: EditState) -> None:
    """The changed pass on other pages. The sheet cannot show padding, which makes the pass longer."""
    if not state.spelled:
        return
    with st.container(horizontal=True, gap="small", key="elsewhere"):
        if st.button(words("compare.from_changes"), key="compare", type="tertiary"):
            address.open_page("compare", **(FRESH | {"other": state.entry.name, "other_changes": state.spelled}))
        on_sheet = not change_edits.padding(state.applied)
        if on_sheet and st.button(words("intervene_outputs.sheet"), key="on_sheet", type="tertiary"):
            nothing_else = dict.fromkeys(("camera", "cell", "film", "tour"))
            address.open_page("sheet", **(nothing_else | {"changes": state.spelled, "shown": "difference"}))


def probabilities(state: EditState, before: edit_effects.Outcome, after: edit_effects.Outcome) -> None:
    """The change of every written word's log-probability; of an encoder's vectors, their cosine."""
    steps, step = output_words.steps(state), output_words.step(state)
    texts, numbers = _compared(state, before, after)
    figure = intervention_charts.change_chart(steps.tokens, numbers, texts, step)
    show.figure("changes_chart", figure)
    at = {
        "token": steps.tokens[step],
        "before": nats(numbers.before[step]),
        "after": nats(numbers.after[step]),
    }
    show.text(words("intervene_result.word" if state.writes else "intervene_result.vector", **at))


def _compared(
    state: EditState, before: edit_effects.Outcome, after: edit_effects.Outcome
) -> tuple[dict[str, str], intervention_charts.Numbers]:
    """The words of the chart, and what it draws."""
    steps = output_words.steps(state)
    if state.writes and before.logits is not None and after.logits is not None and steps.ids is not None:
        both = [log_probabilities(logits, steps.ids) for logits in (before.logits, after.logits)]
        return section("intervene_probability"), intervention_charts.Numbers(
            both[0][steps.first :], both[1][steps.first :]
        )
    own = cosine(before.output, before.output)
    return section("intervene_cosine"), intervention_charts.Numbers(own, cosine(before.output, after.output))


def attention(
    state: EditState, before: edit_effects.Outcome, after: edit_effects.Outcome, picked: PickedHead | None
) -> None:
    """One head's weights in both passes, and their difference."""
    picked = picked or head_picker.pick_head(state.current_run, ATTENTION_KINDS)
    panel = next(panel for panel in panels(state.run.trace) if panel.kind == picked.kind)
    by_kind = outcomes.norms(state) if value_switch.is_on() else (before.weights, after.weights)
    both = [each[picked.kind][picked.layer, picked.head] for each in by_kind]
    padded = both[0].shape[1] - len(panel.keys)
    extra = (models.tokenizer(state.entry).specials[PAD],) * padded
    rows = (*panel.queries, *extra) if picked.kind == "encoder" else panel.queries
    texts = section("intervene_attention")
    if value_switch.is_on():
        texts |= {name: words("norms.title", title=texts[name]) for name in ("before", "after")}
    figures = interventions.attention_matrices(picked.kind, both[0], both[1], rows, (*panel.keys, *extra), texts)
    figure = matrices("intervene_attention", figures)
    most = float(np.abs(both[1] - both[0]).max())
    show.text(words("norms.changed" if value_switch.is_on() else "intervene_result.attention", most=nats(most)))
    name = f"intervene-{picked.kind}-layer{picked.layer}-head{picked.head}"
    value_switch.files_below(state.current_run, name, figure, "_intervene")
    if value_switch.is_on():
        norms = by_kind[0][picked.kind][
            ..., : len(panel.queries), : len(panel.keys)
        ]  # without padding, which is masked
        show.text(value_switch.falling(panel, replace(panel, weights=norms)))
        value_switch.formula()


def candidates(state: EditState, before: edit_effects.Outcome, after: edit_effects.Outcome) -> None:
    """The likeliest words at a step, before and after."""
    if before.logits is None or after.logits is None:
        show.text(words("intervene_result.no_words"))
        return
    steps, step = output_words.steps(state), output_words.step(state)
    row = steps.first + step
    likeliest = edit_effects.candidates(before.logits[row], after.logits[row])
    names = models.tokenizer(state.entry).tokens([candidate.id for candidate in likeliest])
    rows = [
        Likely(name, candidate.before, candidate.after, candidate.rank_before, candidate.rank_after)
        for name, candidate in zip(names, likeliest, strict=True)
    ]
    figure = intervention_charts.candidates_chart(rows, section("intervene_candidates"))
    show.figure("candidates_chart", figure)
