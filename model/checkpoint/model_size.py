"""The number of parameters and of recorded values of a model, computed from its config without building it.

d = d_model, f = d_ff, H heads, V vocabulary, L tokens on each side.
"""

from functools import cache

from model.config import BIASES, BUCKETS, TABLES, TransformerConfig

TRACE_BYTES = 250_000_000  # of one recorded pass
UNTRAINED_TOKENS = 96  # that an untrained model reads


def parameters(config: TransformerConfig) -> int:
    """The number of parameters, shared tables counted once: the same as `transformer.count_parameters` of the model."""
    d, f = config.d_model, config.d_ff
    own, shared = config.heads * config.d_k, config.kv_heads * config.d_k  # numbers per query, and per key or value
    attention = 2 * d * (own + shared) + (own + 2 * shared + d) * config.projection_bias
    into = 1 + config.gated  # products that read x
    feed_forward = (1 + into) * d * f + (into * f + d) * config.feed_forward_bias
    one_norm = d if config.norm_kind == "rms" else 2 * d
    norm = 0 if config.norm == "none" else one_norm
    both = config.architecture == "encoder-decoder"
    layers = config.encoder_layers * (attention + feed_forward + 2 * norm)
    layers += config.decoder_layers * ((1 + both) * attention + feed_forward + (2 + both) * norm)
    sides = bool(config.encoder_layers) + bool(config.decoder_layers)
    layers += sides * norm * config.final_norm
    layers += sides * config.max_length * d * (config.position == "learned")
    layers += sides * BUCKETS * config.heads * (config.position == "relative")
    layers += sides * one_norm * config.embedding_norm
    layers += (d * (d + 1) + one_norm) * config.output_transform
    return layers + _tables(config)


def _tables(config: TransformerConfig) -> int:
    """Parameters of the embedding tables and the output layer."""
    d, tied = config.d_model, config.tied_embeddings
    shared = tied in ("all", "sides") and config.source_vocabulary > 0
    target = config.target_vocabulary if config.decoder_layers and not shared else 0
    output = config.target_vocabulary * ((tied in ("none", "sides")) * d + config.output_bias)
    return (config.source_vocabulary + target) * d + output


@cache
def readable_tokens(config: TransformerConfig) -> int:
    """How many tokens a sentence may have: up to max_length, as long as a recorded pass fits into TRACE_BYTES."""
    least, most = 1, config.max_length
    while least < most:
        middle = (least + most + 1) // 2
        if 4 * trace_values(config, middle) <= TRACE_BYTES:
            least = middle
        else:
            most = middle - 1
    return least


def trace_values(config: TransformerConfig, length: int) -> int:
    """How many numbers a recorder keeps of a pass with `length` tokens on each side."""
    d, f, heads = config.d_model, config.d_ff, config.heads
    own, shared = heads * config.d_k, config.kv_heads * config.d_k
    cross = length * (2 * own + 2 * shared + 2 * d) + 3 * heads * length**2  # vectors; scores, masked ones and weights
    self_attention = cross + (config.position in BIASES) * heads * length**2
    self_attention += (config.position == "rotary") * length * (own + shared)
    feed_forward = length * (2 * d + f * (3 if config.gated else 1))
    both = config.architecture == "encoder-decoder"
    layers = config.encoder_layers * (self_attention + feed_forward)
    layers += config.decoder_layers * (self_attention + both * cross + feed_forward)
    sides = bool(config.encoder_layers) + bool(config.decoder_layers)
    vectors = 3 + (config.position in TABLES) + config.embedding_norm  # embedding, position, their sum, input, output
    ends = sides * vectors * length * d + config.output_transform * length * d
    return layers + ends + length * config.target_vocabulary
