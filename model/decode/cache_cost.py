"""Multiplications of a step with a key-value cache and without one, and what the cache holds."""

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


# what the cache saves


def work(config: TransformerConfig, new: int, read: int, source: int, *, first: bool) -> Work:
    """Multiplications of a decoder pass over `new` tokens when `read` have been read in all, these included.

    Counted are the products inside the matrix multiplications of this model's own code; those of norms,
    softmax and embedding are fewer by orders. `first` computes the source's keys and values as well.
    """
    d, layers = config.d_model, config.decoder_layers
    cross = 0
    if config.architecture == "encoder-decoder":
        cross = 2 * new * d * d + 2 * new * source * d + (2 * source * d * d if first else 0)
    return Work(
        projections=layers * 4 * new * d * d,
        attention=layers * 2 * new * read * d,
        cross=layers * cross,
        feed_forward=layers * 2 * new * d * config.d_ff,
        logits=new * d * config.target_vocabulary,
    )


def step_work(config: TransformerConfig, start: DecodingStart, step: int) -> tuple[Work, Work]:
    """A step with the cache, and the same step computed anew; the encoder's output is kept in both."""
    read, source = len(start.prompt) + step, len(start.source)
    new = 1 if step else len(start.prompt)
    return (
        work(config, new, read, source, first=step == 0),
        work(config, read, read, source, first=True),
    )


def cached_numbers(config: TransformerConfig, start: DecodingStart, step: int) -> int:
    """Numbers that the cache holds after a step: a key and a value per layer for each token read, and of the source."""
    source = len(start.source) if config.architecture == "encoder-decoder" else 0
    return 2 * config.decoder_layers * config.d_model * (len(start.prompt) + step + source)
