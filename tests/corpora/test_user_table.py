"""A user's own table of pairs: what is read of it, and one sentence with the row for everything that is wrong."""

import random

import pytest

from corpora.pairs import Pair
from corpora.tasks import user_table
from corpora.tasks.user_table import Own
from model.errors import InvalidInput
from pages.shared.text.words import all_texts

ROWS = [f"source {number}\ttarget {number}" for number in range(1, 21)]
TABLE = "\n".join(ROWS) + "\n"


def changed(row: int, line: str) -> bytes:
    """The table with another line at `row`."""
    return "\n".join([*ROWS[: row - 1], line, *ROWS[row:]]).encode()


def repeated(count: int) -> bytes:
    return "\n".join(f"s{number}\tt" for number in range(count)).encode()


# the file, the code of its refusal, and what the sentence names
DAMAGED: dict[str, tuple[bytes, str, dict[str, object]]] = {
    "nothing": (b"", "own_few", {"count": 0, "needed": 10}),
    "only a mark of byte order": (b"\xef\xbb\xbf", "own_few", {"count": 0}),
    "only empty lines": (b"\n\r\n \t \n" * 20, "own_few", {"count": 0}),
    "only a header": (b"source\ttarget\n", "own_few", {"count": 0}),
    "nine rows": ("\n".join(ROWS[:9]).encode(), "own_few", {"count": 9}),
    "too many rows": (
        repeated(user_table.MOST + 1),
        "own_many",
        {"count": user_table.MOST + 1, "limit": user_table.MOST},
    ),
    "too many bytes": (b"a\tb\n" * 300_000, "own_bytes", {"count": 1_200_000, "limit": user_table.BYTES}),
    "Latin-1": (changed(3, "Käse\tcheese").decode().encode("latin-1"), "own_encoding", {}),
    "UTF-16": (TABLE.encode("utf-16"), "own_encoding", {"byte": 1}),
    "GBK": ("你好\thello\n".encode("gbk") * 20, "own_encoding", {"byte": 1}),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "own_encoding", {"byte": 1}),
    "a zip": (b"PK\x03\x04\x14\x00\x00\x00" + b"\x00" * 40, "own_columns", {"row": 1, "count": 1}),
    "half a character": (TABLE.encode() + "é".encode()[:1], "own_encoding", {"byte": len(TABLE) + 1}),
    "one column": (changed(4, "no tab here"), "own_columns", {"row": 4, "count": 1}),
    "three columns": (changed(5, "a\tb\tc"), "own_columns", {"row": 5, "count": 3}),
    "a tab too many at the end": (changed(6, "a\tb\t"), "own_columns", {"row": 6, "count": 3}),
    "commas": (TABLE.replace("\t", ",").encode(), "own_columns", {"row": 1, "count": 1}),
    "semicolons": (TABLE.replace("\t", ";").encode(), "own_columns", {"row": 1, "count": 1}),
    "lines of an old Macintosh": (TABLE.replace("\n", "\r").encode(), "own_columns", {"row": 1}),
    "a header that is not ours": (b"German\tEnglish\tNotes\n" + TABLE.encode(), "own_columns", {"row": 1, "count": 3}),
    "a header further down": (changed(2, "source\t"), "own_empty", {"row": 2, "column": 2}),
    "no source": (changed(7, "\ttarget"), "own_empty", {"row": 7, "column": 1}),
    "no target": (changed(8, "source\t"), "own_empty", {"row": 8, "column": 2}),
    "a target of spaces": (changed(9, "source\t   "), "own_empty", {"row": 9, "column": 2}),
    "a target of wide spaces": (changed(9, "source\t\u3000\u00a0"), "own_empty", {"row": 9, "column": 2}),
    "a long source": (changed(10, "s" * 121 + "\tt"), "own_long", {"row": 10, "column": 1, "count": 121, "limit": 120}),
    "a long target": (changed(11, "s\t" + "汉" * 121), "own_long", {"row": 11, "column": 2, "count": 121}),
    "a zero byte": (changed(12, "a\0b\tc"), "own_control", {"row": 12, "point": "0000"}),
    "an escape": (changed(13, "a\tb\x1b[31m"), "own_control", {"row": 13, "point": "001B"}),
    "a mark that turns the line around": (changed(13, "a\tb\u202ec"), "own_control", {"row": 13, "point": "202E"}),
    "a source twice": (changed(14, "source 2\tsomething else"), "own_duplicate", {"row": 14, "first": 2}),
    "a row twice": (changed(15, ROWS[0]), "own_duplicate", {"row": 15, "first": 1}),
    "a source twice but for spaces": (changed(16, "  source   3 \tx"), "own_duplicate", {"row": 16, "first": 3}),
    "a source twice, its accent apart": (
        changed(17, "a\u0301\tx") + "\ná\ty".encode(), "own_duplicate", {"row": 21, "first": 17},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_wrong_is_named_with_its_row(name: str) -> None:
    data, code, values = DAMAGED[name]
    with pytest.raises(InvalidInput) as error:
        user_table.read(user_table.decode(data))
    assert error.value.code == code
    assert error.value.values.items() >= values.items()
    for row in {"row", "byte", "count"} & values.keys():
        assert str(values[row]) in str(error.value)
        assert str(values[row]) in all_texts("zh")[f"refused.{code}"].format(**error.value.values)


@pytest.mark.parametrize(
    "data",
    [
        TABLE.encode(),
        TABLE.encode().removesuffix(b"\n"),
        b"\xef\xbb\xbf" + TABLE.encode(),
        TABLE.replace("\n", "\r\n").encode(),
        b"Source\tTARGET\n" + TABLE.encode(),
        b"\n\n" + TABLE.replace("\n", "\n\n").encode() + b" \t\n",
        TABLE.replace("source ", "  source   ").replace("\t", " \t ").encode(),
    ],
)
def test_a_table_is_read_as_any_program_saves_it(data: bytes) -> None:
    assert user_table.read(user_table.decode(data)) == [
        Pair(f"source {number}", f"target {number}") for number in range(1, 21)
    ]


def test_a_tenth_is_held_out_and_the_same_each_time() -> None:
    pairs = user_table.read(TABLE)
    corpus, again = Own(pairs), Own(list(reversed(pairs)))
    test_pairs = [pair for split in corpus.tests().values() for pair in split]
    assert len(test_pairs) == 2
    assert set(corpus.train(0)) | set(test_pairs) == set(pairs)
    assert not set(corpus.train(0)) & set(test_pairs)
    assert {pair for split in again.tests().values() for pair in split} == set(test_pairs)


def test_markup_is_only_text() -> None:
    pairs = user_table.read(TABLE + "<script>alert(1)</script>\t![](http://x/y.png)\n=cmd()\t'; DROP TABLE x\n")
    assert pairs[-2:] == [Pair("<script>alert(1)</script>", "![](http://x/y.png)"), Pair("=cmd()", "'; DROP TABLE x")]


def test_any_other_damage_is_refused_or_harmless() -> None:
    """Bytes changed at random: pairs that can be learned from, or one sentence."""
    draw = random.Random(0)
    whole = ("Käse\tcheese\r\n奶酪\tcheese too\n" + TABLE).encode()
    results = set()
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(draw.randrange(1, 6)):
            data[draw.randrange(len(data))] = draw.choice([draw.randrange(256), 9, 10, 13, 32])
        try:
            pairs = user_table.read(user_table.decode(bytes(data)))
        except InvalidInput as error:
            results.add(error.code)
            continue
        assert len({pair.source for pair in pairs}) == len(pairs) >= user_table.FEWEST
        for pair in pairs:
            assert all(0 < len(cell) <= user_table.LONGEST and "\n" not in cell and "\t" not in cell for cell in pair)
        results.add("read")
    assert results >= {"read", "own_columns", "own_encoding", "own_control", "own_empty"}
