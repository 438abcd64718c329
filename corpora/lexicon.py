"""Lexicon files of a grammar: lines `left = right` under `@section`s, for teachers to read and extend."""

from pathlib import Path


def sections(path: Path) -> dict[str, list[tuple[str, str]]]:
    """The lines of a lexicon file by section, "" before the first; ValueError names a line without ` = `."""
    result: dict[str, list[tuple[str, str]]] = {}
    current = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("@"):
            current = line[1:].strip()
            result[current] = []
            continue
        left, equals, right = line.partition(" = ")
        if not equals:
            raise ValueError(f"{path.name}: {line!r} has no ' = '")
        result[current].append((left.strip(), right.strip()))
    return result
