"""Attention over long inputs: which heads a figure holds exactly, and the block means that it shows of the others.

L layers, H heads, Q queries, K keys. A block joins neighbouring queries and keys into one cell. Its value is what its
queries give to its keys together, on average over the queries: the rows of block means sum to 1 like those of weights.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, e, isqrt, log2, prod
from typing import NamedTuple

import numpy as np

from ..data import AttentionPanel, Kind

MOST = 4_600_000  # bytes that all weights of a figure may take in a file
MAPS = 1_500_000  # bytes of these for the block means of all heads, if the exact ones leave them
LEAST_MAPS = 200_000
SIDE = 64  # cells that a head has at most along either side where it is shown as blocks

Head = tuple[int, int]  # layer, head


class Held(NamedTuple):
    """What a figure holds of one kind of attention.

    blocks   queries and keys of a block, of which every head has its means; None: there are no block means
    heads    those that are held exactly, in order
    """

    blocks: tuple[int, int] | None
    heads: tuple[Head, ...]


def held(
    panels: Sequence[AttentionPanel],
    shown: Mapping[Kind, Sequence[Head]],
    named: Mapping[Kind, Collection[Head]],
) -> dict[Kind, Held]:
    """What to hold of each kind so that a file stays below 5 MB. Kinds that are left out are held whole.

    shown   the heads that the figure begins with, exact if there is room; the first one counts most
    named   heads that are exact in any case
    """
    if sum(packed_bytes(panel.weights) for panel in panels) <= MOST:
        return {}
    heads, size = _chosen(panels, shown, named)
    maps = min(max(MOST - size, LEAST_MAPS), MAPS)
    cells = maps // (2 * sum(prod(panel.weights.shape[:2]) for panel in panels))  # a mean takes two bytes at most
    side = min(max(isqrt(int(cells)), 4), SIDE)
    return {
        panel.kind: Held(_block(panel, side), tuple(sorted(heads[panel.kind])))
        for panel in panels
        if max(panel.weights.shape[2:]) > side
    }


def _block(panel: AttentionPanel, side: int) -> tuple[int, int]:
    queries, keys = panel.weights.shape[2:]
    return ceil(queries / side), ceil(keys / side)


def _chosen(
    panels: Sequence[AttentionPanel],
    shown: Mapping[Kind, Sequence[Head]],
    named: Mapping[Kind, Collection[Head]],
) -> tuple[dict[Kind, set[Head]], float]:
    """The exact heads by kind, and the bytes that they take."""
    by_kind = {panel.kind: panel.weights for panel in panels}
    heads = {kind: set(named.get(kind, ())) for kind in by_kind}
    size = sum(packed_bytes(by_kind[kind][at]) for kind, chosen in heads.items() for at in chosen)
    firsts = [(kind, chosen[:1]) for kind, chosen in shown.items()]
    for room, groups in ((LEAST_MAPS, firsts), (MAPS, [(kind, chosen[1:]) for kind, chosen in shown.items()])):
        for kind, group in groups:
            missing = set(group) - heads[kind]
            more = sum(packed_bytes(by_kind[kind][at]) for at in missing)
            if size + more <= MOST - room:
                heads[kind] |= missing
                size += more
    return heads, size


def packed_bytes(weights: np.ndarray) -> float:
    """About the bytes that weights (…, Q, K) take in a file at most: two planes, deflated, five letters for four; sums.

    Rows sum to 1. Of whole numbers with a given mean, those that fall off evenly are the hardest to pack.
    """
    queries, keys = weights.shape[-2:]
    rows = weights.size // keys
    count = int(np.count_nonzero(weights))
    each = min(2, log2(e * (65535 * rows / max(count, 1) + 1)) / 8 + 0.05)
    return 1.25 * count * each + 6 * (queries + keys) * rows // queries


def block_means(weights: np.ndarray, block: tuple[int, int]) -> np.ndarray:
    """(…, Q, K) as (…, Q / queries, K / keys), the last blocks with what is left: keys summed, queries averaged."""
    queries, keys = block
    rows = np.arange(0, weights.shape[-2], queries)
    counts = np.diff(np.append(rows, weights.shape[-2]))
    sums = np.add.reduceat(weights, np.arange(0, weights.shape[-1], keys), axis=-1, dtype=np.float64)
    return np.asarray(np.add.reduceat(sums, rows, axis=-2) / counts[:, None])


def arrays(panel: AttentionPanel, part: Held) -> Iterable[np.ndarray]:
    """The numbers that are sent: block means of all heads, then the exact heads."""
    if part.blocks:
        yield from _all_means(panel, part.blocks)
    yield from (panel.weights[at] for at in part.heads)


def described(panel: AttentionPanel, part: Held) -> dict[str, object]:
    """What the header says of them."""
    means = _all_means(panel, part.blocks) if part.blocks else []
    return {
        "blocks": part.blocks,
        "blockSums": [_sums(head) for layer in means for head in layer],
        "exact": part.heads,
    } | measures(panel.weights[at] for at in part.heads)


def measures(heads: Iterable[np.ndarray]) -> dict[str, object]:
    """Sums and mean entropies of heads (Q, K), of the weights as they are, with the decimals that a figure shows."""
    sums, entropies = [], []
    for head in heads:
        exact = head.astype(np.float64)
        sums.append(_sums(exact))
        entropies.append(mean_entropy(exact))
    return {"sums": sums, "entropies": _rounded(np.array(entropies), 2)}


def _all_means(panel: AttentionPanel, blocks: tuple[int, int]) -> list[np.ndarray]:
    """A layer at a time: all layers as double numbers at once would take gigabytes."""
    return [np.clip(block_means(layer, blocks), 0, 1) for layer in panel.weights]


def _sums(head: np.ndarray) -> list[list[float]]:
    """Of the rows and of the columns of (Q, K)."""
    return [_rounded(head.sum(axis), 3) for axis in (1, 0)]


def _rounded(values: np.ndarray, decimals: int) -> list[float]:
    """Half up, as JavaScript writes numbers."""
    rounded: list[float] = (np.floor(values * 10**decimals + 0.5) / 10**decimals).tolist()
    return rounded


def mean_entropy(head: np.ndarray) -> float:
    """In bits, on average over the rows of (Q, K) that have weights."""
    logs = np.log2(head, out=np.zeros_like(head), where=head > 0)
    return float(-(head * logs).sum() / max(int(head.any(axis=1).sum()), 1))
