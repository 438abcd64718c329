"""The cost of a decoding step with and without a key-value cache: multiplications, and numbers that the cache holds."""

from __future__ import annotations

from dataclasses import dataclass

from model.config import TransformerConfig
from model.decode.start import DecodingStart


@dataclass(frozen=True)
class Work:
    """Multiplications of one step, by part of the decoder."""

    projections: int  # q, k, v and output of self-attention
    attention: int  # q kᵀ and weights × v of self-attention
    cross: int  # cross-attention whole
    feed_forward: int
    logits: int

    @property
    def total(self) -> int:
        return self.projections + self.attention + self.cross + self.feed_forward + self.logits


def work(config: TransformerConfig, new: int, read: int, source: int, *, first: bool) -> Work:
    """Multiplications of a decoder pass over `new` tokens; `read` is the number of all tokens read, these included.

    Only matrix multiplications are counted; norms, softmax and embedding need far fewer. The `first` pass also
    computes the keys and values of the source, whose length is `source`.
    """
    d, layers = config.d_model, config.decoder_layers
    own, key_value = config.heads * config.d_k, config.kv_heads * config.d_k  # numbers per query, and per key or value
    cross = 0
    if config.architecture == "encoder-decoder":
        cross = 2 * new * d * own + 2 * new * source * own + (2 * source * d * key_value if first else 0)
    return Work(
        projections=layers * 2 * new * d * (own + key_value),
        attention=layers * 2 * new * read * own,
        cross=layers * cross,
        feed_forward=layers * (3 if config.gated else 2) * new * d * config.d_ff,
        logits=new * d * config.target_vocabulary + (new * d * d if config.output_transform else 0),
    )


def step_work(config: TransformerConfig, start: DecodingStart, step: int) -> tuple[Work, Work]:
    """Multiplications of a step with the cache and without it. The encoder's output is kept in both cases."""
    read, source = len(start.prompt) + step, len(start.source)
    new = 1 if step else len(start.prompt)
    return (
        work(config, new, read, source, first=step == 0),
        work(config, read, read, source, first=True),
    )


def cached_numbers(config: TransformerConfig, start: DecodingStart, step: int) -> int:
    """Numbers in the cache after a step: in each layer a key and a value of each token read and of the source."""
    source = len(start.source) if config.architecture == "encoder-decoder" else 0
    return 2 * config.decoder_layers * config.kv_heads * config.d_k * (len(start.prompt) + step + source)
