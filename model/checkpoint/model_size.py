"""The number of parameters and of recorded values of a model, computed from its config without building it.

d = d_model, f = d_ff, H heads, V vocabulary, L tokens on each side.
"""

from model.config import TransformerConfig


def parameters(config: TransformerConfig) -> int:
    """The number of parameters, shared tables counted once: the same as `transformer.count_parameters` of the model."""
    d, f = config.d_model, config.d_ff
    attention = 4 * d * (d + config.projection_bias)
    feed_forward = 2 * d * f + (f + d) * config.feed_forward_bias
    norm = 0 if config.norm == "none" else 2 * d
    both = config.architecture == "encoder-decoder"
    layers = config.encoder_layers * (attention + feed_forward + 2 * norm)
    layers += config.decoder_layers * ((1 + both) * attention + feed_forward + (2 + both) * norm)
    sides = bool(config.encoder_layers) + bool(config.decoder_layers)
    layers += sides * norm * config.final_norm
    layers += sides * config.max_length * d * (config.position == "learned")
    return layers + _tables(config)


def _tables(config: TransformerConfig) -> int:
    """Parameters of the embedding tables and the output layer."""
    d, tied = config.d_model, config.tied_embeddings
    shared = tied == "all" and config.source_vocabulary > 0
    target = config.target_vocabulary if config.decoder_layers and not shared else 0
    output = config.target_vocabulary * ((tied == "none") * d + config.output_bias)
    return (config.source_vocabulary + target) * d + output


def trace_values(config: TransformerConfig, length: int) -> int:
    """How many numbers a recorder keeps of a pass with `length` tokens on each side."""
    d, f, heads = config.d_model, config.d_ff, config.heads
    attention = 6 * length * d + 3 * heads * length**2  # q, k, v, head outputs, output, residual; scores and weights
    feed_forward = length * (2 * d + f)
    both = config.architecture == "encoder-decoder"
    layers = config.encoder_layers * (attention + feed_forward)
    layers += config.decoder_layers * ((1 + both) * attention + feed_forward)
    sides = bool(config.encoder_layers) + bool(config.decoder_layers)
    ends = 3 * length * d + (config.position != "none") * length * d  # embedding, position, input, output
    return layers + sides * ends + length * config.target_vocabulary
