"""Whether a sentence is one that a model can read: its script, and whether training showed its words. No torch."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from model.tokenizer import SPACE, Tokenizer

# the first word of a character's Unicode name, by language; the words of any other are only counted
SCRIPTS = {"de": "LATIN", "en": "LATIN", "zh": "CJK"}
FEWEST = 2  # words that a model never saw, or that speak for another language: one may be a name
WORD_LETTERS = 4  # letters of a token that stands for a word; shorter ones begin many
KNOWN_MORE = 0.5  # how much larger a share of the words a model must know to be offered in another's place


@dataclass(frozen=True)
class KnownWords:
    """The words that a trained model knows, and the languages that its card names; `target` may be empty."""

    name: str
    source: str
    target: str
    tokenizer: Tokenizer

    def known(self, text: str) -> float:
        """The share of the words of a text that training showed."""
        words = self.words(text)
        return sum(words.values()) / len(words) if words else 0.0

    def words(self, text: str) -> dict[str, bool]:
        """The words of a text that have a letter, each with whether training showed it."""
        return {word: seen for word, seen in self.tokenizer.words_in(text).items() if _script(word)}

    def foreign(self, text: str) -> str:
        """The foreign script of most words of a text, or "". A word that training showed is never foreign."""
        words = self.words(text)
        scripts = Counter(_script(word) for word, seen in words.items() if not seen)
        del scripts[SCRIPTS.get(self.source, "")]
        if self.source in SCRIPTS and 2 * scripts.total() > len(words):
            return scripts.most_common(1)[0][0]
        return ""

    def reads(self, text: str) -> bool:
        """Whether training showed the script of a text, and all but one of its words or more than half of them."""
        words = self.words(text)
        unseen = len(words) - sum(words.values())
        strange = unseen >= FEWEST and 2 * unseen >= len(words)
        return not self.foreign(text) and (self.tokenizer.spells or not strange)

    def speaks(self, language: str, word: str) -> bool:
        """Whether the model reads the word in that language, or writes it."""
        forms = {word, word.lower()}
        if language == self.source:
            return bool(forms & self.tokenizer.seen)
        return language == self.target and bool(forms & self._written)

    @cached_property
    def _written(self) -> frozenset[str]:
        """Words that are one token and never stood in what it read; short ones may be the beginning of others."""
        vocabulary = () if self.tokenizer.spells else self.tokenizer.inner.get_vocab()
        tokens = (token.removeprefix(SPACE) for token in vocabulary if token.startswith(SPACE))
        return frozenset(token for token in tokens if len(token) >= WORD_LETTERS) - self.tokenizer.seen


@dataclass(frozen=True)
class Misfit:
    """Why a model cannot read a sentence, and which model can.

    language  what the sentence looks like, empty where its words are in no model's language
    script    as Unicode names it, where it is not the model's; else empty
    other     a model that reads it
    translates  whether that one translates; else it only reads the language
    """

    language: str
    script: str
    words: int
    unseen: int
    other: str = ""
    translates: bool = False


def misfit(text: str, reader: KnownWords, others: Sequence[KnownWords]) -> Misfit | None:
    """What keeps a model from reading a text, None where nothing does."""
    if reader.reads(text):
        return None
    words = reader.words(text)
    language = _language(list(words), [reader, *others])
    language = "" if language == reader.source else language
    unseen = len(words) - sum(words.values())
    able = [other for other in others if other.reads(text)]
    knowing = [other for other in able if other.known(text) - reader.known(text) >= KNOWN_MORE]
    best = max(
        knowing or [other for other in able if other.source == language],
        key=lambda other: len(other.tokenizer.seen),
        default=None,
    )
    return Misfit(
        language,
        reader.foreign(text),
        len(words),
        unseen,
        best.name if best else "",
        best is not None and best.target not in ("", best.source),
    )


def _language(words: Sequence[str], readers: Sequence[KnownWords]) -> str:
    """The language in which most of these words are known, if more than half are; one word says too little.

    What a model only writes says less than what it reads: one that reads the language must know one of them too.
    """
    known: Counter[str] = Counter()
    for language in dict.fromkeys(reader.source for reader in readers):
        those = [reader for reader in readers if language in (reader.source, reader.target)]
        own = [reader for reader in those if reader.source == language]
        if any(reader.speaks(language, word) for reader in own for word in words):
            known[language] = sum(any(reader.speaks(language, word) for reader in those) for word in words)
    language, count = known.most_common(1)[0] if known else ("", 0)
    return language if count >= FEWEST and 2 * count > len(words) else ""


def _script(word: str) -> str:
    """That of a word's first letter, empty where it has none."""
    letter = next((character for character in word if character.isalpha()), "")
    return unicodedata.name(letter, "").split(" ")[0] if letter else ""
