"""The encoder-decoder Transformer of "Attention Is All You Need", parts before whole.

B batch, T tokens (S of the source), Q queries, K keys, H heads, D = d_model / H, V vocabulary.
Masks are true where a key may be seen. `tap(name, value)` is handed every value worth seeing and
the pass goes on with what it returns; see `model.trace`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from model.refused import Refused
from model.trace import Tap, silent, under

LONGEST = 8192  # positions; a config from a stranger must not ask for a table of any size
_COUNTS = (
    "source_vocabulary",
    "target_vocabulary",
    "d_model",
    "heads",
    "encoder_layers",
    "decoder_layers",
    "d_ff",
    "max_length",
)


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """Sizes and choices of one Transformer. Raises `Refused` where two of them cannot stand together."""

    source_vocabulary: int
    target_vocabulary: int
    d_model: int = 512
    heads: int = 8
    encoder_layers: int = 6
    decoder_layers: int = 6
    d_ff: int = 2048
    norm: Literal["pre", "post"] = "post"
    final_norm: bool = False  # one more LayerNorm after each stack
    tied_embeddings: bool = False  # source, target and output share one table (section 3.4)
    dropout: float = 0.1
    max_length: int = 512

    def __post_init__(self) -> None:
        for field in _COUNTS:
            if not isinstance(getattr(self, field), int) or getattr(self, field) < 1:
                raise Refused("config_positive", field=field, value=getattr(self, field))
        if self.max_length > LONGEST:
            raise Refused("config_long", value=self.max_length, limit=LONGEST)
        if self.d_model % 2:
            raise Refused("config_odd", d_model=self.d_model)
        if self.d_model % self.heads:
            raise Refused("config_heads", d_model=self.d_model, heads=self.heads)
        if self.norm not in ("pre", "post"):
            raise Refused("config_choice", field="norm", value=self.norm, choices="pre, post")
        if self.tied_embeddings and self.source_vocabulary != self.target_vocabulary:
            raise Refused("config_tied", source=self.source_vocabulary, target=self.target_vocabulary)
        if not 0 <= self.dropout < 1:
            raise Refused("config_dropout", value=self.dropout)


def sinusoidal_positions(length: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """The table of section 3.5: sin in even columns, cos in odd ones, one frequency per pair.

    Returns (length, d_model), without unit, each entry in [-1, 1].
    """
    frequency = base ** (-torch.arange(0, d_model, 2) / d_model)  # (d_model / 2), rad per position
    angle = torch.arange(length)[:, None] * frequency  # (length, d_model / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (length, d_model)


def attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor, dropout: Callable[[Tensor], Tensor], tap: Tap = silent
) -> Tensor:
    """softmax(q kᵀ / √D) v, equation 1. q (B, H, Q, D), k and v (B, H, K, D), mask to (B, H, Q, K)."""
    scores = tap("scores", q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)))  # (B, H, Q, K)
    masked_scores = tap("masked_scores", scores.masked_fill(~mask, -math.inf))  # (B, H, Q, K)
    weights = tap("weights", masked_scores.softmax(dim=-1))  # (B, H, Q, K)
    return tap("head_outputs", dropout(weights) @ v)  # (B, H, Q, D)


class KeyValues:
    """Keys and values that one attention has already computed, owned by one decoding run."""

    def __init__(self, *, grows: bool):
        self.grows = grows  # self-attention adds a row each step, cross-attention keeps its first
        self.k: Tensor | None = None
        self.v: Tensor | None = None

    def add(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Append along the key axis and return everything so far, (B, H, K, D) each."""
        self.k = k if self.k is None else torch.cat([self.k, k], dim=2)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=2)
        return self.k, self.v


class MultiHeadAttention(nn.Module):
    """concat(head_1 … head_H) W^O, section 3.2.2."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.heads = config.heads
        self.q = nn.Linear(config.d_model, config.d_model)
        self.k = nn.Linear(config.d_model, config.d_model)
        self.v = nn.Linear(config.d_model, config.d_model)
        self.output = nn.Linear(config.d_model, config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, queries: Tensor, memory: Tensor, mask: Tensor, tap: Tap = silent, cache: KeyValues | None = None
    ) -> Tensor:
        q = tap("q", self.split(self.q(queries)))  # (B, H, Q, D)
        if cache is not None and cache.k is not None and cache.v is not None and not cache.grows:
            k, v = cache.k, cache.v
        else:
            k = tap("k", self.split(self.k(memory)))  # (B, H, K, D)
            v = tap("v", self.split(self.v(memory)))  # (B, H, K, D)
            if cache is not None:
                k, v = cache.add(k, v)
        head_outputs = attention(q, k, v, mask, self.dropout, tap)
        return tap("output", self.output(head_outputs.transpose(1, 2).flatten(2)))  # (B, Q, d_model)

    def split(self, x: Tensor) -> Tensor:
        """(B, T, d_model) to (B, H, T, D)."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Module):
    """max(0, x W₁ + b₁) W₂ + b₂, equation 2, for each token alone."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.hidden = nn.Linear(config.d_model, config.d_ff)
        self.output = nn.Linear(config.d_ff, config.d_model)

    def forward(self, x: Tensor, tap: Tap = silent) -> Tensor:
        hidden = tap("hidden", self.hidden(x).relu())  # (B, T, d_ff)
        return tap("output", self.output(hidden))  # (B, T, d_model)


class Residual(nn.Module):
    """LayerNorm(x + Sublayer(x)) as in section 3.1 (post), or x + Sublayer(LayerNorm(x)) (pre)."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.pre = config.norm == "pre"
        self.norm = nn.LayerNorm(config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self.pre:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.residuals = nn.ModuleList(Residual(config) for _ in range(2))

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = silent) -> Tensor:
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, mask, under("self_attention", tap)))
        x = tap("self_attention.residual", x)  # (B, S, d_model)
        x = self.residuals[1](x, lambda y: self.feed_forward(y, under("feed_forward", tap)))
        return tap("feed_forward.residual", x)  # (B, S, d_model)


class LayerCache:
    """What one decoder layer remembers from step to step."""

    def __init__(self) -> None:
        self.self_attention = KeyValues(grows=True)
        self.cross_attention = KeyValues(grows=False)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder's output, then feed-forward."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.cross_attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.residuals = nn.ModuleList(Residual(config) for _ in range(3))

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        self_mask: Tensor,
        cross_mask: Tensor,
        tap: Tap = silent,
        cache: LayerCache | None = None,
    ) -> Tensor:
        self_cache = cache and cache.self_attention
        cross_cache = cache and cache.cross_attention
        self_tap, cross_tap = under("self_attention", tap), under("cross_attention", tap)
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, self_mask, self_tap, self_cache))
        x = tap("self_attention.residual", x)  # (B, T, d_model)
        x = self.residuals[1](x, lambda y: self.cross_attention(y, memory, cross_mask, cross_tap, cross_cache))
        x = tap("cross_attention.residual", x)  # (B, T, d_model)
        x = self.residuals[2](x, lambda y: self.feed_forward(y, under("feed_forward", tap)))
        return tap("feed_forward.residual", x)  # (B, T, d_model)


class Transformer(nn.Module):
    """Encoder, decoder and the projection to the target vocabulary (figure 1).

    Holds parameters only: what a pass computes leaves through its return value and its tap.
    """

    positions: Tensor

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        self.source_embedding = nn.Embedding(config.source_vocabulary, config.d_model)
        self.target_embedding = (
            self.source_embedding if config.tied_embeddings else nn.Embedding(config.target_vocabulary, config.d_model)
        )
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.encoder_norm = nn.LayerNorm(config.d_model) if config.final_norm else nn.Identity()
        self.decoder_norm = nn.LayerNorm(config.d_model) if config.final_norm else nn.Identity()
        self.output = nn.Linear(config.d_model, config.target_vocabulary, bias=False)
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("positions", sinusoidal_positions(config.max_length, config.d_model), persistent=False)
        self.initialise()
        if config.tied_embeddings:
            self.output.weight = self.target_embedding.weight

    def initialise(self) -> None:
        """Xavier for matrices; N(0, 1/d_model) for tables, so that a scaled embedding has variance 1."""
        for name, parameter in self.named_parameters():
            if "embedding" in name:
                nn.init.normal_(parameter, std=self.config.d_model**-0.5)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, source: Tensor, target: Tensor, source_mask: Tensor, tap: Tap = silent) -> Tensor:
        """Logits (B, T, V) of the token after each one of `target`.

        source (B, S) and target (B, T) are token ids; source_mask (B, S) is false on padding. The
        target needs no padding mask: padding stands at its end, where the causal mask hides it.
        """
        memory = self.encode(source, source_mask, tap)
        return self.decode(target, memory, source_mask, tap)

    def encode(self, source: Tensor, source_mask: Tensor, tap: Tap = silent) -> Tensor:
        """The encoder's output (B, S, d_model) for source ids (B, S)."""
        mask = source_mask[:, None, None, :]  # (B, 1, 1, S)
        x = self.embed(self.source_embedding, source, 0, under("encoder", tap))
        for number, layer in enumerate(self.encoder):
            x = layer(x, mask, under(f"encoder.{number}", tap))
        return tap("encoder.output", self.encoder_norm(x))

    def decode(
        self,
        target: Tensor,
        memory: Tensor,
        source_mask: Tensor,
        tap: Tap = silent,
        caches: list[LayerCache] | None = None,
    ) -> Tensor:
        """Logits (B, T, V) for target ids (B, T); with caches, `target` holds only the new tokens."""
        known = caches[0].self_attention.k if caches else None
        start = 0 if known is None else known.size(2)
        length = target.size(1)
        causal = torch.ones(length, start + length, dtype=torch.bool, device=target.device).tril(start)  # (T, K)
        cross_mask = source_mask[:, None, None, :]  # (B, 1, 1, S)
        x = self.embed(self.target_embedding, target, start, under("decoder", tap))
        for number, layer in enumerate(self.decoder):
            cache = caches[number] if caches else None
            x = layer(x, memory, causal, cross_mask, under(f"decoder.{number}", tap), cache)
        return tap("logits", self.output(tap("decoder.output", self.decoder_norm(x))))

    def embed(self, table: nn.Module, ids: Tensor, start: int, tap: Tap) -> Tensor:
        """Scaled embedding plus position (sections 3.4 and 3.5), (B, T, d_model)."""
        embedding = tap("embedding", table(ids) * math.sqrt(self.config.d_model))  # (B, T, d_model)
        position = tap("position", self.positions[None, start : start + ids.size(1)])  # (1, T, d_model)
        return self.dropout(tap("input", embedding + position))


def count_parameters(model: Transformer) -> dict[str, int]:
    """Parameters by part of the model, shared ones once, with the total last."""
    parts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = name.split(".")[0].removesuffix("_norm")
        parts[part] = parts.get(part, 0) + parameter.numel()
    return {**parts, "total": sum(parts.values())}
