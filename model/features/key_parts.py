"""The keys of cross-attention as sums of features of the encoder's output, in place of what the encoder's parts wrote.

K keys, d numbers in the stream, F features, R parts of a key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from model.analysis.layer_norm import array
from model.attribution.attention_methods import attention_of
from model.attribution.score_terms.stream_parts import BIAS, Head, Place, StreamParts
from model.attribution.score_terms.terms import ScoreRow, projected
from model.checkpoint.catalogue import Entry, Untrained
from model.errors import InvalidInput
from model.features.dictionary import Dictionary
from model.features.store import load
from model.trace import Trace, path
from model.transformer import Transformer

SITE = "encoder.output"  # what the keys read
FEATURE = "feature"  # begins the name of a part; its number follows
MOST = 6  # features that are a part each
OTHERS, ERROR = "other_features", "feature_error"


def in_features(
    model: Transformer, trace: Trace, place: Head, row: ScoreRow, key: int, dictionary: Dictionary,
    most: int = MOST,
) -> ScoreRow:  # fmt: skip
    """The same row of a head of cross-attention, with features of a dictionary of `SITE` as the parts of its keys.

    The `most` features that are active at `key` and give its score most, less their mean over the keys, are a part
    each. The other features are one part, what no feature explains another, and the dictionary's mean is a bias. The
    terms add up as before.
    """
    vectors = torch.from_numpy(trace.values[SITE])  # (K, d)
    strengths = array(dictionary.encode(vectors))  # (K, F)
    directions, mean = array(dictionary.decoder), array(dictionary.target_mean)
    active = np.flatnonzero(strengths[key]).tolist()

    def keys(shown: list[int]) -> ScoreRow:
        parts = StreamParts("encoder", slice(0, len(vectors)))
        for feature in shown:
            parts.add(strengths[:, [feature]] * directions[:, feature], f"{FEATURE}.{feature}")
        others = strengths.copy()
        others[:, shown] = 0
        parts.add(others @ directions.T, OTHERS)
        parts.add(vectors.double().numpy() - strengths @ directions.T - mean, ERROR)
        parts.add_bias(mean, f"features{BIAS}")
        kind, layer, head = place
        attention = attention_of(model, kind, layer)
        places, k = projected(attention, "k", head, parts, layer, trace.values, path(kind, layer))
        return replace(row, keys=places, k=k)

    sums = keys(active).table(key, centred=True).sum(axis=0)[: len(active)]
    return keys([active[at] for at in np.argsort(-np.abs(sums), kind="stable")[:most]])


def of_checkpoint(entry: Entry, model: Transformer) -> Callable[[Trace, Head, ScoreRow, int], ScoreRow]:
    """The same with the dictionary that is stored beside a checkpoint, for a pass, a head, its row and a key.

    Raises `InvalidInput` if there is none, and when it is asked about a head of self-attention.
    """

    def rewritten(trace: Trace, place: Head, row: ScoreRow, key: int) -> ScoreRow:
        if place[0] != "cross" or isinstance(entry, Untrained):
            raise InvalidInput("why_there_features", head=".".join(map(str, place)), name=entry.name)
        return in_features(model, trace, place, row, key, load(entry, SITE).dictionary)

    return rewritten


def number(place: Place) -> int | None:
    """Of the feature that a part is; None for any other part."""
    name, _, digits = place.name.partition(".")
    return int(digits) if name == FEATURE else None
