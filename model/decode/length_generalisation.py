"""How well a model of a letter task does on words of each number of letters, also of more than it was trained on.

N numbers of letters.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

import numpy as np

from corpora.tasks.sequences import Rule, answer
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.decode.greedy import greedy
from model.transformer import Transformer

AROUND = 2  # tokens around the letters: <bos> and <eos>


@dataclass(frozen=True, eq=False)
class ByLetters:
    """Scores of a model by the number of letters of a word; NaN, and no output, where it has no position left.

    letters  (N) number of letters
    exact    (N) share of words whose whole output is right
    right    (N) share of letters of the right answer that the output has at their place
    samples  (N) a word and what the model writes for it
    """

    letters: tuple[int, ...]
    exact: np.ndarray
    right: np.ndarray
    samples: tuple[tuple[str, str | None], ...]


def by_letters(checkpoint: Checkpoint, rule: Rule, letters: Sequence[int], count: int) -> ByLetters:
    """Greedy outputs for `count` random words of each number of letters, the same words for every model."""
    rng = random.Random(f"longer/{rule}")
    words = [["".join(rng.choices(ascii_lowercase, k=size)) for _ in range(count)] for size in letters]
    model = lengthened(checkpoint.model, max(letters) + AROUND)
    readable = [text for group in words for text in group if len(text) + AROUND <= model.config.max_length]
    sources = checkpoint.tokenizer.encode_all(readable)
    results = greedy(model, sources, max(map(len, sources)) - 1)
    outputs = {text: checkpoint.tokenizer.decode(each.ids) for text, each in zip(readable, results, strict=True)}
    shares = np.array([_shares(rule, [(text, outputs.get(text)) for text in group]) for group in words])  # (N, 2)
    samples = tuple((group[0], outputs.get(group[0])) for group in words)
    return ByLetters(tuple(letters), shares[:, 0], shares[:, 1], samples)


def lengthened(model: Transformer, positions: int) -> Transformer:
    """The same weights with a longer table of positions, which only a formula can give; a learned one has its rows."""
    if model.config.position == "learned" or positions <= model.config.max_length:
        return model
    longer = random_model(replace(model.config, max_length=positions), 0)
    longer.load_state_dict(model.state_dict())
    return longer


def _shares(rule: Rule, pairs: Sequence[tuple[str, str | None]]) -> tuple[float, float]:
    """Shares of whole outputs and of single letters that are right; NaN where a word cannot be read."""
    exact, right = [], []
    for text, output in pairs:
        if output is None:
            return np.nan, np.nan
        right_answer = answer(rule, text)
        exact.append(output == right_answer)
        right.append(sum(a == b for a, b in zip(output, right_answer, strict=False)) / len(right_answer))
    return float(np.mean(exact)), float(np.mean(right))
