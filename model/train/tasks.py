"""What a system learns from sentence pairs, by its architecture: to translate, to go on, or to find hidden words.

An encoder-decoder reads the source and writes the target. A decoder alone reads both in a row and
learns each next token, so that after a source it goes on with the target. An encoder alone finds the
tokens of either sentence that `<unk>` hides (15 %, as BERT; all of them are hidden, none exchanged).
"""

import random
from collections.abc import Sequence

import torch

from model import masks
from model.checkpoint.load import Checkpoint
from model.config import Architecture, TransformerConfig
from model.corpora.pairs import Example, Pair
from model.tokenizer import PAD, UNK, Tokenizer

TASKS: dict[Architecture, str] = {
    "encoder-decoder": "translation",
    "decoder": "continuation",
    "encoder": "hidden-words",
}
HIDDEN = 0.15  # share of a sentence's tokens


def examples(config: TransformerConfig, tokenizer: Tokenizer, pairs: Sequence[Pair], seed: str) -> list[Example]:
    """Training examples of the pairs, without those longer than the model; `seed` chooses what is hidden."""
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    found: list[Example]
    if config.architecture == "encoder":
        rng = random.Random(seed)
        found = [hide(ids, rng) for ids in (*sources, *targets)]
    elif config.architecture == "decoder":
        found = [((), [*s[:-1], *t[1:]]) for s, t in zip(sources, targets, strict=True)]
    else:
        found = list(zip(sources, targets, strict=True))
    return [(s, t) for s, t in found if len(s) <= config.max_length and len(t) <= config.max_length]


def hide(ids: Sequence[int], rng: random.Random) -> tuple[list[int], list[int]]:
    """A sentence (T) with some tokens hidden, at least one, and those alone (T), `<pad>` in the other places."""
    words = range(1, len(ids) - 1)
    hidden = set(rng.sample(words, max(1, round(HIDDEN * len(words)))))
    return [UNK if i in hidden else id_ for i, id_ in enumerate(ids)], [
        id_ if i in hidden else PAD for i, id_ in enumerate(ids)
    ]


def fill(checkpoint: Checkpoint, sentences: Sequence[str]) -> list[str]:
    """The sentences as they are, with the likeliest token of an encoder alone in each place that reads `<unk>`."""
    return [checkpoint.tokenizer.decode(filled(checkpoint, checkpoint.tokenizer.encode(text))) for text in sentences]


def filled(checkpoint: Checkpoint, ids: Sequence[int]) -> list[int]:
    """The same for the ids (T) of one sentence."""
    read = torch.tensor([list(ids)])
    with torch.inference_mode():
        likeliest = checkpoint.model(read, None, masks.everything(read)).argmax(dim=-1)  # (1, T)
    return torch.where(read == UNK, likeliest, read)[0].tolist()


def restore(checkpoint: Checkpoint, sentences: Sequence[str], batch: int = 64) -> list[str]:
    """The sentences after some of their tokens were hidden and an encoder alone put in the likeliest."""
    rng = random.Random(0)
    texts: list[str] = []
    for start in range(0, len(sentences), batch):
        hidden = [hide(ids, rng)[0] for ids in checkpoint.tokenizer.encode_all([*sentences[start : start + batch]])]
        ids, mask = masks.padded(hidden)
        with torch.inference_mode():
            likeliest = checkpoint.model(ids, None, mask).argmax(dim=-1)  # (B, T)
        texts += [checkpoint.tokenizer.decode(row) for row in torch.where(ids == UNK, likeliest, ids).tolist()]
    return texts
