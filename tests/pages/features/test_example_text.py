"""Sentences of examples as text: spaces stand where the text has them, whatever the tokens are."""

import numpy as np
import pytest

from model.features.examples import Activations, Example
from pages.features import example_text

CASES = [
    (("<bos>", "Ich", "geh", "·e", "heim", ".", "<eos>"), "Ich gehe heim."),
    (("Er", "sagt", ":", "␣", '"', "Ja", "!"), 'Er sagt: " Ja!'),
    (("<bos>", "3", "␣", "M", "a", "r", "<eos>"), "3 Mar"),
    (("<bos>", "4", "6", "+", "5", "<eos>"), "46+5"),
    (("我", "在", "家", "。"), "我在家。"),
]


@pytest.mark.parametrize(("tokens", "text"), CASES)
def test_a_sentence_reads_as_its_text(tokens: tuple[str, ...], text: str) -> None:
    count, at = len(tokens), 1
    places, strengths = np.arange(count), np.zeros((count, 1), np.float16)
    strengths[at] = 2.0
    given = Activations(
        (text,), (tokens,), np.zeros(count, int), places, places, np.zeros((count, 1), int), strengths, 1
    )
    number, parts = example_text.shaded(given, given.of(0), Example(0, at, 2.0))
    assert " ".join("".join(part.token for part in parts).split()) == text
    assert number == "2.0"
    assert [part.token.strip() for part in parts if part.marked] == [tokens[at].removeprefix("·")]
    assert [part.share for part in parts if part.share] == [1.0]
