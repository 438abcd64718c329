"""Sequences to copy, reverse or sort, and sums: tasks whose right answer is a rule, so that any input can be judged.

Split by the hash of the source; a sum and the same sum the other way round are in one split.
"""

import random
from collections.abc import Callable, Iterable
from string import ascii_lowercase
from typing import Any, Literal, get_args

from corpora.corpus import Drawn
from corpora.pairs import Pair, Split, split_of
from corpora.task_list import Task
from corpora.tasks.decoder_only_pairs import END

Rule = Literal["reverse", "copy", "sort", "addition"]
RULES = get_args(Rule)
LONGEST = 20  # characters of a source
DIGITS = 3  # of a summand at most, by default
HELD_OUT = 1000
DRAWS = 5  # for each of these, at most
PER_EPOCH = 8192
FEW = 0.2  # share of training sources of at most five different letters: long runs of one are rare by chance

_ANSWERS: dict[str, Callable[[str], str]] = {
    "reverse": lambda text: text[::-1],
    "copy": lambda text: text,
    "sort": lambda text: "".join(sorted(text)),
    "addition": lambda text: str(sum(map(int, text.split("+")))),
}


def answer(rule: Rule, source: str) -> str:
    """Apply the rule to a source."""
    return _ANSWERS[rule](source)


class Sequences(Drawn):
    """Letters in any order, 1 to `longest` of them, or two numbers of 1 to `digits` figures; others in each epoch."""

    def __init__(
        self, rule: Rule, seed: int = 0, *, longest: int = LONGEST, digits: int = DIGITS, per_epoch: int = PER_EPOCH
    ):
        super().__init__(seed)
        self.name = rule
        self.rule = rule
        self.longest = longest
        self.digits = digits
        self.per_epoch = per_epoch

    def train(self, epoch: int) -> list[Pair]:
        return self._pairs("train", self.per_epoch, random.Random(f"{self.seed}/{epoch}/{self.rule}"), FEW)

    def validation(self) -> list[Pair]:
        return self._pairs("validation", 200, random.Random(f"validation/{self.rule}"))

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        rng = random.Random(f"{split}/{self.rule}")  # the same for every seed
        pairs: dict[Pair, None] = {}
        for _ in range(DRAWS * HELD_OUT):  # short ones come again and again; of two or three letters there are too few
            pairs |= dict.fromkeys(self._pairs(split, 1, rng))
            if len(pairs) == HELD_OUT:
                break
        return {self.name: list(pairs)}

    def texts(self) -> Iterable[Pair]:
        """Every character there is."""
        return [Pair("0123456789+" if self.rule == "addition" else ascii_lowercase, "")]

    def covers(self) -> list[tuple[str, list[Pair]]]:
        sums = {"one_figure": ("7+5", "3+0"), "more_figures": ("46+54", "120+7", "999+999")}
        letters = {
            "short": ("a", "hi", "sort"),
            "words": ("banana", "reverse", "glassformer", "bookkeeper"),
            "repeats": ("aaaaaaaa", "abababab", "zzzyyyxxx"),
            "long": ("abcdefghijklmnopqrst", "thequickbrownfoxjump", "zyxwvutsrqponmlkjihg"),
        }
        short = {topic: [text for text in texts if len(text) <= self.longest] for topic, texts in letters.items()}
        topics = sums if self.rule == "addition" else {topic: texts for topic, texts in short.items() if texts}
        return [(topic, [Pair(text, answer(self.rule, text)) for text in texts]) for topic, texts in topics.items()]

    def _pairs(self, split: Split, count: int, rng: random.Random, few: float = 0.0) -> list[Pair]:
        pairs: list[Pair] = []
        while len(pairs) < count:
            source = self._source(rng, few)
            if split_of("+".join(sorted(source.split("+")))) == split:
                pairs.append(Pair(source, answer(self.rule, source)))
        return pairs

    def _source(self, rng: random.Random, few: float) -> str:
        if self.rule == "addition":
            return "+".join(str(rng.randrange(10 ** rng.randint(1, self.digits))) for _ in range(2))
        letters = rng.sample(ascii_lowercase, rng.randint(1, 5)) if few and rng.random() < few else ascii_lowercase
        return "".join(rng.choices(letters, k=rng.randint(1, self.longest)))


def _task(place: int, rule: Rule, does: str, settings: dict[str, int], inputs: str = "[a-z]+", **fields: Any) -> Task:
    beyond = "Only small letters a to z, at most {letters}; longer ones come out wrong."
    return Task(
        name=rule,
        place=place,
        corpus=lambda run: Sequences(rule, run.seed, longest=run.letters),
        settings=settings,
        does=does,
        end=END,
        inputs=inputs,
        answer=_ANSWERS[rule],
        **({"choices": ("letters",), "beyond": beyond} | fields),
    )


TASKS = (
    _task(20, "reverse", "Writes letters backwards.", {"heads": 4, "steps": 1200}),
    _task(30, "copy", "Writes letters as they are.", {"steps": 600}),
    _task(40, "sort", "Writes letters in the order of the alphabet.", {"heads": 4, "steps": 1600}),
    _task(
        50,
        "addition",
        "Adds two numbers.",
        {"heads": 4, "steps": 2000},
        inputs=r"[0-9]+\+[0-9]+",
        choices=(),
        beyond="Only two numbers of at most three figures, with a plus between them.",
    ),
)
