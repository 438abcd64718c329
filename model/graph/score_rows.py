"""Why a head looks where it looks, as a graph: the terms of one score, and the row of weights without one of them.

The mathematics is that of `model/attribution/score_terms/terms.py`, on values that the tap of a whole pass hands out.
Each attention has a graph of its own, because each reads a stream of other parts.

P parts of the query and R of a key, shown in G and F groups, K keys, H heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from model.attribution.attention_methods import attention_of
from model.attribution.score_terms.stream_parts import Place
from model.attribution.score_terms.terms import ScoreRow, groups, score_row
from model.decode.recorded_pass import recorded
from model.trace import AttentionKind, path
from model.transformer import Transformer, attention

PICKED = ("head", "query", "key", "of_query", "of_key")  # inputs of one number
GROUPED = ("queries", "keys")  # inputs that say which part belongs to which group
OUTPUTS = ("table", "score", "sides", "weights", "apart")
SIDES = ("both", "key", "query", "neither", "position")  # of the output `sides`, see `ScoreRow.sides`
Parts = dict[str, dict[str, Any]]


class ScoreRows(nn.Module):
    """One attention of a model. `names` are those of the recorded values that it is given, in this order."""

    def __init__(self, model: Transformer, kind: AttentionKind, layer: int, names: Sequence[str]):
        super().__init__()
        self.model, self.kind, self.layer, self.names = model, kind, layer, names

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """The terms of a cell. Where there are two of an output, the second is less its mean over the keys of the row.

        inputs: the recorded values of one pass, batch (1) first; `PICKED` (1) each, the last two being the groups whose
        term is taken out; `GROUPED`, (G, P) and (F, R), 1 where a part belongs to a group, else 0.

        table    (2, G, F) the terms of the score
        score    (2) their sum, with what positions add
        sides    (2, SIDES) the same by what it depends on
        weights  (3, K) of the row: as they are; without the term, as the terms predict them; and as the model's own
                 attention computes them from its queries and keys when the term is taken out of its scores
        apart    (1) how far the last two are apart at most
        """
        values: dict[str, Any] = {name: value[0] for name, value in zip(self.names, inputs, strict=False)}
        head, query, key, of_query, of_key, queries, keys = inputs[len(self.names) :]
        head, query, key = (each.long().reshape(()) for each in (head, query, key))
        row = score_row(self.model, values, self.kind, self.layer, head, query)
        grouped = replace(row, q=queries @ row.q, k=torch.einsum("gr,rkd->gkd", keys, row.k))
        term = of_query.long(), of_key.long()
        predicted, computed = grouped.without(*term), self._less(values, row, head, query, grouped.term(*term))
        both = [{"centred": centred} for centred in (False, True)]
        sides = [row.sides(key, **each) for each in both]
        return (
            torch.stack([grouped.table(key, **each) for each in both]),
            torch.stack([torch.stack(list(each.values())).sum() for each in sides]),
            torch.stack([torch.stack([each[side] for side in SIDES]) for each in sides]),
            torch.stack([row.weights, predicted, computed]),
            (predicted - computed).abs().amax(dim=0, keepdim=True),
        )

    def _less(self, values: Mapping[str, Tensor], row: ScoreRow, head: Tensor, query: Tensor, term: Tensor) -> Tensor:
        """The weights of the row (K) when a term (K) is taken out of the scores that the softmax of the model reads."""
        module, name = attention_of(self.model, self.kind, self.layer), path(self.kind, self.layer)
        number = head if module.sharing == 1 else head // module.sharing
        q, k, v = (values[f"{name}.{letter}"] for letter in "qkv")
        found: dict[str, Tensor] = {}

        def tap(value_name: str, value: Tensor) -> Tensor:
            found[value_name] = value
            return value - term if value_name == "masked_scores" else value

        one_head = q[head][query][None, None, None], k[number][None, None], v[number][None, None]
        attention(*one_head, row.allowed, nn.Identity(), tap, module.mask_fill, row.bias)
        return found["weights"][0, 0, 0]


def belonging(grouped: Iterable[Sequence[Sequence[int]]], counts: Iterable[int]) -> list[list[list[float]]]:
    """The inputs `GROUPED`, from the parts of each group of a side and how many parts the side has."""
    return [
        [[float(part in group) for part in range(count)] for group in side]
        for side, count in zip(grouped, counts, strict=True)
    ]


def names_before(kind: AttentionKind, layer: int, names: Sequence[str]) -> list[str]:
    """Of the recorded names in the order of the pass those up to the weights of an attention."""
    return list(names[: names.index(f"{path(kind, layer)}.weights") + 1])


def score_parts(model: Transformer, values: Mapping[str, Any], kind: AttentionKind, layer: int) -> Parts:
    """The parts of the queries and of the keys of an attention; `values` are those of any pass.

    parts   their recorded names, in the order of the graph's inputs
    groups  by name the places in it of the parts that belong together
    """
    row = score_row(model, values, kind, layer, 0, 0)
    return {side: _described(places) for side, places in zip(GROUPED, (row.queries, row.keys), strict=True)}


def _described(places: Sequence[Place]) -> dict[str, Any]:
    return {"parts": [place.recorded for place in places], "groups": groups(places)}


def short_pass(model: Transformer) -> dict[str, Any]:
    """The values of a pass over one token on each side."""
    source, target = ([0] if model.config.layers(side) else [] for side in ("encoder", "decoder"))
    return recorded(model, source, target)
