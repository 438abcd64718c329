"""What the JSON files beside a tokenizer say of it: its class, its special pieces, the pieces that were added to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tokenizers
from tokenizers import AddedToken

from model.errors import InvalidInput
from model.pretrained.folder import CONFIG, Folder
from model.pretrained.tokenizers.cut import MASKS

CONFIG_OF_TOKENIZER, ADDED, MAP = "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"
_DECODER = "added_tokens_decoder"
_NAMED = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")


@dataclass(frozen=True)
class Piece:
    """A piece beside those of the vocabulary's file. `id` is None where no file gives it one."""

    id: int | None
    token: AddedToken

    @property
    def text(self) -> str:
        return str(self.token.content)


class Said:
    """The fields of tokenizer_config.json, and of the older files beside it.

    As in transformers, `added_tokens_decoder` there takes the place of special_tokens_map.json and added_tokens.json.
    """

    def __init__(self, folder: Folder):
        config = folder.json(CONFIG_OF_TOKENIZER)
        older = _DECODER not in config
        self._fields: dict[str, Any] = config | (folder.json(MAP) if older else {})
        self._file = ADDED if older else CONFIG_OF_TOKENIZER
        self._numbered = folder.json(ADDED) if older else config[_DECODER]
        auto = config.get("auto_map") or {}
        self.has_code = bool(auto.get("AutoTokenizer") if isinstance(auto, dict) else auto)
        kind = config.get("tokenizer_class") or folder.json(CONFIG).get("tokenizer_class")
        self.kind = str(kind).removesuffix("Fast") if kind else None

    def get(self, name: str, default: Any = None) -> Any:
        """A field; one that is null counts as missing."""
        value = self._fields.get(name)
        return default if value is None else value

    def count(self, name: str, default: int) -> int:
        """A field that is a whole number."""
        value = self.get(name, default)
        if not isinstance(value, int) or value < 0:
            raise InvalidInput("import_json", file=CONFIG_OF_TOKENIZER, problem=f"{name} is no whole number")
        return value

    def piece(self, name: str, default: str) -> str:
        """The text of a special piece."""
        return _text(self.get(name)) or default

    def mask(self, default: str, *, lstrip: bool) -> AddedToken:
        """The piece for a hidden word. `lstrip` says whether it takes the space before it, unless a file does."""
        said = self.get("mask_token")
        lstrip = bool(said.get("lstrip", lstrip)) if isinstance(said, dict) else lstrip
        return AddedToken(self.piece("mask_token", default), lstrip=lstrip, normalized=False)

    @property
    def specials(self) -> list[str]:
        """The texts of all special pieces that the files name."""
        listed = [value for name in ("additional_special_tokens", "extra_special_tokens") for value in self._list(name)]
        return [text for value in (*map(self.get, _NAMED), *listed) if (text := _text(value))]

    def _list(self, name: str) -> list[Any]:
        value = self.get(name)
        return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []

    def added(self) -> Iterator[Piece]:
        """The pieces that the files add, in the order of their ids, then the special ones without an id."""
        specials = self.specials
        try:
            if self._file == ADDED:
                numbered = [
                    Piece(int(id_), AddedToken(text, special=text in specials, normalized=text not in specials))
                    for text, id_ in self._numbered.items()
                ]
            else:
                numbered = [
                    Piece(int(id_), AddedToken(said["content"], **{flag: bool(said.get(flag)) for flag in _FLAGS}))
                    for id_, said in self._numbered.items()
                ]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput("import_json", file=self._file, problem=error) from None
        if any(piece.id is not None and piece.id < 0 for piece in numbered):
            raise InvalidInput("import_json", file=self._file, problem="an id is below 0")
        yield from sorted(numbered, key=lambda piece: piece.id or 0)
        known = {piece.text for piece in numbered}
        yield from (Piece(None, AddedToken(text, special=True)) for text in specials if text not in known)

    def add(
        self, names: dict[int, str], inner: tokenizers.Tokenizer, size: int, *, raw: bool = False
    ) -> dict[int, str]:
        """All pieces by their ids, those of the vocabulary and the added ones, which the tokenizer then finds in texts.

        A special piece without an id gets the next one, if the model has a row for it. `raw` says that pieces are found
        before a text is normalized, whatever the files say. Raises `InvalidInput` where two files disagree on an id.
        """
        names, ids = dict(names), {piece: id_ for id_, piece in names.items()}
        for piece in self.added():
            id_ = piece.id
            if id_ is None:
                id_ = ids.get(piece.text, max(names, default=-1) + 1)
                if id_ >= size:
                    continue
            if ids.get(piece.text, id_) != id_ or names.get(id_, piece.text) != piece.text:
                other = names.get(id_, piece.text)
                raise InvalidInput(
                    "import_added", file=self._file, piece=piece.text, id=id_, other=other, found=ids[other]
                )
            names[id_], ids[piece.text] = piece.text, id_
            if not piece.token.special and piece.text not in MASKS:
                flags = {flag: getattr(piece.token, flag) for flag in _FLAGS}
                inner.add_tokens([AddedToken(piece.text, **flags | ({"normalized": False} if raw else {}))])
        return names


def _text(piece: Any) -> str | None:
    """A piece is written as a text, or as an object with its `content`."""
    piece = piece.get("content") if isinstance(piece, dict) else piece
    return piece if isinstance(piece, str) else None
