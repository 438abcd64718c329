"""All attention as one HTML file: ours ÷ BertViz's, the same weights, in bytes.

Ours works offline: it holds its own JavaScript. BertViz's is the HTML that it returns, without d3 and jQuery, which its
page loads from other hosts.
"""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.harness.timing import Row
from benchmarks.wall.measure import MAPS
from benchmarks.wall.weights import LABELS, weights
from viz.components.attention import FRONTEND, attention_data
from viz.data import AttentionPanel, Look
from viz.standalone.document import Component, Source, document

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "viz" / "words" / "en.toml"
LIMIT = 400_000  # bytes that all attention of de-en may take


def saved() -> list[Row]:
    """The weights of the wall, and the recorded example of `de-en`."""
    from model.trace import load_trace
    from pages.shared.ui.attention_figure import panels

    many = [AttentionPanel.of_tokens("encoder", weights(), LABELS, LABELS)]
    few = panels(load_trace(ROOT / "sample_checkpoints" / "de-en" / "example.npz"))
    ours = _ours(few)
    return [
        Row(f"saved: bytes of HTML, {MAPS} ÷ BertViz", _ours(many), _theirs(many), Fraction(1, 20), "bytes"),
        # our script weighs more than these few numbers, so BertViz's file is no measure of how they are packed
        Row("saved: bytes of HTML, all heads of the example of de-en ÷ 400 kB", ours, LIMIT, Fraction(1), "bytes"),
        Row("saved: bytes of HTML, all heads of the example of de-en ÷ BertViz", ours, _theirs(few), None, "bytes"),
    ]


def _ours(panels: list[AttentionPanel]) -> int:
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))["attention_figure"]
    data = attention_data(panels, Look("matrix", panels[-1].kind), words)
    return len(document("Attention", [Component("attention", FRONTEND, data)], Source()).encode())


def _theirs(panels: list[AttentionPanel]) -> int:
    import torch
    from bertviz import model_view

    def layers(weights: np.ndarray) -> list[torch.Tensor]:
        return [torch.from_numpy(np.ascontiguousarray(layer))[None] for layer in weights]  # (1, H, Q, K) each

    if len(panels) == 1:
        arguments = {"attention": layers(panels[0].weights), "tokens": list(panels[0].keys)}
    else:
        by_kind = {panel.kind: panel for panel in panels}
        arguments = {f"{kind}_attention": layers(by_kind[kind].weights) for kind in ("encoder", "decoder", "cross")}
        arguments |= {"encoder_tokens": list(by_kind["encoder"].keys), "decoder_tokens": list(by_kind["decoder"].keys)}
    return len(model_view(**arguments, html_action="return").data.encode())
