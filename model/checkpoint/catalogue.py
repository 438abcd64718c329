"""Which checkpoints there are, and their cards; needs no torch, so that lists are there at once."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import tokenizers

from model import presets
from model.errors import InvalidInput
from model.tokenizer import SPECIALS, Tokenizer

UNTRAINED = "untrained-"  # before a preset's name, where checkpoints are named
FIRST = "de-en"  # the one to begin with, where it is there
FIRST_FOR = {"zh": "zh-en"}  # and for those whose browser asks for another language than English
_OUTPUT = {"source": str, "reference": str, "output": str}
# what a card must say, with the kind of value; pages rely on it
CARD = {
    "task": str,
    "command": str,  # that makes it again; empty for a run of the page
    "data": [{"name": str, "pairs": int, "licence": str}],
    "parameters": {"total": int},
    "scores": dict,
    "training": {"steps": int, "seed": int, "minutes": float},
}
# and where the model reads text
READS = {
    "examples": [str],
    "example_translation": str,
    "first_look": {"attention_kind": str, "layer": int, "head": int},
    "covers": [{"topic": str, "examples": [str]}],
}
# what a card may say
MAY = {
    "source_language": str,
    "target_language": str,
    "variant_of": str,  # the checkpoint that it differs from in one choice
    "splits": dict,  # name of a split -> its number of cases
    "outputs": {"right": [_OUTPUT], "wrong": [_OUTPUT]},  # held out, the first of each
}
# to run a model; a page also reads card.json
NEEDED = ("config.json", "tokenizer.json", "words.txt", "model.safetensors")
TOKENS = ("tokenizer.json", "words.txt")  # which a model that reads numbers does without


@dataclass(frozen=True)
class Entry:
    """A checkpoint folder that has not been loaded."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever a file of the checkpoint does; part of every cache key."""
        paths = [self.folder / file for file in (*NEEDED, "card.json", "example.npz", "history.npz")]
        stats = [path.stat() for path in paths if path.is_file()]
        return "-".join(f"{stat.st_mtime_ns:x}.{stat.st_size:x}" for stat in stats)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The fields of a TransformerConfig."""
        return self._json("config.json")

    @cached_property
    def card(self) -> dict[str, Any]:
        """Task, data, licences, scores, examples; raises `InvalidInput` when one of them is not as CARD says."""
        card = self._json("card.json")
        must = CARD | READS if self.reads_text else CARD
        for key, kind in (must | MAY).items():
            proper = _fits(card[key], kind) if key in card else key in MAY
            if not proper or (key == "examples" and not card[key]):
                raise InvalidInput("checkpoint_card", name=self.name, key=key)
        return card

    @property
    def reads_text(self) -> bool:
        """Whether the model reads sentences; one that reads numbers has pages of its own."""
        return self.config.get("inputs", "tokens") == "tokens"

    def is_sound(self) -> bool:
        """Whether files, config and card can be read; the weights are checked when they are loaded."""
        try:
            self.check_files()
            return bool(self.config and self.card)
        except InvalidInput:
            return False

    def check_files(self) -> None:
        """Raise `InvalidInput` when a file that the model needs is not there."""
        for file in NEEDED:
            wanted = self.reads_text or file not in TOKENS
            if wanted and not (self.folder / file).is_file():
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

    @cached_property
    def config(self) -> dict[str, Any]:
        size = Entry(self.folder).config["source_vocabulary"]
        return asdict(presets.with_vocabulary(presets.find(self.preset).config, size))

    @cached_property
    def card(self) -> dict[str, Any]:
        """The examples of the checkpoint whose tokenizer it uses; there is nothing else to say of random weights."""
        card = Entry(self.folder).card
        kinds = {"encoder": "encoder", "decoder": "decoder", "encoder-decoder": "cross"}
        look = {"attention_kind": kinds[self.config["architecture"]], "layer": 0, "head": 0}
        return {"examples": card["examples"], "first_look": look}


def _fits(value: object, kind: Any) -> bool:
    """Whether a JSON value has the kind: a type, a list of a kind, or an object with at least these keys."""
    if isinstance(kind, list):
        return isinstance(value, list) and all(_fits(item, kind[0]) for item in value)
    if isinstance(kind, dict):
        return isinstance(value, dict) and all(_fits(value.get(key), inner) for key, inner in kind.items())
    return isinstance(value, (int, float) if kind is float else kind)


def folder() -> Path:
    """Where checkpoints lie: `GLASSFORMER_CHECKPOINTS`, or the project's own samples."""
    return Path(os.environ.get("GLASSFORMER_CHECKPOINTS") or Path(__file__).parents[2] / "sample_checkpoints")


def entries() -> dict[str, Entry]:
    """All checkpoint folders by name."""
    root = folder()
    found = (
        sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))
        if root.is_dir()
        else []
    )
    return {path.name: Entry(path) for path in found}


def sentence_models() -> dict[str, Entry]:
    """Those that read sentences; one whose config cannot be read stays, to say so where it is chosen."""
    return {name: entry for name, entry in entries().items() if not _reads_numbers(entry)}


def _reads_numbers(entry: Entry) -> bool:
    try:
        return not entry.reads_text
    except InvalidInput:
        return False


def untrained(seed: int) -> dict[str, Entry]:
    """Every preset that reads sentences, by name, with the weights of a seed; needs a checkpoint for its tokenizer."""
    sample = _first(entries())
    if sample is None:
        return {}
    sentence_models = [name for name, preset in presets.PRESETS.items() if preset.config.inputs == "tokens"]
    return {entry.name: entry for entry in (Untrained(sample.folder, name, seed) for name in sentence_models)}


def default(known: dict[str, Entry]) -> Entry:
    """The checkpoint to show first: `FIRST`, else the first sound one that reads text, or the first of all."""
    return _first(known) or next(iter(known.values()))


def _first(known: dict[str, Entry]) -> Entry | None:
    """`FIRST` if it is sound, else the first sound one that reads text."""
    ordered = sorted(known, key=lambda name: name != FIRST)  # the others keep their order
    return next((known[name] for name in ordered if known[name].is_sound() and known[name].reads_text), None)


def find(name: str) -> Entry:
    """The checkpoint of that name."""
    known = entries()
    if name not in known:
        raise InvalidInput("checkpoint_unknown", name=name, choices=", ".join(known) or "–")
    return known[name]


def load_tokenizer(entry: Entry) -> Tokenizer:
    """The tokenizer of a checkpoint folder; raises `InvalidInput` when its files are missing or damaged."""
    try:
        inner = tokenizers.Tokenizer.from_file(str(entry.folder / "tokenizer.json"))
        seen = (entry.folder / "words.txt").read_text(encoding="utf-8").split()
        if [inner.token_to_id(token) for token in SPECIALS] != list(range(len(SPECIALS))) or inner.normalizer is None:
            raise ValueError("not one of ours")
    except Exception:  # the library raises bare Exception for every kind of damage
        raise InvalidInput("checkpoint_tokenizer", name=entry.name) from None
    return Tokenizer(inner, seen)
