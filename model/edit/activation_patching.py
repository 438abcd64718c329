"""Activation patching: copy activations of one pass into another, for two sentences that differ in one token."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch

from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation, encode
from model.edit.change_edits import source_ids, source_side
from model.edit.edit_effects import Entering, effects_of
from model.edit.recorded_names import residual
from model.errors import InvalidInput
from model.tokenization.tokenizer import Tokenizer
from model.trace import Recorder


def check_pair(checkpoint: Checkpoint, sentence: str, other: str) -> list[int]:
    """The place in which two sentences differ, as a list; raises `InvalidInput` unless exactly one token does."""
    one, two = encode(checkpoint, sentence), encode(checkpoint, other)
    different = [i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b]
    if len(one) != len(two) or len(different) != 1:
        raise InvalidInput("change_pair", first=len(one), second=len(two), count=len(different))
    return different


def read(checkpoint: Checkpoint, sentence: str) -> Mapping[str, np.ndarray]:
    """The residual stream of the side that reads a sentence, by its recorded names; nothing is written."""
    ids, side, recorder = encode(checkpoint, sentence), source_side(checkpoint), Recorder()
    with torch.inference_mode():
        if side == "encoder":
            checkpoint.model.encode(torch.tensor([ids]), tap=recorder)
        else:
            checkpoint.model.decode(torch.tensor([ids[:-1]]), None, None, recorder)
    names = {residual(side, at) for at in ("input", *range(checkpoint.model.config.layers(side)))}
    return {name: recorder.values[name] for name in names}


def patched(checkpoint: Checkpoint, run: Translation, donor: Mapping[str, np.ndarray], at: int | str) -> np.ndarray:
    """The effect on each token (T) of the donor's activation, put into one place (S) at a time: (S, T).

    The unit is that of `effects.head_effects`. `donor` has the values of another sentence, as `read` gives them. `at`
    is `input` or a layer of the side that reads the sentence; the activation is its residual stream there.
    """
    return patched_at(checkpoint, run, donor, [at])[0]


def patched_at(
    checkpoint: Checkpoint, run: Translation, donor: Mapping[str, np.ndarray], depths: Sequence[int | str]
) -> np.ndarray:
    """The same at several depths, in order, (len(depths), S, T); all are computed in one batch."""
    side = source_side(checkpoint)
    places = np.arange(len(source_ids(checkpoint, run)))
    entering = []
    for at in depths:
        name = residual(side, at)
        x = np.repeat(run.trace.values[name][None], len(places), axis=0)  # (S, T, d_model)
        x[places, places] = donor[name][places]
        entering.append(Entering(side, 0 if at == "input" else int(at) + 1, torch.from_numpy(x)))
    effects = effects_of(checkpoint, run, entering)
    return effects.reshape(len(depths), len(places), -1)


def one_word_apart(tokenizer: Tokenizer, sentence: str, pool: Sequence[str]) -> str:
    """The sentence with one word changed for one of the pool that is a token too and has a like initial.

    A noun by preference (in German it has a capital), else the longest word, and one that stood behind the same
    word. Where nothing fits, as with letters, another of its own tokens; the sentence itself where none does.
    """

    def single(word: str) -> bool:
        return word.isalpha() and len(tokenizer.pieces(word)) == 1

    pairs = [pair for text in pool for pair in pairwise(_words(text)) if single(pair[1])]
    length = len(tokenizer.encode(sentence))
    own = [(before, word) for before, word in pairwise(_words(sentence)) if single(word)]
    for before, word in sorted(own, key=lambda pair: (pair[1][0].isupper(), len(pair[1])), reverse=True):
        for _, other in sorted(pairs, key=lambda pair: pair[0] != before):
            if other in sentence or other[0].isupper() != word[0].isupper():
                continue
            result = sentence.replace(word, other, 1)
            if len(tokenizer.encode(result)) == length:
                return result
    return _one_token_apart(tokenizer, sentence)


def _one_token_apart(tokenizer: Tokenizer, sentence: str) -> str:
    *before, last = tokenizer.texts(sentence)  # of two texts the second is changed
    ids = tokenizer.pieces(last)
    for place in reversed(range(len(ids))):
        for other in ids:
            result = [*ids[:place], other, *ids[place + 1 :]]
            text = tokenizer.decode(result)
            if other != ids[place] and tokenizer.pieces(text) == result:
                return f" {tokenizer.separator} ".join([*before, text])
    return sentence


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'()") for word in text.split()]
