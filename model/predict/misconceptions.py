"""Misconceptions by name: in which kinds of questions one shows, and by which answer.

The texts are in the table `misconceptions` of `pages/content/words/predict/`. A question offers the answer of a
misconception only where it is wrong, so that who has the misconception chooses exactly this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """A misconception. `answers`: kind of question -> the answer that shows it, in words."""

    name: str
    answers: Mapping[str, str]


_ALL = (
    # Jain & Wallace 2019; Serrano & Smith 2019: a weight says where is read, not what the output depends on
    Misconception("attention_effect", {"head_off": "the word whose row has the largest weight of this head"}),
    Misconception("every_head", {"head_off": "the first word: no head can be spared"}),  # Michel et al. 2019
    Misconception("first_word", {"position": "the word after the one at this position"}),  # position 0 is <bos>
    Misconception("mask_past", {"without_mask": "to words before it", "where": "a word after it, in the decoder"}),
    Misconception("own_word", {"where": "the word of the row itself, in self-attention"}),
    Misconception("word_by_word", {"where": "the n-th word of the sentence for the n-th of the output"}),
    Misconception("certain", {"how_sure": "95 % or more"}),  # of the word that is written; Guo et al. 2017
    Misconception("planned", {"next_word": "the word that stood next in the model's own output"}),
    Misconception("free_order", {"without_positions": "the same output"}),
    Misconception("longer", {"likelier": "the longest output"}),  # each further token multiplies by at most 1
)
MISCONCEPTIONS = {each.name: each for each in _ALL}
