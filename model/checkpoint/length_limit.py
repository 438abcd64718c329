"""How long a sentence a model can read: as long as a recorded pass fits into the memory for it.

d = d_model, f = d_ff, H heads, V vocabulary, L tokens on each side.
"""

from functools import cache

from model.config import BIASES, TABLES, TransformerConfig

TRACE_BYTES = 250_000_000  # of one recorded pass
UNTRAINED_TOKENS = 96  # that an untrained model reads


@cache
def readable_tokens(config: TransformerConfig, limit: int = TRACE_BYTES) -> int:
    """How many tokens a sentence may have: up to max_length, as long as a recorded pass fits into `limit` bytes."""
    least, most = 1, config.max_length
    while least < most:
        middle = (least + most + 1) // 2
        if 4 * trace_values(config, middle) <= limit:
            least = middle
        else:
            most = middle - 1
    return least


def trace_values(config: TransformerConfig, length: int) -> int:
    """How many numbers a recorder keeps of a pass with `length` tokens on each side."""
    d, f, heads = config.d_model, config.d_ff, config.heads
    own, key_value = heads * config.d_k, config.kv_heads * config.d_k
    normed = config.query_key_norm * length * (own + key_value)
    # vectors; scores, masked ones and weights
    cross = normed + length * (2 * own + 2 * key_value + 2 * d) + 3 * heads * length**2
    self_attention = cross + (config.position in BIASES) * heads * length**2
    rotations = (config.position == "rotary") * length * (own + key_value)
    self_attention += rotations
    feed_forward = length * (2 * d + f * (3 if config.gated else 1))
    both = config.architecture == "encoder-decoder"
    layers = config.encoder_layers * (self_attention + feed_forward)
    layers += config.decoder_layers * (self_attention + both * cross + feed_forward)
    sides = bool(config.encoder_layers) + bool(config.decoder_layers)
    # embedding, position, segment, their sum, and the input before it is widened
    narrow = (
        1 + (config.position in TABLES) + bool(config.segments) + config.embedding_norm + bool(config.embedding_size)
    )
    ends = sides * length * (narrow * config.embedding_width + 2 * d)  # input and output
    ends += config.output_transform * length * config.embedding_width
    if config.labels:
        labelled = len(config.labels) + d * (config.label_activation != "none")
        ends += labelled * (length if config.label_each else 1)
    layers -= len(config.unrotated) * rotations
    return layers + ends + length * config.target_vocabulary
