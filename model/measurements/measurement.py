"""What a measurement is: `python -m model NAME` prints it as JSON, and its file beside a checkpoint keeps it for pages.

Each module of this package, or of a folder in it, that has a `MEASUREMENT` adds a command.
"""

from __future__ import annotations

import argparse
import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Generic, TypeVar

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.intervals import Estimate
from model.measurements.asked import CHECKPOINT, SAVE, Asked, Option

R = TypeVar("R")
Effects = Mapping[str, Estimate]  # by name


@dataclass(frozen=True, kw_only=True)
class Measurement(Generic[R]):
    """A measurement of a checkpoint.

    name     of the command
    about    what its help says
    measure  what is asked for to the results
    options  of the command
    save     the option that saves the results; None if they are not saved
    file     where they are saved, packed if it ends in .gz; a pattern where there may be several
    read     the content of the file to what a page shows; it may raise whatever a damaged file leads to
    printed  the results to what is printed
    write    the results beside the checkpoint, where that is more than the file
    """

    name: str
    about: str
    measure: Callable[[Asked], Any]
    options: tuple[Option, ...] = (CHECKPOINT,)
    save: Option | None = SAVE
    file: str = ""
    read: Callable[[dict[str, Any]], R] | None = None
    printed: Callable[[Any], Any] = lambda results: results
    write: Callable[[Entry, Any], None] | None = None

    def run(self, options: argparse.Namespace) -> None:
        """Measure, save the results if that is asked for, and print them."""
        asked = Asked(options)
        results = self.measure(asked)
        if self.save and options.save:
            self.keep(asked.entry, results)
        print(json.dumps(self.printed(results), indent=2, ensure_ascii=False))

    def keep(self, entry: Entry, results: Any) -> None:
        """Save the results beside a checkpoint."""
        if self.write is None:
            content = spelled(results).encode()
            packed = gzip.compress(content, mtime=0) if self.file.endswith(".gz") else content
            (entry.folder / self.file).write_bytes(packed)
        else:
            self.write(entry, results)

    def saved(self, entry: Entry) -> R | None:
        """What was saved of a checkpoint; None if nothing was, or not all of it."""
        if isinstance(entry, catalogue.Untrained) or self.read is None:
            return None
        try:
            content = (entry.folder / self.file).read_bytes()
            return self.read(json.loads(gzip.decompress(content) if self.file.endswith(".gz") else content))
        except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError):
            return None

    def written(self, entry: Entry) -> int:
        """When that was, in ns."""
        return (entry.folder / self.file).stat().st_mtime_ns

    def saving(self, name: str, rest: str = "") -> str:
        """The command that saves it of a checkpoint, after `python -m model`; `rest` are more options."""
        return f"{self.name} {name}{rest} {self.save[0] if self.save else ''}".rstrip()


@cache
def measurements() -> Mapping[str, Measurement[Any]]:
    """All of them by name. torch is loaded."""
    found = walk_packages([str(Path(__file__).parent)], f"{__package__}.")
    modules = [import_module(each.name) for each in found if not each.ispkg]
    measured = [module.MEASUREMENT for module in modules if hasattr(module, "MEASUREMENT")]
    return {measurement.name: measurement for measurement in measured}


def rounded(effects: Effects) -> dict[str, list[float]]:
    """A row for each: mean and interval, with four decimals."""
    return {name: estimate.rounded() for name, estimate in effects.items()}


def estimates(table: Mapping[str, list[float]]) -> dict[str, Estimate]:
    """The rows of such a table."""
    return {name: Estimate(*map(float, values)) for name, values in table.items()}


def spelled(results: Mapping[str, Any]) -> str:
    """JSON in which tables have a line for each row."""
    tables = ",\n".join(f"{json.dumps(key)}: {_table(value)}" for key, value in results.items())
    return f"{{\n{tables}\n}}\n"


def _table(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items())
    return f"{{\n{rows}\n}}"
