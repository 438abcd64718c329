"""Lenses of a checkpoint: fitted, measured on held-out text beside a random twin, and saved."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sacrebleu.metrics import BLEU, CHRF

from corpora.pairs import Pair
from model.analysis.logit_lens import Translator
from model.build.recipes import Recipe, RunRecipe
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.decode.start import decoding_start
from model.decode.translate import can_read
from model.errors import InvalidInput
from model.intervals import RESAMPLES, Estimate, per_token
from model.lenses import agreement, decoder_lens, fitted_lenses, jacobian_lens, tuned_lens
from model.lenses.batch_streams import Text, batches, generated
from model.lenses.fitted_lenses import FittedLenses
from model.measurements.asked import CHECKPOINT, Asked, option, pairs_of, percent
from model.measurements.measurement import Effects, Measurement, estimates, rounded

LENSES = ("logit", "jacobian", "tuned")
SEED = 0
FITTED, DIFFERENTIATED = 2000, 100  # sentences that the tuned lens is fitted on, and of them those of the Jacobian lens
HELD_OUT = 150  # of each set of held-out pairs
FEWEST = 8  # pairs of a file
Report = Callable[[int], None]


@dataclass(frozen=True)
class Data:
    """Sentences to fit on, and sets of pairs to measure on that the fitting never sees."""

    fitting: Sequence[str]
    held_out: Mapping[str, Sequence[Pair]]


def of_recipe(recipe: Recipe | RunRecipe) -> Data:
    """Training sentences of the recipe, and some of each of its sets of held-out pairs."""
    corpus, draws = recipe.corpus(recipe.seed), random.Random(SEED)
    sources = list(dict.fromkeys(pair.source for pair in corpus.train(0)))
    held_out = {name: _sample(draws, pairs, HELD_OUT) for name, pairs in corpus.tests().items()}
    return Data(_sample(draws, sources, FITTED), held_out)


def of_pairs(pairs: Sequence[Pair]) -> Data:
    """A fifth of a file's pairs held out, drawn by chance. Raises `InvalidInput` if there are too few."""
    if len(pairs) < FEWEST:
        raise InvalidInput("lenses_pairs", count=len(pairs), least=FEWEST)
    shuffled = _sample(random.Random(SEED), pairs, len(pairs))
    count = min(len(pairs) // 5, 2 * HELD_OUT)
    return Data([pair.source for pair in shuffled[count:]][:FITTED], {"file": shuffled[:count]})


def _sample(draws: random.Random, population: Sequence[Any], count: int) -> list[Any]:
    return draws.sample(list(population), min(count, len(population)))


def measure(
    checkpoint: Checkpoint, data: Data, report: Report = lambda percent: None
) -> tuple[FittedLenses, dict[str, Any]]:
    """The fitted lenses, and what they and DecoderLens score, of the checkpoint and of its twin with random weights.

    `report` is told how much of all is done, in %. Both models read the same texts: the checkpoint's own outputs.
    """
    fitting = generated(checkpoint, [sentence for sentence in data.fitting if can_read(checkpoint, sentence)])
    pairs = [pair for each in data.held_out.values() for pair in each if can_read(checkpoint, pair.source)]
    if not fitting or not pairs:
        raise InvalidInput("sentence_empty")
    texts = generated(checkpoint, [pair.source for pair in pairs])
    lenses, scores = _of_model(checkpoint, fitting, texts, pairs, lambda percent: report(percent // 2))
    twin = Checkpoint(checkpoint.name, random_model(checkpoint.model.config, SEED), checkpoint.tokenizer, False)
    _, twin_scores = _of_model(twin, fitting, texts, pairs, lambda percent: report(50 + percent // 2))
    counts = {
        "seed": SEED,
        "sets": {name: len(each) for name, each in data.held_out.items()},
        "fitted": {"jacobian": len(fitting[:DIFFERENTIATED]), "tuned": len(fitting)},
        "sentences": len(texts),
        "tokens": sum(len(text.target) for text in texts),
    }
    return lenses, counts | scores | {"twin": twin_scores}


def _of_model(
    checkpoint: Checkpoint, fitting: Sequence[Text], texts: Sequence[Text], pairs: Sequence[Pair], report: Report
) -> tuple[FittedLenses, dict[str, Any]]:
    lenses = fit(checkpoint, fitting, lambda percent: report(percent * 9 // 10))
    results = _scores(checkpoint, lenses, texts)
    if checkpoint.model.config.architecture == "encoder-decoder":
        results |= _source_scores(checkpoint, lenses, texts) | {"decoder_lens": decoder_lens_scores(checkpoint, pairs)}
    report(100)
    return lenses, results


def fit(checkpoint: Checkpoint, texts: Sequence[Text], report: Report = lambda percent: None) -> FittedLenses:
    """Fit the lenses on texts, as they are stored: rounded."""
    model, few = checkpoint.model, texts[:DIFFERENTIATED]
    encoder, decoder = jacobian_lens.fit(model, few, lambda count: report(count * 50 // len(few)))
    steps = tuned_lens.STEPS
    corrections = tuned_lens.fit(model, texts, SEED, steps, lambda count: report(50 + count * 50 // steps))
    jacobian, source = ({depth: _linear(matrix) for depth, matrix in each.items()} for each in (decoder, encoder))
    tuned = {depth: _affine(correction) for depth, correction in corrections.items()}
    return fitted_lenses.rounded(FittedLenses(jacobian, tuned, source))


def _linear(matrix: Any) -> Translator:
    array = matrix.cpu().numpy()
    return Translator(array, array[0] * 0)


def _affine(correction: tuned_lens.Correction) -> Translator:
    """x + A x + b as one matrix and a bias."""
    matrix = correction.matrix.cpu().numpy()
    return Translator(matrix + fitted_lenses.identity(len(matrix)), correction.bias.cpu().numpy())


# scores


def _scores(checkpoint: Checkpoint, lenses: FittedLenses, texts: Sequence[Text]) -> dict[str, Any]:
    """Agreement and divergence of each lens at each depth."""
    results: dict[str, Any] = {"agreement": {}, "divergence": {}}
    for name, translators in zip(LENSES, ({}, lenses.jacobian, lenses.tuned), strict=True):
        counts = agreement.of_lens(checkpoint.model, texts, translators)
        for key, by_place in zip(results, agreement.estimates(counts, SEED), strict=True):
            results[key][name] = rounded(by_place)
    return results


def _source_scores(checkpoint: Checkpoint, lenses: FittedLenses, texts: Sequence[Text]) -> dict[str, Any]:
    """The share of source tokens that are read as a token of the output, and of the next sentence's."""
    return {
        key: rounded(
            {
                depth: per_token(hits, counts, SEED)
                for depth, (hits, counts) in agreement.in_output(checkpoint, texts, lenses.source, shift).items()
            }
        )
        for key, shift in (("source", 0), ("source_elsewhere", 1))
    }


def decoder_lens_scores(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> dict[str, Any]:
    """chrF and BLEU after each number of encoder layers, with intervals by resampling the sentences (sacrebleu)."""
    by_length = sorted(pairs, key=lambda pair: len(pair.source))
    references = [pair.target for pair in by_length]
    outputs: dict[str, list[str]] = {}
    for batch in batches(by_length):
        starts = [decoding_start(checkpoint, pair.source) for pair in batch]
        decoded = decoder_lens.outputs(checkpoint.model, [start.source for start in starts], starts[0].limit)
        for depth, each in decoded.items():
            outputs.setdefault(depth, []).extend(checkpoint.tokenizer.decode(one.ids) for one in each)
    return {
        name: rounded({depth: _corpus_score(metric, texts, references) for depth, texts in outputs.items()})
        for name, metric in (("chrf", CHRF()), ("bleu", BLEU()))
    }


def _corpus_score(metric: BLEU | CHRF, outputs: Sequence[str], references: Sequence[str]) -> Estimate:
    score = metric.corpus_score(outputs, [references], n_bootstrap=RESAMPLES)
    fields = json.loads(score.format(width=4, signature=str(metric.get_signature()), is_json=True))
    mean, reach = fields.get("confidence_mean", 0.0), fields.get("confidence_var", 0.0)
    return Estimate(score.score, mean - reach, mean + reach)


# what is saved


def _write(entry: Entry, results: tuple[FittedLenses, dict[str, Any]]) -> None:
    """The lenses, and their scores with a line for each list of numbers."""
    lenses, scores = results
    fitted_lenses.write(entry.folder, lenses)
    text = re.sub(r"\[[^\]]*\]", lambda match: json.dumps(json.loads(match[0])), json.dumps(scores, indent=1))
    (entry.folder / MEASUREMENT.file).write_text(text + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Scores:
    """Of one model, by depth; the last two are empty without an encoder beside a decoder.

    agreement     of each lens, the share of tokens that it names as the whole model does
    divergence    of each lens, KL divergence from the whole model in nats
    source        the share of source tokens that are read as a token of the output; of another output: elsewhere
    decoder_lens  chrF and BLEU
    """

    agreement: Mapping[str, Effects]
    divergence: Mapping[str, Effects]
    source: Mapping[str, Effects]
    decoder_lens: Mapping[str, Effects]


@dataclass(frozen=True)
class Saved:
    """Scores of the model and of its twin with random weights, over so many sentences and tokens of their outputs."""

    sentences: int
    tokens: int
    model: Scores
    twin: Scores


def _read(content: dict[str, Any]) -> Saved:
    counts = int(content["sentences"]), int(content["tokens"])
    return Saved(*counts, _scores_of(content), _scores_of(content["twin"]))


def _scores_of(content: dict[str, Any]) -> Scores:
    agreement, divergence = (
        {lens: estimates(content[key][lens]) for lens in LENSES} for key in ("agreement", "divergence")
    )
    source: dict[str, Effects] = {
        key: estimates(content[key]) for key in ("source", "source_elsewhere") if key in content
    }
    decoder_lens = {metric: estimates(each) for metric, each in content.get("decoder_lens", {}).items()}
    return Scores(agreement, divergence, source, decoder_lens)


def _measure(asked: Asked) -> tuple[FittedLenses, dict[str, Any]]:
    file, checkpoint = asked.options.pairs, asked.checkpoint
    data = of_recipe(asked.recipe) if file is None else of_pairs(pairs_of(file))
    with percent() as report:
        return measure(checkpoint, data, report)


MEASUREMENT = Measurement(
    name="lenses",
    about="fit the Jacobian lens and the tuned lens, and what every lens scores, as JSON",
    measure=_measure,
    options=(
        CHECKPOINT,
        option("--pairs", type=Path, metavar="FILE.tsv", help="fit and measure on these, not on the recipe's"),
    ),
    save=option("--save", action="store_true", help="save lenses and scores beside the checkpoint"),
    file="lenses.json",
    read=_read,
    printed=lambda results: results[1],
    write=_write,
)
