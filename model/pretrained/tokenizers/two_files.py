"""Tokenizers of a sentencepiece model for each side, or for both, and a list that gives its pieces their ids."""

from __future__ import annotations

from model.errors import InvalidInput
from model.pretrained.converted import Fields
from model.pretrained.folder import Folder
from model.pretrained.tokenizers import languages, sentencepiece
from model.pretrained.tokenizers.cut import Cut
from model.pretrained.tokenizers.said import CONFIG_OF_TOKENIZER, MAP

MARIAN = ("source.spm", "target.spm", "vocab.json")
TWO_LISTS = (*MARIAN, "target_vocab.json")  # Marian's, for two vocabularies
M2M100 = ("vocab.json", "sentencepiece.bpe.model")


def marian(folder: Folder, fields: Fields) -> Cut:
    """Two sentencepiece models, and a list that gives the pieces of both their ids, or one for each."""
    vocabulary = _numbered(folder, "vocab.json")
    if folder.has(*TWO_LISTS):
        others = [piece for piece in _numbered(folder, TWO_LISTS[-1]) if piece not in vocabulary]
        vocabulary |= {piece: len(vocabulary) + number for number, piece in enumerate(others)}
    end = fields.id("eos_token_id", vocabulary.get("</s>", 0)) or 0
    inner, target = (sentencepiece.read(folder.path / f"{side}.spm").tokenizer() for side in ("source", "target"))
    names = {id_: piece for piece, id_ in vocabulary.items()}
    told = (id_ for piece, id_ in vocabulary.items() if piece.startswith(">>") and piece.endswith("<<"))
    return Cut(inner, target, names, (), (end,), frozenset(told), vocabulary.get("<unk>"), None)


def m2m100(folder: Folder, fields: Fields) -> Cut:
    """One sentencepiece model, a list that gives its pieces their ids, and after them the languages."""
    vocabulary = _numbered(folder, "vocab.json")
    inner = sentencepiece.read(folder.path / M2M100[1]).tokenizer()
    said = folder.json(CONFIG_OF_TOKENIZER)
    added = said.get("added_tokens_decoder") or {}
    listed = folder.json(MAP).get("additional_special_tokens") or []
    codes = {str(token.get("content")): int(id_) for id_, token in added.items()}
    known = languages.WMT21 if said.get("language_codes") == "wmt21" else languages.M2M100
    listed = listed or [f"__{code}__" for code in known.split()]
    codes |= {str(code): len(vocabulary) + number for number, code in enumerate(listed) if str(code) not in codes}
    told = {code: id_ for code, id_ in codes.items() if languages.CODE.fullmatch(code)}
    names = {id_: piece for piece, id_ in (vocabulary | told).items()}
    end = fields.id("eos_token_id", vocabulary.get("</s>", 2)) or 2
    read = told.get(f"__{said.get('src_lang') or 'en'}__", next(iter(told.values()), None))
    before = () if read is None else (read,)
    ids = tuple(told.values())
    return Cut(inner, None, names, before, (end,), frozenset(ids), vocabulary.get("<unk>"), None, ids)


def _numbered(folder: Folder, file: str) -> dict[str, int]:
    """A list that gives each piece its id."""
    vocabulary = folder.json(file)
    if not all(isinstance(id_, int) for id_ in vocabulary.values()):
        raise InvalidInput("import_json", file=file, problem="it has to give each piece a number")
    return vocabulary
