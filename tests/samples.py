"""Checkpoints to act on, whole, tiny and damaged, shared by the tests that act as a user."""

import itertools
import json
import re
import shutil
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from sqlalchemy import make_url

from classroom import database
from corpora.translation import Translation
from model.build.recipes import RECIPES
from model.checkpoint import catalogue, checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.initial_weights import count_parameters
from model.tokenization.tokenizer import Tokenizer, words_of
from model.transformer import Transformer

ROOT = Path(__file__).parent.parent
SAMPLES = catalogue.folder()
LANGUAGES = ("en", "zh")
KINO = "Wir gehen heute ins Kino."
BUCH = "Wo ist das Buch?"
MARKUP = "<b>x</b> ![](http://x/y.png)"
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
TINY_PAIRS = (("das Haus ist alt", "the house is old"), ("der Hund ist da", "the dog is here"), ("ja!", "yes!"))
Test = TypeVar("Test", bound=Callable[..., None])
TENSOR = "encoder.0.self_attention.q.weight"


def in_turn(names: str | tuple[str, ...], cases: Iterable) -> pytest.MarkDecorator:
    """Each case in one language, the next one in the other: both languages' texts are filled in by the same code."""
    several = isinstance(names, tuple)
    columns = (*names, "language") if several else (names, "language")
    turns = zip(cases, itertools.cycle(LANGUAGES))
    return pytest.mark.parametrize(columns, [(*(case if several else (case,)), language) for case, language in turns])


def either_language(test: Test) -> Test:
    """In both languages with `make test-all`, and in one of them, the same each time, with `make test`."""
    left_out = LANGUAGES[zlib.crc32(test.__name__.encode()) % 2]
    cases = [pytest.param(each, marks=pytest.mark.thorough) if each == left_out else each for each in LANGUAGES]
    return pytest.mark.parametrize("language", cases)(test)


@cache
def german_english() -> Checkpoint:
    """The sample model, loaded once."""
    return checkpoints.load(Entry(SAMPLES / "de-en"))


@cache
def spanish_english() -> Checkpoint:
    """The sample model, loaded once."""
    return checkpoints.load(Entry(SAMPLES / "es-en"))


@cache
def corpus(pairs: int = 4_000) -> Translation:
    """The data that the sample model's recipe names, with the first `pairs` of its grammar: all take a minute."""
    return Translation("de", RECIPES["de-en"].training.seed, pairs)


def tiny_tokenizer(size: int = 140) -> Tokenizer:
    texts = [text for pair in TINY_PAIRS for text in pair]
    return Tokenizer.train(texts, words_of(source for source, _ in TINY_PAIRS), size)


def tiny_checkpoint(folder: Path, seed: int = 0) -> Checkpoint:
    """Write a checkpoint of a few thousand parameters and give what was written, rounded as it is stored."""
    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer()
    config = TransformerConfig(
        source_vocabulary=tokenizer.size,
        target_vocabulary=tokenizer.size,
        d_model=16,
        heads=2,
        encoder_layers=1,
        decoder_layers=1,
        d_ff=24,
        tied_embeddings="all",
        max_length=32,
    )
    model = Transformer(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter.copy_(parameter.half().float())
    checkpoints.save(folder, model, tokenizer)
    card = Entry(SAMPLES / "de-en").card | {"parameters": count_parameters(model)}
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    return Checkpoint(folder.name, model, tokenizer)


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "migrated.sqlite"
        database.connect(make_url(f"sqlite:///{file}")).dispose()
        return file.read_bytes()


def empty_database(file: Path) -> Path:
    """Write a database of classes that has all tables and nothing in them, and give where it is."""
    file.write_bytes(_migrated())
    return file


@dataclass(frozen=True)
class Damage:
    """Damage to a checkpoint folder, and the code of the refusal that must follow."""

    code: str
    spoil: Callable[[Path], object]


def _without(file: str) -> Damage:
    return Damage("checkpoint_file", lambda folder: (folder / file).unlink())


def _text(code: str, file: str, text: str) -> Damage:
    return Damage(code, lambda folder: (folder / file).write_text(text, encoding="utf-8"))


def _config(code: str, **changes: object) -> Damage:
    def spoil(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")

    return Damage(code, spoil)


def _config_without(field: str) -> Damage:
    def spoil(folder: Path) -> None:
        path = folder / "config.json"
        config = json.loads(path.read_text(encoding="utf-8"))
        del config[field]
        path.write_text(json.dumps(config), encoding="utf-8")

    return Damage("checkpoint_config", spoil)


def _weights(code: str, change: Callable[[dict[str, torch.Tensor]], object]) -> Damage:
    def spoil(folder: Path) -> None:
        tensors = load_file(folder / "model.safetensors")
        change(tensors)
        save_file(tensors, folder / "model.safetensors")

    return Damage(code, spoil)


def _one_value(value: float) -> Callable[[dict[str, torch.Tensor]], object]:
    return lambda tensors: tensors[TENSOR].flatten()[0].fill_(value)


def _cut(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


DAMAGES = {
    "no config": _without("config.json"),
    "no card": _without("card.json"),
    "no tokenizer": _without("tokenizer.json"),
    "no words": _without("words.txt"),
    "no weights": _without("model.safetensors"),
    "config is not JSON": _text("checkpoint_json", "config.json", '{"d_model": 16,'),
    "config is a list": _text("checkpoint_json", "config.json", "[1, 2]"),
    "config is not UTF-8": Damage("checkpoint_json", lambda f: (f / "config.json").write_bytes(b"\xff\xfe{}")),
    "card is not JSON": _text("checkpoint_json", "card.json", "card"),
    "card is a number": _text("checkpoint_json", "card.json", "3"),
    "unknown field": _config("checkpoint_config", colour="green"),
    "missing field": _config_without("source_vocabulary"),
    "a field of the wrong type": _config("checkpoint_config", dropout="much"),
    "heads that do not divide": _config("checkpoint_config", heads=3),
    "no heads": _config("checkpoint_config", heads=0),
    "a first token outside the vocabulary": _config("checkpoint_config", first_output_token=10**9),
    "layers without end": _config("checkpoint_config", encoder_layers=10**9),
    "unknown norm": _config("checkpoint_config", norm="batch"),
    "another vocabulary": _config("checkpoint_vocabulary", source_vocabulary=141, target_vocabulary=141),
    "tokenizer is not one": _text("checkpoint_tokenizer", "tokenizer.json", "{}"),
    "words are not text": Damage("checkpoint_tokenizer", lambda f: (f / "words.txt").write_bytes(b"\xff\xfe\x00")),
    "another tokenizer": Damage("checkpoint_vocabulary", lambda f: tiny_tokenizer(size=130).save(f)),
    "missing tensor": _weights("checkpoint_missing", lambda tensors: tensors.pop(TENSOR)),
    "extra tensor": _weights("checkpoint_extra", lambda tensors: tensors.update(extra=torch.zeros(2))),
    "wrong shape": _weights("checkpoint_shape", lambda tensors: tensors.update({TENSOR: torch.zeros(3, 4).half()})),
    "wrong type": _weights("checkpoint_dtype", lambda tensors: tensors.update({TENSOR: tensors[TENSOR].double()})),
    "not a number": _weights("checkpoint_values", _one_value(float("nan"))),
    "infinite": _weights("checkpoint_values", _one_value(float("inf"))),
    "not safetensors": _text("checkpoint_format", "model.safetensors", "weights"),
    "cut off": Damage("checkpoint_format", _cut),
    "empty weights": _text("checkpoint_format", "model.safetensors", ""),
}


def beside_a_damaged_one(folder: Path, damage: str) -> str:
    """Fill a folder of checkpoints with a whole `de-en` and a damaged copy of it; gives the name of the latter."""
    for name in ("de-en", "a-damaged"):  # the damaged one comes first, so that it is the default
        shutil.copytree(SAMPLES / "de-en", folder / name)
    DAMAGES[damage].spoil(folder / "a-damaged")
    return "a-damaged"


def opened(data: bytes) -> tuple[dict, bytes]:
    """Header and body of a figure's data; read by the format as documented, not by the code under test."""
    [length] = struct.unpack("<I", data[:4])
    header, body = json.loads(data[4 : 4 + length]), data[4 + length :]
    return header, zlib.decompress(body) if header.get("deflated") else body


def opened_attention(data: bytes) -> tuple[dict, np.ndarray]:
    """Header and weights of an attention figure's data."""
    header, body = opened(data)
    high, low = np.frombuffer(body, np.uint8).reshape(2, -1).astype(int)
    return header, (high * 256 + low) / 65535


def written(number: str) -> float:
    """A number as a page writes it, with a true minus and perhaps as a power of ten: −4·10⁻⁷."""
    match = re.fullmatch(r"(−?)(?:([\d.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", number)
    if not match:
        return float(number.replace("−", "-"))
    sign, digits, power = match.groups()
    return float(f"{'-' if sign else ''}{digits or 1}e{power.translate(LOWERED)}")
