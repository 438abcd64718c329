"""Gold word alignment of a sentence that a grammar wrote: words of both languages that the same draw made.

Sure links join words that only each other's draw can have made; possible ones may be drawn or left out (Och & Ney
2003):

- The content words of a draw are joined in order if both sides have as many; one word with all of the other side.
- All other pairs of a draw are possible, helping words included. So are words of a pattern's text with each other; of
  these marks are sure, and one word of a phrase's text on each side, such as an article.
- What has no partner is possible with everything else that has none, and with the source of the next word, else of the
  last.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from corpora.grammar.writing import Token, Writer
from corpora.pairs import Pair

Span = tuple[int, int]  # of characters
Link = tuple[int, int]  # a word of the source, a word of the target
_MARKS = {"。": ".", "？": "?", "！": "!", "，": ","}
_WORDS = re.compile(r"[\w'’-]+|[^\w\s]")


class Aligned(NamedTuple):
    """A pair with its words, as spans of characters, and links between them; every sure link is possible too."""

    pair: Pair
    source_words: tuple[Span, ...]
    target_words: tuple[Span, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]

    def named(self, links: Iterable[Link]) -> set[tuple[str, str]]:
        """Links as the words they join."""
        source, target = self.pair
        return {(source[slice(*self.source_words[i])], target[slice(*self.target_words[j])]) for i, j in sorted(links)}


class _Side(NamedTuple):
    """The words of a side; the tokens that each draw made, by its id, with the word each is in."""

    spans: tuple[Span, ...]
    words: list[str]
    made: dict[int, list[tuple[int, str, bool]]]  # a word's number, the token in lower case, whether it was drawn
    marks: frozenset[int]


def _side(writer: Writer, tokens: list[Token], text: str) -> _Side:
    at, spans_of_tokens = 0, []
    for token in tokens:
        start = text.lower().index(token.text.lower(), at)
        at = start + len(token.text)
        spans_of_tokens.append((start, at))
    spans = [match.span() for match in _WORDS.finditer(text)] if writer.language.spaced else spans_of_tokens
    made: dict[int, list[tuple[int, str, bool]]] = {}
    for token, (start, _) in zip(tokens, spans_of_tokens, strict=True):
        word = next(number for number, (first, end) in enumerate(spans) if first <= start < end)
        for each in token.of:
            made.setdefault(each, []).append((word, token.text.lower(), token.is_drawn))
    words = [text[start:end].lower() for start, end in spans]
    return _Side(tuple(spans), words, made, frozenset(n for n, word in enumerate(words) if not word[0].isalnum()))


def align(
    writers: tuple[Writer, Writer], tokens: tuple[list[Token], list[Token]], pair: Pair, sentence: int
) -> Aligned:
    """The links of a pair that these tokens make. `sentence` is the id of the node of its pattern."""
    source, target = (_side(*each) for each in zip(writers, tokens, pair, strict=True))
    sure: set[Link] = set()
    possible: set[Link] = set()
    for of in source.made.keys() & target.made.keys():
        left, right = source.made[of], target.made[of]
        possible |= {(i, j) for i, *_ in left for j, *_ in right if (i in source.marks) == (j in target.marks)}
        if of == sentence or not all(is_drawn for *_, is_drawn in (*left, *right)):
            sure |= set(_of_text(left, right, is_phrase=of != sentence))
        else:
            sure |= set(_joined(_content(left, writers[0]), _content(right, writers[1])))
    _rest(source, target, sure, possible)
    return Aligned(pair, source.spans, target.spans, frozenset(sure), frozenset(sure | possible))


def _content(made: list[tuple[int, str, bool]], writer: Writer) -> list[int]:
    """The numbers of the words that carry the meaning, each once."""
    words = [(word, text) for word, text, _ in made if text[0].isalnum()]
    content = [word for word, text in words if text not in writer.language.function_words]
    return list(dict.fromkeys(content or [word for word, _ in words]))


def _of_text(
    left: list[tuple[int, str, bool]], right: list[tuple[int, str, bool]], *, is_phrase: bool
) -> Iterator[Link]:
    """Sure links in the text of a pattern: what is spelled alike, marks too; in a phrase one word with one."""
    for i, text, _ in left:
        yield from ((i, j) for j, other, _ in right if _MARKS.get(text, text) == other)
    words = [[word for word, text, _ in each if text[0].isalnum()] for each in (left, right)]
    if is_phrase and len(words[0]) == len(words[1]) == 1:
        yield words[0][0], words[1][0]


def _joined(left: list[int], right: list[int]) -> Iterator[Link]:
    if len(left) == len(right):
        yield from zip(left, right, strict=True)
    elif len(left) == 1 or len(right) == 1:
        yield from ((i, j) for i in left for j in right)


def _rest(source: _Side, target: _Side, sure: set[Link], possible: set[Link]) -> None:
    """Links of what has no partner."""
    linked = [{link[side] for link in sure | possible} for side in (0, 1)]
    alone = [i for i in range(len(source.words)) if i not in linked[0]]
    for j in range(len(target.words)):
        if j in linked[1]:
            continue
        possible |= {(i, j) for i in alone if (i in source.marks) == (j in target.marks)}
        words = sorted({b for _, b in sure} - target.marks, key=lambda b: (b < j, abs(b - j)))
        near = {a for a, b in sure if words and b == words[0]} or set(range(len(source.words))) - source.marks
        possible |= {(a, j) for a in near}
