"""Edits change the values of a pass. They are small frozen objects; several are composed into one tap.

B batch, T tokens, Q queries, K keys, H heads. Edits name values as in docs/architecture.md, with `*` for any layer or
side; `head`, `row` and `key` restrict them to a part. Rows are tokens counted from the start of the sentence, also in
decoding with a cache, where a pass has only the newest tokens. Nothing is detached or changed in place, so a model can
be trained under edits.
"""

import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model.config import BIASES, TABLES, TransformerConfig
from model.errors import InvalidInput
from model.trace import Tap, silent
from model.transformer import Transformer

Side = Literal["encoder", "decoder"]
Pattern = Literal["uniform", "diagonal", "previous"]
Array = np.ndarray | Tensor

_MATRICES = ("scores", "position_bias", "masked_scores", "weights")  # (H, Q, K)
_SHARED = ("unrotated_k", "k", "v")  # (G, K, D), G keys and values for H heads
_PER_HEAD = ("unrotated_q", "q", *_SHARED, *_MATRICES, "head_outputs")


def names(config: TransformerConfig) -> tuple[str, ...]:
    """The name of every value that a pass of such a model hands to its tap, in the order of the pass."""
    result: list[str] = []
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        if not layers:
            continue
        parts = ["embedding"]
        if config.position in TABLES:
            parts.append("position")
        if config.embedding_norm:
            parts.append("embedding_sum")
        parts.append("input")
        attentions = ["self_attention"]
        if side == "decoder" and config.architecture == "encoder-decoder":
            attentions.append("cross_attention")
        for layer in range(layers):
            for attention in attentions:
                own = [part for part in _PER_HEAD if part not in _without(config, attention)]
                parts += [f"{layer}.{attention}.{part}" for part in (*own, "output", "residual")]
            gate = ("gate", "linear") if config.gated else ()
            parts += [f"{layer}.feed_forward.{part}" for part in (*gate, "hidden", "output", "residual")]
        result += [f"{side}.{part}" for part in (*parts, "output")]
    if config.output_transform:
        result.append("output_transform")
    return (*result, "logits") if config.target_vocabulary else tuple(result)


def _without(config: TransformerConfig, attention: str) -> set[str]:
    """The values that an attention of such a model has not: what positions do, they do in self-attention."""
    self_attention = attention == "self_attention"
    missing = set() if self_attention and config.position == "rotary" else {"unrotated_q", "unrotated_k"}
    return missing if self_attention and config.position in BIASES else missing | {"position_bias"}


Change = Callable[[Tensor, "EditedPass"], Tensor]


@dataclass(frozen=True)
class Edit:
    """One change to the values called `name`, or only to one head, one row (token) or one key of them.

    `change(value, edited_pass)` returns the new value (B, …), or something that broadcasts to it.
    """

    name: str
    change: Change
    head: int | None = None
    row: int | None = None
    key: int | None = None


def compose(model: Transformer, *edits: Edit, then: Tap = silent) -> "EditedPass":
    """A tap that makes all the edits, those of one value in the order given; `then` sees the result.

    Raises `InvalidInput` for a name, head or place that the model does not have.
    """
    return EditedPass(model, edits, then)


class EditedPass:
    """The tap of a pass, or with `at` of a cached step; it tells a change which tokens the pass reads.

    model                            whose pass this is
    name                             of the value at hand
    scores, masked_scores            of the attention at hand, as edited, (B, H, Q, K); scores with the position bias
    unrotated                        q or k before its rotation, as edited, (B, H, T, D)
    position_rows, position_table    of the position at hand, as edited, (T) and (length, d_model)
    stream                           what enters the sublayer at hand, as edited, (B, T, d_model)
    """

    def __init__(self, model: Transformer, edits: tuple[Edit, ...], then: Tap = silent):
        self.model = model
        self.edits = edits
        self.then = then
        self.plan: dict[str, list[Edit]] = {}
        for edit in edits:
            for name in _matches(model.config, edit):
                self.plan.setdefault(name, []).append(edit)
        self.name = ""
        self.unrotated = torch.empty(0)
        self.scores = self.masked_scores = self.position_rows = self.position_table = self.stream = torch.empty(0)
        self._used: set[int] = set()  # identities of edits
        self._start = 0  # decoder tokens read before this pass

    def __call__(self, name: str, value: Tensor) -> Tensor:
        return self._edited(name, value, 0)

    def at(self, start: int) -> Tap:
        """The tap of a cached step that begins with the decoder's token `start`."""
        return lambda name, value: self._edited(name, value, start)

    def _edited(self, name: str, value: Tensor, start: int) -> Tensor:
        self.name, self._start = name, start
        if name == "decoder.0.self_attention.scores":
            assert value.size(-1) == start + value.size(-2), "a cached step has to be told where it starts"
        if name.endswith(".position") and name in self.plan:
            self.position_rows, self.position_table = self.rows(value), _position_table(self.model, name)
        edited = value
        for edit in self.plan.get(name, ()):
            edited = self._apply(edit, edited)
        if name.endswith(".scores"):
            self.scores = edited
        elif name.endswith(".position_bias"):
            self.scores = self.scores + edited
        elif ".unrotated_" in name:
            self.unrotated = edited
        elif name.endswith(".masked_scores"):
            if edited is not value and (_empty(edited) & ~_empty(value)).any():
                raise InvalidInput("edit_mask", name=name)
            self.masked_scores = edited
        elif name.endswith((".input", ".residual")):
            self.stream = edited
        return self.then(name, edited)

    def on(self, model: Transformer) -> "EditedPass":
        """The same edits for another model of this config, which a change may ask for its tables."""
        return EditedPass(model, self.edits, self.then)

    def check(self) -> None:
        """Raise `InvalidInput` if an edit has changed nothing so far: its side was not run, or its token not read."""
        for edit in self.edits:
            if id(edit) not in self._used:
                raise InvalidInput("edit_unused", name=edit.name)

    def rows(self, value: Tensor) -> Tensor:
        """The position in the sentence of each row of the current value, (T)."""
        start = self._start if self.grows() else 0
        return torch.arange(start, start + value.size(-2), device=value.device)

    def grows(self) -> bool:
        """Whether the rows of the current value are decoder tokens, so that later steps add more of them."""
        decoder = self.model.config.architecture != "encoder" and not self.name.startswith("encoder.")
        return decoder and not self.name.endswith(("cross_attention.k", "cross_attention.v"))

    def keys_grow(self) -> bool:
        """Whether the last axis of the current value are decoder tokens, so that later steps add more of them."""
        return self.grows() and "self_attention" in self.name and self.name.split(".")[-1] in _MATRICES

    def allowed(self) -> Tensor:
        """The mask of the current attention, (B, H, Q, K): true where a query may see a key."""
        return self.masked_scores > mask_fill(self.model.config) / 2

    def _apply(self, edit: Edit, value: Tensor) -> Tensor:
        chosen = self._chosen(edit, value)
        if not chosen.any():
            return value  # another step of the run
        self._used.add(id(edit))
        return torch.where(chosen, edit.change(value, self), value)

    def _chosen(self, edit: Edit, value: Tensor) -> Tensor:
        """Where an edit applies, broadcasting to the value."""
        chosen = torch.ones((), dtype=torch.bool, device=value.device)
        if edit.head is not None:
            chosen = chosen & (torch.arange(value.size(1), device=value.device) == edit.head)[:, None, None]
        if edit.row is not None:
            self._reach(edit.row, value.size(-2), self.grows())
            chosen = chosen & (self.rows(value) == edit.row)[:, None]
        if edit.key is not None:
            self._reach(edit.key, value.size(-1), self.keys_grow())
            chosen = chosen & (torch.arange(value.size(-1), device=value.device) == edit.key)
        return chosen

    def _reach(self, place: int, length: int, more: bool) -> None:
        if place >= length and not more:
            raise InvalidInput("edit_place", name=self.name, place=place, last=length - 1)


def scale(name: str, factor: float, *, head: int | None = None, row: int | None = None) -> Edit:
    """Multiply a value by a number."""
    return Edit(name, lambda value, at: value * factor, head, row)


def zero(name: str, *, head: int | None = None, row: int | None = None) -> Edit:
    """Replace a value by zeros. For the `head_outputs` of a head, this switches the head off."""
    return Edit(name, lambda value, at: torch.zeros_like(value), head, row)


def patch(
    name: str, recorded: Array, *, head: int | None = None, row: int | None = None, from_row: int | None = None
) -> Edit:
    """Replace a value by one recorded in another pass, (T, …) or (H, T, …).

    With `row`, only that token's row is replaced, by row `from_row` of the recording (by default the same row).
    """
    recorded_value = torch.as_tensor(recorded)

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
        wanted = wanted_weights(weights, at) * at.allowed()  # (B, H, Q, K)
        total = wanted.sum(dim=-1, keepdim=True)  # (B, H, Q, 1)
        return torch.where(total > 0, wanted / total.masked_fill(total == 0, 1), weights)

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
        return Edit(f"{side}.*.self_attention.[qk]", lambda value, at: at.unrotated)
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


def mask_fill(config: TransformerConfig) -> float:
    """The value of a forbidden score."""
    return float(config.mask_fill)


def _matches(config: TransformerConfig, edit: Edit) -> list[str]:
    """The recorded names that an edit matches. Raises `InvalidInput` if there are none, or if they lack its part."""
    all_names = names(config)
    matching = [name for name in all_names if fnmatchcase(name, edit.name)]
    if not matching:
        nearest = difflib.get_close_matches(edit.name, all_names, n=3, cutoff=0)
        raise InvalidInput("edit_name", name=edit.name, nearest=", ".join(nearest))
    for part, wanted, having in (("heads", edit.head, _PER_HEAD), ("keys", edit.key, _MATRICES)):
        without = [name for name in matching if name.split(".")[-1] not in having]
        if wanted is not None and without:
            raise InvalidInput("edit_part", name=without[0], part=part)
    shared = any(name.split(".")[-1] in _SHARED for name in matching)
    heads = config.kv_heads if shared else config.heads
    if edit.head is not None and not 0 <= edit.head < heads:
        raise InvalidInput("edit_head", head=edit.head, last=heads - 1)
    for place in (edit.row, edit.key):
        if place is not None and not 0 <= place < config.max_length:
            raise InvalidInput("edit_place", name=matching[0], place=place, last=config.max_length - 1)
    return matching


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


def _rows_of_pass(recorded: Tensor, value: Tensor, at: EditedPass, rows: Tensor | None = None) -> Tensor:
    """From a value `recorded` for a whole sentence: the rows that this pass computes, and the keys it has so far."""
    whole = rows is None
    rows = at.rows(value) if rows is None else rows
    needed = value.shape[1:]
    leading = recorded.shape[:-2]
    fits = recorded.dim() >= 2 and (not leading or leading == needed[:-2])
    fits = fits and (recorded.size(-2) == needed[-2] or at.grows() or not whole)
    fits = fits and (recorded.size(-1) == needed[-1] or (at.keys_grow() and recorded.size(-1) > needed[-1]))
    if not fits or not 0 <= int(rows.min()) <= int(rows.max()) < recorded.size(-2):
        raise InvalidInput("edit_shape", name=at.name, given=tuple(recorded.shape), needed=tuple(needed))
    return recorded.to(value)[..., rows.to(value.device), : needed[-1]]


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


def _position_table(model: Transformer, name: str) -> Tensor:
    learned = model.config.position == "learned"
    return model.position_tables[name.split(".")[0]] if learned else model.sinusoids


def _empty(masked_scores: Tensor) -> Tensor:
    """Rows without a key, (B, H, Q)."""
    return masked_scores.isneginf().all(dim=-1)
