"""Minimal pairs: whether a translator finds a right output likelier than one that is wrong in a single point.

Both outputs are scored as a whole, by the sum of the log-probabilities of their tokens and of the end, each token after
those before it (teacher forcing): this is what the model says of the output, and it is not divided by the number of
tokens. Where one output is longer, that is no advantage in the long run, since each of the two translations is the
right one in half of the pairs (`corpora.grammar.contrasts`). After Sennrich (2017), "How grammatical is character-level
neural machine translation? Assessing MT quality with contrastive translation pairs".

N texts, B of them in a batch, T tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from corpora.grammar.contrasts import MinimalPair
from model import masks
from model.checkpoint import history
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.compare.side_by_side import with_weights
from model.decode.scoring import output_ids
from model.decode.start import decoding_start
from model.transformer import Transformer

SEED = 0  # of the twin's weights
BATCH = 40  # texts that are scored at once


class Text(NamedTuple):
    """The ids that the encoder reads, that the decoder reads, and of the tokens whose probabilities are asked for."""

    source: tuple[int, ...]
    read: tuple[int, ...]
    ids: tuple[int, ...]


def texts(checkpoint: Checkpoint, pairs: Sequence[MinimalPair]) -> list[Text]:
    """The right and the wrong output of each pair, by turns. Raises `InvalidInput` for what the model cannot read."""
    return [
        Text(start.source, start.read(ids), ids)
        for pair in pairs
        for start in (decoding_start(checkpoint, pair.source),)
        for ids in (output_ids(checkpoint, start, output) for output in (pair.right, pair.wrong))
    ]


@torch.inference_mode()
def log_probabilities(model: Transformer, texts: Sequence[Text]) -> np.ndarray:
    """The log-probability (N) of each output, in nats: the sum over its tokens and its end."""
    sums: list[float] = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        source, source_mask = masks.padded([text.source for text in batch])
        read, _ = masks.padded([text.read for text in batch])
        ids, is_token = masks.padded([text.ids for text in batch])
        rows = model(source, read, source_mask).log_softmax(dim=-1)  # (B, T, V)
        each = rows.gather(-1, ids.unsqueeze(-1)).squeeze(-1)  # (B, T)
        sums += torch.where(is_token, each, 0.0).sum(dim=-1).tolist()
    return np.array(sums)


def moments(entry: Entry, checkpoint: Checkpoint) -> Iterator[tuple[str, Transformer]]:
    """The model at each snapshot of its training that kept its weights, by step; the last one is the model itself."""
    last = entry.card.get("training", {}).get("steps")
    for snapshot in history.load(entry):
        if snapshot.weights and snapshot.step != last:
            at = with_weights(checkpoint.model.config, checkpoint.tokenizer, snapshot.weights, checkpoint.name)
            yield str(snapshot.step), at.model


def others(entry: Entry, checkpoint: Checkpoint) -> dict[str, Transformer]:
    """The models beside which the checkpoint is measured: its random `twin`, and itself at earlier steps."""
    return {"twin": random_model(checkpoint.model.config, SEED), **dict(moments(entry, checkpoint))}


def scored(checkpoint: Checkpoint, pairs: Sequence[MinimalPair], beside: Mapping[str, Transformer]) -> dict[str, Any]:
    """The pairs with both log-probabilities, and in how many each model finds the right output likelier.

    `shorter` is in how many the right output has fewer tokens; where both have as many it counts half.
    """
    given = texts(checkpoint, pairs)
    models = {"own": checkpoint.model, **beside}
    found = {name: log_probabilities(model, given).reshape(-1, 2).round(4) for name, model in models.items()}
    lengths = np.array([len(text.ids) for text in given]).reshape(-1, 2)
    shorter = (np.sign(lengths[:, 1] - lengths[:, 0]) + 1) / 2
    return {
        "right": {name: int((each[:, 0] > each[:, 1]).sum()) for name, each in found.items()},
        "shorter": float(shorter.sum()),
        "pairs": [[*pair, *row] for pair, row in zip(pairs, found["own"].tolist(), strict=True)],
    }
