"""Sentences for a dictionary: those that its model learned from, and held-out ones, which nothing learns from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.corpus import Corpus, Learned, Parted
from corpora.pairs import Example, Split, part
from corpora.task_list import tasks
from corpora.translation import Translation
from model.build.recipes import RECIPES
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.errors import InvalidInput
from model.features.sites import readable
from model.influence import retraining
from model.train import data
from model.train.objectives import examples
from model.train.run_settings import RunSettings

LEARNED = {"encoder": 20_000, "decoder": 5_000}  # sentences at most; a decoder has to write its output first
HELD_OUT = 2_200
OF_GRAMMAR = 20_000  # sentences that the grammar of a translator writes for `learned`
GRAMMAR_PAIRS = 120_000  # of the grammar of a translator: all of them take half a minute
LEAST = 20  # sentences
SHARE = 0.2  # of given lines that are held out


@dataclass(frozen=True)
class Sentences:
    """Sentences to learn from and held-out ones, with a reference for each held-out one where there is any.

    more_learned, more_held_out  further ones of a grammar, among which those for a wish are looked for
    """

    learned: tuple[str, ...]
    held_out: tuple[str, ...]
    references: tuple[str, ...] = ()
    more_learned: tuple[str, ...] = ()
    more_held_out: tuple[str, ...] = ()


def of(checkpoint: Checkpoint, entry: Entry, side: str, lines: Sequence[str] = (), seed: int = 0) -> Sentences:
    """The given lines, a part of them held out; without lines those of the checkpoint's corpus, drawn by the seed.

    Raises `InvalidInput` if neither is there, or if too few of them can be read.
    """
    return _of_lines(checkpoint, lines, seed) if lines else _of_corpus(checkpoint, entry, side, seed)


def _of_lines(checkpoint: Checkpoint, lines: Sequence[str], seed: int) -> Sentences:
    texts = readable(checkpoint, list(dict.fromkeys(line.strip() for line in lines if line.strip())))
    _check(texts)
    random.Random(seed).shuffle(texts)
    cut = max(1, round(SHARE * len(texts)))
    return Sentences(tuple(texts[cut:]), tuple(texts[:cut][:HELD_OUT]))


def _of_corpus(checkpoint: Checkpoint, entry: Entry, side: str, seed: int) -> Sentences:
    corpus = corpus_of(entry)
    rng = random.Random(seed)
    learned = list(dict.fromkeys(pair.source for pair in corpus.train(0)))
    pairs = {pair.source: pair.target for pairs in corpus.tests().values() for pair in pairs}
    held_out = list(pairs)
    rng.shuffle(learned)
    rng.shuffle(held_out)
    learned = readable(checkpoint, learned[: LEARNED[side]])
    held_out = readable(checkpoint, held_out[:HELD_OUT])
    _check(learned)
    more = [_of_grammar(corpus, "train"), _of_grammar(corpus, "validation") + _of_grammar(corpus, "test")]
    references = tuple(pairs[source] for source in held_out)
    return Sentences(tuple(learned), tuple(held_out), references, *map(tuple, more))


def _of_grammar(corpus: Corpus, split: Split) -> list[str]:
    """All sources of a grammar in a split; none of a corpus without one."""
    if not isinstance(corpus, Translation):
        return []
    return list(dict.fromkeys(pair.source for pair in part(corpus.grammar, split)))


def corpus_of(entry: Entry) -> Corpus:
    """The corpus that a checkpoint was trained on. Raises `InvalidInput` if it cannot be made again."""
    if entry.name in RECIPES:
        recipe = RECIPES[entry.name]
        corpus = recipe.corpus(recipe.seed)
        if isinstance(corpus, Translation):
            corpus.pairs = GRAMMAR_PAIRS  # before any is drawn
        return corpus
    if not has_corpus(entry):  # the texts of a user are not kept
        raise InvalidInput("features_lines", name=entry.name)
    try:
        return data.prepare(RunSettings(**entry.card["run"])).corpus
    except TypeError:  # of another version
        raise InvalidInput("features_lines", name=entry.name) from None


def learned(entry: Entry) -> Learned:
    """What a model learned from: of a translator all that people wrote and a part of what its grammar writes.

    Raises `InvalidInput` as `corpus_of`, and where there is nothing.
    """
    corpus = corpus_of(entry)
    if isinstance(corpus, Translation):
        corpus.pairs = OF_GRAMMAR  # before any is drawn
    pairs = list(dict.fromkeys(corpus.texts() if isinstance(corpus, Translation) else corpus.train(0)))
    retraining.check(pairs)
    return Learned(pairs, corpus.groups() if isinstance(corpus, Translation | Parted) else {})


def at_hand(entry: Entry, checkpoint: Checkpoint, most: int, seed: int = 0) -> list[Example]:
    """At most so many training examples that are there within a second: of a translator those that people wrote.

    Raises `InvalidInput` as `corpus_of`.
    """
    corpus = corpus_of(entry)
    pairs = corpus.written() if isinstance(corpus, Translation) else list(dict.fromkeys(corpus.train(0)))
    drawn = random.Random(seed).sample(pairs, min(most, len(pairs)))
    return examples(checkpoint.model.config, checkpoint.tokenizer, drawn, str(seed))


def has_corpus(entry: Entry) -> bool:
    """Whether the corpus of a checkpoint can be made again."""
    task = tasks().get(entry.card.get("run", {}).get("task", ""))
    return entry.name in RECIPES or (task is not None and not task.brings)  # what a user brought is gone


def _check(texts: Sequence[str]) -> None:
    if len(texts) < LEAST:
        raise InvalidInput("features_sentences", count=len(texts), least=LEAST)
