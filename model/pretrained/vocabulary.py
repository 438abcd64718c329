"""The tokenizer of an imported model, and the order in which its ids stand here.

`<pad>`, `<bos>`, `<eos>` and `<unk>` come first, as everywhere here; the other pieces keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.pretrained.converted import Converted, Fields
from model.pretrained.folder import Folder
from model.pretrained.tokenizers import choose, two_files
from model.pretrained.tokenizers.cut import Cut
from model.pretrained.tokenizers.said import CONFIG_OF_TOKENIZER, MAP
from model.tokenization.imported_tokenizer import ImportedTokenizer
from model.tokenization.token_text import is_special
from model.tokenization.tokenizer import BOS, EOS, PAD, SPECIALS, UNK

NEVER = -1e4  # bias of an id that is never written: its probability is 0, and half precision can hold the number


@dataclass(frozen=True)
class Numbering:
    """The original's id of each of our ids, as each side reads them, and its ids behind a sentence."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    ends: tuple[int, ...]


def convert(folder: Folder, fields: Fields, converted: Converted) -> tuple[Converted, ImportedTokenizer, Numbering]:
    """The same model with its ids in our order, the tokenizer that gives them, and what they were."""
    cut = choose.read(folder, fields)
    sides: Sequence[list[int]] = ()
    if folder.has(*two_files.TWO_LISTS):
        converted, sides = _united(folder, converted, cut)
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
            "specials": _names(cut, specials, converted.start),
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
    converted = _reordered(_told(folder, converted, cut), order, ours)
    rows = _rows_of(order, converted.start)
    source, target = ([side[row] for row in rows] for side in sides) if sides else (rows, rows)
    return converted, tokenizer, Numbering(tuple(source), tuple(target), cut.after)


def _told(folder: Folder, converted: Converted, cut: Cut) -> Converted:
    """A model of several languages is always told which to write: the first that it does not read, unless it says.

    An mBART for one language begins with it instead.
    """
    if converted.start in cut.languages:
        return converted
    said = folder.json(CONFIG_OF_TOKENIZER).get("tgt_lang")
    wanted = [id_ for id_ in cut.languages if cut.names[id_].strip("_") == said]
    others = [id_ for id_ in cut.languages if id_ not in (*cut.before, *cut.after)]
    first = next((id_ for id_ in (converted.first, *wanted, *others) if id_ is not None), None)
    return replace(converted, first=first) if others else converted


def _specials(folder: Folder, fields: Fields, converted: Converted, cut: Cut) -> list[int | None]:
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
    for file in (CONFIG_OF_TOKENIZER, MAP):
        piece = folder.json(file).get(f"{name}_token")
        piece = piece.get("content") if isinstance(piece, dict) else piece
        if isinstance(piece, str) and piece in ids:
            return ids[piece]
    return None


def _names(cut: Cut, specials: Sequence[int | None], start: int | None) -> list[str]:
    """What the original calls the specials; ours where it has none, or a name that could be a text.

    A decoder that begins with a piece that is another special already has a row of its own for it.
    """
    ids = [start if id_ is None and special == BOS else id_ for special, id_ in enumerate(specials)]
    names = ["" if id_ is None else cut.names.get(id_, "") for id_ in ids]
    return [name if is_special(name) else own for name, own in zip(names, SPECIALS, strict=True)]


def _pieces(cut: Cut, others: Sequence[int]) -> list[str]:
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
    rows = torch.tensor(_rows_of(order, converted.start))
    weights = {name: _rows(name, value, rows) for name, value in converted.weights.items()}
    if "output.bias" in weights:
        never = [number for number, id_ in enumerate(order) if id_ is None or id_ == converted.banned]
        weights["output.bias"] = weights["output.bias"].index_fill(0, torch.tensor(never, dtype=torch.long), NEVER)
    sizes = {
        side: len(order) for side in ("source_vocabulary", "target_vocabulary") if converted.config.get(side)
    }  # a new row makes them larger
    forced = {} if converted.first is None else {"first_output_token": ours[converted.first]}
    return replace(converted, config=converted.config | sizes | forced, weights=weights)


def _rows_of(order: Sequence[int | None], start: int | None) -> list[int]:
    """For each of our ids the original's, whose row it has."""
    first = order[EOS] if start is None else start
    return [(first or 0) if id_ is None else id_ for id_ in order]


def _rows(name: str, value: Tensor, rows: Tensor) -> Tensor:
    per_id = ("source_embedding.weight", "target_embedding.weight", "output.weight", "output.bias")
    return value[rows] if name in per_id else value


def _united(folder: Folder, converted: Converted, cut: Cut) -> tuple[Converted, list[list[int]]]:
    """Two vocabularies as one: the pieces of the source, then those that only the target has; the ids of both sides.

    A piece that a side lacks reads as the unknown one there, and is never written.
    """
    source, target = (folder.json(file) for file in two_files.TWO_LISTS[2:])
    names, unknown = sorted(cut.names.items()), "<unk>"
    weights = dict(converted.weights)
    sides = [[pieces.get(piece, pieces.get(unknown, 0)) for _, piece in names] for pieces in (source, target)]
    for table, side in (("source_embedding", 0), ("target_embedding", 1), ("output", 1)):
        if (value := weights.get(f"{table}.weight")) is not None:
            weights[f"{table}.weight"] = value[torch.tensor(sides[side])]
    bias = converted.weights["output.bias"]
    written = [float(bias[target[piece]]) if piece in target else NEVER for _, piece in names]
    weights["output.bias"] = torch.tensor(written)
    sizes = {"source_vocabulary": len(names), "target_vocabulary": len(names)}
    of_target = {id_: piece for piece, id_ in target.items()}
    ids = {piece: id_ for id_, piece in names}
    start, banned = (ids.get(of_target.get(id_, "<pad>")) for id_ in (converted.start, converted.banned))
    united = replace(converted, config=converted.config | sizes, weights=weights, start=start, banned=banned)
    return united, sides
