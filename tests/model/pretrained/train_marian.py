"""Train a small Marian model with transformers on sentences of our grammars: a model that means something to import.

python -m tests.model.pretrained.train_marian de FOLDER     # or zh; ten minutes of one core
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import sentencepiece
import torch
import transformers

from corpora.grammar import load
from corpora.pairs import Pair, part

PAIRS = {"de": 40_000, "zh": 40_000}
STEPS, BATCH = 2500, 96
SIZES = {
    "d_model": 128, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 256, "decoder_ffn_dim": 256, "max_position_embeddings": 128,
}  # fmt: skip


def pairs(language: str) -> tuple[list[Pair], list[Pair]]:
    """Pairs to train on, and held-out ones."""
    drawn = load(language).generate(0, PAIRS[language])
    return part(drawn, "train"), part(drawn, "test")


def tokenizer(folder: Path, training: list[Pair]) -> transformers.MarianTokenizer:
    """Two sentencepiece models and their list of pieces, as Marian has them."""
    sides = {"source": [pair.source for pair in training], "target": [pair.target for pair in training]}
    pieces: dict[str, None] = {}
    for side, lines in sides.items():
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines), model_prefix=str(folder / side), vocab_size=1200, hard_vocab_limit=False,
            model_type="unigram", minloglevel=2, character_coverage=1.0,
        )  # fmt: skip
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
        (folder / f"{side}.vocab").unlink()
        processor = sentencepiece.SentencePieceProcessor(str(folder / f"{side}.spm"))
        pieces |= dict.fromkeys(map(processor.id_to_piece, range(processor.get_piece_size())))
    known = [piece for piece in pieces if piece not in ("<s>", "</s>", "<unk>")]
    vocabulary = {piece: id_ for id_, piece in enumerate(["</s>", "<unk>", *known, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    return transformers.MarianTokenizer.from_pretrained(folder)


def train(language: str, folder: Path, steps: int = STEPS) -> None:
    """Write the model of `language` into English, as `save_pretrained` does, with its tokenizer and a README."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    folder.mkdir(parents=True, exist_ok=True)
    training, _ = pairs(language)
    cut = tokenizer(folder, training)
    pad = cut.get_vocab()["<pad>"]
    config = transformers.MarianConfig(
        **SIZES, vocab_size=len(cut.get_vocab()), activation_function="swish", scale_embedding=True,
        pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad, bad_words_ids=[[pad]], dropout=0.0,
    )  # fmt: skip
    model = transformers.MarianMTModel(config).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = transformers.get_cosine_schedule_with_warmup(optimizer, steps // 20, steps)
    rng = random.Random(0)
    for step in range(steps):
        batch = rng.sample(training, BATCH)
        read = cut([pair.source for pair in batch], return_tensors="pt", padding=True)
        wanted = cut(text_target=[pair.target for pair in batch], return_tensors="pt", padding=True)["input_ids"]
        loss = model(**read, labels=wanted.masked_fill(wanted == pad, -100)).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
    model.eval().save_pretrained(folder)
    front = f"---\nlanguage: [{language}, en]\nlicense: mit\n---\n"
    (folder / "README.md").write_text(front, encoding="utf-8")


if __name__ == "__main__":
    train(sys.argv[1], Path(sys.argv[2]))
