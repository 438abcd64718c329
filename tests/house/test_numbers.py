"""Numbers on screen are written by a few functions, so that all pages write them alike."""

import re

from pages.shared.text.words import filled
from tests.samples import ROOT

# the two functions themselves, and returns, which are no shares, in the tooltips of charts
EXCEPT = {"viz/numbers.py", "viz/frontend/common/numbers.js", "viz/charts/forecast_charts.py"}
BY_HAND = re.compile(r"""%\}["' ]|\.\d%["'}]|\{[^{}]*:\+\.\d|toFixed\([^)]*\)\}%""")


def test_shares_and_signs_are_written_by_one_function() -> None:
    files = [file for end in ("py", "js") for folder in ("pages", "viz") for file in (ROOT / folder).rglob(f"*.{end}")]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    lines = [
        f"{name}:{at}"
        for name, text in texts.items()
        if name not in EXCEPT and "vendor" not in name
        for at, line in enumerate(text.splitlines(), 1)
        if BY_HAND.search(line) and "axis" not in line.lower()  # ticks are round numbers
    ]
    assert lines == []


def test_counts_have_separated_thousands_and_what_only_names_has_none() -> None:
    assert filled("{count} words since {year}, seed {seed}", {"count": 2019, "year": 2019, "seed": 12345}) == (
        "2,019 words since 2019, seed 12345"
    )
