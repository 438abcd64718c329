"""What one call of a command asks for: a checkpoint, or a preset with random weights, and the sentences to measure."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model import presets
from model.checkpoint import catalogue
from model.errors import InvalidInput

if TYPE_CHECKING:
    from corpora.pairs import Pair
    from model.build.recipes import Recipe, RunRecipe
    from model.checkpoint.checkpoints import Checkpoint

SEED = 0  # of the held-out sentences that are drawn
Option = tuple[str, dict[str, Any]]  # of argparse: its name, and what `add_argument` is told


def option(name: str, **settings: Any) -> Option:
    """An argument or an option of a command."""
    return name, settings


CHECKPOINT = option("name", help="a checkpoint")
MODEL = (
    option("name", help="a checkpoint, or with --untrained a preset"),
    option("--untrained", action="store_true", help="run a preset with random weights"),
    option("--seed", type=int, default=0, help="of the random weights"),
    option("--reads", metavar="NAME", help="the checkpoint whose tokenizer a preset reads with"),
)
LINES = option("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of held-out ones")
SAVE = option("--save", action="store_true", help="save the result beside the checkpoint")


class Asked:
    """What one call of a command asks for."""

    def __init__(self, options: argparse.Namespace):
        self.options = options

    @property
    def is_untrained(self) -> bool:
        """Whether the name is that of a preset with random weights."""
        return getattr(self.options, "untrained", False)

    @cached_property
    def entry(self) -> catalogue.Entry:
        """The checkpoint, or the preset, which reads with the tokenizer of a checkpoint."""
        name = self.options.name
        if not self.is_untrained:
            entry = catalogue.find(name)
            if not entry.reads_text:
                raise InvalidInput("checkpoint_numbers", name=entry.name)
            return entry
        if presets.find(name).config.inputs == "numbers":
            raise InvalidInput("preset_numbers", name=name)
        entries = catalogue.entries()
        if not entries:
            raise InvalidInput("checkpoint_unknown", name=catalogue.FIRST, choices="–")
        reads = catalogue.find(self.options.reads) if self.options.reads else catalogue.default(entries)
        return catalogue.Untrained(reads.folder, name, self.options.seed)

    @cached_property
    def checkpoint(self) -> Checkpoint:
        """The model, loaded."""
        import torch

        from model.checkpoint import checkpoints

        torch.set_num_threads(1)
        return checkpoints.load(self.entry)

    @property
    def recipe(self) -> Recipe | RunRecipe:
        """What the checkpoint is made from."""
        from model.build import recipes

        return recipes.find(self.options.name)

    @property
    def lines(self) -> list[str] | None:
        """The lines of the file that is named; None without one."""
        file = self.options.lines
        return None if file is None else file.read_text(encoding="utf-8").splitlines()

    def sentences(self, most: int) -> list[str]:
        """The lines, sentences of the card where these are asked for, or so many held-out ones of the recipe at most.

        Raises `InvalidInput` for a model that gives no probabilities.
        """
        from model.attribution.why_question import can_ask

        if not can_ask(self.checkpoint):
            raise InvalidInput("attribution_vectors", name=self.options.name)
        lines = self.lines
        if lines is not None:
            return lines
        is_of_card = self.is_untrained or getattr(self.options, "examples", False)
        return self.examples() if is_of_card else self.held_out(most)

    def examples(self) -> list[str]:
        """The sentences of the card that the model can read."""
        from model.circuits import card_sentences

        return card_sentences.readable(self.entry, self.checkpoint)

    def held_out(self, most: int) -> list[str]:
        """So many held-out sources of the recipe, of all its test sets; with words to guess for an encoder alone."""
        from model.build.evaluation import hidden

        recipe, checkpoint = self.recipe, self.checkpoint
        pairs = [pair for pairs in recipe.corpus(recipe.seed).tests().values() for pair in pairs]
        sources = list(dict.fromkeys(pair.source for pair in pairs))
        sample = random.Random(SEED).sample(sources, min(most, len(sources)))
        if checkpoint.model.config.architecture != "encoder":
            return sample
        tokenizer = checkpoint.tokenizer
        return hidden(tokenizer, [tokenizer.decode(tokenizer.encode(source)) for source in sample])

    def over(self, sentences: list[str], measure: Callable[..., Any]) -> Any:
        """What `measure(checkpoint, sentences, report=…)` gives, with a bar of the sentences that are done."""
        from tqdm import tqdm

        with tqdm(total=len(sentences), unit="sentence") as bar:
            return measure(self.checkpoint, sentences, report=lambda count: bar.update(count - bar.n))


@contextmanager
def percent() -> Iterator[Callable[..., None]]:
    """A bar that is told how much is done, in %, and perhaps of what."""
    from tqdm import tqdm

    # without a rate, which would be in % per second
    with tqdm(total=100, bar_format="{l_bar}{bar}| [{elapsed}<{remaining}]") as bar:

        def report(count: int, stage: str = "") -> None:
            if stage:
                bar.set_description(stage)
            bar.update(count - bar.n)

        yield report


def pairs_of(file: Path) -> list[Pair]:
    """The pairs of a file, one at least."""
    from corpora.pairs import read_tsv

    try:
        pairs = read_tsv(file)
    except ValueError as error:
        raise InvalidInput("pairs_file", file=file, problem=error) from None
    if not pairs:
        raise InvalidInput("pairs_file", file=file, problem="it holds no pair")
    return pairs
