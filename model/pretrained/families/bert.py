"""BERT (also MiniLM), RoBERTa, DistilBERT, ELECTRA and ALBERT: encoders, with or without a head that fills in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from model.config import SPAN
from model.errors import InvalidInput
from model.pretrained.converted import ACTIVATIONS, Converted, Fields
from model.pretrained.families.tables import tables
from model.pretrained.tensors import BUFFER, HEAD, NEVER_USED, Tensors

_NOTHING = {
    r".*embeddings\.(position_ids|token_type_ids)": BUFFER,
    r"(.*?pooler)\..*": HEAD,
    r"(cls\.seq_relationship)\..*": HEAD,
    r"(discriminator_predictions)\..*": HEAD,
    r"(sop_classifier)\..*": HEAD,
}
_KINDS = {  # what transformers calls a problem, and what the logits of labels then mean
    "single_label_classification": "one",
    "multi_label_classification": "several",
    "regression": "score",
}


@dataclass(frozen=True)
class _Names:
    """Names of the parts in a family."""

    prefix: str
    layers: str
    q: str
    k: str
    v: str
    output: str
    attention_norm: str
    hidden: str
    last: str
    layer_norm: str
    transform: tuple[str, str]  # dense layer and norm of the head
    bias: str
    decoder: str  # the output, whose table is mostly that of the embedding
    segments: bool  # whether a row for the first or the second of two sentences is added to each token
    follows: bool = True  # whether the head has the activation of the layers, else GELU
    fixed_eps: bool = False  # whether the ε of the norms is 1e-12 whatever the config says
    widening: str = ""  # the product that a narrow embedding goes through


_BERT = _Names(
    prefix="bert.",
    layers="encoder.layer",
    q="attention.self.query",
    k="attention.self.key",
    v="attention.self.value",
    output="attention.output.dense",
    attention_norm="attention.output.LayerNorm",
    hidden="intermediate.dense",
    last="output.dense",
    layer_norm="output.LayerNorm",
    transform=("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm"),
    bias="cls.predictions.bias",
    decoder="cls.predictions.decoder",
    segments=True,
)
_ROBERTA = replace(
    _BERT,
    prefix="roberta.",
    transform=("lm_head.dense", "lm_head.layer_norm"),
    bias="lm_head.bias",
    decoder="lm_head.decoder",
    follows=False,
)
_ELECTRA = replace(
    _BERT,
    prefix="electra.",
    transform=("generator_predictions.dense", "generator_predictions.LayerNorm"),
    bias="generator_lm_head.bias",
    decoder="generator_lm_head",
    follows=False,
    widening="embeddings_project",
)
_ALBERT = _Names(
    prefix="albert.",
    layers="encoder.albert_layer_groups.0.albert_layers",
    q="attention.query",
    k="attention.key",
    v="attention.value",
    output="attention.dense",
    attention_norm="attention.LayerNorm",
    hidden="ffn",
    last="ffn_output",
    layer_norm="full_layer_layer_norm",
    transform=("predictions.dense", "predictions.LayerNorm"),
    bias="predictions.bias",
    decoder="predictions.decoder",
    segments=True,
    widening="encoder.embedding_hidden_mapping_in",
)
_DISTILBERT = _Names(
    prefix="distilbert.",
    layers="transformer.layer",
    q="attention.q_lin",
    k="attention.k_lin",
    v="attention.v_lin",
    output="attention.out_lin",
    attention_norm="sa_layer_norm",
    hidden="ffn.lin1",
    last="ffn.lin2",
    layer_norm="output_layer_norm",
    transform=("vocab_transform", "vocab_layer_norm"),
    bias="vocab_projector.bias",
    decoder="vocab_projector",
    segments=False,
    fixed_eps=True,
)


def bert(fields: Fields, tensors: Tensors) -> Converted:
    """A table of segments with one row, of a model that reads no pairs, is added to the positions."""
    _check_kind(fields)
    return _converted(fields, tensors, _BERT)


def roberta(fields: Fields, tensors: Tensors) -> Converted:
    """Positions are counted from the id of padding + 1; the rows before are cut."""
    _check_kind(fields)
    return _converted(fields, tensors, _ROBERTA, offset=(fields.id("pad_token_id", 1) or 0) + 1)


def distilbert(fields: Fields, tensors: Tensors) -> Converted:
    """BERT without segments; its config has other names."""
    return _converted(fields, tensors, _DISTILBERT)


def electra(fields: Fields, tensors: Tensors) -> Converted:
    """BERT with a narrow embedding; what tells replaced words from others is left out."""
    _check_kind(fields)
    return _converted(fields, tensors, _ELECTRA)


def albert(fields: Fields, tensors: Tensors) -> Converted:
    """BERT with a narrow embedding, and one layer's weights for all layers."""
    _check_kind(fields)
    fields.need("num_hidden_groups", 1, 1)
    fields.need("inner_group_num", 1, 1)
    return _converted(fields, tensors, _ALBERT, shared=True)


FAMILIES = {
    "bert": bert,
    "roberta": roberta,
    "camembert": roberta,
    "xlm-roberta": roberta,
    "distilbert": distilbert,
    "electra": electra,
    "albert": albert,
}


def _check_kind(fields: Fields) -> None:
    fields.need("position_embedding_type", "absolute", "absolute")
    fields.need("is_decoder", False, False)
    fields.need("add_cross_attention", False, False)


def _converted(fields: Fields, tensors: Tensors, names: _Names, offset: int = 0, *, shared: bool = False) -> Converted:
    d, vocabulary = fields.count("hidden_size", "dim"), fields.count("vocab_size")
    length = fields.count("max_position_embeddings")
    head = names.transform[0] + ".weight" in tensors
    narrow = fields.count("embedding_size", default=d) if names.widening else d
    prefix, default = tensors.prefix(names.prefix), "gelu_new" if shared else "gelu"
    activation = fields.choose("hidden_act" if names.segments else "activation", ACTIVATIONS, default)
    widened = f"{prefix}{names.widening}.weight" in tensors
    config: dict[str, Any] = {
        "architecture": "encoder",
        "source_vocabulary": vocabulary,
        "target_vocabulary": vocabulary if head else 0,
        "d_model": d,
        "embedding_size": narrow if widened else 0,
        "shared_layers": shared,
        "heads": fields.count("num_attention_heads", "n_heads"),
        "encoder_layers": fields.count("num_hidden_layers", "n_layers"),
        "decoder_layers": 0,
        "d_ff": fields.count("intermediate_size", "hidden_dim"),
        "norm_eps": 1e-12 if names.fixed_eps else fields.number("layer_norm_eps", 1e-12),
        "embedding_norm": True,
        "activation": activation,
        "output_activation": activation if names.follows else "gelu",
        "output_bias": head,
        "output_transform": head,
        "position": "learned",
        "scale_embedding": False,
        "dropout": fields.number("hidden_dropout_prob", 0.1),
        "max_length": length - offset,
    }
    segments = fields.count("type_vocab_size", default=2) if names.segments else 0
    config["segments"] = segments if segments > 1 else 0
    weights = _embedding(fields, tensors, f"{prefix}embeddings", names, config)
    weights |= _outputs(fields, tensors, f"{prefix}embeddings.word_embeddings.weight", names, config)
    weights["position_tables.encoder"] = weights["position_tables.encoder"][offset:]
    labels, label_head = _labels(fields, tensors, prefix, d)
    config |= labels
    weights |= label_head
    if widened:
        weights |= tensors.linear(f"{prefix}{names.widening}", "widening", narrow, d)
    for number in range(1 if shared else config["encoder_layers"]):
        weights |= _layer(tensors, f"{prefix}{names.layers}.{number}", f"encoder.{number}", names, config)
    tensors.account(_NOTHING | ({re.escape(names.bias): NEVER_USED} if head else {}))
    return Converted(config, weights)


def _labels(fields: Fields, tensors: Tensors, prefix: str, d: int) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The head that tells labels apart, if there is one: the fields of our config, and its weights."""
    parts = {  # names of a layer before the labels, its activation, and the name of the last layer
        ("classifier.dense", "classifier.out_proj"): "gelu" if prefix == _ELECTRA.prefix else "tanh",
        ("pre_classifier", "classifier"): "relu",
        (f"{prefix}pooler.dense", "classifier"): "tanh",
        (f"{prefix}pooler", "classifier"): "tanh",
        ("", "classifier"): "none",
    }
    written_by = fields.architecture
    if written_by.endswith("ForMultipleChoice"):
        raise InvalidInput("import_choices", kind=written_by)
    each = written_by.endswith("ForTokenClassification")
    if each:
        parts = {("", "classifier"): "none"}
    elif written_by.endswith("ForSequenceClassification"):
        del parts["", "classifier"]
    if "qa_outputs.weight" in tensors:
        weights = tensors.linear("qa_outputs", "label_head.output", d, len(SPAN))
        return {"labels": SPAN, "label_each": True, "label_kind": "span"}, weights
    fitting = [names for names in parts if all(f"{name}.weight" in tensors for name in names if name)]
    if not fitting:
        return {}, {}
    if len(fitting) > 1 and ("", "classifier") in fitting:  # labels of tokens, or of the sentence
        classes = "…ForSequenceClassification, …ForTokenClassification"
        raise InvalidInput("import_field", field="architectures", value=written_by, choices=classes)
    found = fitting[0]
    names = fields.get("id2label") or {str(n): f"LABEL_{n}" for n in range(fields.get("num_labels", 2))}
    labels = tuple(str(names[key]) for key in sorted(names, key=int))
    kind = "one" if each else fields.choose("problem_type", _KINDS, "single_label_classification")
    if kind == "one" and len(labels) == 1:  # as transformers decides where no problem is named
        kind = "score"
    dense, last = found
    weights = tensors.linear(last, "label_head.output", d, len(labels))
    if dense:
        weights |= tensors.linear(dense, "label_head.dense", d, d)
    described = {"labels": labels, "label_each": not dense, "label_kind": kind, "label_activation": parts[found]}
    return described, weights


def _embedding(fields: Fields, tensors: Tensors, name: str, names: _Names, config: dict) -> dict[str, Tensor]:
    d, length = config["embedding_size"] or config["d_model"], fields.count("max_position_embeddings")
    positions = tensors.take(f"{name}.position_embeddings.weight", length, d)
    weights = {}
    if names.segments:
        table = tensors.take(f"{name}.token_type_embeddings.weight", fields.count("type_vocab_size", default=2), d)
        if config["segments"]:
            weights["segment_embedding.weight"] = table
        else:
            positions = positions + table[0]
    weights["position_tables.encoder"] = positions
    return weights | tensors.norm(f"{name}.LayerNorm", "embedding_norms.encoder", d)


def _outputs(fields: Fields, tensors: Tensors, table: str, names: _Names, config: dict) -> dict[str, Tensor]:
    """The embedding's table and, where there is a head that fills in words, what it is made of."""
    vocabulary, d, (dense, norm) = config["source_vocabulary"], config["d_model"], names.transform
    width = config["embedding_size"] or d
    rows = {"source": (table, vocabulary)}
    rows |= {"output": (f"{names.decoder}.weight", vocabulary)} if config["target_vocabulary"] else {}
    tied = fields.flag("tie_word_embeddings", True)
    kind, weights = tables(tensors, rows, width, [(f"{names.decoder}.weight", table)], tied=tied)
    config["tied_embeddings"] = kind if config["target_vocabulary"] else "none"
    if config["target_vocabulary"]:
        decoder = f"{names.decoder}.bias"  # which is added; the other name is a copy of it
        bias = tensors.owners([(decoder, names.bias)], tied=tied).get(decoder, decoder)
        weights["output.bias"] = tensors.take(bias, vocabulary)
        weights |= tensors.linear(dense, "output_transform.dense", d, width)
        weights |= tensors.norm(norm, "output_transform.norm", width)
    return weights


def _layer(tensors: Tensors, theirs: str, ours: str, names: _Names, config: dict) -> dict[str, Tensor]:
    d, d_ff = config["d_model"], config["d_ff"]
    weights: dict[str, Tensor] = {}
    for part in ("q", "k", "v", "output"):
        weights |= tensors.linear(f"{theirs}.{getattr(names, part)}", f"{ours}.self_attention.{part}", d, d)
    weights |= tensors.linear(f"{theirs}.{names.hidden}", f"{ours}.feed_forward.hidden", d, d_ff)
    weights |= tensors.linear(f"{theirs}.{names.last}", f"{ours}.feed_forward.output", d_ff, d)
    weights |= tensors.norm(f"{theirs}.{names.attention_norm}", f"{ours}.residuals.0.norm", d)
    return weights | tensors.norm(f"{theirs}.{names.layer_norm}", f"{ours}.residuals.1.norm", d)
