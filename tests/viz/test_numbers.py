"""Very small and very large numbers, as the pages write them."""

import pytest

from viz.numbers import percent, power_of_ten, signed, signed_percent, three_figures


@pytest.mark.parametrize(
    ("value", "figures", "written"),
    [
        (3.6e-07, 1, "4·10⁻⁷"), (3.64e-07, 2, "3.6·10⁻⁷"), (1e-05, 1, "10⁻⁵"), (9.7e-06, 1, "10⁻⁵"),
        (2e12, 1, "2·10¹²"), (-1e-10, 1, "−10⁻¹⁰"), (-2.5e-4, 2, "−2.5·10⁻⁴"), (0.0, 1, "0"),
        (float("nan"), 1, "nan"),
    ],
)  # fmt: skip
def test_a_power_of_ten_is_written_by_hand(value: float, figures: int, written: str) -> None:
    assert power_of_ten(value, figures) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1024.0, "1,024"),
        (999.6, "1,000"),
        (999.4, "999"),
        (1e6, "1,000,000"),
        (2.0, "2"),
        (0.013743, "0.0137"),
        (9.41e-4, "9.41·10⁻⁴"),
        (0.0, "0"),
    ],
)
def test_three_figures_are_written_without_an_e(value: float, written: str) -> None:
    assert three_figures(value) == written


@pytest.mark.parametrize(
    ("share", "decimals", "written"),
    [
        (0, 0, "0%"), (1, 0, "100%"), (1.0, 2, "100%"), (0.0, 1, "0%"), (0.5, 0, "50%"), (0.123, 1, "12.3%"),
        (499 / 500, 0, "99.8%"), (0.9999, 0, ">99.9%"), (0.9999, 2, "99.99%"), (0.99999, 2, ">99.99%"),
        (0.004, 0, "0.4%"), (1e-5, 0, "<0.1%"), (1e-5, 2, "<0.01%"), (-0.02, 0, "−2%"), (1.7, 0, "170%"),
    ],
)  # fmt: skip
def test_only_all_is_100_percent_and_only_none_is_0(share: float, decimals: int, written: str) -> None:
    assert percent(share, decimals) == written


def test_a_sign_is_a_real_one_and_0_has_none() -> None:
    assert [signed(value) for value in (0.5, -0.5, 0.004, -0.004)] == ["+0.50", "−0.50", "0.00", "0.00"]
    assert [signed_percent(value) for value in (0.0341, -0.002)] == ["+3.4%", "−0.2%"]
