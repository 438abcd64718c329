"""The output after each token is a beginning of the text, with the text's own spaces."""

import itertools

import pytest

from model.decode.translate import translate
from pages.start.output_so_far import written
from tests.samples import BUCH, KINO, german_english


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        (
            "We're here.",
            ("We", "·'re", "here", ".", "<eos>"),
            ["We", "We're", "We're here", "We're here.", "We're here."],
        ),
        ("我们去", ("我", "们", "去", "<eos>"), ["我", "我们", "我们去", "我们去"]),
        ("a a", ("a", "a"), ["a", "a a"]),
        ("b", ("<unk>", "b"), ["", "b"]),
        ("", (), []),
    ],
)
def test_each_token_completes_a_beginning(text: str, tokens: tuple[str, ...], expected: list[str]) -> None:
    assert written(text, tokens) == expected


@pytest.mark.parametrize("sentence", [KINO, BUCH])
def test_the_model_s_tokens_grow_into_its_text(sentence: str) -> None:
    run = translate(german_english(), sentence)
    steps = written(run.text, run.trace.output_tokens)
    assert steps[-1] == run.text
    assert all(after.startswith(before) for before, after in itertools.pairwise(steps))
    assert len(set(steps)) == len(run.trace.output_tokens) - 1  # `<eos>` adds nothing
