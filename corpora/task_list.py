"""The small tasks: what each says of itself, as `TASKS` in a module of `corpora/tasks/`, and all of them in order."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from corpora.corpus import Corpus
from model.tokenization.tokenizer import Tokenizer, words_of

PIECES = 1000  # tokens of a vocabulary that is learned from whole sentences


def characters(corpus: Corpus) -> Tokenizer:
    """A tokenizer by which each character of the texts is a token."""
    return Tokenizer.characters(texts(corpus), words_of(corpus.source_words()))


def words(corpus: Corpus) -> Tokenizer:
    """A tokenizer by which each word between spaces is a token."""
    return Tokenizer.words(texts(corpus), words_of(corpus.source_words()))


def pieces(corpus: Corpus, size: int = PIECES) -> Tokenizer:
    """A tokenizer of at most `size` pieces of words."""
    return Tokenizer.train(texts(corpus), words_of(corpus.source_words()), size)


def texts(corpus: Corpus) -> list[str]:
    """The texts from which a vocabulary is learned."""
    return [text for pair in corpus.texts() for text in pair if text]


@dataclass(frozen=True, kw_only=True)
class Task:
    """One task.

    name       in links, runs and cards
    place      its order in the list
    corpus     its data, for the settings of a run (`model.train.run_settings.RunSettings`)
    tokenizer  learned from the corpus
    settings   those with which a run learns it, where they are not the usual ones
    choices    settings that this task has and most others have not
    does       what its card says that a model of it does
    beyond     what its card says that such a model does not know
    on_card    what its card calls it, where `model.train.objectives` has these two sentences
    languages  of source and target; letters and months are English ones, and a user's own pairs are not known
    alone      whether only a decoder alone can learn it
    end        what stands behind a source where a decoder alone learns its pairs
    finite     whether the pairs are the same in each epoch
    given      tokens at the start of a text that a decoder alone need not learn to write, `<bos>` among them
    brings     where the text is kept that the user brings for it; empty where the data is ours
    shows      what a run of it is there to show, and is measured more closely for
    inputs     what has a right answer, as a regular expression
    answer     the right answer to such an input
    """

    name: str
    place: int
    corpus: Callable[[Any], Corpus]
    tokenizer: Callable[[Corpus], Tokenizer] = characters
    settings: dict[str, Any]
    choices: tuple[str, ...] = ()
    does: str = ""
    beyond: str = ""
    on_card: str = ""
    languages: tuple[str, str] = ("en", "en")
    alone: bool = False
    end: str = " ="
    finite: bool = False
    given: int = 0
    brings: str = ""
    shows: Literal["", "memorisation", "induction", "grokking"] = ""
    inputs: str = ""
    answer: Callable[[str], str] = str

    @property
    def translates(self) -> bool:
        """Whether source and target are in two languages."""
        return self.languages[0] != self.languages[1]


@cache
def tasks() -> MappingProxyType[str, Task]:
    """Every task by its name, in the order of the list."""
    modules = sorted(path.stem for path in Path(__file__).with_name("tasks").glob("[!_]*.py"))
    found = [task for name in modules for task in getattr(import_module(f"corpora.tasks.{name}"), "TASKS", ())]
    return MappingProxyType({task.name: task for task in sorted(found, key=lambda task: task.place)})


def grammar_for(language: str) -> str:
    """The task that translates from a user's language with a grammar; from German where there is none."""
    grammars = {task.languages[0]: name for name, task in tasks().items() if "sentences" in task.choices}
    return grammars.get(language, grammars["de"])


def right_answer(task: str, source: str) -> str | None:
    """Answer `source`; None where the task has no rule, or this is no input of it."""
    found = tasks().get(task)
    return found.answer(source) if found and found.inputs and re.fullmatch(found.inputs, source) else None
