"""A typed sentence, checked, translated step by step, and traced."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from model.checkpoint.load import Checkpoint
from model.decode.greedy import greedy, trace
from model.decode.loop import Stop
from model.errors import InvalidInput
from model.tokenizer import BOS, CHARACTER_LIMIT, EOS, HIDDEN_MARK, UNK
from model.trace import Tap, Trace, silent

UNTRAINED_LIMIT = 20  # tokens, <bos> included; an untrained model rarely ends by itself
UNTRAINED_SOURCE = 96  # tokens that one reads; a trace of the paper's sizes at its 512 would take 250 MB
CONTINUATION = 24  # tokens that a decoder alone adds to a sentence


@dataclass(frozen=True)
class Translation:
    """A translation, why it ended, what of its source the model never saw, and the trace of every step.

    source and target are the ids that encoder and decoder read, empty on a side that the model lacks.
    """

    sentence: str
    text: str
    stop: Stop
    source: tuple[int, ...]
    target: tuple[int, ...]
    trace: Trace
    unseen_words: dict[str, tuple[str, ...]]
    unknown_characters: tuple[str, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """What stands behind each token that the decoder read: the last, never read, is its likeliest."""
        return (*self.target[1:], int(self.trace.values["logits"][-1].argmax()))


def encode(checkpoint: Checkpoint, sentence: str) -> list[int]:
    """Ids of a sentence; raises `InvalidInput` when it is empty, too long, or holds control characters."""
    if not sentence.strip():
        raise InvalidInput("sentence_empty")
    longest = checkpoint.model.config.max_length
    limit = longest if checkpoint.trained else min(longest, UNTRAINED_SOURCE)
    if len(sentence) > CHARACTER_LIMIT:
        raise InvalidInput("sentence_characters", count=f"{len(sentence):,}", limit=f"{CHARACTER_LIMIT:,}")
    for character in sentence:
        if unicodedata.category(character) == "Cc" and not character.isspace():
            raise InvalidInput("sentence_control", point=f"{ord(character):04X}")
    ids = checkpoint.tokenizer.encode(sentence)
    if len(ids) > limit:
        raise InvalidInput("sentence_tokens", count=len(ids), limit=limit)
    if len(ids) == 2:  # nothing but what the tokenizer drops
        raise InvalidInput("sentence_empty")
    return ids


def translate(checkpoint: Checkpoint, sentence: str, *, tap: Tap = silent) -> Translation:
    """Decode greedily, then record one pass over the finished translation; `tap` may edit both.

    A decoder alone continues the sentence instead. An encoder alone only reads it; its text is the sentence
    with its likeliest words for what it read as `<unk>`, empty where there is nothing to fill in.
    """
    source, target, text, stop = _written(checkpoint, encode(checkpoint, sentence), tap)
    recorded = trace(checkpoint.model, checkpoint.tokenizer, source, target, tap)
    unseen = checkpoint.tokenizer.unseen_words(sentence)
    meant = HIDDEN_MARK if checkpoint.model.config.architecture == "encoder" else ""  # to be unknown
    return Translation(
        sentence=sentence,
        text=text or filled(checkpoint, source, recorded),
        stop=stop,
        source=tuple(source),
        target=tuple(target),
        trace=recorded,
        unseen_words={word: pieces for word, pieces in unseen.items() if word not in meant},
        unknown_characters=tuple(c for c in checkpoint.tokenizer.unknown_characters(sentence) if c not in meant),
    )


def _written(checkpoint: Checkpoint, ids: list[int], tap: Tap) -> tuple[list[int], list[int], str, Stop]:
    """What the encoder reads, what the decoder reads, the text it wrote, and why it stopped."""
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    if model.config.architecture == "encoder":
        return ids, [], "", "eos"
    if model.config.architecture == "decoder":
        prompt = _read(checkpoint, ids)
        decoded = greedy(model, [prompt], _limit(checkpoint, prompt), tap=tap)[0]
        written = [*prompt, *decoded.ids]
        return [], written[:-1], tokenizer.decode(written), decoded.stop
    decoded = greedy(model, [ids], _limit(checkpoint, ids), tap=tap)[0]
    return ids, [BOS, *decoded.ids[:-1]], tokenizer.decode(decoded.ids), decoded.stop  # the last is never read


def filled(checkpoint: Checkpoint, ids: Sequence[int], recorded: Trace) -> str:
    """The sentence (T) with the likeliest token in each place that an encoder alone read as `<unk>`.

    The pass may have padding behind; empty where there is nothing to fill in.
    """
    if not checkpoint.trained or UNK not in ids or checkpoint.model.config.architecture != "encoder":
        return ""
    if "logits" not in recorded.values:
        return ""
    likeliest = recorded.values["logits"][: len(ids)].argmax(axis=-1).tolist()  # (T)
    return checkpoint.tokenizer.decode(new if id_ == UNK else id_ for id_, new in zip(ids, likeliest, strict=True))


def translate_all(checkpoint: Checkpoint, sentences: Sequence[str], batch: int = 64) -> list[str]:
    """Translations of many sentences, in order; like lengths are decoded together.

    A decoder alone gives what it adds to each sentence. Raises `InvalidInput` for an encoder alone.
    """
    sources = [_read(checkpoint, encode(checkpoint, sentence)) for sentence in sentences]
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    texts = [""] * len(sources)
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        limit = _limit(checkpoint, sources[chosen[-1]])  # the longest of them
        for i, decoded in zip(chosen, greedy(checkpoint.model, [sources[i] for i in chosen], limit), strict=True):
            texts[i] = checkpoint.tokenizer.decode(decoded.ids)
    return texts


def trace_pair(checkpoint: Checkpoint, sentence: str, target: str, *, tap: Tap = silent) -> Trace:
    """The trace of a given translation instead of the model's own."""
    source, ids = encode(checkpoint, sentence), encode(checkpoint, target)
    return trace(checkpoint.model, checkpoint.tokenizer, source, ids[: ids.index(EOS)], tap)


def _read(checkpoint: Checkpoint, ids: list[int]) -> list[int]:
    """The part of a sentence to go on from: before a decoder alone an `<eos>` would say that nothing follows."""
    return ids[:-1] if checkpoint.model.config.architecture == "decoder" else ids


def _limit(checkpoint: Checkpoint, ids: list[int]) -> int:
    """How many tokens to write at most."""
    longest = checkpoint.model.config.max_length
    if checkpoint.model.config.architecture == "decoder":
        return min(CONTINUATION, longest - len(ids))
    return (longest if checkpoint.trained else min(longest, UNTRAINED_LIMIT)) - 1
