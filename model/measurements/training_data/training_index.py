"""The index of training pairs that ships with a translator: see `model.influence.stored_index`."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from corpora.corpus import numbered
from corpora.translation import Translation
from model.errors import InvalidInput
from model.features import sentences
from model.influence import stored_index
from model.measurements import asked
from model.measurements.measurement import Measurement
from model.train.objectives import examples


def _measure(call: asked.Asked) -> dict[str, np.ndarray]:
    entry, config = call.entry, call.entry.config
    can_have = config.architecture == "encoder-decoder" and sentences.has_corpus(entry)
    if not can_have or not isinstance(sentences.corpus_of(entry), Translation):
        raise InvalidInput("index_model", name=entry.name)
    if call.options.pairs < 1:
        raise InvalidInput("config_number", field="--pairs", value=call.options.pairs, minimum=1)
    checkpoint = call.checkpoint
    pairs, groups = sentences.learned(entry)
    drawn = random.Random(stored_index.SEED).sample(pairs, min(call.options.pairs, len(pairs)))
    kept = {pair: made[0] for pair in drawn if (made := examples(config, checkpoint.tokenizer, [pair], ""))}
    sample = stored_index.sample(list(kept), pairs, stored_index.SEED)
    from tqdm import tqdm

    with tqdm(total=len(kept), unit="sentence") as bar:
        return stored_index.made(
            checkpoint, sample, list(kept.values()), numbered(groups, sample), lambda count: bar.update(count - bar.n)
        )


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
