"""The vocab.json and merges.txt of GPT-2 and its relatives: pieces of bytes, merged pair by pair."""

from __future__ import annotations

from dataclasses import dataclass

import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors

from model.errors import InvalidInput
from model.pretrained.folder import Folder
from model.pretrained.tokenizers.said import Said
from model.tokenization.word_patterns import QWEN

FILES = ("vocab.json", "merges.txt")
_END_OF_TEXT = "<|endoftext|>"


def spaced(said: Said) -> bool:
    """Whether a space is put before a text."""
    return bool(said.get("add_prefix_space", False))


@dataclass(frozen=True)
class Kind:
    """How a family differs from the others.

    composed   whether letters and their accents become one character
    pattern    where it cuts, if not as GPT-2
    surrounds  whether a sentence stands between `<s>` and `</s>`
    """

    composed: bool = False
    pattern: str | None = None
    surrounds: bool = False

    def pre_tokenizer(self, said: Said) -> pre_tokenizers.PreTokenizer:
        in_bytes = pre_tokenizers.ByteLevel(add_prefix_space=spaced(said), use_regex=self.pattern is None)
        if self.pattern is None:
            return in_bytes
        return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(self.pattern), "isolated"), in_bytes])


KINDS = {
    "GPT2Tokenizer": Kind(),
    "RobertaTokenizer": Kind(surrounds=True),
    "BartTokenizer": Kind(surrounds=True),
    "Qwen2Tokenizer": Kind(composed=True, pattern=QWEN),
    "GPTNeoXTokenizer": Kind(composed=True),
}


def tokenizer(folder: Folder, said: Said, kind: str) -> tokenizers.Tokenizer:
    """The tokenizer of a family, by its name in transformers."""
    try:
        inner = tokenizers.Tokenizer(models.BPE.from_file(*(str(folder.path / file) for file in FILES)))
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise InvalidInput("import_json", file=FILES[1], problem=error) from None
    if KINDS[kind].composed:
        inner.normalizer = normalizers.NFC()
    inner.pre_tokenizer = KINDS[kind].pre_tokenizer(said)
    inner.decoder = decoders.ByteLevel()
    if KINDS[kind].surrounds:
        before, after = [said.piece("cls_token", "<s>")], [said.piece("sep_token", "</s>")]
    else:
        before = [said.piece("bos_token", _END_OF_TEXT)] if said.get("add_bos_token", False) else []
        after = [said.piece("eos_token", _END_OF_TEXT)] if said.get("add_eos_token", False) else []
    vocabulary = inner.get_vocab()
    if lacking := next((piece for piece in (*before, *after) if piece not in vocabulary), None):
        raise InvalidInput("import_around", file=FILES[0], piece=lacking)
    inner.post_processor = processors.TemplateProcessing(
        single=[*before, "$A", *after], special_tokens=[(piece, vocabulary[piece]) for piece in {*before, *after}]
    )
    specials = ("<s>", "<pad>", "</s>", "<unk>", _END_OF_TEXT, *said.specials)
    inner.add_special_tokens([name for name in dict.fromkeys(specials) if name in vocabulary])
    mask = said.mask("<mask>", lstrip=True)
    if mask.content in vocabulary:
        inner.add_special_tokens([AddedToken(mask.content, lstrip=mask.lstrip, special=True)])
    return inner
