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


class Rows:
    """A file of phrases: under each `@section` one row a line, its columns separated by ` = `."""

    def __init__(self, path: Path):
        self._sections: dict[str, list[tuple[str, ...]]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("@"):
                rows = self._sections.setdefault(line[1:], [])
            elif line and not line.startswith("#"):
                rows.append(tuple(line.split(" = ")))

    def table(self, section: str) -> tuple[tuple[str, ...], ...]:
        return tuple(self._sections[section])

    def column(self, section: str) -> tuple[str, ...]:
        """Rows of one column."""
        return tuple(only for (only,) in self._sections[section])

    def pairs(self, section: str) -> dict[str, str]:
        """Rows of two columns, the second one by the first."""
        return dict(self._sections[section])  # type: ignore[arg-type]

    def lists(self, section: str) -> dict[str, tuple[str, ...]]:
        """The other columns by the first."""
        return {first: tuple(others) for first, *others in self._sections[section]}
