"""The engine of live pages, in node: `frontend/*.test.mjs` beside what the app says of the same sentences."""

import json
from pathlib import Path

from live.model_file import model_file
from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.graph.description import describe
from model.graph.page_tokenizer import target_file, token_table, tokenizer_file
from model.checkpoint.load import load
from model.decode.translate import translate
from model.edit.effects import head_effects
from model.tokenization.tokenizer import Tokenizer
from model.trace import Trace
from tests.live.strings import strings
from tests.node import run_tests

STRINGS = 10_000
MODULES = Path(__file__).parent / "frontend"


def test_tokens_are_those_of_python(tmp_path: Path) -> None:
    entries = catalogue.sentence_models()
    cases = [_tokens(entry, STRINGS // len(entries) + 1, seed) for seed, entry in enumerate(entries.values())]
    (tmp_path / "tokens.json").write_text(json.dumps(cases), encoding="utf-8")
    run_tests([MODULES / "tokens.test.mjs"], tmp_path)


def _tokens(entry: Entry, count: int, seed: int) -> dict[str, object]:
    """What a page knows of a tokenizer, and what Python makes of many strings."""
    tokenizer = catalogue.load_tokenizer(entry)
    return {
        "name": entry.name,
        "table": token_table(tokenizer),
        "source": tokenizer_file(tokenizer),
        "target": target_file(tokenizer),
        "strings": [_read(tokenizer, text) for text in strings(catalogue.sentences(entry), count, seed)],
    }


def _read(tokenizer: Tokenizer, text: str) -> dict[str, object]:
    ids = tokenizer.encode(text)
    return {
        "text": text,
        "ids": ids,
        "tokens": tokenizer.tokens(ids, begins=True),
        "decoded": tokenizer.decode(ids),
        "words": {} if tokenizer.spells else tokenizer.words_in(text),
        "unknown": tokenizer.unknown_characters(text),
    }
