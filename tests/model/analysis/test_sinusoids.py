"""The sinusoidal table's laws, and the textbook's worked examples with the row that is wrong in print."""

import numpy as np
import pytest

from model.analysis import sinusoids
from model.config import TransformerConfig
from model.errors import InvalidInput
from model.position_methods import sinusoidal_positions
from model.transformer import EncoderLayer

BASES = [100.0, 10_000.0]


def test_wavelengths_by_hand() -> None:
    result = sinusoids.wavelengths(4, 100.0)
    np.testing.assert_allclose(result, [2 * np.pi, 20 * np.pi])
    long = sinusoids.wavelengths(512)
    assert long[0] == pytest.approx(6.2832, abs=1e-4)
    assert long[128] == pytest.approx(628.3185, abs=1e-4)  # base^(1/2)
    assert long[-1] == pytest.approx(2 * np.pi * 10_000 ** (510 / 512))


@pytest.mark.parametrize("base", BASES)
def test_each_pair_repeats_after_its_wavelength(base: float) -> None:
    for i, wave in enumerate(sinusoids.wavelengths(8, base)):
        block = sinusoids.rotation(wave, 8, base)[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(block, np.eye(2), atol=1e-9)
        half = sinusoids.rotation(wave / 2, 8, base)[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(half, -np.eye(2), atol=1e-9)


@pytest.mark.parametrize("base", BASES)
def test_it_is_the_table_of_the_model(base: float) -> None:
    ours = sinusoids.positions(64, 32, base)
    np.testing.assert_allclose(sinusoidal_positions(64, 32, base).numpy(), ours, atol=2e-5)


@pytest.mark.parametrize("base", BASES)
def test_inner_products_depend_on_the_distance_alone(base: float) -> None:
    rows = sinusoids.positions(40, 32, base)
    places = np.arange(40)
    distance = places[:, None] - places
    np.testing.assert_allclose(rows @ rows.T, sinusoids.inner_products(distance, 32, base), atol=1e-9)


def test_inner_products_fall_off_with_distance() -> None:
    near = sinusoids.inner_products(np.arange(200), 512)
    assert near[0] == pytest.approx(256)  # d_model / 2
    assert np.all(np.diff(near[:4]) < 0)
    assert np.all(near[1:] < near[0])
    assert near[0] > near[10] > near[100]
    np.testing.assert_array_equal(near, sinusoids.inner_products(-np.arange(200), 512))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("k", [1, 7, 30])
def test_rotation_moves_every_position_by_k(base: float, k: int) -> None:
    rows = sinusoids.positions(70, 16, base)
    turn = sinusoids.rotation(k, 16, base)
    np.testing.assert_allclose(rows[:40] @ turn.T, rows[k : 40 + k], atol=1e-12)
    np.testing.assert_allclose(turn @ turn.T, np.eye(16), atol=1e-12)
    np.testing.assert_allclose(sinusoids.rotation(-k, 16, base), turn.T, atol=1e-12)
    np.testing.assert_allclose(turn @ sinusoids.rotation(3, 16, base), sinusoids.rotation(k + 3, 16, base), atol=1e-12)


def test_the_bare_table_at_base_100() -> None:
    row_in_book = [
        [0, 1, 0, 1],
        [0.8415, 0.5403, 0.0998, 0.9950],
        [0.9093, -0.4161, 0.1987, 0.9801],
        [0.1411, -0.9900, 0.2955, 0.9553],
    ]
    np.testing.assert_allclose(sinusoids.positions(4, 4, 100.0), row_in_book, atol=5e-5)


def test_the_worked_example_and_its_wrong_row() -> None:
    np.testing.assert_allclose(sinusoids.worked_input()[[0, 3]], [[0.1, 0.2, 0.3, 0.4], [0.4, 0.5, 0.6, 0.7]])
    right = sinusoids.worked_example()
    np.testing.assert_allclose(right[0], [0.1, 1.2, 0.3, 1.4], atol=5e-4)
    np.testing.assert_allclose(right[1], [1.041, 0.840, 0.410, 1.500], atol=6e-4)
    np.testing.assert_allclose(right[2], [1.209, -0.016, 0.520, 1.600], atol=6e-4)
    np.testing.assert_allclose(right[3], [0.541, -0.490, 0.630, 1.700], atol=6e-4)
    row_in_book = np.array(sinusoids.PUBLISHED_ROW_3)
    wrong = np.abs(row_in_book - right[3]) > 2e-3
    assert wrong.tolist() == [False, False, True, True]
    np.testing.assert_allclose(row_in_book[2:], sinusoids.worked_example(100.0)[3, 2:], atol=1e-3)


@pytest.mark.parametrize(
    ("d_model", "base", "code"), [(5, 100, "config_odd"), (0, 100, "config_odd"), (4, 1, "config_base")]
)
def test_what_has_no_table_is_refused(d_model: int, base: float, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        sinusoids.rotation(1, d_model, base)
    assert refusal.value.code == code


# wavelengths and their bands


def test_the_bands_reach_half_a_decade_to_both_sides() -> None:
    assert sinusoids.band_edges("word") == pytest.approx((3.162278, 31.62278), rel=1e-6)
    assert sinusoids.band_edges("document") == pytest.approx((316.2278, 3162.278), rel=1e-6)
    result = sinusoids.bands(np.array([2 * np.pi, 31.6, 31.7, 316.2, 316.3, 3162, 3163, 60_000]))
    assert result == [*["word"] * 2, *["paragraph"] * 2, *["document"] * 2, *["beyond"] * 2]


def test_how_many_pairs_stand_in_each_band() -> None:
    """Pair i has the wavelength 2π · 10^(8i / 512) at base 10,000: below 10^1.5 for i < 64 · (1.5 − log10 2π) …"""
    result = sinusoids.bands(sinusoids.wavelengths(512))
    steps = [np.ceil(64 * (power - np.log10(2 * np.pi))) for power in (1.5, 2.5, 3.5)]
    assert [result.count(name) for name in ("word", "paragraph", "document", "beyond")] == [
        steps[0], steps[1] - steps[0], steps[2] - steps[1], 256 - steps[2],
    ]  # fmt: skip


# the Fourier spectrum


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("window", [64, 512])
def test_every_column_peaks_where_theory_puts_it(base: float, window: int) -> None:
    frequencies, amplitudes = sinusoids.spectrum(sinusoids.positions(window, 64, base))
    np.testing.assert_allclose(frequencies, np.arange(window // 2 + 1) / window)
    for column in range(64):
        theory = base ** (-2 * (column // 2) / 64) / (2 * np.pi)
        assert abs(frequencies[amplitudes[:, column].argmax()] - theory) <= 1 / window


def test_a_whole_number_of_turns_has_one_line_of_height_one() -> None:
    rows = sinusoids.single_frequency(64, 8)
    _, amplitudes = sinusoids.spectrum(rows)
    expected = np.zeros((33, 2))
    expected[8] = 1
    np.testing.assert_allclose(amplitudes, expected, atol=1e-12)
    assert sinusoids.peak_offsets(np.arange(33) / 64, amplitudes, [1 / 8, 1 / 8 + 0.5 / 64]) == pytest.approx([0, 0.5])


# distances and turns


@pytest.mark.parametrize("base", [10.0, *BASES])
def test_the_rotation_s_error_is_of_rounding_alone(base: float) -> None:
    for k in (0, 5, 64):
        assert sinusoids.rotation_error(k, 256, 144, base) < 1e-12
    assert sinusoids.product_error(128, 144, base) < 1e-10


def test_an_error_in_the_table_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = sinusoids.positions
    monkeypatch.setattr(sinusoids, "positions", lambda *sizes: honest(*sizes) + 1e-6 * np.arange(sizes[0])[:, None])
    assert sinusoids.rotation_error(5, 64, 16) > 1e-6
    assert sinusoids.product_error(64, 16) > 1e-6


def test_the_smaller_the_base_the_sooner_nothing_is_left() -> None:
    places, curves = sinusoids.falloff(20, 64, 144, [10, 100, 10_000])
    assert places.tolist() == list(range(-20, 44))
    fell = [next(k for k, value in enumerate(curve[20:]) if value < 36) for curve in (curves[10], curves[100])]
    assert fell == sorted(fell)
    assert fell[0] < fell[1]
    assert curves[10_000][20] == pytest.approx(72)
    assert np.abs(curves[10][30:]).max() < 20 < 30 < curves[10_000].min()
    assert curves[100][23] == pytest.approx(sum(np.cos(3 * 100 ** (-2 * i / 144)) for i in range(72)))


def test_the_hands_turn_by_k_theta_wherever_they_start() -> None:
    for m in (0, 3, 17):
        hands = sinusoids.hands([m, m + 4], [0, 8, 12], 16, 100)  # (2, 3, 2)
        angles = np.arctan2(hands[..., 0], hands[..., 1])
        rotation = (angles[1] - angles[0]) % (2 * np.pi)
        np.testing.assert_allclose(rotation, [4, 4 / 10, 4 / 100**0.75], atol=1e-12)


@pytest.mark.parametrize(("place", "column"), [(0, 0), (3, 18), (3, 19), (63, 143)])
def test_an_entry_is_worked_out_as_it_stands_in_the_table(place: int, column: int) -> None:
    divisor, angle, value = sinusoids.entry(place, column, 144)
    assert divisor == pytest.approx(10_000 ** ((column - column % 2) / 144))
    assert angle == pytest.approx(place / divisor)
    assert value == pytest.approx(sinusoids.positions(64, 144)[place, column], abs=1e-12)


# what stands in its place


@pytest.mark.parametrize("wavelength", [2, 8, 64])
def test_a_single_frequency_repeats_and_all_of_them_do_not(wavelength: int) -> None:
    single = sinusoids.single_frequency(256, wavelength)
    assert sinusoids.distinct(single) == wavelength
    np.testing.assert_allclose(single[wavelength:], single[:-wavelength], atol=1e-9)
    assert sinusoids.distinct(sinusoids.positions(256, 144)) == 256
    assert sinusoids.step(single) == pytest.approx(2 * np.sin(np.pi / wavelength))  # chord of one step


@pytest.mark.parametrize("biases", [{"projection_bias": True, "feed_forward_bias": True}, {"projection_bias": False}])
@pytest.mark.parametrize("width", [144, 208])
def test_the_parameters_of_a_layer_are_those_of_the_model(width: int, biases: dict[str, bool]) -> None:
    config = TransformerConfig(source_vocabulary=9, target_vocabulary=9, d_model=width, heads=4, d_ff=432, **biases)
    count = sum(parameter.numel() for parameter in EncoderLayer(config).parameters())
    assert sinusoids.layer_parameters(width, 432, **biases) == count


@pytest.mark.parametrize("length", [8, 9])
def test_a_constant_has_its_own_height_at_frequency_0(length: int) -> None:
    _, amplitudes = sinusoids.spectrum(np.full((length, 1), 0.7))
    np.testing.assert_allclose(amplitudes[0], 0.7)
    np.testing.assert_allclose(amplitudes[1:], 0, atol=1e-12)
