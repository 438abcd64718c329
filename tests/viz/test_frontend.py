"""The JavaScript of the figures, without a browser: `frontend/*.test.mjs`, run by the node that Playwright ships.

What Python computes for them is written to a folder first, whose path is in the variable CASES.
"""

import json
from pathlib import Path

import numpy as np

from tests.node import run_tests
from tests.viz import test_attention, test_matrix
from tests.viz.colours import ink_on
from viz.components import architecture_blocks, attention, attention_blocks, live_run, merges, paths, sheet, timeline
from viz.components.matrix import matrix_data
from viz.numbers import percent
from viz.palette import KIND, ramp

SHARES = [0, 1e-6, 2e-4, 0.003, 0.04, 0.5, 0.97, 499 / 500, 0.99996, 1, 1.0000001]


def test_the_modules(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    cases = {
        "attention": [_attention(tmp_path, f"attention_{length}", length) for length in (5, 64)],
        "long": _long(tmp_path, "long"),
        "matrices": [_matrices(tmp_path, f"matrices_{length}", random, length) for length in (3, 160)],
        "shares": [(share, decimals, percent(share, decimals)) for share in SHARES for decimals in (0, 1, 2)],
        "inks": {c: ink_on(c) for mode in ("light", "dark") for k in (*KIND, "neutral") for c in ramp(k, mode)},
    }
    for component in (architecture_blocks, attention, live_run, matrix_data, merges, paths, sheet, timeline):
        (tmp_path / f"{component.__name__}.mjs").write_text(component.FRONTEND.js, encoding="utf-8")
    (tmp_path / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    run_tests(Path(__file__).parent.glob("frontend/*.test.mjs"), tmp_path)


def _attention(folder: Path, name: str, length: int) -> dict[str, object]:
    panels = [
        test_attention.panel(kind, rows=length, columns=columns, layers=2, heads=3)
        for kind, columns in (("encoder", length), ("cross", length + 2))
    ]
    panels[0].weights[0, 0, 1, 2] = 0  # stays 0
    panels[0].weights[0, 0, 1, 3] = 1e-9  # does not become 0
    (folder / name).write_bytes(test_attention.pack(panels))
    expected = {panel.kind: panel.weights.tolist() for panel in panels}
    return {"name": name, "deflated": length > 40, "panels": expected}


def _long(folder: Path, name: str) -> dict[str, object]:
    """A panel of 11 × 7 tokens: blocks of 4 × 3, and two exact heads."""
    panel = test_attention.panel(rows=11, columns=7, layers=2, heads=3)
    panel.weights[1, 2, 4] = 0
    held = {"cross": attention_blocks.Held((4, 3), ((0, 1), (1, 2)))}
    (folder / name).write_bytes(test_attention.pack([panel], held=held))
    means = attention_blocks.block_means(panel.weights, (4, 3))
    entropies = {head: attention_blocks.mean_entropy(panel.weights[head].astype(float)) for head in ((0, 1), (1, 2))}
    return {
        "exact": [[*head, panel.weights[head].tolist(), entropy] for head, entropy in entropies.items()],
        "means": means.tolist(),
    }


def _matrices(folder: Path, name: str, random: np.random.Generator, length: int) -> dict[str, object]:
    values = random.normal(size=(length, 100)).astype(np.float32)
    values[0, :4] = [-np.inf, np.inf, np.nan, 1e-30]
    labels = {"rows": tuple(map(str, range(length))), "columns": tuple(map(str, range(100)))}
    numbers = test_matrix.matrix(values=values, **labels)
    mask = test_matrix.matrix(key="mask", values=values > 0, scale="mask", **labels)
    (folder / name).write_bytes(test_matrix.pack([numbers, mask]))
    expected = [list(map(str, matrix.values.astype(float).ravel().tolist())) for matrix in (numbers, mask)]
    return {"name": name, "deflated": length > 40, "matrices": expected}
