"""Every damaged upload is refused in one sentence, before anything is built, and leaves nothing."""

import time
from pathlib import Path

import pytest
import torch

from model.checkpoint import checkpoints
from model.errors import SENTENCES, InvalidInput
from model.upload import upload_check, zip_file
from pages.shared.text.words import all_texts
from tests.model.upload.damaged import UPLOADS, limits_for
from tests.model.upload.making import left, zipped
from tests.model.upload.test_imported import BAD_STEPS


def in_chinese(error: InvalidInput) -> str:
    values = {
        key: in_chinese(value) if isinstance(value, InvalidInput) else value for key, value in error.values.items()
    }
    return all_texts("zh")[f"refused.{error.code}"].format(**values)


def test_the_corpus_is_large() -> None:
    assert len(UPLOADS) >= 100


@pytest.mark.parametrize("name", UPLOADS)
def test_damage_is_one_sentence_and_leaves_nothing(name: str, tiny: Path, tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    data = UPLOADS[name].make(files)
    start = time.monotonic()
    with pytest.raises(InvalidInput) as error:
        upload_check.unpack(data, tmp_path, limits_for(name))
    assert time.monotonic() - start < 10
    assert error.value.code == UPLOADS[name].code, error.value
    sentence = str(error.value)
    assert sentence.isprintable()
    assert len(sentence) < 600
    assert sentence.endswith(".")
    assert in_chinese(error.value).endswith("。")
    assert left(tmp_path) == []


def test_every_way_to_refuse_an_upload_is_tried() -> None:
    """Each sentence about zips has an upload that it is said of."""
    assert {code for code in SENTENCES if code.startswith("exchange_")} == {
        code
        for code in [upload.code for upload in UPLOADS.values()] + [code for code, _ in BAD_STEPS.values()]
        if code.startswith("exchange_")
    }


def test_a_bomb_is_refused_before_it_is_unpacked(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    monkeypatch.setattr(zip_file, "unpacked", lambda *_: pytest.fail("it was unpacked"))
    for name in ("a bomb", "a huge size that is not true", "too many files", "many large files", "a link", "upwards"):
        with pytest.raises(InvalidInput):
            upload_check.unpack(UPLOADS[name].make(dict(files)), tmp_path, limits_for(name))


@pytest.mark.parametrize(
    ("builder", "name"),
    [
        *(
            ("Transformer", name)
            for name in ("a billion layers", "a huge width", "no task", "a pattern that never ends")
        ),
        *(("random_model", f"folder: {name}") for name in ("wrong shape", "missing tensor", "not a number", "cut off")),
    ],
)
def test_nothing_is_built_before_it_is_checked(
    builder: str, name: str, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the names and shapes that are expected, nor the model itself."""
    data = UPLOADS[name].make({path.name: path.read_bytes() for path in tiny.iterdir()})
    monkeypatch.setattr(checkpoints, builder, lambda *_: pytest.fail("it was built"))
    with pytest.raises(InvalidInput):
        upload_check.unpack(data, tmp_path)


def test_a_pickle_is_never_read(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    monkeypatch.setattr(pickle, "load", lambda *_: pytest.fail("a pickle was read"))
    monkeypatch.setattr(pickle, "loads", lambda *_: pytest.fail("a pickle was read"))
    monkeypatch.setattr(torch, "load", lambda *_: pytest.fail("a pickle was read"))
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    upload_check.unpack(zipped(files), tmp_path)
    for name in ("a pickle", "weights as a pickle", "a pickle beside"):
        with pytest.raises(InvalidInput):
            upload_check.unpack(UPLOADS[name].make(dict(files)), tmp_path)
