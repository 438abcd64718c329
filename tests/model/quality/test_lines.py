"""A user's lines: what is read of them, and one sentence for each thing that cannot be read."""

import pytest

from model.errors import InvalidInput
from model.quality import lines
from model.quality.lines import Line
from tests.samples import german_english


def test_a_line_is_a_sentence_or_a_sentence_and_a_reference() -> None:
    assert lines.read("Ja.\r\n\n Nein. \n") == (Line(1, "Ja."), Line(3, "Nein."))
    assert lines.read("Ja.\tYes.\nNein.\tNo.") == (Line(1, "Ja.", "Yes."), Line(2, "Nein.", "No."))
    assert lines.read("Ja.\tYes.\t\t\r\nNein.\tNo.") == (Line(1, "Ja.", "Yes."), Line(2, "Nein.", "No."))
    assert lines.decode("\ufeffJa, schön.\r\rNein.\r\n".encode()) == "Ja, schön.\n\nNein.\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("schön".encode("latin-1"), "lines_encoding"),
        (b"\x89PNG\r\n\x1a\n\0\0", "lines_no_text"),
        (b"a" * (lines.BYTES + 1), "lines_bytes"),
    ],
)
def test_a_file_that_is_no_text_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        lines.decode(data)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" \n\t\n", "lines_none"),
        ("Ja.\n" * (lines.MOST + 1), "lines_many"),
        ("Ja.\n" + "a" * 100_000, "lines_long"),
        ("Ja.\tYes.\tOui.", "lines_columns"),
        ("\tYes.", "lines_source"),
        ("Ja.\tYes.\nNein.", "lines_references"),
        ("Ja.\tYes.\nNein.\t ", "lines_references"),
        ("Ja.\n" * 300_000, "lines_bytes"),
    ],
)
def test_lines_that_cannot_be_read_are_refused(text: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        lines.read(text)
    assert refused.value.code == code


def test_as_many_lines_as_there_may_be() -> None:
    assert len(lines.read("Ja.\n" * lines.MOST)) == lines.MOST


def test_what_the_model_cannot_read_is_refused_with_its_line() -> None:
    with pytest.raises(InvalidInput) as refused:
        lines.check(german_english(), lines.read("Ja.\n\n" + "sehr " * 190))
    assert refused.value.code == "line"
    assert refused.value.values["number"] == 3
    assert refused.value.values["problem"].code == "sentence_tokens"
