"""Tables of prices: read, refused, split in time and scaled."""

import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from model.errors import InvalidInput
from model.forecast import prices
from model.forecast.prices import (
    HELD_OUT_LEAST,
    Prices,
    load_prices,
    log_returns,
    read_prices,
    split_in_time,
)
from tests.model.forecast.small import days, walk


def read(text: str) -> Prices:
    return read_prices(io.StringIO(text))


def test_the_sample_is_what_its_card_says() -> None:
    prices = load_prices()
    assert (len(prices.dates), prices.dates[0], prices.dates[-1]) == (3270, date(2000, 3, 1), date(2013, 3, 1))
    assert prices.column == "adjusted_close"
    assert prices.prices[0] == 73.667718762847
    assert log_returns(prices.prices)[0] == pytest.approx(0.0282263, abs=1e-6)  # ln 1.0286284


TABLES = {
    "ours": ("date,open,close,adjusted_close\n2020-01-02,1,9,4\n2020-01-03,1,9,5\n", "adjusted_close", [4, 5]),
    "yfinance": ("Date,Open,Close,Adj Close,Volume\n2020-01-02,1,9,4,7\n2020-01-03,1,9,5,7\n", "adj_close", [4, 5]),
    "a time of day": ("Date,Close\n2020-01-02 00:00:00-05:00,4\n2020-01-03 00:00:00-05:00,5\n", "close", [4, 5]),
    "baostock": ("date,code,open,close,preclose\n2020-01-02,sh.1,1,4,3\n2020-01-03,sh.1,1,5,3\n", "close", [4, 5]),
    "newer yfinance": (
        "Price,Close,High\nTicker,IBM,IBM\nDate,,\n2020-01-02,4,9\n2020-01-03,5,9\n",
        "close",
        [4, 5],
    ),
    "byte order mark, spaces, gaps": ("\ufeffDate , Close\n\n2020-01-02, 4 \n,\n2020-01-03,5\n", "close", [4, 5]),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_several_makers(name: str) -> None:
    text, column, expected = TABLES[name]
    prices = read(text)
    assert prices.column == column
    assert prices.prices.tolist() == expected
    assert prices.dates == (date(2020, 1, 2), date(2020, 1, 3))


HEAD = "date,close\n2020-01-02,4\n"


BAD = {
    "no price": (HEAD + "2020-01-03,\n", "price_value", 3),
    "short row": (HEAD + "2020-01-03\n", "price_value", 3),
    "word": (HEAD + "2020-01-03,n/a\n", "price_value", 3),
    "zero": (HEAD + "2020-01-03,0\n", "price_value", 3),
    "negative": (HEAD + "\n\n2020-01-03,-4\n", "price_value", 5),
    "nan": (HEAD + "2020-01-03,nan\n", "price_value", 3),
    "infinite": (HEAD + "2020-01-03,1e999\n", "price_value", 3),
    "no such day": (HEAD + "2020-02-30,4\n", "price_date", 3),
    "other format": (HEAD + "03/01/2020,4\n", "price_date", 3),
    "same day": (HEAD + "2020-01-02,4\n", "price_twice", 3),
    "newest first": ("date,close\n2020-01-03,4\n2020-01-02,4\n", "price_order", 3),
    "days missing": (HEAD + "2020-01-16,4\n2020-01-31,4\n", "price_gap", 4),
    "split": (HEAD + "2020-01-03,4.1\n2020-01-06,2.05\n", "price_jump", 4),
    "split 3 for 2": (HEAD + "2020-01-03,2.7\n", "price_jump", 3),
    "joined shares": (HEAD + "2020-01-03,40\n", "price_jump", 3),
    "thousands": (HEAD + '2020-01-03,"4,100.5"\n', "price_value", 3),
    "back in time": (HEAD + "2020-01-03,4\n2020-01-01,4\n", "price_order", 4),
    "a cell without end": (HEAD + '2020-01-03,"' + "4" * 140_000, "price_file", 3),
    "neither ticker nor date": ("Price,Close\n2020-01-02,4\n", "price_columns", None),
    "no date": ("day,close\n2020-01-02,4\n", "price_columns", None),
    "no close": ("date,open\n2020-01-02,4\n", "price_columns", None),
    "nothing": ("", "price_columns", None),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_by_its_line(name: str) -> None:
    text, code, number = BAD[name]
    with pytest.raises(InvalidInput) as refusal:
        read(text)
    assert refusal.value.code == code
    assert refusal.value.values.get("number") == number
    assert number is None or str(refusal.value).startswith(f"Line {number}: ")


def test_a_table_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_bytes("date,close,名\n".encode("gbk"))
    with pytest.raises(InvalidInput, match="not UTF-8"):
        load_prices(tmp_path / "prices.csv")


def test_a_users_file_is_bounded_and_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"{day},{4 + i % 2}" for i, day in enumerate(days(7))]
    data = ("\ufeffDate,Close\r\n" + "\r\n".join(rows) + "\r\n").encode()
    result = prices.prices_of(data)
    assert (result.dates, result.prices.tolist()) == (days(7), [4, 5, 4, 5, 4, 5, 4])
    again = read_prices(prices.as_csv(result).splitlines())
    assert (again.dates, again.prices.tolist(), again.column) == (result.dates, result.prices.tolist(), "close")
    for text in (data.decode().encode("utf-16"), "date,close,名\n".encode("gbk")):
        with pytest.raises(InvalidInput, match="not UTF-8"):
            prices.prices_of(text)
    with pytest.raises(InvalidInput, match="larger than 2 MB"):
        prices.prices_of(b"x" * (prices.MOST_BYTES + 1))
    monkeypatch.setattr(prices, "MOST_DAYS", 6)
    with pytest.raises(InvalidInput, match=r"^Line 8: the table has more than 6 days"):
        prices.prices_of(data)


def test_holidays_are_no_gap_and_a_bad_day_is_no_split() -> None:
    assert len(read("date,close\n2020-01-23,4\n2020-02-03,2.8\n2020-02-17,4\n").prices) == 3
    assert read("date,close\n2020-01-01,4\n2020-01-15,4\n").dates[1] == date(2020, 1, 15)


def test_log_returns_by_hand() -> None:
    np.testing.assert_allclose(log_returns(np.array([100.0, 110.0, 99.0])), [0.0953102, -0.1053605], atol=1e-7)


def test_the_split_is_in_time_and_the_scaler_sees_the_first_part_alone() -> None:
    prices = walk(301)
    result = split_in_time(prices, 6)
    assert (len(result.returns), result.split, len(result.held_out)) == (300, 270, 30)
    assert result.dates[result.split] == prices.dates[271]
    assert (result.mean, result.deviation) == (result.returns[:270].mean(), result.returns[:270].std())
    training = result.scaled[:270]
    assert (training.mean(), training.std()) == (pytest.approx(0, abs=1e-12), pytest.approx(1))
    wild = replace(prices, prices=np.concatenate([prices.prices[:271], prices.prices[271:] * np.arange(1, 31)]))
    later = split_in_time(wild, 6)
    assert (later.mean, later.deviation) == (result.mean, result.deviation)
    assert later.scaled[270:].std() > 2 * result.scaled[270:].std()


def test_what_is_too_short_or_never_moves_is_refused() -> None:
    with pytest.raises(InvalidInput, match="has 100 days, at least") as refusal:
        split_in_time(walk(100), 6)
    enough = refusal.value.values["needed"]
    assert len(split_in_time(walk(enough), 6).held_out) == HELD_OUT_LEAST
    with pytest.raises(InvalidInput, match=f"has {enough - 1} days, at least {enough}"):
        split_in_time(walk(enough - 1), 6)
    with pytest.raises(InvalidInput, match="choose a longer one or a shorter window"):
        split_in_time(walk(300), 290)
    still = walk(300)
    with pytest.raises(InvalidInput, match="never changes"):
        split_in_time(replace(still, prices=np.full(300, 7.0)), 6)
    with pytest.raises(InvalidInput, match="share is 1"):
        split_in_time(still, 6, share=1)
