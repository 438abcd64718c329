"""Daily prices of a CSV file, their log returns, and the split in time without a leak.

N days of returns. A log return ln(p_t / p_{t−1}) has no unit; 0.01 is a rise of about 1 %.
"""

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from model.refused import Refused

SAMPLE = Path(__file__).parent / "corpora" / "stock-daily.ibm.csv"
ADJUSTED = ("adjusted_close", "adj_close")  # ours, yfinance's
CLOSE = (*ADJUSTED, "close")  # the first one present is read
HELD_OUT_LEAST = 20  # days, below which no interval means anything


@dataclass(frozen=True)
class Prices:
    """One price for each trading day, oldest first: dates and prices (N + 1), and the column they came from."""

    dates: tuple[date, ...]
    prices: np.ndarray
    column: str


def load_prices(path: Path = SAMPLE) -> Prices:
    """Prices of a CSV file, UTF-8 with or without a byte order mark."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return read_prices(file)
        except UnicodeDecodeError:
            raise Refused("price_text") from None


def read_prices(lines: Iterable[str]) -> Prices:
    """Prices from the lines of a CSV with a header; the adjusted close if there is one, else the close.

    Names are read without regard to case and spaces, so yfinance's and baostock's tables fit; other
    columns are left alone. Raises `Refused` with the line number of the first bad row.
    """
    reader = csv.reader(lines)
    dates: list[date] = []
    prices: list[float] = []
    try:
        header = [name.strip("\ufeff ").lower().replace(" ", "_") for name in next(reader, [])]
        at, column = _columns(header)
        for row in reader:
            if any(cell.strip() for cell in row):
                dates.append(_date(row, at, reader.line_num, dates))
                prices.append(_price(row, header.index(column), reader.line_num))
    except csv.Error:
        raise Refused("price_file", number=reader.line_num) from None
    return Prices(tuple(dates), np.array(prices), column)


def _columns(header: list[str]) -> tuple[int, str]:
    """Where the date stands, and the name of the price to read."""
    column = next((name for name in CLOSE if name in header), None)
    if column is None or "date" not in header:
        raise Refused("price_columns", missing="date" if column else "close")
    return header.index("date"), column


def _date(row: list[str], at: int, number: int, before: list[date]) -> date:
    value = row[at].strip() if at < len(row) else ""
    try:
        day = date.fromisoformat(value[:10])  # a time of day may follow
    except ValueError:
        raise Refused("price_date", number=number, value=value) from None
    if before and day <= before[-1]:
        raise Refused("price_order", number=number, value=day)
    return day


def _price(row: list[str], at: int, number: int) -> float:
    value = row[at].strip() if at < len(row) else ""
    try:
        price = float(value)
    except ValueError:
        price = math.nan
    if not 0 < price < math.inf:
        raise Refused("price_value", number=number, value=value)
    return price


def log_returns(prices: np.ndarray) -> np.ndarray:
    """ln(p_t / p_{t−1}), (N) from prices (N + 1)."""
    return np.diff(np.log(prices))


@dataclass(frozen=True)
class Series:
    """Returns split in time. returns[i] goes from the price before dates[i] to the one on it.

    dates (N), prices (N + 1) with the first day's before all, returns (N); the first `split` of them
    are for learning. mean and deviation are of those alone, so nothing of the rest leaks into scaling.
    """

    dates: tuple[date, ...]
    prices: np.ndarray
    returns: np.ndarray
    split: int
    mean: float
    deviation: float

    @property
    def scaled(self) -> np.ndarray:
        """All returns with the scaler of the learning part applied: (r − mean) / deviation, (N)."""
        return (self.returns - self.mean) / self.deviation

    @property
    def held_out(self) -> np.ndarray:
        """Returns after the split, (N − split), never learned from."""
        return self.returns[self.split :]


def split_in_time(prices: Prices, window: int, share: float = 0.9) -> Series:
    """The first `share` of the returns to learn from, the later ones to be judged by (C2: 90 / 10).

    Raises `Refused` when either part is too short for windows of that many days, or never moves.
    """
    if not 0 < share < 1:
        raise Refused("forecast_setting", field="share", value=share, fix="a number between 0 and 1")
    returns = log_returns(prices.prices)
    split = int(share * len(returns))
    if split < window + 1 or len(returns) - split < HELD_OUT_LEAST:
        needed = math.ceil(max((window + 1) / share, HELD_OUT_LEAST / (1 - share))) + 2
        raise Refused("price_days", count=len(prices.dates), needed=needed)
    learned = returns[:split]
    if np.ptp(learned) == 0:
        raise Refused("price_constant")
    return Series(prices.dates[1:], prices.prices, returns, split, float(learned.mean()), float(learned.std()))


def windows(values: np.ndarray, length: int, stride: int = 1) -> np.ndarray:
    """Stretches of `length` days, one every `stride` days, the last one at the end: (windows, length)."""
    every = np.lib.stride_tricks.sliding_window_view(values, length)
    return every[(len(every) - 1) % stride :: stride]
