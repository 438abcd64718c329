"""Why several heads: where each one of a layer looks, what is written with fewer, and what models with fewer learn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.edit import edit_effects, heads_alone
from model.trace import path
from pages.attention.stages import waits
from pages.shared.layout import progress
from pages.shared.models import models, titles
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show, token_picker
from pages.shared.ui.attention_figure import panels
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.html.plain_table import table_html
from viz.matrices.attention.head_matrices import kept_matrix, looks_matrix
from viz.numbers import percent


def several_heads(current_run: CurrentRun, picked: PickedHead) -> None:
    """Heads of the layer chosen above; the model with one head alone and with all looking alike; models with fewer."""
    if waits(current_run):
        return
    if current_run.entry.config.heads == 1:
        show.text(words("attention_several.one"))
    else:
        _looks(current_run, picked)
        if "logits" in current_run.trace.values:
            _fewer(current_run, picked)
        else:
            show.text(words("attention_several.no_output"))
    _trained()


def _looks(current_run: CurrentRun, picked: PickedHead) -> None:
    weights = current_run.trace.weights(picked.kind)[picked.layer]  # (H, Q, K)
    panel = next(panel for panel in panels(current_run.trace) if panel.kind == picked.kind)
    first = heads_alone.farthest_apart(weights, [not special for special in panel.query_specials])
    query = token_picker.numbered("query", words("attention_several.query"), panel.queries, first, between=" · ")
    token, texts = panel.queries[query], section("attention_several")
    matrix = looks_matrix(weights[:, query], panel.keys, picked.kind, token, texts)
    matrices("heads_look", [matrix], files="heads-look")


def _fewer(current_run: CurrentRun, picked: PickedHead) -> None:
    entry, sentence, heads = current_run.entry, current_run.sentence, current_run.entry.config.heads
    show.subheader(words("attention_several.fewer"))
    show.caption(words("attention_several.fewer_about"))
    reaches = section("attention_reach")
    in_layer = controls.choice("reach", words("attention_several.reach"), reaches, "model", hidden=True) == "layer"
    attention = path(picked.kind, picked.layer) if in_layer else heads_alone.EVERY
    parts = [(entry, sentence, attention, case) for case in heads_alone.cases(heads)]
    results = progress.computed(f"heads {entry.name} {entry.fingerprint} {sentence} {attention}", parts, kept)
    if results is None:
        return
    found = {part[-1]: result for part, result in results.items()}
    names: dict[heads_alone.Case, str] = {
        "all": words("attention_several.all", count=heads),
        "alike": words("attention_several.alike"),
    }
    names |= {head: words("attention_several.only", head=head) for head in range(heads)}
    columns = ["case", "mean", "writes"] if current_run.trace.target_tokens else ["case", "mean"]
    lines = [[names[case], _mean(result), result.text] for case, result in found.items()]
    rows = [line[: len(columns)] for line in lines]
    show.table(table_html([words(f"attention_several.{column}_column") for column in columns], rows))
    _verdict(found)
    values = np.stack([result.probabilities for result in found.values()])  # (H + 2, T)
    matrix = kept_matrix(values, _generated(current_run), section("attention_several"))
    matrices("heads_kept", [matrix], files="heads-kept")


def _verdict(found: Mapping[heads_alone.Case, heads_alone.Kept]) -> None:
    """Whether one head is enough here, and whether it matters that heads look at different tokens."""
    alone = [case for case in found if isinstance(case, int)]
    enough = [case for case in alone if found[case].same]
    best = max(enough or alone, key=lambda case: float(np.log(found[case].probabilities).mean()))
    shares = {"share": _mean(found[best]), "all": _mean(found["all"]), "alike": _mean(found["alike"])}
    show.text(words(f"attention_several.{'enough' if enough else 'needed'}", head=best, **shares))
    show.text(words(f"attention_several.alike_{'same' if found['alike'].same else 'other'}", **shares))


def _mean(result: heads_alone.Kept) -> str:
    """The geometric mean of the probabilities: e to the mean of their logarithms."""
    return percent(float(np.exp(np.log(result.probabilities).mean())), 1)


def _generated(current_run: CurrentRun) -> tuple[str, ...]:
    """The tokens whose probabilities are given."""
    run = models.run(current_run.entry, current_run.sentence)
    first = edit_effects.first_step(models.checkpoint(current_run.entry), run)
    ids = edit_effects.generated(run)[first:].tolist()
    return models.tokenizer(current_run.entry).tokens(ids, begins=bool(run.source))


@models.cached(beside="if free")
def kept(entry: catalogue.Entry, sentence: str, attention: str, case: heads_alone.Case) -> heads_alone.Kept:
    """What a model makes of a sentence in one case."""
    return heads_alone.kept(models.checkpoint(entry), models.run(entry, sentence), attention, case)


def _trained() -> None:
    """Models that differ in nothing but the number of heads, each group with a link to both of its ends."""
    groups = _groups()
    if not groups:
        return
    show.subheader(words("attention_several.trained"))
    show.caption(words("attention_several.trained_about"))
    columns = [words(f"attention_several.{column}_column") for column in ("task", "heads", "right")]
    rows = [
        [titles.task_title(entry.card), str(entry.config.heads), percent(_exact(entry), 1)]
        for group in groups
        for entry in group
    ]
    show.table(table_html(columns, rows))
    show.text(words("attention_several.trained_why"))
    with st.container(horizontal=True, gap="small", key="trained_heads"):
        for group in groups:
            few, *_, many = group
            label = words("attention_several.compare", task=titles.task_title(few.card))
            url = address.url_of("compare") | {"checkpoint": few.name, "other": many.name, "show": "words"}
            url.pop("sentence", None)  # these have their own
            st.page_link(address.script_of("compare"), label=label, query_params=url, width="content")


def _groups() -> list[list[catalogue.Entry]]:
    """Shipped models and their variants of another number of heads, from few heads to many."""
    entries = {name: entry for name, entry in catalogue.entries().items() if entry.is_sound()}
    groups: dict[str, list[catalogue.Entry]] = {}
    for entry in entries.values():
        base = entries.get(entry.card.get("variant_of", ""))
        if base and _but_heads(base) and _but_heads(base) == _but_heads(entry):
            groups.setdefault(base.name, [base]).append(entry)
    return [sorted(group, key=lambda entry: entry.config.heads) for group in groups.values()]


def _but_heads(entry: catalogue.Entry) -> dict[str, object]:
    """The settings of its training without the number of heads; nothing where the card has none."""
    return {key: value for key, value in entry.card.get("run", {}).items() if key != "heads"}


def _exact(entry: catalogue.Entry) -> float:
    """The share of held-out inputs that a model answers right, from its card."""
    [score] = entry.card["scores"].values()
    return float(score["exact"])
