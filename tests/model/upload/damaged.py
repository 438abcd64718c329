"""Damaged uploads, each with the code of its refusal."""

import json
import stat
import struct
import warnings
from io import BytesIO
from zipfile import ZIP_BZIP2, ZipFile

import numpy as np
import torch

from model.upload import upload_check
from model.upload.upload_check import UploadLimits
from model.upload.zip_file import ArchiveLimits
from tests.model.upload.making import (
    Upload,
    added,
    announced,
    beside_the_folder,
    bytes_changed,
    card,
    config,
    directory_of,
    encrypted,
    entry_changed,
    files_changed,
    flipped,
    folder_damage,
    forever,
    header,
    mode,
    sparse,
    tensors,
    text,
    tokenizer,
    twice,
    zipped,
)
from tests.samples import DAMAGES, TENSOR

LOOK = {"attention_kind": "cross", "layer": 0, "head": 0}


TOKENS = ["<bos>", "a", "<eos>"]


LOOKED = {
    "sentence": "a", "output": "b", "source_tokens": TOKENS, "target_tokens": TOKENS[:2], "output_tokens": TOKENS[1:],
    "weights": None,
}  # fmt: skip


def arrays(**changes: object) -> dict[str, object]:
    """Arrays of history.npz in the sound checkpoint: one moment and three points; changed. None leaves out."""
    moment = {
        "step": 4,
        "look": LOOKED,
        "energy": {"embedding": 1.5, "position": 8.0, "d_model": 16},
        "samples": [{"source": "a", "reference": "b", "output": "c", "held_out": True}],
    }
    for key in [key for key in changes if key in moment]:
        moment[key] = changes.pop(key)  # type: ignore[assignment]
    attention = {"encoder": (1, 2, 3, 3), "decoder": (1, 2, 2, 2), "cross": (1, 2, 2, 3)}
    whole: dict[str, object] = {
        "said": np.array(json.dumps([moment])),
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
    "a history of half a character": past(probe=LOOKED | {"sentence": "\ud800"}),
    "a token of half a character": past(probe=LOOKED | {"source_tokens": ["<bos>", "\udfff", "<eos>"]}),
    "a history that read nothing": past(
        probe=LOOKED | {"source_tokens": []}, **{"0/attention/encoder": WIDE[:, :, :0, :0],
        "0/attention/cross": WIDE[:, :, :2, :0]},
    ),
    "a history that wrote nothing": past(
        probe=LOOKED | {"target_tokens": [], "output_tokens": []},
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
    "objects within objects": text("checkpoint_json", "card.json", '{"a":' * 102 + "1" + "}" * 102),
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
    "many layers": config("exchange_layers", encoder_layers=100),
    "a billion layers": config(encoder_layers=10**9),
    "a number of a thousand digits": config(encoder_layers=10**1000),
    "a huge width": config("exchange_parameters", d_model=2**20, heads=1),
    "a huge feed-forward": config("exchange_parameters", d_ff=2**20),
    "a huger one": config(d_ff=10**12),
    "a huge vocabulary": config("exchange_parameters", source_vocabulary=2**24, target_vocabulary=2**24),
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
