"""A tokenizer.json, or a tokenizer of the same library that was built from other files."""

from __future__ import annotations

import json
from typing import Any

import tokenizers
from tokenizers import normalizers, pre_tokenizers

from model.errors import InvalidInput
from model.pretrained.converted import Fields
from model.pretrained.folder import Folder
from model.pretrained.tokenizers import byte_pairs, languages, word_pieces
from model.pretrained.tokenizers.cut import MASKS, Cut, Pair
from model.pretrained.tokenizers.said import Said

FILE = "tokenizer.json"


def read(folder: Folder, said: Said, fields: Fields, kind: str | None) -> Cut:
    """tokenizer.json, with what tokenizer_config.json says otherwise, as in transformers."""
    try:
        inner = tokenizers.Tokenizer.from_file(str(folder.path / FILE))
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise InvalidInput("import_json", file=FILE, problem=error) from None
    if kind in word_pieces.KINDS and isinstance(inner.normalizer, normalizers.BertNormalizer):
        inner.normalizer = word_pieces.normalizer(said)
    if kind in byte_pairs.KINDS and isinstance(inner.pre_tokenizer, pre_tokenizers.ByteLevel):
        inner.pre_tokenizer.add_prefix_space = byte_pairs.spaced(said)
    return cut(inner, said, fields, said.kind)


def cut(inner: tokenizers.Tokenizer, said: Said, fields: Fields, kind: str | None) -> Cut:
    """Its template shows what stands around a sentence; pieces that other files add join its own."""
    inner.no_padding()
    inner.no_truncation()
    with_template = inner.encode("a").ids
    plain = inner.encode("a", add_special_tokens=False).ids
    at = next((i for i in range(len(with_template)) if with_template[i : i + len(plain)] == plain), None)
    if at is None:
        raise InvalidInput("import_template", file=FILE)
    before, after = tuple(with_template[:at]), tuple(with_template[at + len(plain) :])
    pair = _pair(inner)
    vocabulary = {id_: piece for piece, id_ in inner.get_vocab().items()}
    names = said.add(vocabulary, inner, fields.count("vocab_size"))
    ids = {piece: id_ for id_, piece in names.items()}
    if kind in languages.TOLD:
        around = languages.around(kind, said, ids)
        if all(piece in ids for pieces in around for piece in pieces):
            before, after = (tuple(ids[piece] for piece in pieces) for pieces in around)
    described: dict[str, Any] = json.loads(inner.to_str())
    special = {ids[token["content"]]: token["content"] for token in described["added_tokens"] if token["special"]}
    special |= {ids[piece.text]: piece.text for piece in said.added() if piece.token.special and piece.text in ids}
    model = described["model"]
    unknown = (
        model.get("unk_id") if model["type"] == "Unigram" else inner.token_to_id(model.get("unk_token") or "<unk>")
    )
    mask = next((id_ for id_, text in special.items() if text in MASKS), None)
    for token in described["added_tokens"]:
        token["special"] &= token["content"] not in MASKS  # a mask is typed; other specials are text when typed
    inner = tokenizers.Tokenizer.from_str(json.dumps(described))
    told = tuple(id_ for id_, piece in sorted(names.items()) if id_ in special and languages.CODE.fullmatch(piece))
    return Cut(inner, None, names, before, after, frozenset(special), unknown, mask, told, pair)


def _pair(inner: tokenizers.Tokenizer) -> Pair | None:
    """What a tokenizer puts around and between two texts; None where it does not part them by a token of its own."""
    encoding = inner.encode("a", "b")
    places = [[at for at, number in enumerate(encoding.sequence_ids) if number == text] for text in (0, 1)]
    if not all(places):
        return None
    ids, ((start, *_), (second, *_)), (end, last) = encoding.ids, places, (each[-1] + 1 for each in places)
    between = tuple(ids[end:second])
    segments = encoding.type_ids[start] != encoding.type_ids[second]
    return Pair(tuple(ids[:start]), between, tuple(ids[last:]), segments) if between else None
