"""What is missing or wrong in the texts of a language, and what may be."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from scripts.language.english import Text, texts
from viz.html.prose import MARK
from viz.languages import APP, blanks, files, languages

_LINK = re.compile(r"\]\(([^)]*)\)")
_NUMBER = re.compile(r"(?<![\w{.,])\d+(?:[.,]\d+)+(?![\w}])")
_COUNT = re.compile(r"\{(?:count|number|steps|minutes|seconds|n)\} ?[^\W\d_]{3,}")
_MARKS = {"\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068"}  # which begin a direction
_ENDS = {"\u202c", "\u2069"}
_SAME = 3  # English words of a text that nobody translated
_MENTIONED = 4  # letters of a term that have to be in a text, so that its inflected forms count too


@dataclass
class Report:
    """What a check found."""

    language: str
    translated: int = 0
    missing: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: dict[str, list[str]] = field(default_factory=dict)  # by their kind

    def text(self) -> str:
        """For a terminal: what may be wrong first, then what is wrong, and a line that counts."""
        lines = [line for kind, found in self.warnings.items() for line in ("", f"{kind}:", *(f"  {f}" for f in found))]
        lines += ["", "Errors:", *(f"  {error}" for error in self.errors)] if self.errors else []
        maybe = sum(len(found) for kind, found in self.warnings.items() if kind != "Missing")
        counts = f"{self.translated} texts translated, {len(texts()) - self.translated} missing"
        return "\n".join([*lines, "", f"{self.language}: {counts}; {len(self.errors)} errors, {maybe} to look at."])


def check(code: str, name_missing: bool = False) -> Report:
    """Check all files of a language."""
    report = Report(code)
    written: dict[str, str] = {}
    for file in files(code, "live/words", *APP):
        _read(file, written, report)
    report.errors += [f"{key}: English has no such text" for key in written if key not in texts()]
    translated = {key: text for key, text in written.items() if text.strip() and key in texts()}
    report.translated = len(translated)
    missing = Counter(english.folder for key, english in texts().items() if key not in translated)
    by_key = [f"{key}: {english.text}" for key, english in texts().items() if key not in translated]
    if missing:
        report.warnings["Missing"] = by_key if name_missing else [f"{folder}: {n}" for folder, n in missing.items()]
    names = {key: text for key, text in translated.items() if key.startswith("term_")}
    for key, text in translated.items():
        english = texts()[key]
        report.errors += [f"{key}: {error}" for error in _errors(english, text)]
        for kind, warning in (*_warnings(english, text, languages()[code].direction), *_terms(english, text, names)):
            report.warnings.setdefault(kind, []).append(f"{key}: {warning}")
    return report


def _read(file: Path, written: dict[str, str], report: Report) -> None:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        report.errors.append(f"{file}: {error}")
        return
    for table, entries in tables.items():
        if not isinstance(entries, dict):
            report.errors.append(f"{file}: {table} stands in no [table]")
            continue
        for key, text in entries.items():
            if f"{table}.{key}" in written:
                report.errors.append(f"{table}.{key}: stands in {file} and in another file")
            if isinstance(text, str):
                written[f"{table}.{key}"] = text
            else:
                report.errors.append(f"{table}.{key}: is no text in quotes")


@cache
def _known_terms() -> set[str]:
    return {key.removeprefix("term_").removesuffix(".name") for key in texts() if re.match(r"term_.+\.name$", key)}


def _errors(english: Text, text: str) -> Iterator[str]:
    try:
        if blanks(text) != english.blanks:
            yield f"has the placeholders {blanks(text) or 'none'}, English has {english.blanks or 'none'}"
    except ValueError as error:
        yield f"a brace is left open ({error})"
    terms = {match[1] for match in MARK.finditer(text)}
    if unknown := sorted(terms - _known_terms()):
        yield f"marks terms that the glossary does not have: {', '.join(unknown)}"
    if text.count("[[") != text.count("]]") or text.count("[[") != len(MARK.findall(text)):
        yield "a mark [[term]] is not closed"
    for mark, name in (("**", "**bold**"), ("`", "`code`"), ("$", "$formula$")):
        if text.count(mark) % 2 and not english.text.count(mark) % 2:
            yield f"{name} is not closed"
    if Counter(_LINK.findall(text)) != Counter(_LINK.findall(english.text)):
        yield "its links are not those of English"
    if set(re.findall(r"\$[^$]+\$", text)) != set(re.findall(r"\$[^$]+\$", english.text)):
        yield "its formulas are not those of English"
    starts, ends = sum(map(_MARKS.__contains__, text)), sum(map(_ENDS.__contains__, text))
    if starts != ends:
        yield "a mark of direction is not closed"


def _warnings(english: Text, text: str, direction: str) -> Iterator[tuple[str, str]]:
    length = len(MARK.sub("", text))
    if english.letters and length > max(english.letters, len(english.text)):
        yield "Long for its place", f"{length} letters, {english.place} has room for {english.letters}"
    if sorted(_NUMBER.findall(text)) != sorted(_NUMBER.findall(english.text)):
        here, there = (", ".join(_NUMBER.findall(each)) or "none" for each in (text, english.text))
        yield "Numbers (the app writes 1,234.5 in all languages)", f"{here}; English has {there}"
    if (match := _COUNT.search(text)) and not _COUNT.search(english.text):
        yield "Plurals (a form that fits any number reads better)", match[0]
    if {match[1] for match in MARK.finditer(english.text)} - {match[1] for match in MARK.finditer(text)}:
        yield "Terms that are not marked as in English", text[:80]
    if direction == "ltr" and re.search("[\u200f\u202b\u202e\u2067]", text):
        yield "Marks of direction in a language from left to right", text[:80]
    if text == english.text and len(re.findall("[a-z]{4,}", re.sub(r"\{\w+\}", "", text))) >= _SAME:
        yield "The same as in English", text[:80]


def _terms(english: Text, text: str, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Terms that English marks, under other names than the glossary of the language gives them."""
    for match in MARK.finditer(text):
        said, term = match[2], match[1]
        options = [names.get(f"term_{term}.name", ""), *names.get(f"term_{term}.aliases", "").split(",")]
        stems = {word[:_MENTIONED].casefold() for option in options for word in option.split() if len(word) > 2}
        if said and any(options) and not any(stem in said.casefold() for stem in stems):
            yield "Terms under another name than in the glossary", f"“{said}” for “{options[0]}”"
