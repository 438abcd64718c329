"""Outputs beside each other and the numbers of a step as HTML."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..templates import render

TEMPLATE = "html/templates/outputs.html"


class Output(NamedTuple):
    """One output: its name, its tokens, the places where a token was forced, and a line under it.

    `language` is its HTML tag where it is not that of the model in view.
    """

    name: str
    tokens: Sequence[str]
    forced: frozenset[int]
    note: str
    language: str = ""


def outputs_html(first: Output, second: Output, words: Mapping[str, str]) -> str:
    """Two outputs side by side. Tokens that only one of them has are underlined, forced tokens are marked."""
    common = _shared(first.tokens, second.tokens)
    return render(TEMPLATE, "outputs", outputs=(first, second), shared=common, words=words)


def against_last_html(outputs: Sequence[Output], words: Mapping[str, str]) -> str:
    """Several outputs side by side. Tokens that the last one does not have are underlined."""
    last = outputs[-1].tokens
    common = [_shared(output.tokens, last)[0] if last else set[int]() for output in outputs]
    return render(TEMPLATE, "outputs", outputs=outputs, shared=common, words=words)


def _shared(first: Sequence[str], second: Sequence[str]) -> tuple[set[int], set[int]]:
    """The indices of the tokens that both outputs have, in order; all if one of them is empty."""
    if not first or not second:
        return set(range(len(first))), set(range(len(second)))
    blocks = SequenceMatcher(a=list(first), b=list(second), autojunk=False).get_matching_blocks()
    return (
        {block.a + i for block in blocks for i in range(block.size)},
        {block.b + i for block in blocks for i in range(block.size)},
    )


def cache_html(
    past: Sequence[str], new: Sequence[str], source: Sequence[str], words: Mapping[str, str], first: bool
) -> str:
    """Which tokens' keys and values come from the cache, and which this step computes."""
    return render(TEMPLATE, "cache", kept=past, new=new, source=source, words=words, first=first)
