"""Which tokenizer a folder has: by the class that its files name, else by its family and the files that lie there."""

from __future__ import annotations

from model.errors import InvalidInput
from model.pretrained.converted import Fields
from model.pretrained.folder import CONFIG, Folder, refuse_pointer
from model.pretrained.tokenizers import byte_pairs, numbered_pieces, raw_bytes, two_files, whole_file, word_pieces
from model.pretrained.tokenizers.cut import Cut
from model.pretrained.tokenizers.said import CONFIG_OF_TOKENIZER, Said

# of a family whose files name none
_OF_FAMILY = {
    **dict.fromkeys(("bert", "distilbert", "electra"), "BertTokenizer"),
    **dict.fromkeys(("gpt2", "gpt_neo", "opt"), "GPT2Tokenizer"),
    **dict.fromkeys(("roberta", "bart"), "RobertaTokenizer"),
    **dict.fromkeys(("qwen2", "qwen3"), "Qwen2Tokenizer"),
    **dict.fromkeys(("llama", "mistral", "smollm3"), "LlamaTokenizer"),
    **dict.fromkeys(("t5", "mt5"), "T5Tokenizer"),
    "gpt_neox": "GPTNeoXTokenizer",
    "gemma": "GemmaTokenizer",
    "m2m_100": "NllbTokenizer",
    "mbart": "MBartTokenizer",
    "pegasus": "PegasusTokenizer",
    "xlm-roberta": "XLMRobertaTokenizer",
    "camembert": "CamembertTokenizer",
    "albert": "AlbertTokenizer",
}
# whose files are missing, if nothing was found
_KINDS = (
    *("PreTrainedTokenizer", "TokenizersBackend", "MarianTokenizer", "M2M100Tokenizer"),
    *numbered_pieces.KINDS,
    *word_pieces.KINDS,
    *byte_pairs.KINDS,
)
# which transformers computes in Python: a tokenizer.json beside them is not read there
_IN_PYTHON = (
    "Bartpho BertGeneration BertJapanese Bertweet BioGpt BlenderbotSmall Canine Clvp CpmAnt Cpm CTRL Esm FSMT Flaubert "
    "GPTNeoXJapanese GPTSw3 MyT5 Perceiver Phobert PLBart ProphetNet RoCBert Tapas XLM"
)


def read(folder: Folder, fields: Fields) -> Cut:
    """The tokenizer of the folder. Raises `InvalidInput` if its files do not describe it."""
    for file in (whole_file.FILE, *two_files.TWO_LISTS, *numbered_pieces.FILES, *byte_pairs.FILES, word_pieces.FILE):
        if folder.has(file):
            refuse_pointer(folder.path / file)
    said = Said(folder)
    kind = said.kind
    if said.has_code:
        raise InvalidInput("import_code", file=CONFIG_OF_TOKENIZER)
    if folder.has(*two_files.MARIAN):
        return two_files.marian(folder, fields)
    if kind in raw_bytes.KINDS:
        return raw_bytes.cut(said, fields)
    if kind and kind.removesuffix("Tokenizer") in _IN_PYTHON.split():
        raise InvalidInput("import_tokenizer_class", kind=kind)
    of_family = kind or _OF_FAMILY.get(str(folder.json(CONFIG).get("model_type")))
    if folder.has(whole_file.FILE):
        return whole_file.read(folder, said, fields, of_family)
    if folder.has(*two_files.M2M100) and kind in (None, "M2M100Tokenizer"):
        return two_files.m2m100(folder, fields)
    if folder.has(word_pieces.FILE) and (kind is None or kind in word_pieces.KINDS):
        return whole_file.cut(word_pieces.tokenizer(folder, said), said, fields, kind)
    if folder.has(*byte_pairs.FILES) and (kind is None or kind in byte_pairs.KINDS):
        named = of_family if of_family in byte_pairs.KINDS else "GPT2Tokenizer"
        return whole_file.cut(byte_pairs.tokenizer(folder, said, named), said, fields, kind)
    if any(map(folder.has, numbered_pieces.FILES)) and of_family in numbered_pieces.KINDS:
        return numbered_pieces.read(folder, said, fields, of_family)
    if kind and kind not in _KINDS:
        raise InvalidInput("import_tokenizer_class", kind=kind)
    raise InvalidInput("import_tokenizer", folder=folder.path)
