"""Make a checkpoint from its recipe: data, tokenizer, training that can be resumed, evaluation, card."""

import time
from collections.abc import Callable
from pathlib import Path

import torch

from model import cards, checkpoints, presets, tasks
from model.catalogue import Entry
from model.config import TransformerConfig
from model.evaluation import evaluate
from model.recipes import Recipe
from model.refused import Refused
from model.tokenizer import Tokenizer, words_of
from model.training import Example, Report, Trainer
from model.transformer import Transformer
from model.translation import translate

SAVE_EVERY = 500  # steps, or a fourth of a shorter run


def build(recipe: Recipe, out: Path, progress: Callable[[Report], None]) -> Entry:
    """Train into `out`; an unfinished run in `out` goes on where it was last saved."""
    torch.set_num_threads(1)
    torch.manual_seed(recipe.training.seed)
    out.mkdir(parents=True, exist_ok=True)
    corpus = recipe.corpus(recipe.training.seed)
    tokenizer = _tokenizer(recipe, corpus)
    config = _config(recipe, tokenizer.size)

    def examples(epoch: int) -> list[Example]:
        return tasks.examples(config, tokenizer, corpus.train(epoch), f"{recipe.training.seed}/{epoch}")

    validation = tasks.examples(config, tokenizer, corpus.validation(), "validation")
    trainer = Trainer(Transformer(config), recipe.training, examples, validation)
    unfinished = out / "unfinished.pt"
    minutes = 0.0
    if unfinished.exists():
        saved = torch.load(unfinished, weights_only=True)
        if saved.pop("recipe", None) != repr(recipe):
            raise Refused("recipe_changed", folder=out)
        minutes = saved.pop("minutes")
        trainer.resume(saved)
    save_every = min(SAVE_EVERY, recipe.training.steps / 4)
    started, saved_at = time.monotonic(), trainer.step
    for report in trainer.reports():
        progress(report)
        if report.step - saved_at >= save_every:
            saved_at = report.step
            passed = minutes + (time.monotonic() - started) / 60
            _save(unfinished, trainer.state() | {"minutes": passed, "recipe": repr(recipe)})
    minutes += (time.monotonic() - started) / 60

    checkpoints.save(out, trainer.average, tokenizer)
    entry = Entry(out)
    _describe(recipe, corpus, entry, minutes)
    unfinished.unlink(missing_ok=True)
    return Entry(out)


def _save(path: Path, state: dict[str, object]) -> None:
    """Replace the file at once, so that a run interrupted here can still be resumed."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def _describe(recipe: Recipe, corpus, entry: Entry, minutes: float) -> None:
    """Evaluate what was written, as it will be loaded, and write the card and the recorded example."""
    checkpoint = checkpoints.load(entry)
    scores = {name: evaluate(checkpoint, pairs).rounded() for name, pairs in corpus.tests().items()}
    example = translate(checkpoint, recipe.examples[0])
    example.trace.save(entry.folder / "example.npz")
    cards.write(entry.folder, cards.card(recipe, corpus, checkpoint, example.text, scores, minutes))


def _tokenizer(recipe: Recipe, corpus) -> Tokenizer:
    texts = [text for pair in corpus.texts() for text in pair]
    return Tokenizer.train(texts, words_of(corpus.source_words()), recipe.vocabulary)


def _config(recipe: Recipe, vocabulary: int) -> TransformerConfig:
    both = {"source_vocabulary": vocabulary, "target_vocabulary": vocabulary}
    return presets.with_vocabulary(TransformerConfig(**(both | recipe.architecture)), vocabulary)  # type: ignore[arg-type]
