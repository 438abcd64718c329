"""How damaged uploads come from the files of a sound one."""

import json
import struct
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import torch
from safetensors.torch import save

from tests.samples import DAMAGES

SENTENCE = "der Hund ist alt"


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


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

        result = load(files["model.safetensors"])
        change(result)
        files["model.safetensors"] = save(result)

    return files_changed(code, spoil)


def header(change: Callable[[dict], object]) -> Upload:
    """The header of the weights says something else than what follows it."""

    def spoil(files: dict[str, bytes]) -> None:
        data = files["model.safetensors"]
        length = int.from_bytes(data[:8], "little")
        fields = json.loads(data[8 : 8 + length])
        change(fields)
        text = json.dumps(fields).encode()
        files["model.safetensors"] = len(text).to_bytes(8, "little") + text + data[8 + length :]

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
