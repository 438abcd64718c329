"""The index of training pairs that ships with a translator: see `model.influence.stored_index`."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from corpora.translation import Translation
from model.errors import InvalidInput
from model.features import sentences
from model.influence import stored_index
from model.measurements import asked
from model.measurements.measurement import Measurement
from model.train.objectives import examples

OF_GRAMMAR = 20_000  # sentences that the grammar writes, among which pairs are drawn


def _measure(call: asked.Asked) -> dict[str, np.ndarray]:
    config = call.entry.config
    corpus = (
        sentences.corpus_of(call.entry)
        if config.architecture == "encoder-decoder" and sentences.has_corpus(call.entry)
        else None
    )
    if not isinstance(corpus, Translation):
        raise InvalidInput("index_model", name=call.entry.name)
    if call.options.pairs < 1:
        raise InvalidInput("config_number", field="--pairs", value=call.options.pairs, minimum=1)
    checkpoint = call.checkpoint
    corpus.pairs = OF_GRAMMAR  # before any is drawn
    pairs = list(dict.fromkeys(corpus.texts()))
    pairs = random.Random(asked.SEED).sample(pairs, min(call.options.pairs, len(pairs)))
    kept = [(pair, made[0]) for pair in pairs if (made := examples(config, checkpoint.tokenizer, [pair], ""))]
    from tqdm import tqdm

    texts, ids = [pair for pair, _ in kept], [example for _, example in kept]
    with tqdm(total=len(kept), unit="sentence") as bar:
        return stored_index.made(checkpoint, texts, ids, report=lambda count: bar.update(count - bar.n))


def _printed(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    return {"pairs": len(arrays["vectors"]), "bytes": sum(array.nbytes for array in arrays.values())}


MEASUREMENT = Measurement[None](
    name="training-index",
    about="an index of a sample of training pairs, which pages search by the encoder's vectors and by gradients",
    measure=_measure,
    options=(
        asked.CHECKPOINT,
        asked.option("--pairs", type=int, default=stored_index.PAIRS, help=f"default: {stored_index.PAIRS}"),
    ),
    printed=_printed,
    write=lambda entry, arrays: stored_index.save(entry.folder, arrays),
)
