"""The Transformer of "Attention Is All You Need", parts before whole; one model for every system we show.

B batch, T tokens (S of the source), Q queries, K keys, H heads, D numbers per head, V vocabulary.
Masks are true where a key may be seen. `tap(name, value)` is handed every value worth seeing and
the pass goes on with what it returns; see `model.trace`. Ids, masks and vectors may be on another device
than the weights: `encode`, `decode` and `predict` bring them there, and answer where their first argument is.
"""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from model import masks
from model.config import TABLES, TransformerConfig
from model.initial_weights import initialise
from model.parts.activations import ACTIVATIONS
from model.parts.key_values import KeyValues, LayerCache
from model.parts.layer_norms import layer_norm
from model.parts.output_heads import LabelHead, OutputTransform
from model.position_methods import LinearBias, RelativeBias, distances, frequencies, rotated, sinusoidal_positions
from model.trace import Tap, silent, starting_at, under


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout: Callable[[Tensor], Tensor],
    tap: Tap = silent,
    mask_fill: float = -math.inf,
    bias: Tensor | None = None,
) -> Tensor:
    """softmax(q kᵀ / √D) v, equation 1. q (B, H, Q, D), k and v (B, H, K, D), mask and bias to (B, H, Q, K).

    A bias, where positions are one, is added to the scores before the mask. Without a mask nothing is hidden. A row
    that may see nothing has no softmax: with −∞ it is NaN, with −1e9 uniform. `model.masks` refuses such a mask
    before it comes here.
    """
    scores = tap("scores", q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)))  # (B, H, Q, K)
    biased_scores = scores if bias is None else scores + tap("position_bias", bias)
    scores_of_allowed = biased_scores if mask is None else torch.where(mask, biased_scores, mask_fill)
    masked_scores = tap("masked_scores", scores_of_allowed)  # (B, H, Q, K)
    weights = tap("weights", masked_scores.softmax(dim=-1))  # (B, H, Q, K)
    return tap("head_outputs", dropout(weights) @ v)  # (B, H, Q, D)


class Dropout(nn.Dropout):
    """torch's, without asking torch to drop nothing: a decoding step would ask thirty times."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) if self.training else x


class MultiHeadAttention(nn.Module):
    """concat(head_1 … head_H) W^O, section 3.2.2. Several heads may share a key and a value (G of them, G ≤ H)."""

    def __init__(self, config: TransformerConfig, *, rotary: bool = False):
        super().__init__()
        self.heads, self.head_size = config.heads, config.d_k
        self.sharing = config.heads // config.kv_heads  # heads with the same key and value
        self.rotary, self.rotary_base, self.frequencies = rotary, config.position_base, config.frequencies
        if config.query_key_norm:
            self.norms = nn.ModuleDict({letter: nn.RMSNorm(config.d_k, eps=config.norm_eps) for letter in "qk"})
        self.mask_fill = float(config.mask_fill)
        width, kv_width = config.heads * config.d_k, config.kv_heads * config.d_k
        self.q = nn.Linear(config.d_model, width, bias=config.projection_bias)
        self.k = nn.Linear(config.d_model, kv_width, bias=config.projection_bias)
        self.v = nn.Linear(config.d_model, kv_width, bias=config.projection_bias)
        self.output = nn.Linear(width, config.d_model, bias=config.projection_bias)
        self.dropout = Dropout(config.dropout)

    def forward(
        self,
        queries: Tensor,
        memory: Tensor,
        mask: Tensor | None,
        tap: Tap = silent,
        cache: KeyValues | None = None,
        bias: Tensor | None = None,
    ) -> Tensor:
        start = 0 if cache is None or cache.k is None or not cache.grows else cache.k.size(2)
        q = self.placed("q", self.q(queries), start, tap)  # (B, H, Q, D)
        if cache is not None and cache.k is not None and cache.v is not None and not cache.grows:
            k, v = cache.k, cache.v
        else:
            k = self.placed("k", self.k(memory), start, tap)  # (B, G, K, D)
            v = tap("v", self.split(self.v(memory)))  # (B, G, K, D)
            if cache is not None:
                k, v = cache.add(k, v)
        if self.sharing > 1:
            k, v = (each.repeat_interleave(self.sharing, dim=1) for each in (k, v))  # (B, H, K, D)
        head_outputs = attention(q, k, v, mask, self.dropout, tap, self.mask_fill, bias)
        return tap("output", self.output(head_outputs.transpose(1, 2).flatten(2)))  # (B, Q, d_model)

    def placed(self, letter: str, x: Tensor, start: int, tap: Tap) -> Tensor:
        """The queries or keys of each head: normalised where the model does that, then rotated by their positions."""
        x = self.split(x)
        if hasattr(self, "norms"):
            x = self.norms[letter](tap(f"unnormed_{letter}", x))
        if self.rotary:
            frequency = frequencies(self.head_size, self.rotary_base, self.frequencies)
            x = rotated(tap(f"unrotated_{letter}", x), start, frequency)
        return tap(letter, x)

    def split(self, x: Tensor) -> Tensor:
        """(B, T, H · D) to (B, H, T, D)."""
        return x.view(*x.shape[:2], -1, self.head_size).transpose(1, 2)


class FeedForward(nn.Module):
    """max(0, x W₁ + b₁) W₂ + b₂, equation 2, for each token alone; another activation in place of max where asked.

    Gated (Shazeer 2020), the activation of a second product scales the first: (a(x W_g + b_g) ⊙ (x W₁ + b₁)) W₂ + b₂.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.hidden = nn.Linear(config.d_model, config.d_ff, bias=config.feed_forward_bias)
        self.activation = ACTIVATIONS[config.activation]
        self.output = nn.Linear(config.d_ff, config.d_model, bias=config.feed_forward_bias)
        if config.gated:
            self.gate = nn.Linear(config.d_model, config.d_ff, bias=config.feed_forward_bias)
        self.gated = config.gated

    def forward(self, x: Tensor, tap: Tap = silent) -> Tensor:
        if self.gated:
            gate = tap("gate", self.activation(self.gate(x)))  # (B, T, d_ff)
            hidden = tap("hidden", gate * tap("linear", self.hidden(x)))  # (B, T, d_ff)
        else:
            hidden = tap("hidden", self.activation(self.hidden(x)))  # (B, T, d_ff)
        return tap("output", self.output(hidden))  # (B, T, d_model)


class Residual(nn.Module):
    """LayerNorm(x + Sublayer(x)) as in section 3.1 (post), x + Sublayer(LayerNorm(x)) (pre), or bare.

    A sublayer may read another vector than the one that it is added to: in parallel, both read what entered the layer.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.pre = config.norm == "pre"
        self.norm = nn.Identity() if config.norm == "none" else layer_norm(config)
        self.dropout = Dropout(config.dropout)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor], read: Tensor | None = None) -> Tensor:
        if self.pre:
            return x + self.dropout(sublayer(self.norm(x if read is None else read)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.self_attention = MultiHeadAttention(config, rotary=config.position == "rotary")
        self.feed_forward = FeedForward(config)
        self.residuals = nn.ModuleList(Residual(config) for _ in range(2))

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = silent, bias: Tensor | None = None) -> Tensor:
        self_tap = under("self_attention", tap)
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, mask, self_tap, bias=bias))
        x = tap("self_attention.residual", x)  # (B, S, d_model)
        x = self.residuals[1](x, lambda y: self.feed_forward(y, under("feed_forward", tap)))
        return tap("feed_forward.residual", x)  # (B, S, d_model)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder's output if there is one, then feed-forward."""

    def __init__(self, config: TransformerConfig, number: int):
        super().__init__()
        rotary = config.position == "rotary" and number not in config.unrotated
        self.parallel = config.parallel
        self.self_attention = MultiHeadAttention(config, rotary=rotary)
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
        bias: Tensor | None = None,
    ) -> Tensor:
        self_cache = cache and cache.self_attention
        cross_cache = cache and cache.cross_attention
        self_tap, cross_tap = under("self_attention", tap), under("cross_attention", tap)
        entered = x
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, self_mask, self_tap, self_cache, bias))
        x = tap("self_attention.residual", x)  # (B, T, d_model)
        if self.cross_attention is not None:
            attend = self.cross_attention
            x = self.residuals[1](x, lambda y: attend(y, memory, cross_mask, cross_tap, cross_cache))
            x = tap("cross_attention.residual", x)  # (B, T, d_model)
        last, feed = self.residuals[-1], partial(self.feed_forward, tap=under("feed_forward", tap))
        x = last(x, feed, entered) if self.parallel else last(x, feed)
        return tap("feed_forward.residual", x)  # (B, T, d_model)


class Transformer(nn.Module):
    """Encoder, decoder and the projection to the target vocabulary (figure 1), or one of the two alone.

    Holds parameters only: what a pass computes leaves through its return value and its tap.
    """

    sinusoids: Tensor
    position_tables: nn.ParameterDict

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config, width = config, config.embedding_width
        if config.source_vocabulary:
            self.source_embedding = nn.Embedding(config.source_vocabulary, width)
        if config.segments:
            self.segment_embedding = nn.Embedding(config.segments, width)
        if config.decoder_layers:
            is_shared = config.tied_embeddings in ("all", "sides") and config.source_vocabulary
            self.target_embedding = (
                self.source_embedding if is_shared else nn.Embedding(config.target_vocabulary, width)
            )
        layers = 1 if config.shared_layers else config.encoder_layers
        encoder = [EncoderLayer(config) for _ in range(layers)]
        self.encoder = nn.ModuleList(encoder * config.encoder_layers if config.shared_layers else encoder)
        self.decoder = nn.ModuleList(DecoderLayer(config, number) for number in range(config.decoder_layers))
        self.encoder_norm = layer_norm(config) if config.final_norm and config.encoder_layers else nn.Identity()
        self.decoder_norm = layer_norm(config) if config.final_norm and config.decoder_layers else nn.Identity()
        if config.output_transform:
            self.output_transform = OutputTransform(config)
        if config.target_vocabulary:
            self.output = nn.Linear(width, config.target_vocabulary, bias=config.output_bias)
        if config.labels:
            self.label_head = LabelHead(config)
        self.dropout = Dropout(config.dropout)
        self.positions(config)
        initialise(self, config.init, config.d_model)
        self.tie()

    def tie(self) -> None:
        """Let the output layer have the weights of the embedding where the config says so (section 3.4)."""
        if self.config.tied_embeddings in ("target", "all"):
            table = self.target_embedding if self.config.decoder_layers else self.source_embedding
            self.output.weight = table.weight

    def positions(self, config: TransformerConfig) -> None:
        """Make the table of positions (max_length, d_model), fixed or learned for each side, or the bias on scores."""
        sides = [side for side in ("encoder", "decoder") if config.layers(side)]
        if config.embedding_norm:
            self.embedding_norms = nn.ModuleDict({side: layer_norm(config, config.embedding_width) for side in sides})
        if config.embedding_size:
            self.widening = nn.Linear(config.embedding_size, config.d_model)
        if config.position == "learned":
            self.position_tables = nn.ParameterDict(
                {side: nn.Parameter(torch.empty(config.max_length, config.embedding_width)) for side in sides}
            )
        elif config.position == "relative":
            both_ways = {"encoder": not config.causal_encoder, "decoder": False}
            sizes = (config.position_buckets, config.position_farthest)
            self.relative_bias = nn.ModuleDict(
                {side: RelativeBias(config.heads, both_ways[side], *sizes) for side in sides}
            )
        if torch.get_default_device().type != "meta":  # else whoever assigns the weights fixes them
            self.fix_positions()

    def fix_positions(self) -> None:
        """The positions that are not learned."""
        if self.config.position == "sinusoidal":
            config = self.config
            shape, start = (config.max_length, config.embedding_width), config.position_start
            table = sinusoidal_positions(*shape, config.position_base, start)
            self.register_buffer("sinusoids", table.to(self.device), persistent=False)
        elif self.config.position == "alibi":
            self.linear_bias = LinearBias(self.config.heads).to(self.device)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    def seen(self, layer: int, queries: int, start: int = 0) -> Tensor | None:
        """The mask of a decoder layer's self-attention, (1, 1, Q, K); None where a single new token may see all."""
        window = self.config.window(layer)
        return masks.causal(queries, start, self.device, window) if queries > 1 or window else None

    def bias(self, side: str, start: int, queries: int) -> Tensor | None:
        """Bias that positions add to the scores of self-attention, (1, H, Q, K), or None."""
        if self.config.position == "relative":
            return self.relative_bias[side](distances(start, queries, start + queries))
        if self.config.position == "alibi":
            return self.linear_bias(distances(start, queries, start + queries))
        return None

    def forward(
        self, source: Tensor | None, target: Tensor | None, source_mask: Tensor | None = None, tap: Tap = silent
    ) -> Tensor:
        """Logits (B, T, V) of the token after each one of `target`; of an encoder alone, its output or its logits.

        source (B, S) and target (B, T) are token ids, None on a side that the architecture lacks;
        source_mask (B, S) is false on padding; None says that there is none. The target needs no padding mask:
        padding stands at its end, where the causal mask hides it.
        """
        memory = None if source is None else self.encode(source, source_mask, tap)
        if target is None:
            assert memory is not None, "give a source, a target, or both"
            if self.config.labels:
                self.label_head(memory.to(self.device), tap)
            return self.predict(memory, tap) if self.config.target_vocabulary else memory
        return self.decode(target, memory, source_mask, tap)

    def encode(self, source: Tensor, source_mask: Tensor | None = None, tap: Tap = silent) -> Tensor:
        """The encoder's output (B, S, d_model) for source ids (B, S), or numbers (B, S) where inputs are numbers.

        source_mask as in `forward`.
        """
        device = self.device
        source_mask = masks.everything(source) if source_mask is None else source_mask
        mask = masks.encoder_self(source_mask.to(device), is_causal=self.config.causal_encoder)  # to (B, 1, S, S)
        x = self.embed("encoder", source.to(device), 0, under("encoder", tap))
        bias = self.bias("encoder", 0, source.size(1))
        for number, layer in enumerate(self.encoder):
            x = layer(x, mask, under(f"encoder.{number}", tap), bias)
        return tap("encoder.output", self.encoder_norm(x)).to(source.device)

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
        past_keys = caches[0].self_attention.k if caches else None
        start = 0 if past_keys is None else past_keys.size(2)
        tap, length = starting_at(start, tap), target.size(1)
        device = self.device
        cross_mask = None if source_mask is None else masks.over_keys(source_mask.to(device))  # (B, 1, 1, S)
        memory = None if memory is None else memory.to(device)
        x = self.embed("decoder", target.to(device), start, under("decoder", tap))
        bias = self.bias("decoder", start, length)
        for number, layer in enumerate(self.decoder):
            cache = caches[number] if caches else None
            x = layer(
                x, self.seen(number, length, start), memory, cross_mask, under(f"decoder.{number}", tap), cache, bias
            )
        return self.predict(tap("decoder.output", self.decoder_norm(x)), tap).to(target.device)

    def predict(self, x: Tensor, tap: Tap = silent) -> Tensor:
        """The output layer: (…, d_model) to logits (…, V)."""
        device, x = x.device, x.to(self.device)
        if self.config.output_transform:
            x = tap("output_transform", self.output_transform(x))  # (B, T, embedding_width)
        return tap("logits", self.output(x)).to(device)

    def embed(self, side: str, ids: Tensor, start: int, tap: Tap) -> Tensor:
        """Embedding (scaled, section 3.4) plus position (3.5), normalised and widened if asked: (B, T, d_model).

        A model that knows two texts apart also adds the row of the text that a token belongs to.
        """
        if self.config.inputs == "numbers":
            embedding = ids[..., None].expand(-1, -1, self.config.d_model)  # one feature, added to every dimension
        else:
            embedding = (self.source_embedding if side == "encoder" else self.target_embedding)(ids)
        if self.config.scale_embedding:
            embedding = embedding * math.sqrt(self.config.d_model)
        embedding = tap("embedding", embedding)  # (B, T, embedding_width)
        if self.config.position in TABLES:
            table = self.sinusoids if self.config.position == "sinusoidal" else self.position_tables[side]
            embedding = embedding + tap("position", table[None, start : start + ids.size(1)])  # (1, T, d_model)
        if self.config.segments:
            embedding = embedding + tap("segment", self.segment_embedding(self.segment(ids)))  # (B, T, embedding_width)
        if self.config.embedding_norm:
            embedding = self.embedding_norms[side](tap("embedding_sum", embedding))
        if self.config.embedding_size:
            embedding = self.widening(tap("narrow_input", embedding))  # (B, T, d_model)
        return self.dropout(tap("input", embedding))

    def segment(self, ids: Tensor) -> Tensor:
        """Which of two texts each token of ids (B, T) belongs to: 1 behind the first separator, else 0."""
        ends = (ids == self.config.separator).long() if self.config.separator else torch.zeros_like(ids)
        return (ends.cumsum(dim=1) > ends).long()
