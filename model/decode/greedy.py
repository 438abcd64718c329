"""Greedy decoding, which writes the likeliest token at each step."""

from collections.abc import Callable, Sequence

from model.decode.decoding_loop import Decoded, decode
from model.trace import Tap, silent
from model.transformer import Transformer


def greedy(model: Transformer, sources: Sequence[Sequence[int]], limit: int, *, tap: Tap = silent) -> list[Decoded]:
    """Write the likeliest token at each step, for a batch of source id lists; see `decode`."""
    return decode(model, sources, limit, tap=tap)


def greedy_in_batches(
    model: Transformer,
    sources: Sequence[list[int]],
    limit: Callable[[list[int]], int],
    batch: int,
    *,
    tap: Tap = silent,
) -> list[Decoded]:
    """The same for any number of sources, in their order; those of similar length are decoded together.

    `limit` says how many tokens to write at most for the longest source of a batch.
    """
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    outputs: dict[int, Decoded] = {}
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        results = greedy(model, [sources[i] for i in places], limit(sources[places[-1]]), tap=tap)
        outputs.update(zip(places, results, strict=True))
    return [outputs[i] for i in range(len(sources))]
