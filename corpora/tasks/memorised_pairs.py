"""Twenty-two German–English pairs of our own and two questions held out: so little that it can only be memorised.

As the notebook of system C has it: words and marks stand between spaces, in small letters. Both questions
are made of words that the pairs show, in an order that none of them has.
"""

import random

from corpora.corpus import Listed
from corpora.pairs import Pair
from corpora.task_list import Task, words

PAIRS = tuple(
    Pair(*line.split(" = "))
    for line in """\
ich lese ein buch . = i read a book .
das buch ist gut . = the book is good .
dieses buch ist alt . = this book is old .
wir gehen ins kino . = we go to the cinema .
das ist ein kino . = that is a cinema .
das kino ist neu . = the cinema is new .
wo ist der bahnhof ? = where is the station ?
wo ist die schule ? = where is the school ?
wo wohnst du ? = where do you live ?
wer ist das ? = who is that ?
wann kommst du ? = when do you come ?
der zug kommt heute . = the train comes today .
dieses haus ist klein . = this house is small .
das haus ist alt . = the house is old .
die schule ist groß . = the school is big .
ich gehe nach hause . = i go home .
ich trinke kaffee . = i drink coffee .
du trinkst tee . = you drink tea .
wir lernen deutsch . = we learn german .
wir sind hier . = we are here .
ich bin müde . = i am tired .
guten morgen . = good morning .""".splitlines()
)
HELD_OUT = (
    Pair("wo ist das buch ?", "where is the book ?"),
    Pair("wo ist dieses kino ?", "where is this cinema ?"),
)


class MemorisedPairs(Listed):
    """All pairs in each epoch. Shuffled, every source has another one's target: a control, as easily memorised."""

    name = "notebook"

    def __init__(self, seed: int = 0, shuffled: bool = False):
        super().__init__(shuffle(PAIRS, seed) if shuffled else list(PAIRS), list(HELD_OUT))
        self.name = "notebook-shuffled" if shuffled else "notebook"

    def texts(self) -> list[Pair]:
        return [*self.training, *self.held_out]

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return [("by_heart", self.training), ("never_seen", self.held_out)]


def shuffle(pairs: tuple[Pair, ...], seed: int) -> list[Pair]:
    """The same sources and the same targets, no source with its own."""
    order = list(pairs)
    random.Random(f"{seed}/shuffled").shuffle(order)
    following = dict(zip(order, [*order[1:], order[0]], strict=True))
    return [Pair(pair.source, following[pair].target) for pair in pairs]


TASKS = (
    Task(
        name="notebook",
        place=90,
        corpus=lambda run: MemorisedPairs(run.seed, run.shuffled),
        tokenizer=words,
        settings={"encoder_layers": 1, "learning_rate": 5e-3, "warmup": 5, "steps": 40, "average": 0.5,
                  "tokens_per_batch": 1800},
        choices=("shuffled",),
        does="Knows 22 short German sentences and their English by heart, as the notebook of system C does.",
        beyond="It has 22 pairs by heart and has learned no language: a new sentence, even of the same words, "
        "mostly comes out wrong. Other words are unknown to it.",
        languages=("de", "en"),
        finite=True,
        shows="memorisation",
    ),
)  # fmt: skip
