"""Byte-pair tokens of a sentence: frequent words whole, rare ones in readable pieces.

Built on the `tokenizers` library; one vocabulary serves both languages.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from pathlib import Path

import tokenizers
from tokenizers import Regex, models, normalizers, pre_tokenizers, trainers

from model.catalogue import Entry
from model.refused import Refused

SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")
PAD, BOS, EOS, UNK = range(4)
CHARACTER_LIMIT = 1000  # of a sentence that is read at all
SPACE = "▁"  # stands for the space before a word
_ALONE = rf"{SPACE}?(?:[^\w\s'{SPACE}-]|'(?!\w)|(?<!\w)')|{SPACE}?\d"  # but keep don't and E-Mail together
# a word keeps its space mark after an opening quote or bracket, so that it is the same token as elsewhere
_AFTER_OPENING = r"""(?<=^["'(]|\s["'(])(?=\w)"""
_OPENED = re.compile(rf"""({SPACE}["'(]){SPACE}""")
_CHARACTERS = string.ascii_letters + string.digits + string.punctuation + "ÄÖÜäöüßéèàçñ–—…€°§"
_WORD = re.compile(r"\w+(?:['-]\w+)*")


class Tokenizer:
    """Text to ids and back. `seen` are the source words of the training data."""

    def __init__(self, inner: tokenizers.Tokenizer, seen: Iterable[str]):
        self.inner = inner
        self.inner.encode_special_tokens = True  # "<eos>" typed by a reader is text, not the end
        self.seen = frozenset(seen)

    @classmethod
    def train(cls, texts: Iterable[str], seen: Iterable[str], size: int) -> Tokenizer:
        """Learn a vocabulary of at most `size` tokens from the texts of both languages."""
        inner = tokenizers.Tokenizer(models.BPE(unk_token=SPECIALS[UNK], fuse_unk=True))
        inner.normalizer = normalizers.Sequence(
            [
                normalizers.NFC(),
                normalizers.Replace(Regex("[’‘‚`´]"), "'"),
                normalizers.Replace(Regex("[„“”«»]"), '"'),
                normalizers.Replace(Regex(r"\s+"), " "),
                normalizers.Strip(),
                normalizers.Replace(Regex(_AFTER_OPENING), " "),
            ]
        )
        inner.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Metaspace(SPACE, prepend_scheme="always"),
                pre_tokenizers.Split(Regex(_ALONE), "isolated"),
            ]
        )
        trainer = trainers.BpeTrainer(
            vocab_size=size, special_tokens=list(SPECIALS), initial_alphabet=list(_CHARACTERS), show_progress=False
        )
        inner.train_from_iterator(texts, trainer)
        return cls(inner, seen)

    def save(self, folder: Path) -> None:
        self.inner.save(str(folder / "tokenizer.json"), pretty=False)
        (folder / "words.txt").write_text("\n".join(sorted(self.seen)) + "\n", encoding="utf-8")

    @property
    def size(self) -> int:
        return self.inner.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """Ids of a sentence with `<bos>` before and `<eos>` after it."""
        return [BOS, *self.inner.encode(text).ids, EOS]

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """Ids of many sentences, each with `<bos>` and `<eos>`."""
        return [[BOS, *sentence.ids, EOS] for sentence in self.inner.encode_batch(texts)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; specials are left out."""
        pieces = (self.inner.id_to_token(id_) or "" for id_ in ids if id_ >= len(SPECIALS))
        return _OPENED.sub(r"\1", "".join(pieces)).replace(SPACE, " ").strip()

    def tokens(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Each id as a reader should see it: no space marks, a dot before a piece that goes on a word."""
        return tuple(self._readable(self.inner.id_to_token(id_) or SPECIALS[UNK]) for id_ in ids)

    def unseen_words(self, text: str) -> dict[str, tuple[str, ...]]:
        """Words of a text that training never showed, each with the pieces it is split into."""
        text = self.inner.normalizer.normalize_str(text)
        unseen = {}
        for match in _WORD.finditer(text):
            word = match[0]
            # the first word of a sentence is capitalised whatever it is
            forms = {word, word[0].lower() + word[1:]} if match.start() == 0 else {word}
            if not forms & self.seen and not word.isdigit():
                unseen[word] = self.tokens(self.inner.encode(word).ids)
        return unseen

    def unknown_characters(self, text: str) -> tuple[str, ...]:
        """Characters that no token of the vocabulary holds; they are read as `<unk>`."""
        characters = dict.fromkeys(self.inner.normalizer.normalize_str(text))
        return tuple(c for c in characters if not c.isspace() and self.inner.token_to_id(c) is None)

    @staticmethod
    def _readable(token: str) -> str:
        if token in SPECIALS:
            return token
        if token.startswith(SPACE):
            return token[1:] or "␣"
        return f"·{token}" if token[0].isalnum() else token


def load_tokenizer(entry: Entry) -> Tokenizer:
    """The tokenizer of a checkpoint folder; raises `Refused` when its files are missing or damaged."""
    try:
        inner = tokenizers.Tokenizer.from_file(str(entry.folder / "tokenizer.json"))
        seen = (entry.folder / "words.txt").read_text(encoding="utf-8").split()
        if [inner.token_to_id(token) for token in SPECIALS] != list(range(len(SPECIALS))) or inner.normalizer is None:
            raise ValueError("not one of ours")
    except Exception:  # the library raises bare Exception for every kind of damage
        raise Refused("checkpoint_tokenizer", name=entry.name) from None
    return Tokenizer(inner, seen)


def words_of(texts: Iterable[str]) -> set[str]:
    """The distinct words of texts, as `Tokenizer.unseen_words` cuts them."""
    return {match[0] for text in texts for match in _WORD.finditer(text)}
