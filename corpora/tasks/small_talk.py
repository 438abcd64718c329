"""English sentences of 46 words: so few that a model of one head can learn which word belongs where.

What a hidden word may be is told by others: `she` wants `drinks`, `drinks` wants `tea`, `now` wants `is drinking`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product

from corpora.corpus import Parted
from corpora.pairs import Pair, Split, part

# who, the form of to be, and whether the verb takes an s
_WHO = (
    ("i", "am", False), ("you", "are", False), ("we", "are", False), ("they", "are", False),
    ("he", "is", True), ("she", "is", True), ("the cat", "is", True), ("the dog", "is", True),
)  # fmt: skip
_DOES = {  # the verb, with s and with ing, and what it goes with
    ("drink", "drinks", "drinking"): ("tea", "coffee", "water"),
    ("eat", "eats", "eating"): ("bread", "soup", "rice"),
    ("read", "reads", "reading"): ("books", "news"),
    ("write", "writes", "writing"): ("letters", "poems"),
}
_OFTEN, _NOW = ("often", "always"), ("now", "today")
_WHERE = ("", " at home", " at school")
_ANIMALS = ("the cat", "the dog")


class SmallTalk(Parted):
    """Every sentence is its own target: what is asked is the hidden word. Split by sentence."""

    name = "small-talk"

    def __init__(self, seed: int = 0):
        self.seed = seed

    @cached_property
    def sentences(self) -> list[Pair]:
        return [Pair(sentence, sentence) for sentence in dict.fromkeys(_sentences())]

    def part(self, split: Split) -> list[Pair]:
        return part(self.sentences, split)

    def texts(self) -> Iterable[Pair]:
        return self.sentences

    def possible(self, words: Sequence[str | None]) -> float:
        """The share of its hidden words, `None` each, that the best guesser finds who knows every sentence."""
        fitting = [
            words_of_sentence
            for words_of_sentence in map(str.split, (pair.source for pair in self.sentences))
            if len(words_of_sentence) == len(words)
            and all(word in (None, other) for word, other in zip(words, words_of_sentence, strict=True))
        ]
        places = [i for i, word in enumerate(words) if word is None]
        common = (Counter(words_of_sentence[i] for words_of_sentence in fitting).most_common(1)[0][1] for i in places)
        return sum(common) / len(fitting) / len(places)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Example sentences of each kind of hidden word, which the rest tells, with a mark in its place."""
        return [(topic, [Pair(_hide(line), line.replace("*", "")) for line in lines]) for topic, lines in _SHOWN]


_SHOWN = (
    ("agreement", ("*i am drinking tea now .", "she *is eating soup today .", "we *are reading news at home now .")),
    ("auxiliary", ("*do you drink coffee often ?", "*does she write letters at home always ?")),
    ("end", ("he drinks water often *.", "does he eat bread often *?")),
    ("place", ("they read books *at home often .", "we eat rice at school now *.")),
    ("article", ("*the cat drinks water often .", "*the dog is eating bread today .")),
)


def _hide(line: str) -> str:
    """The word after the star becomes a mark that no vocabulary has."""
    return " ".join("_" if word.startswith("*") else word for word in line.split())


def _sentences() -> Iterable[str]:
    for (who, be, third), (forms, objects) in product(_WHO, _DOES.items()):
        base, with_s, ing = forms
        if who in _ANIMALS and base in ("read", "write"):
            continue
        do, verb = ("does", with_s) if third else ("do", base)
        for what, where in product(objects, _WHERE):
            for often in _OFTEN:
                yield f"{who} {verb} {what}{where} {often} ."
                yield f"{do} {who} {base} {what}{where} {often} ?"
                yield f"{who} {do} not {base} {what}{where} {often} ."
            for now in _NOW:
                yield f"{who} {be} {ing} {what}{where} {now} ."
                yield f"{be} {who} {ing} {what}{where} {now} ?"
                yield f"{who} {be} not {ing} {what}{where} {now} ."
