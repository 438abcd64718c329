"""A pass under edits. Edits are small frozen objects; several are composed into one tap.

B batch, T tokens, Q queries, K keys, H heads. Nothing is detached or changed in place, so a model can be trained under
edits.
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.edit.recorded_names import MATRICES, PER_HEAD, SHARED, names
from model.errors import InvalidInput
from model.trace import Tap, silent
from model.transformer import Transformer

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
    unrotated                        q or k before its rotation, as edited, (B, H, T, D); None where nothing is rotated
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
        self.unrotated: Tensor | None = None
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
        result = value
        for edit in self.plan.get(name, ()):
            result = self._apply(edit, result)
        if name.endswith(".scores"):
            self.scores = result
        elif name.endswith(".position_bias"):
            self.scores = self.scores + result
        elif ".unrotated_" in name:
            self.unrotated = result
        elif name.endswith((".q", ".k")):
            self.unrotated = None
        elif name.endswith(".masked_scores"):
            if result is not value and (_empty(result) & ~_empty(value)).any():
                raise InvalidInput("edit_mask", name=name)
            self.masked_scores = result
        elif name.endswith((".input", ".residual")):
            self.stream = result
        return self.then(name, result)

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
        return self.grows() and "self_attention" in self.name and self.name.split(".")[-1] in MATRICES

    def allowed(self) -> Tensor:
        """The mask of the current attention, (B, H, Q, K): true where a query may see a key."""
        return self.masked_scores > mask_fill(self.model.config) / 2

    def _apply(self, edit: Edit, value: Tensor) -> Tensor:
        mask = self._chosen(edit, value)
        if not mask.any():
            return value  # another step of the run
        self._used.add(id(edit))
        return torch.where(mask, edit.change(value, self), value)

    def _chosen(self, edit: Edit, value: Tensor) -> Tensor:
        """Where an edit applies, broadcasting to the value."""
        mask = torch.ones((), dtype=torch.bool, device=value.device)
        if edit.head is not None:
            mask = mask & (torch.arange(value.size(1), device=value.device) == edit.head)[:, None, None]
        if edit.row is not None:
            self._reach(edit.row, value.size(-2), self.grows())
            mask = mask & (self.rows(value) == edit.row)[:, None]
        if edit.key is not None:
            self._reach(edit.key, value.size(-1), self.keys_grow())
            mask = mask & (torch.arange(value.size(-1), device=value.device) == edit.key)
        return mask

    def _reach(self, place: int, length: int, more: bool) -> None:
        if place >= length and not more:
            raise InvalidInput("edit_place", name=self.name, place=place, last=length - 1)


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
    for part, index, having in (("heads", edit.head, PER_HEAD), ("keys", edit.key, MATRICES)):
        without = [name for name in matching if name.split(".")[-1] not in having]
        if index is not None and without:
            raise InvalidInput("edit_part", name=without[0], part=part)
    is_shared = any(name.split(".")[-1] in SHARED for name in matching)
    heads = config.kv_heads if is_shared else config.heads
    if edit.head is not None and not 0 <= edit.head < heads:
        raise InvalidInput("edit_head", head=edit.head, last=heads - 1)
    for place in (edit.row, edit.key):
        if place is not None and not 0 <= place < config.max_length:
            raise InvalidInput("edit_place", name=matching[0], place=place, last=config.max_length - 1)
    return matching


def _position_table(model: Transformer, name: str) -> Tensor:
    is_learned = model.config.position == "learned"
    return model.position_tables[name.split(".")[0]] if is_learned else model.sinusoids


def _empty(masked_scores: Tensor) -> Tensor:
    """Rows without a key, (B, H, Q)."""
    return masked_scores.isneginf().all(dim=-1)
