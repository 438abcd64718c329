"""The roles of the heads: the score of every head for one role, and what is known of the head in view."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.circuits import head_roles, role_thresholds
from model.measurements import head_scores
from model.trace import AttentionKind
from pages.circuits import cached_measurements
from pages.circuits.part_names import name_of
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.attention_figure import shown_panels
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html
from viz.numbers import percent, power_of_ten, signed

KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")
NEEDED = 0.1  # nats; a smaller effect is called small, however certain it is


def figures(current_run: CurrentRun) -> None:
    """Every head's score for a role, the list of what is supported, and one head."""
    with page.card("figure_roles", words("circuits.roles_title"), words("circuits.roles_about")):
        scores = cached_measurements.roles(current_run.entry)
        if scores is None:
            return
        place = _scores(current_run, scores)
    page.flush()
    with page.card("figure_head", _name(place)):
        _head(current_run, scores, place)
    page.flush()
    with page.card("figure_supported", words("circuits.supported_title")):
        _supported(scores)
        _files(current_run, scores)
        folder_command.repeat(current_run.entry, head_scores.MEASUREMENT.name)


def _scores(current_run: CurrentRun, all_scores: head_roles.Measured) -> PickedHead:
    """The matrices of one role; a click brings a head into view."""
    there = dict.fromkeys(role for kind in all_scores.values() for role in kind)
    titles = section("circuits_role")
    options = {role: titles[role] for role in role_thresholds.ROLES if role in there}
    role = controls.choice("role", words("circuits.role"), options, _first(all_scores), hidden=True)
    picked = _picked(all_scores, role)
    show.caption(words(f"circuits_about.{role}"))
    walls = [
        Matrix(
            kind,
            words(f"attention_figure.wall_{kind}"),
            all_scores[kind][role].mean.clip(0, 1),
            tuple(map(str, range(len(all_scores[kind][role].mean)))),
            tuple(map(str, range(all_scores[kind][role].mean.shape[1]))),
            row_axis=words("circuits.layers"),
            column_axis=words("circuits.heads"),
            scale="weight",
            colour=kind,
            decimals=2,
            note=words("circuits.chance", chance=f"{float(all_scores[kind][role].chance.mean()):.2f}"),
        )
        for kind in KINDS
        if kind in all_scores and role in all_scores[kind]
    ]
    at = Selection(picked.kind, picked.layer, picked.head)
    rows = [row for row in _rows(all_scores) if row["role"] == role]
    matrices("roles", walls, cell=44, selection=at, on_select=_choose, files=f"roles-{role}", rows=lambda: rows,
             measured=_measured(current_run))  # fmt: skip
    show.text(_says(all_scores, role))
    _beside_random(current_run, role)
    return picked


def _rows(all_scores: head_roles.Measured) -> list[dict[str, object]]:
    """Every head with every role, as `python -m model roles` prints them."""
    return [
        {"role": role, "part": part, "mean": float(scores.mean[at]), "low": float(scores.low[at]),
         "even_weights": float(scores.chance[at]), "supported": bool(scores.stated(role)[at])}
        for part, role, scores, at in head_roles.heads(all_scores)
    ]  # fmt: skip


def _measured(current_run: CurrentRun) -> dict[str, object]:
    """Over what the roles are measured."""
    return {"sentences": len(cached_measurements.readable(current_run.entry))}


def _beside_random(current_run: CurrentRun, role: str) -> None:
    """What the same model with random weights scores, beside the claim."""
    random = _random(current_run) or {}
    scores = [each[role] for each in random.values() if role in each]
    if scores:
        means = np.concatenate([each.mean.ravel() for each in scores])
        given = sum(int(each.stated(role).sum()) for each in scores)
        key = "circuits.random_roles" if given else "circuits.random_none"
        show.text(words(key, mean=f"{means.mean():.2f}", most=f"{means.max():.2f}", given=given,
                        count=len(means), seed=head_roles.TWIN_SEED))  # fmt: skip


def _random(current_run: CurrentRun) -> head_roles.Measured | None:
    """The roles of the same model with random weights; None for one that has these itself."""
    is_random = isinstance(current_run.entry, catalogue.Untrained)
    return None if is_random else cached_measurements.random_roles(current_run.entry)


def _choose(cell: Selection) -> None:
    view.choose(attention_kind=cell.key, layer=cell.row, head=cell.column)


def _first(all_scores: head_roles.Measured) -> str:
    """The role with the head that shows it most clearly, above chance."""
    best = {
        role: float((scores.mean - scores.chance).max())
        for kind in all_scores.values()
        for role, scores in kind.items()
        if scores.stated(role).any()
    }
    return max(best, key=best.__getitem__) if best else next(iter(next(iter(all_scores.values()))))


def _picked(all_scores: head_roles.Measured, role: str) -> PickedHead:
    """The head in view; where none is chosen, or it cannot have the role, the one with the highest score."""
    current = view.view()
    kinds = [kind for kind in KINDS if kind in all_scores and role in all_scores[kind]]
    if current.attention_kind in kinds and current.layer is not None and current.head is not None:
        layers, heads = all_scores[current.attention_kind][role].mean.shape  # type: ignore[index]
        if current.layer < layers and current.head < heads:
            return PickedHead(current.attention_kind, current.layer, current.head)  # type: ignore[arg-type]
    kind = max(kinds, key=lambda kind: float(all_scores[kind][role].mean.max()))
    layer, head = np.unravel_index(int(all_scores[kind][role].mean.argmax()), all_scores[kind][role].mean.shape)
    return PickedHead(kind, int(layer), int(head))


def _says(all_scores: head_roles.Measured, role: str) -> str:
    """Which heads have the role, or how far the best one is from it."""
    heads = [
        _name(PickedHead(kind, int(layer), int(head)))
        for kind in KINDS
        if role in all_scores.get(kind, {})
        for layer, head in np.argwhere(all_scores[kind][role].stated(role))
    ]
    if heads:
        return words("circuits.have", heads=words("circuits.comma").join(heads))
    most = max(float(scores[role].mean.max()) for scores in all_scores.values() if role in scores)
    return words("circuits.none_has", most=f"{most:.2f}", least=role_thresholds.LEAST[role])


def _name(picked: PickedHead) -> str:
    return name_of(f"{picked.kind}.{picked.layer}.{picked.head}")


def _head(current_run: CurrentRun, all_scores: head_roles.Measured, picked: PickedHead) -> None:
    """Draw one head: the roles that are supported, its weights in the sentence in view, its effect when removed."""
    left, right = st.columns([3, 2], gap="medium")
    panel = next(panel for panel in shown_panels(current_run.trace) if panel.kind == picked.kind)
    with left:
        matrix = Matrix(
            "head_weights",
            words("circuits.weights"),
            panel.weights[picked.layer, picked.head],
            panel.queries,
            panel.keys,
            row_axis=words("circuits.queries"),
            column_axis=words("circuits.keys"),
            scale="weight",
            colour=picked.kind,
            decimals=2,
        )
        matrices("head", [matrix], share=0.6, files="head-weights", measured={"sentences": 1})
    with right:
        roles = [
            role for role, scores in all_scores[picked.kind].items() if scores.stated(role)[picked.layer, picked.head]
        ]
        for role in roles:
            show.text(_statement(all_scores[picked.kind][role], role, picked))
        if not roles:
            show.text(words("circuits.no_role"))
        removal = cached_measurements.effect(current_run.entry, f"{picked.kind}.{picked.layer}.{picked.head}")
        if removal is not None:
            sentences, effect = removal
            certain = "circuits.needed" if effect.mean < -NEEDED else "circuits.hardly_needed"
            key = certain if effect.high < 0 else "circuits.not_needed"
            show.text(
                words(key, effect=_change(effect.mean), low=_change(effect.low), high=_change(effect.high),
                      sentences=sentences)
            )  # fmt: skip
        query = address.offer("intervene") | {"changes": f"off:{picked.kind}.{picked.layer}.{picked.head}"}
        st.page_link(address.script_of("intervene"), label=words("circuits.switch_off"), query_params=query)


def _files(current_run: CurrentRun, all_scores: head_roles.Measured) -> None:
    """All roles of all heads, and those of the model with random weights."""
    rows = [{"weights": "trained", **row} for row in _rows(all_scores)]
    measured = _measured(current_run)
    random = _random(current_run)
    if random:
        rows += [{"weights": "random", **row} for row in _rows(random)]
        measured["seed"] = head_roles.TWIN_SEED
    export.files("roles", Numbers(rows), measured=measured)


def _change(value: float) -> str:
    """A change with its sign; as a power of ten where two decimals would say that there is none."""
    if value == 0 or round(value, 2):
        return signed(value)
    return f"{'+' if value > 0 else ''}{power_of_ten(value)}"


def _statement(scores: head_roles.Scores, role: str, picked: PickedHead) -> str:
    at = picked.layer, picked.head
    spelled = percent if role == "alignment" else "{:.2f}".format  # a share of tokens, the others are weights
    low, chance = float(scores.low[at]), float(scores.chance[at])
    return words(
        f"circuits_says.{role}", score=spelled(float(scores.mean[at])), low=spelled(low), chance=spelled(chance)
    )


def _supported(all_scores: head_roles.Measured) -> None:
    """A line for each head with a role."""
    titles, texts = section("circuits_role"), section("circuits_table")
    rows = []
    count = 0
    for kind in KINDS:
        scores = all_scores.get(kind, {})
        if not scores:
            continue
        layers, heads = next(iter(scores.values())).mean.shape
        count += layers * heads
        for layer, head in np.ndindex(layers, heads):
            roles = [role for role, each in scores.items() if each.stated(role)[layer, head]]
            if roles:
                text = " · ".join(f"{titles[role]} {scores[role].mean[layer, head]:.2f}" for role in roles)
                rows.append((_name(PickedHead(kind, layer, head)), text))
    show.caption(
        words(
            "circuits.supported_about",
            known=len(rows),
            count=count,
            position=titles["position"],
            margin=role_thresholds.MARGIN,
        )
    )
    if rows:
        show.table(table_html([texts["head"], texts["roles"]], rows))
