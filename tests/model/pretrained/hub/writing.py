"""Writes the files of a tokenizer: trained with the library that made the original's, and the JSON beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from tests.model.pretrained.small import TEXTS

LINES = [line for text in TEXTS for line in (text, *text.split(". "))] * 10
CODE = ['if x:\n\treturn "a"', "(a, b) = 3.14, 1,052 — 5 £", "the  cat   sat", "in 12, 12, 12, 12, 12, 12,"] * 10


def spm(file: Path, **options: Any) -> sentencepiece.SentencePieceProcessor:
    """A sentencepiece model; T5's normalizer unless `options` say otherwise."""
    chosen = {"vocab_size": 140, "model_type": "unigram", "normalization_rule_name": "nmt_nfkc", **options}
    prefix = file.with_name("trained")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES + CODE), model_prefix=str(prefix), hard_vocab_limit=False, minloglevel=2, **chosen
    )
    prefix.with_suffix(".model").replace(file)
    prefix.with_suffix(".vocab").unlink()
    return sentencepiece.SentencePieceProcessor(str(file))


def pieces(file: Path) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor(str(file))
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]


def byte_pairs(folder: Path, specials: list[str], *, last: tuple[str, ...] = ()) -> int:
    """vocab.json and merges.txt as OpenAI and fairseq wrote them; the number of pieces."""
    inner = tokenizers.Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=340, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator(LINES, trainer)
    described = json.loads(inner.to_str())["model"]
    vocabulary = described["vocab"] | {piece: len(described["vocab"]) + number for number, piece in enumerate(last)}
    write(folder, "vocab.json", vocabulary)
    lines = ["#version: 0.2", *(" ".join(merge) for merge in described["merges"])]
    (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(vocabulary)


def word_pieces(folder: Path, specials: list[str], *, lowercase: bool) -> int:
    """BERT's vocab.txt; the number of pieces."""
    inner = tokenizers.BertWordPieceTokenizer(lowercase=lowercase)
    inner.train_from_iterator(LINES, vocab_size=180, special_tokens=specials, show_progress=False)
    ordered = sorted(inner.get_vocab().items(), key=lambda item: item[1])
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece, _ in ordered), encoding="utf-8")
    return len(ordered)


def write(folder: Path, file: str, values: dict[str, Any]) -> None:
    (folder / file).write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")


def said(folder: Path, kind: str | None, **fields: Any) -> None:
    """tokenizer_config.json."""
    write(folder, "tokenizer_config.json", ({"tokenizer_class": kind} if kind else {}) | fields)


def token(content: str, **flags: bool) -> dict[str, Any]:
    """A special piece as tokenizer_config.json and special_tokens_map.json write it."""
    return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False} | flags
