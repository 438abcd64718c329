"""A pasted text, to be gone on with character by character: the task of a decoder alone.

The last tenth of the text is held out. White space of any kind counts as one space.
"""

from __future__ import annotations

import random
import unicodedata
from typing import TYPE_CHECKING

from corpora.corpus import Listed
from corpora.pairs import Pair
from corpora.task_list import Task
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, Tokenizer

if TYPE_CHECKING:
    from corpora.pairs import Example

SHORTEST, LONGEST = 400, 200_000  # characters
WINDOW = 64  # characters that are read at a time
PROMPT, WRITTEN = 24, 24  # characters of a held-out prompt, and of how it goes on
PER_EPOCH = 1024  # windows


class Passage(Listed):
    """Pairs are a prompt and how the text goes on; training reads windows of the text instead, from anywhere."""

    name = "text"
    licence = "yours"

    def __init__(self, text: str, seed: int = 0):
        self.seed = seed
        self.text = read(text)
        cut = round(len(self.text) * 0.9)
        self.head, self.tail = self.text[:cut], self.text[cut:]
        super().__init__(_prompts(self.head, 64), _prompts(self.tail, 64))

    def texts(self) -> list[Pair]:
        return [Pair(self.text, "")]

    def windows(self, tokenizer: Tokenizer, epoch: int) -> list[Example]:
        """Training examples of an epoch: each begins anywhere, so none ends with `<eos>`."""
        ids = tokenizer.pieces(self.head)
        rng = random.Random(f"{self.seed}/{epoch}/text")
        starts = [rng.randrange(max(1, len(ids) - WINDOW)) for _ in range(PER_EPOCH)]
        return [((), [BOS, *ids[start : start + WINDOW]]) for start in starts]

    def watched(self, tokenizer: Tokenizer) -> list[Example]:
        """The held-out part in windows side by side."""
        ids = tokenizer.pieces(self.tail)
        return [
            ((), [BOS, *ids[start : start + WINDOW]]) for start in range(0, min(len(ids) - 1, 100 * WINDOW), WINDOW)
        ]


def read(text: str) -> str:
    """The text as it is learned from; raises `InvalidInput` if it is too short, too long or has control characters."""
    for character in text:
        if unicodedata.category(character) == "Cc" and not character.isspace():
            raise InvalidInput("sentence_control", point=f"{ord(character):04X}")
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(text) < SHORTEST:
        raise InvalidInput("text_short", count=len(text), needed=SHORTEST)
    if len(text) > LONGEST:
        raise InvalidInput("text_long", count=len(text), limit=LONGEST)
    return text


def _prompts(text: str, most: int) -> list[Pair]:
    """Prompts at word ends, each with what follows, at most `most` of them, evenly over the text."""
    length = PROMPT + WRITTEN
    step = max(length, len(text) // most)
    pairs = []
    for start in range(0, len(text) - length + 1, step):
        prompt, after = text[start : start + PROMPT], text[start + PROMPT : start + length]
        pairs.append(Pair(prompt.strip(), after.strip()))
    return pairs[:most] if pairs else [Pair(text[: len(text) // 2].strip(), text[len(text) // 2 :].strip())]


TASKS = (
    Task(
        name="text",
        place=120,
        corpus=lambda run: Passage(run.own, run.seed),
        settings={"architecture": "decoder", "d_model": 96, "heads": 4, "d_ff": 384, "encoder_layers": 0,
                  "decoder_layers": 2, "learning_rate": 3e-3, "steps": 1000, "tokens_per_batch": 2000,
                  "dropout": 0.05},
        does="Goes on with a text, character by character.",
        beyond="It knows nothing but its text: other words and other subjects go on with the same kind of sentences.",
        alone=True,
        brings="own_text",
    ),
)  # fmt: skip
