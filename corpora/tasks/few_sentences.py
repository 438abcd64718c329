"""German sentences of some 130 words and their English: few enough to train again and again without some of them.

Words and marks stand between spaces, in small letters. Each list has the commonest word first: its n-th word is drawn
with the weight 1 / (n + 2), so that some words stand in few sentences, as in any language. Verbs and articles follow
subject, gender and case; `sie` is she or they, as the verb says.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from corpora.corpus import Parted
from corpora.pairs import Pair, Split, part
from corpora.task_list import Task, words

DRAWN = 1300  # different sentences, of which 1 in 20 each is for validation and for the test
T = TypeVar("T")


class _Noun(NamedTuple):
    german: str
    english: str
    gender: str  # m, f or n


class _Verb(NamedTuple):
    """The forms after ich, du, er and wir, the English one, and what it goes with."""

    forms: tuple[str, ...]
    english: str
    objects: tuple[_Noun, ...]


def _nouns(text: str) -> tuple[_Noun, ...]:
    return tuple(_Noun(*row.split()) for row in text.split(","))


_PEOPLE = _nouns("mann man m, frau woman f, kind child n, lehrer teacher m, freund friend m, schwester sister f, "
                 "bruder brother m, nachbarin neighbour f")  # fmt: skip
_ANIMALS = _nouns("hund dog m, katze cat f, pferd horse n, vogel bird m, maus mouse f, schaf sheep n")
_THINGS = _nouns("haus house n, tisch table m, tasche bag f, auto car n, lampe lamp f, ball ball m, bild picture n, "
                 "stuhl chair m")  # fmt: skip
_FOOD = _nouns("apfel apple m, suppe soup f, brot bread n, kuchen cake m, ei egg n")
_READ = _nouns("buch book n, zeitung newspaper f, brief letter m, gedicht poem n")
_TOPICS = {"people": _PEOPLE, "animals": _ANIMALS, "things": _THINGS, "food": _FOOD, "reading": _READ}
_LISTS = tuple(_TOPICS.values())
_NOUNS = sum(_LISTS, ())
_VERBS = tuple(
    _Verb(tuple(forms.split()), english, objects)
    for forms, english, objects in (
        ("sehe siehst sieht sehen", "see", _NOUNS),
        ("kaufe kaufst kauft kaufen", "buy", (*_THINGS, *_FOOD, *_READ)),
        ("brauche brauchst braucht brauchen", "need", _NOUNS),
        ("esse isst isst essen", "eat", _FOOD),
        ("lese liest liest lesen", "read", _READ),
        ("finde findest findet finden", "find", _NOUNS),
        ("liebe liebst liebt lieben", "love", (*_PEOPLE, *_ANIMALS)),
        ("male malst malt malen", "paint", (*_PEOPLE, *_ANIMALS, *_THINGS)),
        ("rufe rufst ruft rufen", "call", (*_PEOPLE, *_ANIMALS)),
        ("schreibe schreibst schreibt schreiben", "write", _READ),
        ("verkaufe verkaufst verkauft verkaufen", "sell", (*_ANIMALS, *_THINGS, *_FOOD)),
    )
)
_PRONOUNS = (
    ("ich", "i", 0),
    ("er", "he", 2),
    ("sie", "she", 2),
    ("wir", "we", 3),
    ("du", "you", 1),
    ("sie", "they", 3),
)
_ARTICLES = {  # of m, f and n as a subject, and of m as an object
    "the": ("der", "die", "das", "den"),
    "a": ("ein", "eine", "ein", "einen"),
    "my": ("mein", "meine", "mein", "meinen"),
    "this": ("dieser", "diese", "dieses", "diesen"),
}
_ADVERBS = (("heute", "today"), ("oft", "often"), ("hier", "here"), ("immer", "always"), ("jetzt", "now"))
_BEFORE_VERB = ("often", "always")
_ADJECTIVES = (("groß", "big"), ("klein", "small"), ("alt", "old"), ("schön", "beautiful"), ("neu", "new"))
_SUBJECTS = (*_PEOPLE, *_ANIMALS[:2])
_PATTERNS = {"plain": 6, "adverb": 4, "not": 3, "question": 3, "adjective": 2, "where": 1}


class FewSentences(Parted):
    """Sentences that were drawn once, the same for every seed; split by source. Fewer are the first ones of more."""

    name = "few-sentences"

    def __init__(self, drawn: int = DRAWN):
        self.drawn = drawn

    @cached_property
    def _drawn(self) -> dict[str, tuple[Pair, str]]:
        """Each pair with its pattern, by its source."""
        rng, drawn = random.Random(0), dict[str, tuple[Pair, str]]()
        while len(drawn) < self.drawn:
            [pattern] = rng.choices(list(_PATTERNS), list(_PATTERNS.values()))
            pair = _sentence(rng, pattern)
            drawn.setdefault(pair.source, (pair, pattern))
        return drawn

    @property
    def sentences(self) -> list[Pair]:
        return [pair for pair, _ in self._drawn.values()]

    def groups(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """A sentence has one pattern, and the topic of each of its nouns."""
        nouns = {topic: {noun.german for noun in own} for topic, own in _TOPICS.items()}
        return {
            "pattern": {
                name: frozenset(source for source, (_, own) in self._drawn.items() if own == name) for name in _PATTERNS
            },
            "topic": {
                name: frozenset(source for source in self._drawn if own & set(source.split()))
                for name, own in nouns.items()
            },
        }

    def part(self, split: Split) -> list[Pair]:
        return part(self.sentences, split)

    def texts(self) -> list[Pair]:
        return self.sentences


def _sentence(rng: random.Random, pattern: str) -> Pair:
    if pattern in ("adjective", "where"):
        german, english = _noun_phrase(rng, _LISTS[rng.randrange(len(_LISTS))], known=True)
        if pattern == "where":
            return Pair(f"wo ist {german} ?", f"where is {english} ?")
        adjective = _common(rng, _ADJECTIVES)
        if rng.random() < 0.3:
            return Pair(f"ist {german} {adjective[0]} ?", f"is {english} {adjective[1]} ?")
        return Pair(f"{german} ist {adjective[0]} .", f"{english} is {adjective[1]} .")
    if rng.random() < 0.5:
        subject, who, person = _common(rng, _PRONOUNS)
    else:
        (subject, who), person = _noun_phrase(rng, _SUBJECTS), 2
    verb = _common(rng, _VERBS)
    form, does = verb.forms[person], "does" if person == 2 else "do"
    third = verb.english + "s" * (person == 2)
    german, english = _noun_phrase(rng, verb.objects, is_object=True, known=pattern == "not")
    if pattern == "not":
        return Pair(f"{subject} {form} {german} nicht .", f"{who} {does} not {verb.english} {english} .")
    if pattern == "question":
        return Pair(f"{form} {subject} {german} ?", f"{does} {who} {verb.english} {english} ?")
    if pattern == "plain":
        return Pair(f"{subject} {form} {german} .", f"{who} {third} {english} .")
    adverb, when = _common(rng, _ADVERBS)
    behind = f"{who} {when} {third} {english} ." if when in _BEFORE_VERB else f"{who} {third} {english} {when} ."
    return Pair(f"{subject} {form} {adverb} {german} .", behind)


def _noun_phrase(
    rng: random.Random, nouns: Sequence[_Noun], *, is_object: bool = False, known: bool = False
) -> tuple[str, str]:
    """An article with a noun in both languages; `a` is none of the articles of what is `known`."""
    article = _common(rng, [name for name in _ARTICLES if name != "a" or not known])
    noun = _common(rng, nouns)
    forms = _ARTICLES[article]
    form = forms[3] if is_object and noun.gender == "m" else forms["mfn".index(noun.gender)]
    article = "an" if article == "a" and noun.english[0] in "aeiou" else article
    return f"{form} {noun.german}", f"{article} {noun.english}"


def _common(rng: random.Random, of: Sequence[T]) -> T:
    """One of a list, the first ones more often."""
    return rng.choices(of, [1 / (place + 2) for place in range(len(of))])[0]


TASKS = (
    Task(
        name="few-sentences",
        place=95,
        corpus=lambda run: FewSentences(),
        tokenizer=words,
        settings={"d_model": 48, "heads": 4, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 96,
                  "learning_rate": 5e-3, "warmup": 40, "steps": 300, "tokens_per_batch": 1000, "average": 0.98},
        does="Translates short German sentences of some 130 words to English. It learned from about 1,200, so few "
        "that it is trained again in seconds without some of them.",
        beyond="It knows no other word, and few kinds of sentences.",
        languages=("de", "en"),
        finite=True,
    ),
)  # fmt: skip
