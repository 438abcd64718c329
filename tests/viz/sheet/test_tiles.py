"""Tiles: bytes that stand for numbers, reduced levels that keep what stands out, and pieces that make up the whole."""

import numpy as np
import pytest

from viz.sheet import tiles

RANDOM = np.random.default_rng(5)


def test_bytes_stand_for_numbers_to_half_a_step() -> None:
    array = RANDOM.normal(size=(40, 30)).astype(np.float32)
    array[3, 4], array[5, 6], array[7, 8] = 0, 1e-9, -np.inf
    scale = tiles.full(array)
    codes = tiles.codes(array, scale).astype(int)
    assert (codes == tiles.ZERO).sum() == 1, "only 0 itself has the colour of 0"
    assert (codes[3, 4], codes[5, 6], codes[7, 8]) == (tiles.ZERO, tiles.ZERO + 1, tiles.ABSENT)
    large = np.isfinite(array) & (np.abs(array) > 0.5 / 127 * scale)  # what is smaller has the first step of its sign
    np.testing.assert_allclose(((codes - 128) / 127 * scale)[large], array[large], atol=0.5 / 127 * scale + 1e-6)


@pytest.mark.parametrize("shape", [(8, 8), (9, 7), (1, 50), (50, 1)])
def test_a_reduced_cell_has_the_largest_of_its_four(shape: tuple[int, int]) -> None:
    array = RANDOM.integers(1, 256, shape).astype(np.uint8)
    halved = tiles.halved(array)
    assert halved.shape == tuple(-(-size // 2) for size in shape)
    for row, column in np.ndindex(*halved.shape):
        four = array[2 * row : 2 * row + 2, 2 * column : 2 * column + 2].astype(int)
        assert abs(int(halved[row, column]) - 128) == np.abs(four - 128).max()
        assert halved[row, column] in four


def test_what_is_not_finite_disappears_before_what_is() -> None:
    array = np.array([[tiles.ABSENT, tiles.ZERO], [tiles.ABSENT, tiles.ABSENT]], np.uint8)
    assert tiles.halved(array).tolist() == [[tiles.ZERO]]
    assert tiles.halved(np.zeros((2, 2), np.uint8)).tolist() == [[tiles.ABSENT]]


@pytest.mark.parametrize("level", [-1, 0, 1, 2])
def test_the_tiles_of_a_level_make_up_the_whole(level: int) -> None:
    array = RANDOM.normal(size=(300, 170)).astype(np.float32)
    scale = tiles.full(array)
    reduced = tiles.levels(array, scale)
    size = tiles.NUMBERS if level < 0 else tiles.SIZE
    whole = array if level < 0 else tiles.codes(array, scale) if level == 0 else reduced[level - 1]
    kind, rows = ("<f4" if level < 0 else np.uint8), []
    for row in range(-(-whole.shape[0] // size)):
        high = min(size, whole.shape[0] - row * size)
        columns = range(-(-whole.shape[1] // size))
        results = [tiles.tile(array, scale, reduced, level, row, column) for column in columns]
        rows.append(np.hstack([np.frombuffer(each, kind).reshape(high, -1) for each in results]))
    np.testing.assert_array_equal(np.vstack(rows), whole)
    for place in ((99, 0), (0, 99), (-1, 0)):
        with pytest.raises(IndexError):
            tiles.tile(array, scale, reduced, level, *place)


def test_the_smallest_level_is_small() -> None:
    levels = tiles.levels(RANDOM.normal(size=(3600, 144)), 3.0)
    assert max(levels[-1].shape) <= tiles.THUMB < max(levels[-2].shape)
