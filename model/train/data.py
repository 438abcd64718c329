"""The data of a run: its task's corpus, read by a tokenizer made for it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from corpora import task_list
from corpora.corpus import Corpus
from corpora.pairs import Example, Pair
from corpora.tasks import user_text
from corpora.tasks.decoder_only_pairs import DecoderOnlyPairs
from corpora.tasks.user_text import Passage
from model.config import TransformerConfig
from model.tokenization.tokenizer import Tokenizer
from model.train import objectives
from model.train.run_settings import RunSettings


@dataclass(frozen=True)
class Prepared:
    """A task's data and tokenizer, the mean and the longest of its sources and of its targets, and an epoch, in tokens.

    `epoch` is known only of data that is the same in each epoch; a batch has no more.
    """

    corpus: Corpus
    tokenizer: Tokenizer
    mean: tuple[float, float]
    longest: tuple[int, int]
    epoch: float = math.inf


def prepare(settings: RunSettings) -> Prepared:
    """The data and tokenizer of a task, cached for the next run of the same task."""
    read = ("task", "architecture", "seed", "shuffled", "own", "letters", "sentences")
    return _prepare(RunSettings(**{field: getattr(settings, field) for field in read}))


@lru_cache(maxsize=8)
def _prepare(settings: RunSettings) -> Prepared:
    task = task_list.tasks()[settings.task]
    corpus = task.corpus(settings)
    if settings.alone and not task.alone:
        corpus = DecoderOnlyPairs(corpus, task.end)
    tokenizer = task.tokenizer(corpus)
    if isinstance(corpus, Passage):
        return Prepared(corpus, tokenizer, (0.0, user_text.WINDOW + 1), (0, user_text.WINDOW + 1))
    pairs = [*corpus.validation(), *(pair for test_pairs in corpus.tests().values() for pair in test_pairs)]
    if task.finite:
        pairs += corpus.train(0)
    sides = [[len(ids) for ids in tokenizer.encode_all([pair[side] for pair in pairs])] for side in (0, 1)]
    mean = (sum(sides[0]) / len(pairs), sum(sides[1]) / len(pairs))
    epoch = sum(mean) * len(corpus.train(0)) if task.finite else math.inf
    return Prepared(corpus, tokenizer, mean, (max(sides[0]), max(sides[1])), epoch)


def examples(config: TransformerConfig, data: Prepared, epoch: int) -> list[Example]:
    """The training examples of an epoch."""
    if isinstance(data.corpus, Passage):
        return data.corpus.windows(data.tokenizer, epoch)
    return encoded(config, data, data.corpus.train(epoch))


def encoded(config: TransformerConfig, data: Prepared, pairs: Sequence[Pair]) -> list[Example]:
    """Examples of pairs, without those longer than the model."""
    return objectives.examples(config, data.tokenizer, pairs, "")
