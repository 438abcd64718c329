"""Families whose tokenizer is one sentencepiece model: which ids its pieces have, and what stands around a sentence.

The ids are not the numbers of the pieces where a family puts pieces of its own before those of the file, in place of
the file's first ones, and behind them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tokenizers import AddedToken, normalizers

from model.errors import InvalidInput
from model.pretrained.converted import Fields
from model.pretrained.folder import Folder
from model.pretrained.tokenizers import languages, sentencepiece
from model.pretrained.tokenizers.cut import MASKS, Cut, Pair
from model.pretrained.tokenizers.said import Said
from model.pretrained.tokenizers.sentencepiece import UNUSED, Model

FILES = ("spiece.model", "sentencepiece.bpe.model", "tokenizer.model")
_FAIRSEQ = ("<s>", "<pad>", "</s>", "<unk>")  # in place of the file's `<unk>`, `<s>` and `</s>`
_EXTRA_IDS = 100  # of T5: `<extra_id_99>` to `<extra_id_0>`
_UNKNOWNS = 103  # of Pegasus: `<unk_2>` to `<unk_102>`


def read(folder: Folder, said: Said, fields: Fields, kind: str) -> Cut:
    """The tokenizer of a family, by its name in transformers."""
    model = sentencepiece.read(next(folder.path / file for file in FILES if folder.has(file)))
    return KINDS[kind](model, said, fields)


def _t5(model: Model, said: Said, fields: Fields) -> Cut:
    """T5 and mT5. Where no file says how many extra ids there are, they are T5's if the model has rows for them."""
    free = fields.count("vocab_size") - len(model.pieces)
    extra = said.count("extra_ids", _EXTRA_IDS if free >= _EXTRA_IDS else 0)
    own = [f"<extra_id_{number}>" for number in reversed(range(extra))]
    return _cut(model, said, fields, [*model.names, *own], own, after=[said.piece("eos_token", "</s>")])


def _pegasus(model: Model, said: Said, fields: Fields) -> Cut:
    first = ["<pad>", "</s>", "<mask_1>", "<mask_2>", *(f"<unk_{number}>" for number in range(2, _UNKNOWNS))]
    return _cut(model, said, fields, [*first, *model.names[2:]], first, after=["</s>"])


def _xlm_roberta(model: Model, said: Said, fields: Fields) -> Cut:
    mask = said.mask("<mask>", lstrip=True)
    names = [*_FAIRSEQ, *model.names[3:], mask.content]
    return _cut(model, said, fields, names, _FAIRSEQ, before=["<s>"], after=["</s>"], mask=mask, ends=2)


def _camembert(model: Model, said: Said, fields: Fields) -> Cut:
    """Its `<s>` and `</s>` are those of the file; four pieces stand before all of it, unused ones among them."""
    first, mask = ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED"], said.mask("<mask>", lstrip=True)
    names = [*first, *model.names[1:], mask.content]
    return _cut(model, said, fields, names, first, before=["<s>"], after=["</s>"], mask=mask, ends=2)


def _albert(model: Model, said: Said, fields: Fields) -> Cut:
    """Quotes become one kind; accents and capitals go, unless a file says that they stay.

    A number and the comma behind it are never one piece, though the file has such ones.
    """
    steps: list[normalizers.Normalizer] = [normalizers.Replace(quotes, '"') for quotes in ("``", "''")]
    steps += [] if said.get("keep_accents", False) else [normalizers.NFKD(), normalizers.StripAccents()]
    steps += [normalizers.Lowercase()] if said.get("do_lower_case", True) else []
    odd = re.compile(r".*\d,", re.DOTALL)
    pieces = [piece._replace(kind=UNUSED) if odd.fullmatch(piece.text) else piece for piece in model.pieces]
    model = replace(model, pieces=tuple(pieces))
    before, after = [said.piece("cls_token", "[CLS]")], [said.piece("sep_token", "[SEP]")]
    mask = said.mask("[MASK]", lstrip=True)
    return _cut(model, said, fields, model.names, (), before=before, after=after, mask=mask, steps=steps, ends=1)


def _llama(model: Model, said: Said, fields: Fields) -> Cut:
    """Llama and its relatives: a text begins with `<s>`, unless a file says no."""
    return _beginning(model, said, fields, "<s>", "</s>")


def _gemma(model: Model, said: Said, fields: Fields) -> Cut:
    return _beginning(model, said, fields, "<bos>", "<eos>")


def _beginning(model: Model, said: Said, fields: Fields, begin: str, end: str) -> Cut:
    before = [said.piece("bos_token", begin)] if said.get("add_bos_token", True) else []
    after = [said.piece("eos_token", end)] if said.get("add_eos_token", False) else []
    adds = any(not piece.token.special for piece in said.added())
    prefix = "first" if adds and not said.get("legacy", False) else "always"
    prefix = prefix if said.get("add_prefix_space", True) else "never"
    return _cut(model, said, fields, model.names, (), before=before, after=after, prefix=prefix)


def _told(kind: str) -> Callable[[Model, Said, Fields], Cut]:
    """A model that is told which language it reads. A file may list other languages than NLLB's own."""

    def cut(model: Model, said: Said, fields: Fields) -> Cut:
        known, mask = languages.TOLD[kind][0].split(), said.mask("<mask>", lstrip=True)
        listed = [text for text in said.specials if languages.CODE.fullmatch(text)]
        codes = listed if kind == "NllbTokenizer" and listed and {*listed} != {*known} else known
        names = [*_FAIRSEQ, *model.names[3:], *codes, mask.content]
        before, after = languages.around(kind, said, codes)
        return _cut(model, said, fields, names, [*_FAIRSEQ, *codes], before=before, after=after, mask=mask)

    return cut


def _cut(
    model: Model,
    said: Said,
    fields: Fields,
    names: Sequence[str],
    own: Iterable[str],
    *,
    before: Sequence[str] = (),
    after: Sequence[str] = (),
    mask: AddedToken | None = None,
    steps: Sequence[normalizers.Normalizer] = (),
    prefix: str = "always",
    ends: int = 0,
) -> Cut:
    """`names` are all pieces in the order of their ids, `own` the special ones that the family adds to the file.

    `ends` says how often what ends a sentence stands between two of them; where it is once, the second has a segment.
    """
    special = {*own, *model.control(), *said.specials, *before, *after}
    inner = model.tokenizer(steps, prefix=prefix, special=special)
    pieces = said.add(dict(enumerate(names)), inner, fields.count("vocab_size"), raw=True)
    ids = {piece: id_ for id_, piece in reversed(pieces.items())}
    special |= {piece.text for piece in said.added() if piece.token.special}
    masked = mask is not None and mask.content in MASKS and mask.content in ids
    if mask is not None and masked:
        inner.add_tokens([mask])
        special.add(mask.content)
    if lacking := next((piece for piece in (*before, *after) if piece not in ids), None):
        raise InvalidInput("import_around", file=model.file, piece=lacking)
    begin, end = (tuple(ids[piece] for piece in around) for around in (before, after))
    return Cut(
        inner,
        None,
        pieces,
        begin,
        end,
        frozenset(ids[piece] for piece in special if piece in ids),
        ids.get("<unk>", ids.get(model.unknown)),
        ids[mask.content] if mask is not None and masked else None,
        tuple(ids[code] for code in own if languages.CODE.fullmatch(code)),
        Pair(begin, ends * end, end, ends == 1) if ends else None,
    )


KINDS: dict[str, Callable[[Model, Said, Fields], Cut]] = {
    "T5Tokenizer": _t5,
    "MT5Tokenizer": _t5,
    "PegasusTokenizer": _pegasus,
    "XLMRobertaTokenizer": _xlm_roberta,
    "CamembertTokenizer": _camembert,
    "AlbertTokenizer": _albert,
    "LlamaTokenizer": _llama,
    "GemmaTokenizer": _gemma,
    **{kind: _told(kind) for kind in languages.TOLD},
}
