"""BERT's vocab.txt, a piece a line."""

from __future__ import annotations

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

from model.errors import InvalidInput
from model.pretrained.folder import Folder
from model.pretrained.tokenizers.said import Said

FILE = "vocab.txt"
KINDS = ("BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer")


def normalizer(said: Said, *, lowercase: bool = True) -> normalizers.Normalizer:
    """Accents go with the capitals, unless a file says otherwise. `lowercase` holds where no file says."""
    accents = said.get("strip_accents")
    return normalizers.BertNormalizer(
        handle_chinese_chars=bool(said.get("tokenize_chinese_chars", True)),
        strip_accents=None if accents is None else bool(accents),
        lowercase=bool(said.get("do_lower_case", lowercase)),
    )


def tokenizer(folder: Folder, said: Said) -> tokenizers.Tokenizer:
    """Words are cut into the longest pieces. Capitals go, unless a file keeps them or no piece has small letters."""
    lines = (folder.path / FILE).read_text(encoding="utf-8").rstrip("\n").split("\n")
    vocabulary = {piece.rstrip("\r"): id_ for id_, piece in enumerate(lines)}
    has_lower = any(piece.islower() for piece in vocabulary if not piece.startswith("["))  # [unused1] is no word
    unknown = said.piece("unk_token", "[UNK]")
    inner = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token=unknown, max_input_chars_per_word=100))
    inner.normalizer = normalizer(said, lowercase=has_lower)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = decoders.WordPiece()
    end, begin = said.piece("sep_token", "[SEP]"), said.piece("cls_token", "[CLS]")
    if lacking := next((piece for piece in (begin, end) if piece not in vocabulary), None):
        raise InvalidInput("import_around", file=FILE, piece=lacking)
    inner.post_processor = processors.BertProcessing((end, vocabulary[end]), (begin, vocabulary[begin]))
    specials = (said.piece("pad_token", "[PAD]"), unknown, begin, end, said.piece("mask_token", "[MASK]"))
    inner.add_special_tokens([name for name in specials if name in vocabulary])
    return inner
