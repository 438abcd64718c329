"""A checkpoint as a zip: what is packed comes back the same, and an upload, however damaged, is only refused."""

import json
import random
import shutil
import stat
import struct
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
import pytest
import torch
from safetensors.torch import save

from model import presets
from model.checkpoint import history, model_size, user_models
from model.checkpoint import load as checkpoints
from model.checkpoint.catalogue import Entry
from model.config import TransformerConfig
from model.decode.greedy import trace
from model.decode.translate import translate
from model.errors import SENTENCES, InvalidInput
from model.tokenizer import Tokenizer
from model.trace import load_trace
from model.transformer import Transformer, count_parameters
from model.upload import check as upload_check
from model.upload import check_history, zip_file
from model.upload.check import UploadLimits
from model.upload.zip_file import ArchiveLimits
from pages.shared.text.words import catalogue as content
from tests.fixtures import DAMAGES, SAMPLES, TENSOR, tiny_checkpoint

SENTENCE = "der Hund ist alt"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound checkpoint of a few thousand parameters."""
    folder = tmp_path_factory.mktemp("sound") / "tiny"
    tiny_checkpoint(folder)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    card["first_look"] = {"attention_kind": "cross", "layer": 0, "head": 1}
    card["examples"] = [SENTENCE]
    card["example_translation"] = translate(checkpoints.load(Entry(folder)), SENTENCE).text
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    (folder / "card.md").write_text("# tiny\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def sound(tiny: Path) -> bytes:
    return upload_check.pack(Entry(tiny))


def contents(data: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


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
    with pytest.raises(InvalidInput) as caught:
        upload_check.pack(Entry(again))
    assert caught.value.code == "checkpoint_file"


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
        assert one.look.source_tokens == other.look.source_tokens
        for kind, weights in one.look.weights.items():
            np.testing.assert_array_equal(other.look.weights[kind], weights)
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
                file.writestr(f"__MACOSX/{folder}._config.json", b"x")
            file.writestr(f"{folder}.DS_Store", b"x")
            for name, data in files.items():
                file.writestr(f"{folder}{name}", data)
        into = tmp_path / str(number)
        into.mkdir()
        entry = upload_check.unpack(buffer.getvalue(), into, name="from the file's name")
        assert entry.name == ("my-model" if folder else "from-the-file-s-name")


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


# sizes without building


def configs() -> Iterable[TransformerConfig]:
    for preset in presets.PRESETS.values():
        yield preset.config if preset.config.inputs == "numbers" else presets.with_vocabulary(preset.config, 50)
    draw = random.Random(1)
    common = {"source_vocabulary": 11, "target_vocabulary": 11, "d_model": 12, "heads": 3, "d_ff": 7, "max_length": 9}
    for architecture in ("encoder-decoder", "encoder", "decoder"):
        for _ in range(20):
            norm = draw.choice(["pre", "post", "none"])
            sides = {
                "source_vocabulary": 0 if architecture == "decoder" else 11,
                "encoder_layers": 0 if architecture == "decoder" else 2,
                "decoder_layers": 0 if architecture == "encoder" else 3,
            }
            yield TransformerConfig(
                **common
                | sides
                | {
                    "architecture": architecture,
                    "norm": norm,
                    "final_norm": norm != "none" and draw.random() < 0.5,
                    "projection_bias": draw.random() < 0.5,
                    "feed_forward_bias": draw.random() < 0.5,
                    "output_bias": draw.random() < 0.5,
                    "position": draw.choice(["sinusoidal", "learned", "none"]),
                    "tied_embeddings": draw.choice(["none", "target", "all"]),
                }
            )


def test_parameters_are_known_without_building() -> None:
    for config in configs():
        with torch.device("meta"):
            assert model_size.parameters(config) == count_parameters(Transformer(config))["total"], config


@pytest.mark.parametrize("architecture", ["encoder-decoder", "encoder", "decoder"])
def test_the_size_of_a_trace_is_known_without_a_pass(architecture: str) -> None:
    tokenizer = Tokenizer.characters(["abc"], ())
    for config in (config for config in configs() if config.architecture == architecture and config.heads == 3):
        model = Transformer(config).eval()
        ids = [1, 4, 5, 6, 5, 2]
        source = [] if architecture == "decoder" else ids
        target = [] if architecture == "encoder" else ids
        values = trace(model, tokenizer, source, target).values
        assert model_size.trace_values(config, len(ids)) == sum(value.size for value in values.values()), config


# what is damaged

Change = Callable[[dict[str, bytes]], object]


@dataclass(frozen=True)
class Upload:
    """How a damaged upload comes from the files of a sound one, and the code of its refusal."""

    code: str
    make: Callable[[dict[str, bytes]], bytes]


def zipped(files: dict[str, bytes], folder: str = "tiny/", method: int = ZIP_DEFLATED) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", method) as file:
        for name, data in files.items():
            file.writestr(name if "/" in name or "\\" in name else f"{folder}{name}", data)
    return buffer.getvalue()


def files_changed(code: str, change: Change) -> Upload:
    def make(files: dict[str, bytes]) -> bytes:
        change(files)
        return zipped(files)

    return Upload(code, make)


def bytes_changed(code: str, change: Callable[[bytes], bytes]) -> Upload:
    return Upload(code, lambda files: change(zipped(files)))


def json_changed(code: str, file: str, **changes: object) -> Upload:
    def change(files: dict[str, bytes]) -> None:
        files[file] = json.dumps(json.loads(files[file]) | changes).encode()

    return files_changed(code, change)


def config(code: str = "checkpoint_config", **changes: object) -> Upload:
    return json_changed(code, "config.json", **changes)


def card(**changes: object) -> Upload:
    return json_changed("checkpoint_card", "card.json", **changes)


def text(code: str, file: str, data: str | bytes) -> Upload:
    return files_changed(code, lambda files: files.update({file: data if isinstance(data, bytes) else data.encode()}))


def added(code: str, path: str, data: bytes = b"x") -> Upload:
    return files_changed(code, lambda files: files.update({path: data}))


def entry_changed(code: str, change: Callable[[ZipInfo], object]) -> Upload:
    """The weights' own line in the zip is not as it should be."""

    def make(files: dict[str, bytes]) -> bytes:
        buffer = BytesIO()
        with ZipFile(buffer, "w") as file:
            for name, data in files.items():
                info = ZipInfo(f"tiny/{name}")
                if name == "model.safetensors":
                    change(info)
                file.writestr(info, data)
        return buffer.getvalue()

    return Upload(code, make)


def mode(kind: int) -> Callable[[ZipInfo], object]:
    return lambda info: setattr(info, "external_attr", (kind | 0o777) << 16)


def twice(files: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, data in [*files.items(), ("config.json", b"{}")]:
            file.writestr(f"tiny/{name}", data)
    return buffer.getvalue()


def beside_the_folder(files: dict[str, bytes]) -> bytes:
    return zipped({f"tiny/{name}": data for name, data in files.items()} | {"card.md": b"#"}, folder="")


def encrypted(data: bytes) -> bytes:
    """The flag of encryption in every header."""
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.find(signature)
        while at >= 0:
            data = data[: at + offset] + bytes([data[at + offset] | 1]) + data[at + offset + 1 :]
            at = data.find(signature, at + 4)
    return data


def announced(count: int) -> Callable[[bytes], bytes]:
    """Every file is said to unpack to so many bytes."""

    def change(data: bytes) -> bytes:
        at = data.find(b"PK\1\2")
        while at >= 0:
            data = data[: at + 24] + struct.pack("<I", count) + data[at + 28 :]
            at = data.find(b"PK\1\2", at + 4)
        return data

    return change


def directory_of(length: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:-10] + struct.pack("<I", length) + data[-6:]


def flipped(data: bytes) -> bytes:
    """One bit of the packed weights, without its checksum."""
    at = data.find(b"model.safetensors") + 2000
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def tensors(code: str, change: Callable[[dict[str, torch.Tensor]], object]) -> Upload:
    def spoil(files: dict[str, bytes]) -> None:
        from safetensors.torch import load

        found = load(files["model.safetensors"])
        change(found)
        files["model.safetensors"] = save(found)

    return files_changed(code, spoil)


def header(change: Callable[[dict], object]) -> Upload:
    """The header of the weights says something else than what follows it."""

    def spoil(files: dict[str, bytes]) -> None:
        data = files["model.safetensors"]
        length = int.from_bytes(data[:8], "little")
        fields = json.loads(data[8 : 8 + length])
        change(fields)
        said = json.dumps(fields).encode()
        files["model.safetensors"] = len(said).to_bytes(8, "little") + said + data[8 + length :]

    return files_changed("checkpoint_format", spoil)


def tokenizer(code: str, change: Callable[[dict], object]) -> Upload:
    def spoil(files: dict[str, bytes]) -> None:
        fields = json.loads(files["tokenizer.json"])
        change(fields)
        files["tokenizer.json"] = json.dumps(fields).encode()

    return files_changed(code, spoil)


def sparse(fields: dict) -> None:
    """The last token's id is far beyond all others."""
    vocabulary = fields["model"]["vocab"]
    vocabulary[max(vocabulary, key=vocabulary.__getitem__)] = 4_000_000_000


def forever(fields: dict) -> None:
    """A pattern that tries more ways than there are atoms."""
    pattern = {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": " "}
    fields["normalizer"]["normalizers"].append(pattern)


def folder_damage(name: str) -> Upload:
    """A damage that checkpoints on this machine are tested with too."""

    def make(files: dict[str, bytes]) -> bytes:
        import tempfile

        with tempfile.TemporaryDirectory() as root:
            for file, data in files.items():
                (Path(root) / file).write_bytes(data)
            DAMAGES[name].spoil(Path(root))
            return zipped({path.name: path.read_bytes() for path in Path(root).iterdir()})

    code = DAMAGES[name].code
    return Upload("exchange_missing" if code == "checkpoint_file" else code, make)


LOOK = {"attention_kind": "cross", "layer": 0, "head": 0}
TOKENS = ["<bos>", "a", "<eos>"]
LOOKED = {
    "sentence": "a", "output": "b", "source_tokens": TOKENS, "target_tokens": TOKENS[:2], "output_tokens": TOKENS[1:],
    "weights": None,
}  # fmt: skip


def arrays(**changes: object) -> dict[str, object]:
    """What history.npz of the sound checkpoint may hold: one moment and three points; changed. None leaves out."""
    said = {
        "step": 4,
        "look": LOOKED,
        "energy": {"embedding": 1.5, "position": 8.0, "d_model": 16},
        "samples": [{"source": "a", "reference": "b", "output": "c", "held_out": True}],
    }
    for key in [key for key in changes if key in said]:
        said[key] = changes.pop(key)  # type: ignore[assignment]
    attention = {"encoder": (1, 2, 3, 3), "decoder": (1, 2, 2, 2), "cross": (1, 2, 2, 3)}
    whole: dict[str, object] = {
        "said": np.array(json.dumps([said])),
        "curve": np.array([[0, 2, np.nan, np.nan], [4, 1, 1, 0.5]]),
    }
    whole |= {f"0/attention/{kind}": np.full(shape, 0.5, np.float16) for kind, shape in attention.items()}
    return {key: value for key, value in (whole | changes).items() if value is not None}


def npz(found: dict[str, object]) -> bytes:
    buffer = BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.savez(buffer, **found)  # type: ignore[arg-type]
    return buffer.getvalue()


def past(**changes: object) -> Upload:
    """A history that says something else."""
    return text("exchange_history", "history.npz", npz(arrays(**changes)))


def npy(header: bytes) -> Upload:
    """A history whose curve has this header."""
    buffer = BytesIO(npz(arrays(curve=None)))
    with ZipFile(buffer, "a") as file:
        file.writestr("curve.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header)
    return text("exchange_history", "history.npz", buffer.getvalue())


def shape_said(shape: str) -> Upload:
    return npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}\n".encode())


def of_more_than_4_gb(data: bytes) -> bytes:
    """The record before the last one says that the list of files is described elsewhere."""
    return data[:-22] + b"PK\6\7" + b"\0" * 16 + data[-22:]


def moment_said(text: str) -> dict[str, object]:
    return {"said": np.array(text)}


WIDE = np.full((1, 2, 3, 3), 0.5, np.float16)
LONG = np.array([[step, 1, 1, 0.5] for step in range(5001)])
UPLOADS = {
    # a history that is none, or of another model
    "a model of transformers": text("exchange_transformers", "config.json", b'{"model_type": "marian"}'),
    "a history that is no zip": text("exchange_history", "history.npz", b"PK no"),
    "a history with a pickle": past(curve=np.array([{"a": 1}], dtype=object)),
    "a history that is cut": text("exchange_history", "history.npz", npz(arrays())[:-60]),
    "a huge history's shape": shape_said("(1000000000, 4)"),
    "a negative shape": shape_said("(-1, 4)"),
    "a header that is code": npy(b"__import__('os').system('true')\n"),
    "a header of brackets": npy(b"(" * 60_000),
    "a header that begins a bracket": npy(b"{'descr': '<f8', (\n"),
    "a header that begins a text": npy(b"'''\n"),
    "a history of nothing": past(said=None),
    "words that are no JSON": past(**moment_said("[")),
    "words that are a number": past(**moment_said("7")),
    "a moment that is a list": past(**moment_said("[[]]")),
    "many moments": past(**moment_said("[" + ",".join(["{}"] * 13) + "]")),
    "a number that is none": past(energy={"embedding": float("nan"), "position": 1.0, "d_model": 16}),
    "another width": past(energy={"embedding": 1.0, "position": 1.0, "d_model": 17}),
    "a step that is a text": past(step="4"),
    "a step below none": past(step=-1),
    "a sample of numbers": past(samples=[{"source": 1, "reference": "b", "output": "c", "held_out": True}]),
    "an endless sample": past(samples=[{"source": "x" * 5000, "reference": "b", "output": "c", "held_out": True}]),
    "another layer of attention": past(**{"0/attention/encoder": np.concatenate([WIDE, WIDE])}),
    "no attention": past(**{"0/attention/cross": None}),
    "attention above one": past(**{"0/attention/encoder": WIDE * 3}),
    "attention that is no number": past(**{"0/attention/encoder": WIDE * np.float16(np.nan)}),
    "attention in another type": past(**{"0/attention/encoder": WIDE.astype(np.float64)}),
    "attention column by column": past(**{"0/attention/encoder": np.asfortranarray(WIDE)}),
    "a stranger's array": past(**{"0/other": WIDE}),
    "a moment too many": past(**{"1/attention/encoder": WIDE}),
    "weights of another model": past(**{"0/weights/x": WIDE}),
    "a curve that goes back": past(curve=np.array([[4, 1, 1, 0.5], [0, 1, 1, 0.5]])),
    "a curve of three columns": past(curve=np.zeros((2, 3))),
    "a curve without a loss": past(curve=np.array([[0, np.nan, 1, 0.5]])),
    "a curve without end": past(curve=LONG),
    "a curve in one line": past(curve=np.array([0, 1, 1, 0.5])),
    "a curve in half precision": past(curve=np.array([[0, 1, 1, 0.5]], np.float16)),
    "a validation loss below all numbers": past(curve=np.array([[0, 1, -np.inf, 0.5]])),
    "a share below none": past(curve=np.array([[0, 1, 1, -5.0]])),
    "a share above all": past(curve=np.array([[0, 1, 1, 1.5]])),
    "a history of half a character": past(look=LOOKED | {"sentence": "\ud800"}),
    "a token of half a character": past(look=LOOKED | {"source_tokens": ["<bos>", "\udfff", "<eos>"]}),
    "a history that read nothing": past(
        look=LOOKED | {"source_tokens": []}, **{"0/attention/encoder": WIDE[:, :, :0, :0],
        "0/attention/cross": WIDE[:, :, :2, :0]},
    ),
    "a history that wrote nothing": past(
        look=LOOKED | {"target_tokens": [], "output_tokens": []},
        **{"0/attention/decoder": WIDE[:, :, :0, :0], "0/attention/cross": WIDE[:, :, :0]},
    ),
    "a history of more than 4 GB": text("exchange_history", "history.npz", of_more_than_4_gb(npz(arrays()))),
    # no zip, or not a whole one
    "empty": bytes_changed("exchange_zip", lambda data: b""),
    "text": bytes_changed("exchange_zip", lambda data: b"PK is only how it begins" * 10),
    "a pickle": bytes_changed("exchange_zip", lambda data: b"\x80\x05cos\nsystem\n(S'true'\ntR."),
    "cut in half": bytes_changed("exchange_zip", lambda data: data[: len(data) // 2]),
    "without its last byte": bytes_changed("exchange_zip", lambda data: data[:-1]),
    "without its first half": bytes_changed("exchange_zip", lambda data: data[len(data) // 2 :]),
    "a flipped bit": bytes_changed("exchange_zip", flipped),
    "of more than 4 GB": bytes_changed("exchange_zip", of_more_than_4_gb),
    "an endless list of files": bytes_changed("exchange_directory", directory_of(2**31)),
    "a list of files that is too short": bytes_changed("exchange_zip", directory_of(20)),
    "encrypted": bytes_changed("exchange_encrypted", encrypted),
    # sizes
    "too many bytes": bytes_changed("exchange_bytes", lambda data: b"\0" * 60_000_000),
    "too many files": files_changed(
        "exchange_files", lambda files: files.update({f"{number}.txt": b"" for number in range(30)})
    ),
    "a bomb": files_changed("exchange_ratio", lambda files: files.update({"words.txt": b"\0" * 5_000_000})),
    "a bomb for the weights": files_changed(
        "exchange_ratio", lambda files: files.update({"model.safetensors": b"\0" * 60_000_000})
    ),
    "a size that is not true": bytes_changed("exchange_zip", announced(1000)),
    "a huge size that is not true": bytes_changed("exchange_ratio", announced(2**31)),
    "many large files": entry_changed("exchange_unpacked", lambda info: None),
    "a large config": files_changed("exchange_large", lambda files: files.update({"config.json": b" " * 20_000})),
    "a large card": files_changed("exchange_large", lambda files: files.update({"card.json": b" " * 400_000})),
    # paths
    "upwards": added("exchange_path", "../config.json"),
    "upwards inside": added("exchange_path", "tiny/../config.json"),
    "from the root": added("exchange_path", "/etc/passwd"),
    "from a drive": added("exchange_path", "C:/config.json"),
    "with backslashes": added("exchange_path", "tiny\\config.json"),
    "two folders deep": added("exchange_path", "tiny/inner/config.json"),
    "a line break in a name": added("exchange_path", "tiny/con\nfig.json"),
    "a zero byte in a name": bytes_changed(
        "exchange_path", lambda data: data.replace(b"tiny/words.txt", b"tiny/words\0txt")
    ),
    "a name of spaces": added("exchange_path", "tiny/ "),
    "a name without end": added("exchange_path", "tiny/" + "x" * 500),
    "two folders": added("exchange_folders", "other/config.json"),
    "a file beside the folder": Upload("exchange_folders", beside_the_folder),
    "a link": entry_changed("exchange_link", mode(stat.S_IFLNK)),
    "a device": entry_changed("exchange_link", mode(stat.S_IFCHR)),
    "a file twice": Upload("exchange_twice", twice),
    "an unusual compression": Upload("exchange_method", lambda files: zipped(files, method=ZIP_BZIP2)),
    # which files
    "no files": Upload("exchange_empty", lambda files: zipped({})),
    "weights as a pickle": added("exchange_pickle", "pytorch_model.bin"),
    "a pickle beside": added("exchange_pickle", "state.PT"),
    "a program": added("exchange_file", "run.py"),
    "another case": added("exchange_file", "Config.json"),
    # JSON that readers disagree about
    "not a number": text("checkpoint_json", "card.json", '{"task": NaN}'),
    "endless digits": text("checkpoint_json", "config.json", '{"d_model": ' + "1" * 5000 + "}"),
    "brackets without end": text("checkpoint_json", "card.json", "[" * 100_000),
    "objects without end": text("checkpoint_json", "card.json", '{"a":' * 5000 + "1" + "}" * 5000),
    "half a character": text("checkpoint_json", "card.json", '{"task": "\\ud800"}'),
    # a config that cannot be, or is too much
    "a name for a number": config(d_model="sixteen"),
    "no number": config(d_model=None),
    "a fraction": config(d_model=16.5),
    "negative": config(d_ff=-1),
    "neither yes nor no": config(final_norm="perhaps"),
    "an endless base": config(position_base=1e300),
    "a list for a choice": config(norm=["pre"]),
    "for numbers": config(
        "exchange_numbers", architecture="encoder", decoder_layers=0, inputs="numbers", source_vocabulary=0,
        tied_embeddings="none",
    ),
    "a billion layers": config("exchange_layers", encoder_layers=10**9),
    "a number of a thousand digits": config("exchange_layers", encoder_layers=10**1000),
    "a huge width": config("exchange_parameters", d_model=2**20, heads=1),
    "a huge feed-forward": config("exchange_parameters", d_ff=10**12),
    "a huge vocabulary": config("exchange_parameters", source_vocabulary=10**9, target_vocabulary=10**9),
    "a long sentence": config("exchange_trace", max_length=8192),
    "a longer sentence": config("checkpoint_config", max_length=8193),
    "many heads": config("exchange_trace", d_model=512, heads=512, max_length=500),
    # a card that says what is not so, or too much
    "no task": card(task=None),
    "a task that is a format": card(task="{0.__class__}"),
    "no examples": card(examples=[]),
    "an empty example": card(examples=["  "]),
    "an endless example": card(examples=["x" * 1500]),
    "a control character": card(examples=["x\u0007"]),
    "an endless text": card(command="x" * 5000),
    "an endless list": card(covers=[{"topic": str(number), "examples": []} for number in range(2000)]),
    "a topic twice": card(covers=[{"topic": "a", "examples": []}] * 2),
    "an endless number": card(training={"steps": 10**20, "seed": 0, "minutes": 1.0}),
    "other parameters": card(parameters={"total": 5}),
    "a head that is not there": card(first_look=LOOK | {"head": 2}),
    "a layer that is not there": card(first_look=LOOK | {"layer": -1}),
    "a kind that is not there": card(first_look=LOOK | {"attention_kind": "sideways"}),
    "a score that is a text": card(scores={"test": "100 %"}),
    "a share that is a text": card(scores={"test": {"exact": "100 %"}}),
    "half of the signatures": card(scores={"test": {"bleu_signature": "x"}}),
    "a split of texts": card(splits={"train": "many"}),
    "many levels": card(scores={"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}}),
    # a tokenizer that does not fit
    "a pattern that never ends": tokenizer("exchange_tokenizer", forever),
    "another way to cut": tokenizer("exchange_tokenizer", lambda fields: fields.update(pre_tokenizer=None)),
    "drawn at random": tokenizer("exchange_tokenizer", lambda fields: fields["model"].update(dropout=0.5)),
    "an id beyond all others": tokenizer("checkpoint_tokenizer", sparse),
    "no vocabulary": tokenizer("checkpoint_tokenizer", lambda fields: fields["model"].update(vocab=[])),
    "no tokenizer's model": tokenizer("checkpoint_tokenizer", lambda fields: fields.update(model=None)),
    "a token fewer": tokenizer("checkpoint_vocabulary", lambda fields: _forget_one(fields)),
    # weights
    "a header without end": text("checkpoint_format", "model.safetensors", (2**40).to_bytes(8, "little") + b"{}"),
    "offsets beyond the end": header(lambda fields: fields[TENSOR].update(data_offsets=[0, 10**9])),
    "a huge shape": header(lambda fields: fields[TENSOR].update(shape=[10**9, 10**9])),
    "an unknown type": header(lambda fields: fields[TENSOR].update(dtype="F1")),
    "whole numbers": tensors("checkpoint_dtype", lambda found: found.update({TENSOR: found[TENSOR].to(torch.int16)})),
    "another order of axes": tensors(
        "checkpoint_shape", lambda found: found.update({"source_embedding.weight": torch.zeros(16, 3)})
    ),
    "an endless name": tensors("checkpoint_extra", lambda found: found.update({"x" * 1000: torch.ones(1)})),
    "overflowing": tensors("exchange_overflow", lambda found: found.update({TENSOR: torch.full((16, 16), 3e38)})),
    **{f"folder: {name}": folder_damage(name) for name in DAMAGES},
}  # fmt: skip


def _forget_one(fields: dict) -> None:
    """The last token that no merge makes or needs."""
    vocabulary, merges = fields["model"]["vocab"], fields["model"]["merges"]
    last = max(vocabulary, key=vocabulary.__getitem__)
    del vocabulary[last]
    fields["model"]["merges"] = [pair for pair in merges if last not in ("".join(pair), *pair)]


def limits_for(name: str) -> UploadLimits:
    """The one upload that only lower limits make too large; nobody wants to zip so much in a test."""
    return UploadLimits(archive=ArchiveLimits(unpacked=5000)) if name == "many large files" else upload_check.LIMITS


def in_chinese(error: InvalidInput) -> str:
    values = {
        key: in_chinese(value) if isinstance(value, InvalidInput) else value for key, value in error.values.items()
    }
    return content("zh")[f"refused.{error.code}"].format(**values)


def test_the_corpus_is_large() -> None:
    assert len(UPLOADS) >= 100


@pytest.mark.parametrize("name", UPLOADS)
def test_damage_is_one_sentence_and_leaves_nothing(name: str, tiny: Path, tmp_path: Path) -> None:
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    data = UPLOADS[name].make(files)
    started = time.monotonic()
    with pytest.raises(InvalidInput) as caught:
        upload_check.unpack(data, tmp_path, limits_for(name))
    assert time.monotonic() - started < 10
    assert caught.value.code == UPLOADS[name].code, caught.value
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert len(sentence) < 600
    assert sentence.endswith(".")
    assert in_chinese(caught.value).endswith("。")
    assert left(tmp_path) == []


def test_every_way_to_refuse_an_upload_is_tried() -> None:
    """Each sentence about zips has an upload that it is said of."""
    assert {code for code in SENTENCES if code.startswith("exchange_")} == {
        upload.code for upload in UPLOADS.values() if upload.code.startswith("exchange_")
    }


def test_a_bomb_is_refused_before_it_is_unpacked(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {path.name: path.read_bytes() for path in tiny.iterdir()}
    monkeypatch.setattr(zip_file, "unpacked", lambda *_: pytest.fail("it was unpacked"))
    for name in ("a bomb", "a huge size that is not true", "too many files", "many large files", "a link", "upwards"):
        with pytest.raises(InvalidInput):
            upload_check.unpack(UPLOADS[name].make(dict(files)), tmp_path, limits_for(name))


def test_a_long_curve_is_refused_before_it_is_unpacked(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, unpacked = checkpoints.load(Entry(tiny)).model, zip_file.unpacked
    assert check_history.opened(npz(arrays()), model.config, {})
    assert len(check_history.opened(npz(arrays(curve=LONG[:-1])), model.config, {})[1]) == 5000

    def watched(file: ZipFile, info: ZipInfo) -> bytes:
        assert info.file_size < 10_000_000, "it was unpacked"
        return unpacked(file, info)

    monkeypatch.setattr(zip_file, "unpacked", watched)
    with pytest.raises(InvalidInput):
        check_history.opened(npz(arrays(curve=np.ones((400_000, 4)))), model.config, {})


def test_a_history_s_list_of_files_is_read_only_where_it_is_short(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, config = npz(arrays()), checkpoints.load(Entry(tiny)).model.config
    long = data[:-10] + struct.pack("<I", 200 * 50) + data[-6:]
    monkeypatch.setattr(check_history, "ZipFile", lambda *_: pytest.fail("it was read"))
    for damaged in (of_more_than_4_gb(data), long):
        with pytest.raises(InvalidInput):
            check_history.opened(damaged, config, {})


def test_an_empty_curve_comes_back(tiny: Path, tmp_path: Path) -> None:
    config = checkpoints.load(Entry(tiny)).model.config
    history.save(tmp_path, check_history.opened(npz(arrays()), config, {})[0])
    assert np.load(tmp_path / history.FILE)["curve"].shape == (0, 4)
    moments, curve = check_history.opened((tmp_path / history.FILE).read_bytes(), config, {})
    assert (len(moments), curve, history.curve(Entry(tmp_path))) == (1, [], ())


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*/history.npz")), ids=lambda file: file.parent.name)
def test_every_sample_s_history_fits_its_model(file: Path) -> None:
    entry = Entry(file.parent)
    model = checkpoints.load(entry).model
    shapes = {name: tuple(value.shape) for name, value in model.named_parameters()}
    moments, curve = check_history.opened(file.read_bytes(), model.config, shapes)
    assert len(moments) == len(history.load(entry)) > 1
    assert tuple(curve) == history.curve(entry)


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


# whatever else may come


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


def test_all_files_of_a_checkpoint_are_known() -> None:
    assert set(upload_check.SIZES) == set(user_models.FILES)


def test_the_limits_are_those_that_the_server_takes() -> None:
    import tomllib

    from tests.fixtures import ROOT

    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["maxUploadSize"] * 2**20 == upload_check.LIMITS.archive.packed


@pytest.mark.parametrize(
    "files",
    [
        {"config.json": b'{"model_type": "marian", "d_model": 512}', "source.spm": b"x"},
        {"config.json": b'{"model_type": "marian"}', "model.safetensors": b"x", "pytorch_model.bin": b"x"},
    ],
    ids=["by its config", "with a pickle"],
)
def test_a_model_of_transformers_is_recognised(files: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        upload_check.unpack(zip_file.write("opus", files), tmp_path)
    assert (caught.value.code, caught.value.values["family"]) == ("exchange_transformers", "marian")


def test_a_file_that_a_zip_lacks_is_not_to_be_put_into_a_folder(sound: bytes, tmp_path: Path) -> None:
    files = {name.split("/")[1]: data for name, data in contents(sound).items()}
    del files["tokenizer.json"]
    with pytest.raises(InvalidInput) as caught:
        upload_check.unpack(zip_file.write("own", files), tmp_path)
    assert (caught.value.code, caught.value.values["file"]) == ("exchange_missing", "tokenizer.json")
