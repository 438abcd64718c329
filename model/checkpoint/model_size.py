"""The number of parameters of a model, computed from its config without building it. d = d_model, f = d_ff."""

from model.config import TransformerConfig

IN_BROWSER = 20_000_000  # parameters that a model in a browser may have; its tab holds each about ten times as bytes


def parameters(config: TransformerConfig) -> int:
    """The number of parameters, shared tables counted once: the same as `transformer.count_parameters` of the model."""
    d, f = config.d_model, config.d_ff
    own, key_value = config.heads * config.d_k, config.kv_heads * config.d_k  # numbers per query, and per key or value
    attention = 2 * d * (own + key_value) + (own + 2 * key_value + d) * config.projection_bias
    attention += 2 * config.d_k * config.query_key_norm
    into = 1 + config.gated  # products that read x
    feed_forward = (1 + into) * d * f + (into * f + d) * config.feed_forward_bias
    one_norm = d if config.norm_kind == "rms" else 2 * d
    norm = 0 if config.norm == "none" else one_norm
    both = config.architecture == "encoder-decoder"
    own_layers = 1 if config.shared_layers else config.encoder_layers
    layers = own_layers * (attention + feed_forward + 2 * norm)
    layers += config.decoder_layers * ((1 + both) * attention + feed_forward + (2 + both) * norm)
    sides = bool(config.encoder_layers) + bool(config.decoder_layers)
    layers += sides * norm * config.final_norm
    width = config.embedding_width
    layers += sides * config.max_length * width * (config.position == "learned")
    layers += sides * config.position_buckets * config.heads * (config.position == "relative")
    layers += config.segments * width
    narrow_norm = width if config.norm_kind == "rms" else 2 * width
    layers += sides * narrow_norm * config.embedding_norm + (width + 1) * d * bool(config.embedding_size)
    layers += ((d + 1) * width + narrow_norm) * config.output_transform
    if config.labels:
        layers += (d + 1) * (len(config.labels) + d * (config.label_activation != "none"))
    return layers + _tables(config)


def _tables(config: TransformerConfig) -> int:
    """Parameters of the embedding tables and the output layer."""
    d, tied = config.embedding_width, config.tied_embeddings
    is_shared = tied in ("all", "sides") and config.source_vocabulary > 0
    target = config.target_vocabulary if config.decoder_layers and not is_shared else 0
    output = config.target_vocabulary * ((tied in ("none", "sides")) * d + config.output_bias)
    return (config.source_vocabulary + target) * d + output
