"""Sentences made of phrases by putting another word in the place of one, in both languages.

A phrase shows its words in one sentence alone. The lexicon of the grammar has words that could stand there as well:
`Ich brauche ein sauberes Hemd. = I need a clean shirt.` gives `Ich brauche ein sauberes Kleid. = I need a clean dress.`
The meaning is often odd, as in the topics `free_` of the grammar; the form is right, since a word is put in the place
of another only if it has a single form for all that the other's form may be. `@swaps` of `inflection.txt` names what
two words of a part of speech must have in common: gender, what a verb governs, a measure word.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from corpora.grammar import Grammar
from corpora.grammar.inflection import Features, NoForm
from corpora.grammar.patterns import WORDS
from corpora.grammar.words import Entry
from corpora.pairs import Pair

MOST = 3  # words of a phrase that are replaced
ALIKE = 0.4  # of the tags of two words, the share that both have
COMPARED = frozenset(("comp", "sup"))  # forms that only a word with the tag `cmp` surely has


class Place(NamedTuple):
    """A word of a phrase with its translation there, and the pairs that may stand for both."""

    words: Pair
    others: list[Pair]


class Swaps:
    """The words of a grammar by their forms."""

    def __init__(self, grammar: Grammar):
        self._cut, self._spaced = grammar.cut, bool(grammar.space)
        self._languages = grammar.languages
        self._common = grammar.languages[0].swaps
        words = [word for word in grammar.words if word.pos in self._common and _single(word)]
        self._tags = {pos: frozenset[str]().union(*(w.tags for w in words if w.pos == pos)) for pos in self._common}
        self._forms = {word: (self._paradigm(word, 0), self._paradigm(word, 1)) for word in words}
        self._with_form, self._agreeing = defaultdict[str, list[Entry]](list), defaultdict[object, list[Entry]](list)
        for word in words:
            self._agreeing[self._agreement(word)].append(word)
            for form in set(self._forms[word][0].values()):
                self._with_form[form].append(word)
        self._known: dict[tuple[Entry, Pair], list[Pair]] = {}

    def swapped(self, pair: Pair, rng: random.Random) -> Pair | None:
        """The pair with other words in one to `MOST` places; None if no other word fits in any."""
        places = [place for place in self.places(pair) if place.others]
        if not places:
            return None
        source, target = pair
        for place in rng.sample(places, rng.randint(1, min(MOST, len(places)))):
            old, new = place.words, rng.choice(place.others)
            source = _put(source, old.source, new.source, self._spaced)
            target = self._with_article(_put(target, old.target, new.target), new.target)
        capital = pair.source[:1].isupper()
        return Pair(*(text[:1].upper() + text[1:] if capital else text for text in (source, target)))

    def places(self, pair: Pair) -> Iterator[Place]:
        """The words that stand once in each text, as one translates the other."""
        target = Counter(WORDS(pair.target))
        for form in dict.fromkeys(self._cut(pair.source)):
            for entry in self._with_form.get(form, ()) if pair.source.count(form) == 1 else ():
                written = set(self._forms[entry][1].values()) & target.keys()
                if len(written) == 1 and target[translation := written.pop()] == 1:
                    words = Pair(form, translation)
                    yield Place(words, self._others(entry, words))
                    break

    def _others(self, entry: Entry, words: Pair) -> list[Pair]:
        """What may stand for a word in these forms: words with one form each for all that these may be."""
        if (entry, words) not in self._known:
            cells = [
                [cell for cell, form in forms.items() if form == word]
                for forms, word in zip(self._forms[entry], words, strict=True)
            ]
            found = set[Pair]()
            for other in self._agreeing[self._agreement(entry)]:
                forms = [{own.get(cell, "") for cell in of} for own, of in zip(self._forms[other], cells, strict=True)]
                if all(len(each) == 1 and "" not in each for each in forms) and _alike(entry, other):
                    found.add(Pair(*(each.pop() for each in forms)))
            self._known[entry, words] = sorted(found - {words})
        return self._known[entry, words]

    def _paradigm(self, word: Entry, side: int) -> dict[Features, str]:
        """The forms of one word each; those of other words of its kind, which tags tell, are left out."""
        language, parts = self._languages[side], word.sides[side].parts
        forms = {Features(): parts["lemma"]}
        for cell in language.cells(word.pos):
            if not cell & self._tags[word.pos] - word.tags and ("cmp" in word.tags or not cell & COMPARED):
                with suppress(NoForm):
                    forms[cell] = language.form(word.pos, parts, word.said[side] | word.tags, cell)
        return {cell: form for cell, form in forms.items() if " " not in form}

    def _agreement(self, word: Entry) -> object:
        """What a word must have in common with one that stands for it."""
        return word.pos, *(
            (name in word.tags, bool(value) if name.endswith("?") else value)
            for name in self._common[word.pos]
            for value in [word.attributes.get(name.removesuffix("?"))]
        )

    def _with_article(self, text: str, word: str) -> str:
        """`a` or `an` before a word as it has to be."""
        both = self._languages[1].joined("a", word) or ["a", word]
        return re.sub(rf"\b([Aa])n? (?={re.escape(word)}\b)", lambda match: f"{match[1]}{both[0][1:]} ", text)


def _put(text: str, old: str, new: str, spaced: bool = True) -> str:
    """A text with one word for another."""
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)" if spaced else old, new, text, count=1)


def _single(word: Entry) -> bool:
    """Whether nothing else belongs to it in either language: no particle, no second word."""
    return not any(side.particle or side.before or side.after for side in word.sides)


def _alike(word: Entry, other: Entry) -> bool:
    """Whether two words share so many tags that one may stand for the other, and are not the same word."""
    both = word.tags | other.tags
    return word.sides[0].text != other.sides[0].text and len(word.tags & other.tags) >= ALIKE * len(both)
