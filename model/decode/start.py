"""Where decoding starts: what the encoder and the decoder read first, and how many tokens may be written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import readable_tokens
from model.decode.translate import UNTRAINED_LIMIT, continuation, encode
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS


@dataclass(frozen=True)
class DecodingStart:
    """Where decoding starts.

    source  ids that the encoder reads, empty for a decoder alone
    prompt  ids that the decoder reads first: `<bos>`, or for a decoder alone the sentence that it continues
    limit   how many tokens may be written
    """

    source: tuple[int, ...]
    prompt: tuple[int, ...]
    limit: int

    def read(self, ids: Sequence[int]) -> tuple[int, ...]:
        """The ids that the decoder has read after it wrote `ids`: the prompt and all of them but the last."""
        return (*self.prompt, *ids[:-1])


def decoding_start(checkpoint: Checkpoint, sentence: str) -> DecodingStart:
    """Where the decoding of a sentence starts.

    Raises `InvalidInput` for a sentence that cannot be read, and for an encoder alone.
    """
    config = checkpoint.model.config
    if not config.decoder_layers:
        raise InvalidInput("beam_architecture")
    ids = encode(checkpoint, sentence)
    if config.architecture == "decoder":
        prompt = tuple(ids[:-1])  # an `<eos>` would say that nothing follows
        return DecodingStart((), prompt, continuation(checkpoint, len(prompt)))
    longest = readable_tokens(config) if checkpoint.trained else min(config.max_length, UNTRAINED_LIMIT)
    return DecodingStart(tuple(ids), (BOS,), longest - 1)
