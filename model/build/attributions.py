"""How far each method of attribution can be trusted in a checkpoint: measured over sentences, for its card."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from model.attribution.trust import over_sentences
from model.build.evaluation import hidden
from model.build.recipes import Recipe, RunRecipe
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint

SENTENCES = 100
SEED = 0  # of the sentences that are drawn


def held_out(recipe: Recipe | RunRecipe, checkpoint: Checkpoint, count: int = SENTENCES) -> list[str]:
    """So many held-out sources of the recipe, of all its test sets; with words to guess for an encoder alone."""
    pairs = [pair for pairs in recipe.corpus(recipe.seed).tests().values() for pair in pairs]
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    sample = random.Random(SEED).sample(sources, min(count, len(sources)))
    if checkpoint.model.config.architecture != "encoder":
        return sample
    tokenizer = checkpoint.tokenizer
    return hidden(tokenizer, [tokenizer.decode(tokenizer.encode(source)) for source in sample])


def measure(
    checkpoint: Checkpoint, sentences: Sequence[str], report: Callable[[int], None] = lambda count: None
) -> dict[str, Any]:
    """The means of `over_sentences`; `report` is told how many sentences are done."""
    return over_sentences(checkpoint, sentences, report=report)


def record(entry: Entry, results: dict[str, Any]) -> None:
    """Write the result into the card of a checkpoint."""
    card = Entry(entry.folder).card | {"attribution": results}  # as it is on disk: an entry keeps what it has read
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    (entry.folder / "card.json").write_text(text, encoding="utf-8")
