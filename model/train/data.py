"""The data of a run: its task's corpus, read by a tokenizer made for it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from corpora.corpus import Corpus
from corpora.pairs import Example, Pair
from corpora.tasks import user_table, user_text
from corpora.tasks.dates import Dates
from corpora.tasks.decoder_only_pairs import END, DecoderOnlyPairs
from corpora.tasks.grammar import Grammar
from corpora.tasks.memorised_pairs import Notebook
from corpora.tasks.modular import Modular
from corpora.tasks.repeat import Repeat
from corpora.tasks.sequences import Sequences
from corpora.tasks.spread import Spread
from corpora.tasks.user_table import Own
from corpora.tasks.user_text import Passage
from model.config import TransformerConfig
from model.tokenization.tokenizer import Tokenizer, words_of
from model.train import tasks
from model.train.run_settings import ALONE, GRAMMARS, LETTERS, RunSettings, Task

PIECES = 1000  # tokens of a vocabulary that is learned from whole sentences
CHARACTERS = 1000  # more of them for Chinese, where each character is a token
SPELLED = 40  # a user's table is read by characters if its sources have at most so many


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
    corpus = _corpus(settings)
    if settings.alone and settings.task not in ALONE:
        is_spelled = settings.task in (*LETTERS, "addition")
        corpus = DecoderOnlyPairs(corpus, END if is_spelled else f" {END}")
    tokenizer = _tokenizer(settings.task, corpus)
    if isinstance(corpus, Passage):
        return Prepared(corpus, tokenizer, (0.0, user_text.WINDOW + 1), (0, user_text.WINDOW + 1))
    is_finite = settings.task in ("modular", "notebook", "own")
    pairs = [*corpus.validation(), *(pair for test_pairs in corpus.tests().values() for pair in test_pairs)]
    if is_finite:
        pairs += corpus.train(0)
    sides = [[len(ids) for ids in tokenizer.encode_all([pair[side] for pair in pairs])] for side in (0, 1)]
    mean = (sum(sides[0]) / len(pairs), sum(sides[1]) / len(pairs))
    epoch = sum(mean) * len(corpus.train(0)) if is_finite else math.inf
    return Prepared(corpus, tokenizer, mean, (max(sides[0]), max(sides[1])), epoch)


def _corpus(settings: RunSettings) -> Corpus:
    task, seed = settings.task, settings.seed
    if task == "dates":
        return Dates(seed)
    if task == "notebook":
        return Notebook(seed, settings.shuffled)
    if task == "grammar" or task == "chinese":
        return Grammar(seed, sentences=settings.sentences, language=GRAMMARS[task])
    if task == "spread":
        return Spread(seed)
    if task == "repeat":
        return Repeat(seed)
    if task == "modular":
        return Modular(seed)
    if task == "text":
        return Passage(settings.own, seed)
    if task == "own":
        return Own(user_table.read(settings.own))
    return Sequences(task, seed, longest=settings.letters)


def _tokenizer(task: Task, corpus: Corpus) -> Tokenizer:
    texts = [corpus.text] if isinstance(corpus, Passage) else [text for pair in corpus.texts() for text in pair]
    training_words = words_of(corpus.source_words())
    if task == "modular":
        return Tokenizer.words(texts, training_words)
    if task == "notebook":
        return Tokenizer.words([*texts, *(text for pair in corpus.validation() for text in pair)], training_words)
    if task in GRAMMARS or (task == "own" and max(map(len, texts)) > SPELLED):
        return Tokenizer.train(texts, training_words, PIECES + (CHARACTERS if task == "chinese" else 0))
    return Tokenizer.characters(texts, training_words)


def examples(config: TransformerConfig, data: Prepared, epoch: int) -> list[Example]:
    """The training examples of an epoch."""
    if isinstance(data.corpus, Passage):
        return data.corpus.windows(data.tokenizer, epoch)
    return encoded(config, data, data.corpus.train(epoch))


def encoded(config: TransformerConfig, data: Prepared, pairs: Sequence[Pair]) -> list[Example]:
    """Examples of pairs, without those longer than the model."""
    return tasks.examples(config, data.tokenizer, pairs, "")
