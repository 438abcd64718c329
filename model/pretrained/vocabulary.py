"""The tokenizer of an imported model, and the order in which its ids stand here.

`<pad>`, `<bos>`, `<eos>` and `<unk>` come first, as everywhere here; the other pieces keep their order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import tokenizers
import torch
from tokenizers import models, normalizers, pre_tokenizers
from torch import Tensor

from model.errors import InvalidInput
from model.pretrained import sentencepiece
from model.pretrained.converted import Converted, Fields
from model.pretrained.folder import Folder
from model.tokenization.imported_tokenizer import ImportedTokenizer
from model.tokenization.tokenizer import BOS, EOS, PAD, SPECIALS, UNK

NEVER = -1e4  # bias of an id that is never written: its probability is 0, and half precision can hold the number
_MASKS = ("[MASK]", "<mask>")
_M2M100 = "sentencepiece.bpe.model"
# in the order of their ids, which stand in no file: the languages of M2M100 and of its successor of 2021
_CODES = {
    "m2m100": (
        "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi hr "
        "ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns oc or pa "
        "pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh zu "
    ),
    "wmt21": "en ha is ja cs ru zh de",
}
_TWO_LISTS = ("source.spm", "target.spm", "vocab.json", "target_vocab.json")  # Marian's, for two vocabularies
_LANGUAGE = re.compile(r"__[a-z]{2,3}__|[a-z]{2,3}_[A-Z]{2}|[a-z]{3}_[A-Z][a-z]{3}")  # M2M100's, mBART's, NLLB's
_SENTENCEPIECE = ("spiece.model", "sentencepiece.bpe.model", "tokenizer.model")


class _Pair(NamedTuple):
    """Original ids around and between two texts that are read as one; whether the second has a segment of its own."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    segments: bool


@dataclass(frozen=True)
class _Cut:
    """How texts are cut: the tokenizer, another one for targets, and each piece by its original id."""

    inner: tokenizers.Tokenizer
    target: tokenizers.Tokenizer | None
    names: dict[int, str]
    before: tuple[int, ...]  # original ids around a sentence
    after: tuple[int, ...]
    special: frozenset[int]  # original ids that are no text
    unknown: int | None
    mask: int | None
    languages: tuple[int, ...] = ()  # original ids that name a language, of a model that is told which to write
    pair: _Pair | None = None


def convert(folder: Folder, fields: Fields, converted: Converted) -> tuple[Converted, ImportedTokenizer]:
    """The same model with its ids in our order, and the tokenizer that gives them."""
    cut = _cut(folder, fields)
    if folder.has(*_TWO_LISTS):
        converted = _united(folder, converted, cut)
    config = converted.checked
    size = config.source_vocabulary or config.target_vocabulary
    highest = max((*cut.names, *cut.before, *cut.after), default=0)
    if highest >= size:
        raise InvalidInput("import_vocabulary", found=highest + 1, needed=size)
    specials = _specials(folder, fields, converted, cut)
    others = [id_ for id_ in range(size) if id_ not in set(specials)]
    order = [*specials, *others]
    ours = {id_: number for number, id_ in enumerate(order) if id_ is not None}
    alone = config.architecture == "decoder"  # whose sentences go on: the `<eos>` is ours, and never read
    end = (EOS,) if alone else tuple(ours[id_] for id_ in cut.after)
    pair = cut.pair if config.architecture == "encoder" else None
    if pair and pair.segments and config.segments:
        converted = replace(converted, config=converted.config | {"separator": ours[pair.between[0]]})
    tokenizer = ImportedTokenizer(
        cut.inner,
        {
            "pieces": _pieces(cut, others),
            "hidden": sorted(ours[id_] for id_ in cut.special if id_ < size and ours[id_] >= len(SPECIALS)),
            "before": [ours[id_] for id_ in cut.before],
            "after": end,
            "mask": None if cut.mask is None else ours[cut.mask],
            "pair": pair
            and {"separator": cut.names[pair.between[0]]}
            | {part: [ours[id_] for id_ in getattr(pair, part)] for part in ("before", "between", "after")},
            "languages": [ours[id_] for id_ in cut.languages],
        },
        cut.target,
    )
    return _reordered(_told(folder, converted, cut), order, ours), tokenizer


def _told(folder: Folder, converted: Converted, cut: _Cut) -> Converted:
    """A model of several languages is always told which to write: the first that it does not read, unless it says.

    An mBART for one language begins with it instead.
    """
    if converted.start in cut.languages:
        return converted
    said = folder.json("tokenizer_config.json").get("tgt_lang")
    wanted = [id_ for id_ in cut.languages if cut.names[id_].strip("_") == said]
    others = [id_ for id_ in cut.languages if id_ not in (*cut.before, *cut.after)]
    first = next((id_ for id_ in (converted.first, *wanted, *others) if id_ is not None), None)
    return replace(converted, first=first) if others else converted


def _specials(folder: Folder, fields: Fields, converted: Converted, cut: _Cut) -> list[int | None]:
    """The original ids of `<pad>`, `<bos>`, `<eos>` and `<unk>`; None where the original has none of its own.

    What config and tokenizer leave open is the piece of that very name. The first token of a decoder beside an encoder
    is the one that it starts with, whatever it is called.
    """
    architecture, ids = converted.config["architecture"], {piece: id_ for id_, piece in cut.names.items()}
    end = _declared(folder, fields, ids, "eos") if architecture != "encoder" else None
    end = cut.after[0] if end is None and cut.after else end
    begin = cut.before[0] if cut.before and architecture != "encoder-decoder" else None
    pad = _declared(folder, fields, ids, "pad")
    chosen: dict[int, int | None] = {}
    for special, id_ in ((EOS, end), (BOS, begin), (UNK, cut.unknown), (PAD, pad)):  # what decoding depends on first
        chosen[special] = None if id_ in chosen.values() else id_
    for special, piece in enumerate(SPECIALS):
        theirs = special == BOS and architecture == "encoder-decoder"
        if chosen[special] is None and not theirs and ids.get(piece) not in chosen.values():
            chosen[special] = ids.get(piece)
    return [chosen[special] for special in range(len(SPECIALS))]


def _declared(folder: Folder, fields: Fields, ids: dict[str, int], name: str) -> int | None:
    """The id of a special: what config.json says, where that is one of the vocabulary, else the tokenizer's files."""
    if (id_ := fields.id(f"{name}_token_id")) is not None:
        return id_
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        piece = folder.json(file).get(f"{name}_token")
        piece = piece.get("content") if isinstance(piece, dict) else piece
        if isinstance(piece, str) and piece in ids:
            return ids[piece]
    return None


def _pieces(cut: _Cut, others: Sequence[int]) -> list[str]:
    """Every piece by our id: the specials, then the others, which get their number where the name is taken."""
    pieces = dict.fromkeys(SPECIALS)
    for id_ in others:
        piece = cut.names.get(id_, f"<unused {id_}>")
        while piece in pieces:
            piece = f"<{piece.strip('<>')} {id_}>"
        pieces[piece] = None
    return list(pieces)


def _reordered(converted: Converted, order: Sequence[int | None], ours: dict[int, int]) -> Converted:
    """Rows of tables and outputs in our order. A new row is a copy of what the decoder starts with, never written."""
    first = order[EOS] if converted.start is None else converted.start
    rows = torch.tensor([(first or 0) if id_ is None else id_ for id_ in order])
    weights = {name: _rows(name, value, rows) for name, value in converted.weights.items()}
    if "output.bias" in weights:
        never = [number for number, id_ in enumerate(order) if id_ is None or id_ == converted.banned]
        weights["output.bias"] = weights["output.bias"].index_fill(0, torch.tensor(never, dtype=torch.long), NEVER)
    sizes = {
        side: len(order) for side in ("source_vocabulary", "target_vocabulary") if converted.config.get(side)
    }  # a new row makes them larger
    forced = {} if converted.first is None else {"first_output_token": ours[converted.first]}
    return replace(converted, config=converted.config | sizes | forced, weights=weights)


def _rows(name: str, value: Tensor, rows: Tensor) -> Tensor:
    per_id = ("source_embedding.weight", "target_embedding.weight", "output.weight", "output.bias")
    return value[rows] if name in per_id else value


def _cut(folder: Folder, fields: Fields) -> _Cut:
    """The tokenizer of the folder, whichever files it is kept in."""
    if folder.has("source.spm", "target.spm", "vocab.json"):
        return _marian(folder, fields)
    if folder.has("tokenizer.json"):
        return _fast(_opened(folder), fields)
    if folder.has("vocab.json", _M2M100):
        return _m2m100(folder, fields)
    if folder.has("vocab.txt"):
        return _fast(_word_pieces(folder), fields)
    if folder.has("vocab.json", "merges.txt"):
        return _fast(_byte_level(folder), fields)
    for file in _SENTENCEPIECE:
        if folder.has(file):
            return _t5(folder, file, fields)
    raise InvalidInput("import_tokenizer", folder=folder.path)


def _opened(folder: Folder) -> tokenizers.Tokenizer:
    try:
        return tokenizers.Tokenizer.from_file(str(folder.path / "tokenizer.json"))
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise InvalidInput("import_json", file="tokenizer.json", problem=error) from None


def _marian(folder: Folder, fields: Fields) -> _Cut:
    """Two sentencepiece models, and a list that gives the pieces of both their ids, or one for each."""
    vocabulary = _numbered(folder, "vocab.json")
    if folder.has(*_TWO_LISTS):
        others = [piece for piece in _numbered(folder, _TWO_LISTS[-1]) if piece not in vocabulary]
        vocabulary |= {piece: len(vocabulary) + number for number, piece in enumerate(others)}
    end = fields.id("eos_token_id", vocabulary.get("</s>", 0)) or 0
    inner, target = (sentencepiece.tokenizer(folder.path / f"{side}.spm") for side in ("source", "target"))
    names = {id_: piece for piece, id_ in vocabulary.items()}
    languages = (id_ for piece, id_ in vocabulary.items() if piece.startswith(">>") and piece.endswith("<<"))
    return _Cut(inner, target, names, (), (end,), frozenset(languages), vocabulary.get("<unk>"), None)


def _numbered(folder: Folder, file: str) -> dict[str, int]:
    """A list that gives each piece its id."""
    vocabulary = folder.json(file)
    if not all(isinstance(id_, int) for id_ in vocabulary.values()):
        raise InvalidInput("import_json", file=file, problem="it has to give each piece a number")
    return vocabulary


def _united(folder: Folder, converted: Converted, cut: _Cut) -> Converted:
    """Two vocabularies as one: the pieces of the source, then those that only the target has.

    A piece that a side lacks reads as the unknown one there, and is never written.
    """
    source, target = (folder.json(file) for file in _TWO_LISTS[2:])
    names, unknown = sorted(cut.names.items()), "<unk>"
    weights = dict(converted.weights)
    for table, pieces in (("source_embedding.weight", source), ("target_embedding.weight", target)):
        rows = [pieces.get(piece, pieces.get(unknown, 0)) for _, piece in names]
        weights[table] = weights[table][torch.tensor(rows)]
    bias = converted.weights["output.bias"]
    written = [float(bias[target[piece]]) if piece in target else NEVER for _, piece in names]
    weights["output.bias"] = torch.tensor(written)
    sizes = {"source_vocabulary": len(names), "target_vocabulary": len(names)}
    of_target = {id_: piece for piece, id_ in target.items()}
    ids = {piece: id_ for id_, piece in names}
    start, banned = (ids.get(of_target.get(id_, "<pad>")) for id_ in (converted.start, converted.banned))
    return replace(converted, config=converted.config | sizes, weights=weights, start=start, banned=banned)


def _m2m100(folder: Folder, fields: Fields) -> _Cut:
    """One sentencepiece model, a list that gives its pieces their ids, and after them the languages."""
    vocabulary = _numbered(folder, "vocab.json")
    inner = sentencepiece.tokenizer(folder.path / _M2M100)
    said = folder.json("tokenizer_config.json")
    added = said.get("added_tokens_decoder") or {}
    listed = folder.json("special_tokens_map.json").get("additional_special_tokens") or []
    codes = {str(token.get("content")): int(id_) for id_, token in added.items()}
    listed = listed or [f"__{code}__" for code in _CODES.get(str(said.get("language_codes")), _CODES["m2m100"]).split()]
    codes |= {str(code): len(vocabulary) + number for number, code in enumerate(listed) if str(code) not in codes}
    languages = {code: id_ for code, id_ in codes.items() if _LANGUAGE.fullmatch(code)}
    names = {id_: piece for piece, id_ in (vocabulary | languages).items()}
    end = fields.id("eos_token_id", vocabulary.get("</s>", 2)) or 2
    read = languages.get(f"__{said.get('src_lang') or 'en'}__", next(iter(languages.values()), None))
    before = () if read is None else (read,)
    special = frozenset(languages.values())
    return _Cut(inner, None, names, before, (end,), special, vocabulary.get("<unk>"), None, tuple(languages.values()))


def _t5(folder: Folder, file: str, fields: Fields) -> _Cut:
    """T5 and mT5 without a tokenizer.json: one sentencepiece model, whose numbers are the ids."""
    inner = sentencepiece.tokenizer(folder.path / file)
    names = dict(enumerate(sentencepiece.pieces(folder.path / file)))
    ids = {piece: id_ for id_, piece in names.items()}
    end = fields.id("eos_token_id", ids.get("</s>", 1)) or 0
    return _Cut(inner, None, names, (), (end,), frozenset(), ids.get("<unk>"), None)


def _fast(inner: tokenizers.Tokenizer, fields: Fields) -> _Cut:
    """A tokenizer.json: its template shows what stands around a sentence."""
    inner.no_padding()
    inner.no_truncation()
    described: dict[str, Any] = json.loads(inner.to_str())
    with_template = inner.encode("a").ids
    plain = inner.encode("a", add_special_tokens=False).ids
    at = next((i for i in range(len(with_template)) if with_template[i : i + len(plain)] == plain), None)
    if at is None:
        raise InvalidInput("import_template", file="tokenizer.json")
    before, after = tuple(with_template[:at]), tuple(with_template[at + len(plain) :])
    special = {token["id"]: token["content"] for token in described["added_tokens"] if token["special"]}
    model = described["model"]
    unknown = (
        model.get("unk_id") if model["type"] == "Unigram" else inner.token_to_id(model.get("unk_token") or "<unk>")
    )
    pair = _pair(inner)
    mask = next((id_ for id_, text in special.items() if text in _MASKS), None)
    for token in described["added_tokens"]:
        token["special"] &= token["content"] not in _MASKS  # a mask is typed; other specials are text when typed
    inner = tokenizers.Tokenizer.from_str(json.dumps(described))
    names = {id_: piece for piece, id_ in inner.get_vocab().items()}
    languages = tuple(id_ for id_, piece in sorted(names.items()) if id_ in special and _LANGUAGE.fullmatch(piece))
    return _Cut(inner, None, names, before, after, frozenset(special), unknown, mask, languages, pair)


def _pair(inner: tokenizers.Tokenizer) -> _Pair | None:
    """What a tokenizer puts around and between two texts; None where it does not part them by a token of its own."""
    encoding = inner.encode("a", "b")
    places = [[at for at, number in enumerate(encoding.sequence_ids) if number == text] for text in (0, 1)]
    if not all(places):
        return None
    ids, ((start, *_), (second, *_)), (end, last) = encoding.ids, places, (each[-1] + 1 for each in places)
    between = tuple(ids[end:second])
    segments = encoding.type_ids[start] != encoding.type_ids[second]
    return _Pair(tuple(ids[:start]), between, tuple(ids[last:]), segments) if between else None


def _word_pieces(folder: Folder) -> tokenizers.Tokenizer:
    """BERT's vocab.txt, a piece a line."""
    lines = (folder.path / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    vocabulary = {piece.rstrip("\r"): id_ for id_, piece in enumerate(lines)}
    has_lower = any(piece.islower() for piece in vocabulary if not piece.startswith("["))  # [unused1] is no word
    lower = bool(folder.json("tokenizer_config.json").get("do_lower_case", has_lower))
    inner = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    inner.normalizer = normalizers.BertNormalizer(lowercase=lower)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = tokenizers.decoders.WordPiece()
    ends = [(name, vocabulary[name]) for name in ("[SEP]", "[CLS]") if name in vocabulary]
    if len(ends) < 2:
        raise InvalidInput("import_tokenizer", folder=folder.path)
    inner.post_processor = tokenizers.processors.BertProcessing(*ends)
    inner.add_special_tokens([name for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]") if name in vocabulary])
    return inner


def _byte_level(folder: Folder) -> tokenizers.Tokenizer:
    """The vocab.json and merges.txt of GPT-2 and RoBERTa."""
    files = (str(folder.path / file) for file in ("vocab.json", "merges.txt"))
    try:
        inner = tokenizers.Tokenizer(models.BPE.from_file(*files))
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise InvalidInput("import_json", file="merges.txt", problem=error) from None
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = tokenizers.decoders.ByteLevel()
    vocabulary = inner.get_vocab()
    marks = [name for name in ("<s>", "</s>", "<pad>", "<unk>", "<mask>", "<|endoftext|>") if name in vocabulary]
    inner.add_special_tokens(marks)
    if "<s>" in vocabulary and "</s>" in vocabulary:
        end, begin = (("</s>", vocabulary["</s>"]), ("<s>", vocabulary["<s>"]))
        inner.post_processor = tokenizers.processors.RobertaProcessing(end, begin, add_prefix_space=False)
    return inner
