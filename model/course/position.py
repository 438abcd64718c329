"""Step 3, position: what the model writes for two orders of the same words, with and without position vectors."""

import re
from collections.abc import Sequence
from dataclasses import replace

from model.course.generated import Generated
from model.course.question import Question, among
from model.tokenization.tokenizer import Tokenizer

WITHOUT = "position:encoder.none"  # the change that takes the positions away, as a link spells it
# by source language a sentence whose first and last word can change places, so that it means the opposite;
# without positions the model writes something else for it
EXAMPLES = {"de": "Sara ist größer als Tom.", "zh": "他喜欢我。", "es": "Tom es más alto que Ana."}


def other_order(tokenizer: Tokenizer, sentence: str) -> str:
    """The same tokens in another order; the sentence itself if it can have none."""
    other = exchanged(sentence)
    return other if sorted(tokenizer.encode(other)) == sorted(tokenizer.encode(sentence)) else sentence


def exchanged(sentence: str) -> str:
    """The sentence with its first and its last word exchanged; with the first and last letter, if it has one word."""
    matches = list(re.finditer(r"\w+", sentence))
    if len(matches) == 1:
        matches = list(re.finditer(r"\w", sentence))
    if len(matches) < 2:
        return sentence
    first, last = matches[0], matches[-1]
    between = sentence[first.end() : last.start()]
    return sentence[: first.start()] + last[0] + between + first[0] + sentence[last.end() :]


def question(orders: Sequence[str], before: Sequence[Generated], after: Sequence[Generated]) -> Question:
    """Ask at how many places the outputs of both orders differ `after` the positions were taken away."""
    differ = differing(*after)
    wrong = [str(number) for number in (differing(*before), 1, 2, len(after[0].tokens), 3) if number != differ]
    values = {"first": orders[0], "second": orders[1], "sentence": after[0].text, "other": after[1].text}
    asked = among(str(differ), wrong, **values)
    return replace(asked, why="why_different") if differ else asked


def differing(one: Generated, other: Generated) -> int:
    """At how many places two outputs have another token."""
    most = max(len(one.tokens), len(other.tokens))
    return most - sum(a == b for a, b in zip(one.tokens, other.tokens, strict=False))
