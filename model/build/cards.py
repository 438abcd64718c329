"""Cards: what a checkpoint is for, what it covers, its data, size and scores, as JSON and as prose."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from corpora.corpus import Corpus
from corpora.pairs import Pair
from corpora.task_list import Task, tasks
from corpora.tasks.sequences import LONGEST
from corpora.tasks.user_text import Passage
from model.build.evaluation import SHOWN, Judged
from model.build.first_head import first_look
from model.build.recipes import Recipe, RunRecipe
from model.checkpoint.card_fields import SHARES
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.snapshots import Sample
from model.decode.translate import translate, translate_all
from model.initial_weights import count_parameters
from model.train.objectives import OBJECTIVES, Learned, fill
from model.train.report import Evaluation
from model.train.run_settings import RunSettings
from model.train.trainer import TrainingSettings

_LOOKED_AT = 60  # sentences over which the head to show first is chosen


def card(
    recipe: Recipe | RunRecipe,
    corpus: Corpus,
    checkpoint: Checkpoint,
    translation: str,
    judgement: Judged,
    training: dict[str, Any],
) -> dict[str, Any]:
    """The card of a trained checkpoint; `translation` is that of the recipe's first example."""
    settings = asdict(recipe.settings) if isinstance(recipe, RunRecipe) else {}
    task = tasks()[recipe.settings.task] if isinstance(recipe, RunRecipe) else None
    languages = recipe.languages or (task.languages if task and task.translates else ())
    options = recipe.options if isinstance(recipe, Recipe) else ""
    variant = {"variant_of": recipe.variant_of} if isinstance(recipe, RunRecipe) and recipe.variant_of else {}
    return {
        "task": recipe.task,
        **dict(zip(("source_language", "target_language"), languages, strict=False)),
        **variant,
        "command": f"python -m model train {recipe.name}{options}" if recipe.name else "",
        "examples": list(recipe.examples),
        "example_translation": translation,
        "first_look": first_look(checkpoint, [pair.source for pair in corpus.validation()][-_LOOKED_AT:]),
        "covers": _covered(checkpoint, corpus.covers()),
        "data": _data(recipe, corpus),
        "splits": _splits(corpus),
        "parameters": count_parameters(checkpoint.model),
        "scores": judgement.scores,
        "outputs": {"right": _outputs(judgement.right), "wrong": _outputs(judgement.wrong)},
        "training": training,
    } | ({"run": {key: value for key, value in settings.items() if key != "own"}} if settings else {})


def describe(
    recipe: Recipe | RunRecipe,
    checkpoint: Checkpoint,
    entry: Entry,
    corpus: Corpus,
    judgement: Judged,
    training: dict[str, Any],
) -> None:
    """Write the recorded pass of the first example, and the card."""
    example = translate(checkpoint, recipe.examples[0])
    example.trace.save(entry.folder / "example.npz")
    write(entry.folder, card(recipe, corpus, checkpoint, example.text, judgement, training))


def training_facts(steps: int, settings: RunSettings | TrainingSettings, minutes: float) -> dict[str, Any]:
    """The part of the card about the training; `minutes` of processor time."""
    return {
        "steps": steps,
        "seed": settings.seed,
        "minutes": round(minutes, 1),
        "threads": 1,
        "label_smoothing": settings.label_smoothing,
    }


def judged_by_run(settings: RunSettings, name: str, evaluation: Evaluation) -> Judged:
    """Scores and samples of a run's last evaluation."""
    held_out = [sample for sample in evaluation.samples if sample.held_out]
    scores: dict[str, dict[str, Any]] = {}
    if evaluation.exact_held_out is None:
        scores[name] = {"bits": round(evaluation.validation_loss / math.log(2), 3)}
    else:
        scores[name] = {"pairs": evaluation.held_out, "exact": round(evaluation.exact_held_out, 4)}
    if tasks()[settings.task].shows == "memorisation" and evaluation.exact_training is not None:
        training_scores = {"pairs": evaluation.training, "exact": round(evaluation.exact_training, 4)}
        scores = {f"{name}-seen": training_scores} | scores
    right, wrong = ([s for s in held_out if s.right is is_right][:SHOWN] for is_right in (True, False))
    return Judged(scores, tuple(right), tuple(wrong))


def _outputs(samples: Sequence[Sample]) -> list[dict[str, str]]:
    return [{"source": s.source, "reference": s.reference, "output": s.output} for s in samples]


def _data(recipe: Recipe | RunRecipe, corpus: Corpus) -> list[dict[str, Any]]:
    """Where the training data comes from; that of a text is counted in characters."""
    if isinstance(corpus, Passage):
        licence = "ours" if recipe.name else corpus.licence
        return [{"name": corpus.name, "pairs": len(corpus.head), "licence": licence}]
    return corpus.sources()


def _splits(corpus: Corpus) -> dict[str, int]:
    """Cases by split, characters where the task is a text."""
    if isinstance(corpus, Passage):
        return {"train": len(corpus.head), "test": len(corpus.tail)}
    sizes = {split: sum(map(len, corpus.tests(split).values())) for split in ("validation", "test")}  # type: ignore[arg-type]
    return {"train": sum(int(str(data["pairs"])) for data in corpus.sources())} | sizes


def _covered(checkpoint: Checkpoint, topics: Sequence[tuple[str, list[Pair]]]) -> list[dict[str, Any]]:
    """Each topic with those of its examples that this checkpoint gets right."""
    write = translate_all if checkpoint.model.config.decoder_layers else fill
    topics_right = []
    for topic, pairs in topics:
        outputs = write(checkpoint, [pair.source for pair in pairs])
        right = [pair.source for pair, output in zip(pairs, outputs, strict=True) if output == pair.target]
        if right:
            topics_right.append({"topic": topic, "examples": right})
    return topics_right


def write(folder: Path, card: dict[str, Any], name: str = "") -> None:
    """card.json for programs, card.md for users."""
    save(folder, card, _prose(name or folder.name, card))


def save(folder: Path, card: dict[str, Any], prose: str) -> None:
    """Write a card and its text."""
    text = json.dumps(card, ensure_ascii=False, indent=2) + "\n"
    (folder / "card.json").write_text(text, encoding="utf-8")
    (folder / "card.md").write_text(prose, encoding="utf-8")


def add_attribution(entry: Entry, results: dict[str, Any]) -> None:
    """Write into the card how far each method of attribution can be trusted."""
    card = Entry(entry.folder).card | {"attribution": results}  # as it is on disk: an entry keeps what it has read
    text = json.dumps(card, ensure_ascii=False, indent=2) + "\n"
    (entry.folder / "card.json").write_text(text, encoding="utf-8")


def add_ordinary(entry: Entry, results: dict[str, Any]) -> None:
    """Write into the card how many ordinary sentences come out right, and how well doubtful outputs are marked."""
    kept = {key: results[key] for key in ("sentences", "right", "words", "word_list", "marked") if key in results}
    write(entry.folder, Entry(entry.folder).card | {"ordinary": kept})


# prose

_COLUMNS = {
    "pairs": "cases",
    "exact": "exact",
    "bleu": "BLEU",
    "chrf": "chrF",
    "hidden": "hidden words",
    "accuracy": "found",
    "most_frequent": "by always naming the most frequent word",
    "possible": "by knowing every sentence there is",
    "characters": "characters",
    "bits": "bits per character",
    "ngram_bits": "of the best n-gram model",
    "ngram_order": "its n",
}


def _prose(name: str, card: dict[str, Any]) -> str:
    scores = card["scores"]
    keys = [key for key in _COLUMNS if any(key in score for score in scores.values())]
    lines = [f"# {name}", "", _told(card["task"]).does.format(**card), "", "## Scores on held-out data", ""]
    lines += [f"| set | {' | '.join(_COLUMNS[key] for key in keys)} |", "|---" * (len(keys) + 1) + "|"]
    for test, score in scores.items():
        lines.append(f"| {test} | {' | '.join(_formatted(key, score.get(key)) for key in keys)} |")
    bleu_scores = [score for score in scores.values() if "bleu_signature" in score]
    if bleu_scores:
        lines += ["", f"sacrebleu: `{bleu_scores[0]['bleu_signature']}`, `{bleu_scores[0]['chrf_signature']}`"]
    if any(test.endswith("-seen") for test in scores):
        lines += ["", "The set that ends in `-seen` is what it was trained on."]
    if "ordinary" in card:
        lines += ["", "## Ordinary sentences", "", *_ordinary(card["ordinary"])]
    unit = "characters" if card["task"] == "text" else "cases"
    lines += ["", "## Data", ""]
    lines += [f"- {data['name']}: {data['pairs']} training {unit}, {data['licence']}" for data in card["data"]]
    lines += [f"- {split}: {count} {unit}" for split, count in card["splits"].items() if split != "train"]
    for kind, title in (("right", "The first held-out outputs that are right"), ("wrong", "and that are wrong")):
        lines += ["", f"## {title}", ""]
        rows = [f"- `{s['source']}` → `{s['output']}`" + _instead(s) for s in card["outputs"][kind]]
        lines += rows or ["- none"]
    lines += ["", "## Size", "", f"{card['parameters']['total']:,} parameters, stored in half precision."]
    lines += ["", "## What it covers", ""]
    lines += [f"- {topic['topic']}: {' '.join(topic['examples'])}" for topic in card["covers"]]
    letters = card.get("run", {}).get("letters", LONGEST)
    lines += ["", _told(card["task"]).beyond.format(letters=letters), "", "## Make it again", ""]
    training = card["training"]
    by = f"`{card['command']}`: " if card["command"] else "A run of the page: "
    lines += [f"{by}{training['steps']} steps, seed {training['seed']}, {training['minutes']} minutes on one core."]
    return "\n".join(lines) + "\n"


def _ordinary(ordinary: dict[str, Any]) -> list[str]:
    """What was measured with sentences that no grammar made; shares with their 95 % intervals."""

    def share(interval: list[float]) -> str:
        mean, low, high = interval
        return f"{mean:.1%} ({low:.1%} to {high:.1%})"

    lines = [f"- right: {share(ordinary['right'])} of {ordinary['sentences']['test']}"]
    lines += [f"- words of a first course that it has learnt: {ordinary['words']} of {ordinary['word_list']}"]
    if "marked" in ordinary:
        wrong, right, area = (ordinary["marked"][key] for key in ("wrong", "right", "area"))
        lines += [f"- marked as doubtful: {share(wrong)} of the wrong outputs, {share(right)} of the right ones"]
        lines += [f"- area under the curve of the mark: {area[0]:.2f} ({area[1]:.2f} to {area[2]:.2f})"]
    return lines


def _told(name: str) -> Learned | Task:
    """What a card says of the task of this name."""
    every: tuple[Learned | Task, ...] = (*OBJECTIVES.values(), *tasks().values())
    return next(each for each in every if each.name == name)


def _formatted(key: str, value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.1%}" if key in SHARES else str(value)


def _instead(sample: dict[str, str]) -> str:
    return "" if sample["output"] == sample["reference"] else f", not `{sample['reference']}`"
