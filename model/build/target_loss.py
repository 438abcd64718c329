"""The loss on targets alone: one measure for an encoder-decoder and for a decoder that reads the source too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from corpora.corpus import Corpus
from corpora.pairs import Pair
from corpora.tasks.decoder_only_pairs import DecoderOnlyPairs
from corpora.tasks.grammar import Grammar
from model.build.recipes import RunRecipe
from model.checkpoint.checkpoints import Checkpoint
from model.decode.length_generalisation import lengthened
from model.decode.recorded_pass import one_pass
from model.train.data import prepare
from model.train.limits import UNLIMITED
from model.train.training_run import Run
from model.transformer import Transformer

MOST = 5  # sentences of a text that is measured, whatever the model has learned from
TEXTS = 100  # of each number of sentences


@dataclass(frozen=True)
class TargetLoss:
    """Nats per target token with teacher forcing, `<eos>` included; and the share of them predicted right."""

    loss: float
    accuracy: float


def target_loss(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> TargetLoss:
    """The loss of a model for pairs; positions that only a formula gives go on as far as the longest needs."""
    tokenizer, config = checkpoint.tokenizer, checkpoint.model.config
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    examples = list(zip(sources, targets, strict=True))
    if config.architecture == "decoder":
        examples = [([], [*source[:-1], *target[1:]]) for source, target in examples]
    model = lengthened(checkpoint.model, max(len(ids) for example in examples for ids in example))
    total, right, count = 0.0, 0, 0
    for (source, read), target in zip(examples, targets, strict=True):
        surprise, hits = _measured(model, source, read, len(target) - 1)
        total, right, count = total + surprise, right + hits, count + len(target) - 1
    return TargetLoss(total / count, right / count)


def _measured(model: Transformer, source: list[int], read: list[int], count: int) -> tuple[float, int]:
    """Sum of nats and number of right predictions over the last `count` tokens."""
    logits = one_pass(model, source, read[:-1])[-count:]  # (count, V)
    expected = torch.tensor(read[-count:])
    surprise = torch.nn.functional.cross_entropy(logits, expected, reduction="sum")
    return float(surprise), int((logits.argmax(-1) == expected).sum())


def by_sentences(checkpoint: Checkpoint, corpus: Corpus) -> list[float]:
    """The loss for held-out texts of 1 to `MOST` sentences."""
    inner, end = (corpus.inner, corpus.end) if isinstance(corpus, DecoderOnlyPairs) else (corpus, "")
    assert isinstance(inner, Grammar)
    return [
        target_loss(checkpoint, [Pair(pair.source + end, pair.target) for pair in inner.of(sentences, TEXTS)]).loss
        for sentences in range(1, MOST + 1)
    ]


def over_seeds(recipe: RunRecipe, model: Transformer) -> dict[str, Any]:
    """Measure a recipe's trained model for its card, and train and measure the same run with each of its other seeds.

    target_loss   nats per target token of the held-out pairs, by seed
    by_sentences  the same for texts of 1 to `MOST` sentences, by seed
    """
    models = {recipe.seed: model}
    for seed in recipe.seeds:
        run = Run(replace(recipe.settings, seed=seed), limits=UNLIMITED)
        for _ in run.trainer.updates():
            pass
        models[seed] = run.trainer.average
    losses, by_length = {}, {}
    for seed, trained in models.items():
        data = prepare(replace(recipe.settings, seed=seed))
        checkpoint = Checkpoint(recipe.name, trained, data.tokenizer)
        held_out = [pair for pairs in data.corpus.tests().values() for pair in pairs]
        losses[str(seed)] = round(target_loss(checkpoint, held_out).loss, 4)
        by_length[str(seed)] = [round(loss, 4) for loss in by_sentences(checkpoint, data.corpus)]
    return {"target_loss": losses, "by_sentences": by_length}
