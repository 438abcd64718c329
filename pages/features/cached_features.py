"""Dictionaries of a model and what follows from them, kept for all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from model.checkpoint import catalogue
from model.edit import edit_effects
from model.features import effects, examples, job, sites, splice, store, toy
from model.tokenization.token_text import is_special, without_mark
from pages.features import example_text
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.models.trainings import run_queue
from viz.html.features import Shaded

WORDS = 3  # that stand for a feature without a name
SNIPPETS, AROUND = 2, 4  # examples beside a bar, tokens on either side
MOST = 30  # strongest tokens of a feature that are looked through for them


@dataclass(frozen=True)
class Source:
    """A dictionary: of which model and site, a mark that changes with its files, and the run that trains it, if any."""

    entry: catalogue.Entry
    site: str
    mark: str
    run: str = ""


def sources(entry: catalogue.Entry) -> dict[str, Source]:
    """The dictionaries stored beside a model by their site, that of the default site first."""
    if isinstance(entry, catalogue.Untrained):
        return {}
    first = sites.default(entry.config)
    names = sorted(store.stored_sites(entry), key=lambda name: (name != first, name))
    return {name: Source(entry, name, store.fingerprint(entry, name)) for name in names}


@models.cached
def stored(source: Source) -> store.Stored:
    """The dictionary with the activations of its sentences and its card; raises `InvalidInput` if it is damaged."""
    if source.run:
        result = run_queue.jobs().result(source.run)
        return job.stored_of(result.settings, result.moment())
    return store.load(source.entry, source.site)


def site(source: Source) -> sites.Site:
    """Where it reads and writes."""
    return sites.find(source.entry.config, source.site)


def tokens(source: Source, current_run: CurrentRun) -> tuple[str, ...]:
    """The tokens of the sentence in view that it has rows for."""
    trace = current_run.trace
    return trace.source_tokens if site(source).side == "encoder" else trace.target_tokens


@models.cached
def active(source: Source, sentence: str) -> tuple[np.ndarray, np.ndarray]:
    """The active features of each token of a sentence, strongest first, and their strengths, (T, K) each."""
    trace = models.run(source.entry, sentence).trace
    vectors = sites.inputs_of(models.checkpoint(source.entry).model, site(source), trace)
    features, strengths = stored(source).dictionary.sparse(vectors)
    return features.numpy(), strengths.numpy()


def first(source: Source, current_run: CurrentRun) -> int:
    """The strongest feature of the longest word, which has the most to tell."""
    names = tokens(source, current_run)
    longest = max(range(len(names)), key=lambda at: len(names[at]) * (not is_special(names[at])))
    return int(active(source, current_run.sentence)[0][longest, 0])


@models.cached
def maxima(source: Source) -> np.ndarray:
    """The largest strength of each feature in the stored sentences, (F)."""
    return stored(source).activations.maxima()


@models.cached
def shares(source: Source) -> np.ndarray:
    """The share of the tokens at which each feature is active, (F)."""
    return stored(source).activations.share()


@models.cached
def strongest_tokens(source: Source) -> list[tuple[str, ...]]:
    """Of each feature the different tokens at which it is strongest, at most `WORDS`, strongest first."""
    given = stored(source).activations
    features, strengths = given.features.ravel().astype(int), given.strengths.ravel()
    places = np.repeat(np.arange(len(given.features)), given.features.shape[1])
    kept = strengths > 0
    order = np.lexsort((places[kept], -strengths[kept], features[kept]))
    features, places = features[kept][order], places[kept][order]
    starts = np.searchsorted(features, np.arange(given.count + 1))
    return [_different(given, places[low:high][:MOST]) for low, high in pairwise(starts)]


def _different(given: examples.Activations, places: np.ndarray) -> tuple[str, ...]:
    tokens = (given.tokens[given.sentence[place]][given.row[place]] for place in places)
    names = (without_mark(token) or token for token in tokens)
    return tuple(dict.fromkeys(names))[:WORDS]


@models.cached
def snippets(source: Source, feature: int) -> list[list[Shaded]]:
    """The tokens round those at which a feature is strongest, in the sentences where it is."""
    given = stored(source).activations
    strengths = given.of(feature)
    examples = given.strongest(feature, SNIPPETS)
    return [example_text.shaded(given, strengths, each, AROUND)[1] for each in examples]


@models.cached
def direct(source: Source, feature: int) -> list[tuple[int, str, float]]:
    """The tokens whose logits it raises most by itself, with the change per unit of strength."""
    checkpoint = models.checkpoint(source.entry)
    values = effects.direct(checkpoint, site(source), stored(source).dictionary, feature)
    return effects.words(checkpoint.tokenizer, values)


@models.cached
def measured(source: Source, feature: int) -> list[tuple[int, str, float]]:
    """The tokens that lose most probability where it is removed, with the mean change over sentences."""
    checkpoint = models.checkpoint(source.entry)
    return effects.words(checkpoint.tokenizer, effects.measured(checkpoint, site(source), stored(source), feature))


@models.cached
def heads(source: Source, feature: int) -> list[effects.Reading]:
    """How strongly each head reads it."""
    return effects.heads(models.checkpoint(source.entry), site(source), stored(source).dictionary, feature)


@models.cached
def neighbours(source: Source, feature: int) -> list[tuple[int, float]]:
    """The features whose directions are most like its own, with their cosines."""
    return effects.neighbours(stored(source).dictionary, feature)


@models.cached
def steered(source: Source, sentence: str, changes: Sequence[splice.Steering]) -> edit_effects.Outcome:
    """What becomes of a sentence with features stronger or weaker; of no change the run as it is."""
    checkpoint, run = models.checkpoint(source.entry), models.run(source.entry, sentence)
    edits = [splice.steered(site(source), stored(source).dictionary, changes)] if changes else []
    return edit_effects.outcome(checkpoint, run, edits)


@models.cached
def toy_directions(sparsity: float) -> np.ndarray:
    """The direction of each feature of the toy, (F, 2), trained in a second or two."""
    models.torch_of_one_thread()
    return toy.trained(toy.Toy(sparsity=sparsity))
