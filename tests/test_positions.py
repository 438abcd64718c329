"""The sinusoidal table's laws, and the textbook's worked examples with the row that is wrong in print."""

import numpy as np
import pytest

from model import positions
from model.refused import Refused
from model.transformer import sinusoidal_positions

BASES = [100.0, 10_000.0]


def test_wavelengths_by_hand() -> None:
    found = positions.wavelengths(4, 100.0)
    np.testing.assert_allclose(found, [2 * np.pi, 20 * np.pi])
    long = positions.wavelengths(512)
    assert long[0] == pytest.approx(6.2832, abs=1e-4)
    assert long[128] == pytest.approx(628.3185, abs=1e-4)  # base^(1/2)
    assert long[-1] == pytest.approx(2 * np.pi * 10_000 ** (510 / 512))


@pytest.mark.parametrize("base", BASES)
def test_each_pair_repeats_after_its_wavelength(base: float) -> None:
    for i, wave in enumerate(positions.wavelengths(8, base)):
        block = positions.rotation(wave, 8, base)[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(block, np.eye(2), atol=1e-9)
        half = positions.rotation(wave / 2, 8, base)[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(half, -np.eye(2), atol=1e-9)


@pytest.mark.parametrize("base", BASES)
def test_it_is_the_table_of_the_model(base: float) -> None:
    ours = positions.positions(64, 32, base)
    np.testing.assert_allclose(sinusoidal_positions(64, 32, base).numpy(), ours, atol=2e-5)


@pytest.mark.parametrize("base", BASES)
def test_inner_products_depend_on_the_distance_alone(base: float) -> None:
    rows = positions.positions(40, 32, base)
    places = np.arange(40)
    distance = places[:, None] - places
    np.testing.assert_allclose(rows @ rows.T, positions.inner_products(distance, 32, base), atol=1e-9)


def test_inner_products_fall_off_with_distance() -> None:
    near = positions.inner_products(np.arange(200), 512)
    assert near[0] == pytest.approx(256)  # d_model / 2
    assert np.all(np.diff(near[:4]) < 0)
    assert np.all(near[1:] < near[0])
    assert near[0] > near[10] > near[100]
    np.testing.assert_array_equal(near, positions.inner_products(-np.arange(200), 512))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("k", [1, 7, 30])
def test_rotation_moves_every_position_by_k(base: float, k: int) -> None:
    rows = positions.positions(70, 16, base)
    turn = positions.rotation(k, 16, base)
    np.testing.assert_allclose(rows[:40] @ turn.T, rows[k : 40 + k], atol=1e-12)
    np.testing.assert_allclose(turn @ turn.T, np.eye(16), atol=1e-12)
    np.testing.assert_allclose(positions.rotation(-k, 16, base), turn.T, atol=1e-12)
    np.testing.assert_allclose(turn @ positions.rotation(3, 16, base), positions.rotation(k + 3, 16, base), atol=1e-12)


def test_the_bare_table_at_base_100() -> None:
    published = [
        [0, 1, 0, 1],
        [0.8415, 0.5403, 0.0998, 0.9950],
        [0.9093, -0.4161, 0.1987, 0.9801],
        [0.1411, -0.9900, 0.2955, 0.9553],
    ]
    np.testing.assert_allclose(positions.positions(4, 4, 100.0), published, atol=5e-5)


def test_the_worked_example_and_its_wrong_row() -> None:
    np.testing.assert_allclose(positions.worked_input()[[0, 3]], [[0.1, 0.2, 0.3, 0.4], [0.4, 0.5, 0.6, 0.7]])
    right = positions.worked_example()
    np.testing.assert_allclose(right[0], [0.1, 1.2, 0.3, 1.4], atol=5e-4)
    np.testing.assert_allclose(right[1], [1.041, 0.840, 0.410, 1.500], atol=6e-4)
    np.testing.assert_allclose(right[2], [1.209, -0.016, 0.520, 1.600], atol=6e-4)
    np.testing.assert_allclose(right[3], [0.541, -0.490, 0.630, 1.700], atol=6e-4)
    published = np.array(positions.PUBLISHED_ROW_3)
    wrong = np.abs(published - right[3]) > 2e-3
    assert wrong.tolist() == [False, False, True, True]
    np.testing.assert_allclose(published[2:], positions.worked_example(100.0)[3, 2:], atol=1e-3)


@pytest.mark.parametrize(
    ("d_model", "base", "code"), [(5, 100, "config_odd"), (0, 100, "config_odd"), (4, 1, "config_base")]
)
def test_what_has_no_table_is_refused(d_model: int, base: float, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        positions.rotation(1, d_model, base)
    assert refusal.value.code == code
