"""ByT5: each byte of a text is a piece. No file holds them."""

from __future__ import annotations

import tokenizers
from tokenizers import decoders, models, pre_tokenizers

from model.pretrained.converted import Fields
from model.pretrained.tokenizers.cut import Cut
from model.pretrained.tokenizers.said import Said
from viz.whole_words import BYTES

KINDS = ("ByT5Tokenizer",)
_FIRST = ("<pad>", "</s>", "<unk>")


def cut(said: Said, fields: Fields) -> Cut:
    """The pieces are written as GPT-2 writes bytes; a byte's id is its number and 3."""
    inner = tokenizers.Tokenizer(models.BPE(BYTES, []))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    pieces = [*_FIRST, *sorted(BYTES, key=BYTES.__getitem__)]
    names = said.add(dict(enumerate(pieces)), inner, fields.count("vocab_size"), raw=True)
    special = [id_ for id_, piece in names.items() if piece in _FIRST or piece in said.specials]
    return Cut(inner, None, names, (), (_FIRST.index("</s>"),), frozenset(special), _FIRST.index("<unk>"), None)
