"""Lexicon files of a grammar, for teachers to read and extend: rows under `@section`s, columns separated by ` = `."""

from pathlib import Path


class Rows:
    """The rows of a lexicon file by section, "" before the first."""

    def __init__(self, path: Path):
        self.sections: dict[str, list[tuple[str, ...]]] = {}
        current = ""
        for line in map(str.strip, path.read_text(encoding="utf-8").splitlines()):
            if line.startswith("@"):
                current = line[1:].strip()
                self.sections.setdefault(current, [])
            elif line and not line.startswith("#"):
                self.sections.setdefault(current, []).append(tuple(map(str.strip, line.split(" = "))))

    def table(self, section: str) -> tuple[tuple[str, ...], ...]:
        return tuple(self.sections[section])

    def column(self, section: str) -> tuple[str, ...]:
        """Rows of one column."""
        return tuple(only for (only,) in self.sections[section])

    def pairs(self, section: str) -> dict[str, str]:
        """Rows of two columns, the second one by the first."""
        return dict(self.sections[section])  # type: ignore[arg-type]

    def lists(self, section: str) -> dict[str, tuple[str, ...]]:
        """The other columns by the first."""
        return {first: tuple(others) for first, *others in self.sections[section]}


def sections(path: Path) -> dict[str, list[tuple[str, str]]]:
    """The rows of a file that has two columns, by section; ValueError names a row that has not."""
    result: dict[str, list[tuple[str, str]]] = {}
    for name, rows in Rows(path).sections.items():
        if wrong := [row for row in rows if len(row) != 2]:
            raise ValueError(f"{path.name}: {' = '.join(wrong[0])!r} is not of the form 'left = right'")
        result[name] = [(left, right) for left, right in rows]
    return result
