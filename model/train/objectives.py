"""What a model learns from sentence pairs, by architecture: translation, continuation, or hidden words.

An encoder-decoder reads the source and writes the target. A decoder alone reads both in a row and learns each next
token, so that it continues a source with its target. An encoder alone finds the tokens that were replaced by `<unk>`
(15 % as in BERT, but all of them are replaced by `<unk>`, none by other tokens).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from corpora.pairs import Example, Pair
from model import masks
from model.checkpoint.checkpoints import Checkpoint
from model.config import Architecture, TransformerConfig
from model.decode.recorded_pass import one_pass
from model.tokenization.tokenizer import PAD, UNK, Tokenizer

HIDDEN = 0.15  # share of a sentence's tokens
_OTHER_WORDS = "Other words are split into pieces and often translated badly."


@dataclass(frozen=True)
class Learned:
    """What an architecture learns from sentences: its name on a card, what that does, and what it does not know."""

    name: str
    does: str
    beyond: str


OBJECTIVES: dict[Architecture, Learned] = {
    "encoder-decoder": Learned("translation", "Translates {source_language} to {target_language}.", _OTHER_WORDS),
    "decoder": Learned(
        "continuation",
        "Goes on after a sentence in {source_language} with the same in {target_language}.",
        _OTHER_WORDS,
    ),
    "encoder": Learned(
        "hidden-words",
        "Finds hidden words of sentences. An underscore stands for one, and the output is the sentence "
        "with the likeliest word in its place.",
        "Any word that is not one of its few is a hidden word to it. Where several words would fit, "
        "such as tea or coffee, it can only guess.",
    ),
}


def examples(config: TransformerConfig, tokenizer: Tokenizer, pairs: Sequence[Pair], seed: str) -> list[Example]:
    """The training examples of pairs, without those longer than the model. `seed` chooses the hidden tokens."""
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    pairs_of_ids: list[Example]
    if config.architecture == "encoder":
        rng = random.Random(seed)
        pairs_of_ids = [hide(ids, rng) for ids in (*sources, *targets)]
    elif config.architecture == "decoder":
        pairs_of_ids = [((), [*s[:-1], *t[1:]]) for s, t in zip(sources, targets, strict=True)]
    else:
        pairs_of_ids = list(zip(sources, targets, strict=True))
    return [(s, t) for s, t in pairs_of_ids if len(s) <= config.max_length and len(t) <= config.max_length]


def hide(ids: Sequence[int], rng: random.Random) -> tuple[list[int], list[int]]:
    """A sentence (T) with at least one token hidden; and the hidden tokens (T), with `<pad>` at all other places."""
    words = range(1, len(ids) - 1)
    places = set(rng.sample(words, max(1, round(HIDDEN * len(words)))))
    return [UNK if i in places else id_ for i, id_ in enumerate(ids)], [
        id_ if i in places else PAD for i, id_ in enumerate(ids)
    ]


def fill(checkpoint: Checkpoint, sentences: Sequence[str]) -> list[str]:
    """The sentences with every `<unk>` replaced by the likeliest token of an encoder alone."""
    return [checkpoint.tokenizer.decode(filled(checkpoint, checkpoint.tokenizer.encode(text))) for text in sentences]


def filled(checkpoint: Checkpoint, ids: Sequence[int]) -> list[int]:
    """The ids (T) of one sentence with every `<unk>` replaced by the likeliest token."""
    likeliest = one_pass(checkpoint.model, ids, ()).argmax(dim=-1).tolist()  # (T)
    return [new if id_ == UNK else id_ for id_, new in zip(ids, likeliest, strict=True)]


def restore(checkpoint: Checkpoint, sentences: Sequence[str], batch: int = 64) -> list[str]:
    """Hide some tokens of each sentence and replace them by the likeliest tokens of an encoder alone."""
    rng = random.Random(0)
    texts: list[str] = []
    for start in range(0, len(sentences), batch):
        inputs = [hide(ids, rng)[0] for ids in checkpoint.tokenizer.encode_all([*sentences[start : start + batch]])]
        ids, mask = masks.padded(inputs)
        with torch.inference_mode():
            likeliest = checkpoint.model(ids, None, mask).argmax(dim=-1)  # (B, T)
        texts += [checkpoint.tokenizer.decode(row) for row in torch.where(ids == UNK, likeliest, ids).tolist()]
    return texts
