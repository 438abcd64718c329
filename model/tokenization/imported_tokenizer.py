"""The tokenizer of an imported model: the original's own files, and which piece has which id here.

`vocabulary.json` of the checkpoint lists the pieces by id, `<pad>`, `<bos>`, `<eos>`, `<unk>` first as everywhere here;
`specials` are the names that the original gives these four, by which a user sees them.
`tokenizer.json` cuts a text into pieces as the original does; a model with another cut for its targets (Marian) also
has `target_tokenizer.json`.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import tokenizers

from model.errors import InvalidInput, is_panic
from model.tokenization.tokenizer import CHARACTER_LIMIT, SPACE, SPECIALS, UNK, Tokenizer, marked
from viz.whole_words import BYTE_SPACE, BYTES, ENDS, GOES_ON, NO_MARK

FILE, TARGET_FILE = "vocabulary.json", "target_tokenizer.json"
# how sentencepiece's treatment of spaces is spelled; the library for JavaScript knows no \A and \z
_START, _END = r"(?<![\s\S])", r"(?![\s\S])"
OUTER_SPACES, MORE_SPACES, FIRST_SPACE = f"{_START} +|(?<! ) +{_END}", " {2,}", _START + SPACE
OUTER_SPACES_BEFORE = f"{_START} +| +{_END}"  # what earlier imports wrote: the same, in quadratic time
SENTENCEPIECE = (OUTER_SPACES, MORE_SPACES, FIRST_SPACE)
TYPED_BYTE = r"<(?=0x[0-9A-F]{2}>)"  # cut off, so that <0x41> in a text is no byte
_GROWTH = 8  # how many times as long a text may become before it is cut, which can take its length times a piece's
LANGUAGE = re.compile(r"^>>[^<>]+<<")  # which language a multilingual Marian model should write


@dataclass(frozen=True)
class Pair:
    """How two texts are read as one: the ids around and between them, and what a user types between the two."""

    separator: str
    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Pair:
        """From the fields of vocabulary.json; raises KeyError, TypeError or ValueError where they do not fit."""
        pair = cls(fields["separator"], *(tuple(fields[part]) for part in ("before", "between", "after")))
        if not isinstance(pair.separator, str) or not pair.separator.strip() or not pair.between:
            raise ValueError("nothing stands between two texts")
        return pair

    @property
    def ids(self) -> tuple[int, ...]:
        return (*self.before, *self.between, *self.after)


class ImportedTokenizer(Tokenizer):
    """Text to ids and back with the pieces of another tokenizer. Which words its training showed is not known."""

    knows_training = False
    whole = False
    spells = False

    def __init__(self, inner: tokenizers.Tokenizer, fields: dict[str, Any], target: tokenizers.Tokenizer | None = None):
        """`fields` are those of vocabulary.json; raises KeyError, TypeError or ValueError where they do not fit."""
        super().__init__(inner, ())
        self.target = target or inner
        self.target.encode_special_tokens = True
        self._pieces: list[str] = fields["pieces"]
        self.specials = tuple(fields.get("specials", SPECIALS))  # earlier imports do not say
        self._hidden = frozenset(fields["hidden"])  # ids beside the specials that are not part of a text
        self.before, self.after = tuple(fields["before"]), tuple(fields["after"])
        self.pair = Pair.of(fields["pair"]) if fields.get("pair") else None
        self._by_piece = {piece: id_ for id_, piece in enumerate(self._pieces)}
        self.mask_id = fields["mask"]
        self._languages: tuple[int, ...] = tuple(fields.get("languages", ()))  # ids that name a language
        named = len(self.specials) == len(SPECIALS)
        if not named or tuple(self._pieces[: len(SPECIALS)]) != SPECIALS or len(self._by_piece) != len(self._pieces):
            raise ValueError("the pieces do not begin with the specials, or one is there twice")
        ids = (
            *self._hidden,
            *self.before,
            *self.after,
            *self._languages,
            *(self.pair.ids if self.pair else ()),
            *([] if self.mask_id is None else [self.mask_id]),
        )
        if not all(isinstance(id_, int) and 0 <= id_ < len(self._pieces) for id_ in ids):
            raise ValueError("an id is outside of the vocabulary")
        self.mask = None if self.mask_id is None else self._pieces[self.mask_id]

    @classmethod
    def load(cls, folder: Path) -> ImportedTokenizer:
        target = folder / TARGET_FILE
        return cls(
            _read(folder / "tokenizer.json"),
            json.loads((folder / FILE).read_text(encoding="utf-8")),
            _read(target) if target.is_file() else None,
        )

    def save(self, folder: Path) -> None:
        super().save(folder)
        fields: dict[str, Any] = {"pieces": self._pieces, "specials": self.specials, "hidden": sorted(self._hidden)}
        fields["mask"] = self.mask_id
        fields |= {"before": self.before, "after": self.after, "languages": self._languages}
        fields["pair"] = None if self.pair is None else asdict(self.pair)
        (folder / FILE).write_text(json.dumps(fields, ensure_ascii=False), encoding="utf-8")
        if self.target is not self.inner:
            self.target.save(str(folder / TARGET_FILE), pretty=False)

    @property
    def languages(self) -> dict[str, int]:
        """The ids of the languages that the model is told to read and to write, by their names; few models have any."""
        return {self._pieces[id_].strip("_"): id_ for id_ in self._languages}

    @property
    def reads(self) -> str:
        """The language that a sentence is said to be in; empty where the model is told none."""
        around = (*self.before, *self.after)
        return next((name for name, id_ in self.languages.items() if id_ in around), "")

    def reading(self, language: str) -> ImportedTokenizer:
        """The same tokenizer for sentences of another language of the model."""
        other, new = copy.copy(self), self.languages[language]
        other.before, other.after = (
            tuple(new if id_ in self._languages else id_ for id_ in ids) for ids in (self.before, self.after)
        )
        return other

    @property
    def size(self) -> int:
        return len(self._pieces)

    @property
    def vocabulary(self) -> dict[str, int]:
        return self._by_piece

    @property
    def separator(self) -> str:
        return self.pair.separator if self.pair else ""

    def second_text(self, ids: Sequence[int]) -> int | None:
        between = self.pair.between if self.pair else ()
        ends = (
            at + len(between) for at in range(len(ids)) if between and tuple(ids[at : at + len(between)]) == between
        )
        start = next(ends, len(ids))
        return start if start < len(ids) else None

    def encode(self, text: str) -> list[int]:
        texts = self.texts(text)
        if len(texts) == 1 or self.pair is None:
            return super().encode(text)
        first, second = map(self.pieces, texts)
        return [*self.pair.before, *first, *self.pair.between, *second, *self.pair.after]

    def pieces(self, text: str) -> list[int]:
        language = LANGUAGE.match(text)
        if language and language[0] in self._by_piece:
            return [self._by_piece[language[0]], *self._cut(self.inner, text[language.end() :])]
        return self._cut(self.inner, text)

    def target_pieces(self, text: str) -> list[int]:
        return self._cut(self.target, text)

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        return [self.encode(text) for text in texts]

    def decode(self, ids: Iterable[int]) -> str:
        pieces = [self._pieces[id_] for id_ in ids if self.is_text(id_)]
        decoder = self.target.decoder
        text = "".join(pieces) if decoder is None else decoder.decode(pieces)
        return text.replace(SPACE, " ").strip()

    def unseen_words(self, text: str) -> dict[str, tuple[str, ...]]:
        return {}

    def words_in(self, text: str) -> dict[str, bool]:
        """The words of a text; none counts as unseen."""
        return {word: True for _, word in self._words_with_places(text)}

    def unknown_characters(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for part in self.texts(text) for each in self._unknown(part)))

    def _unknown(self, text: str) -> tuple[str, ...]:
        encoding = _encoding(self.inner, text)
        pairs = zip(self._names(self.inner, encoding), encoding.offsets, strict=True)
        spans = (span for piece, span in pairs if self._id(piece) == UNK)
        characters = dict.fromkeys(character for start, end in spans for character in text[start:end])
        return tuple(character for character in characters if not character.isspace())

    def _cut(self, inner: tokenizers.Tokenizer, text: str) -> list[int]:
        return [self._id(piece) for piece in self._names(inner, _encoding(inner, text))]

    def _names(self, inner: tokenizers.Tokenizer, encoding: tokenizers.Encoding) -> list[str | None]:
        """Pieces by name. Marian finds one of the other language, as the text has it, where its own cut knows none.

        In others they are told by number: one that takes the spaces beside it (a mask) is there with them.
        """
        return [*encoding.tokens] if self.target is not self.inner else [*map(inner.id_to_token, encoding.ids)]

    def _id(self, piece: str | None) -> int:
        """The id of a piece; one that is written like a special is text, and unknown."""
        id_ = self._by_piece.get(piece or "", UNK)
        return id_ if id_ >= len(SPECIALS) else UNK

    @cached_property
    def _by_bytes(self) -> bool:
        """Whether pieces are written in the alphabet of GPT-2, a character for each byte."""
        return "ByteLevel" in json.dumps(json.loads(self.inner.to_str())["decoder"])

    @cached_property
    def _continues(self) -> str:
        """Prefix of a piece that goes on a word, where the others have no mark (WordPiece)."""
        return json.loads(self.inner.to_str())["model"].get("continuing_subword_prefix") or ""

    @cached_property
    def mark(self) -> str:
        described = json.loads(self.inner.to_str())["model"]
        if self._continues or described.get("end_of_word_suffix"):
            return GOES_ON if self._continues else ENDS
        if self._by_bytes:
            return BYTE_SPACE
        return SPACE if any(piece.startswith(SPACE) for piece in self._pieces) else NO_MARK

    def _readable(self, token: str) -> str:
        if token in SPECIALS:
            return super()._readable(token)
        if self._by_piece.get(token) in self._hidden:
            return token
        if self._continues:
            return f"·{token.removeprefix(self._continues)}" if token.startswith(self._continues) else token
        text = _text_of_bytes(token) if self._by_bytes else token.replace(SPACE, " ")
        if text is None:
            return token
        if text.startswith(" ") or not text.strip():
            return _visible(text.removeprefix(" ") or " ")
        return _visible(marked(text))

    def piece(self, id_: int) -> str:
        return self._pieces[id_]

    def is_text(self, id_: int) -> bool:
        return id_ >= len(SPECIALS) and id_ not in self._hidden


def _read(file: Path) -> tokenizers.Tokenizer:
    described = json.dumps(json.loads(file.read_text(encoding="utf-8")))  # so that a pattern has one spelling
    now = described.replace(json.dumps(OUTER_SPACES_BEFORE), json.dumps(OUTER_SPACES))
    return tokenizers.Tokenizer.from_str(now)


def _encoding(inner: tokenizers.Tokenizer, text: str) -> tokenizers.Encoding:
    """A text cut into pieces. Raises `InvalidInput` where the library fails at it or would take long."""
    try:
        spelled = inner.normalizer.normalize_str(text) if inner.normalizer else text
        if len(spelled) > _GROWTH * max(len(text), CHARACTER_LIMIT):
            raise InvalidInput("sentence_tokenizer")
        return inner.encode(text, add_special_tokens=False)
    except BaseException as error:
        if is_panic(error):
            raise InvalidInput("sentence_tokenizer") from None
        raise


def literal(text: str) -> str:
    """A pattern of the text itself, in the syntax that Python, the library and JavaScript share."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)


def _visible(text: str) -> str:
    return text.replace("\n", "⏎").replace("\t", "⇥").replace(" ", "␣")


def _text_of_bytes(piece: str) -> str | None:
    """The text of a byte-level piece; in hexadecimal, behind its space, where it is a part of a character."""
    if any(character not in BYTES for character in piece):
        return None
    data = bytes(BYTES[character] for character in piece)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return " " * data.startswith(b" ") + " ".join(f"{byte:02X}" for byte in data.removeprefix(b" "))
