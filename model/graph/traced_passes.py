"""The two computations that a page without Python needs, as modules that torch can trace.

Both call `model/transformer.py` with a tap: what leaves a graph are the recorded values, and nothing is computed twice.
The whole pass adds the norms of what each head takes, for which a page would need the output projections.
B batch, S source tokens, T target tokens, P tokens already read, K tokens that an attention reads, D numbers per head,
V vocabulary, L layers, N `patch_places`, R rows that are patched at each; H heads, of which G have values of their own.
"""

import copy
from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.edit.recorded_names import residual
from model.parts.key_values import LayerCache
from model.trace import ATTENTION_KINDS, AttentionKind, Tap, path, silent
from model.transformer import MultiHeadAttention, Transformer

CACHED = ("k", "v")  # the recorded values of a self-attention that decoding keeps


def layer_counts(config: TransformerConfig) -> dict[AttentionKind, int]:
    """How many layers have each kind of attention; a kind that the model lacks is left out."""
    both = config.architecture == "encoder-decoder"
    counts: dict[AttentionKind, int] = {
        "encoder": config.encoder_layers,
        "decoder": config.decoder_layers,
        "cross": config.decoder_layers if both else 0,
    }
    return {kind: count for kind, count in counts.items() if count}


def scale_shape(config: TransformerConfig) -> tuple[int, int, int]:
    """The shape of `head_scale` without its batch: kinds, layers of the deeper side, heads."""
    return len(ATTENTION_KINDS), max(config.encoder_layers, config.decoder_layers), config.heads


def cached_names(config: TransformerConfig) -> list[str]:
    """The recorded names of all keys and values that decoding keeps, layer by layer."""
    return [f"{path('decoder', layer)}.{letter}" for layer in range(config.decoder_layers) for letter in CACHED]


def norm_names(config: TransformerConfig) -> list[str]:
    """What a whole pass gives beside the recorded values: `value_norms` of each attention, see `value_norms`."""
    return [
        f"{path(kind, layer)}.value_norms" for kind, count in layer_counts(config).items() for layer in range(count)
    ]


def value_norms(attention: MultiHeadAttention, v: Tensor) -> Tensor:
    """‖v W^O‖ of each head and token (B, H, K), of values (B, G, K, D): what a head takes at weight 1."""
    heads = v.repeat_interleave(attention.sharing, dim=1) if attention.sharing > 1 else v  # (B, H, K, D)
    parts = attention.output.weight.view(-1, attention.heads, v.size(-1)).permute(1, 2, 0)  # (H, D, d)
    return (heads @ parts).pow(2).sum(dim=-1).sqrt()


def scaled_heads(config: TransformerConfig, head_scale: Tensor, then: Tap) -> Tap:
    """A tap that multiplies what each head gives by its number in head_scale (B, kinds, L, H), and hands all to `then`.

    1 changes nothing and 0 is a head switched off. A batch of scales makes a batch of passes.
    """
    places = {
        f"{path(kind, layer)}.head_outputs": (ATTENTION_KINDS.index(kind), layer)
        for kind, count in layer_counts(config).items()
        for layer in range(count)
    }

    def tap(name: str, value: Tensor) -> Tensor:
        if name in places:
            kind, layer = places[name]
            value = value * head_scale[:, kind, layer, :, None, None]  # (B, H, Q, D)
        return then(name, value)

    return tap


def patch_places(config: TransformerConfig) -> list[str]:
    """The recorded names of the streams whose rows can be replaced: where they enter a side, and after each layer."""
    sides = [side for side in ("encoder", "decoder") if config.layers(side)]
    return [residual(side, at) for side in sides for at in ("input", *range(config.layers(side)))]


class Patched:
    """A tap that puts vectors of another pass, patch (N, R, d), in place of rows (N, R) of the streams; -1 is no row.

    start   the decoder's tokens before this pass
    """

    def __init__(self, config: TransformerConfig, rows: Tensor, patch: Tensor, then: Tap, start: int = 0):
        self.config, self.rows, self.patch, self.then, self.start = config, rows, patch, then, start
        self.places = {name: number for number, name in enumerate(patch_places(config))}

    def __call__(self, name: str, value: Tensor) -> Tensor:
        if name in self.places:
            place = self.places[name]
            start = self.start if name.startswith("decoder") else 0
            own = torch.arange(value.size(1), device=value.device) + start
            is_row = (own[:, None] == self.rows[place]).to(value.dtype)  # (T, R)
            value = value * (1 - is_row.sum(dim=1, keepdim=True)) + is_row @ self.patch[place]  # (B, T, d)
        return self.then(name, value)

    def at(self, start: int) -> Tap:
        """The tap of a cached step."""
        return Patched(self.config, self.rows, self.patch, self.then, start)


class WholePass(nn.Module):
    """A teacher-forced pass that returns every recorded value; `names` are theirs, in the order of the last call.

    Behind them come those of `norm_names`.
    """

    def __init__(self, model: Transformer):
        super().__init__()
        self.model = model
        self.names: list[str] = []

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Ids (B, S) of the source, ids (B, T) of the target, whichever the model has, head_scale (B, kinds, L, H), and
        rows (N, R) and patch (N, R, d) of `Patched`.

        Each value has its recorded shape, with the batch before it.
        """
        *ids, head_scale, rows, patch = inputs
        config, values = self.model.config, {}

        def keep(name: str, value: Tensor) -> Tensor:
            values[name] = value
            return value

        source = ids[0] if config.encoder_layers else None
        target = ids[-1] if config.decoder_layers else None
        tap = Patched(config, rows, patch, scaled_heads(config, head_scale, keep))
        self.model(source, target, None, tap)
        self.names = list(values)
        return (*values.values(), *self._norms(values))

    def _norms(self, values: dict[str, Tensor]) -> list[Tensor]:
        result = []
        for kind, count in layer_counts(self.model.config).items():
            for layer in range(count):
                side, _, part = path(kind, layer).split(".")
                attention = getattr(getattr(self.model, side)[layer], part)
                result.append(value_norms(attention, values[f"{path(kind, layer)}.v"]))
        return result


class NextStep(nn.Module):
    """One step of decoding with a cache: it reads one token more."""

    def __init__(self, model: Transformer):
        super().__init__()
        self.model = model

    def forward(self, target: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Logits (B, 1, V) after the id `target` (B, 1), and all keys and values with those of this token.

        inputs   the encoder's output (B, S, d_model) if there is one, keys and values (B, G, P, D) in the order of
                 `cached_names`, head_scale (B, kinds, L, H), rows (N, R) and patch (N, R, d) of `Patched`
        """
        *read, head_scale, rows, patch = inputs
        config = self.model.config
        count = len(CACHED) * config.decoder_layers
        memory = read[0] if len(read) > count else None
        caches = [_cache(k, v) for k, v in zip(read[-count::2], read[1 - count :: 2], strict=True)]
        tap = Patched(config, rows, patch, scaled_heads(config, head_scale, silent))
        logits = self.model.decode(target, memory, None, tap, caches)
        key_values = ((cache.self_attention.k, cache.self_attention.v) for cache in caches)
        return (logits, *(value for pair in key_values for value in pair if value is not None))


def _cache(k: Tensor, v: Tensor) -> LayerCache:
    cache = LayerCache()
    cache.self_attention.k, cache.self_attention.v = k, v
    return cache


class SpelledRMSNorm(nn.Module):
    """torch's RMSNorm by its formula, x / √(mean(x²) + ε) ⊙ weight: the exporter does not know the fused one."""

    def __init__(self, norm: nn.RMSNorm):
        super().__init__()
        self.weight, self.eps = norm.weight, norm.eps or 0.0

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.eps) * self.weight


def traceable(model: Transformer) -> Transformer:
    """A copy of the model on the CPU whose parts the exporter knows."""
    result = copy.deepcopy(model).cpu().eval()
    _replace(result, nn.RMSNorm, SpelledRMSNorm)
    return result


def _replace(module: nn.Module, kind: type[nn.Module], by: Callable[..., nn.Module]) -> None:
    for name, child in module.named_children():
        if isinstance(child, kind):
            setattr(module, name, by(child))
        else:
            _replace(child, kind, by)
