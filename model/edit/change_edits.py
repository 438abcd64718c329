"""The edits that a change means for a model and a sentence, and whether it fits them."""

from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np

from model.checkpoint.checkpoints import Checkpoint
from model.decode.recorded_pass import trace
from model.decode.translate import Translation, encode, translate
from model.edit import edited_pass, edits
from model.edit.edited_pass import Edit
from model.edit.edits import Pattern
from model.edit.hand_edited_row import shares
from model.edit.notation import EVERY, PLACES, WITH_TEXT, Change, read
from model.edit.recorded_names import residual
from model.errors import InvalidInput
from model.trace import AttentionKind, Trace, path

PADDING = 16  # tokens that may be added


def source_side(checkpoint: Checkpoint) -> edits.Side:
    """The side that reads the sentence."""
    return "decoder" if checkpoint.model.config.architecture == "decoder" else "encoder"


def source_ids(checkpoint: Checkpoint, run: Translation) -> tuple[int, ...]:
    """The ids of the sentence as that side reads them; of a decoder alone its prompt."""
    return run.source or run.target[: len(encode(checkpoint, run.sentence)) - 1]


def padding(changes: Iterable[Change]) -> int:
    """How many tokens of padding the changes add after the source."""
    masks = [change.at[0] for change in changes if change.verb == "unmask" and change.on]
    return max((int(mask) for mask in masks if mask.isdecimal()), default=0)


def check(checkpoint: Checkpoint, run: Translation, change: Change) -> None:
    """Raise `InvalidInput` for a change that does not fit the model or the sentence; runs no pass."""
    config = checkpoint.model.config
    sides = [side for side in ("encoder", "decoder") if config.layers(side)]
    names = PLACES[change.verb].split()
    if len(change.at) != len(names):
        raise InvalidInput("change_places", verb=change.verb, needed=".".join(names))
    for name, value in zip(names, change.at, strict=True):
        for_kind = change.at[0]
        layers = range(getattr(config, f"{'encoder' if for_kind == 'encoder' else 'decoder'}_layers"))
        choices: Sequence[object] = {
            "kind": run.trace.kinds,
            "layer": [*layers, *([] if change.verb == "row" else [EVERY])],
            "head": [*range(config.heads), *([] if change.verb == "row" else [EVERY])],
            "query": range(len(run.source if for_kind == "encoder" else run.target)),
            "mask": _masks(checkpoint, run),
            "side": sides,
            "how": _ways(checkpoint, change.verb),
            "reader": source_attentions(checkpoint),
            "token": range(len(_tokens(checkpoint, run, change))),
            "at": ["input", *layers],
            "from": range(config.max_length),
        }[name]
        if value not in map(str, choices):
            raise InvalidInput("change_place", value=value, place=name, choices=_listed(choices))
    _check_text(checkpoint, run, change)


def source_attentions(checkpoint: Checkpoint) -> tuple[AttentionKind, ...]:
    """The kinds of attention whose keys are the tokens of the sentence."""
    kinds: dict[str, tuple[AttentionKind, ...]] = {"encoder": ("encoder",), "decoder": ("decoder",)}
    return kinds.get(checkpoint.model.config.architecture, ("encoder", "cross"))


def _masks(checkpoint: Checkpoint, run: Translation) -> list[str]:
    """The masks that can be removed: the causal one, and the padding mask with so many tokens of padding."""
    config = checkpoint.model.config
    causal = ["causal"] if config.decoder_layers else []
    most_padding = min(PADDING, config.max_length - len(run.source)) if run.source else 0
    return [*causal, *map(str, range(1, most_padding + 1))]


def _ways(checkpoint: Checkpoint, verb: str) -> list[str]:
    if verb == "embedding":
        return ["scale", "unscale"]
    longest = checkpoint.model.config.max_length
    return ["none", *(f"{how}{n}" for how in ("shuffle", "shift") for n in range(1, longest))]


def _tokens(checkpoint: Checkpoint, run: Translation, change: Change) -> tuple[int, ...]:
    """The tokens that the `token` place of a change counts."""
    return run.target if change.verb == "patch" and change.at[0] == "decoder" else source_ids(checkpoint, run)


def _listed(choices: Sequence[object]) -> str:
    if isinstance(choices, range):
        return f"{choices.start}–{choices.stop - 1}"
    return ", ".join(map(str, choices[:8])) + (" …" if len(choices) > 8 else "")


def _check_text(checkpoint: Checkpoint, run: Translation, change: Change) -> None:
    if change.verb == "row":
        shares(change, len(run.target if change.at[0] == "decoder" else run.source))
    elif change.verb == "patch":
        ids = encode(checkpoint, change.text)
        if change.at[0] == source_side(checkpoint) and int(change.at[3]) >= len(ids):
            raise InvalidInput("change_place", value=change.at[3], place="from", choices=f"0–{len(ids) - 1}")
    elif change.verb in WITH_TEXT:
        one_token(checkpoint, change.text)


def one_token(checkpoint: Checkpoint, word: str) -> int:
    """The id of a word. Raises `InvalidInput` if it is not exactly one token."""
    encode(checkpoint, word)
    ids = checkpoint.tokenizer.pieces(word)
    if len(ids) != 1:
        pieces = " ".join(checkpoint.tokenizer.tokens(ids, begins=True))
        raise InvalidInput("change_word", word=word, count=len(ids), pieces=pieces)
    return ids[0]


def edits_of_link(checkpoint: Checkpoint, run: Translation, text: str, padded: int = 0) -> list[Edit]:
    """The edits of all changes of a link, which lists those that are switched on; the rest as in `edits_of`."""
    return [edit for change in read(text)[0] for edit in edits_of(checkpoint, run, change, padded)]


def edits_of(checkpoint: Checkpoint, run: Translation, change: Change, padded: int = 0) -> tuple[Edit, ...]:
    """The edits of a change, with `padded` tokens of padding after the source. Raises `InvalidInput` like `check`."""
    check(checkpoint, run, change)
    at, verb = change.at, change.verb
    if verb in ("off", "half", *get_args(Pattern)):
        return (_head(verb, *at),)  # type: ignore[arg-type]
    if verb == "row":
        return (_row(checkpoint, run, change, padded),)
    if verb == "unmask":
        kinds: tuple[AttentionKind, ...] = ("decoder",) if at[0] == "causal" else source_attentions(checkpoint)
        return tuple(edits.allow(path(kind, EVERY)) for kind in kinds)
    if verb in ("position", "embedding"):
        return (_input(checkpoint, run, verb, *at),)  # type: ignore[arg-type]
    if verb == "word":
        return (edits.swap_token(source_side(checkpoint), int(at[0]), one_token(checkpoint, change.text)),)
    if verb == "patch":
        return (_patch(checkpoint, change),)
    return _only(checkpoint, run, change)


def _head(verb: str, kind: AttentionKind, layer: str, head: str) -> Edit:
    number = None if head == EVERY else int(head)
    if verb == "off":
        return edits.zero(f"{path(kind, layer)}.head_outputs", head=number)
    if verb == "half":
        return edits.scale(f"{path(kind, layer)}.head_outputs", 0.5, head=number)
    return edits.replace_weights(path(kind, layer), verb, head=number)  # type: ignore[arg-type]


def _row(checkpoint: Checkpoint, run: Translation, change: Change, padded: int) -> Edit:
    """An edit of one row of weights, as a matrix for as many queries as a run can have."""
    kind, layer, head, query = change.at
    longest = checkpoint.model.config.max_length
    row = shares(change, len(run.target if kind == "decoder" else run.source))
    keys = longest if kind == "decoder" else len(run.source) + padded
    queries = keys if kind == "encoder" else longest
    matrix = np.tile(np.pad(row, (0, keys - len(row))), (queries, 1))  # (Q, K)
    return edits.replace_weights(path(kind, layer), matrix, head=int(head), row=int(query))  # type: ignore[arg-type]


def _input(checkpoint: Checkpoint, run: Translation, verb: str, side: edits.Side, how: str) -> Edit:
    if verb == "embedding":
        return edits.scale_embedding(side) if how == "scale" else edits.unscale_embedding(side)
    if how == "none":
        return edits.remove_position(side, checkpoint.model.config.position)
    if how.startswith("shift"):
        return edits.shift_position(side, int(how.removeprefix("shift")))
    length = len(run.source if side == "encoder" else run.target)
    return edits.shuffle_position(side, length, seed=int(how.removeprefix("shuffle")))


def _only(checkpoint: Checkpoint, run: Translation, change: Change) -> tuple[Edit, ...]:
    """The keys or values of one token as another token would have them, in every layer of an attention."""
    kind, place = change.at
    part = {"key": "k", "value": "v"}[change.verb]
    token = one_token(checkpoint, change.text)
    donor = _swapped(checkpoint, run, int(place), token).values
    side = "encoder" if kind == "encoder" else "decoder"
    layers = checkpoint.model.config.layers(side)
    names = [f"{path(kind, layer)}.{part}" for layer in range(layers)]  # type: ignore[arg-type]
    return tuple(edits.patch(name, donor[name], row=int(place)) for name in names)


def _swapped(checkpoint: Checkpoint, run: Translation, place: int, token: int) -> Trace:
    """The trace of the pass over the same target with another token in the sentence."""
    model = checkpoint.model
    tap = edited_pass.compose(model, edits.swap_token(source_side(checkpoint), place, token))
    return trace(model, checkpoint.tokenizer, run.source, run.target, tap)


def _patch(checkpoint: Checkpoint, change: Change) -> Edit:
    side, at, token, from_ = change.at
    values = translate(checkpoint, change.text).trace.values[residual(side, at)]
    if int(from_) >= len(values):
        raise InvalidInput("change_place", value=from_, place="from", choices=f"0–{len(values) - 1}")
    return edits.patch(residual(side, at), values, row=int(token), from_row=int(from_))
