"""Small models of each family, made with transformers: random weights, shaken so that swapped names show."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
import torch
import transformers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors, trainers

TEXTS = [
    "Wir gehen heute ins Kino. Der Hund schläft auf dem Sofa.",
    "We are going to the cinema today. The dog sleeps on the sofa, and the cat is in the garden.",
    "我们今天去看电影。火车站在哪里？",
    "translate English to German: The house is small. The school has a good teacher, doesn't it?",
    "Where is the station? It's over there — 15 minutes by bus. Ich hätte gern zwei Brötchen!",
] * 3
COMMON = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 16, "intermediate_size": 24}
PAIR = {
    "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24,
}  # fmt: skip
T5 = {"d_model": 16, "d_kv": 6, "num_heads": 4, "num_layers": 2, "d_ff": 24}
LABELS = {"id2label": {0: "bad", 1: "fair", 2: "good"}, "label2id": {"bad": 0, "fair": 1, "good": 2}}
SEVERAL = {**LABELS, "problem_type": "multi_label_classification"}
ONE = {"id2label": {0: "LABEL_0"}, "label2id": {"LABEL_0": 0}}
LONG = {"max_position_embeddings": 96}


@dataclass(frozen=True)
class Family:
    """How to build a small model: its class, its config without ids and sizes of vocabularies, its tokenizer."""

    model: Any
    config: Any
    fields: dict[str, Any]
    tokenizer: Callable[[Path], dict[str, int]]


def byte_level(folder: Path) -> tokenizers.Tokenizer:
    """GPT-2's kind, untrained pieces apart."""
    inner = tokenizers.Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    return inner


def _byte_trained(inner: tokenizers.Tokenizer, specials: list[str]) -> None:
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=360, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator(TEXTS, trainer)


def gpt2(folder: Path) -> dict[str, int]:
    inner = byte_level(folder)
    _byte_trained(inner, ["<|endoftext|>"])
    end = inner.token_to_id("<|endoftext|>")
    return _saved(inner, folder, {"bos_token_id": end, "eos_token_id": end})


def qwen2(folder: Path) -> dict[str, int]:
    inner = byte_level(folder)
    inner.normalizer = normalizers.NFC()
    _byte_trained(inner, ["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    ids = {"pad_token_id": inner.token_to_id("<|endoftext|>"), "eos_token_id": inner.token_to_id("<|im_end|>")}
    return _saved(inner, folder, {"bos_token_id": None, **ids})


def roberta(folder: Path) -> dict[str, int]:
    """RoBERTa's and BART's: `<mask>` takes the space before it."""
    inner = byte_level(folder)
    _byte_trained(inner, ["<s>", "<pad>", "</s>", "<unk>"])
    inner.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    inner.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return _saved(inner, folder, {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2})


def opt(folder: Path) -> dict[str, int]:
    """GPT-2's pieces after `</s>`, which stands before a text."""
    inner = byte_level(folder)
    _byte_trained(inner, ["<s>", "<pad>", "</s>", "<unk>"])
    inner.post_processor = processors.TemplateProcessing("</s> $A", special_tokens=[("</s>", 2)])
    return _saved(inner, folder, {"bos_token_id": 2, "pad_token_id": 1, "eos_token_id": 2})


def llama(folder: Path) -> dict[str, int]:
    """Llama's: pieces of words with ▁, and a piece for each byte that no other piece has."""
    inner = tokenizers.Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    inner.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    inner.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    specials = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=420, special_tokens=specials, show_progress=False)
    inner.train_from_iterator(TEXTS, trainer)
    described = json.loads(inner.to_str())
    described["added_tokens"] = [token for token in described["added_tokens"] if token["id"] < 3]
    inner = tokenizers.Tokenizer.from_str(json.dumps(described))
    inner.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    return _saved(inner, folder, {"bos_token_id": 1, "eos_token_id": 2})


def bert(folder: Path) -> dict[str, int]:
    inner = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    inner.normalizer = normalizers.BertNormalizer(lowercase=True)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = decoders.WordPiece()
    specials = ["[PAD]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=160, special_tokens=specials, show_progress=False)
    inner.train_from_iterator(TEXTS, trainer)
    inner.post_processor = processors.BertProcessing(("[SEP]", 4), ("[CLS]", 3))
    inner.enable_padding(length=24)  # as sentence-transformers saves it: no part of what a sentence is cut into
    inner.enable_truncation(max_length=64)
    return _saved(inner, folder, {"pad_token_id": 0})


def unigram(folder: Path) -> tokenizers.Tokenizer:
    """The kind of T5 and mBART."""
    inner = tokenizers.Tokenizer(models.Unigram())
    inner.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(tokenizers.Regex(" {2,}"), " ")])
    inner.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")
    inner.decoder = decoders.Metaspace("▁", prepend_scheme="always")
    return inner


def t5(folder: Path) -> dict[str, int]:
    inner = unigram(folder)
    specials = ["<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=specials, unk_token="<unk>", show_progress=False)
    inner.train_from_iterator(TEXTS, trainer)
    inner.add_special_tokens(["<extra_id_0>", "<extra_id_1>"])
    inner.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    return _saved(inner, folder, {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0})


def mbart(folder: Path) -> dict[str, int]:
    """Source: a text, `</s>`, its language; every output begins with a language."""
    inner = unigram(folder)
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=specials, unk_token="<unk>", show_progress=False)
    inner.train_from_iterator(TEXTS, trainer)
    inner.add_special_tokens(["en_XX", "de_DE"])
    english = inner.token_to_id("en_XX")
    inner.post_processor = processors.TemplateProcessing(
        "$A </s> en_XX", special_tokens=[("</s>", 2), ("en_XX", english)]
    )
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    return _saved(inner, folder, {**ids, "forced_bos_token_id": inner.token_to_id("de_DE")})


def pegasus(folder: Path) -> dict[str, int]:
    inner = unigram(folder)
    specials = ["<pad>", "</s>", "<mask_1>", "<mask_2>", "<unk_2>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=specials, unk_token="<unk>", show_progress=False)
    inner.train_from_iterator(TEXTS, trainer)
    inner.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": None}
    return _saved(inner, folder, ids)


def _told(folder: Path, inner: tokenizers.Tokenizer, trainer: Any, languages: list[str]) -> dict[str, int]:
    """A tokenizer whose sentences begin with their language; models are told which language to write."""
    inner.train_from_iterator(TEXTS, trainer)
    inner.add_special_tokens([*languages, "<mask>"])
    first = languages[0]
    inner.post_processor = processors.TemplateProcessing(
        f"{first} $A </s>", special_tokens=[("</s>", 2), (first, inner.token_to_id(first))]
    )
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    return _saved(inner, folder, ids)


def mbart50(folder: Path) -> dict[str, int]:
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=specials, unk_token="<unk>", show_progress=False)
    return _told(folder, unigram(folder), trainer, ["en_XX", "de_DE", "zh_CN"])


def nllb(folder: Path) -> dict[str, int]:
    inner = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    inner.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(tokenizers.Regex(" {2,}"), " ")])
    inner.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")
    inner.decoder = decoders.Metaspace("▁", prepend_scheme="always")
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(vocab_size=200, special_tokens=specials, show_progress=False)
    return _told(folder, inner, trainer, ["eng_Latn", "deu_Latn", "zho_Hans"])


def m2m100(folder: Path) -> dict[str, int]:
    """A sentencepiece model of the BPE kind, a list of its pieces, and the languages that transformers knows."""
    _sentencepiece(folder, "m", TEXTS * 3, vocab_size=150, model_type="bpe")
    (folder / "m.spm").rename(folder / "sentencepiece.bpe.model")
    pieces = _pieces(folder / "sentencepiece.bpe.model")
    vocabulary = {piece: id_ for id_, piece in enumerate(["<s>", "<pad>", "</s>", "<unk>", *pieces[3:]])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    tokenizer = transformers.M2M100Tokenizer(
        str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"), src_lang="en"
    )
    tokenizer.save_pretrained(folder)
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    return {"vocab_size": len(vocabulary) + 108, **ids}


def bart(folder: Path) -> dict[str, int]:
    return roberta(folder) | {"decoder_start_token_id": 2, "forced_bos_token_id": 0}


def _sentencepiece(folder: Path, name: str, lines: list[str], **options: Any) -> None:
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_prefix=str(folder / name), hard_vocab_limit=False, minloglevel=2,
        normalization_rule_name="nmt_nfkc", **options,
    )  # fmt: skip
    (folder / f"{name}.model").rename(folder / f"{name}.spm")
    (folder / f"{name}.vocab").unlink()


def _pieces(file: Path) -> list[str]:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(str(file))
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]


def _marian_pieces(folder: Path) -> list[list[str]]:
    """Two sentencepiece models; the pieces of each."""
    texts = {"source": [TEXTS[0], TEXTS[4]] * 20, "target": [TEXTS[1], TEXTS[3]] * 20}
    for side, lines in texts.items():
        _sentencepiece(folder, side, lines, vocab_size=60, model_type="unigram")
    specials = ("<s>", "</s>", "<unk>")
    return [[piece for piece in _pieces(folder / f"{side}.spm") if piece not in specials] for side in texts]


def marian(folder: Path) -> dict[str, int]:
    """Two sentencepiece models, and one list of the pieces of both."""
    source, target = _marian_pieces(folder)
    known = dict.fromkeys([*source, *target])
    vocabulary = {piece: id_ for id_, piece in enumerate(["</s>", "<unk>", *known, ">>deu<<", "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "MarianTokenizer"}))
    pad = vocabulary["<pad>"]
    return {
        "vocab_size": len(vocabulary), "pad_token_id": pad, "eos_token_id": 0, "decoder_start_token_id": pad,
        "bos_token_id": None, "forced_eos_token_id": None, "bad_words_ids": [[pad]],
    }  # fmt: skip


def marian_apart(folder: Path) -> dict[str, Any]:
    """A list of pieces for each language."""
    sides = [["</s>", "<unk>", *pieces] for pieces in _marian_pieces(folder)]
    length = max(map(len, sides))
    for file, pieces in zip(("vocab.json", "target_vocab.json"), sides, strict=True):
        filled = [*pieces, *(f"<filling{number}>" for number in range(length - len(pieces))), "<pad>"]
        ids = {piece: id_ for id_, piece in enumerate(filled)}
        (folder / file).write_text(json.dumps(ids, ensure_ascii=False), encoding="utf-8")
    said = {"tokenizer_class": "MarianTokenizer", "separate_vocabs": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    return {
        "vocab_size": length + 1, "decoder_vocab_size": length + 1, "pad_token_id": length, "eos_token_id": 0,
        "decoder_start_token_id": length, "bos_token_id": None, "forced_eos_token_id": None,
        "bad_words_ids": [[length]], "share_encoder_decoder_embeddings": False,
    }  # fmt: skip


def _saved(inner: tokenizers.Tokenizer, folder: Path, ids: dict[str, Any]) -> dict[str, Any]:
    inner.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    return {"vocab_size": inner.get_vocab_size(), **ids}


t = transformers
FAMILIES = {
    "marian": Family(
        t.MarianMTModel, t.MarianConfig,
        {**PAIR, **LONG, "activation_function": "swish", "scale_embedding": True}, marian,
    ),
    "marian-apart": Family(
        t.MarianMTModel, t.MarianConfig,
        {**PAIR, **LONG, "activation_function": "swish", "scale_embedding": True}, marian_apart,
    ),
    "pegasus": Family(
        t.PegasusForConditionalGeneration, t.PegasusConfig,
        {**PAIR, **LONG, "activation_function": "relu", "scale_embedding": True}, pegasus,
    ),
    "m2m100": Family(
        t.M2M100ForConditionalGeneration, t.M2M100Config, {**PAIR, **LONG, "scale_embedding": True}, m2m100
    ),
    "nllb": Family(
        t.M2M100ForConditionalGeneration, t.M2M100Config,
        {**PAIR, **LONG, "scale_embedding": True, "activation_function": "relu"}, nllb,
    ),
    "mbart50": Family(
        t.MBartForConditionalGeneration, t.MBartConfig, {**PAIR, **LONG, "scale_embedding": True}, mbart50
    ),
    "bart": Family(t.BartForConditionalGeneration, t.BartConfig, {**PAIR, **LONG}, bart),
    "mbart": Family(t.MBartForConditionalGeneration, t.MBartConfig, {**PAIR, **LONG, "scale_embedding": True}, mbart),
    "t5": Family(t.T5ForConditionalGeneration, t.T5Config, T5, t5),
    "flan-t5": Family(
        t.T5ForConditionalGeneration, t.T5Config,
        {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}, t5,
    ),
    "t5-encoder": Family(t.T5EncoderModel, t.T5Config, {**T5, "relative_attention_num_buckets": 10}, t5),
    "bart-decoder": Family(
        t.BartForCausalLM, t.BartConfig, {**PAIR, **LONG, "is_decoder": True, "is_encoder_decoder": False}, bart
    ),
    "mt5": Family(t.MT5ForConditionalGeneration, t.MT5Config, {**T5, "feed_forward_proj": "gated-gelu"}, t5),
    "gpt2": Family(t.GPT2LMHeadModel, t.GPT2Config, {"n_embd": 16, "n_head": 4, "n_layer": 2, "n_positions": 96}, gpt2),
    "llama": Family(
        t.LlamaForCausalLM, t.LlamaConfig, {**COMMON, **LONG, "num_key_value_heads": 2, "rope_theta": 500.0}, llama
    ),
    "qwen2": Family(
        t.Qwen2ForCausalLM, t.Qwen2Config, {**COMMON, **LONG, "num_key_value_heads": 2, "tie_word_embeddings": True},
        qwen2,
    ),
    "mistral": Family(
        t.MistralForCausalLM, t.MistralConfig, {**COMMON, **LONG, "num_key_value_heads": 1, "head_dim": 6}, llama
    ),
    "mistral-window": Family(
        t.MistralForCausalLM, t.MistralConfig, {**COMMON, **LONG, "num_key_value_heads": 2, "sliding_window": 5}, llama
    ),
    "llama3": Family(
        t.LlamaForCausalLM, t.LlamaConfig,
        {**COMMON, **LONG, "num_key_value_heads": 2, "rope_theta": 500.0, "hidden_size": 48, "rope_scaling": {
            "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 40}},
        llama,
    ),
    "qwen3": Family(
        t.Qwen3ForCausalLM, t.Qwen3Config,
        {**COMMON, **LONG, "num_key_value_heads": 2, "head_dim": 6, "tie_word_embeddings": True}, qwen2,
    ),
    "smollm3": Family(
        t.SmolLM3ForCausalLM, t.SmolLM3Config,
        {**COMMON, **LONG, "num_key_value_heads": 2, "no_rope_layer_interval": 2, "pad_token_id": None}, llama,
    ),
    "phi3": Family(
        t.Phi3ForCausalLM, t.Phi3Config,
        {**COMMON, **LONG, "num_key_value_heads": 2, "hidden_size": 32, "sliding_window": 5, "pad_token_id": None,
         "rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 0.5}},
        llama,
    ),
    "gemma": Family(
        t.GemmaForCausalLM, t.GemmaConfig, {**COMMON, **LONG, "num_key_value_heads": 1, "head_dim": 6}, llama
    ),
    "gpt-neo": Family(
        t.GPTNeoForCausalLM, t.GPTNeoConfig,
        {"hidden_size": 16, "num_heads": 4, "num_layers": 2, "attention_types": [[["global", "local"], 1]],
         "window_size": 5, "intermediate_size": 24, **LONG},
        gpt2,
    ),
    "pythia": Family(t.GPTNeoXForCausalLM, t.GPTNeoXConfig, {**COMMON, **LONG, "hidden_size": 64}, gpt2),
    "neox-serial": Family(
        t.GPTNeoXForCausalLM, t.GPTNeoXConfig,
        {**COMMON, **LONG, "use_parallel_residual": False, "rotary_pct": 0.5, "hidden_act": "gelu_fast"}, gpt2,
    ),
    "opt": Family(t.OPTForCausalLM, t.OPTConfig, {**COMMON, **LONG, "ffn_dim": 24, "word_embed_proj_dim": 16}, opt),
    "opt-350m": Family(
        t.OPTForCausalLM, t.OPTConfig,
        {**COMMON, **LONG, "ffn_dim": 24, "word_embed_proj_dim": 10, "do_layer_norm_before": False}, opt,
    ),
    "bert": Family(t.BertForMaskedLM, t.BertConfig, {**COMMON, **LONG}, bert),
    "roberta": Family(t.RobertaForMaskedLM, t.RobertaConfig, {**COMMON, **LONG, "type_vocab_size": 1}, roberta),
    "distilbert": Family(
        t.DistilBertForMaskedLM, t.DistilBertConfig, {"dim": 16, "n_heads": 4, "n_layers": 2, "hidden_dim": 24, **LONG},
        bert,
    ),
    "bert-labels": Family(t.BertForSequenceClassification, t.BertConfig, {**COMMON, **LONG, **LABELS}, bert),
    "bert-tokens": Family(t.BertForTokenClassification, t.BertConfig, {**COMMON, **LONG, **LABELS}, bert),
    "roberta-labels": Family(
        t.RobertaForSequenceClassification, t.RobertaConfig,
        {**COMMON, **LONG, **LABELS, "type_vocab_size": 1}, roberta,
    ),
    "distilbert-labels": Family(
        t.DistilBertForSequenceClassification, t.DistilBertConfig,
        {"dim": 16, "n_heads": 4, "n_layers": 2, "hidden_dim": 24, **LONG, **LABELS}, bert,
    ),
    "bert-several": Family(t.BertForSequenceClassification, t.BertConfig, {**COMMON, **LONG, **SEVERAL}, bert),
    "bert-score": Family(t.BertForSequenceClassification, t.BertConfig, {**COMMON, **LONG, **ONE}, bert),
    "roberta-score": Family(
        t.RobertaForSequenceClassification, t.RobertaConfig, {**COMMON, **LONG, **ONE, "type_vocab_size": 1}, roberta
    ),
    "bert-answers": Family(t.BertForQuestionAnswering, t.BertConfig, {**COMMON, **LONG}, bert),
    "roberta-answers": Family(
        t.RobertaForQuestionAnswering, t.RobertaConfig, {**COMMON, **LONG, "type_vocab_size": 1}, roberta
    ),
    "distilbert-answers": Family(
        t.DistilBertForQuestionAnswering, t.DistilBertConfig,
        {"dim": 16, "n_heads": 4, "n_layers": 2, "hidden_dim": 24, **LONG}, bert,
    ),
    "albert-answers": Family(
        t.AlbertForQuestionAnswering, t.AlbertConfig, {**COMMON, **LONG, "embedding_size": 10}, bert
    ),
    "electra-answers": Family(
        t.ElectraForQuestionAnswering, t.ElectraConfig, {**COMMON, **LONG, "embedding_size": 8}, bert
    ),
    "albert-labels": Family(
        t.AlbertForSequenceClassification, t.AlbertConfig, {**COMMON, **LONG, **LABELS, "embedding_size": 10}, bert
    ),
    "electra-labels": Family(
        t.ElectraForSequenceClassification, t.ElectraConfig, {**COMMON, **LONG, **LABELS, "embedding_size": 8}, bert
    ),
    "albert": Family(
        t.AlbertForMaskedLM, t.AlbertConfig, {**COMMON, **LONG, "embedding_size": 10, "hidden_act": "gelu_new"}, bert
    ),
    "electra": Family(t.ElectraForMaskedLM, t.ElectraConfig, {**COMMON, **LONG, "embedding_size": 8}, bert),
    "electra-wide": Family(t.ElectraForPreTraining, t.ElectraConfig, {**COMMON, **LONG, "embedding_size": 16}, bert),
    "minilm": Family(t.BertModel, t.BertConfig, {**COMMON, **LONG}, bert),
}  # fmt: skip


def build(name: str, folder: Path) -> Any:
    """A model of the family in eval mode, saved in `folder` with its tokenizer."""
    family = FAMILIES[name]
    folder.mkdir(parents=True, exist_ok=True)
    ids = family.tokenizer(folder)
    torch.manual_seed(1)
    model = shaken(family.model(family.config(**family.fields, **ids, attn_implementation="eager")))
    model.save_pretrained(folder)
    return model


def shaken(model: Any) -> Any:
    """The model in eval mode, each weight a little changed, so that two of one shape cannot be taken for another."""
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:  # not Marian's table of sines
                parameter += 0.2 * torch.randn(parameter.shape, generator=generator)
        for key, buffer in model.named_buffers():
            if key == "final_logits_bias":
                buffer += torch.randn(buffer.shape, generator=generator)
    return model.eval()
