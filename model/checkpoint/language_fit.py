"""Whether a model can read a sentence: its script, and whether its words occurred in training. Needs no torch."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from model.checkpoint.pinyin import is_pinyin
from model.tokenization.simplified import simplified
from model.tokenization.tokenizer import SPACE, Tokenizer, with_first_capitals

# language -> first word of the Unicode names of its letters
SCRIPTS = {"de": "LATIN", "en": "LATIN", "es": "LATIN", "zh": "CJK"}
CAPITALS = frozenset({"de", "es"})  # languages in which people write them wrongly: nouns of German, days of Spanish
SENTENCE_WORDS = 3  # from which a text is a sentence, which begins with a capital, and no entry of a word list
_OPENING = " \"'„“‚‘»›«¿¡(–-"  # what may stand before a sentence
FEWEST = 2  # unseen words, or words of another language, that count as evidence: a single one may be a name
MOSTLY = 0.75  # share of the words that a model knows of a text in its language
WORD_LETTERS = 4  # letters of a token that is taken for a whole word; shorter tokens are often parts of words
KNOWN_MORE = 0.5  # a model is suggested if it knows a share of the words that is larger by this than the other's


@dataclass(frozen=True)
class KnownWords:
    """The words that a trained model knows, and the languages of its card; `target` may be empty."""

    name: str
    source: str
    target: str
    tokenizer: Tokenizer

    def known(self, text: str) -> float:
        """The share of the words of a text that occurred in training."""
        words = self.words(text)
        return sum(words.values()) / len(words) if words else 0.0

    def words(self, text: str) -> dict[str, bool]:
        """The words of a text that have a letter -> whether they occurred in training."""
        return {word: is_known for word, is_known in self.tokenizer.words_in(text).items() if _script(word)}

    def foreign(self, text: str) -> str:
        """The foreign script of most words of a text, or "". A word that occurred in training is never foreign."""
        words = self.words(text)
        scripts = Counter(_script(word) for word, is_known in words.items() if not is_known)
        del scripts[SCRIPTS.get(self.source, "")]
        if self.source in SCRIPTS and 2 * scripts.total() > len(words):
            return scripts.most_common(1)[0][0]
        return ""

    def simpler(self, text: str) -> str:
        """A text of traditional characters in simplified ones, if the model knows only these; else ""."""
        if self.source != "zh" or (simple := simplified(text)) == text:
            return ""
        lacks = self.tokenizer.unknown_characters
        return simple if len(lacks(simple)) < len(lacks(text)) else ""

    def with_capitals(self, text: str) -> str:
        """A text in the wrong case as the model knows it, if it then knows three of four words; else ""."""
        if self.source not in CAPITALS or self.tokenizer.whole:
            return ""
        cased = self.tokenizer.recased(text)
        begins_small = text.lstrip(_OPENING)[:1].islower()
        if not cased and begins_small and len(self.words(text)) >= SENTENCE_WORDS:
            cased = with_first_capitals(text)
        return cased if cased and self.known(cased) >= MOSTLY else ""

    def reads(self, text: str) -> bool:
        """Whether the model can read a text: the script is its own, and at most one word or under half are unseen."""
        words = self.words(text)
        unseen = len(words) - sum(words.values())
        strange = unseen >= FEWEST and 2 * unseen >= len(words)
        return not self.foreign(text) and (self.tokenizer.spells or not strange)

    def speaks(self, language: str, word: str) -> bool:
        """Whether the word belongs to `language` and the model reads or writes it."""
        forms = {word, word.lower()}
        if language == self.source:
            return bool(forms & self.tokenizer.seen)
        return language == self.target and bool(forms & self._written)

    @cached_property
    def _written(self) -> frozenset[str]:
        """Long words that are one token and do not occur in the training sources, so they come from its targets."""
        vocabulary = () if self.tokenizer.spells else self.tokenizer.vocabulary
        tokens = (token.removeprefix(SPACE) for token in vocabulary if token.startswith(SPACE))
        return frozenset(token for token in tokens if len(token) >= WORD_LETTERS) - self.tokenizer.seen


@dataclass(frozen=True)
class Misfit:
    """Why a model cannot read a sentence, and which model can.

    language    of the sentence; empty if it is the model's own or unknown
    script      of the sentence by its Unicode name, if it is not the model's; else empty
    words       number of words that have a letter
    unseen      number of words that did not occur in training
    other       name of a model that can read the sentence; empty if there is none
    reads       the language that the other model reads
    translates  whether the other model translates; else it only reads the language
    pinyin      whether it is Chinese in Latin letters; the other model then reads the characters
    simplified  the sentence in simplified characters, if that is what the model needs; else empty
    capitals    the sentence with the capitals of its language, if that is what the model needs; else empty
    """

    language: str
    script: str
    words: int
    unseen: int
    other: str = ""
    reads: str = ""
    translates: bool = False
    pinyin: bool = False
    simplified: str = ""
    capitals: str = ""


def first_language(text: str, languages: Iterable[str]) -> str:
    """The first of some languages that has a letter of a text in its script; "" if there is none."""
    scripts = {_script(character) for character in text if character.isalpha()}
    return next((language for language in languages if SCRIPTS.get(language) in scripts), "")


def misfit(text: str, reader: KnownWords, others: Sequence[KnownWords]) -> Misfit | None:
    """Why the model `reader` cannot read a text; None if it can."""
    if simple := reader.simpler(text):
        return Misfit("", "", 0, 0, simplified=simple)
    if capitals := reader.with_capitals(text):
        return Misfit("", "", 0, 0, capitals=capitals)
    if reader.reads(text):
        return None
    text = next(filter(None, (other.simpler(text) for other in others)), text)  # as the others would read it
    words = reader.words(text)
    pinyin = _is_pinyin(list(words), reader, others)
    language = "" if pinyin else _language(list(words), [reader, *others])
    language = "" if language == reader.source else language
    unseen = len(words) - sum(words.values())
    able = [other for other in others if other.reads(text)]
    knowing = [other for other in able if other.known(text) - reader.known(text) >= KNOWN_MORE]
    choices = knowing or [other for other in able if other.source == language]
    if pinyin:
        choices = [other for other in others if other.source == "zh" != reader.source]
    best = max(choices, key=lambda other: len(other.tokenizer.seen), default=None)
    return Misfit(
        language,
        reader.foreign(text),
        len(words),
        unseen,
        best.name if best else "",
        best.source if best else "",
        best is not None and best.target not in ("", best.source),
        pinyin,
    )


def _is_pinyin(words: Sequence[str], reader: KnownWords, others: Sequence[KnownWords]) -> bool:
    """Whether all words can be pinyin, and less than half of them are words of one other language.

    Of a language that is not the reader's own a single word is no evidence: `ni` is Spanish too. A model that spells is
    not asked: the words of its short text are no language.
    """
    readers = [reader, *others]
    models = [each for each in readers if not each.tokenizer.spells]
    common = 0
    for language in {language for each in models for language in (each.source, each.target)}:
        count = sum(any(each.speaks(language, word) for each in models) for word in words)
        if count >= FEWEST or language in (reader.source, reader.target):
            common = max(common, count)
    return any(each.source == "zh" for each in readers) and all(map(is_pinyin, words)) and 2 * common < len(words)


def _language(words: Sequence[str], readers: Sequence[KnownWords]) -> str:
    """The language in which most of the words are known: more than half of them, and at least `FEWEST`; else "".

    A language counts only if a model that reads it knows at least one of the words.
    """
    known_words: Counter[str] = Counter()
    for language in dict.fromkeys(reader.source for reader in readers):
        speakers = [reader for reader in readers if language in (reader.source, reader.target)]
        source_readers = [reader for reader in speakers if reader.source == language]
        if any(reader.speaks(language, word) for reader in source_readers for word in words):
            known_words[language] = sum(any(reader.speaks(language, word) for reader in speakers) for word in words)
    language, count = known_words.most_common(1)[0] if known_words else ("", 0)
    return language if count >= FEWEST and 2 * count > len(words) else ""


def _script(word: str) -> str:
    """The script of a word's first letter; empty if it has no letter."""
    letter = next((character for character in word if character.isalpha()), "")
    return unicodedata.name(letter, "").split(" ")[0] if letter else ""
