"""Ordinary sentences that no grammar made, with the translations that a teacher would accept, and who judges an output.

Rows of `ordinary/XX-en.tsv`: the set, a sentence, and two references. `{a|b}` in a reference stands for either.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "ordinary"
SETS = ("fit", "test")  # a rule is fitted on one and measured on the other
MOST = 4096  # sentences that a reference may stand for


@dataclass(frozen=True)
class Ordinary:
    """A sentence, and references as they are written in the file."""

    set: Literal["fit", "test"]
    source: str
    references: tuple[str, ...]


def read(language: str) -> list[Ordinary]:
    """The sentences of a language; empty if there is no file. ValueError names a line that is not as it should be."""
    path = FOLDER / f"{language}-en.tsv"
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else (), 2):
        columns = line.split("\t")
        if len(columns) != 4 or columns[0] not in SETS or not all(map(str.strip, columns)):
            raise ValueError(f"{path.name}, line {number}: a set, a sentence and two references are expected")
        rows.append(Ordinary(columns[0], columns[1], tuple(columns[2:])))  # type: ignore[arg-type]
    return rows


def expanded(reference: str) -> Iterator[str]:
    """Every sentence that a reference stands for; ValueError where braces are not closed, nested, or too many."""
    parts = re.split(r"\{([^{}]*)\}", reference)
    if any(mark in part for part in parts[::2] for mark in "{}"):
        raise ValueError(f"braces: {reference}")
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MOST:
        raise ValueError(f"{count} sentences: {reference}")
    return map("".join, product(*choices))


def accepted(output: str, references: Sequence[str]) -> bool:
    """Whether an output is one of the sentences that the references stand for, written in another way perhaps.

    Case, punctuation, contractions, hyphens, numbers up to 99 in figures and common British and American spellings
    make no difference; a word more, less or other does.
    """
    return not _forms(output).isdisjoint(_accepted(tuple(references)))


@lru_cache(maxsize=2048)
def _accepted(references: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form for reference in references for text in expanded(reference) for form in _forms(text))


# how one sentence may be written

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_LARGER = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = [*_SMALL.split(), "seventeen", "eighteen", "nineteen"]
_TENS = {word: 10 * n for n, word in enumerate(_LARGER.split(), 2)}
_NUMBERS = {word: str(n) for n, word in enumerate(_ONES)} | {word: str(n) for word, n in _TENS.items()}
_TWO_WORDS = re.compile(rf"\b({'|'.join(_TENS)}) ({'|'.join(_ONES[1:10])})\b")
_BRITISH = """
    aeroplane=airplane apologise=apologize apologised=apologized burnt=burned cancelled=canceled cancelling=canceling
    centre=center cheque=check colour=color colours=colors coloured=colored cosy=cozy dialogue=dialog doughnut=donut
    dreamt=dreamed favourite=favorite favourites=favorites flavour=flavor grey=gray harbour=harbor honour=honor
    humour=humor jewellery=jewelry kilometre=kilometer kilometres=kilometers labour=labor leapt=leaped learnt=learned
    litre=liter litres=liters maths=math metre=meter metres=meters mum=mom mummy=mommy mums=moms neighbour=neighbor
    neighbours=neighbors neighbourhood=neighborhood ok=okay organise=organize organised=organized practise=practice
    practised=practiced practising=practicing programme=program programmes=programs pyjamas=pajamas realise=realize
    realised=realized recognise=recognize recognised=recognized smelt=smelled spelt=spelled spilt=spilled
    spoilt=spoiled theatre=theater theatres=theaters towards=toward travelled=traveled traveller=traveler
    travelling=traveling tyre=tire tyres=tires whilst=while yoghurt=yogurt
"""
_SPELLINGS = dict(pair.split("=") for pair in _BRITISH.split())
_JOINED = {"e mail": "email", "e mails": "emails", "good bye": "goodbye", "bye bye": "goodbye", "per cent": "percent"}
_WHOLE = {"cannot": "can not", "can't": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us"}
_ENDINGS = {"n't": " not", "'m": " am", "'re": " are", "'ll": " will", "'ve": " have"}
_PRONOUN = "i|you|he|she|it|we|they|this|that|there"
_VERB = "am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|must|may|might|need"
_NOT_YOU = re.compile(rf"\b({_VERB}) not ({_PRONOUN})\b")  # aren't you, are you not
_BETWEEN = {"not", "already", "also", "always", "just", "never", "really", "ever", "finally", "only", "still", "all"}
_IRREGULAR = """
    been become begun bitten blown bought broken brought built caught chosen come cost cut done drawn drunk driven eaten
    fallen felt flown forgotten found given gone got gotten grown had heard held hidden hurt kept known lain learned
    left lent let lost made meant met paid put read ridden risen run said sat seen sent shone shown shut slept sold
    spent spoken stolen stood stuck sung swum taken taught thought thrown told understood woken won worn written
"""
_PARTICIPLES = set(_IRREGULAR.split())


def _forms(text: str) -> frozenset[str]:
    """The ways to read a text without contractions: `it's` is `it is` or, before a participle, `it has`."""
    text = text.lower().replace("’", "'").replace("‘", "'")
    text = re.sub(r"€ ?(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?) ?€", r"\1\2 euros", text)
    text = re.sub(r"\b([ap])\.m\.", r"\1m", text)
    text = re.sub(r"(?<=\d)[.:](?=\d)", ":", text).replace("%", " percent")
    text = re.sub(r"(?<!\d):|:(?!\d)|[^\w\s':]|(?<!\w)'|'(?!\w)|_", " ", text)
    words = [_WHOLE.get(word, word) for word in text.split()]
    readings = [""]
    for place, word in enumerate(words):
        following = next((other for other in words[place + 1 :] if other not in _BETWEEN), "")
        spelled = _readings(word, following)
        readings = [f"{so_far} {each}" for so_far in readings for each in spelled]
    return frozenset(map(_plain, readings))


def _readings(word: str, following: str) -> list[str]:
    """A word without its contraction; `following` is the next word that may be a participle."""
    for ending, long in _ENDINGS.items():
        if word.endswith(ending):
            return [word.removesuffix(ending) + long]
    stem, apostrophe, end = word.rpartition("'")
    is_participle = following in _PARTICIPLES or following.endswith("ed")
    if apostrophe and end == "s":  # is, has, or whose
        return [f"{stem} is", word, *([f"{stem} has"] if is_participle else [])]
    if apostrophe and end == "d":
        had = is_participle or following == "better"
        return [f"{stem} would", *([f"{stem} had"] if had else [])]
    return [word]


def _plain(text: str) -> str:
    """Numbers in figures, American spelling, and `not` behind the pronoun of a question."""
    text = _TWO_WORDS.sub(lambda match: str(_TENS[match[1]] + int(_NUMBERS[match[2]])), text)
    text = " ".join(_NUMBERS.get(word) or _SPELLINGS.get(word, word) for word in text.split())
    for apart, joined in _JOINED.items():
        text = re.sub(rf"\b{apart}\b", joined, text)
    return _NOT_YOU.sub(r"\1 \2 not", text)
