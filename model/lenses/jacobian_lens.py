"""The Jacobian lens: the mean effect of a vector of the stream on what the last layer gives, as a matrix.

Gurnee et al. 2026, "Verbalizable Representations Form a Global Workspace in Language Models": J = E[∂final / ∂x], the
derivatives summed over all target tokens and averaged over the tokens x. The words are read off J x by the model's own
final norm and output layer. For x of an encoder nobody had done it: final is then the last layer of the decoder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from model.lenses.batch_streams import Streams, Text, batches, read
from model.transformer import Transformer

Matrices = dict[str, Tensor]  # by depth, (d_model, d_model)


def fit(
    model: Transformer, texts: Sequence[Text], report: Callable[[int], None] = lambda count: None
) -> tuple[Matrices, Matrices]:
    """The matrices of the encoder's depths, and of the decoder's but the last. Padding counts on neither side.

    `report` is told how many texts are done.
    """
    sums: dict[str, Matrices] = {"encoder": {}, "decoder": {}}
    counts, done = {"encoder": 0, "decoder": 0}, 0
    for batch in batches(texts):
        streams = read(model, batch, has_gradients=True)
        for side, matrices in _summed(streams).items():
            counts[side] += int(_real(streams, side).sum())
            for depth, matrix in matrices.items():
                sums[side][depth] = sums[side].get(depth, 0) + matrix
        report(done := done + len(batch))
    encoder, decoder = (
        {depth: matrix / counts[side] for depth, matrix in sums[side].items()} for side in ("encoder", "decoder")
    )
    return encoder, decoder


def _summed(streams: Streams) -> dict[str, Matrices]:
    """Σ over x of ∂(Σ over targets of final) / ∂x, by side and depth: row i is the gradient of number i of final."""
    final, depths = streams.final, _depths(streams)
    inputs = [x for _, _, x in depths]
    rows: list[list[Tensor]] = [[] for _ in depths]
    for number in range(final.size(-1)):
        total = final[..., number][streams.target].sum()
        gradients = torch.autograd.grad(total, inputs, retain_graph=True)
        for row, gradient, (side, _, _) in zip(rows, gradients, depths, strict=True):
            row.append(gradient[_real(streams, side)].sum(0))
    result: dict[str, Matrices] = {"encoder": {}, "decoder": {}}
    for row, (side, depth, _) in zip(rows, depths, strict=True):
        result[side][depth] = torch.stack(row)
    return result


def _depths(streams: Streams) -> list[tuple[str, str, Tensor]]:
    """Side, depth and vectors of everything that is read; the last layer's own output needs no lens."""
    encoder = [("encoder", depth, x) for depth, x in streams.encoder.items()]
    decoder = [("decoder", depth, x) for depth, x in streams.decoder.items()]
    return [*encoder, *decoder[:-1]]


def _real(streams: Streams, side: str) -> Tensor:
    return streams.source if side == "encoder" else streams.target
