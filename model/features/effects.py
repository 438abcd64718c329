"""What a feature does: the words that it makes likelier, the heads that read it, and the features that point its way.

V tokens of the vocabulary, d numbers of a vector, F features, B sentences, T rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.checkpoint.checkpoints import Checkpoint
from model.edit.edited_pass import compose
from model.errors import InvalidInput
from model.features import splice
from model.features.dictionary import Dictionary
from model.features.sites import Read, Site, padded, reads
from model.features.splice import Steering
from model.features.store import Stored
from model.tokenization.tokenizer import Tokenizer
from model.trace import AttentionKind, Tap
from model.transformer import MultiHeadAttention, Transformer

SENTENCES = 24  # in which a feature is removed


def direct(checkpoint: Checkpoint, site: Site, dictionary: Dictionary, feature: int) -> np.ndarray:
    """What one unit of a feature adds to the logit of each token straight away, (V) about a mean of 0.

    Of an encoder whose output is read by a decoder: through the values of every cross-attention head, each at weight 1.
    Of other sites: from the residual stream to the output layer. A norm is passed by its gain alone, without its scale.
    Raises `InvalidInput` for a model without an output layer.
    """
    model = checkpoint.model
    if not model.config.target_vocabulary:
        raise InvalidInput("features_words")
    with torch.inference_mode():
        x = dictionary.decoder[:, feature]  # (d)
        if model.config.encoder_layers and site.side == "encoder":
            x = x if site.writes == "encoder.output" else _through(model.encoder_norm, x)
        if model.config.architecture == "encoder-decoder" and site.side == "encoder":
            x = sum((_carried(layer.cross_attention, x) for layer in _layers(model.decoder)), torch.zeros_like(x))
        if model.config.decoder_layers and site.writes != "decoder.output":
            x = _through(model.decoder_norm, x)
        logits = model.predict(x[None]) - model.predict(torch.zeros_like(x)[None])  # (1, V)
    values: np.ndarray = (logits - logits.mean())[0].cpu().numpy()
    return values


def _through(norm: nn.Module, x: Tensor) -> Tensor:
    gain = getattr(norm, "weight", None)
    return x if gain is None else x * gain


def _carried(attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """What all heads write for a vector (d) that each reads at weight 1."""
    value = nn.functional.linear(x, attention.v.weight).view(-1, attention.head_size)  # (G, D)
    return nn.functional.linear(value.repeat_interleave(attention.sharing, dim=0).flatten(), attention.output.weight)


def measured(
    checkpoint: Checkpoint, site: Site, stored: Stored, feature: int, sentences: int = SENTENCES
) -> np.ndarray:
    """The probability of each token with the feature, less that without it, (V): summed over the rows of a sentence,
    the mean of the stored sentences in which it is strongest. The model reads its own output in both passes.
    Zeros where the feature is active nowhere. Raises `InvalidInput` for a model without an output layer."""
    model = checkpoint.model
    if not model.config.target_vocabulary:
        raise InvalidInput("features_words")
    texts = [stored.activations.sentences[each.sentence] for each in stored.activations.strongest(feature, sentences)]
    if not texts:
        return np.zeros(model.config.target_vocabulary)
    given = reads(checkpoint, texts, "decoder" if model.config.decoder_layers else "encoder")
    removed = splice.steered(site, stored.dictionary, [Steering(feature, 0.0, "set")])
    with torch.inference_mode():
        before, real = probabilities(model, given, compose(model))
        after, _ = probabilities(model, given, compose(model, removed))
        change = ((before - after) * real[..., None]).sum(dim=1).mean(dim=0)  # (V)
    values: np.ndarray = change.cpu().numpy()
    return values


def probabilities(model: Transformer, given: list[Read], tap: Tap) -> tuple[Tensor, Tensor]:
    """The probability of each token after each row, (B, T, V), and which rows are real, (B, T)."""
    source, source_real = padded([read.source for read in given], model.device)
    target, target_real = padded([read.target for read in given], model.device)
    has = bool(given[0].source), bool(given[0].target)
    logits = model(source if has[0] else None, target if has[1] else None, source_real if has[0] else None, tap)
    return logits.softmax(dim=-1), target_real if has[1] else source_real


def words(tokenizer: Tokenizer, values: np.ndarray, count: int = 8) -> list[tuple[int, str, float]]:
    """The tokens with the largest values (V), largest first: id, text as a user sees it, value."""
    order = np.argsort(-values, kind="stable")
    ids = [int(id_) for id_ in order if tokenizer.is_text(int(id_))][:count]
    return [(id_, text, float(values[id_])) for id_, text in zip(ids, tokenizer.tokens(ids), strict=True)]


@dataclass(frozen=True)
class Reading:
    """How much of a feature's direction the values of a head take, in units of what they take of a random one."""

    kind: AttentionKind
    layer: int
    head: int
    value: float


def heads(checkpoint: Checkpoint, site: Site, dictionary: Dictionary, feature: int) -> list[Reading]:
    """Every head that reads the site directly, those that take most of the feature first."""
    model = checkpoint.model
    found: list[Reading] = []
    with torch.inference_mode():
        x = dictionary.decoder[:, feature]
        for kind, layer, attention, norm in _readers(model, site):
            read = x if norm is None else _through(norm, x)
            for head in range(model.config.heads):
                group = head // attention.sharing
                rows = slice(group * attention.head_size, (group + 1) * attention.head_size)
                found.append(Reading(kind, layer, head, _taken(attention.v.weight[rows], read)))
    return sorted(found, key=lambda each: -each.value)


def _readers(model: Transformer, site: Site) -> list[tuple[AttentionKind, int, MultiHeadAttention, nn.Module | None]]:
    """Every attention that comes after a site, with the norm before it (None where there is none)."""
    readers: list[tuple[AttentionKind, int, MultiHeadAttention, nn.Module | None]] = []
    if site.layer is not None:
        kind: AttentionKind = "encoder" if site.side == "encoder" else "decoder"
        layers = _layers(model.encoder if kind == "encoder" else model.decoder)
        for number, layer in list(enumerate(layers))[site.layer + 1 :]:
            norm = layer.residuals[0].norm if model.config.norm == "pre" else None
            readers.append((kind, number, layer.self_attention, norm))
    if site.side == "encoder":
        norm = model.encoder_norm if site.layer is not None else None
        for number, layer in enumerate(_layers(model.decoder)):
            if layer.cross_attention is not None:
                readers.append(("cross", number, layer.cross_attention, norm))
    return readers


def _layers(stack: nn.ModuleList) -> list[Any]:
    return list(stack)


def _taken(weight: Tensor, direction: Tensor) -> float:
    """The length of weight (D, d) times a direction, over its root mean square over random directions."""
    length = direction.norm()
    usual = weight.norm() / direction.numel() ** 0.5 * length
    return float((weight @ direction).norm() / usual) if usual else 0.0


def neighbours(dictionary: Dictionary, feature: int, count: int = 6) -> list[tuple[int, float]]:
    """The features whose directions have the largest cosine with that of a feature, and it."""
    with torch.inference_mode():
        cosines = dictionary.decoder.T @ dictionary.decoder[:, feature]  # (F)
        cosines[feature] = -2.0
        best = cosines.topk(min(count, dictionary.features - 1))
    return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))
