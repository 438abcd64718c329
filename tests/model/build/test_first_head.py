"""The head that users see first: it looks at a word while its translation is written."""

import json

import pytest

from corpora import ordinary
from model.build.first_head import first_look
from model.checkpoint import catalogue, checkpoints


@pytest.mark.parametrize("language", ["de", "zh", "es"])
def test_the_first_head_looks_at_a_word_while_it_is_written_and_not_after(language: str) -> None:
    """A head that lags by a word follows the source as well as one that does not: gold links tell them apart."""
    entry = catalogue.find(f"{language}-en")
    sentences = [row.source for row in ordinary.read(language) if row.set == "fit"][:20]
    errors = json.loads((entry.folder / "alignment.json").read_text(encoding="utf-8"))
    for look in (first_look(checkpoints.load(entry), sentences), entry.card["first_look"]):
        name = "{attention_kind}.{layer}.{head}".format_map(look)
        assert errors["written"][name][0] < 0.3 < errors["read"][name][0]
