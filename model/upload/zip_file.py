"""An uploaded zip, read into memory: sizes, paths and kinds of its files are checked before any is unpacked.

Also reads the JSON files in it.
"""

import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from model.errors import InvalidInput

MEGABYTES = 50  # of an upload at most; `.streamlit/config.toml` has the same for the server
_END = 22  # bytes of the record that a zip ends with
_SMALL = 1_000_000  # bytes; a smaller file may be as compressible as it likes
_MOST_NESTED = 100  # brackets within brackets in a JSON file
_LITTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")  # what file managers add by themselves
# whatever the library raises at damage
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, LookupError,
    OverflowError,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Limits of an uploaded zip.

    packed      bytes of the zip
    unpacked    bytes of all its files
    files       how many
    directory   bytes of its own list of files; thousands of names would take long to read
    ratio       by how much a file may be compressed
    """

    packed: int = MEGABYTES * 2**20
    unpacked: int = 64 * 2**20
    files: int = 20
    directory: int = 64_000
    ratio: int = 100


LIMITS = ArchiveLimits()


def write(folder: str, files: Mapping[str, bytes]) -> bytes:
    """A zip with the files in one folder; the same files give the same bytes."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, data in sorted(files.items()):
            info = ZipInfo(f"{folder}/{name}")  # without a date of its own: 1980
            info.create_system, info.external_attr = 3, (stat.S_IFREG | 0o644) << 16
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def read(data: bytes, limits: ArchiveLimits = LIMITS) -> tuple[str, dict[str, bytes]]:
    """The folder that all files lie in ("" for none) and the files by name; raises `InvalidInput` for anything else."""
    if len(data) > limits.packed:
        raise InvalidInput("exchange_bytes", count=f"{len(data):,}", limit=f"{limits.packed:,}")
    check_end(data, limits.directory)
    try:
        with ZipFile(BytesIO(data)) as archive:
            infos = archive.infolist()
            files = _checked(infos, limits)
            folder = next((folder for folder, _ in files), "")
            return folder, {name: unpacked(archive, info) for (_, name), info in files.items()}
    except InvalidInput:
        raise
    except DAMAGE:
        raise InvalidInput("exchange_zip") from None


def check_end(data: bytes, most: int) -> None:
    """The last record says how long the list of files is; the library would read one of more than `most` bytes."""
    end = data[-_END:]
    whole = len(end) == _END and end.startswith(b"PK\5\6") and end.endswith(b"\0\0")
    long = data[-_END - 20 : -_END].startswith(b"PK\6\7")  # a second record for zips of more than 4 GB
    if not whole or long:
        raise InvalidInput("exchange_zip")
    if int.from_bytes(end[12:16], "little") > most:
        raise InvalidInput("exchange_directory")


def _checked(infos: list[ZipInfo], limits: ArchiveLimits) -> dict[tuple[str, str], ZipInfo]:
    """By folder and name, the files that may be unpacked; everything else about them is refused here."""
    files: dict[tuple[str, str], ZipInfo] = {}
    for info in infos:
        place = _place(info)
        if place is None:
            continue
        if place in files:
            raise InvalidInput("exchange_twice", file=place[1])
        files[place] = info
        _check_kind(place[1], info)
        if info.file_size > _SMALL and info.file_size > limits.ratio * info.compress_size:
            raise InvalidInput("exchange_ratio", file=place[1], limit=limits.ratio)
    if len(files) > limits.files:
        raise InvalidInput("exchange_files", count=len(files), limit=limits.files)
    total = sum(info.file_size for info in files.values())
    if total > limits.unpacked:
        raise InvalidInput("exchange_unpacked", count=f"{total:,}", limit=f"{limits.unpacked:,}")
    if len({folder for folder, _ in files}) > 1:
        raise InvalidInput("exchange_folders")
    return files


def _place(info: ZipInfo) -> tuple[str, str] | None:
    """Folder and name of a file; None for a folder itself, and for what file managers add."""
    path = info.orig_filename  # as it stands there: the library shortens a name with a zero byte
    parts = path.removesuffix("/").split("/")
    if parts[0] == _LITTER[0] or parts[-1] in _LITTER:
        return None
    wrong = any(not part.strip(". ") or part != part.strip() for part in parts)
    if wrong or not path.isprintable() or "\\" in path or ":" in path or len(parts) > 2 or len(path) > 200:
        raise InvalidInput("exchange_path", file=_shown(path))
    if path.endswith("/"):
        if len(parts) > 1:
            raise InvalidInput("exchange_path", file=_shown(path))
        return None
    return (parts[0], parts[1]) if len(parts) == 2 else ("", parts[0])


def _check_kind(name: str, info: ZipInfo) -> None:
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise InvalidInput("exchange_link", file=name)
    if info.flag_bits & 0x1:
        raise InvalidInput("exchange_encrypted")
    # the others are unpacked by the library without regard to the size that was announced
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise InvalidInput("exchange_method", file=name)


def unpacked(archive: ZipFile, info: ZipInfo) -> bytes:
    """The bytes of a file: no more than announced, and with the right checksum."""
    with archive.open(info) as file:
        data = file.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise zipfile.BadZipFile
    return data


def strict_json(text: str) -> Any:
    """A JSON value without what readers disagree about: NaN, half characters. Raises `ValueError`, `RecursionError`."""
    value = json.loads(text, parse_constant=_no_number)
    level = [value]
    for _ in range(_MOST_NESTED):  # how deep json itself reads depends on Python's version
        level = [child for parent in level for child in _children(parent)]
    if level:
        raise RecursionError
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def _shown(path: str) -> str:
    """A path as a sentence can hold it."""
    return "".join(c if c.isprintable() else "�" for c in path[:60])
