"""`python -m benchmarks [LINE …]`: the table of ratios. Goals are information, nothing here asserts them."""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from benchmarks import (
    attention_update_speed,
    attribution,
    first_page,
    live_page,
    model_speed,
    page_update_speed,
    sheet,
    students,
)
from benchmarks.harness.browser import executable
from benchmarks.harness.timing import HEADER, Row
from benchmarks.imported import page, speed
from benchmarks.training import in_page, runs, step
from benchmarks.wall import measure, saved

LINES: dict[str, Callable[[], list[Row]]] = {
    "trace": model_speed.trace,
    "paper": model_speed.paper,
    "decoding": model_speed.decoding,
    "imported": speed.imported,
    "imported-page": page.imported_page,
    "why": attribution.attribution,
    "wall": measure.wall,
    "saved": saved.saved,
    "enter": attention_update_speed.enter,
    "sheet": sheet.sheet,
    "students": students.students,
    "tabs": students.tabs,
    "pages": page_update_speed.pages,
    "controls": page_update_speed.controls,
    "first-page": first_page.first_page,
    "training-step": step.training_step,
    "runs": runs.runs,
    "elsewhere": runs.elsewhere,
    "live": live_page.live,
    "in-page": in_page.in_page,
}
PACKAGES = ("torch", "transformers", "streamlit", "playwright", "bertviz", "plotly")


def main() -> int:
    """Print the chosen lines (default: all); 1 if one of them could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("lines", nargs="*", metavar="LINE", help=f"{', '.join(LINES)} (default: all)")
    names = parser.parse_args().lines or list(LINES)
    if unknown := [line for line in names if line not in LINES]:
        parser.error(f"no such line: {', '.join(unknown)}; there are {', '.join(LINES)}")
    print(_setting(), HEADER, sep="\n\n", flush=True)
    has_failed = False
    for line in names:
        try:
            for row in LINES[line]():
                print(row, flush=True)
        except Exception as error:  # one line that cannot be measured leaves the others worth reading
            has_failed = True
            print(f"{line}: not measured. {_reason(error)}", flush=True)
    return int(has_failed)


def _setting() -> str:
    busy = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    machine = [f"{os.cpu_count()} CPUs", busy, f"{platform.system()} {platform.machine()}"]
    programs = [f"Python {platform.python_version()}", _browser()]
    return " · ".join(filter(None, [*machine, *programs, *map(_version, PACKAGES)]))


def _browser() -> str:
    path = executable()
    if path is None:
        return "Playwright's Chromium"
    version_text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    return " ".join(version_text.split()[:2])


def _reason(error: Exception) -> str:
    """The first line of what went wrong, and what a server said in its last lines."""
    first = (str(error).splitlines() or [""])[0]
    return "\n  ".join([f"{type(error).__name__}: {first}", *getattr(error, "__notes__", [])])


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} missing"


if __name__ == "__main__":
    sys.exit(main())
