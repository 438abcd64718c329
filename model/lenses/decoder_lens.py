"""DecoderLens: what the decoder writes when it reads the encoder's stream after fewer layers.

Langedijk et al. 2023, "DecoderLens: Layerwise Interpretation of Encoder-Decoder Transformers". The encoder's own final
norm is applied to every depth, if the model has one: without it the decoder reads vectors of a length that it has never
seen, and de-en writes nothing that is right (chrF below 5 after each layer).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.analysis.residual_stream import INPUT
from model.decode.decoding_loop import Decoded
from model.decode.greedy import greedy
from model.lenses.batch_streams import AFTER
from model.lenses.fitted_lenses import depths_of
from model.trace import Tap
from model.transformer import Transformer


def outputs(model: Transformer, sources: Sequence[Sequence[int]], limit: int) -> dict[str, list[Decoded]]:
    """Depth of the encoder -> what is written for each source, greedily; the last depth is the model itself.

    All depths are decoded together, as a batch that has every source once for each of them.
    """
    depths = depths_of(model.config.encoder_layers)
    decoded = greedy(model, list(sources) * len(depths), limit, tap=each_depth(model))
    size = len(sources)
    return {depth: decoded[number * size : (number + 1) * size] for number, depth in enumerate(depths)}


def each_depth(model: Transformer) -> Tap:
    """A tap for a batch of N equal parts, N depths: the first part has the input read, the last one the last layer."""
    streams: list[Tensor] = []

    def tap(name: str, value: Tensor) -> Tensor:
        if name == f"encoder.{INPUT}":
            streams[:] = [value]
        elif name.startswith("encoder.") and name.endswith(AFTER):
            streams.append(value)
        elif name == "encoder.output":
            parts = [x.chunk(len(streams))[number] for number, x in enumerate(streams)]
            return model.encoder_norm(torch.cat(parts))
        return value

    return tap
