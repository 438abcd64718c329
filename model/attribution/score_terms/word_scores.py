"""Which words look for which words: scores between words by their embeddings alone, in the first layer.

A head of the first self-attention of a side reads embeddings and positions, and nothing that an earlier part wrote. So
what the embeddings of two words give together is a number that no sentence changes, norms apart: these have the scale
that they have for the word by itself, averaged over the first `PLACES` positions. Biases, positions and what they add
to a score are left out.

W words, H heads, D numbers of a head, d numbers in the stream.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from model import masks
from model.analysis.layer_norm import affine
from model.analysis.residual_stream import Side
from model.attribution.attention_methods import attention_of
from model.attribution.score_terms.stream_parts import StreamParts, add_inputs
from model.attribution.score_terms.terms import unrotated
from model.position_methods import frequencies, rotated
from model.trace import path, silent, under
from model.transformer import MultiHeadAttention, Transformer

PLACES = 8
BLOCK = 512  # queries whose scores with all keys are in memory at once


@dataclass(frozen=True, eq=False)
class WordScores:
    """Scores of W words with each other in one head: q (W, D), divided by √D, and k (W, D), less the mean key.

    So a score is less its mean over the keys, as the softmax notices it.
    """

    q: np.ndarray
    k: np.ndarray

    def of(self, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """The scores of some queries with as many keys, both as places among the words, (P)."""
        result: np.ndarray = np.einsum("pd,pd->p", self.q[queries], self.k[keys])
        return result

    def with_query(self, word: int) -> np.ndarray:
        """The scores of one query with every key, (W)."""
        result: np.ndarray = self.k @ self.q[word]
        return result

    def with_key(self, word: int) -> np.ndarray:
        """The scores of every query with one key, (W)."""
        result: np.ndarray = self.q @ self.k[word]
        return result

    def strongest(self, most: int) -> tuple[np.ndarray, np.ndarray]:
        """The pairs with the largest scores of all, as many queries and keys, the largest first."""
        scores, codes, count = np.empty(0, np.float32), np.empty(0, np.int64), len(self.k)
        for start in range(0, len(self.q), BLOCK):
            block = (self.q[start : start + BLOCK] @ self.k.T).ravel()
            best = np.argpartition(-block, min(most, len(block)) - 1)[:most]
            scores, codes = np.concatenate([scores, block[best]]), np.concatenate([codes, best + start * count])
            order = np.argsort(-scores, kind="stable")[:most]
            scores, codes = scores[order], codes[order]
        return codes // count, codes % count


def word_scores(model: Transformer, side: Side, ids: np.ndarray, counts: np.ndarray, distance: int) -> list[WordScores]:
    """Of each head of the first self-attention of a side, for the words `ids` (W).

    counts    (W) how often each word is met: the mean key is that of what is met
    distance  tokens from the key to the query, where positions rotate both; else it makes no difference
    """
    attention, name = attention_of(model, side, 0), path(side, 0)
    heads = range(model.config.heads)
    sums = {letter: np.zeros((len(heads), len(ids), attention.head_size)) for letter in ("q", "k")}
    places = range(min(PLACES, model.config.max_length)) if _has_norms(model, attention) else range(1)
    for place in places:
        values = _alone(model, side, ids, place)
        embedding = _embedding(model, side, values, len(ids))
        for head in heads:
            for letter, total in sums.items():
                _, vectors = unrotated(attention, letter, head, embedding, 0, values, name)  # type: ignore[arg-type]
                total[head] += vectors[0] / len(places)
    if attention.rotary:
        frequency = frequencies(attention.head_size, attention.rotary_base, attention.frequencies)
        sums["q"] = rotated(torch.from_numpy(sums["q"])[..., None, :], distance, frequency)[..., 0, :].numpy()
    q, k = sums["q"] / np.sqrt(attention.head_size), sums["k"]
    k = k - np.average(k, axis=1, weights=counts)[:, None]
    return [WordScores(q[head].astype(np.float32), k[head].astype(np.float32)) for head in heads]


def _has_norms(model: Transformer, attention: MultiHeadAttention) -> bool:
    """Whether a norm stands before the scores, so that they depend on the position."""
    return model.config.norm == "pre" or model.config.embedding_norm or hasattr(attention, "norms")


def _alone(model: Transformer, side: Side, ids: np.ndarray, place: int) -> dict[str, np.ndarray]:
    """What the first attention reads of each word by itself at a place, by its recorded name, (W, d) each."""
    values = {}

    def keep(name: str, value: torch.Tensor) -> torch.Tensor:
        values[name] = value[:, 0].expand(len(ids), -1).cpu().numpy()
        return value

    with torch.inference_mode():
        given = torch.from_numpy(np.asarray(ids, dtype=np.int64))[:, None].to(model.device)
        read = read_first(model, side, model.embed(side, given, place, under(side, keep)))  # (W, 1, d)
        attention = attention_of(model, side, 0)
        for letter in ("q", "k") if hasattr(attention, "norms") else ():
            unnormed = attention.split(getattr(attention, letter)(read))[:, :, 0]  # (W, H, D)
            values[f"{path(side, 0)}.unnormed_{letter}"] = unnormed.transpose(0, 1).cpu().numpy()
    return values


def read_first(model: Transformer, side: Side, x: torch.Tensor) -> torch.Tensor:
    """What the first attention of a side reads of the stream that enters it, both (B, T, d)."""
    result: torch.Tensor = getattr(model, side)[0].residuals[0].norm(x) if model.config.norm == "pre" else x
    return result


def _embedding(model: Transformer, side: Side, values: dict[str, np.ndarray], count: int) -> StreamParts:
    """What is left of the embeddings when the first attention reads the stream: the one part, (W, d)."""
    parts = StreamParts(side, slice(0, count))
    add_inputs(parts, model, values, values)
    if model.config.norm == "pre":
        parts.normalise(affine(model, side, "0.self_attention"), values[f"{side}.input"])
    parts.places, parts.blocks = parts.places[:1], [parts.vectors[:1]]
    return parts


def first_weights(model: Transformer, side: Side, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The real weights of the first self-attention, (B, H, T, T), and where a query may look, for sentences (B, T)."""
    values: dict[str, np.ndarray] = {}

    def keep(name: str, value: torch.Tensor) -> torch.Tensor:
        if name in ("weights", "masked_scores"):
            values[name] = value.cpu().numpy()
        return value

    attention = attention_of(model, side, 0)
    with torch.inference_mode():
        given = torch.from_numpy(ids).to(model.device)
        read = read_first(model, side, model.embed(side, given, 0, silent))
        is_causal = side == "decoder" or model.config.causal_encoder
        window = model.config.window(0) if side == "decoder" else 0
        mask = masks.causal(ids.shape[1], device=model.device, window=window) if is_causal else None
        attention(read, read, mask, keep, bias=model.bias(side, 0, ids.shape[1]))
    return values["weights"], values["masked_scores"] > attention.mask_fill / 2
