"""A user's own sentences: the output for each, signals of its quality, and which of them finds the wrong outputs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from model.measurements import ordinary
from model.measurements.asked import CHECKPOINT, Asked, option
from model.measurements.measurement import Measurement
from model.quality.ranking import SEED, WRONG_BELOW


def _measure(asked: Asked) -> dict[str, Any]:
    from model.quality import lines, signals  # late: pages name the command before torch is loaded

    file: Path | None = asked.options.lines
    text = lines.decode(file.read_bytes()) if file else "\n".join(asked.examples())
    given, below = lines.read(text), asked.options.below
    lines.check(asked.checkpoint, given)
    rule = ordinary.rule(asked.entry)

    def judge(checkpoint: Any, sentences: list[str], report: Any) -> list[signals.Judged]:
        rows = []
        for number, line in enumerate(given, 1):
            rows.append(signals.judged(checkpoint, line, rule))
            report(number)
        return rows

    rows = asked.over([line.source for line in given], judge)
    return {
        "seed": SEED,
        "lines": [_row(row) for row in rows],
        "wrong_below": below,
        "signals": {
            name: {"area": each.area.rounded(), "beyond_probability": each.beyond.rounded()}
            for name, each in signals.ranked(rows, below).items()
        },
    }


def _row(row: Any) -> dict[str, Any]:
    fields = asdict(row)
    line = dict(zip(("line", "source", "reference"), fields.pop("line"), strict=True))
    return line | {name: round(each, 4) if isinstance(each, float) else each for name, each in fields.items()}


MEASUREMENT: Measurement[Any] = Measurement(
    name="corpus",
    about="the output for each of your sentences, and signals of its quality, as JSON",
    measure=_measure,
    options=(
        CHECKPOINT,
        option("--lines", type=Path, metavar="FILE",
               help="a sentence a line, or a sentence, a tab and a reference (default: the card's examples)"),
        option("--below", type=float, default=WRONG_BELOW, metavar="CHRF",
               help=f"an output with less counts as wrong (default: {WRONG_BELOW:g})"),
    ),
    save=None,
)  # fmt: skip
