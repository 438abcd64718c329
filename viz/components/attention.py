"""Attention weights, packed for the component in the browser.

L layers, H heads, Q query positions (rows), K key positions (columns).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from ..data import KINDS, AttentionPanel, Kind, Link, Pin, View
from .attention_blocks import Held, arrays, described, measures
from .frontend import figure_frontend
from .packing import message


def attention_data(
    panels: Sequence[AttentionPanel],
    *,
    view: View,
    kind: Kind,
    layer: int,
    head: int,
    words: Mapping[str, str],
    pin: Pin | None = None,
    link: Link | None = None,
    written: Sequence[str] = (),
    compact: bool = False,
    paused: bool = False,
    languages: Mapping[str, str] | None = None,
    held: Mapping[Kind, Held] | None = None,
    sentence: str = "",
) -> bytes:
    """The component's `data`: header length, header, weights.

    `pin` is the word or cell that is locked in the large map. `written`, of links, is the text after each query: the
    figure then plays the output token by token, at once or, `paused`, when somebody asks for it. `compact` is for a
    figure beside a text: small squares and cells. `sentence` is for a film.
    `languages` are the HTML tags of the `source` and the `target`.
    `held`, of long inputs, says by kind what is sent of it: the kinds that are left out are sent whole.

    The weights are whole numbers of 1/65535, all high bytes before all low bytes: exact to 0.00003, with the digits
    that are shown those of the weight itself, and about 1.5 bytes each where they are many and deflated. The header has
    what is added up of them, because small errors of many weights would add up, too. Raises ValueError if the selection
    is not there.
    """
    panels = _ordered(panels, view, kind)
    _check_selection(panels, kind, layer, head)
    parts = {panel.kind: held[panel.kind] for panel in panels if held and panel.kind in held}
    content: dict[str, object] = {
        "view": view,
        "panels": [_described(panel, parts.get(panel.kind)) for panel in panels],
        "words": dict(words),
    }
    if written:
        content["written"] = list(written)
        content["paused"] = paused
    if compact:
        content["compact"] = True
    if sentence:
        content["sentence"] = sentence
    if languages and any(languages.values()):
        content["languages"] = dict(languages)
    if link is not None:
        content["link"] = asdict(link)
    selection: dict[str, object] = {"kind": kind, "layer": layer, "head": head}
    planes = weight_planes(_sent(panels, parts))
    return message(content, selection if pin is None else selection | {"pin": pin._asdict()}, planes)


def _sent(panels: Sequence[AttentionPanel], parts: Mapping[Kind, Held]) -> list[np.ndarray]:
    return [
        array
        for panel in panels
        for array in (arrays(panel, parts[panel.kind]) if panel.kind in parts else [panel.weights])
    ]


def _ordered(panels: Sequence[AttentionPanel], view: View, kind: Kind) -> list[AttentionPanel]:
    if view not in ("links", "matrix"):
        raise ValueError(f"The view is links or matrix, not {view!r}.")
    kinds = [panel.kind for panel in panels]
    if kind not in kinds or len(set(kinds)) != len(kinds):
        raise ValueError(f"The figure needs one panel of each kind, {kind} among them; it got {kinds}.")
    visible = panels if view == "matrix" else [panel for panel in panels if panel.kind == kind]
    return sorted(visible, key=lambda panel: KINDS.index(panel.kind))


def _check_selection(panels: Sequence[AttentionPanel], kind: Kind, layer: int, head: int) -> None:
    layers, heads, _, _ = next(p.weights.shape for p in panels if p.kind == kind)
    if not (0 <= layer < layers and 0 <= head < heads):
        raise ValueError(
            f"There is no layer {layer}, head {head}: {kind} has layers 0–{layers - 1} and heads 0–{heads - 1}."
        )


def _described(panel: AttentionPanel, part: Held | None) -> dict[str, object]:
    layers, heads, _, _ = panel.weights.shape
    whole = {
        "kind": panel.kind,
        "layers": layers,
        "heads": heads,
        "queries": panel.queries,
        "keys": panel.keys,
        "querySpecials": [int(s) for s in panel.query_specials],
        "keySpecials": [int(s) for s in panel.key_specials],
        "read": panel.read,
    }
    return whole | (described(panel, part) if part else measures(panel.weights.reshape(-1, *panel.weights.shape[2:])))


def weight_planes(weights: Sequence[np.ndarray]) -> bytes:
    """Weights as whole numbers of 1/65535: all high bytes, then all low bytes.

    Two and three decimals of each are those of the weight, where the nearest whole number might round to others.
    """
    flat = np.concatenate([w.ravel() for w in weights]).astype(np.float64).clip(0, 1)
    whole = np.floor(flat * 65535 + 0.5)
    whole[(flat > 0) & (whole == 0)] = 1  # only what is exactly 0 is drawn as forbidden
    for power in (100, 1000):
        wanted, got = (np.floor(power * values + 0.5) for values in (flat, whole / 65535))
        whole += np.sign(wanted - got)
    whole = whole.astype(np.uint16)
    return (whole >> 8).astype(np.uint8).tobytes() + (whole & 255).astype(np.uint8).tobytes()


def attention_rows(panel: AttentionPanel, layer: int, head: int, column: str = "weight") -> list[dict[str, object]]:
    """One head as a long table, a line per weight, in full precision; `column` is what the weights are called."""
    weights = panel.weights[layer, head]  # (Q, K)
    return [
        {"query_index": q, "query": panel.queries[q]}
        | ({"read": panel.read[q]} if panel.read else {})
        | {"key_index": k, "key": panel.keys[k], column: float(weights[q, k])}
        for q in range(weights.shape[0])
        for k in range(weights.shape[1])
    ]


FRONTEND = figure_frontend("attention", "gf-attention")
