"""Make the dictionary of a checkpoint, measure it beside simpler ones, and keep it beside the checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.features import scores, sentences, sites, splice, store, training
from model.features.dictionary import Dictionary
from model.features.examples import Activations
from model.features.examples import activations as activations_of
from model.features.meaning import concepts, naming, steering
from model.features.sentences import Sentences
from model.features.sites import Site, Vectors
from model.features.store import Stored
from model.features.training import Settings

SCORED = 200  # held-out sentences of a recovered score
TOKENS = 20_000  # of held-out sentences that are scored, at most
STORED = 15_000  # of them that are stored: 570 kB with 8 active features
LOOKED_AT = 4000  # learned sentences in which features for names and wishes are looked for
SEEDS = 1  # is added to a seed for the second one
Report = Callable[[str, float], None]


def silent(stage: str, share: float) -> None:
    """Take no notice of the progress."""


@dataclass(frozen=True, eq=False)
class Source:
    """A checkpoint's site with its sentences, and the vectors of those that are learned from and of held-out ones."""

    checkpoint: Checkpoint
    site: Site
    texts: Sentences
    learned: Vectors
    held_out: Vectors


def source(checkpoint: Checkpoint, site: Site, texts: Sentences, report: Report = silent) -> Source:
    """Collect the vectors."""
    side = site.side
    learned = sites.vectors(
        checkpoint,
        site,
        sites.reads(checkpoint, texts.learned, side),
        lambda count: report("vectors", count / len(texts.learned)),
    )
    held_out = sites.vectors(checkpoint, site, sites.reads(checkpoint, _fitting(checkpoint, texts), side))
    return Source(checkpoint, site, texts, learned, held_out)


def _fitting(checkpoint: Checkpoint, texts: Sentences) -> list[str]:
    """The first held-out sentences whose tokens are stored."""
    result: list[str] = []
    total = 0
    for text, ids in zip(texts.held_out, checkpoint.tokenizer.encode_all(list(texts.held_out)), strict=True):
        total += len(ids)
        if total > TOKENS:
            break
        result.append(text)
    return result


def make(
    checkpoint: Checkpoint,
    entry: Entry,
    site_name: str = "",
    settings: Settings | None = None,
    lines: Sequence[str] = (),
    report: Report = silent,
) -> Stored:
    """Train a dictionary and measure it; `report` is told the stage and how much of it is done.

    Raises `InvalidInput` for a site that the model lacks, settings out of range, and too few sentences.
    """
    settings = settings or Settings()
    training.check(settings)
    site = sites.find(checkpoint.model.config, site_name)
    texts = sentences.of(checkpoint, entry, site.side, lines)
    given = source(checkpoint, site, texts, report)
    dictionary = store.rounded(trained(given, settings, "training", report))
    held_out = _activations(given, dictionary, given.held_out)
    report("scores", 0.0)
    card: dict[str, Any] = {
        "site": site.name,
        "settings": asdict(replace(settings, features=dictionary.features)),
        "sentences": {
            "learned": len(texts.learned),
            "tokens": len(given.learned),
            "held_out": len(given.held_out.reads),
            "held_out_tokens": len(given.held_out),
        },
        "scores": measured(given, dictionary, settings, held_out, report),
    }
    report("names", 0.0)
    return again(checkpoint, entry, Stored(dictionary, held_out.first(STORED), card), lines)


def trained(given: Source, settings: Settings, stage: str, report: Report) -> Dictionary:
    """The dictionary of the learned vectors."""
    trainer = training.Trainer(given.learned.inputs, given.learned.targets, settings)
    for update in trainer.updates():
        report(stage, update.step / update.steps)
    return trainer.dictionary()


def _activations(given: Source, dictionary: Dictionary, vectors: Vectors) -> Activations:
    side, tokenizer = given.site.side, given.checkpoint.tokenizer
    tokens = tuple(tokenizer.tokens(read.ids(side), begins=True) for read in vectors.reads)
    return activations_of(dictionary, vectors, tokens, side)


def measured(
    given: Source, dictionary: Dictionary, settings: Settings, held_out: Activations, report: Report = silent
) -> dict[str, Any]:
    """The scores of the dictionary, of one of a random model, of components, of neurons, and what two seeds share."""
    other = trained(given, replace(settings, seed=settings.seed + SEEDS), "another seed", report)
    texts = [read.sentence for read in given.held_out.reads[:SCORED]]
    own = scores.outputs(given.checkpoint, texts)
    results: dict[str, Any] = {
        "sentences": len(texts),
        "seed": settings.seed,
        "dictionary": _scores(given, dictionary, texts, own) | _shape(held_out),
        "random_model": _random(given, settings, report),
        "seeds": {"shared": round(scores.shared(dictionary, other), 4), "cosine": scores.SHARED},
    }
    if not given.site.is_transcoder:
        for name, make_simple in (("components", scores.by_components), ("neurons", scores.by_neurons)):
            reconstruct = make_simple(given.learned.inputs, min(dictionary.active, given.learned.inputs.size(1)))
            left = scores.variance_unexplained(given.held_out, reconstruct, dictionary.target_mean)
            results[name] = {"unexplained": _rounded(left)} | _chrf(
                given, texts, own, scores.replaced(given.site, reconstruct)
            )
    mean = scores.replaced(given.site, lambda value: dictionary.target_mean.expand_as(value))
    results["mean"] = _chrf(given, texts, own, mean)
    if given.texts.references and any(own):
        results["model"] = {"reference_chrf": _rounded(scores.chrf(own, given.texts.references[: len(own)]))}
    return results


def _scores(given: Source, dictionary: Dictionary, texts: Sequence[str], own: Sequence[str]) -> dict[str, Any]:
    left = scores.variance_unexplained(given.held_out, dictionary.reconstruction, dictionary.target_mean)
    edit = splice.spliced(given.site, dictionary)
    result = {"unexplained": _rounded(left)} | _chrf(given, texts, own, edit)
    if given.texts.references and any(own):
        outputs = scores.outputs(given.checkpoint, texts, edit)
        result["reference_chrf"] = _rounded(scores.chrf(outputs, given.texts.references[: len(own)]))
    return result


def _chrf(given: Source, texts: Sequence[str], own: Sequence[str], edit: Any) -> dict[str, Any]:
    """chrF against the model's own output; nothing for a model that writes nothing."""
    if not any(own):
        return {}
    return {"chrf": _rounded(scores.chrf(scores.outputs(given.checkpoint, texts, edit), own))}


def _shape(active: Activations) -> dict[str, Any]:
    """How many features are active anywhere, and how many of those mostly at one token."""
    return {
        "alive": int((active.maxima() > 0).sum()),
        "features": active.count,
        "same_token": round(scores.same_token(active), 4),
    }


def _random(given: Source, settings: Settings, report: Report) -> dict[str, Any]:
    """The scores of a dictionary of the same model with random weights, against what that one writes."""
    checkpoint = replace(given.checkpoint, model=random_model(given.checkpoint.model.config, settings.seed))
    other = source(checkpoint, given.site, given.texts)
    dictionary = trained(other, settings, "random model", report)
    texts = [read.sentence for read in other.held_out.reads[:SCORED]]
    own = scores.outputs(checkpoint, texts)
    return _scores(replace(other, texts=replace(given.texts, references=())), dictionary, texts, own) | _shape(
        _activations(other, dictionary, other.held_out)
    )


def again(checkpoint: Checkpoint, entry: Entry, stored: Stored, lines: Sequence[str] = ()) -> Stored:
    """The same dictionary with its names and suggestions looked for anew; of others than our checkpoints, and of other
    sites than the first one, it has none."""
    meaning: dict[str, Any] = {"names": [], "suggestions": []}
    site, patterns = sites.find(checkpoint.model.config, stored.site), concepts.CONCEPTS.get(entry.name, {})
    if patterns and site.name == sites.default(checkpoint.model.config):
        texts = sentences.of(checkpoint, entry, site.side, lines)
        looked_at = sites.vectors(checkpoint, site, sites.reads(checkpoint, texts.learned[:LOOKED_AT], site.side))
        learned = activations_of(stored.dictionary, looked_at, (), site.side)
        meaning["names"] = naming.named(checkpoint.tokenizer, patterns, learned, stored.activations)
        meaning["suggestions"] = [
            asdict(each) for each in _suggestions(checkpoint, site, stored.dictionary, entry.name, texts)
        ]
    return Stored(stored.dictionary, stored.activations, stored.card | meaning)


def _suggestions(
    checkpoint: Checkpoint, site: Site, dictionary: Dictionary, name: str, texts: Sentences
) -> list[steering.Suggestion]:
    learned = list(dict.fromkeys((*texts.learned, *texts.more_learned)))
    held_out = list(dict.fromkeys((*texts.held_out, *texts.more_held_out)))
    wishes = concepts.WISHES.get(name, ())
    found = (steering.Trials(checkpoint, site, dictionary, wish).suggest(learned, held_out) for wish in wishes)
    return [each for each in found if each is not None]


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]
