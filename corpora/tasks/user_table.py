"""A user's own pairs, from a table of two columns; what cannot be learned from is refused with its row."""

import hashlib
import unicodedata

from corpora.corpus import Corpus, Listed
from corpora.pairs import Pair
from corpora.task_list import Task, characters, pieces, texts
from model.errors import InvalidInput
from model.tokenization.tokenizer import Tokenizer

BYTES = 1_000_000
FEWEST, MOST = 10, 10_000  # rows
LONGEST = 120  # characters of a cell
SPELLED = 40  # a table is read by characters if its texts have at most so many
HELD_OUT = 0.1  # share of the rows, at least 1 and at most 300 of them
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}  # would turn the text of a page around
_HEADERS = {("source", "target"), ("de", "en")}


class Own(Listed):
    """The rows of a table; a tenth of them, chosen by the hash of the source, is held out."""

    name = "own"
    licence = "yours"

    def __init__(self, pairs: list[Pair]):
        order = sorted(pairs, key=lambda pair: hashlib.sha256(pair.source.encode()).digest())
        held_out = set(order[: min(300, max(1, round(HELD_OUT * len(order))))])
        super().__init__([pair for pair in pairs if pair not in held_out], [pair for pair in pairs if pair in held_out])


def decode(data: bytes) -> str:
    """The text of an uploaded table."""
    if len(data) > BYTES:
        raise InvalidInput("own_bytes", count=len(data), limit=BYTES)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("own_encoding", byte=error.start + 1) from None


def read(text: str) -> list[Pair]:
    """The pairs of a table: a row is a source, a tab and a target; a first row of names is skipped."""
    if len(text.encode()) > BYTES:
        raise InvalidInput("own_bytes", count=len(text.encode()), limit=BYTES)
    pairs: list[Pair] = []
    rows: dict[str, int] = {}  # of each source
    for row, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        columns = line.removesuffix("\r").split("\t")
        if not any(column.strip() for column in columns) or (row == 1 and _named(columns)):
            continue
        pair = _pair(row, columns)
        if pair.source in rows:
            raise InvalidInput("own_duplicate", row=row, first=rows[pair.source])
        rows[pair.source] = row
        pairs.append(pair)
    if len(pairs) < FEWEST:
        raise InvalidInput("own_few", count=len(pairs), needed=FEWEST)
    if len(pairs) > MOST:
        raise InvalidInput("own_many", count=len(pairs), limit=MOST)
    return pairs


def _named(columns: list[str]) -> bool:
    return tuple(column.strip().lower() for column in columns) in _HEADERS


def _pair(row: int, columns: list[str]) -> Pair:
    if len(columns) != 2:
        raise InvalidInput("own_columns", row=row, count=len(columns))
    for number, cell in enumerate(columns, 1):
        if not cell.strip():
            raise InvalidInput("own_empty", row=row, column=number)
        if len(cell) > LONGEST:
            raise InvalidInput("own_long", row=row, column=number, count=len(cell), limit=LONGEST)
        for character in cell:
            if unicodedata.category(character) == "Cc" or unicodedata.bidirectional(character) in _TURNS:
                raise InvalidInput("own_control", row=row, point=f"{ord(character):04X}")
    # as a tokenizer gives them back, so that an output can equal its reference
    source, target = (unicodedata.normalize("NFC", " ".join(cell.split())) for cell in columns)
    return Pair(source, target)


def _tokenizer(corpus: Corpus) -> Tokenizer:
    return (pieces if max(map(len, texts(corpus))) > SPELLED else characters)(corpus)


TASKS = (
    Task(
        name="own",
        place=130,
        corpus=lambda run: Own(read(run.own)),
        tokenizer=_tokenizer,
        settings={"steps": 1000, "dropout": 0.05},
        does="Does what the pairs of somebody's own table show.",
        beyond="What the table does not show, it cannot know.",
        languages=("", ""),
        finite=True,
        brings="own_table",
    ),
)
