"""The large map of one head as a standalone picture: axes, scale and legend included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from viz.data import AttentionPanel
from viz.palette import KIND_INK, SURFACE, Mode, ink_on, ramp, weight_colour
from viz.svg.column_labels import column_labels
from viz.svg.text import LINE, MARGIN, clean, named, opening, text, wrapped
from viz.text_width import text_width


def attention_svg(panel: AttentionPanel, layer: int, head: int, *, words: Mapping[str, str], dark: bool = False) -> str:
    """One head (Q, K) as SVG text; `words` as for `attention_data`."""
    mode: Mode = "dark" if dark else "light"
    colours = SURFACE[mode]
    queries, keys = clean(panel.queries), clean(panel.keys)
    cell = 44 if len(keys) <= 16 else 28 if len(keys) <= 32 else 18
    left = MARGIN + max(map(text_width, queries)) + 12
    labels = column_labels(keys, range(len(keys)), cell)
    top = MARGIN + 2 * LINE + labels.top
    right, bottom = left + cell * len(keys) + labels.spill, top + cell * len(queries)
    about = wrapped(words[f"about_{panel.kind}"], max(right, 520) - MARGIN)
    width = max(right, 520) + MARGIN
    height = bottom + 56 + LINE * len(about)
    title = words["head_name"].format(kind=words[panel.kind], layer=layer, head=head)
    parts = [
        *opening(width, height, title, mode),
        text(MARGIN, MARGIN + 10, title, f'font-weight="600" font-size="17" fill="{KIND_INK[panel.kind][mode]}"'),
        *labels.draw(left, top),
        *_row_labels(queries, left, top, cell),
        *_cells(panel, layer, head, queries, keys, (left, top, cell), mode),
        *_legend(panel.kind, words["scale"], left, bottom + 18, mode),
        *(
            text(MARGIN, bottom + 62 + LINE * i, line, f'fill="{colours["muted"]}" font-size="14"')
            for i, line in enumerate(about)
        ),
        "</svg>",
    ]
    return "\n".join(parts)


def _cells(
    panel: AttentionPanel,
    layer: int,
    head: int,
    queries: Sequence[str],
    keys: Sequence[str],
    place: tuple[float, float, int],
    mode: Mode,
) -> list[str]:
    left, top, cell = place
    gap = 2 if cell >= 24 else 1
    parts = []
    for q, row in enumerate(panel.weights[layer, head]):
        for k, weight in enumerate(map(float, row)):
            x, y = left + k * cell, top + q * cell
            colour = weight_colour(weight, panel.kind, mode)
            name = named(f"{queries[q]} → {keys[k]} {weight:.3f}")
            parts.append(
                f'<rect x="{x + gap / 2:.1f}" y="{y + gap / 2:.1f}" width="{cell - gap}" height="{cell - gap}" '
                f'fill="{colour}">{name}</rect>'
            )
            if cell >= 40 and weight >= 0.0995:
                style = f'text-anchor="middle" font-size="13" font-family="monospace" fill="{ink_on(colour)}"'
                parts.append(text(x + cell / 2, y + cell / 2 + 4.5, f"{weight:.2f}", style))
    return parts


def _row_labels(queries: Sequence[str], left: float, top: float, cell: int) -> list[str]:
    return [text(left - 10, top + (q + 0.5) * cell + 5, query, 'text-anchor="end"') for q, query in enumerate(queries)]


def _legend(kind: str, scale: str, x: float, y: float, mode: Mode) -> list[str]:
    steps = ramp(kind, mode)
    name = f"scale-{kind}-{mode}"  # several pictures may stand in one page
    stops = "".join(f'<stop offset="{i / (len(steps) - 1):.4f}" stop-color="{c}"/>' for i, c in enumerate(steps))
    style = f'font-size="13" fill="{SURFACE[mode]["muted"]}"'
    bar = x + text_width(scale) + 24
    return [
        f'<defs><linearGradient id="{name}">{stops}</linearGradient></defs>',
        text(x, y + 10, f"{scale}  0", style),
        f'<rect x="{bar:.1f}" y="{y:.1f}" width="120" height="11" rx="5" fill="url(#{name})"/>',
        text(bar + 128, y + 10, "1", style),
    ]
