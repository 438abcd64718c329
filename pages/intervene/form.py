"""The forms: each puts together one change, which a button adds to the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from model.checkpoint import catalogue
from model.decode import translate
from model.edit import activation_patching, change_edits, hand_edited_row, notation
from model.errors import InvalidInput
from model.trace import ATTENTION_KINDS
from pages.intervene import edit_state, undo
from pages.shared.changes import in_link
from pages.shared.changes.in_link import EditState
from pages.shared.changes.wording import described, source_tokens
from pages.shared.models import models
from pages.shared.session import view, widgets
from pages.shared.text import notices, where_positions_act
from pages.shared.text.words import words
from pages.shared.ui import attention_figure, controls, head_picker, show, token_picker
from pages.shared.ui.attention_figure import panels, shown_panels
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.switches import value_switch

HOW = ("off", "half", "uniform", "diagonal", "previous")
SLIDERS = 12  # keys with a slider of their own; the others scale along
WORD, SENTENCE = 40, 160  # characters
FORMS = ("head", "row", "mask", "position", "embedding", "word", "patch")


def form(state: EditState) -> PickedHead | None:
    """Draw the form chosen and its button; gives the head, if the form had controls for one."""
    titles = {what: words(f"intervene_what.{what}") for what in FORMS}
    what = controls.choice("what", words("intervene.what"), titles, FORMS[0])
    picked = None
    if what in ("head", "row"):
        picked = head_picker.pick_head(state.current_run, ATTENTION_KINDS)
        change = _head(picked) if what == "head" else _row(state, picked)
    else:
        makers = {"mask": _mask, "position": _position, "embedding": _embedding, "word": _word, "patch": _patch}
        change = makers[what](state)
    if change:
        _add(state, change)
    return picked


def heads(state: EditState, picked: PickedHead, *, switch: bool) -> None:
    """All heads, and the `switch` for norms below; the one that is clicked is the one that the form changes."""
    shares = value_switch.shares(state.current_run)
    own_panels, look = shown_panels(state.current_run.trace, shares=shares), picked.look("matrix")
    attention_figure.attention(own_panels, look, norms=shares is not None)
    if switch:
        value_switch.draw(state.current_run)


def _change(verb: str, *at: object, text: str = "") -> notation.Change:
    return notation.Change(verb, tuple(map(str, at)), text)


def _add(state: EditState, change: notation.Change) -> None:
    problem = in_link.refused(state.entry, state.current_run.sentence, change)
    longer = (*state.listed, change)
    if not problem and not edit_state.fits(longer):
        problem = words("intervene_list.full")
    with st.container(key="adding", horizontal=True, vertical_alignment="center"):
        st.button(words("intervene.add"), key="add", disabled=bool(problem), on_click=undo.put, args=(state, longer))
        show.text(problem or described(state, change))


def add_head(state: EditState, picked: PickedHead, key: str) -> None:
    """A button that puts a head, locked in a figure, on the list to be switched off."""
    change = _change("off", picked.kind, picked.layer, picked.head)
    longer = (*state.listed, change)
    label = words("intervene.switch_off", head=described(state, change))
    is_listed = change in state.listed or not edit_state.fits(longer)
    st.button(label, key=key, disabled=is_listed, on_click=undo.put, args=(state, longer))


def _head(picked: PickedHead) -> notation.Change:
    with st.container(horizontal=True, vertical_alignment="bottom", key="head_how"):
        how = controls.choice("how", words("intervene_form.how"), {h: words(f"intervene_how.{h}") for h in HOW}, "off")
        reach = {r: words(f"intervene_reach.{r}") for r in ("one", "layer", "all")}
        scope = controls.choice("reach", words("intervene_form.reach"), reach, "one")
    layer = "*" if scope == "all" else picked.layer
    return _change(how, picked.kind, layer, picked.head if scope == "one" else "*")


def _row(state: EditState, picked: PickedHead) -> notation.Change:
    """Sliders over one row of weights; moving one scales the others so that the sum stays 1."""
    trace = state.run.trace
    panel = next(panel for panel in panels(trace) if panel.kind == picked.kind)
    queries = panel.queries
    query = token_picker.numbered("query", words("intervene_form.query"), queries, min(1, len(queries) - 1))
    own = hand_edited_row.as_shares(trace.weights(picked.kind)[picked.layer, picked.head, query])
    at = (picked.kind, picked.layer, picked.head, query)
    base = f"{'.'.join(map(str, at))}={','.join(map(str, own))}"
    try:
        base_, _, text = (view.setting("weights") or "").partition("=")
        row = tuple(int(n) for n in hand_edited_row.shares(_change("row", *at, text=text), len(own)))
        if base_ != base.partition("=")[0] or sum(row) != sum(own):
            row = own
    except InvalidInput:
        row = own
    keys = range(query + 1) if picked.kind == "decoder" else range(len(own))
    show.caption(words("intervene_form.row_hint", count=min(SLIDERS, len(keys))))
    largest = sorted(sorted(keys, key=lambda key: -own[key])[:SLIDERS])
    with st.container(horizontal=True, key="row_sliders"):
        for key in largest:
            _slider(key, panel.keys[key], row, at, len(keys))
    return _change("row", *at, text=",".join(map(str, row)))


def _slider(key: int, token: str, row: tuple[int, ...], at: tuple[object, ...], count: int) -> None:
    name = f"weight_{key}"

    def moved() -> None:
        inner = hand_edited_row.rebalanced(row[:count], key, round(widgets.sent(name) * hand_edited_row.SHARES))
        moved_row = (*inner, *row[count:])
        view.choose(weights=f"{'.'.join(map(str, at))}={','.join(map(str, moved_row))}")

    tied: dict[str, Any] = widgets.tied(name, row[key] / hand_edited_row.SHARES, None) | {"on_change": moved}
    label = notices.plain(f"{key}  {token}")
    st.slider(label, 0.0, 1.0, step=1 / hand_edited_row.SHARES, format="%.3f", width=165, disabled=count == 1, **tied)


def _mask(state: EditState) -> notation.Change | None:
    architecture = state.entry.config.architecture
    masks = {"encoder": ("padding",), "decoder": ("causal",)}.get(architecture, ("causal", "padding"))
    titles = {mask: words(f"intervene_mask.{mask}") for mask in masks}
    mask = controls.choice("mask", words("intervene_form.mask"), titles, masks[0])
    if mask == "causal":
        alone = architecture == "decoder"  # its prompt is read in one pass
        show.caption(words("intervene_form.causal_alone_hint" if alone else "intervene_form.causal_hint"))
        return _change("unmask", "causal")
    most = min(16, state.entry.config.max_length - len(state.run.source))
    show.caption(words("intervene_form.padding_hint"))
    if most < 1:
        show.text(words("masks_padding.full", limit=state.entry.config.max_length))
        return None
    count = controls.number("padding", words("intervene_form.padding"), 1, most, min(4, most))
    return _change("unmask", count)


def _sides(state: EditState) -> dict[str, str]:
    sides = [side for side in ("encoder", "decoder") if state.entry.config.layers(side)]
    return {side: words(f"intervene_side.{side}") for side in sides}


def _side(state: EditState) -> str:
    sides = _sides(state)
    only = next(iter(sides))
    return controls.choice("side", words("intervene_form.side"), sides, only) if len(sides) > 1 else only


def _position(state: EditState) -> notation.Change | None:
    if state.entry.config.position == "none":
        show.text(words("intervene_form.no_position"))
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", key="position_how"):
        side = _side(state)
        in_table = state.entry.config.position not in where_positions_act.IN_ATTENTION
        possible = ("none", "shuffle", "shift") if in_table else ("none",)
        ways = {way: words(f"intervene_way.{way}") for way in possible}
        way = controls.choice("way", words("intervene_form.way"), ways, "none")
        if way == "none":
            return _change("position", side, way)
        label = words("intervene_form.seed" if way == "shuffle" else "intervene_form.shift")
        number = controls.number("by", label, 1, state.entry.config.max_length - 1, 1)
    return _change("position", side, f"{way}{number}")


def _embedding(state: EditState) -> notation.Change:
    with st.container(horizontal=True, vertical_alignment="bottom", key="embedding_how"):
        side = _side(state)
        scaled = state.entry.config.scale_embedding
        ways = {way: words(f"intervene_scaling.{way}") for way in ("unscale", "scale")}
        way = controls.choice("scaling", words("intervene_form.scaling"), ways, "unscale" if scaled else "scale")
    show.caption(words("intervene_form.scaled" if scaled else "intervene_form.unscaled"))
    return _change("embedding", side, way)


def _word(state: EditState) -> notation.Change:
    tokens, (place, other) = source_tokens(state), _other_word(state)
    parts = {part: words(f"intervene_part.{part}") for part in ("word", "key", "value")}
    with st.container(horizontal=True, vertical_alignment="bottom", key="word_how"):
        token = token_picker.numbered("token", words("intervene_form.token"), tokens, place)
        word = controls.text("word", words("intervene_form.word"), other, WORD)
        part = controls.choice("part", words("intervene_form.part"), parts, "word")
        if part == "word":
            return _change("word", token, text=word)
        readers = change_edits.source_attentions(models.checkpoint(state.entry))
        kind = readers[-1]
        if len(readers) > 1:
            kinds = {k: words(f"attention_figure.wall_{k}") for k in readers}
            kind = controls.choice("reader", words("intervene_form.reader"), kinds, kind)
    return _change(part, kind, token, text=word)


def _other_word(state: EditState) -> tuple[int, str]:
    """A place in the sentence, and another word that could stand there: the first token and itself where none fits."""
    tokens, tokenizer = source_tokens(state), models.tokenizer(state.entry)
    others = tokenizer.tokens(tokenizer.encode(other_sentence(state)), begins=True)
    pairs = enumerate(zip(tokens, others, strict=False))
    return next(((i, other) for i, (own, other) in pairs if own != other), (1, tokens[1]))


def _patch(state: EditState) -> notation.Change:
    sentence = controls.text("other", words("intervene_form.other"), other_sentence(state), SENTENCE)
    with st.container(horizontal=True, vertical_alignment="bottom", key="patch_how"):
        side = _side(state)
        depths: dict[str, str] = {"input": words("intervene_change.input")}
        for layer in range(state.entry.config.layers(side)):
            depths[str(layer)] = words("attention_figure.layer", layer=layer)
        depth = controls.choice("depth", words("intervene_form.depth"), depths, "input")
        trace = state.run.trace
        tokens = trace.source_tokens if side == "encoder" else trace.target_tokens
        read = side == "encoder" or not state.run.source  # the side that the sentence goes into
        place = _other_word(state)[0] if read else min(1, len(tokens) - 1)
        at = token_picker.numbered("to", words("intervene_form.to"), tokens, place)
        from_ = _from(state, _ids(state, sentence) if read else (), at)
    return _change("patch", side, depth, at, from_, text=sentence)


def _from(state: EditState, ids: Sequence[int], at: int) -> int:
    """The place that is taken over: one of the tokens, or a number where they are not known."""
    if not ids:
        return controls.number("from", words("intervene_form.from_place"), 0, state.entry.config.max_length - 1, at)
    tokens = models.tokenizer(state.entry).tokens(ids, begins=True)
    return token_picker.numbered("from", words("intervene_form.from"), tokens, min(at, len(tokens) - 1))


def _ids(state: EditState, sentence: str) -> Sequence[int]:
    """Ids that the model reads of a sentence, none where it cannot, which is said beside the button."""
    try:
        ids = translate.encode(models.checkpoint(state.entry), sentence)
    except InvalidInput:
        return ()
    return ids if state.run.source else ids[:-1]  # a decoder alone reads no `<eos>` behind its prompt


def other_sentence(state: EditState) -> str:
    """The sentence with one word changed."""
    card = catalogue.entry_of(state.entry.folder).card  # an untrained system reads with this one's tokenizer
    pool = [*card["examples"], *(text for topic in card.get("covers", ()) for text in topic["examples"])]
    return activation_patching.one_word_apart(models.tokenizer(state.entry), state.current_run.sentence, pool)
