"""The numbers of a matrix as bytes for colours, at full size and reduced by powers of two, cut into tiles."""

from __future__ import annotations

import numpy as np

ZERO = 128  # the byte of 0; 1 … 127 are negative, 129 … 255 positive
ABSENT = 0  # the byte of what is no finite number
SIZE = 128  # cells of a tile on each side
NUMBERS = 32  # cells of a tile with exact numbers
HIDDEN = -1e8  # a masked score is below: −∞ or −1e9
THUMB = 24  # cells of the smallest level on its longer side, at most


def hidden_as_absent(array: np.ndarray) -> np.ndarray:
    """Some models hide scores with −1e9 in place of −∞: beside it all other numbers would have no colour."""
    return np.where(array <= HIDDEN, -np.inf, array) if array.size and array.min() <= HIDDEN else array


def full(array: np.ndarray) -> float:
    """The number that gets the full colour: the largest magnitude, or 1 where there is none."""
    finite = array[np.isfinite(array)]
    return float(np.abs(finite).max(initial=0.0)) or 1.0


def codes(array: np.ndarray, scale: float) -> np.ndarray:
    """Bytes of the same shape: only 0 itself is `ZERO`, and what is not finite is `ABSENT`."""
    with np.errstate(invalid="ignore"):
        steps = np.clip(np.rint(np.abs(array) * (127 / scale)), 1, 127)
        levels = ZERO + np.sign(array) * steps
    return np.where(np.isfinite(array), levels, ABSENT).astype(np.uint8)


def halved(bytes_: np.ndarray) -> np.ndarray:
    """Half as many rows and columns: each cell stands for up to four and has the byte of the largest magnitude.

    A mean would wash out the single large numbers that one looks for.
    """
    rows, columns = bytes_.shape
    padded = np.pad(bytes_, ((0, rows % 2), (0, columns % 2)), mode="edge")
    four = np.stack([padded[i::2, j::2] for i in range(2) for j in range(2)])  # (4, rows / 2, columns / 2)
    size = np.abs(four.astype(np.int16) - ZERO)
    size[four == ABSENT] = -1
    return np.take_along_axis(four, size.argmax(axis=0)[None], axis=0)[0]


def levels(array: np.ndarray, scale: float) -> list[np.ndarray]:
    """The reduced levels, from half the size down to one of at most `THUMB` cells on each side."""
    result: list[np.ndarray] = []
    rows, columns = array.shape
    for _ in range(depth(rows, columns)):
        result.append(halved(result[-1] if result else codes(array, scale)))
    return result


def depth(rows: int, columns: int) -> int:
    """How many reduced levels a matrix has."""
    count, longest = 0, max(rows, columns)
    while longest > THUMB:
        count, longest = count + 1, -(-longest // 2)
    return count


def tile(array: np.ndarray, scale: float, levels: list[np.ndarray], level: int, row: int, column: int) -> bytes:
    """The tile (row, column) of a level as bytes, row by row; level 0 is the full size.

    Level −1 has the numbers themselves, as little-endian single precision, `NUMBERS` cells on each side.
    Raises IndexError for a tile that there is not.
    """
    if not -1 <= level <= len(levels):
        raise IndexError(f"there is no level {level}")
    size = NUMBERS if level < 0 else SIZE
    whole = array if level <= 0 else levels[level - 1]
    cells = whole[row * size : (row + 1) * size, column * size : (column + 1) * size]
    if row < 0 or column < 0 or not cells.size:
        raise IndexError(f"there is no tile {row}, {column}")
    if level < 0:
        return cells.astype("<f4").tobytes()
    return (codes(cells, scale) if level == 0 else cells).tobytes()
