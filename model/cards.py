"""Cards: what a checkpoint is for, what it covers, its data, size and scores, as JSON and as prose."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoints import Checkpoint
from model.corpora.pairs import Pair
from model.recipes import Recipe
from model.tasks import TASKS
from model.tokenizer import SPECIALS
from model.transformer import count_parameters
from model.translation import translate, translate_all

_LOOKED_AT = 60  # sentences over which the head to show first is chosen


def card(
    recipe: Recipe, corpus, checkpoint: Checkpoint, translation: str, scores: dict[str, Any], minutes: float
) -> dict[str, Any]:
    """The card of a trained checkpoint; `translation` is that of the recipe's first example."""
    return {
        "task": TASKS[checkpoint.model.config.architecture],
        "source_language": "de",
        "target_language": "en",
        "command": f"python -m model train {recipe.name}{recipe.options}",
        "examples": list(recipe.examples),
        "example_translation": translation,
        "first_look": first_look(checkpoint, [pair.source for pair in corpus.validation()][-_LOOKED_AT:]),
        "covers": _covered(checkpoint, corpus.covers()),
        "data": corpus.sources(),
        "parameters": count_parameters(checkpoint.model),
        "scores": scores,
        "training": {
            "steps": recipe.training.steps,
            "seed": recipe.training.seed,
            "minutes": round(minutes, 1),
            "threads": 1,
        },
    }


def _covered(checkpoint: Checkpoint, topics: list[tuple[str, list[Pair]]]) -> list[dict[str, Any]]:
    """Each topic with those of its examples that this checkpoint translates as it should."""
    if not checkpoint.model.config.decoder_layers:
        return []
    covered = []
    for topic, pairs in topics:
        outputs = translate_all(checkpoint, [pair.source for pair in pairs])
        right = [pair.source for pair, output in zip(pairs, outputs, strict=True) if output == pair.target]
        if right:
            covered.append({"topic": topic, "examples": right})
    return covered


def first_look(checkpoint: Checkpoint, sentences: list[str]) -> dict[str, Any]:
    """The cross-attention head that follows the source best: the one to show first. Without any, the very first.

    Measured as the share of source words that are the strongest key of some step, times the mean
    weight that is not spent on special tokens.
    """
    architecture = checkpoint.model.config.architecture
    if architecture != "encoder-decoder":
        return {"attention_kind": architecture, "layer": 0, "head": 0}
    total: np.ndarray | float = 0.0
    for sentence in sentences:
        trace = translate(checkpoint, sentence).trace
        words = np.array([token not in SPECIALS for token in trace.source_tokens])
        weights = trace.weights("cross")[..., words]  # (L, H, Q, K)
        strongest = weights.argmax(-1)  # (L, H, Q)
        reached = (strongest[..., None] == np.arange(words.sum())).any(-2).mean(-1)  # (L, H)
        total = total + reached * weights.sum(-1).mean(-1)
    layer, head = np.unravel_index(np.argmax(total), np.shape(total))
    return {"attention_kind": "cross", "layer": int(layer), "head": int(head)}


_DOES = {
    "translation": "Translates {source_language} to {target_language}.",
    "continuation": "Goes on after a sentence in {source_language} with the same in {target_language}.",
    "hidden-words": "Finds hidden words of sentences in {source_language} or {target_language}. "
    "Its scores hold restored sentences in {source_language} against what they were.",
}


def write(folder: Path, card: dict[str, Any]) -> None:
    """card.json for programs, card.md for readers."""
    text = json.dumps(card, ensure_ascii=False, indent=2) + "\n"
    (folder / "card.json").write_text(text, encoding="utf-8")
    (folder / "card.md").write_text(_prose(folder.name, card), encoding="utf-8")


def _prose(name: str, card: dict[str, Any]) -> str:
    lines = [
        f"# {name}",
        "",
        _DOES[card["task"]].format(**card),
        "",
        "## Scores on held-out data",
        "",
    ]
    lines += ["| set | pairs | exact | BLEU | chrF |", "|---|---|---|---|---|"]
    for test, s in card["scores"].items():
        lines.append(f"| {test} | {s['pairs']} | {s['exact']:.1%} | {s['bleu']} | {s['chrf']} |")
    first = next(iter(card["scores"].values()))
    lines += ["", f"sacrebleu: `{first['bleu_signature']}`, `{first['chrf_signature']}`", "", "## Data", ""]
    lines += [f"- {data['name']}: {data['pairs']} training pairs, {data['licence']}" for data in card["data"]]
    lines += [
        "",
        "## Size",
        "",
        f"{card['parameters']['total']:,} parameters, stored in half precision.",
        "",
        "## What it covers",
        "",
    ]
    lines += [f"- {topic['topic']}: {' '.join(topic['examples'])}" for topic in card["covers"]]
    lines += ["", "Other words are split into pieces and often translated badly.", "", "## Make it again", ""]
    training = card["training"]
    lines += [
        f"`{card['command']}`: {training['steps']} steps, seed {training['seed']}, one thread, "
        f"{training['minutes']} minutes."
    ]
    return "\n".join(lines) + "\n"
