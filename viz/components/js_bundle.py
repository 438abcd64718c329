"""One JavaScript module from several: the browser loads a component from a single string, and there is no build step.

A file imports by relative path, `import { a, b } from "./file.js";` or `import SIZES from "./sizes.json" with { type:
"json" };`. All files of a component get one scope, so each name at the top level may be defined only once.
"""

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..palette import palette

FOLDER = Path(__file__).parents[1] / "frontend"
_IMPORT = re.compile(r'^import (\{[\w\s,]+\}|\w+) from "(\.[^"]+)"(?: with \{ type: "json" \})?;\n', re.MULTILINE)
_DEFINITION = re.compile(r"^(export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
_NOT_UNDERSTOOD = re.compile(r"^(?:import\b|export\b(?! default )|var\b|(?:const|let) ?[\[{]).*", re.MULTILINE)
_NOT_SENT = re.compile(r"^\s*(//.*)?\n|^[ \t]+", re.MULTILINE)  # comments and indentation would travel with each figure


class _File(NamedTuple):
    code: str  # without imports and `export`
    imports: list[tuple[str, str]]  # a name, and the file that it comes from
    defined: list[str]  # at the top level
    exported: set[str]


def bundle(entry: str, folder: Path = FOLDER) -> str:
    """The file `entry` of `folder` and all that it imports, as one module. Raises ValueError if they do not fit."""
    files: dict[str, _File] = {}
    _collect(entry, folder, files, ())
    owners: dict[str, str] = {}
    for name, file in files.items():
        for export, source in file.imports:
            if export not in files[source].exported:
                raise ValueError(f"{name} imports {export} from {source}, which does not export it.")
        for definition in file.defined:
            if owners.setdefault(definition, name) != name:
                raise ValueError(f"{definition} is defined both in {owners[definition]} and in {name}.")
        if "export default" in file.code and name != entry:
            raise ValueError(f"{name} has a default export, which only {entry}, where the component begins, may have.")
    return _NOT_SENT.sub("", "".join(file.code for file in files.values()))


def _collect(name: str, folder: Path, files: dict[str, _File], importers: tuple[str, ...]) -> None:
    """Put the file into `files`, behind those that it imports."""
    if name in importers:
        raise ValueError(f"{name} imports {importers[-1]}, which imports {name} in a circle.")
    if name in files:
        return
    if not (folder / name).is_file():
        raise ValueError(f"{importers[-1] if importers else 'A component'} needs {name}, which does not exist.")
    file = _parsed(name, _source(name, folder))
    for _, source in file.imports:
        _collect(source, folder, files, (*importers, name))
    files[name] = file


def _source(name: str, folder: Path) -> str:
    """The text of a file; of data, the definition of a constant with the name of the file."""
    if name.endswith("common/palette.js"):
        return f"export const PALETTE = {json.dumps(palette())};\n"
    text = (folder / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        return f"export const {Path(name).stem.upper()} = {json.dumps(json.loads(text))};\n"
    return text


def _parsed(name: str, source: str) -> _File:
    imports = [
        (import_, normpath(join(dirname(name), path)))
        for names, path in _IMPORT.findall(source)
        for import_ in re.findall(r"\w+", names)
    ]
    code = _IMPORT.sub("", source)
    definitions = _DEFINITION.findall(code)
    code = re.sub(r"^export (?=(?:async )?(?:function|class|const|let)\b)", "", code, flags=re.MULTILINE)
    if left := _NOT_UNDERSTOOD.search(code):
        raise ValueError(f"{name}: the bundler does not understand {left.group()!r}.")
    return _File(
        code,
        imports,
        [definition for _, definition in definitions],
        {definition for export, definition in definitions if export},
    )
