"""Byte-pair tokens of a sentence: frequent words whole, rare ones in readable pieces. Or words, or characters.

A Chinese character is always a token of its own. Built on the `tokenizers` library; one vocabulary serves both
languages.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import tokenizers
from tokenizers import Regex, models, normalizers, pre_tokenizers, trainers

from model.tokenization import segmenter
from model.tokenization.normalizer import CHINESE_MARKS, HAN, normalizer
from model.tokenization.token_text import CONTINUES
from viz import whole_words
from viz.whole_words import Grouping, Word

SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")
PAD, BOS, EOS, UNK = range(4)
CHARACTER_LIMIT = 1000  # of a sentence that is read at all
HIDDEN_MARK = "_"  # stands for a hidden word in a sentence; no vocabulary of words has it, so it is read as <unk>
SPACE = "▁"  # stands for the space before a word
_ALONE = rf"{SPACE}?(?:[^\w\s'{SPACE}-]|'(?!\w)|(?<!\w)')|{SPACE}?\d"  # but keep don't and E-Mail together
OPENED = re.compile(rf"""({SPACE}["'(]){SPACE}""")
_CHARACTERS = string.ascii_letters + string.digits + string.punctuation + "ÄÖÜäöüßéèàçñ–—…€°§"
_BEGINNING = re.compile(r"(?:^|[.!?]\s)\W*\w")  # the first letter of a sentence, with what stands before it
_WORD = re.compile(r"[一-鿿]|[^\W一-鿿]+(?:['-][^\W一-鿿]+)*")


class _Ids(dict[str, int]):
    """Of single characters; one that is not there is unknown."""

    def __missing__(self, character: str) -> int:
        return UNK


class Tokenizer:
    """Text to ids and back. `seen` are the source words of the training data.

    before, after  the ids that stand before and after a sentence that a model reads
    specials       how `SPECIALS` are shown; a model from elsewhere has names of its own
    """

    specials: tuple[str, ...] = SPECIALS
    before: tuple[int, ...] = (BOS,)
    after: tuple[int, ...] = (EOS,)
    knows_training = True  # whether `seen` is known
    mask: str | None = HIDDEN_MARK  # what stands for a hidden word in a sentence
    mask_id: int | None = UNK  # and how it is read

    def __init__(self, inner: tokenizers.Tokenizer, training_words: Iterable[str]):
        self.inner = inner
        self.inner.encode_special_tokens = True  # "<eos>" typed by a user is text, not the end
        self.seen = frozenset(training_words)

    @classmethod
    def train(cls, texts: Iterable[str], training_words: Iterable[str], size: int) -> Tokenizer:
        """Learn a vocabulary of at most `size` tokens from the texts of both languages."""
        inner = tokenizers.Tokenizer(models.BPE(unk_token=SPECIALS[UNK]))
        inner.normalizer = normalizer()
        inner.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Metaspace(SPACE, prepend_scheme="always"),
                # Chinese has no spaces: each character is a token, the same at the start of a sentence as inside
                pre_tokenizers.Split(Regex(rf"""{SPACE}(?=["'(]*[{HAN}{CHINESE_MARKS}])"""), "removed"),
                pre_tokenizers.Split(Regex(HAN), "isolated"),
                pre_tokenizers.Split(Regex(_ALONE), "isolated"),
            ]
        )
        trainer = trainers.BpeTrainer(
            vocab_size=size, special_tokens=list(SPECIALS), initial_alphabet=list(_CHARACTERS), show_progress=False
        )
        inner.train_from_iterator(texts, trainer)
        return cls(inner, training_words)

    @classmethod
    def words(cls, texts: Iterable[str], training_words: Iterable[str]) -> Tokenizer:
        """Every word between spaces of the texts is one token, and any other is unknown."""
        vocabulary = dict.fromkeys(SPACE + word for text in texts for word in text.split())
        return cls(_whole(vocabulary, pre_tokenizers.Metaspace(SPACE, prepend_scheme="always")), training_words)

    @classmethod
    def characters(cls, texts: Iterable[str], training_words: Iterable[str], size: int = 2000) -> Tokenizer:
        """Every character is one token: those of the texts, the most frequent ones if there are more than `size`."""
        counts = Counter(unicodedata.normalize("NFC", " ".join(texts)))
        vocabulary = [SPACE, *sorted(c for c, _ in counts.most_common(size) if not c.isspace() and c != SPACE)]
        return cls(_whole(vocabulary, pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated"), spaces=SPACE), training_words)

    def save(self, folder: Path) -> None:
        self.inner.save(str(folder / "tokenizer.json"), pretty=False)
        (folder / "words.txt").write_text("\n".join(sorted(self.seen)) + "\n", encoding="utf-8")

    @property
    def size(self) -> int:
        return self.inner.get_vocab_size()

    @property
    def vocabulary(self) -> dict[str, int]:
        """The id of each token as it is stored."""
        return self.inner.get_vocab()

    def pieces(self, text: str) -> list[int]:
        """Ids of a text alone, as the source."""
        return self.inner.encode(text).ids

    def target_pieces(self, text: str) -> list[int]:
        """Ids of a text alone, as the target: another cut where the two sides have tokenizers of their own."""
        return self.pieces(text)

    @property
    def separator(self) -> str:
        """What a user types between two texts that are read as one; empty where a model reads no two."""
        return ""

    def texts(self, text: str) -> tuple[str, ...]:
        """The text, or the two that the first separator parts."""
        first, found, second = text.partition(self.separator) if self.separator else (text, "", "")
        return (first.rstrip(), second.lstrip()) if found else (text,)

    def second_text(self, ids: Sequence[int]) -> int | None:
        """The place where the second of two texts begins among the ids that a model reads; None where there is one."""
        return None

    def last_text(self, ids: Sequence[int]) -> range:
        """The places of the text among the ids that a model reads, of two texts those of the second."""
        start = self.second_text(ids)
        return range(len(self.before) if start is None else start, len(ids) - len(self.after))

    def encode(self, text: str) -> list[int]:
        """Ids of a sentence as a model reads it: of ours, with `<bos>` before and `<eos>` after it."""
        return [*self.before, *self.pieces(text), *self.after]

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """Ids of many sentences, each with `<bos>` and `<eos>`."""
        if self.spells:  # the library takes ten times as long for single characters
            return [self._spell(text) for text in texts]
        return [[*self.before, *sentence.ids, *self.after] for sentence in self.inner.encode_batch(texts)]

    def _spell(self, text: str) -> list[int]:
        text = SPACE.join(unicodedata.normalize("NFC", text).split())
        return [BOS, *map(self._ids.__getitem__, text), EOS]

    @cached_property
    def _ids(self) -> dict[str, int]:
        return _Ids(self.inner.get_vocab())

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; specials are left out."""
        pieces = (self.inner.id_to_token(id_) or "" for id_ in ids if id_ >= len(SPECIALS))
        if self.whole:
            return "".join(pieces).replace(SPACE, " ").strip()
        return OPENED.sub(r"\1", "".join(pieces)).replace(SPACE, " ").strip()

    def tokens(self, ids: Iterable[int], *, begins: bool = False) -> tuple[str, ...]:
        """Each id as a user should see it: no space marks, a dot before a piece that goes on a word.

        `begins` says that the ids begin a text, whose first piece goes on nothing.
        """
        ids = list(ids)
        tokens = [self._readable(self.piece(id_)) for id_ in ids]
        for at in self._begin(ids) if begins else ():
            if tokens[at] != CONTINUES:
                tokens[at] = tokens[at].removeprefix(CONTINUES)
        return tuple(tokens)

    def _begin(self, ids: Sequence[int]) -> list[int]:
        """The places where a text begins: the first id of one, and behind an `<eos>` the first of a second text."""
        text = [at for at, id_ in enumerate(ids) if self.is_text(id_)]
        return [at for at in text if at == text[0] or ids[at - 1] == EOS]

    @property
    def mark(self) -> str:
        """How pieces say whether they begin a word, one of `whole_words.MARKS` or `NO_MARK`."""
        return SPACE

    def grouping(self, ids: Iterable[int], *, begins: bool = False) -> Grouping:
        """The ids as characters and as words; `begins` as for `tokens`. Chinese words are those of a dictionary."""
        ids = list(ids)
        pieces, specials = [self.piece(id_) for id_ in ids], [not self.is_text(id_) for id_ in ids]
        tokens, first = self.tokens(ids, begins=begins), self._begin(ids) if begins else []

        def named(character: Word) -> Word:
            if character.end - character.start == 1:
                return character._replace(text=tokens[character.start])
            begins_word = character.spaced or character.start in first
            return character if begins_word else character._replace(text=marked(character.text))

        return Grouping(
            tuple(map(named, whole_words.characters(pieces, specials, self.mark))),
            whole_words.words_of(pieces, specials, self.mark, lambda text: segmenter.words(text, self.seen)),
        )

    def piece(self, id_: int) -> str:
        """The token of an id as it is stored."""
        return self.inner.id_to_token(id_) or SPECIALS[UNK]

    def is_text(self, id_: int) -> bool:
        """Whether the id is a part of a text, and no mark beside it."""
        return id_ >= len(SPECIALS)

    def unseen_words(self, text: str) -> dict[str, tuple[str, ...]]:
        """Words of a text that training never showed, each with the pieces it is split into; none of characters."""
        if self.spells:
            return {}
        text = self.inner.normalizer.normalize_str(text)
        encoding = self.inner.encode(text)
        unseen = {}
        for start, word, is_known in self._words(text):
            if not is_known:
                pieces = zip(encoding.ids, encoding.offsets, strict=True)
                ids = [id_ for id_, (first, end) in pieces if first < start + len(word) and start < end]
                unseen[word] = self.tokens(ids)
        return unseen

    def words_in(self, text: str) -> dict[str, bool]:
        """The words of a text but its numbers, each with whether training showed it."""
        return {word: is_known for _, word, is_known in self._words(self.inner.normalizer.normalize_str(text))}

    def recased(self, text: str) -> str:
        """A text with each unseen word in the case that training showed; "" if that changes nothing.

        A sentence then begins with a capital too, as those of the training do.
        """
        forms = {
            word: next((form for form in _cases(word) if form in self.seen), word)
            for word, is_known in self.words_in(text).items()
            if not is_known and len(word) > 1  # a letter alone is no word of another case
        }
        if all(word == form for word, form in forms.items()):
            return ""
        cased = _WORD.sub(lambda match: forms.get(match[0], match[0]), text)
        recased = with_first_capitals(cased)
        return "" if recased == text else recased

    def _words(self, text: str) -> Iterator[tuple[int, str, bool]]:
        """Each word but the numbers: its place, and whether training showed it."""
        last = 0
        for start, word in self._words_with_places(text):
            if start < last or not any(map(str.isalpha, word)) or word.isnumeric():
                continue
            last = start + len(word)
            # the first word of a sentence is capitalised whatever it is
            forms = {word, word[0].lower() + word[1:]} if start == 0 else {word}
            yield start, word, bool(forms & self.seen)

    def _words_with_places(self, text: str) -> list[tuple[int, str]]:
        """The words of a text with their places; before its characters stands a Chinese word of seen ones."""
        words = [(match.start(), match[0]) for match in _WORD.finditer(text)]
        if self._knows_chinese:
            words += [each for each in segmenter.words(text, self.seen) if self.seen.issuperset(each[1])]
        return sorted(words, key=lambda each: (each[0], -len(each[1])))

    @cached_property
    def _knows_chinese(self) -> bool:
        """Whether it was noted which Chinese words were seen; older checkpoints have only the characters."""
        return any(len(word) > 1 and is_chinese(word) for word in self.seen)

    def unknown_characters(self, text: str) -> tuple[str, ...]:
        """Characters that no token of the vocabulary holds; they are read as `<unk>`."""
        characters = dict.fromkeys(self.inner.normalizer.normalize_str(text))
        return tuple(c for c in characters if c != SPACE and not c.isspace() and c not in self._alphabet)

    @cached_property
    def whole(self) -> bool:
        """Whether a token is a whole word or a character, never a piece."""
        return isinstance(self.inner.model, models.WordLevel)

    @cached_property
    def spells(self) -> bool:
        """Whether every token is one character."""
        return self.whole and all(len(token) == 1 for token in self.inner.get_vocab() if token not in SPECIALS)

    @cached_property
    def _alphabet(self) -> frozenset[str]:
        return frozenset(c for token in self.inner.get_vocab() if token not in SPECIALS for c in token)

    def _readable(self, token: str) -> str:
        if token in SPECIALS:
            return self.specials[SPECIALS.index(token)]
        if token.startswith(SPACE):
            return token[1:] or "␣"
        return marked(token) if not self.whole else token


def with_first_capitals(text: str) -> str:
    """A text whose sentences begin with capitals."""
    return _BEGINNING.sub(lambda match: match[0].upper(), text)


def _cases(word: str) -> tuple[str, str, str]:
    """A word in lower case, with a capital, and with one in each part: `U-Bahn`."""
    return word.lower(), word.capitalize(), "-".join(map(str.capitalize, word.split("-")))


def marked(piece: str) -> str:
    """A piece that goes on a word, with a dot before it; punctuation and Chinese as they are."""
    return f"{CONTINUES}{piece}" if piece[0].isalnum() and not is_chinese(piece) else piece


def _whole(tokens: Iterable[str], cut: pre_tokenizers.PreTokenizer, spaces: str = " ") -> tokenizers.Tokenizer:
    """A tokenizer of a fixed list of tokens; `spaces` is what white space becomes before it is cut."""
    vocabulary = {token: id_ for id_, token in enumerate(dict.fromkeys([*SPECIALS, *tokens]))}
    inner = tokenizers.Tokenizer(models.WordLevel(vocabulary, unk_token=SPECIALS[UNK]))
    inner.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Strip(), normalizers.Replace(Regex(r"\s+"), spaces)]
    )
    inner.pre_tokenizer = cut
    return inner


def words_of(texts: Iterable[str], fewest: int = 1) -> set[str]:
    """The distinct words of texts, as `Tokenizer.unseen_words` cuts them; no numbers. Of Chinese, characters and words.

    A Chinese word of two or more characters counts if it stands in `fewest` texts: from one or two, nothing is learned.
    """
    words: set[str] = set()
    chinese: Counter[str] = Counter()
    for text in texts:
        words.update(match[0] for match in _WORD.finditer(text) if any(map(str.isalpha, match[0])))
        chinese.update(segmenter.every_word(text))
    return words | {word for word, count in chinese.items() if count >= fewest}


def is_chinese(word: str) -> bool:
    """Whether a word begins with a Chinese character; `words_of` has none that mix."""
    return "一" <= word[0] <= "鿿"
