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
