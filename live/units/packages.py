"""Packages for learning platforms: a folder of files as a zip with its manifest, by SCORM 1.2 or SCORM 2004."""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from viz.templates import render

Version = Literal["1.2", "2004"]
VERSIONS: tuple[Version, ...] = ("1.2", "2004")
_STAMP = (1980, 1, 1, 0, 0, 0)  # of every file, so that the same files make the same zip
_PACKED = (".gz", ".zip")  # are as small as they get


@dataclass(frozen=True)
class Unit:
    """A unit: the name of its package, its title in one language, and its first page."""

    name: str
    title: str
    language: str
    start: str


def manifest(unit: Unit, files: Mapping[str, bytes], version: Version) -> str:
    """The text of `imsmanifest.xml`, which names every file. Raises ValueError if the first page is none of them."""
    if unit.start not in files:
        raise ValueError(f"{unit.start} is no file of the unit.")
    return render("live/units/manifest.xml", f"scorm_{version.replace('.', '')}", unit=unit, files=sorted(files))


def write_package(unit: Unit, files: Mapping[str, bytes], version: Version, out: Path) -> Path:
    """Write the zip of a unit; gives it. The manifest is its first file."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w") as packed:
        _add(packed, "imsmanifest.xml", manifest(unit, files, version).encode())
        for name in sorted(files):
            _add(packed, name, files[name])
    return out


def _add(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    how = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
    packed.writestr(zipfile.ZipInfo(name, _STAMP), data, how, 9)
