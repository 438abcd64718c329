"""Measurements of a model over its sentences: the roles of its heads, and each part removed or carried over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.checkpoint import catalogue
from model.circuits import ablation, card_sentences, head_roles, patching_effects
from model.decode import translate
from model.intervals import Estimate, normal
from model.measurements import ablations
from model.measurements.measurement import Effects, Measurement
from pages.shared.layout import progress
from pages.shared.models import models
from pages.shared.text.words import words
from pages.shared.ui import folder_command


def readable(entry: catalogue.Entry) -> list[str]:
    """Sentences of the card that the model can read, short ones first of each kind."""
    return card_sentences.readable(entry, models.checkpoint(entry))


def _runs(entry: catalogue.Entry) -> list[translate.Translation] | None:
    """The passes over the sentences of the card; None where the user has cancelled."""
    results = progress.computed(
        f"runs {entry.name} {entry.fingerprint}",
        [(sentence,) for sentence in readable(entry)],
        lambda sentence: models.run(entry, sentence),
    )
    return None if results is None else list(results.values())


def roles(entry: catalogue.Entry) -> head_roles.Measured | None:
    """The roles of all heads; None where the user has cancelled."""
    if _runs(entry) is None:
        return None
    parts = [("sentence", sentence) for sentence in readable(entry)]
    parts += [("repeated", str(seed)) for seed in range(head_roles.ROUNDS)]
    return _gathered(entry, "roles", parts)


def random_roles(entry: catalogue.Entry) -> head_roles.Measured | None:
    """The same for the model with random weights, on the same tokens; None where the user has cancelled."""
    parts = [("twin", sentence) for sentence in readable(entry)]
    parts += [("repeated twin", str(seed)) for seed in range(head_roles.ROUNDS)]
    return _gathered(entry, "random roles", parts)


def _gathered(entry: catalogue.Entry, name: str, parts: Sequence[tuple[str, str]]) -> head_roles.Measured | None:
    results = progress.computed(
        f"{name} {entry.name} {entry.fingerprint}", parts, lambda kind, text: _of(entry, kind, text)
    )
    return None if results is None else head_roles.summed(list(results.values()))


@models.cached
def _of(entry: catalogue.Entry, kind: str, text: str) -> head_roles.Gathered:
    checkpoint = models.checkpoint(entry)
    if kind.startswith("repeated"):
        reads = checkpoint if kind == "repeated" else head_roles.twin(checkpoint)
        return head_roles.of_repeated_text(reads, int(text))
    if kind == "twin":
        return head_roles.of_twin(checkpoint, head_roles.twin(checkpoint), models.run(entry, text))
    return head_roles.of_sentence(checkpoint, models.run(entry, text))


def say_missing(measurement: Measurement[Any], entry: catalogue.Entry) -> None:
    """Say which command saves the measurement, or that this model cannot have one."""
    texts = words("circuits.not_measured"), words("circuits.not_measured_own")
    folder_command.say(entry, texts[0], measurement.saving(entry.name), texts[1])


def seed(entry: catalogue.Entry) -> int | None:
    """By which the sentences of what was saved were drawn; those of a card are not drawn."""
    saved = ablations.MEASUREMENT.saved(entry)
    return None if saved is None else saved.seed


def effects(entry: catalogue.Entry, way: str) -> tuple[int, Effects] | None:
    """The number of sentences, and the effect of removing each part: saved, or measured now on the card's."""
    saved = ablations.MEASUREMENT.saved(entry)
    if saved is not None:
        return saved.sentences, saved.ways[way]
    heads = ablation.singles(models.checkpoint(entry).model.config)
    measurement = _measured(entry, way, heads)
    return None if measurement is None else (len(readable(entry)), measurement)


def effect(entry: catalogue.Entry, part: str) -> tuple[int, Estimate] | None:
    """The same of one part, with zeros in its place, without measuring the others; None if there is no such part.

    None too for a model that gives no probabilities of tokens.
    """
    if not entry.config.target_vocabulary:
        return None
    saved = ablations.MEASUREMENT.saved(entry)
    if saved is not None:
        return (saved.sentences, saved.ways["zero"][part]) if part in saved.ways["zero"] else None
    heads = ablation.singles(models.checkpoint(entry).model.config)
    measurement = _measured(entry, "zero", [each for each in heads if ablation.name_of(each) == part])
    return (len(readable(entry)), measurement[part]) if measurement else None


def pairs(entry: catalogue.Entry, alone: Effects) -> Effects | None:
    """The effect of removing two heads at once, of those that are needed most by the effects of each alone."""
    saved = ablations.MEASUREMENT.saved(entry)
    if saved is not None:
        return saved.pairs
    heads = ablation.singles(models.checkpoint(entry).model.config)
    return _measured(entry, "zero", ablation.pairs({each: alone[ablation.name_of(each)] for each in heads}))


def _measured(entry: catalogue.Entry, way: str, ablations: Sequence[ablation.Ablated]) -> Effects | None:
    """Measured on the sentences of the card, a batch at a time; None where the user has cancelled."""
    sentences, names = tuple(readable(entry)), tuple(map(ablation.name_of, ablations))
    if not ablations or not sentences:
        return {}
    if _runs(entry) is None:
        return None
    batches = [names[start : start + ablation.AT_ONCE] for start in range(0, len(names), ablation.AT_ONCE)]
    results = progress.computed(
        f"ablation {way} {entry.name} {entry.fingerprint} {'|'.join(names)}",
        [(number, batch) for number in range(len(sentences)) for batch in batches],
        lambda number, batch: _of_sentence(entry, sentences, way, number, batch),
    )
    if results is None:
        return None
    return {
        name: normal([results[number, batch][at] for number in range(len(sentences))])
        for batch in batches
        for at, name in enumerate(batch)
    }


@models.cached
def _of_sentence(
    entry: catalogue.Entry, sentences: tuple[str, ...], way: str, number: int, names: tuple[str, ...]
) -> list[float]:
    """The effects on one of the sentences."""
    checkpoint = models.checkpoint(entry)
    by_name = {part.name: part for part in ablation.parts(checkpoint.model.config)}
    ablations = [tuple(by_name[name] for name in each.split("+")) for each in names]
    runs = [models.run(entry, sentence) for sentence in sentences]
    return ablation.of_sentence(checkpoint, runs, number, way, ablations)  # type: ignore[arg-type]


def patching(entry: catalogue.Entry) -> tuple[int, Effects] | None:
    """In how many sentences a token could be exchanged, and the share of the answer that each place carries over."""
    saved = ablations.MEASUREMENT.saved(entry)
    if saved is not None:
        return saved.exchanged, saved.patching
    sentences = tuple(readable(entry))
    if _runs(entry) is None:
        return None
    activations = patching_effects.activations(models.checkpoint(entry).model.config)
    starts = range(0, len(activations), ablation.AT_ONCE)
    results = progress.computed(
        f"patching {entry.name} {entry.fingerprint}",
        [(number, start) for number in range(len(sentences)) for start in starts],
        lambda number, start: _carried(entry, sentences, number, start),
    )
    if results is None:
        return None
    by_sentence = [[share for start in starts for share in results[number, start]] for number in range(len(sentences))]
    shares = [each for each in by_sentence if each]
    columns = zip(*shares, strict=True) if shares else ()
    shares_by_name = zip((place.name for place in activations), columns, strict=False)
    return len(shares), {name: normal(values) for name, values in shares_by_name}


@models.cached
def _corrupted(entry: catalogue.Entry, sentences: tuple[str, ...], number: int) -> patching_effects.Corruption | None:
    """One of the sentences with a token corrupted; None where no other token changes the answer."""
    runs = [models.run(entry, sentence) for sentence in sentences]
    return patching_effects.corrupted(models.checkpoint(entry), runs, number)


@models.cached
def _carried(entry: catalogue.Entry, sentences: tuple[str, ...], number: int, start: int) -> list[float]:
    """The shares of a batch of places from `start` on, in one of the sentences; none where nothing was exchanged."""
    corruption, checkpoint = _corrupted(entry, sentences, number), models.checkpoint(entry)
    activations = patching_effects.activations(checkpoint.model.config)[start : start + ablation.AT_ONCE]
    return [] if corruption is None else patching_effects.carried(checkpoint, corruption, activations)
