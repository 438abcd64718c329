"""Digits, and the largest of them minus the smallest: two digits have to be found at one step of a decoder alone.

Softmax gives each digit a weight by one score. To find the largest and the smallest of 4, 5, 6, the score of 5 must lie
far below that of 6; of 5, 6, 7 it must lie far above. So one head cannot point at both, and two heads can.
"""

import random
from collections.abc import Iterable
from string import digits

from corpora.corpus import Drawn
from corpora.pairs import Pair
from corpora.task_list import Task
from corpora.tasks.decoder_only_pairs import END

LONGEST = 10  # digits
NARROW = 0.5  # share of sources whose digits lie between two chosen ones: else nearly every spread is 8 or 9


def answer(source: str) -> str:
    """`4817=` to `7`."""
    values = [int(digit) for digit in source.removesuffix(END)]
    return str(max(values) - min(values))


class DigitRange(Drawn):
    """2 to `LONGEST` digits."""

    name = "spread"

    def texts(self) -> Iterable[Pair]:
        return [Pair(digits + END, "")]

    def covers(self) -> list[tuple[str, list[Pair]]]:
        topics = {
            "few_digits": ("73=", "555=", "4152="),
            "many_digits": ("738465=", "2938475610=", "4545454545="),
        }
        return [(topic, [Pair(text, answer(text)) for text in texts]) for topic, texts in topics.items()]

    def case(self, rng: random.Random) -> Pair:
        low, high = 0, 9
        if rng.random() < NARROW:
            low = rng.randint(0, 9)
            high = rng.randint(low, 9)
        source = "".join(str(rng.randint(low, high)) for _ in range(rng.randint(2, LONGEST))) + END
        return Pair(source, answer(source))


TASKS = (
    Task(
        name="spread",
        place=60,
        corpus=lambda run: DigitRange(run.seed),
        settings={"architecture": "decoder", "d_model": 16, "heads": 2, "d_ff": 32, "encoder_layers": 0,
                  "decoder_layers": 1, "steps": 2000, "tokens_per_batch": 1200},
        does="Subtracts the smallest of some digits from the largest.",
        beyond="Only digits, 2 to 10 of them, and an equals sign.",
        alone=True,
        inputs=f"[0-9]+{END}",
        answer=answer,
    ),
)  # fmt: skip
