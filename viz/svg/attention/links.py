"""The linked words of one head as a standalone picture: what `links.js` draws on the screen while nobody points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from viz.data import AttentionPanel
from viz.palette import HEADS, KIND_INK, SURFACE, Mode
from viz.svg.text import LINE, MARGIN, clean, opening, text, wrapped
from viz.text_width import SIZE, text_width

TOKEN_SIZE = 18  # of the words' font
TOKEN_HEIGHT = 34
TOKEN_PAD = 10
TOKEN_GAP = 8
SPARE = 64  # pixels at most that a word gets beside what it needs
SQUARE = 9  # one head of a strip
LINES = 96
LEAST = 520  # width of the picture
WEAK, STRONG = 0.04, 0.01  # weights from which on a line is drawn


@dataclass(frozen=True)
class Token:
    """A word in its row: its middle and the width of its box."""

    label: str
    x: float
    width: float
    special: bool


def links_svg(panel: AttentionPanel, layer: int, head: int, *, words: Mapping[str, str], dark: bool = False) -> str:
    """One head (Q, K) as SVG text: keys above, queries below, lines by weight; `words` as for `attention_data`."""
    mode: Mode = "dark" if dark else "light"
    colours = SURFACE[mode]
    sides = [_needed(labels, panel.weights.shape[1]) for labels in (clean(panel.keys), clean(panel.queries))]
    width_of_rows = max(LEAST, *(sum(slot for _, _, slot in side) for side in sides))
    keys = _stand(sides[0], panel.key_specials, width_of_rows)
    queries = _stand(sides[1], panel.query_specials, width_of_rows)
    query = resting_query(panel, layer, head)
    strongest = int(panel.weights[layer, head, query].argmax())
    top = MARGIN + 2 * LINE + 8  # of the keys
    below = top + TOKEN_HEIGHT + 22 + LINES + 22  # of the queries
    about = wrapped(words["about_links"], width_of_rows)
    name_below = below + TOKEN_HEIGHT + 18
    width, height = width_of_rows + 2 * MARGIN, name_below + 18 + LINE * len(about) + 8
    title = words["head_name"].format(kind=words[panel.kind], layer=layer, head=head)
    muted = f'fill="{colours["muted"]}" font-size="14"'
    parts = [
        *opening(width, height, title, mode),
        text(MARGIN, MARGIN + 10, title, f'font-weight="600" font-size="17" fill="{KIND_INK[panel.kind][mode]}"'),
        text(MARGIN, MARGIN + 10 + LINE, words[f"keys_{panel.kind}"], muted),
        *_lines(panel, layer, head, (keys, queries), query, (top + TOKEN_HEIGHT + 20, below - 20), mode),
        *_strips(panel, layer, query, keys, top + TOKEN_HEIGHT + 4, mode),
        *_words(keys, top, mode, strong=strongest),
        *_words(queries, below, mode, strong=query, framed=True),
        text(MARGIN, name_below, words[f"queries_{panel.kind}"], muted),
        *(text(MARGIN, name_below + 26 + LINE * i, line, muted) for i, line in enumerate(about)),
        "</svg>",
    ]
    return "\n".join(parts)


def resting_query(panel: AttentionPanel, layer: int, head: int) -> int:
    """The query whose lines are drawn strong: the one with the largest single weight, as in `measures.js`."""

    def words(labels: Sequence[str], specials: Sequence[bool]) -> list[int]:
        return [i for i, label in enumerate(labels) if not specials[i] and any(map(str.isalpha, label))]

    queries, keys = words(panel.queries, panel.query_specials), words(panel.keys, panel.key_specials)
    if not queries or not keys:
        return 0
    return queries[int(panel.weights[layer, head][np.ix_(queries, keys)].max(axis=-1).argmax())]


def _needed(labels: Sequence[str], heads: int) -> list[tuple[str, float, float]]:
    """Each label with the width of its box and of its slot, which also fits one square per head."""
    wide = [text_width(label) * TOKEN_SIZE / SIZE + 2 * TOKEN_PAD for label in labels]
    strip = heads * (SQUARE + 2) - 2
    return [(label, width, max(width, strip) + TOKEN_GAP) for label, width in zip(labels, wide, strict=True)]


def _stand(side: Sequence[tuple[str, float, float]], specials: Sequence[bool], width_of_rows: float) -> list[Token]:
    """The words of a row, centred in `width_of_rows`."""
    used = sum(slot for _, _, slot in side)
    spare = min((width_of_rows - used) / len(side), SPARE)
    left = MARGIN + (width_of_rows - used - spare * len(side)) / 2
    tokens = []
    for (label, width, slot), special in zip(side, specials, strict=True):
        tokens.append(Token(label, left + (slot + spare) / 2, width, special))
        left += slot + spare
    return tokens


def _lines(
    panel: AttentionPanel,
    layer: int,
    head: int,
    sides: tuple[Sequence[Token], Sequence[Token]],
    query: int,
    ends: tuple[float, float],
    mode: Mode,
) -> list[str]:
    """A curve for each weight that is large enough; those of `query` are strong and on top."""
    keys, queries = sides
    weights = panel.weights[layer, head]
    colour = HEADS[mode][head % len(HEADS[mode])]
    parts = []
    for q in sorted(range(len(queries)), key=lambda each: each == query):
        strong = q == query
        for k, weight in enumerate(map(float, weights[q])):
            if weight >= (STRONG if strong else WEAK):
                opacity = 0.2 + 0.8 * weight if strong else 0.03 + 0.17 * weight
                parts.append(_curve(keys[k].x, queries[q].x, ends, weight, opacity, colour))
    return parts


def _curve(a: float, b: float, ends: tuple[float, float], weight: float, opacity: float, colour: str) -> str:
    top, bottom = ends
    middle = (top + bottom) / 2
    return (
        f'<path d="M{a:.1f} {top:.1f}C{a:.1f} {middle:.1f} {b:.1f} {middle:.1f} {b:.1f} {bottom:.1f}" fill="none" '
        f'stroke="{colour}" stroke-width="{0.8 + 5.2 * weight:.2f}" stroke-opacity="{opacity:.3f}" '
        f'stroke-linecap="round"><title>{weight:.3f}</title></path>'
    )


def _strips(panel: AttentionPanel, layer: int, query: int, keys: Sequence[Token], y: float, mode: Mode) -> list[str]:
    """Below each key one square per head, coloured by the weight that the head gives it."""
    palette, line = HEADS[mode], SURFACE[mode]["line"]
    length = panel.weights.shape[1] * (SQUARE + 2) - 2
    return [
        f'<rect x="{key.x - length / 2 + each * (SQUARE + 2) + 0.5:.1f}" y="{y + 0.5:.1f}" width="{SQUARE - 1}" '
        f'height="{SQUARE - 1}" rx="1.5" fill="{palette[each % len(palette)]}" '
        f'fill-opacity="{float(weight):.3f}" stroke="{line}"/>'
        for k, key in enumerate(keys)
        for each, weight in enumerate(panel.weights[layer, :, query, k])
    ]


def _words(tokens: Sequence[Token], y: float, mode: Mode, *, strong: int, framed: bool = False) -> list[str]:
    colours = SURFACE[mode]
    parts = []
    for i, token in enumerate(tokens):
        if framed and i == strong:
            parts.append(
                f'<rect x="{token.x - token.width / 2:.1f}" y="{y:.1f}" width="{token.width:.1f}" '
                f'height="{TOKEN_HEIGHT}" rx="9" fill="{colours["soft"]}" stroke="{colours["muted"]}"/>'
            )
        ink = colours["muted" if token.special and i != strong else "ink"]
        weight = ' font-weight="700"' if i == strong else ""
        style = f'text-anchor="middle" font-size="{TOKEN_SIZE}" fill="{ink}"{weight}'
        parts.append(text(token.x, y + 23, token.label, style))
    return parts
