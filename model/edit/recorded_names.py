"""The recorded names of the values of a pass, as docs/traces.md lists them."""

from functools import cache

from model.config import BIASES, TABLES, TransformerConfig

MATRICES = ("scores", "position_bias", "masked_scores", "weights")  # (H, Q, K)
SHARED = ("unnormed_k", "unrotated_k", "k", "v")  # (G, K, D), G keys and values for H heads
PER_HEAD = ("unnormed_q", "unrotated_q", "q", *SHARED, *MATRICES, "head_outputs")


@cache
def names(config: TransformerConfig) -> tuple[str, ...]:
    """The name of every value that a pass of such a model hands to its tap, in the order of the pass."""
    result: list[str] = []
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        if not layers:
            continue
        parts = ["embedding"]
        if config.position in TABLES:
            parts.append("position")
        if config.segments:
            parts.append("segment")
        if config.embedding_norm:
            parts.append("embedding_sum")
        if config.embedding_size:
            parts.append("narrow_input")
        parts.append("input")
        attentions = ["self_attention"]
        if side == "decoder" and config.architecture == "encoder-decoder":
            attentions.append("cross_attention")
        for layer in range(layers):
            for attention in attentions:
                own = [part for part in PER_HEAD if part not in _without(config, attention, layer)]
                parts += [f"{layer}.{attention}.{part}" for part in (*own, "output", "residual")]
            gate = ("gate", "linear") if config.gated else ()
            parts += [f"{layer}.feed_forward.{part}" for part in (*gate, "hidden", "output", "residual")]
        result += [f"{side}.{part}" for part in (*parts, "output")]
    if config.labels:
        result += ["labels"] if config.label_activation == "none" else ["label_transform", "labels"]
    if config.output_transform:
        result.append("output_transform")
    return (*result, "logits") if config.target_vocabulary else tuple(result)


def _without(config: TransformerConfig, attention: str, layer: int) -> set[str]:
    """The values that an attention of such a model has not: what positions do, they do in self-attention."""
    self_attention = attention == "self_attention"
    rotates = self_attention and config.position == "rotary" and layer not in config.unrotated
    missing = set() if rotates else {"unrotated_q", "unrotated_k"}
    if not config.query_key_norm:
        missing |= {"unnormed_q", "unnormed_k"}
    return missing if self_attention and config.position in BIASES else missing | {"position_bias"}


def residual(side: str, at: int | str) -> str:
    """The recorded name of the residual stream where it enters a side (`input`) or after a layer."""
    return f"{side}.input" if at == "input" else f"{side}.{at}.feed_forward.residual"
