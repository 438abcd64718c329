"""Description of a model for a page: as plain JSON, with the app's own numbers."""

import json

import pytest

from model.checkpoint import catalogue, checkpoints
from model.decode.start import decoding_start
from model.edit.recorded_names import names
from model.graph.description import describe
from model.graph.export import export
from model.graph.page_tokenizer import token_table, tokenizer_file
from tests.samples import KINO, german_english


def test_a_description_is_json_with_the_limits_of_the_app() -> None:
    checkpoint = german_english()
    description = json.loads(
        json.dumps(describe(checkpoint, catalogue.find("de-en").card, export(checkpoint.model).values), allow_nan=False)
    )
    assert description["layers"] == {"encoder": 3, "decoder": 3, "cross": 3}
    assert [name for name, _ in description["values"]] == list(names(checkpoint.model.config))
    assert dict(description["values"])["decoder.0.cross_attention.weights"] == [4, "T", "S"]
    assert description["norms"][-1] == "decoder.2.cross_attention.value_norms"
    assert len(description["norms"]) == 9
    assert description["decoding"]["limit"] == decoding_start(checkpoint, KINO).limit
    assert description["card"]["example_translation"] == "We're going to the cinema today."


@pytest.mark.parametrize("name", ["de-en", "gpt-char", "notebook-c"])
def test_a_table_of_tokens_says_what_the_tokenizer_says(name: str) -> None:
    tokenizer = catalogue.load_tokenizer(catalogue.find(name))
    table = token_table(tokenizer)
    assert {piece: id_ for id_, piece in enumerate(table["pieces"])} == tokenizer.vocabulary
    assert tuple(table["shown"]) == tokenizer.tokens(range(tokenizer.size))
    assert table["hidden"] == [0, 1, 2, 3]
    assert tokenizer_file(tokenizer)["added_tokens"] == []


def test_words_of_characters_are_not_told() -> None:
    entries = catalogue.entries()
    assert token_table(catalogue.load_tokenizer(entries["gpt-char"]))["seen"] is None
    assert "Kino" in (token_table(catalogue.load_tokenizer(entries["de-en"]))["seen"] or ())


def test_an_untrained_model_writes_less() -> None:
    entry = catalogue.untrained(0)["untrained-t5"]
    description = describe(checkpoints.load(entry), entry.card, {})
    assert not description["trained"]
    assert description["decoding"]["limit"] == 19
