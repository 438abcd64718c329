"""Daily prices of a CSV file, their log returns, and the split in time without a leak.

N days of returns. A log return ln(p_t / p_{t−1}) has no unit; 0.01 is a rise of about 1 %.
"""

import csv
import io
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from model.errors import InvalidInput

SAMPLE = Path(__file__).parents[2] / "corpora" / "stock-daily.ibm.csv"
ADJUSTED = ("adjusted_close", "adj_close")  # ours, yfinance's
CLOSE = (*ADJUSTED, "close")  # the first one present is read
HELD_OUT_LEAST = 20  # days, below which no interval means anything
MOST_DAYS = 5000  # of a user's table
MOST_BYTES = 2_000_000
WINDOW = 20  # days that the forecaster reads
GAP = 14  # calendar days; holidays close an exchange for at most eleven or so
JUMP = 1.45  # ratio of neighbouring prices: less than the smallest usual share split, 3 for 2
_QUOTED = 40  # characters of a cell that a sentence quotes


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
            raise InvalidInput("price_text") from None


def prices_of(data: bytes) -> Prices:
    """Prices of a user's file, bounded in size and length."""
    if len(data) > MOST_BYTES:
        raise InvalidInput("price_size", limit=f"{MOST_BYTES / 1e6:g}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("price_text") from None
    return read_prices(io.StringIO(text, newline=""), MOST_DAYS)


def as_csv(prices: Prices) -> str:
    """The prices alone, as a table that `read_prices` reads."""
    rows = zip(prices.dates, prices.prices.tolist(), strict=True)
    return "\n".join([f"date,{prices.column}", *(f"{day},{price!r}" for day, price in rows)]) + "\n"


def read_prices(lines: Iterable[str], most: int | None = None) -> Prices:
    """Prices from the lines of a CSV with a header; the adjusted close if there is one, else the close.

    Names are read without regard to case and spaces, so yfinance's and baostock's tables fit; other
    columns are left alone. Raises `InvalidInput` with the line number of the first bad row, or of the one
    after `most` rows.
    """
    reader = csv.reader(lines)
    dates: list[date] = []
    prices: list[float] = []
    try:
        header = _header(reader)
        at, column = _columns(header)
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(dates) == most:
                raise InvalidInput("price_rows", number=reader.line_num, limit=f"{most:,}")
            dates.append(_date(row, at, reader.line_num, dates))
            prices.append(_price(row, header.index(column), reader.line_num, prices))
    except csv.Error:
        raise InvalidInput("price_file", number=reader.line_num) from None
    return Prices(tuple(dates), np.array(prices), column)


def _header(reader: Iterator[list[str]]) -> list[str]:
    """The names of the columns. yfinance's newer tables have three lines of them, the date's name in the last."""
    header = [name.strip("\ufeff ").lower().replace(" ", "_") for name in next(reader, [])]
    if header[:1] == ["price"] and "date" not in header:
        for name in ("ticker", "date"):
            if next(reader, [""])[0].strip().lower() != name:
                raise InvalidInput("price_columns", missing="date")
        header[0] = "date"
    return header


def _columns(header: list[str]) -> tuple[int, str]:
    """Where the date stands, and the name of the price to read."""
    column = next((name for name in CLOSE if name in header), None)
    if column is None or "date" not in header:
        raise InvalidInput("price_columns", missing="date" if column else "close")
    return header.index("date"), column


def _date(row: list[str], at: int, number: int, before: list[date]) -> date:
    value = row[at].strip() if at < len(row) else ""
    try:
        day = date.fromisoformat(value[:10])  # a time of day may follow
    except ValueError:
        raise InvalidInput("price_date", number=number, value=value[:_QUOTED]) from None
    if not before:
        return day
    days = (day - before[-1]).days
    if days <= 0:
        raise InvalidInput("price_order" if days else "price_twice", number=number, value=day)
    if days > GAP:
        raise InvalidInput("price_gap", number=number, value=day, count=days - 1, limit=GAP)
    return day


def _price(row: list[str], at: int, number: int, before: list[float]) -> float:
    value = row[at].strip() if at < len(row) else ""
    try:
        price = float(value)
    except ValueError:
        price = math.nan
    if not 0 < price < math.inf:
        raise InvalidInput("price_value", number=number, value=value[:_QUOTED])
    if before and not 1 / JUMP < price / before[-1] < JUMP:
        raise InvalidInput("price_jump", number=number, factor=f"{price / before[-1]:.3g}")
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

    Raises `InvalidInput` when either part is too short for windows of that many days, or never moves.
    """
    if not 0 < share < 1:
        raise InvalidInput("forecast_setting", field="share", value=share, fix="a number between 0 and 1")
    returns = log_returns(prices.prices)
    split = int(share * len(returns))
    if not _enough(len(returns), window, share):
        least = 1 + next(days for days in itertools.count(len(returns)) if _enough(days, window, share))
        raise InvalidInput("price_days", count=len(prices.dates), needed=least)
    training = returns[:split]
    if np.ptp(training) == 0:
        raise InvalidInput("price_constant")
    return Series(prices.dates[1:], prices.prices, returns, split, float(training.mean()), float(training.std()))


def _enough(days: int, window: int, share: float) -> bool:
    """Whether so many returns make a window with the day after it to learn from, and enough to judge by."""
    split = int(share * days)
    return split > window and days - split >= HELD_OUT_LEAST


def windows(values: np.ndarray, length: int, stride: int = 1) -> np.ndarray:
    """Stretches of `length` days, one every `stride` days, the last one at the end: (windows, length)."""
    every = np.lib.stride_tricks.sliding_window_view(values, length)
    return every[(len(every) - 1) % stride :: stride]
