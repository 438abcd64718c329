"""Repositories whose tokenizer is a sentencepiece model alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from transformers.models.nllb.tokenization_nllb import FAIRSEQ_LANGUAGE_CODES

from tests.model.pretrained.hub.writing import said, spm, token, write

_T5 = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
_IDENTITY = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
_FAIRSEQ = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
_SPECIALS = {"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>", "unk_token": "<unk>",
             "pad_token": "<pad>", "mask_token": token("<mask>", lstrip=True)}  # fmt: skip


def t5_v1_1(folder: Path) -> dict[str, Any]:
    """google/t5-v1_1-small; its table has 32128 rows for 32100 pieces."""
    size = spm(folder / "spiece.model", **_T5).get_piece_size()
    extra = [f"<extra_id_{number}>" for number in range(100)]
    specials = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    write(folder, "special_tokens_map.json", {**specials, "additional_special_tokens": extra})
    said(folder, None, **specials, extra_ids=100, additional_special_tokens=extra)
    return {"vocab_size": size + 128, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}


def mt5(folder: Path) -> dict[str, Any]:
    """google/mt5-small: pieces of bytes, and no extra ids beside those of the file."""
    size = spm(folder / "spiece.model", **_T5, byte_fallback=True, vocab_size=400).get_piece_size()
    specials = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    write(folder, "special_tokens_map.json", specials)
    said(folder, "T5Tokenizer", **specials, extra_ids=0, additional_special_tokens=None)
    return {"vocab_size": size + 12, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}


def pegasus(folder: Path) -> dict[str, Any]:
    """google/pegasus-xsum: 96,000 pieces, and 96,103 ids."""
    size = spm(folder / "spiece.model", **_T5).get_piece_size()
    others = ["<mask_1>", *(f"<unk_{number}>" for number in range(2, 103))]
    specials = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask_2>"}
    write(folder, "special_tokens_map.json", {**specials, "additional_special_tokens": others})
    said(folder, None, **specials, mask_token_sent="<mask_1>", additional_special_tokens=others, offset=103)
    return {"vocab_size": size + 103, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}


def xlm_roberta(folder: Path) -> dict[str, Any]:
    """Models that were trained from xlm-roberta-base before its repository had a tokenizer.json."""
    size = spm(folder / "sentencepiece.bpe.model").get_piece_size()
    write(folder, "special_tokens_map.json", _SPECIALS)
    said(folder, "XLMRobertaTokenizer", **_SPECIALS, model_max_length=512)
    return {"vocab_size": size + 2, **_FAIRSEQ}


def camembert(folder: Path) -> dict[str, Any]:
    """almanach/camembert-base: `<s>` is 5 and `</s>` is 6, those of the file behind four others."""
    size = spm(folder / "sentencepiece.bpe.model").get_piece_size()
    others = ["<s>NOTUSED", "</s>NOTUSED"]
    write(folder, "special_tokens_map.json", {**_SPECIALS, "additional_special_tokens": others})
    said(folder, "CamembertTokenizer", **_SPECIALS, additional_special_tokens=others, model_max_length=512)
    return {"vocab_size": size + 5, "bos_token_id": 5, "pad_token_id": 1, "eos_token_id": 6}


def mbart(folder: Path) -> dict[str, Any]:
    """facebook/mbart-large-en-ro without its tokenizer.json: a text, `</s>`, its language."""
    size = spm(folder / "sentencepiece.bpe.model").get_piece_size()
    said(folder, "MBartTokenizer", src_lang="en_XX", tgt_lang="ro_RO", model_max_length=1024)
    return {"vocab_size": size + 1 + 25 + 1, **_FAIRSEQ, "decoder_start_token_id": size + 20}


def mbart50(folder: Path) -> dict[str, Any]:
    """facebook/mbart-large-50-many-to-many-mmt."""
    size = spm(folder / "sentencepiece.bpe.model").get_piece_size()
    write(folder, "special_tokens_map.json", _SPECIALS)
    said(folder, "MBart50Tokenizer", **_SPECIALS, src_lang=None, tgt_lang=None, language_codes="mbart50")
    return {"vocab_size": size + 1 + 52 + 1, **_FAIRSEQ, "decoder_start_token_id": 2}


def nllb(folder: Path) -> dict[str, Any]:
    """facebook/nllb-200-distilled-600M without its tokenizer.json."""
    size = spm(folder / "sentencepiece.bpe.model", model_type="bpe").get_piece_size()
    mask = {"mask_token": {"__type": "AddedToken", **token("<mask>", lstrip=True)}}
    more = {"src_lang": "deu_Latn", "tgt_lang": None, "additional_special_tokens": FAIRSEQ_LANGUAGE_CODES}
    said(folder, "NllbTokenizer", **(_SPECIALS | mask), **more, model_max_length=1024)
    return {"vocab_size": size + 1 + 202 + 1 + 2, **_FAIRSEQ, "decoder_start_token_id": 2}


def albert(folder: Path) -> dict[str, Any]:
    """albert-base-v2 without its tokenizer.json: signs are pieces of the user."""
    marks = {"control_symbols": "[CLS],[SEP],[MASK]", "user_defined_symbols": '(,),",-,.,–,£,€'}
    options = {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1, "split_by_number": False}
    size = spm(folder / "spiece.model", **options, **marks).get_piece_size()
    said(folder, None, do_lower_case=True, remove_space=True, keep_accents=False, model_max_length=512)
    return {"vocab_size": size, "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}


def llama(folder: Path) -> dict[str, Any]:
    """openlm-research/open_llama_3b, and the first Llama."""
    options = {"byte_fallback": True, "split_digits": True, "allow_whitespace_only_pieces": True, "vocab_size": 420}
    size = spm(folder / "tokenizer.model", model_type="bpe", **_IDENTITY, **options).get_piece_size()
    specials = {"bos_token": token("<s>"), "eos_token": token("</s>"), "unk_token": token("<unk>")}
    write(folder, "special_tokens_map.json", specials)
    more = {"add_bos_token": True, "add_eos_token": False, "pad_token": None, "sp_model_kwargs": {}}
    said(folder, "LlamaTokenizer", **specials, **more, clean_up_tokenization_spaces=False, model_max_length=2048)
    return {"vocab_size": size, "bos_token_id": 1, "eos_token_id": 2}


def gemma(folder: Path) -> dict[str, Any]:
    """google/gemma-2b without its tokenizer.json: no space before a text, and pieces of the user."""
    options = {"byte_fallback": True, "split_digits": True, "allow_whitespace_only_pieces": True, "vocab_size": 420}
    marks = {"bos_piece": "<bos>", "eos_piece": "<eos>", "pad_piece": "<pad>"}
    spaces = ["▁" * count for count in range(2, 32)]
    user = ",".join(["<mask>", "<start_of_turn>", "<end_of_turn>", "\n\n", "\t", "<table>", *spaces])
    size = spm(
        folder / "tokenizer.model", model_type="bpe", add_dummy_prefix=False, user_defined_symbols=user, pad_id=0,
        eos_id=1, bos_id=2, unk_id=3, **_IDENTITY, **options, **marks,
    ).get_piece_size()  # fmt: skip
    specials = {"bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>", "unk_token": "<unk>"}
    numbered = {"0": "<pad>", "1": "<eos>", "2": "<bos>", "3": "<unk>", "5": "<start_of_turn>", "6": "<end_of_turn>"}
    decoder = {id_: token(piece, special=True) for id_, piece in numbered.items()}
    turns = ["<start_of_turn>", "<end_of_turn>"]
    more = {"add_bos_token": True, "add_eos_token": False, "additional_special_tokens": turns}
    said(folder, "GemmaTokenizer", **specials, **more, added_tokens_decoder=decoder, sp_model_kwargs={})
    return {"vocab_size": size, "pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 2}
