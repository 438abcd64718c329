"""Damage at random, to the zip or to a file in it, is refused or harmless."""

import json
import random
import shutil
import time
from pathlib import Path
from zipfile import ZIP_STORED

import pytest

from model.checkpoint import load as checkpoints
from model.decode.translate import translate
from model.errors import InvalidInput
from model.upload import check as upload_check
from tests.model.upload.making import left, zipped


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
    changed = bytearray(data)
    for _ in range(draw.randrange(1, 9)):
        changed[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(changed)


def sound_or_refused(data: bytes, into: Path) -> str:
    started = time.monotonic()
    try:
        entry = upload_check.unpack(data, into)
    except InvalidInput as error:
        code = error.code
    else:
        assert translate(checkpoints.load(entry), entry.card["examples"][0]).trace.values
        shutil.rmtree(entry.folder)
        code = "sound"
    assert time.monotonic() - started < 10
    assert left(into) == []
    return code


def test_any_damage_to_the_zip_is_refused_or_harmless(sound: bytes, tmp_path: Path) -> None:
    draw = random.Random(0)
    codes = {sound_or_refused(spoilt(sound, draw), tmp_path) for _ in range(300)}
    assert len(codes) >= 2


@pytest.mark.parametrize("file", ["config.json", "card.json", "tokenizer.json", "words.txt", "model.safetensors"])
def test_any_damage_to_a_file_is_refused_or_harmless(file: str, tiny: Path, tmp_path: Path) -> None:
    """The checksums of the zip are right: the damage is in what was packed."""
    draw = random.Random(file)
    whole = {path.name: path.read_bytes() for path in tiny.iterdir()}
    codes = {
        sound_or_refused(zipped(whole | {file: spoilt(whole[file], draw)}, method=ZIP_STORED), tmp_path)
        for _ in range(60)
    }
    assert len(codes) >= 2


def test_any_other_value_in_the_config_is_refused_or_harmless(tiny: Path, tmp_path: Path) -> None:
    draw = random.Random(3)
    whole = {path.name: path.read_bytes() for path in tiny.iterdir()}
    fields = json.loads(whole["config.json"])
    odd = [
        None,
        True,
        False,
        0,
        -1,
        1,
        3,
        1e9,
        1e-9,
        2**70,
        "",
        "pre",
        "all",
        [],
        {},
        [1],
        "encoder",
        "learned",
        10**30,
    ]
    for _ in range(150):
        changed = fields | {draw.choice(list(fields)): draw.choice(odd) for _ in range(draw.randrange(1, 4))}
        sound_or_refused(zipped(whole | {"config.json": json.dumps(changed).encode()}, method=ZIP_STORED), tmp_path)
