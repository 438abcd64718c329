"""The Transformer of "Attention Is All You Need", parts before whole; one model for every system we show.

B batch, T tokens (S of the source), Q queries, K keys, H heads, D = d_model / H, V vocabulary.
Masks are true where a key may be seen. `tap(name, value)` is handed every value worth seeing and
the pass goes on with what it returns; see `model.trace`.
"""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from model import masks
from model.config import TransformerConfig
from model.trace import Tap, silent, starting_at, under


def sinusoidal_positions(length: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """The table of section 3.5: sin in even columns, cos in odd ones, one frequency per pair.

    Returns (length, d_model), without unit, each entry in [-1, 1].
    """
    frequency = base ** (-torch.arange(0, d_model, 2) / d_model)  # (d_model / 2), rad per position
    angle = torch.arange(length)[:, None] * frequency  # (length, d_model / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (length, d_model)


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout: Callable[[Tensor], Tensor],
    tap: Tap = silent,
    mask_fill: float = -math.inf,
) -> Tensor:
    """softmax(q kᵀ / √D) v, equation 1. q (B, H, Q, D), k and v (B, H, K, D), mask to (B, H, Q, K).

    Without a mask nothing is hidden. A row that may see nothing has no softmax: with −∞ it is NaN,
    with −1e9 uniform. `model.masks` refuses such a mask before it comes here.
    """
    scores = tap("scores", q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)))  # (B, H, Q, K)
    allowed = scores if mask is None else torch.where(mask, scores, mask_fill)
    masked_scores = tap("masked_scores", allowed)  # (B, H, Q, K)
    weights = tap("weights", masked_scores.softmax(dim=-1))  # (B, H, Q, K)
    return tap("head_outputs", dropout(weights) @ v)  # (B, H, Q, D)


class Dropout(nn.Dropout):
    """torch's, without asking torch to drop nothing: a decoding step would ask thirty times."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) if self.training else x


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
        self.mask_fill = float(config.mask_fill)
        self.q = nn.Linear(config.d_model, config.d_model, bias=config.projection_bias)
        self.k = nn.Linear(config.d_model, config.d_model, bias=config.projection_bias)
        self.v = nn.Linear(config.d_model, config.d_model, bias=config.projection_bias)
        self.output = nn.Linear(config.d_model, config.d_model, bias=config.projection_bias)
        self.dropout = Dropout(config.dropout)

    def forward(
        self, queries: Tensor, memory: Tensor, mask: Tensor | None, tap: Tap = silent, cache: KeyValues | None = None
    ) -> Tensor:
        q = tap("q", self.split(self.q(queries)))  # (B, H, Q, D)
        if cache is not None and cache.k is not None and cache.v is not None and not cache.grows:
            k, v = cache.k, cache.v
        else:
            k = tap("k", self.split(self.k(memory)))  # (B, H, K, D)
            v = tap("v", self.split(self.v(memory)))  # (B, H, K, D)
            if cache is not None:
                k, v = cache.add(k, v)
        head_outputs = attention(q, k, v, mask, self.dropout, tap, self.mask_fill)
        return tap("output", self.output(head_outputs.transpose(1, 2).flatten(2)))  # (B, Q, d_model)

    def split(self, x: Tensor) -> Tensor:
        """(B, T, d_model) to (B, H, T, D)."""
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


class FeedForward(nn.Module):
    """max(0, x W₁ + b₁) W₂ + b₂, equation 2, for each token alone; GELU in place of max where asked."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.hidden = nn.Linear(config.d_model, config.d_ff, bias=config.feed_forward_bias)
        self.activation = torch.relu if config.activation == "relu" else nn.functional.gelu
        self.output = nn.Linear(config.d_ff, config.d_model, bias=config.feed_forward_bias)

    def forward(self, x: Tensor, tap: Tap = silent) -> Tensor:
        hidden = tap("hidden", self.activation(self.hidden(x)))  # (B, T, d_ff)
        return tap("output", self.output(hidden))  # (B, T, d_model)


class TextbookLayerNorm(nn.Module):
    """γ (x − mean) / (std + ε) + β with the unbiased std: torch's result times √((d − 1) / d), nearly.

    torch divides by √(var + ε) with the biased variance.
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        return self.weight * centred / (x.std(dim=-1, keepdim=True) + self.eps) + self.bias


def layer_norm(config: TransformerConfig) -> nn.Module:
    """The kind of LayerNorm that the config asks for."""
    return nn.LayerNorm(config.d_model) if config.norm_kind == "torch" else TextbookLayerNorm(config.d_model)


class Residual(nn.Module):
    """LayerNorm(x + Sublayer(x)) as in section 3.1 (post), x + Sublayer(LayerNorm(x)) (pre), or bare."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.pre = config.norm == "pre"
        self.norm = nn.Identity() if config.norm == "none" else layer_norm(config)
        self.dropout = Dropout(config.dropout)

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
    """Masked self-attention, cross-attention to the encoder's output if there is one, then feed-forward."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.cross_attention = MultiHeadAttention(config) if config.architecture == "encoder-decoder" else None
        self.feed_forward = FeedForward(config)
        self.residuals = nn.ModuleList(Residual(config) for _ in range(3 if self.cross_attention else 2))

    def forward(
        self,
        x: Tensor,
        self_mask: Tensor | None,
        memory: Tensor | None,
        cross_mask: Tensor | None,
        tap: Tap = silent,
        cache: LayerCache | None = None,
    ) -> Tensor:
        self_cache = cache and cache.self_attention
        cross_cache = cache and cache.cross_attention
        self_tap, cross_tap = under("self_attention", tap), under("cross_attention", tap)
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, self_mask, self_tap, self_cache))
        x = tap("self_attention.residual", x)  # (B, T, d_model)
        if self.cross_attention is not None:
            attend = self.cross_attention
            x = self.residuals[1](x, lambda y: attend(y, memory, cross_mask, cross_tap, cross_cache))
            x = tap("cross_attention.residual", x)  # (B, T, d_model)
        x = self.residuals[-1](x, lambda y: self.feed_forward(y, under("feed_forward", tap)))
        return tap("feed_forward.residual", x)  # (B, T, d_model)


class Transformer(nn.Module):
    """Encoder, decoder and the projection to the target vocabulary (figure 1), or one of the two alone.

    Holds parameters only: what a pass computes leaves through its return value and its tap.
    """

    sinusoids: Tensor
    position_tables: nn.ParameterDict

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        if config.source_vocabulary:
            self.source_embedding = nn.Embedding(config.source_vocabulary, config.d_model)
        if config.decoder_layers:
            shared = config.tied_embeddings == "all" and config.source_vocabulary
            self.target_embedding = (
                self.source_embedding if shared else nn.Embedding(config.target_vocabulary, config.d_model)
            )
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.encoder_norm = layer_norm(config) if config.final_norm and config.encoder_layers else nn.Identity()
        self.decoder_norm = layer_norm(config) if config.final_norm and config.decoder_layers else nn.Identity()
        if config.target_vocabulary:
            self.output = nn.Linear(config.d_model, config.target_vocabulary, bias=config.output_bias)
        self.dropout = Dropout(config.dropout)
        self.positions(config)
        initialise(self)
        if config.tied_embeddings != "none":
            table = self.target_embedding if config.decoder_layers else self.source_embedding
            self.output.weight = table.weight

    def positions(self, config: TransformerConfig) -> None:
        """The position table (max_length, d_model): fixed, learned for each side, or none."""
        sides = [side for side in ("encoder", "decoder") if getattr(config, f"{side}_layers")]
        if config.position == "learned":
            self.position_tables = nn.ParameterDict(
                {side: nn.Parameter(torch.empty(config.max_length, config.d_model)) for side in sides}
            )
        elif config.position == "sinusoidal":
            table = sinusoidal_positions(config.max_length, config.d_model, config.position_base)
            self.register_buffer("sinusoids", table, persistent=False)

    def forward(
        self, source: Tensor | None, target: Tensor | None, source_mask: Tensor | None, tap: Tap = silent
    ) -> Tensor:
        """Logits (B, T, V) of the token after each one of `target`; of an encoder alone, its output or its logits.

        source (B, S) and target (B, T) are token ids, None on a side that the architecture lacks;
        source_mask (B, S) is false on padding. The target needs no padding mask: padding stands at
        its end, where the causal mask hides it.
        """
        memory = None
        if source is not None and source_mask is not None:
            memory = self.encode(source, source_mask, tap)
        if target is None:
            assert memory is not None, "give a source, a target, or both"
            return tap("logits", self.output(memory)) if self.config.target_vocabulary else memory
        return self.decode(target, memory, source_mask, tap)

    def encode(self, source: Tensor, source_mask: Tensor, tap: Tap = silent) -> Tensor:
        """The encoder's output (B, S, d_model) for source ids (B, S), or numbers (B, S) where inputs are numbers."""
        mask = masks.encoder_self(source_mask, is_causal=self.config.causal_encoder)  # to (B, 1, S, S)
        x = self.embed("encoder", source, 0, under("encoder", tap))
        for number, layer in enumerate(self.encoder):
            x = layer(x, mask, under(f"encoder.{number}", tap))
        return tap("encoder.output", self.encoder_norm(x))

    def decode(
        self,
        target: Tensor,
        memory: Tensor | None,
        source_mask: Tensor | None,
        tap: Tap = silent,
        caches: list[LayerCache] | None = None,
    ) -> Tensor:
        """Logits (B, T, V) for target ids (B, T); with caches, `target` holds only the new tokens.

        source_mask (B, S) is false on padding; None says that there is none.
        """
        known = caches[0].self_attention.k if caches else None
        start = 0 if known is None else known.size(2)
        tap, length = starting_at(start, tap), target.size(1)
        causal = masks.causal(length, start, target.device) if length > 1 else None  # a single new token may see all
        cross_mask = None if source_mask is None else masks.over_keys(source_mask)  # (B, 1, 1, S)
        x = self.embed("decoder", target, start, under("decoder", tap))
        for number, layer in enumerate(self.decoder):
            cache = caches[number] if caches else None
            x = layer(x, causal, memory, cross_mask, under(f"decoder.{number}", tap), cache)
        return tap("logits", self.output(tap("decoder.output", self.decoder_norm(x))))

    def embed(self, side: str, ids: Tensor, start: int, tap: Tap) -> Tensor:
        """Embedding (scaled, section 3.4) plus position (section 3.5), (B, T, d_model)."""
        if self.config.inputs == "numbers":
            embedding = ids[..., None].expand(-1, -1, self.config.d_model)  # one feature, added to every dimension
        else:
            embedding = (self.source_embedding if side == "encoder" else self.target_embedding)(ids)
        if self.config.scale_embedding:
            embedding = embedding * math.sqrt(self.config.d_model)
        embedding = tap("embedding", embedding)  # (B, T, d_model)
        if self.config.position == "none":
            return self.dropout(tap("input", embedding))
        table = self.sinusoids if self.config.position == "sinusoidal" else self.position_tables[side]
        position = tap("position", table[None, start : start + ids.size(1)])  # (1, T, d_model)
        return self.dropout(tap("input", embedding + position))


def initialise(model: Transformer) -> None:
    """Starting weights, by `config.init`; norms start at 1 and 0, biases at 0.

    scaled   tables N(0, 1/d_model), so that a scaled embedding has variance 1; Xavier elsewhere
    xavier   Xavier everywhere, the row of padding zero
    normal   tables N(0, 1), as torch's nn.Embedding; Xavier elsewhere
    small    everything N(0, 0.02²)
    """
    d_model, init = model.config.d_model, model.config.init
    deviation = {"scaled": d_model**-0.5, "normal": 1.0, "small": 0.02}
    for name, parameter in model.named_parameters():
        table = "embedding" in name or "position_tables" in name
        if parameter.dim() == 1:
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
        elif init == "small" or (table and init != "xavier"):
            nn.init.normal_(parameter, std=deviation[init])
        else:
            nn.init.xavier_uniform_(parameter)
        if "embedding" in name and init == "xavier":
            with torch.no_grad():
                parameter[0] = 0.0


def count_parameters(model: Transformer) -> dict[str, int]:
    """Parameters by part of the model, shared ones once, with the total last."""
    parts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = name.split(".")[0].removesuffix("_norm")
        parts[part] = parts.get(part, 0) + parameter.numel()
    return {**parts, "total": sum(parts.values())}


_drawing = threading.Lock()


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """A model made in here has the weights of that seed, whatever other threads draw from torch's one generator."""
    with _drawing, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
