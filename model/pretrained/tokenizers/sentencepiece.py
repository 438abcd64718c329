"""Reads a sentencepiece model, unigram or BPE, and builds the same tokenizer with the `tokenizers` library.

The file is a protobuf message, `ModelProto` of sentencepiece_model.proto; only the fields named here are read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers

from model.errors import InvalidInput
from model.tokenization.imported_tokenizer import FIRST_SPACE, MORE_SPACES, OUTER_SPACES, TYPED_BYTE, literal
from model.tokenization.tokenizer import SPACE

_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3  # fields of ModelProto
_MODEL_TYPE, _SUFFIX = 3, 24  # of its trainer: the kind of model, and whether a space goes with the word before
_CHARSMAP, _PREFIX, _REMOVES, _ESCAPES = 2, 3, 4, 5  # of its normalizer
NORMAL, UNKNOWN, CONTROL, OF_USER, UNUSED, BYTE = range(1, 7)  # kinds of piece
_UNIGRAM, _BPE = 1, 2
_UNMATCHED = "<unk> "  # no text has it: a space is written as ▁ there


class Piece(NamedTuple):
    text: str
    score: float
    kind: int


@dataclass(frozen=True)
class Model:
    """A .spm or .model file: its pieces by number, and the fields of trainer and normalizer."""

    file: str
    pieces: tuple[Piece, ...]
    trainer: dict[int, int | bytes]
    normalizer: dict[int, int | bytes]

    @property
    def names(self) -> list[str]:
        return [piece.text for piece in self.pieces]

    @property
    def unknown(self) -> str:
        """The piece that stands for what no piece has."""
        return next((piece.text for piece in self.pieces if piece.kind == UNKNOWN), "<unk>")

    def control(self) -> set[str]:
        """The pieces that match no text."""
        return {piece.text for piece in self.pieces if piece.kind in (CONTROL, UNKNOWN)}

    def tokenizer(
        self,
        steps: Sequence[normalizers.Normalizer] = (),
        *,
        prefix: str = "always",
        special: Set[str] = frozenset(),
    ) -> tokenizers.Tokenizer:
        """The tokenizer, which tells pieces by name and not by number.

        steps    what is done to a text before the file's own normalizer
        prefix   where a space is put before a text, if the file asks for one: "always" behind an added piece too,
                 "first" only at the start, "never"
        special  pieces of the user that are special, so no text
        """
        of_user = [piece.text for piece in self.pieces if piece.kind == OF_USER and piece.text not in special]
        known = [piece for piece in self.pieces if piece.kind == NORMAL]
        inner = tokenizers.Tokenizer(
            _by_merging(known, self._bytes(), of_user)
            if self.trainer.get(_MODEL_TYPE, _UNIGRAM) == _BPE
            else _by_cost(known, self._bytes(), of_user)
        )
        prefix = prefix if self.normalizer.get(_PREFIX, 1) else "never"
        inner.normalizer = normalizers.Sequence([*steps, *self._steps(prefix)])
        # pieces of the user are found whole, and no other piece goes across them
        alone = [literal(piece) for piece in sorted(of_user, key=len, reverse=True)]
        alone += [TYPED_BYTE] if self._bytes() else []
        metaspace = pre_tokenizers.Metaspace(SPACE, prepend_scheme=prefix, split=False)
        cuts = [pre_tokenizers.Split(Regex("|".join(alone)), "isolated")] if alone else []
        inner.pre_tokenizer = pre_tokenizers.Sequence([metaspace, *cuts]) if cuts else metaspace
        inner.decoder = _of_bytes(prefix) if self._bytes() else decoders.Metaspace(SPACE, prefix, split=False)
        return inner

    def _bytes(self) -> list[str]:
        return [piece.text for piece in self.pieces if piece.kind == BYTE]

    def _steps(self, prefix: str) -> list[normalizers.Normalizer]:
        steps: list[normalizers.Normalizer] = []
        charsmap = self.normalizer.get(_CHARSMAP, b"")
        if isinstance(charsmap, bytes) and charsmap:
            steps.append(normalizers.Precompiled(charsmap))
        if self.normalizer.get(_REMOVES, 1):  # only spaces: a new line is a character
            steps += [
                normalizers.Replace(Regex(OUTER_SPACES), ""),
                normalizers.Replace(Regex(MORE_SPACES), " "),
            ]
        steps.append(normalizers.Replace(" ", SPACE))
        if prefix == "always":  # also before a space of the text itself, where the library puts none
            steps.append(normalizers.Replace(Regex(FIRST_SPACE), 2 * SPACE))
        return steps


def read(file: Path) -> Model:
    """A .spm or .model file. Raises `InvalidInput` if it is damaged, or of a kind that is not built here."""
    try:
        fields = list(_fields(file.read_bytes()))
        pieces = tuple(_piece(value) for number, value in fields if number == _PIECES)
        trainer, normalizer = (dict(_fields(_message(fields, number))) for number in (_TRAINER, _NORMALIZER))
    except (ValueError, IndexError, struct.error):
        raise InvalidInput("import_sentencepiece", file=file.name, problem="it is damaged") from None
    if trainer.get(_MODEL_TYPE, _UNIGRAM) not in (_UNIGRAM, _BPE):
        raise InvalidInput("import_sentencepiece", file=file.name, problem="it is neither of the unigram nor BPE kind")
    if trainer.get(_SUFFIX, 0) or not normalizer.get(_ESCAPES, 1):
        raise InvalidInput("import_sentencepiece", file=file.name, problem="it writes spaces behind words, or not as ▁")
    return Model(file.name, pieces, trainer, normalizer)


def _by_cost(pieces: list[Piece], in_bytes: list[str], of_user: list[str]) -> models.Model:
    """The unigram kind. Control pieces and unused ones match no text, so they are left out.

    A byte has the lowest score of all, which leaves the score of what is unknown as it is.
    """
    lowest = min((piece.score for piece in pieces), default=0.0)
    scored = [(piece.text, piece.score) for piece in pieces]
    scored += [(piece, 0.0) for piece in of_user] + [(piece, lowest) for piece in in_bytes]
    return models.Unigram([(_UNMATCHED, 0.0), *scored], 0, byte_fallback=bool(in_bytes))


def _by_merging(pieces: list[Piece], in_bytes: list[str], of_user: list[str]) -> models.Model:
    """The BPE kind: two neighbours become one where that is a piece, the one with the highest score first."""
    names = dict.fromkeys(piece.text for piece in pieces)
    numbers = {piece: number for number, piece in enumerate([_UNMATCHED, *names, *of_user, *in_bytes])}
    merges = [
        (piece.text[:at], piece.text[at:])
        for piece in sorted(pieces, key=lambda each: -each.score)
        for at in range(1, len(piece.text))
        if piece.text[:at] in names and piece.text[at:] in names
    ]
    return models.BPE(
        numbers,
        merges,
        unk_token=_UNMATCHED,
        fuse_unk=True,
        byte_fallback=bool(in_bytes),
        ignore_merges=bool(of_user),  # a piece of the user is whole without them
    )


def _of_bytes(prefix: str) -> decoders.Decoder:
    """Bytes become characters again; the space that was put before the text is taken away."""
    steps = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence(steps if prefix == "never" else [*steps, decoders.Strip(" ", 1, 0)])


def _piece(message: int | bytes) -> Piece:
    if isinstance(message, int):
        raise ValueError("a piece is a message")
    fields = dict(_fields(message))
    text, score, kind = fields.get(1, b""), fields.get(2, bytes(4)), fields.get(3, NORMAL)
    if not (isinstance(text, bytes) and isinstance(score, bytes) and isinstance(kind, int)):
        raise ValueError("a piece has a text, a score and a kind")
    return Piece(text.decode("utf-8"), struct.unpack("<f", score)[0], kind)


def _message(fields: list[tuple[int, int | bytes]], number: int) -> bytes:
    value = dict(fields).get(number, b"")
    if isinstance(value, int):
        raise ValueError("a message was expected")
    return value


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and value of each field: an int, or bytes for a message, a text or a float."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, place = _varint(data, place)
            yield number, value
            continue
        size, place = _varint(data, place) if wire == 2 else ({1: 8, 5: 4}.get(wire, len(data) + 1), place)
        if place + size > len(data):
            raise ValueError("the file ends within a field")
        yield number, data[place : place + size]
        place += size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80 or shift > 63:
            return value, place
