"""One head switched off and on again, whatever else the link changes."""

import pytest

from model.edit import notation
from pages.sheet.one_head import Head, switched_off, switched_on

HEAD = Head("cross", 1, 2, layers=3, heads=4)


def read(text: str) -> list[notation.Change]:
    return notation.read(text)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [("", "off:cross.1.2"), ("-off:cross.1.2", "off:cross.1.2"), ("half:cross.1.2", "half:cross.1.2;off:cross.1.2")],
)
def test_a_head_is_switched_off_once(before: str, after: str) -> None:
    assert notation.spell(switched_off(read(before), HEAD)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("off:cross.1.2", ""),
        ("off:cross.0.2;off:decoder.1.2;-off:cross.1.2", "off:cross.0.2;off:decoder.1.2;-off:cross.1.2"),
        ("off:cross.1.*", "off:cross.1.0;off:cross.1.1;off:cross.1.3"),
        ("off:cross.*.2", "off:cross.0.2;off:cross.2.2"),
        ("off:cross.*.*", "off:cross.0.*;off:cross.2.*;off:cross.1.0;off:cross.1.1;off:cross.1.3"),
    ],
)
def test_a_head_is_switched_on_and_the_others_stay_off(before: str, after: str) -> None:
    assert notation.spell(switched_on(read(before), HEAD)) == after
