"""Which checkpoints exist, and their cards. Needs no torch, so that lists can be shown before torch is loaded."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

import tokenizers

from model import presets
from model.checkpoint import card_fields
from model.config import TransformerConfig, read_config
from model.errors import InvalidInput
from model.tokenization.imported_tokenizer import FILE, TARGET_FILE, ImportedTokenizer
from model.tokenization.tokenizer import SPECIALS, Tokenizer

UNTRAINED = "untrained-"  # before a preset's name, where checkpoints are named
TOLD = "@"  # behind the name of a model of many languages, before the two that it is told: `nllb@deu_Latn-eng_Latn`
_SHORT = {"deu": "de", "eng": "en", "zho": "zh", "fra": "fr", "spa": "es"}  # codes of ISO 639-3 with a shorter one
FIRST = "de-en"  # the checkpoint that is shown first, if it exists
FIRST_FOR = {"zh": "zh-en", "es": "es-en"}  # language of the user -> the checkpoint that is shown first instead
P = ParamSpec("P")
E = TypeVar("E")
# the files needed to run a model; pages also read card.json
NEEDED = ("config.json", "tokenizer.json", "words.txt", "model.safetensors")
IMPORTED_TOKENS = (FILE, TARGET_FILE)  # more files of the tokenizer of an imported model
TOKENS = ("tokenizer.json", "words.txt")  # not needed by a model that reads numbers


class of_files(Generic[E]):
    """A property that is kept until the config or the card of the folder changes, as part of a page keeps its entry."""

    def __init__(self, read: Callable[[Any], E]):
        self.read, self.__doc__ = read, read.__doc__
        self.key = f"_{read.__name__}"

    def __get__(self, entry: Entry, _owner: type) -> E:
        states, kept = _states(entry.folder), entry.__dict__
        if self.key not in kept or kept[self.key][0] != states:
            kept[self.key] = states, self.read(entry)
        return kept[self.key][1]


@dataclass(frozen=True)
class Entry:
    """A checkpoint folder that has not been loaded."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def fingerprint(self) -> str:
        """A string that changes when a file of the checkpoint changes; part of every cache key."""
        files = (*NEEDED, "card.json", "example.npz", "history.npz")
        states = [state for file in files if (state := file_state(f"{self.folder}/{file}"))]
        return "-".join(f"{time:x}.{size:x}" for time, size in states)

    @of_files
    def config(self) -> TransformerConfig:
        """The checked config: a field that the file leaves out has its default. Raises `InvalidInput`."""
        try:
            return read_config(self._json("config.json"))
        except InvalidInput as error:
            if not error.code.startswith("config"):
                raise
            raise InvalidInput("checkpoint_config", name=self.name, problem=error) from None

    @of_files
    def card(self) -> dict[str, Any]:
        """Task, data, licences, scores, examples. Raises `InvalidInput` if a field is missing or of the wrong type."""
        card = self._json("card.json")
        if (key := card_fields.unfit(card, self.reads_text)) is not None:
            raise InvalidInput("checkpoint_card", name=self.name, key=key)
        return card

    @property
    def reads_text(self) -> bool:
        """Whether the model reads sentences. A model that reads numbers has a page of its own."""
        return self.config.inputs == "tokens"

    def is_sound(self) -> bool:
        """Whether files, config and card can be read. The weights are checked only when they are loaded."""
        try:
            self.check_files()
            return bool(self.config and self.card)
        except InvalidInput:
            return False

    def check_files(self) -> None:
        """Raise `InvalidInput` if a needed file is missing."""
        for file in NEEDED:
            is_needed = self.reads_text or file not in TOKENS
            if is_needed and file_state(f"{self.folder}/{file}") is None:
                raise InvalidInput("checkpoint_file", name=self.name, file=file)

    def _json(self, file: str) -> dict[str, Any]:
        try:
            value = json.loads((self.folder / file).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InvalidInput("checkpoint_file", name=self.name, file=file) from None
        except (ValueError, RecursionError) as error:
            raise InvalidInput("checkpoint_json", name=self.name, file=file, problem=error) from None
        if not isinstance(value, dict):
            raise InvalidInput("checkpoint_json", name=self.name, file=file, problem="an object {…} is expected")
        return value


@dataclass(frozen=True)
class Untrained(Entry):
    """A preset with random weights, reading with the tokenizer of the checkpoint in `folder`."""

    preset: str
    seed: int

    @property
    def name(self) -> str:
        return f"{UNTRAINED}{self.preset}"

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint}-{self.seed}"

    @of_files
    def config(self) -> TransformerConfig:
        size = entry_of(self.folder).config.source_vocabulary
        return presets.with_vocabulary(presets.find(self.preset).config, size)

    @of_files
    def card(self) -> dict[str, Any]:
        """The examples of the checkpoint whose tokenizer it uses. A model with random weights has no scores."""
        card = entry_of(self.folder).card
        kinds = {"encoder": "encoder", "decoder": "decoder", "encoder-decoder": "cross"}
        look = {"attention_kind": kinds[self.config.architecture], "layer": 0, "head": 0}
        return {"examples": card["examples"], "first_look": look}


@dataclass(frozen=True)
class InLanguages(Entry):
    """A model of many languages that is told which one to read and which one to write, other than at first."""

    reads: str
    writes: str

    @property
    def name(self) -> str:
        return f"{self.folder.name}{TOLD}{self.reads}-{self.writes}"

    @of_files
    def config(self) -> TransformerConfig:
        """The first token of every output names the language."""
        base = entry_of(self.folder)
        return replace(base.config, first_output_token=base.card["languages"][self.writes])

    @of_files
    def card(self) -> dict[str, Any]:
        """The card of the model, with sentences of the language that it reads if there are any."""
        base = entry_of(self.folder).card
        examples = base.get("language_examples", {}).get(self.reads) or base["examples"]
        return base | {"examples": examples, **told(self.reads, self.writes)}


def in_languages(name: str, known: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entry of a name such as `nllb@deu_Latn-eng_Latn`, by this name; empty if it is none, or no such languages."""
    base, _, told = name.partition(TOLD)
    reads, _, writes = told.partition("-")
    languages = languages_of(known[base]) if base in known and told else {}
    if reads not in languages or writes not in languages:
        return {}
    return {name: InLanguages(known[base].folder, reads, writes)}


def languages_of(entry: Entry) -> dict[str, int]:
    """The languages that a model can be told, by name, with their ids; empty for most models, and damaged ones."""
    try:
        return dict(entry.card.get("languages", {}))
    except InvalidInput:
        return {}


def told(reads: str, writes: str) -> dict[str, Any]:
    """The fields of a card that say which languages a model of many is told to read and to write."""
    return {"told": [reads, writes], "source_language": code_of(reads), "target_language": code_of(writes)}


def code_of(language: str) -> str:
    """The short code of a language, `de` for `deu_Latn` and `de_DE`; others have the code that the model has."""
    first = language.partition("_")[0]
    return _SHORT.get(first, first)


def sentences(entry: Entry) -> list[str]:
    """Sentences on a card that its model reads: examples, what it covers, and held-out ones."""
    card = entry_of(entry.folder).card  # an untrained system reads with this one's tokenizer
    held_out = [output["source"] for outputs in card.get("outputs", {}).values() for output in outputs]
    topic_examples = [text for topic in card.get("covers", ()) for text in topic["examples"]]
    return [*card["examples"], *topic_examples, *held_out]


_SAMPLES = str(Path(__file__).parents[2] / "sample_checkpoints")


def folder() -> Path:
    """The folder of the checkpoints: `GLASSFORMER_CHECKPOINTS`, or `sample_checkpoints/` of the project."""
    return Path(_root())


def _root() -> str:
    return os.environ.get("GLASSFORMER_CHECKPOINTS") or _SAMPLES


class _Look(threading.local):
    """The files that this thread takes for unchanged, with their state, and the dictionaries made of them."""

    states: dict[str, tuple[int, int]] | None = None
    entries: dict[Hashable, dict[str, Any]] | None = None


_look = _Look()


@contextmanager
def one_look() -> Iterator[None]:
    """Meanwhile this thread looks at each file once: one run of a page asks for the same ones a thousand times."""
    before = _look.states, _look.entries
    if _look.states is None:
        _look.states, _look.entries = {}, {}
    try:
        yield
    finally:
        _look.states, _look.entries = before


def _of_one_look(find: Callable[P, dict[str, E]]) -> Callable[P, dict[str, E]]:
    """Entries by name that one look finds once, until a folder is added; nobody may change the dictionary."""

    @wraps(find)
    def found(*arguments: P.args, **keywords: P.kwargs) -> dict[str, E]:
        if _look.entries is None:
            return find(*arguments, **keywords)
        root = _root()
        key = find.__name__, root, _changed(root), arguments, tuple(keywords.items())
        if key not in _look.entries:
            _look.entries[key] = find(*arguments, **keywords)
        return _look.entries[key]

    return found


@_of_one_look
def entries() -> dict[str, Entry]:
    """All checkpoint folders by name."""
    root = folder()
    if not root.is_dir():
        return {}
    with os.scandir(root) as folders:
        paths = sorted((each.name, each.path) for each in folders if each.is_dir() and not each.name.startswith("."))
    return {name: entry_of(path) for name, path in paths}


def entry_of(folder: str | Path) -> Entry:
    """The entry of a checkpoint folder. Who asks shares it, with all that it has read, until its files change."""
    return _shared(str(folder), _states(folder))


def file_state(path: str) -> tuple[int, int] | None:
    """When a file was changed and its bytes; None if it is not there, which is looked up anew each time."""
    states = _look.states
    if states is not None and path in states:
        return states[path]
    try:
        status = os.stat(path)
    except OSError:
        return None
    state = status.st_mtime_ns, status.st_size
    if states is not None:
        states[path] = state
    return state


def _changed(folder: str) -> int:
    """When something was added to a folder or taken out; 0 where there is none."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def _states(folder: str | Path) -> tuple[tuple[int, int] | None, ...]:
    return tuple(file_state(f"{folder}/{file}") for file in ("config.json", "card.json"))


@lru_cache(512)
def _shared(folder: str, _states: object) -> Entry:
    return Entry(Path(folder))


@_of_one_look
def sentence_models() -> dict[str, Entry]:
    """The checkpoints that read sentences. One with a damaged config is included: choosing it shows the error."""
    return {name: entry for name, entry in entries().items() if not _reads_numbers(entry)}


def _reads_numbers(entry: Entry) -> bool:
    try:
        return not entry.reads_text
    except InvalidInput:
        return False


@_of_one_look
def untrained(seed: int, language: str = "") -> dict[str, Entry]:
    """Every preset that reads sentences, by name, with the random weights of `seed`.

    They use the tokenizer of a checkpoint: that which is shown first to a user of `language`. Empty if there is none.
    """
    sample = _first(entries(), language)
    if sample is None:
        return {}
    return {entry.name: entry for entry in _untrained(sample.folder, seed, _states(sample.folder))}


@lru_cache(16)
def _untrained(folder: Path, seed: int, _states: object) -> list[Untrained]:
    sentence_models = [name for name, preset in presets.PRESETS.items() if preset.config.inputs == "tokens"]
    return [Untrained(folder, name, seed) for name in sentence_models]


def default(entries: dict[str, Entry], language: str = "") -> Entry:
    """The checkpoint to show first to a user of this language.

    The one of `FIRST_FOR`, else `FIRST`, else the first sound one that reads text, else the first of all.
    """
    return _first(entries, language) or next(iter(entries.values()))


def _first(entries: dict[str, Entry], language: str = "") -> Entry | None:
    """The one of `FIRST_FOR` if it is sound, else `FIRST`, else the first sound one that reads text."""
    favourites = (FIRST_FOR.get(language), FIRST)
    names = sorted(entries, key=lambda name: favourites.index(name) if name in favourites else len(favourites))
    return next((entries[name] for name in names if entries[name].is_sound() and entries[name].reads_text), None)


def find(name: str) -> Entry:
    """The checkpoint of that name. Raises `InvalidInput` if there is none."""
    available = entries() | in_languages(name, entries())
    if name not in available:
        raise InvalidInput("checkpoint_unknown", name=name, choices=", ".join(available) or "–")
    return available[name]


def load_tokenizer(entry: Entry) -> Tokenizer:
    """The tokenizer of a checkpoint folder. Raises `InvalidInput` if its files are missing or damaged."""
    try:
        if (entry.folder / FILE).is_file():
            tokenizer = ImportedTokenizer.load(entry.folder)
            return tokenizer.reading(entry.reads) if isinstance(entry, InLanguages) else tokenizer
        inner = tokenizers.Tokenizer.from_file(str(entry.folder / "tokenizer.json"))
        training_words = (entry.folder / "words.txt").read_text(encoding="utf-8").split()
        if [inner.token_to_id(token) for token in SPECIALS] != list(range(len(SPECIALS))) or inner.normalizer is None:
            raise ValueError("not one of ours")
    except Exception:  # the library raises bare Exception for every kind of damage
        raise InvalidInput("checkpoint_tokenizer", name=entry.name) from None
    return Tokenizer(inner, training_words)
