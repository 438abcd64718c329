"""A checkpoint as a zip: what is packed comes back the same."""

import json
import shutil
import time
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pytest

from model.checkpoint import checkpoints, history, user_models
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.errors import InvalidInput
from model.trace import load_trace
from model.upload import upload_check, zip_file
from tests.model.upload.making import SENTENCE, left, zipped
from tests.samples import SAMPLES


def contents(data: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


# what is sound


def test_what_is_packed_comes_back_as_the_same_model(tiny: Path, sound: bytes, tmp_path: Path) -> None:
    entry = upload_check.unpack(sound, tmp_path)
    assert (entry.name, entry.folder) == ("tiny", tmp_path / "tiny")
    assert left(tmp_path) == ["tiny"]
    for file in ("config.json", "tokenizer.json", "words.txt", "model.safetensors", "card.json", "card.md"):
        assert (entry.folder / file).read_bytes() == (tiny / file).read_bytes()
    one, other = checkpoints.load(Entry(tiny)), checkpoints.load(entry)
    np.testing.assert_array_equal(
        translate(one, SENTENCE).trace.values["logits"], translate(other, SENTENCE).trace.values["logits"]
    )
    assert upload_check.unpack(sound, tmp_path).name == "tiny-2"


def test_packing_is_deterministic_and_takes_only_what_belongs_to_a_checkpoint(
    tiny: Path, sound: bytes, tmp_path: Path
) -> None:
    again = Path(shutil.copytree(tiny, tmp_path / "tiny"))
    (again / "secret.txt").write_text("not part of it")
    (again / "state.pt").write_bytes(b"a pickle")
    time.sleep(0.01)
    (again / "config.json").touch()
    assert upload_check.pack(Entry(again)) == sound
    assert set(contents(sound)) == {
        f"tiny/{file}"
        for file in ("config.json", "tokenizer.json", "words.txt", "model.safetensors", "card.json", "card.md")
    }
    (again / "words.txt").unlink()
    with pytest.raises(InvalidInput) as error:
        upload_check.pack(Entry(again))
    assert error.value.code == "checkpoint_file"


def test_the_sample_goes_out_and_in(tmp_path: Path) -> None:
    data = upload_check.pack(Entry(SAMPLES / "de-en"))
    assert len(data) <= upload_check.LIMITS.archive.packed / 5
    entry = upload_check.unpack(data, tmp_path)
    assert checkpoints.load(entry).model.config == checkpoints.load(Entry(SAMPLES / "de-en")).model.config


def test_a_stranger_s_recorded_arrays_are_not_taken_over(tiny: Path, tmp_path: Path) -> None:
    """The example is what the model does here, whatever file or card says."""
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    files |= {"example.npz": b"no arrays"}
    card = json.loads(files["card.json"]) | {"example_translation": "something else"}
    entry = upload_check.unpack(zipped(files | {"card.json": json.dumps(card).encode()}), tmp_path)
    run = translate(checkpoints.load(Entry(tiny)), SENTENCE)
    assert entry.card["example_translation"] == run.text != "something else"
    np.testing.assert_array_equal(load_trace(entry.folder / "example.npz").values["logits"], run.trace.values["logits"])


@pytest.mark.parametrize("name", ["dates", "gpt-char", "mini-encoder"])
def test_how_it_was_trained_goes_out_and_in(name: str, tmp_path: Path) -> None:
    sample = Entry(SAMPLES / name)
    entry = upload_check.unpack(upload_check.pack(sample), tmp_path)
    before, after = history.load(sample), history.load(entry)
    assert len(before) == len(after) > 5
    assert repr(history.curve(entry)) == repr(history.curve(sample))
    for one, other in zip(before, after, strict=True):
        assert (one.step, one.samples, one.energy) == (other.step, other.samples, other.energy)
        assert one.probe.source_tokens == other.probe.source_tokens
        for kind, weights in one.probe.weights.items():
            np.testing.assert_array_equal(other.probe.weights[kind], weights)
        assert {key: value.tobytes() for key, value in one.weights.items()} == {
            key: value.tobytes() for key, value in other.weights.items()
        }


def test_files_of_any_zip_program_are_read(tiny: Path, tmp_path: Path) -> None:
    """Without a folder, with a folder's own entry, with what file managers add, stored or deflated."""
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    for number, (folder, method) in enumerate([("", ZIP_STORED), ("my model/", ZIP_DEFLATED)]):
        buffer = BytesIO()
        with ZipFile(buffer, "w", method) as file:
            if folder:
                file.writestr(folder, b"")
                for number in range(20):  # as many again as there are files
                    file.writestr(f"__MACOSX/{folder}._{number}", b"x")
            file.writestr(f"{folder}.DS_Store", b"x")
            for name, data in files.items():
                file.writestr(f"{folder}{name}", data)
        into = tmp_path / str(number)
        into.mkdir()
        entry = upload_check.unpack(buffer.getvalue(), into, name="from the file's name")
        assert entry.name == ("my-model" if folder else "from-the-file-s-name")


def test_the_files_that_are_not_read_are_named_together(tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in (SAMPLES / "reverse").iterdir()}
    with pytest.raises(InvalidInput) as refused:
        upload_check.unpack(zip_file.write("reverse", files), tmp_path)
    assert refused.value.values["file"] == "ablations.json, edges.json, score_sources.json"


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("de-en", "de-en"),
        ("untrained-gpt", "gpt"),
        ("untrained-untrained-gpt", "gpt"),
        ("日期 2", "日期-2"),
        ("../../etc", "etc"),
        ("<b>x</b>", "b-x--b"),
        ("...", "model"),
        ("x" * 300, "x" * 40),
        ("a\u0301", "á"),
    ],
)
def test_a_name_can_be_a_folder_and_part_of_an_address(name: str, cleaned: str) -> None:
    assert user_models.clean_name(name) == cleaned


# whatever else may come


def test_all_files_of_a_checkpoint_are_known() -> None:
    assert set(upload_check.SIZES) == set(user_models.FILES)


@pytest.mark.parametrize(
    "files",
    [
        {"config.json": b'{"model_type": "marian", "d_model": 512}', "source.spm": b"x"},
        {"config.json": b'{"model_type": "marian"}', "model.safetensors": b"x", "pytorch_model.bin": b"x"},
    ],
    ids=["by its config", "with a pickle"],
)
def test_a_model_of_transformers_is_recognised(files: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as error:
        upload_check.unpack(zip_file.write("opus", files), tmp_path)
    assert (error.value.code, error.value.values["family"]) == ("exchange_transformers", "marian")


def test_a_file_that_a_zip_lacks_is_not_to_be_put_into_a_folder(sound: bytes, tmp_path: Path) -> None:
    files = {name.split("/")[1]: data for name, data in contents(sound).items()}
    del files["tokenizer.json"]
    with pytest.raises(InvalidInput) as error:
        upload_check.unpack(zip_file.write("own", files), tmp_path)
    assert (error.value.code, error.value.values["file"]) == ("exchange_missing", "tokenizer.json")
