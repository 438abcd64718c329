"""Models as their best-known repositories hold them: names of tensors, fields of config.json, and files.

The weights are random and small; names, fields and files are those of the repository that each is called after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import transformers as t
from safetensors.torch import save_file

from tests.model.pretrained.hub.repositories import REPOSITORIES
from tests.model.pretrained.hub.writing import write
from tests.model.pretrained.small import COMMON, LONG, PAIR, T5, marian, nllb, roberta, shaken

Tensors = dict[str, torch.Tensor]
SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
_OLD = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
_DISTIL = {"dim": 16, "n_heads": 4, "n_layers": 2, "hidden_dim": 24}
_GPT2 = {"n_embd": 16, "n_head": 4, "n_layer": 2, "n_positions": 96, "n_ctx": 96}
_LLAMA = {**COMMON, **LONG, "num_key_value_heads": 2, "hidden_act": "silu", "rms_norm_eps": 1e-5}
_FAIRSEQ = {"add_bias_logits": False, "add_final_layer_norm": False, "normalize_before": False, "output_past": False,
            "static_position_embeddings": False, "classif_dropout": 0.0, "num_hidden_layers": 2}  # fmt: skip


@dataclass(frozen=True)
class Published:
    """The model's class and the sizes of its config, what else its config.json says, and its tensors and files."""

    model: Any
    sizes: dict[str, Any]
    tokenizer: str | Callable[[Path], dict[str, Any]]  # in `REPOSITORIES`, or what writes it
    said: dict[str, Any] = field(default_factory=dict)  # in config.json
    change: Callable[[Tensors], Tensors] = lambda tensors: tensors
    file: str = PICKLED


def without(*names: str) -> Callable[[Tensors], Tensors]:
    """All tensors but those whose name ends so."""
    return lambda tensors: {name: tensor for name, tensor in tensors.items() if not name.endswith(names)}


def renamed(*pairs: tuple[str, str]) -> Callable[[Tensors], Tensors]:
    def change(tensors: Tensors) -> Tensors:
        for old, new in pairs:
            tensors = {name.replace(old, new): tensor for name, tensor in tensors.items()}
        return tensors

    return change


def unprefixed(prefix: str, *lost: str) -> Callable[[Tensors], Tensors]:
    """As the model inside saves it."""
    kept = without(*lost) if lost else lambda tensors: tensors
    return lambda tensors: {name.removeprefix(prefix): tensor for name, tensor in kept(tensors).items()}


def too(**more: Callable[[Tensors], torch.Tensor]) -> Callable[[Tensors], Tensors]:
    """More tensors, by their names with `__` for a dot."""
    return lambda tensors: tensors | {name.replace("__", "."): make(tensors) for name, make in more.items()}


def _version(_: Tensors) -> torch.Tensor:
    return torch.tensor([3.0])


def _first_bert(tensors: Tensors) -> Tensors:
    """bert-base-uncased: as TensorFlow named norms, with both heads of its training and no table of the output."""
    tensors = without("decoder.weight", "decoder.bias")(tensors)
    return renamed(*_OLD.items())(tensors)


def _masks(count: int, name: str) -> Callable[[Tensors], Tensors]:
    """The masks that old classes kept as buffers."""
    return lambda tensors: (
        tensors
        | {
            name.format(layer=layer, what=what): value
            for layer in range(count)
            for what, value in (("bias", torch.ones(96, 96).tril()[None, None]), ("masked_bias", torch.tensor(-1e4)))
        }
    )


def _pythia(tensors: Tensors) -> Tensors:
    tensors = _masks(2, "gpt_neox.layers.{layer}.attention.{what}")(renamed(("lm_head.", "embed_out."))(tensors))
    inverse = {f"gpt_neox.layers.{layer}.attention.rotary_emb.inv_freq": torch.ones(2) for layer in range(2)}
    return tensors | inverse


def _madlad(tensors: Tensors) -> Tensors:
    """One table for both sides under the name of the decoder's, and its own output."""
    tensors = without("shared.weight", "encoder.embed_tokens.weight")(tensors)
    return tensors | {"lm_head.weight": torch.randn_like(tensors["lm_head.weight"])}


def _relative(tensors: Tensors) -> Tensors:
    """t5-small has one bias more than the model reads."""
    name = "decoder.block.0.layer.{}.{}.relative_attention_bias.weight"
    return tensors | {name.format(1, "EncDecAttention"): torch.randn_like(tensors[name.format(0, "SelfAttention")])}


_HEAD = ("lm_head.weight", "final_logits_bias")
MODELS = {
    "Helsinki-NLP/opus-mt-en-de": Published(
        t.MarianMTModel, {**PAIR, **LONG, "activation_function": "swish", "scale_embedding": True}, marian,
        {**_FAIRSEQ, "static_position_embeddings": True, "normalize_embedding": False, "num_beams": 6},
    ),
    "google/pegasus-xsum": Published(
        t.PegasusForConditionalGeneration, {**PAIR, **LONG, "activation_function": "relu", "scale_embedding": True},
        "pegasus",
        {"normalize_before": True, "add_final_layer_norm": True, "static_position_embeddings": True, "num_beams": 8,
         "extra_pos_embeddings": 1, "length_penalty": 0.6},
    ),
    "facebook/nllb-200-distilled-600M": Published(
        t.M2M100ForConditionalGeneration,
        {**PAIR, **LONG, "scale_embedding": True, "activation_function": "relu"}, nllb, {"max_length": 200},
    ),
    "facebook/mbart-large-50-many-to-many-mmt": Published(
        t.MBartForConditionalGeneration, {**PAIR, **LONG, "scale_embedding": True, "activation_function": "gelu"},
        "mbart50", {"normalize_before": True, "add_final_layer_norm": True, "normalize_embedding": True},
    ),
    "facebook/bart-base": Published(
        t.BartForConditionalGeneration, {**PAIR, **LONG, "activation_function": "gelu"}, "bart",
        {**_FAIRSEQ, "architectures": ["BartModel"], "normalize_embedding": True, "gradient_checkpointing": False},
        unprefixed("model.", *_HEAD), SAFE,
    ),
    "facebook/bart-large-cnn": Published(
        t.BartForConditionalGeneration, {**PAIR, **LONG, "activation_function": "gelu"}, "bart",
        {**_FAIRSEQ, "normalize_embedding": True},
        too(model__encoder__version=_version, model__decoder__version=_version),
    ),
    "google-t5/t5-small": Published(
        t.T5ForConditionalGeneration, T5, "t5-v1_1",
        {"n_positions": 512, "output_past": True, "task_specific_params": {"summarization": {"num_beams": 4}}},
        _relative,
    ),
    "google/t5-v1_1-small": Published(
        t.T5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, "t5-v1_1",
        {"tie_word_embeddings": False, "output_past": True, "tokenizer_class": "T5Tokenizer"},
        too(lm_head__weight=lambda tensors: torch.randn_like(tensors["shared.weight"])),
    ),
    "google/flan-t5-small": Published(
        t.T5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, "t5-v1_1",
        {"tie_word_embeddings": False, "dense_act_fn": "gelu_new", "is_gated_act": True, "n_positions": 512},
        too(lm_head__weight=lambda tensors: torch.randn_like(tensors["shared.weight"])), SAFE,
    ),
    "google/mt5-small": Published(
        t.MT5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, "t5-v1_1",
        {"tie_word_embeddings": False, "tokenizer_class": "T5Tokenizer"},
        too(lm_head__weight=lambda tensors: torch.randn_like(tensors["shared.weight"])),
    ),
    "google/byt5-small": Published(
        t.T5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu", "num_decoder_layers": 1}, "byt5",
        {"tie_word_embeddings": False, "tokenizer_class": "ByT5Tokenizer"},
        too(lm_head__weight=lambda tensors: torch.randn_like(tensors["shared.weight"])),
    ),
    "google/madlad400-3b-mt": Published(
        t.T5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}, "t5-v1_1",
        {"tie_word_embeddings": False, "dense_act_fn": "gelu_new", "is_gated_act": True}, _madlad, SAFE,
    ),
    "openai-community/gpt2": Published(
        t.GPT2LMHeadModel, _GPT2, "gpt2", {"summary_type": "cls_index", "activation_function": "gelu_new"},
        lambda tensors: _masks(2, "h.{layer}.attn.{what}")(unprefixed("transformer.", "lm_head.weight")(tensors)),
        SAFE,
    ),
    "distilbert/distilgpt2": Published(
        t.GPT2LMHeadModel, _GPT2, "gpt2", {"_num_labels": 1}, _masks(2, "transformer.h.{layer}.attn.{what}"),
    ),
    "EleutherAI/gpt-neo-125m": Published(
        t.GPTNeoForCausalLM,
        {"hidden_size": 16, "num_heads": 4, "num_layers": 2, "attention_types": [[["global", "local"], 1]],
         "window_size": 5, **LONG},
        "gpt2", {"attention_layers": ["global", "local"], "embed_dropout": 0},
        _masks(2, "transformer.h.{layer}.attn.attention.{what}"),
    ),
    "EleutherAI/pythia-70m": Published(
        t.GPTNeoXForCausalLM, {**COMMON, **LONG, "hidden_size": 64}, "gpt-neox",
        {"rotary_pct": 0.25, "rotary_emb_base": 10000, "use_parallel_residual": True, "tie_word_embeddings": False},
        _pythia,
    ),
    "facebook/opt-125m": Published(
        t.OPTForCausalLM, {**COMMON, **LONG, "ffn_dim": 24, "word_embed_proj_dim": 16}, "opt",
        {"prefix": "</s>", "_remove_final_layer_norm": False}, unprefixed("model.", "lm_head.weight"),
    ),
    "facebook/opt-350m": Published(
        t.OPTForCausalLM,
        {**COMMON, **LONG, "ffn_dim": 24, "word_embed_proj_dim": 10, "do_layer_norm_before": False}, "opt",
        {"prefix": "</s>"},
    ),
    "TinyLlama/TinyLlama-1.1B-Chat-v1.0": Published(
        t.LlamaForCausalLM, _LLAMA, "llama", {"rope_scaling": None, "rope_theta": 10000.0}, file=SAFE
    ),
    "meta-llama/Llama-2-7b-hf": Published(
        t.LlamaForCausalLM, _LLAMA, "llama", {"rope_scaling": None, "pretraining_tp": 1},
        too(model__layers__0__self_attn__rotary_emb__inv_freq=lambda _: torch.ones(2)),
    ),
    "Qwen/Qwen3-0.6B": Published(
        t.Qwen3ForCausalLM, {**_LLAMA, "head_dim": 6, "tie_word_embeddings": True}, "qwen2",
        {"rope_theta": 1000000, "rope_scaling": None, "sliding_window": None, "max_window_layers": 28,
         "use_sliding_window": False}, file=SAFE,
    ),
    "Qwen/Qwen2-0.5B": Published(
        t.Qwen2ForCausalLM, {**_LLAMA, "tie_word_embeddings": True}, "qwen2",
        {"rope_theta": 1000000.0, "sliding_window": 32768, "max_window_layers": 24, "use_sliding_window": False},
        without("lm_head.weight"), SAFE,
    ),
    "mistralai/Mistral-7B-v0.1": Published(
        t.MistralForCausalLM, _LLAMA, "llama", {"rope_theta": 10000.0, "sliding_window": 4096}, file=SAFE
    ),
    "google/gemma-2b": Published(
        t.GemmaForCausalLM, {**COMMON, **LONG, "num_key_value_heads": 1, "head_dim": 6, "hidden_act": "gelu"}, "gemma",
        {"hidden_activation": None, "rope_scaling": None, "rope_theta": 10000.0}, without("lm_head.weight"), SAFE,
    ),
    "google-bert/bert-base-uncased": Published(
        t.BertForPreTraining, {**COMMON, **LONG}, "bert-uncased",
        {"type_vocab_size": 2, "architectures": ["BertForMaskedLM"], "position_embedding_type": "absolute"},
        _first_bert, SAFE,
    ),
    "sentence-transformers/all-MiniLM-L6-v2": Published(
        t.BertModel, {**COMMON, **LONG}, "bert-uncased", {"type_vocab_size": 2, "gradient_checkpointing": False},
        too(embeddings__position_ids=lambda _: torch.arange(96)[None]),
    ),
    "FacebookAI/roberta-base": Published(
        t.RobertaForMaskedLM, {**COMMON, **LONG, "type_vocab_size": 1, "layer_norm_eps": 1e-05}, roberta, {},
        too(roberta__embeddings__position_ids=lambda _: torch.arange(96)[None]),
    ),
    "FacebookAI/xlm-roberta-base": Published(
        t.XLMRobertaForMaskedLM, {**COMMON, **LONG, "type_vocab_size": 1, "layer_norm_eps": 1e-05}, "xlm-roberta", {},
        without("lm_head.decoder.bias"), SAFE,
    ),
    "almanach/camembert-base": Published(
        t.CamembertForMaskedLM, {**COMMON, **LONG, "type_vocab_size": 1, "layer_norm_eps": 1e-05}, "camembert",
        {"output_past": True}, without("lm_head.decoder.weight", "lm_head.decoder.bias"),
    ),
    "distilbert/distilbert-base-uncased": Published(
        t.DistilBertForMaskedLM, {**_DISTIL, **LONG}, "bert-uncased",
        {"sinusoidal_pos_embds": False, "tie_weights_": True, "qa_dropout": 0.1}, file=SAFE,
    ),
    "google/electra-small-discriminator": Published(
        t.ElectraForPreTraining, {**COMMON, **LONG, "embedding_size": 8}, "electra",
        {"type_vocab_size": 2, "summary_use_proj": True, "summary_type": "first"},
        too(electra__embeddings__position_ids=lambda _: torch.arange(96)[None]),
    ),
    "albert/albert-base-v2": Published(
        t.AlbertForPreTraining, {**COMMON, **LONG, "embedding_size": 10, "hidden_act": "gelu_new"}, "albert",
        {"type_vocab_size": 2, "architectures": ["AlbertForMaskedLM"], "down_scale_factor": 1, "gap_size": 0,
         "net_structure_type": 0, "num_memory_blocks": 0, "layers_to_keep": []}, file=SAFE,
    ),
}  # fmt: skip


def publish(name: str, folder: Path) -> None:
    """Write the repository's folder."""
    published = MODELS[name]
    folder.mkdir(parents=True, exist_ok=True)
    files = published.tokenizer if callable(published.tokenizer) else REPOSITORIES[published.tokenizer].files
    ids = files(folder)
    kind = published.model
    model = shaken(kind(kind.config_class(**published.sizes, **ids, attn_implementation="eager")))
    config = {"architectures": [kind.__name__], "model_type": model.config.model_type, "transformers_version": "4.27.0",
              "is_encoder_decoder": model.config.is_encoder_decoder, "torch_dtype": "float32"}  # fmt: skip
    write(folder, "config.json", config | published.sizes | ids | published.said)
    tensors = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    tensors = published.change(tensors)
    if published.file == PICKLED:
        torch.save(tensors, folder / PICKLED)
    else:
        save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, folder / SAFE, {"format": "pt"})
