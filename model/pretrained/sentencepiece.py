"""Reads a sentencepiece model, unigram or BPE, and builds the same tokenizer with the `tokenizers` library.

The file is a protobuf message, `ModelProto` of sentencepiece_model.proto; only the fields named here are read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers

from model.errors import InvalidInput
from model.tokenization.tokenizer import SPACE

_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3  # fields of ModelProto
_NORMAL, _UNKNOWN, _CONTROL, _UNUSED = 1, 2, 3, 5  # kinds of piece
_UNIGRAM, _BPE = 1, 2
_UNMATCHED = "<unk> "  # no text has it: a space is written as ▁ there


def tokenizer(file: Path) -> tokenizers.Tokenizer:
    """The tokenizer of a .spm or .model file. Raises `InvalidInput` if it is damaged, or of another kind."""
    pieces, trainer, normalizer = _read(file)
    kind = trainer.get(3, _UNIGRAM)
    if kind not in (_UNIGRAM, _BPE):
        raise InvalidInput("import_sentencepiece", file=file.name, problem="it is neither of the unigram nor BPE kind")
    if any(kind not in (_NORMAL, _UNKNOWN, _CONTROL, _UNUSED) for _, _, kind in pieces):
        raise InvalidInput("import_sentencepiece", file=file.name, problem="it has pieces of bytes, or of its user")
    known = [(piece, score) for piece, score, kind in pieces if kind == _NORMAL]
    return _built(_by_merging(known) if kind == _BPE else _by_cost(known), normalizer)


def pieces(file: Path) -> list[str]:
    """The pieces of a .spm or .model file by number."""
    return [piece for piece, _, _ in _read(file)[0]]


def _read(file: Path) -> tuple[list[tuple[str, float, int]], dict[int, int | bytes], dict[int, int | bytes]]:
    """The pieces, and the fields of trainer and normalizer."""
    try:
        fields = list(_fields(file.read_bytes()))
        pieces = [_piece(value) for number, value in fields if number == _PIECES]
        return pieces, dict(_fields(_message(fields, _TRAINER))), dict(_fields(_message(fields, _NORMALIZER)))
    except (ValueError, IndexError, struct.error):
        raise InvalidInput("import_sentencepiece", file=file.name, problem="it is damaged") from None


def _by_cost(pieces: list[tuple[str, float]]) -> models.Model:
    """The unigram kind. Control pieces and unused ones match no text, so they are left out."""
    return models.Unigram([(_UNMATCHED, 0.0), *pieces], 0)


def _by_merging(pieces: list[tuple[str, float]]) -> models.Model:
    """The BPE kind: two neighbours become one where that is a piece, the one with the highest score first."""
    numbers = {piece: number for number, (piece, _) in enumerate([(_UNMATCHED, 0.0), *pieces])}
    merges = [
        (piece[:at], piece[at:])
        for piece, _ in sorted(pieces, key=lambda each: -each[1])
        for at in range(1, len(piece))
        if piece[:at] in numbers and piece[at:] in numbers
    ]
    return models.BPE(numbers, merges, unk_token=_UNMATCHED, fuse_unk=True)


def _built(model: models.Model, normalizer: dict[int, int | bytes]) -> tokenizers.Tokenizer:
    """Pieces are told by name, not by number."""
    inner = tokenizers.Tokenizer(model)
    steps: list[normalizers.Normalizer] = []
    charsmap = normalizer.get(2, b"")
    if isinstance(charsmap, bytes) and charsmap:
        steps.append(normalizers.Precompiled(charsmap))
    if normalizer.get(4, 1):  # remove_extra_whitespaces
        steps += [normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), " ")]
    inner.normalizer = normalizers.Sequence(steps)
    prefix = "always" if normalizer.get(3, 1) else "never"  # add_dummy_prefix
    inner.pre_tokenizer = pre_tokenizers.Metaspace(SPACE, prepend_scheme=prefix, split=False)
    inner.decoder = decoders.Metaspace(SPACE, prepend_scheme=prefix, split=False)
    return inner


def _piece(message: int | bytes) -> tuple[str, float, int]:
    """Text, score and kind."""
    if isinstance(message, int):
        raise ValueError("a piece is a message")
    fields = dict(_fields(message))
    text, score, kind = fields.get(1, b""), fields.get(2, bytes(4)), fields.get(3, _NORMAL)
    assert isinstance(text, bytes)
    assert isinstance(score, bytes)
    return text.decode("utf-8"), struct.unpack("<f", score)[0], int(kind)  # type: ignore[arg-type]


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
