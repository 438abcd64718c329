"""A typed sentence, checked, translated step by step, and traced."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from model.checkpoints import Checkpoint
from model.decoding import Stop, greedy, trace
from model.refused import Refused
from model.tokenizer import BOS, CHARACTER_LIMIT, EOS
from model.trace import Trace

UNTRAINED_LIMIT = 20  # tokens, <bos> included; an untrained model rarely ends by itself
CONTINUATION = 24  # tokens that a decoder alone adds to a sentence


@dataclass(frozen=True)
class Translation:
    """A translation, why it ended, what of its source the model never saw, and the trace of every step."""

    sentence: str
    text: str
    stop: Stop
    trace: Trace
    unseen_words: dict[str, tuple[str, ...]]
    unknown_characters: tuple[str, ...]


def encode(checkpoint: Checkpoint, sentence: str) -> list[int]:
    """Ids of a sentence; raises `Refused` when it is empty, too long, or holds control characters."""
    if not sentence.strip():
        raise Refused("sentence_empty")
    if len(sentence) > CHARACTER_LIMIT:
        raise Refused("sentence_characters", count=len(sentence), limit=CHARACTER_LIMIT)
    for character in sentence:
        if unicodedata.category(character) == "Cc" and not character.isspace():
            raise Refused("sentence_control", point=f"{ord(character):04X}")
    ids = checkpoint.tokenizer.encode(sentence)
    limit = checkpoint.model.config.max_length
    if len(ids) > limit:
        raise Refused("sentence_tokens", count=len(ids), limit=limit)
    if len(ids) == 2:  # nothing but what the tokenizer drops
        raise Refused("sentence_empty")
    return ids


def translate(checkpoint: Checkpoint, sentence: str) -> Translation:
    """Decode greedily, then record one pass over the finished translation.

    A decoder alone continues the sentence instead; an encoder alone only reads it, and its text is empty.
    """
    source, target, text, stop = _written(checkpoint, encode(checkpoint, sentence))
    return Translation(
        sentence=sentence,
        text=text,
        stop=stop,
        trace=trace(checkpoint.model, checkpoint.tokenizer, source, target),
        unseen_words=checkpoint.tokenizer.unseen_words(sentence),
        unknown_characters=checkpoint.tokenizer.unknown_characters(sentence),
    )


def _written(checkpoint: Checkpoint, ids: list[int]) -> tuple[list[int], list[int], str, Stop]:
    """What the encoder reads, what the decoder reads, the text it wrote, and why it stopped."""
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    if model.config.architecture == "encoder":
        return ids, [], "", "eos"
    if model.config.architecture == "decoder":
        prompt = ids[:-1]  # an <eos> would say that there is nothing to continue
        decoded = greedy(model, [prompt], min(CONTINUATION, model.config.max_length - len(prompt)))[0]
        written = [*prompt, *decoded.ids]
        return [], written[:-1], tokenizer.decode(written), decoded.stop
    decoded = greedy(model, [ids], _limit(checkpoint))[0]
    return ids, [BOS, *decoded.ids[:-1]], tokenizer.decode(decoded.ids), decoded.stop  # the last is never read


def translate_all(checkpoint: Checkpoint, sentences: Sequence[str], batch: int = 64) -> list[str]:
    """Translations of many sentences, in order; like lengths are decoded together."""
    sources = [encode(checkpoint, sentence) for sentence in sentences]
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    texts = [""] * len(sources)
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        for i, decoded in zip(
            chosen, greedy(checkpoint.model, [sources[i] for i in chosen], _limit(checkpoint)), strict=True
        ):
            texts[i] = checkpoint.tokenizer.decode(decoded.ids)
    return texts


def trace_pair(checkpoint: Checkpoint, sentence: str, target: str) -> Trace:
    """The trace of a given translation instead of the model's own."""
    source, ids = encode(checkpoint, sentence), encode(checkpoint, target)
    return trace(checkpoint.model, checkpoint.tokenizer, source, ids[: ids.index(EOS)])


def _limit(checkpoint: Checkpoint) -> int:
    longest = checkpoint.model.config.max_length
    return (longest if checkpoint.trained else min(longest, UNTRAINED_LIMIT)) - 1
