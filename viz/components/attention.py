"""Attention weights, packed for the component in the browser.

L layers, H heads, Q query positions (rows), K key positions (columns).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from ..data import KINDS, AttentionPanel, Kind, Look
from .attention_blocks import Held, arrays, described, measures
from .frontend import figure_frontend
from .packing import message


def attention_data(
    panels: Sequence[AttentionPanel],
    look: Look,
    words: Mapping[str, str],
    *,
    languages: Mapping[str, str] | None = None,
    held: Mapping[Kind, Held] | None = None,
    sentence: str = "",
) -> bytes:
    """The component's `data`: header length, header, weights.

    `languages` are the HTML tags of the `source` and the `target`. `sentence` is for the file of a film.
    `held`, of long inputs, says by kind what is sent of it: the kinds that are left out are sent whole.

    The weights are whole numbers of 1/65535, all high bytes before all low bytes: exact to 0.00003, with the digits
    that are shown those of the weight itself, and about 1.5 bytes each where they are many and deflated. The header has
    what is added up of them, because small errors of many weights would add up, too. Raises ValueError if the selection
    is not there.
    """
    check_head(panels, look.kind, look.layer, look.head)
    panels = _ordered(panels, look)
    parts = {panel.kind: held[panel.kind] for panel in panels if held and panel.kind in held}
    content: dict[str, object] = {
        "view": look.view,
        "panels": [_described(panel, parts.get(panel.kind)) for panel in panels],
        "words": dict(words),
    }
    if look.film:
        content["written"] = list(look.film.written)
        content["paused"] = look.film.paused
    if look.compact:
        content["compact"] = True
    if sentence:
        content["sentence"] = sentence
    if languages and any(languages.values()):
        content["languages"] = dict(languages)
    if look.link is not None:
        content["link"] = asdict(look.link)
    selection: dict[str, object] = {"kind": look.kind, "layer": look.layer, "head": look.head}
    if look.pin is not None:
        selection["pin"] = look.pin._asdict()
    return message(content, selection, weight_planes(_sent(panels, parts)))


def _sent(panels: Sequence[AttentionPanel], parts: Mapping[Kind, Held]) -> list[np.ndarray]:
    return [
        array
        for panel in panels
        for array in (arrays(panel, parts[panel.kind]) if panel.kind in parts else [panel.weights])
    ]


def _ordered(panels: Sequence[AttentionPanel], look: Look) -> list[AttentionPanel]:
    if look.view not in ("links", "matrix"):
        raise ValueError(f"The view is links or matrix, not {look.view!r}.")
    kinds = [panel.kind for panel in panels]
    if len(set(kinds)) != len(kinds):
        raise ValueError(f"The figure needs one panel of each kind; it got {kinds}.")
    visible = [panel for panel in panels if look.view == "matrix" or panel.kind == look.kind]
    return sorted(visible, key=lambda panel: KINDS.index(panel.kind))


def check_head(panels: Iterable[AttentionPanel], kind: Kind, layer: int, head: int) -> None:
    """Raise ValueError for a head that is not there."""
    by_kind = {panel.kind: panel for panel in panels}
    if kind not in by_kind:
        raise ValueError(f"There is no {kind} attention here, but {', '.join(by_kind)}.")
    layers, heads = by_kind[kind].weights.shape[:2]
    for name, index, count in (("layer", layer, layers), ("head", head, heads)):
        if not 0 <= index < count:
            raise ValueError(f"{kind} attention has {count} {name}s, 0 to {count - 1}; there is no {name}={index}.")


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
