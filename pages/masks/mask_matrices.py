"""The masks of the user's batch, one attention of it before and after its mask, and the two fills, as matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from model import masks
from model.checkpoint import catalogue
from model.masking import padded_batch
from model.trace import AttentionKind
from pages.masks.batch import Batch, Side
from pages.shared.models import models
from pages.shared.text.words import section, words
from pages.shared.ui import show, token_picker
from pages.shared.ui.head_picker import PickedHead
from viz.charts.mask_charts import change_text
from viz.data import Matrix
from viz.figures.matrices import MatrixFigure
from viz.html.masks import batch_rows, batch_table

if TYPE_CHECKING:
    from torch import Tensor


TABLE, ROW, BETWEEN = 32, 41, 12  # px: a table without its rows, a row, from one table to the next
FILLS = {"infinite": -np.inf, "finite": -1e9}


def tables(batch: Batch) -> None:
    """The padded batch, a table for each side."""
    names = [str(number) for number in batch.numbers]
    captions = {side: words(f"masks_batch.{side}", shape=(len(names), batch.length(side))) for side in batch.sides}
    show.table("".join(batch_table(batch.table(side), names, batch.row, side, captions[side]) for side in batch.sides))


def table_height(batch: Batch) -> float:
    """Pixels of all tables together."""
    return len(batch.sides) * (TABLE + ROW * len(batch.numbers)) + BETWEEN * (len(batch.sides) - 1)


def table_rows(batch: Batch) -> list[dict[str, object]]:
    """The same, a line per token."""
    names = [str(number) for number in batch.numbers]
    return [row for side in batch.sides for row in batch_rows(batch.table(side), names, side)]


def padding_figure(batch: Batch) -> MatrixFigure:
    """The batch as it is taken away: true where a token is real, places numbered; its table is that of the batch."""
    side = batch.sides[0]
    ids = batch.ids(side)
    is_real = np.array([[place < len(row) for place in range(batch.length(side))] for row in ids])
    names = tuple(f"{number}  {sentence}" for number, sentence in zip(batch.numbers, batch.sentences, strict=True))
    mask = _mask("batch", words("masks_patterns.padding"), is_real, names, tuple(map(str, range(is_real.shape[1]))))
    return MatrixFigure([mask], words=section("matrix_figure"), rows=lambda: table_rows(batch))


def patterns(batch: Batch) -> list[Matrix]:
    """Every mask that the architecture has, for the row looked at, with its shape and the attention that uses it."""
    matrices = []
    source, target = padded_batch.padded(batch.ids("encoder")), padded_batch.padded(batch.ids("decoder"))
    if source is not None:
        matrices.append(_pattern(batch, "padding", "encoder", masks.padding(source)))
    if target is not None:
        matrices += _causal(batch, target.size(1))
        matrices.append(_pattern(batch, "target_padding", "decoder", masks.padding(target)))
        matrices.append(_pattern(batch, "decoder_self", "decoder", masks.decoder_self(target)))
    if source is not None and target is not None:
        matrices.append(_pattern(batch, "cross", "cross", masks.cross(source)))
    return matrices


def _causal(batch: Batch, length: int) -> list[Matrix]:
    """The causal mask, where a layer has it, and that of each window with the layers that have it."""
    windows = batch.entry.config.windows
    if not any(windows):
        return [_pattern(batch, "causal", "decoder", masks.causal(length))]
    return [_window(batch, window, length, windows) for window in sorted(set(windows))]


def _window(batch: Batch, window: int, length: int, windows: Sequence[int]) -> Matrix:
    name = "window" if window else "causal"
    layers = ", ".join(str(layer) for layer, each in enumerate(windows) if each == window)
    mask = _pattern(batch, name, "decoder", masks.causal(length, window=window))
    note = words(f"masks_patterns.{name}_layers", layers=layers, count=window)
    return replace(mask, key=f"{name}{window or ''}", note=note)


def _pattern(batch: Batch, name: str, kind: AttentionKind, mask: Tensor) -> Matrix:
    """One mask (B, 1, 1, K), (1, 1, Q, K) or (B, 1, Q, K), as the row's queries see it."""
    queries, keys = batch.queries(kind), batch.keys(kind)
    visible = mask[min(batch.row, len(mask) - 1), 0].expand(len(queries), len(keys)).numpy()  # (Q, K)
    note = section("masks_patterns").get(f"{name}_note", "").format(shape=tuple(mask.shape))
    return _mask(name, words(f"masks_patterns.{name}"), visible, queries, keys, kind, note)


def _mask(
    key: str,
    title: str,
    values: np.ndarray,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    kind: AttentionKind | None = None,
    note: str = "",
) -> Matrix:
    axes = (words("masks_axes.queries"), words("masks_axes.keys")) if kind else ("", "")
    return Matrix(key, title, values, rows, columns, *axes, scale="mask", colour=kind or "encoder", note=note)


def attention(batch: Batch, picked: PickedHead) -> padded_batch.AttentionPass:
    """The chosen attention of the row looked at, from the padded batch as it is run."""
    return _attention(batch.entry, batch.sentences, picked.kind, picked.layer, batch.row)


@models.cached
def _attention(
    entry: catalogue.Entry, sentences: tuple[str, ...], kind: AttentionKind, layer: int, row: int
) -> padded_batch.AttentionPass:
    runs = [models.run(entry, sentence) for sentence in sentences]
    sources, targets = [run.source for run in runs], [run.target for run in runs]
    return padded_batch.attention(models.checkpoint(entry).model, sources, targets, kind=kind, layer=layer, row=row)


def stages(batch: Batch, picked: PickedHead) -> list[Matrix]:
    """Scores, masked scores and weights of the head, (Q, K) each."""
    pass_, texts = attention(batch, picked), section("masks_scores")
    scores, masked, weights = (part[picked.head] for part in (pass_.scores, pass_.masked_scores, pass_.weights))
    fill = float(batch.entry.config.mask_fill)
    count = int((masked <= fill / 2).sum())
    limit = float(np.abs(scores).max()) or 1.0
    filled = "−∞" if np.isneginf(fill) else "−1e9"
    note = words("masks_scores.hidden", count=count, total=masked.size, fill=filled)
    labels = (batch.queries(picked.kind), batch.keys(picked.kind))
    axes = (words(f"masks_axes.queries_{picked.kind}"), words("masks_axes.keys"))
    return [
        Matrix("scores", texts["scores"], scores, *labels, *axes, limit=limit, decimals=2),
        Matrix("masked_scores", texts["masked"], masked, *labels, *axes, limit=limit, decimals=2, note=note),
        Matrix("weights", texts["weights"], weights, *labels, *axes, scale="weight", colour=picked.kind),
    ]


@dataclass(frozen=True, eq=False)
class Fills:
    """A query's weights while its keys are hidden one by one, with either fill, and what sets them apart.

    difference    largest, while at least one key is left
    """

    matrices: list[Matrix]
    difference: float
    keys: int


def fills(batch: Batch, picked: PickedHead, query: int) -> Fills:
    """The last row hides every key; the others leave fewer and fewer of those that the model's own mask leaves."""
    import torch

    pass_ = attention(batch, picked)
    scores = torch.tensor(pass_.scores[picked.head, query])  # (K)
    visible = masks.seen(torch.tensor(pass_.masked_scores[picked.head, query]), float(batch.entry.config.mask_fill))
    left = range(int(visible.sum()), -1, -1)
    mask = torch.stack([visible & (visible.cumsum(0) <= count) for count in left])  # (n, K)
    both = {name: masks.weights(scores.expand(len(mask), -1), mask, fill).numpy() for name, fill in FILLS.items()}
    rows = tuple(words("masks_fill.left", count=count) for count in left)
    keys = batch.keys(picked.kind)
    axes = (words("masks_axes.left"), words("masks_axes.keys"))
    matrices = [
        Matrix(name, words(f"masks_fill.{name}"), values, rows, keys, *axes, scale="weight", colour=picked.kind)
        for name, values in both.items()
    ]
    return Fills(matrices, float(np.abs(both["infinite"][:-1] - both["finite"][:-1]).max(initial=0)), len(keys))


def query(batch: Batch, picked: PickedHead) -> int:
    """The control for one query: the last real one by default."""
    tokens = batch.queries(picked.kind)
    side: Side = "encoder" if picked.kind == "encoder" else "decoder"
    real = len(batch.ids(side)[batch.row])
    return token_picker.numbered("query", words("masks_fill.query"), tokens[:real], real - 1)


def fill_result(fills_: Fills) -> str:
    """Compare the results of the two fills, in a sentence with the numbers."""
    return words(
        "masks_fill.result",
        difference=change_text(fills_.difference),
        count=fills_.keys,
        uniform=f"{1 / fills_.keys:.3f}",
    )
