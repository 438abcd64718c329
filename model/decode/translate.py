"""From a typed sentence to its translation and its trace."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from model.analysis import predictions
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import UNTRAINED_TOKENS, readable_tokens
from model.decode.decoding_loop import Stop
from model.decode.greedy import greedy, greedy_in_batches
from model.decode.recorded_pass import trace
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, CHARACTER_LIMIT
from model.trace import Tap, Trace, silent

UNTRAINED_LIMIT = 20  # tokens, <bos> included; an untrained model rarely ends by itself
CONTINUATION = 24, 48  # tokens that a decoder alone adds to a sentence: as many as it has, between these two


@dataclass(frozen=True)
class Translation:
    """The translation of a sentence, with the trace of the pass over it.

    source, target      the ids that encoder and decoder read; empty for a side that the model lacks
    stop                why decoding ended
    unseen_words        words of the sentence that did not occur in training -> their tokens
    unknown_characters  characters of the sentence that no token has
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
        """The token written after each token that the decoder read. The last one is the likeliest of the last step.

        An encoder alone writes none.
        """
        if not self.target:
            return ()
        return (*self.target[1:], int(predictions.generated(self.trace)[-1]))


def encode(checkpoint: Checkpoint, sentence: str) -> list[int]:
    """Ids of a sentence. Raises `InvalidInput` if it is empty, too long, or has control characters or surrogates."""
    _check_text(sentence)
    tokenizer = checkpoint.tokenizer
    ids, texts = tokenizer.encode(sentence), tokenizer.texts(sentence)
    if len(texts) > 1 and not all(map(tokenizer.pieces, texts)):
        raise InvalidInput("sentence_pair", separator=tokenizer.separator)
    if len(texts) > 1 and tokenizer.separator in texts[1]:
        raise InvalidInput("sentence_texts", separator=tokenizer.separator)
    _check_count(checkpoint, len(ids), len(tokenizer.before) + len(tokenizer.after))
    return ids


def can_read(checkpoint: Checkpoint, sentence: str) -> bool:
    """Whether `encode` takes it."""
    try:
        encode(checkpoint, sentence)
    except InvalidInput:
        return False
    return True


def target_ids(checkpoint: Checkpoint, text: str) -> tuple[int, ...]:
    """Ids of a typed output without specials. Raises `InvalidInput` as `encode` does."""
    _check_text(text)
    ids = tuple(checkpoint.tokenizer.target_pieces(text))
    _check_count(checkpoint, len(ids) + _AROUND, _AROUND)
    return ids


_AROUND = 2  # tokens around an output: `<bos>` and `<eos>`


def _check_text(text: str) -> None:
    if not text.strip():
        raise InvalidInput("sentence_empty")
    if len(text) > CHARACTER_LIMIT:
        raise InvalidInput("sentence_characters", count=f"{len(text):,}", limit=f"{CHARACTER_LIMIT:,}")
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs") and not character.isspace():
            raise InvalidInput("sentence_control", point=f"{ord(character):04X}")


def _check_count(checkpoint: Checkpoint, count: int, around: int) -> None:
    """`around` of the tokens are no text; a text that the tokenizer drops has no others."""
    longest = readable_tokens(checkpoint.model.config)
    limit = longest if checkpoint.trained else min(longest, UNTRAINED_TOKENS)
    if count > limit:
        raise InvalidInput("sentence_tokens", count=count, limit=limit)
    if count == around:
        raise InvalidInput("sentence_empty")


def translate(checkpoint: Checkpoint, sentence: str, *, tap: Tap = silent) -> Translation:
    """Decode greedily, then record one pass over the finished translation. `tap` may edit values in both.

    A decoder alone continues the sentence. An encoder alone only reads it: its text is the sentence with every
    `<unk>` replaced by its likeliest token, or empty if there is no `<unk>`.
    """
    source, tokens, text, stop = write(checkpoint, encode(checkpoint, sentence), tap)
    target = tokens[:-1] or tokens  # the last that was written is never read
    recording = trace(checkpoint.model, checkpoint.tokenizer, source, target, tap)
    unseen = checkpoint.tokenizer.unseen_words(sentence)
    encoder = checkpoint.model.config.architecture == "encoder"
    hidden_mark = (checkpoint.tokenizer.mask or "") if encoder else ""  # to be unknown
    return Translation(
        sentence=sentence,
        text=text or filled(checkpoint, source, recording),
        stop=stop,
        source=tuple(source),
        target=tuple(target),
        trace=recording,
        unseen_words={word: pieces for word, pieces in unseen.items() if word not in hidden_mark},
        unknown_characters=tuple(c for c in checkpoint.tokenizer.unknown_characters(sentence) if c not in hidden_mark),
    )


def write(checkpoint: Checkpoint, ids: list[int], tap: Tap) -> tuple[list[int], list[int], str, Stop]:
    """Decode greedily: the ids that the encoder read, those that the decoder read and wrote, the text, why it stopped.

    The decoder's begin with `<bos>` or the prompt; an encoder alone has none.
    """
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    if model.config.architecture == "encoder":
        return ids, [], "", "eos"
    if model.config.architecture == "decoder":
        prompt = _read(checkpoint, ids)
        output = greedy(model, [prompt], _limit(checkpoint, prompt), tap=tap)[0]
        tokens = [*prompt, *output.ids]
        return [], tokens, tokenizer.decode(tokens), output.stop
    output = greedy(model, [ids], _limit(checkpoint, ids), tap=tap)[0]
    return ids, [BOS, *output.ids], tokenizer.decode(output.ids), output.stop


def filled(checkpoint: Checkpoint, ids: Sequence[int], recording: Trace) -> str:
    """The text of `ids` (T) with every hidden word replaced by the likeliest token of an encoder alone.

    Empty if there is nothing to replace. The recorded pass may have padding at the end.
    """
    mask_id = checkpoint.tokenizer.mask_id
    if not checkpoint.trained or mask_id not in ids or checkpoint.model.config.architecture != "encoder":
        return ""
    if "logits" not in recording.values:
        return ""
    likeliest = predictions.generated(recording)[: len(ids)].tolist()  # (T)
    return checkpoint.tokenizer.decode(new if id_ == mask_id else id_ for id_, new in zip(ids, likeliest, strict=True))


def translate_all(checkpoint: Checkpoint, sentences: Sequence[str], batch: int = 64, *, tap: Tap = silent) -> list[str]:
    """Translations of many sentences, in order. Sentences of similar length are decoded together.

    A decoder alone gives its continuation of each sentence. `tap` may edit values. Raises `InvalidInput` for an encoder
    alone.
    """
    sources = [_read(checkpoint, encode(checkpoint, sentence)) for sentence in sentences]
    outputs = greedy_in_batches(checkpoint.model, sources, lambda longest: _limit(checkpoint, longest), batch, tap=tap)
    return [checkpoint.tokenizer.decode(each.ids) for each in outputs]


def trace_pair(checkpoint: Checkpoint, sentence: str, target: str, *, tap: Tap = silent) -> Trace:
    """The trace of a given translation instead of the model's own."""
    tokenizer = checkpoint.tokenizer
    read = [BOS, *checkpoint.model.config.forced, *target_ids(checkpoint, target)]
    return trace(checkpoint.model, tokenizer, encode(checkpoint, sentence), read, tap)


def _read(checkpoint: Checkpoint, ids: list[int]) -> list[int]:
    """The ids that the model reads: a decoder alone gets no `<eos>`, which would end its continuation."""
    return ids[:-1] if checkpoint.model.config.architecture == "decoder" else ids


def continuation(checkpoint: Checkpoint, prompt: int) -> int:
    """How many tokens a decoder alone adds at most to a prompt of so many, `<bos>` among them."""
    least, most = CONTINUATION
    return min(max(least, prompt - 1), most, readable_tokens(checkpoint.model.config) - prompt)


def _limit(checkpoint: Checkpoint, ids: list[int]) -> int:
    """How many tokens to write at most."""
    longest = readable_tokens(checkpoint.model.config)
    if checkpoint.model.config.architecture == "decoder":
        return continuation(checkpoint, len(ids))
    return (longest if checkpoint.trained else min(longest, UNTRAINED_LIMIT)) - 1
