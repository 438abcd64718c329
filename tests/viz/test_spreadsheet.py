"""Texts in tables that a spreadsheet opens: none is computed, and numbers stay numbers."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from viz.spreadsheet import cell, table_of

FORMULAS = ("=1+1", "= 1+1", "+1+1", "-1+1", "@SUM(1)", "＝1+1", "＋1+1", "－1+1", "＠SUM(1)", "-cmd|' /C calc'!A0")


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(
    "before", ["", ";", "a;", "\t", "\n", "\r", "a\r\n", " ", '"', '";"', "\u00a0", "\u200b", "\ufeff"]
)
def test_no_part_of_a_text_is_a_formula(before: str, formula: str) -> None:
    """Whichever separator is chosen, and whether or not quotes and what is not seen are dropped."""
    stream = io.StringIO()
    csv.writer(stream).writerow(["Ada", cell(f"{before}{formula};")])
    for separator in (",", ";", "\t"):
        for row in csv.reader(stream.getvalue().splitlines(), delimiter=separator):
            for part in (part for field in row for part in field.split(";")):
                assert not part.strip(' "\u00a0\u200b\ufeff').startswith(tuple("=+-@＝＋－＠")), (separator, row)


@pytest.mark.parametrize(
    "value",
    [-0.5, 7, None, "-0.5", "+3", "-1e-05", "−0.5", "1;-0.5", "=", "+", "-", "738+465=", "a-b", "Wo?", "", " - "],
)
def test_numbers_signs_and_other_texts_stay_as_they_are(value: object) -> None:
    assert cell(value) == value


def test_a_table_is_the_one_that_pandas_reads() -> None:
    """Rows with different columns, gaps, and what is the same in all of them; a column of the rows stays theirs."""
    rows = [
        {"token": 'a,"b"\nc', "weight": 0.1 + 0.2, "rank": 1},
        {"token": "汉", "weight": float("nan"), "share": np.float64(1e-7), "rank": 2},
        {"token": "", "weight": None, "model": "own", "rank": 3},
    ]
    read = pd.read_csv(io.StringIO(table_of(iter(rows), {"model": "de-en", "seed": None, "version": "1"})))
    expected = pd.DataFrame(rows).assign(seed=np.nan, version=1).replace({"token": ""}, np.nan)
    pd.testing.assert_frame_equal(read, expected)
