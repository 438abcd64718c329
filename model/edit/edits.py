"""The edits: each function makes one change to the values of a pass (`edited_pass` applies them).

B batch, T tokens, Q queries, K keys, H heads. Edits name values as in docs/traces.md, with `*` for any layer or
side; `head`, `row` and `key` restrict them to a part. Rows are tokens counted from the start of the sentence, also in
decoding with a cache, where a pass has only the newest tokens.
"""

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model.analysis.residual_stream import Side
from model.config import BIASES
from model.edit.edited_pass import Change, Edit, EditedPass, mask_fill
from model.errors import InvalidInput

Pattern = Literal["uniform", "diagonal", "previous"]
Array = np.ndarray | Tensor


def scale(name: str, factor: float, *, head: int | None = None, row: int | None = None) -> Edit:
    """Multiply a value by a number."""
    return Edit(name, lambda value, at: value * factor, head, row)


def zero(name: str, *, head: int | None = None, row: int | None = None) -> Edit:
    """Replace a value by zeros. For the `head_outputs` of a head, this switches the head off."""
    return Edit(name, lambda value, at: torch.zeros_like(value), head, row)


def patch(
    name: str, recording: Array, *, head: int | None = None, row: int | None = None, from_row: int | None = None
) -> Edit:
    """Replace a value by one recorded in another pass, (T, …) or (H, T, …).

    With `row`, only that token's row is replaced, by row `from_row` of the recording (by default the same row).
    """
    recorded_value = torch.as_tensor(recording)

    def change(value: Tensor, at: EditedPass) -> Tensor:
        if row is None:
            return _rows_of_pass(recorded_value, value, at)
        return _rows_of_pass(recorded_value, value, at, torch.tensor([row if from_row is None else from_row]))

    return Edit(name, change, head, row)


def replace_weights(
    attention: str, pattern: Pattern | Array, *, head: int | None = None, row: int | None = None
) -> Edit:
    """Replace attention weights by a pattern, restricted to the allowed keys and renormalised to sum 1 in each row.

    pattern: "uniform", "diagonal" (the key at the query's own position), "previous" (the key before it), or a matrix
    (Q, K) or (H, Q, K) of numbers ≥ 0. A row whose pattern has no allowed key keeps its weights.
    """
    wanted_weights = _pattern(pattern)

    def change(weights: Tensor, at: EditedPass) -> Tensor:
        new_weights = wanted_weights(weights, at) * at.allowed()  # (B, H, Q, K)
        total = new_weights.sum(dim=-1, keepdim=True)  # (B, H, Q, 1)
        return torch.where(total > 0, new_weights / total.masked_fill(total == 0, 1), weights)

    return Edit(f"{attention}.weights", change, head, row)


def allow(attention: str, *, head: int | None = None, row: int | None = None, key: int | None = None) -> Edit:
    """Remove the mask: for all heads, rows and keys, or only for one of them."""
    return Edit(f"{attention}.masked_scores", lambda masked, at: at.scores, head, row, key)


def forbid(attention: str, *, head: int | None = None, row: int | None = None, key: int | None = None) -> Edit:
    """Mask keys that were allowed. With −∞ as fill, a row that would have no key left raises `InvalidInput`."""
    name = f"{attention}.masked_scores"
    return Edit(name, lambda masked, at: torch.full_like(masked, mask_fill(at.model.config)), head, row, key)


def remove_position(side: Side, position: str = "sinusoidal") -> Edit:
    """Give no positions, in the way in which the config's `position` does: add none, bias no scores, rotate nothing."""
    if position in BIASES:
        return zero(f"{side}.*.self_attention.position_bias")
    if position == "rotary":
        return Edit(f"{side}.*.self_attention.[qk]", lambda value, at: value if at.unrotated is None else at.unrotated)
    return _reposition(side, table=torch.zeros_like)


def replace_position(side: Side, table: Array) -> Edit:
    """Use another position table, (length, d_model)."""
    return _reposition(side, table=lambda own: torch.as_tensor(table).to(own))


def shift_position(side: Side, by: int) -> Edit:
    """Position n gets the row of position n + by."""
    return _reposition(side, rows=lambda rows: rows + by)


def shuffle_position(side: Side, length: int, seed: int = 0) -> Edit:
    """Permute the rows of the first `length` positions at random; later ones stay."""
    order = torch.randperm(length, generator=torch.Generator().manual_seed(seed))
    return _reposition(side, rows=lambda rows: _permuted(rows, order))


def scale_embedding(side: Side) -> Edit:
    """Multiply the embedding by √d_model (section 3.4), for a model that does not."""
    return Edit(f"{side}.embedding", lambda value, at: value * math.sqrt(value.size(-1)))


def unscale_embedding(side: Side) -> Edit:
    """Divide the embedding by √d_model."""
    return Edit(f"{side}.embedding", lambda value, at: value / math.sqrt(value.size(-1)))


def swap_token(side: Side, row: int, token: int) -> Edit:
    """Embed the token with the id `token` at position `row`."""

    def change(value: Tensor, at: EditedPass) -> Tensor:
        config = at.model.config
        if config.inputs != "tokens":
            raise InvalidInput("edit_part", name=at.name, part="tokens")
        table = (at.model.source_embedding if side == "encoder" else at.model.target_embedding).weight
        if not 0 <= token < len(table):
            raise InvalidInput("edit_token", token=token, last=len(table) - 1)
        return table[token] * math.sqrt(config.d_model) if config.scale_embedding else table[token]  # (d_model)

    return Edit(f"{side}.embedding", change, row=row)


def remove_residual(sublayer: str = "*.*.*") -> Edit:
    """Remove the residual connection of a sublayer such as "encoder.0.feed_forward", or of all.

    x is subtracted from the output of the sublayer, and the model then adds x. Dropout comes between the two, so a
    model that is trained with dropout keeps a part of x.
    """
    return Edit(f"{sublayer}.output", lambda value, at: value - at.stream)


def _pattern(pattern: Pattern | Array) -> Change:
    """A function that gives the weights of a pattern, not yet masked, broadcasting to (B, H, Q, K)."""
    if not isinstance(pattern, str):
        matrix = torch.as_tensor(pattern)
        if matrix.dim() not in (2, 3) or not (matrix.isfinite() & (matrix >= 0)).all():
            raise InvalidInput("edit_matrix", shape=tuple(matrix.shape))
        return lambda weights, at: _rows_of_pass(matrix, weights, at)
    if pattern == "uniform":
        return lambda weights, at: torch.ones_like(weights)
    if pattern not in get_args(Pattern):
        raise InvalidInput("config_choice", field="pattern", value=pattern, choices=", ".join(get_args(Pattern)))
    back = {"diagonal": 0, "previous": 1}[pattern]
    return lambda weights, at: (
        at.rows(weights)[:, None] - back == torch.arange(weights.size(-1), device=weights.device)
    ).to(weights.dtype)  # (Q, K)


def _rows_of_pass(recording: Tensor, value: Tensor, at: EditedPass, rows: Tensor | None = None) -> Tensor:
    """From the `recording` of a value over a sentence: the rows that this pass computes, and the keys it has so far."""
    whole = rows is None
    rows = at.rows(value) if rows is None else rows
    shape = value.shape[1:]
    leading = recording.shape[:-2]
    fits = recording.dim() >= 2 and (not leading or leading == shape[:-2])
    fits = fits and (recording.size(-2) == shape[-2] or at.grows() or not whole)
    fits = fits and (recording.size(-1) == shape[-1] or (at.keys_grow() and recording.size(-1) > shape[-1]))
    if not fits or not 0 <= int(rows.min()) <= int(rows.max()) < recording.size(-2):
        raise InvalidInput("edit_shape", name=at.name, given=tuple(recording.shape), needed=tuple(shape))
    return recording.to(value)[..., rows.to(value.device), : shape[-1]]


def _reposition(
    side: Side,
    *,
    rows: Callable[[Tensor], Tensor] = lambda own: own,
    table: Callable[[Tensor], Tensor] = lambda own: own,
) -> Edit:
    """An edit that takes other rows of the position table, or another table. Several such edits compose."""

    def change(value: Tensor, at: EditedPass) -> Tensor:
        at.position_rows, at.position_table = rows(at.position_rows), table(at.position_table)
        for place in (int(at.position_rows.min()), int(at.position_rows.max())):
            if not 0 <= place < len(at.position_table):
                raise InvalidInput("edit_place", name=at.name, place=place, last=len(at.position_table) - 1)
        return at.position_table[at.position_rows][None]  # (1, T, d_model)

    return Edit(f"{side}.position", change)


def _permuted(rows: Tensor, order: Tensor) -> Tensor:
    return torch.where(rows < len(order), order.to(rows.device)[rows.clamp(max=len(order) - 1)], rows)
