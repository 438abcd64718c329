"""Random letters that repeat: `kdfqzkdfqzkdfqz…`. After how many letters they start again is different each time.

Nothing about the first round can be known. From the second round on, each letter can: it is the one that followed the
same letter before. To find it, a head has to look at what stands after an earlier copy: an induction head.
"""

import random
from collections.abc import Iterable
from string import ascii_lowercase

from corpora.corpus import Drawn
from corpora.pairs import Pair
from corpora.task_list import Task

SHORTEST, LONGEST = 5, 17  # letters of a round, all of them different
LETTERS = 34  # of a whole text: no round comes three times in what is to be written, which would end it
ASKED = 20  # letters that are given; in them the first round always ends


def text(period: str) -> Pair:
    """The first letters of a repeated round, and how they go on."""
    whole = (period * LETTERS)[:LETTERS]
    return Pair(whole[:ASKED], whole[ASKED:])


class Repeat(Drawn):
    """The first letters of a text are given, the others asked for."""

    name = "repeat"
    per_epoch, held_out = 2048, 500

    def texts(self) -> Iterable[Pair]:
        return [Pair(ascii_lowercase, "")]

    def covers(self) -> list[tuple[str, list[Pair]]]:
        topics = {"short_rounds": ("kdfqz", "mouse", "abcdef"), "long_rounds": ("thequickbrownfx", "qwertyuiopasdfgh")}
        return [(topic, [text(period) for period in periods]) for topic, periods in topics.items()]

    def case(self, rng: random.Random) -> Pair:
        return text("".join(rng.sample(ascii_lowercase, rng.randint(SHORTEST, LONGEST))))


TASKS = (
    Task(
        name="repeat",
        place=70,
        corpus=lambda run: Repeat(run.seed),
        # one head in each layer, so that each has one thing to do; rotary positions show it soonest
        settings={"architecture": "decoder", "d_model": 64, "heads": 1, "d_ff": 128, "encoder_layers": 0,
                  "decoder_layers": 2, "position": "rotary", "position_base": 50.0, "learning_rate": 4e-3,
                  "warmup": 50, "steps": 600, "tokens_per_batch": 1200, "average": 0.9},
        does="Goes on with letters that repeat, by looking up what followed the same letter before.",
        beyond="Only small letters a to z, in rounds of 5 to 17 different letters. Nothing can be known before the "
        "second round.",
        alone=True,
        shows="induction",
    ),
)  # fmt: skip
