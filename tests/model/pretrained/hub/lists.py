"""Repositories whose tokenizer is a list of pieces, or has no file at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.model.pretrained.hub.writing import byte_pairs, said, token, word_pieces, write

_BERT = ["[PAD]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def bert_uncased(folder: Path) -> dict[str, Any]:
    """bert-base-uncased, as it was for years."""
    size = word_pieces(folder, _BERT, lowercase=True)
    said(folder, None, do_lower_case=True, model_max_length=512)
    return {"vocab_size": size, "pad_token_id": 0}


def bert_cased(folder: Path) -> dict[str, Any]:
    """bert-base-cased."""
    size = word_pieces(folder, _BERT, lowercase=False)
    said(folder, None, do_lower_case=False, model_max_length=512)
    return {"vocab_size": size, "pad_token_id": 0}


def bert_german(folder: Path) -> dict[str, Any]:
    """dbmdz/bert-base-german-uncased: capitals go and umlauts stay; Chinese stays together too, here."""
    size = word_pieces(folder, _BERT, lowercase=False)
    said(folder, "BertTokenizer", do_lower_case=True, strip_accents=False, tokenize_chinese_chars=False)
    return {"vocab_size": size, "pad_token_id": 0}


def electra(folder: Path) -> dict[str, Any]:
    """google/electra-small-discriminator."""
    size = word_pieces(folder, _BERT, lowercase=True)
    said(folder, "ElectraTokenizer", do_lower_case=True, strip_accents=None, model_max_length=512)
    return {"vocab_size": size, "pad_token_id": 0}


def gpt2(folder: Path) -> dict[str, Any]:
    """gpt2, as it was for years: its `<|endoftext|>` is the last piece."""
    size = byte_pairs(folder, [], last=("<|endoftext|>",))
    said(folder, None, model_max_length=1024)
    return {"vocab_size": size, "bos_token_id": size - 1, "eos_token_id": size - 1}


def roberta(folder: Path) -> dict[str, Any]:
    """roberta-base, as it was for years: no word about the space that `<mask>` takes."""
    size = byte_pairs(folder, ["<s>", "<pad>", "</s>", "<unk>"], last=("<mask>",))
    said(folder, None, model_max_length=512)
    return {"vocab_size": size, "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}


def bart(folder: Path) -> dict[str, Any]:
    """facebook/bart-base fine-tuned and saved by transformers 4's slow tokenizer, with a space before a text."""
    size = byte_pairs(folder, ["<s>", "<pad>", "</s>", "<unk>"], last=("<mask>",))
    specials = {"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>", "unk_token": "<unk>",
                "pad_token": "<pad>", "mask_token": token("<mask>", lstrip=True)}  # fmt: skip
    write(folder, "special_tokens_map.json", specials)
    said(folder, "BartTokenizer", **specials, add_prefix_space=True, errors="replace")
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    return {"vocab_size": size, **ids}


def opt(folder: Path) -> dict[str, Any]:
    """facebook/opt-125m: GPT-2's tokenizer, and `</s>` before a text."""
    size = byte_pairs(folder, ["<s>", "<pad>", "</s>", "<unk>"])
    specials = {"bos_token": token("</s>", normalized=True), "eos_token": token("</s>", normalized=True)}
    more = {"unk_token": token("</s>", normalized=True), "pad_token": token("<pad>", normalized=True)}
    write(folder, "special_tokens_map.json", specials | more)
    said(folder, "GPT2Tokenizer", **specials, **more, add_prefix_space=False, add_bos_token=True, errors="replace")
    return {"vocab_size": size, "bos_token_id": 2, "pad_token_id": 1, "eos_token_id": 2}


def qwen2(folder: Path) -> dict[str, Any]:
    """Qwen/Qwen2-0.5B without its tokenizer.json: the specials stand behind vocab.json, whose table is longer."""
    size = byte_pairs(folder, [])
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    decoder = {str(size + number): token(piece, special=True) for number, piece in enumerate(specials)}
    more = {"add_prefix_space": False, "bos_token": None, "eos_token": specials[0], "pad_token": specials[0]}
    listed = {"additional_special_tokens": specials[1:], "unk_token": None, "errors": "replace"}
    said(folder, "Qwen2Tokenizer", **more, **listed, added_tokens_decoder=decoder, split_special_tokens=False)
    return {"vocab_size": size + 40, "bos_token_id": size, "eos_token_id": size}


def gpt_neox(folder: Path) -> dict[str, Any]:
    """A folder of GPT-NeoX's two lists, as its own code writes them."""
    size = byte_pairs(folder, ["<|endoftext|>", "<|padding|>"])
    said(folder, "GPTNeoXTokenizer", bos_token="<|endoftext|>", eos_token="<|endoftext|>", add_prefix_space=False)
    return {"vocab_size": size, "bos_token_id": 0, "eos_token_id": 0}


def byt5(folder: Path) -> dict[str, Any]:
    """google/byt5-small: no file of pieces; 259 ids, 125 extra ones."""
    extra = [f"<extra_id_{number}>" for number in range(125)]
    specials = {name: token(piece) for name, piece in (
        ("eos_token", "</s>"), ("unk_token", "<unk>"), ("pad_token", "<pad>"))}  # fmt: skip
    write(folder, "special_tokens_map.json", {**specials, "additional_special_tokens": extra})
    said(folder, "ByT5Tokenizer", **specials, extra_ids=125, additional_special_tokens=extra)
    return {"vocab_size": 384, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
