"""Damage at random, to the zip or to what is in it, is refused or harmless."""

import json
import random
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED

import pytest
import torch
from safetensors.torch import load, save

from model.checkpoint import checkpoints
from model.decode.translate import translate
from model.errors import InvalidInput
from model.upload import upload_check
from tests.model.upload.making import left, zipped

OTHER = "Wo ist das Buch? ☃"  # a sentence that no card has, with a character that no token has
HUGE = (10**9, 10**18, 2**70, 10**30)
ODD = (None, True, False, 0, -1, 1, 3, 1e9, 1e-9, 1.5, "", "pre", "all", "encoder", "learned", [], {}, [1], *HUGE)
Files = dict[str, bytes]


def spoilt(data: bytes, draw: random.Random) -> bytes:
    """One to eight bytes changed, or a piece taken out, doubled or cut off."""
    kind = draw.randrange(6)
    at, length = draw.randrange(len(data)), draw.randrange(1, 200)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + length :]
    if kind == 2:
        return data[: at + length] + data[at:]
    content = bytearray(data)
    for _ in range(draw.randrange(1, 9)):
        content[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(content)


def another(value: object, beside: list[Any], draw: random.Random) -> object:
    """Something in place of a value: a number near it, one of those beside it, a huge one, or anything odd."""
    if isinstance(value, int) and not isinstance(value, bool) and draw.random() < 0.7:
        return draw.choice([value + 1, value - 1, 2 * value, *HUGE, draw.choice(beside)])
    return draw.choice([*ODD, draw.choice(beside)])


def holders(value: object) -> list[Any]:
    """Every list and object in a JSON value that is not empty."""
    if not isinstance(value, dict | list):
        return []
    inner = value.values() if isinstance(value, dict) else value
    return [*([value] if value else []), *(each for item in inner for each in holders(item))]


def field_changed(file: str) -> Callable[[Files, random.Random], Files]:
    """One to three values somewhere in a JSON file are others, or missing."""

    def change(files: Files, draw: random.Random) -> Files:
        fields = json.loads(files[file])
        for _ in range(draw.choice([1, 1, 2, 3])):
            holder = draw.choice(holders(fields) or [{"": 0}])
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            key = draw.choice(keys)
            if draw.random() < 0.1:
                del holder[key]
            else:
                holder[key] = another(holder[key], [holder[each] for each in keys], draw)
        return files | {file: json.dumps(fields).encode()}

    return change


def tensor_changed(files: Files, draw: random.Random) -> Files:
    """A tensor has other values, another shape or type, another name, or is missing."""
    tensors = load(files["model.safetensors"])
    name = draw.choice(sorted(tensors))
    tensor = tensors.pop(name)
    if draw.random() < 0.5:
        value = draw.choice([float("nan"), float("inf"), -float("inf"), 6e4, -6e4, 0.0, 1e-7])
        tensor.view(-1)[draw.randrange(tensor.numel()) :] = value
    kept = [
        tensor.float(),
        tensor.half(),
        tensor[1:].clone(),
        tensor[None].transpose(0, -1).contiguous(),
        tensor.to(torch.int16),
    ]
    if draw.random() < 0.9:
        tensors[draw.choice([name, name, name, name[:-1]])] = draw.choice([*kept[:2], *kept])
    return files | {"model.safetensors": save(tensors)}


def bytes_changed(files: Files, draw: random.Random) -> Files:
    """The checksums of the zip are right: the damage is in what was packed."""
    file = draw.choice(sorted(files))
    return files | {file: spoilt(files[file], draw)}


CHANGES: dict[str, tuple[int, Callable[[Files, random.Random], Files]]] = {
    "bytes of a file": (100, bytes_changed),
    "config": (150, field_changed("config.json")),
    "card": (60, field_changed("card.json")),
    "tokenizer": (60, field_changed("tokenizer.json")),
    "weights": (50, tensor_changed),
}


def sound_or_refused(data: bytes, into: Path) -> str:
    """Code of an upload's refusal, or `sound`: then it translates its own example and any other sentence."""
    start = time.monotonic()
    try:
        entry = upload_check.unpack(data, into)
    except InvalidInput as error:
        code = error.code
    else:
        checkpoint = checkpoints.load(entry)
        assert translate(checkpoint, entry.card["examples"][0]).trace.values
        with suppress(InvalidInput):  # it may be too long
            translate(checkpoint, OTHER)
        shutil.rmtree(entry.folder)
        code = "sound"
    assert time.monotonic() - start < 10
    assert left(into) == []
    return code


@pytest.fixture(scope="module")
def whole(tiny: Path) -> Files:
    return {path.name: path.read_bytes() for path in tiny.iterdir()}


def test_any_damage_to_the_zip_is_refused_or_harmless(
    sound: bytes, tmp_path: Path, draws: Callable[[int], int]
) -> None:
    draw = random.Random(0)
    codes = {sound_or_refused(spoilt(sound, draw), tmp_path) for _ in range(draws(600))}
    assert len(codes) >= 2


@pytest.mark.parametrize("kind", CHANGES)
def test_any_damage_to_what_is_packed_is_refused_or_harmless(
    kind: str, whole: Files, tmp_path: Path, draws: Callable[[int], int]
) -> None:
    draw, (count, change) = random.Random(kind), CHANGES[kind]
    codes = [sound_or_refused(zipped(change(whole, draw), method=ZIP_STORED), tmp_path) for _ in range(draws(count))]
    assert len(set(codes)) >= 2


def test_no_number_of_the_config_is_taken_beyond_its_bounds(whole: Files, tmp_path: Path) -> None:
    """Every count and id, far outside and just outside of what the other fields leave room for."""
    config = json.loads(whole["config.json"])
    for field, value in config.items():
        if isinstance(value, int) and not isinstance(value, bool):
            for odd in (-1, value + 1, config["target_vocabulary"], *HUGE):
                data = json.dumps(config | {field: odd}).encode()
                sound_or_refused(zipped(whole | {"config.json": data}, method=ZIP_STORED), tmp_path)
