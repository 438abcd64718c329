"""Step 2, words to vectors: the nearest rows of the embedding table (V, d_model)."""

import random
import re
from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np

from model.analysis.embedding import Neighbour, nearest
from model.course.question import Question, among
from model.course.tokens import longest, worded
from model.tokenization.token_text import is_special

WRONG = 3  # options
FAR = 50  # rows that no wrong option is nearer than
WORD = re.compile(r"[a-z]{4,}")  # a wrong option, where the references of the card have three of them


def ranked(table: np.ndarray, names: Sequence[str], id_: int) -> list[Neighbour]:
    """The rows of all tokens that stand for text, the nearest first."""
    return [one for one in nearest(table, id_, len(table)) if not is_special(names[one.id])]


def written_words(card: Mapping[str, Any]) -> Set[str]:
    """Words of the target language; a vocabulary has pieces of words too, and words of the other language."""
    outputs = [each for group in card.get("outputs", {}).values() for each in group]
    return {word for each in outputs for word in WORD.findall(each.get("reference", ""))}


def question(table: np.ndarray, names: Sequence[str], output: Sequence[str], vocabulary: Set[str]) -> Question:
    """Ask about another token of the output than the one that the figure begins with."""
    first = longest(output)
    others = [position for position in worded(output) if position != first] or [first]
    about = max(others, key=lambda position: len(output[position]))
    best, *others_by_rank = ranked(table, names, names.index(output[about]))
    far = [names[other.id] for other in others_by_rank[min(FAR, len(others_by_rank) // 2) :]]
    whole = [name for name in far if name in vocabulary]
    far = whole if len(whole) >= WRONG else far
    wrong = random.Random(output[about]).sample(far, min(6, len(far)))
    return among(
        names[best.id],
        wrong,
        token=output[about],
        near=names[best.id],
        cosine=f"{best.cosine:.2f}",
        size=f"{len(names):,}",
    )
