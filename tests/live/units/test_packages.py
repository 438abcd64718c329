"""Packages for learning platforms: their manifests, their files, and what a platform is told."""

import hashlib
import zipfile
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from live.units.packages import VERSIONS, Unit, Version, manifest, write_package

MODULES = Path(__file__).parents[1] / "frontend"
UNIT = Unit("glassformer-quiz", "Fragen & <Antworten> 测验", "zh", "index.html")
FILES = {"index.html": b"<!doctype html>" * 20, "live/models/de en&1.model.gz": b"\x1f\x8b" * 20}


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _named(text: str, name: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(text).iter() if _local(each) == name]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_package_lists_every_file_and_begins_with_its_manifest(version: Version, tmp_path: Path) -> None:
    packed = zipfile.ZipFile(write_package(UNIT, FILES, version, tmp_path / "new" / "unit.zip"))
    assert packed.namelist() == ["imsmanifest.xml", *sorted(FILES)]
    assert {name: packed.read(name) for name in FILES} == FILES
    text = packed.read("imsmanifest.xml").decode()
    assert {unquote(each.attrib["href"]) for each in _named(text, "file")} == set(FILES)
    [resource] = _named(text, "resource")
    assert resource.attrib["href"] == "index.html"
    assert "sco" in resource.attrib.values()
    assert {each.text for each in _named(text, "title")} == {UNIT.title}
    assert _named(text, "item")[0].attrib["identifierref"] == resource.attrib["identifier"]


def test_each_version_says_which_it_is_and_leaves_the_status_to_the_unit() -> None:
    old, new = (manifest(UNIT, FILES, version) for version in VERSIONS)
    assert [_named(text, "schemaversion")[0].text for text in (old, new)] == ["1.2", "2004 4th Edition"]
    assert not _named(old, "masteryscore")
    assert not _named(new, "minNormalizedMeasure")
    [controls] = _named(new, "deliveryControls")
    assert controls.attrib == {"completionSetByContent": "true", "objectiveSetByContent": "true"}


def test_the_same_files_make_the_same_package(tmp_path: Path) -> None:
    first, second = (write_package(UNIT, FILES, "2004", tmp_path / name) for name in ("a.zip", "b.zip"))
    assert first.read_bytes() == second.read_bytes()


def test_a_unit_without_its_first_page_is_refused() -> None:
    with pytest.raises(ValueError, match=r"index\.html is no file"):
        manifest(UNIT, {}, "1.2")


def test_the_platform_of_the_tests_is_what_was_vendored() -> None:
    folder = MODULES / "vendor"
    for line in (folder / "checksums.sha256").read_text(encoding="utf-8").splitlines():
        digest, name = line.split()
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.parametrize("name", ["course", "quiz"])
@pytest.mark.parametrize("language", ["en", "zh", "es"])
def test_every_unit_is_packed_with_its_licences(units: Path, name: str, language: str) -> None:
    for version in ("12", "2004"):
        packed = zipfile.ZipFile(units / f"{name}-{language}-scorm{version}.zip")
        files = set(packed.namelist()) - {"imsmanifest.xml"}
        text = packed.read("imsmanifest.xml").decode()
        assert {unquote(each.attrib["href"]) for each in _named(text, "file")} == files
        assert _named(text, "resource")[0].attrib["href"] == "index.html"
        assert "index.html" in files
        assert ("live/index.html" in files) == (name == "course")
        notice = packed.read("NOTICE.txt").decode()
        assert ("onnxruntime-web" in notice) == (name == "course")
        assert {
            "en": "Auf Deutsch contributors", "zh": "CC BY-SA 4.0", "es": "grammar: made by Glassformer",
        }[language] in notice  # fmt: skip
    sizes = [file.stat().st_size for file in units.glob(f"{name}-*.zip")]
    assert max(sizes) < {"course": 9_450_000, "quiz": 200_000}[name]  # of a course, 0.8 MB are what it trains with
