"""One matrix as a standalone picture: axes, scale, legend, least and greatest included."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from viz.components.matrix.layout import SIZES
from viz.data import Matrix
from viz.numbers import exponent_text
from viz.palette import KIND_INK, SURFACE, Mode, ink_on, ramp, sign_ramp, signed_colour, weight_colour
from viz.svg.column_labels import column_labels
from viz.svg.text import LINE, MARGIN, clean, named, opening, text, wrapped
from viz.text_width import SIZE, text_width

MOST_RECTANGLES = 4096  # a larger matrix is one image inside the picture
NARROWEST = 420
SMALL, TINY = 13, 11  # px of letters


def matrix_svg(matrix: Matrix, words: Mapping[str, str], mode: Mode = "light") -> str:
    """The matrix (R, C) as SVG text; `words` as for `matrix_data`."""
    rows, columns = clean(matrix.rows), clean(matrix.columns)
    cell = _cell_size(len(columns))
    shown_rows, shown_columns = _shown(rows, cell), _shown(columns, cell)
    left = MARGIN + max(text_width(rows[i]) for i in shown_rows) + 12
    head = _head(matrix, words)
    labels = column_labels(columns, shown_columns, cell)
    right = left + cell * len(columns) + labels.spill
    width_of_text = max(right, NARROWEST) - MARGIN
    lines = [line for entry in head for line in wrapped(entry, width_of_text)]
    top = MARGIN + LINE * (len(lines) + 1) + labels.top
    bottom = top + cell * len(rows)
    width, height = width_of_text + 2 * MARGIN, bottom + 18 + 2 * LINE + MARGIN
    colours = SURFACE[mode]
    ink = KIND_INK[matrix.colour][mode] if matrix.colour in KIND_INK else colours["ink"]
    parts = [
        *opening(width, height, _clean(matrix.title), mode),
        text(MARGIN, MARGIN + 10, _clean(matrix.title), f'font-weight="600" font-size="17" fill="{ink}"'),
        *(
            text(MARGIN, MARGIN + 10 + LINE * (i + 1), line, f'fill="{colours["muted"]}" font-size="14"')
            for i, line in enumerate(lines)
        ),
        *(text(left - 10, top + (i + 0.5) * cell + 5, rows[i], 'text-anchor="end"') for i in shown_rows),
        *labels.draw(left, top),
        *_body(matrix, words, (left, top, cell), mode),
        *_legend(matrix, words, left, bottom + 18, mode),
        "</svg>",
    ]
    return "\n".join(parts)


def number(value: float, decimals: int) -> str:
    """A number as text: with a true minus sign; very large and very small ones as 1.74·10⁻⁷; −∞ and NaN by name."""
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value != 0 and (abs(value) >= 1e5 or abs(value) < 0.5 * 10**-decimals):
        digits, exponent = f"{value:.2e}".split("e")
        digits_text = f"{digits.rstrip('0').rstrip('.')}·10{exponent_text(int(exponent))}"
    else:
        digits_text = f"{value:.{decimals}f}"
    return digits_text.replace("-", "−") if value else digits_text.removeprefix("-")


def cell_text(matrix: Matrix, value: float, words: Mapping[str, str]) -> str:
    """One value as the readout of a cell shows it."""
    if matrix.scale == "mask":
        return words["true" if value else "false"]
    return matrix.blank if matrix.blank and np.isnan(value) else number(value, matrix.decimals)


def _clean(content: str) -> str:
    return clean([content])[0] if content else ""


def _cell_size(columns: int) -> int:
    return next(size for most, size in ((12, 48), (24, 34), (48, 18), (96, 10), (10**9, 4)) if columns <= most)


def _shown(labels: Sequence[str], cell: int) -> list[int]:
    """The indices of the labels to draw: all if they fit, else every n-th, about `SIZES.ticks`."""
    if cell >= SIZE:
        return list(range(len(labels)))
    step = max(1, round(len(labels) / SIZES.ticks))
    return list(range(0, len(labels), step))


def _head(matrix: Matrix, words: Mapping[str, str]) -> list[str]:
    """The lines under the title: note, shape with least and greatest, axes."""
    rows, columns = matrix.values.shape
    axes = [
        words[f"axis_{side}"].format(axis=axis)
        for side, axis in (("rows", matrix.row_axis), ("columns", matrix.column_axis))
        if axis
    ]
    facts = [f"({rows}, {columns})", *_extremes(matrix, words)]
    return [line for line in (_clean(matrix.note), "   ".join(facts), _clean(" · ".join(axes))) if line]


def _extremes(matrix: Matrix, words: Mapping[str, str]) -> list[str]:
    if matrix.scale == "mask":
        return [words["true_count"].format(count=int(matrix.values.sum()), total=matrix.values.size)]
    finite = matrix.finite
    if not finite.size:
        return [words["no_finite"]]
    return [
        words["least"].format(value=number(float(finite.min()), matrix.decimals)),
        words["greatest"].format(value=number(float(finite.max()), matrix.decimals)),
    ]


def _colour(matrix: Matrix, value: float, mode: Mode) -> str:
    if not np.isfinite(value):
        return SURFACE[mode]["soft"]
    if matrix.scale == "signed":
        return signed_colour(value / matrix.full, mode)
    if matrix.scale == "mask" and not value:
        return SURFACE[mode]["soft"]
    return weight_colour(value / matrix.full, matrix.colour, mode)


def _body(matrix: Matrix, words: Mapping[str, str], place: tuple[float, float, int], mode: Mode) -> list[str]:
    left, top, cell = place
    rows, columns = matrix.values.shape
    edge = (
        f'<rect x="{left - 0.5:.1f}" y="{top - 0.5:.1f}" width="{columns * cell + 1}" height="{rows * cell + 1}" '
        f'fill="none" stroke="{SURFACE[mode]["line"]}"/>'
    )
    hatch = _hatch(mode)
    if matrix.values.size > MOST_RECTANGLES:
        return [hatch, _image(matrix, place, mode), *_hatched_runs(matrix, place, mode), edge]
    return [hatch, edge, *_cells(matrix, words, place, mode)]


def _hatch(mode: Mode) -> str:
    style = f'stroke="{SURFACE[mode]["muted"]}" stroke-width="1"'
    return (
        f'<defs><pattern id="hatch-{mode}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<path d="M-1 1l2 -2M0 6l6 -6M5 7l2 -2" {style}/></pattern></defs>'
    )


def _cells(matrix: Matrix, words: Mapping[str, str], place: tuple[float, float, int], mode: Mode) -> list[str]:
    left, top, cell = place
    gap = 2 if cell >= 24 else 1
    rows, columns = clean(matrix.rows), clean(matrix.columns)
    parts = []
    for i, line in enumerate(matrix.values.tolist()):
        for j, value in enumerate(line):
            x, y = left + j * cell, top + i * cell
            colour = _colour(matrix, value, mode)
            readout = words["readout"].format(row=rows[i], column=columns[j], value=cell_text(matrix, value, words))
            box = f'x="{x + gap / 2:.1f}" y="{y + gap / 2:.1f}" width="{cell - gap}" height="{cell - gap}"'
            parts.append(f'<rect {box} fill="{colour}">{named(readout)}</rect>')
            if not np.isfinite(value):
                parts.append(f'<rect {box} fill="url(#hatch-{mode})" pointer-events="none"/>')
            if cell >= SIZES.number_from:
                ink = ink_on(colour)
                style = f'text-anchor="middle" font-size="{TINY}" font-family="monospace" fill="{ink}"'
                parts.append(text(x + cell / 2, y + cell / 2 + 4, _short(matrix, value, cell), style))
    return parts


def _short(matrix: Matrix, value: float, cell: int) -> str:
    """The value with as many decimals as fit into the cell, or "" if none fits."""
    if matrix.scale == "mask":
        return str(int(value))
    if matrix.blank and np.isnan(value):
        return ""
    characters = (cell - 4) / (TINY * 0.6)
    texts = (number(value, decimals) for decimals in range(matrix.decimals, -1, -1))
    return next((short for short in texts if len(short) <= characters), "")


def _image(matrix: Matrix, place: tuple[float, float, int], mode: Mode) -> str:
    left, top, cell = place
    rows, columns = matrix.values.shape
    source = base64.b64encode(_png(_pixels(matrix, mode))).decode()
    return (
        f'<image x="{left:.1f}" y="{top:.1f}" width="{columns * cell}" height="{rows * cell}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{source}"/>'
    )


def _pixels(matrix: Matrix, mode: Mode) -> np.ndarray:
    """The colours of all values, (R, C, 3) bytes."""
    shares = np.nan_to_num(matrix.values / matrix.full, nan=0, posinf=0, neginf=0)
    steps = np.rint(np.clip(shares, -1, 1) * 255).astype(int)  # (R, C), −255 … 255
    steps[(shares != 0) & (steps == 0)] = 1 if matrix.scale != "signed" else 0  # only an exact 0 is bare
    table = {step: _colour(matrix, step / 255 * matrix.full, mode) for step in np.unique(steps).tolist()}
    colours = np.array([[int(table.get(s, "#000000")[i : i + 2], 16) for i in (1, 3, 5)] for s in range(-255, 256)])
    pixels = colours.astype(np.uint8)[steps + 255]
    soft = SURFACE[mode]["soft"]
    pixels[~np.isfinite(matrix.values)] = [int(soft[i : i + 2], 16) for i in (1, 3, 5)]
    return pixels


def _png(pixels: np.ndarray) -> bytes:
    """(R, C, 3) bytes as a PNG file, ISO/IEC 15948: header, deflated lines each behind a 0 (no filter), end."""
    rows, columns, _ = pixels.shape
    lines = np.concatenate([np.zeros((rows, 1), np.uint8), pixels.reshape(rows, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _hatched_runs(matrix: Matrix, place: tuple[float, float, int], mode: Mode) -> list[str]:
    """A rectangle over each run of −∞ or NaN in a row."""
    left, top, cell = place
    parts = []
    for i, absent in enumerate(~np.isfinite(matrix.values)):
        edges = np.flatnonzero(np.diff(absent.astype(np.int8), prepend=0, append=0))
        parts += [
            f'<rect x="{left + start * cell:.1f}" y="{top + i * cell:.1f}" width="{(end - start) * cell}" '
            f'height="{cell}" fill="url(#hatch-{mode})"/>'
            for start, end in edges.reshape(-1, 2).tolist()
        ]
    return parts


def _legend(matrix: Matrix, words: Mapping[str, str], x: float, y: float, mode: Mode) -> list[str]:
    style = f'font-size="{SMALL}" fill="{SURFACE[mode]["muted"]}"'
    if matrix.scale == "mask":
        return _mask_legend(matrix, words, x, y, mode, style)
    steps = ramp(matrix.colour, mode)
    if matrix.scale == "signed":
        steps = (*sign_ramp("negative", mode)[::-1], *sign_ramp("positive", mode)[1:])
    name = f"scale-{matrix.scale}-{matrix.colour}-{mode}"  # several pictures may stand in one page
    stops = "".join(f'<stop offset="{i / (len(steps) - 1):.4f}" stop-color="{c}"/>' for i, c in enumerate(steps))
    low, high = ends(matrix)
    bar = x + text_width(low) + 8
    return [
        f'<defs><linearGradient id="{name}">{stops}</linearGradient></defs>',
        text(x, y + 10, low, style),
        f'<rect x="{bar:.1f}" y="{y:.1f}" width="120" height="11" rx="5" fill="url(#{name})"/>',
        text(bar + 128, y + 10, high, style),
    ]


def ends(matrix: Matrix) -> tuple[str, str]:
    """The texts at the two ends of the colour bar, with ≤ and ≥ if there are values beyond."""
    if matrix.scale == "weight":
        return "0", "1"
    finite, high = matrix.finite, number(matrix.full, matrix.decimals)
    low = number(-matrix.full, matrix.decimals) if matrix.scale == "signed" else "0"
    below = matrix.scale == "signed" and (finite < -matrix.full).any()
    return ("≤ " if below else "") + low, ("≥ " if (finite > matrix.full).any() else "") + high


def _mask_legend(matrix: Matrix, words: Mapping[str, str], x: float, y: float, mode: Mode, style: str) -> list[str]:
    parts = []
    for value in (True, False):
        fill = _colour(matrix, float(value), mode)
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="11" height="11" fill="{fill}" stroke="{SURFACE[mode]["line"]}"/>'
        )
        label = f"{int(value)} {words['true' if value else 'false']}"
        parts.append(text(x + 17, y + 10, label, style))
        x += 17 + text_width(label) + 20
    return parts
