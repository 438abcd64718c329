"""Changes as a link spells them."""

import pytest

from model.edit import notation
from model.edit.notation import Change

LIST = "off:cross.1.3;-half:encoder.0.*;uniform:decoder.*.*;row:cross.0.1.2=500,0,500;unmask:causal;unmask:6"


OTHERS = "position:encoder.shift3;embedding:decoder.unscale;word:4=Haus;key:cross.4=Haus;patch:encoder.1.3.2=Wo ist es?"


@pytest.mark.parametrize("text", [LIST, OTHERS, "", "patch:encoder.input.1.1=a%3Bb %25 c"])
def test_a_list_is_spelled_as_it_was_read(text: str) -> None:
    result, bad = notation.read(text)
    assert bad == []
    assert notation.spell(result) == text


def test_a_text_may_hold_the_marks_of_a_list() -> None:
    one = Change("word", ("1",), "a;b%=,.\n√")
    [again], bad = notation.read(notation.spell([one]))
    assert (again, bad) == (one, [])


def test_what_is_no_change_is_given_back() -> None:
    result, bad = notation.read("off:cross.0.1;fly:1;off;word:3;off:cross.0.1=x;;<b>;half:cross.0.0")
    assert [one.verb for one in result] == ["off", "half"]
    assert bad == ["fly:1", "off", "word:3", "off:cross.0.1=x", "<b>"]
    assert len(notation.read(";".join(["unmask:causal"] * 20))[0]) == notation.LIMIT


def test_a_change_switched_twice_is_the_same() -> None:
    one = Change("off", ("cross", "0", "1"))
    assert one.switched().spelled() == "-off:cross.0.1"
    assert one.switched().switched() == one
