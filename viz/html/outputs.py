"""Outputs beside each other and the numbers of a step as HTML."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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
    common = in_common(first, second)
    return {at for at, _ in common}, {at for _, at in common}


def in_common(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[int, int]]:
    """A longest common subsequence: the places of each of its members in both, in order."""
    # longest[i][j]: its length from places i and j on
    longest = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            same = first[i] == second[j]
            longest[i][j] = 1 + longest[i + 1][j + 1] if same else max(longest[i + 1][j], longest[i][j + 1])
    pairs, i, j = list[tuple[int, int]](), 0, 0
    while longest[i][j]:
        if first[i] == second[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def cache_html(
    past: Sequence[str], new: Sequence[str], source: Sequence[str], words: Mapping[str, str], first: bool
) -> str:
    """Which tokens' keys and values come from the cache, and which this step computes."""
    return render(TEMPLATE, "cache", kept=past, new=new, source=source, words=words, first=first)
