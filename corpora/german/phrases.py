"""Words and phrases of the German topics, from `lexicon/phrases.txt`: a section for each name that uses them."""

from pathlib import Path

from corpora.lexicon import Rows

_ROWS = Rows(Path(__file__).parent / "lexicon" / "phrases.txt")
table, column, pairs, lists = _ROWS.table, _ROWS.column, _ROWS.pairs, _ROWS.lists
