"""Changes in words."""

from __future__ import annotations

from model.edit import change_edits, notation
from model.trace import Trace
from pages.shared.changes.in_link import EditState
from pages.shared.text.words import words

_EVERY = "*"


def described(state: EditState, change: notation.Change) -> str:
    """One line of the list, as a person says it."""
    at, verb = change.at, change.verb
    if verb in ("off", "half", "uniform", "diagonal", "previous"):
        return words(f"intervene_change.{verb}", head=head_name(*at))
    if verb == "row":
        weights = " ".join(f"{int(share) / 1000:.2f}" for share in change.text.split(",") if share.isdecimal())
        token = _token(_queries(state.run.trace, at[0]), at[3])
        return words("intervene_change.row", head=head_name(*at[:3]), token=token, weights=weights)
    if verb == "unmask":
        causal = at[0] == "causal"
        return words("intervene_change.causal") if causal else words("intervene_change.padding", count=at[0])
    if verb == "position":
        how, number = at[1].rstrip("0123456789"), at[1].lstrip("abcdefghijklmnopqrstuvwxyz")
        return words(f"intervene_position.{how}", side=words(f"intervene_side.{at[0]}"), number=number)
    if verb == "embedding":
        return words(f"intervene_embedding.{at[1]}", side=words(f"intervene_side.{at[0]}"))
    if verb == "word":
        return words("intervene_change.word", token=_token(source_tokens(state), at[0]), word=change.text)
    if verb in ("key", "value"):
        token, attention = _token(source_tokens(state), at[1]), words(f"attention_figure.{at[0]}")
        return words(f"intervene_change.{verb}", token=token, word=change.text, attention=attention)
    token = _token(state.run.trace.source_tokens if at[0] == "encoder" else state.run.trace.target_tokens, at[2])
    where = words(f"intervene_side.{at[0]}")
    depth = words("intervene_change.input") if at[1] == "input" else words("attention_figure.layer", layer=at[1])
    return words("intervene_change.patch", side=where, depth=depth, token=token, place=at[3], sentence=change.text)


def head_name(kind: str, layer: object, head: object) -> str:
    """A head, all heads of a layer, or those of every layer."""
    depth = words("intervene_change.layers") if layer == _EVERY else words("attention_figure.layer", layer=layer)
    which = words("intervene_change.heads") if head == _EVERY else words("attention_figure.head", head=head)
    return f"{words(f'attention_figure.{kind}')} · {depth} · {which}"


def source_tokens(state: EditState) -> tuple[str, ...]:
    """The sentence as the model reads it: a decoder alone has it as its prompt."""
    from pages.shared.models import models

    checkpoint = models.checkpoint(state.entry)
    return checkpoint.tokenizer.tokens(change_edits.source_ids(checkpoint, state.run), begins=True)


def _queries(trace: Trace, kind: str) -> tuple[str, ...]:
    return {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.output_tokens}[kind]


def _token(tokens: tuple[str, ...], place: str) -> str:
    """A token with its place; the place alone where a list was made for a longer sentence."""
    number = int(place) if place.isdecimal() else len(tokens)
    return f"{tokens[number]} ({place})" if number < len(tokens) else f"({place})"
