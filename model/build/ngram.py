"""Character n-grams, the baseline of a text model: counts of the text, each order mixed with the order below.

Witten and Bell's mixture: the more different characters a context was followed by, the less it is trusted.
"""

import math
from collections import Counter, defaultdict

HIGHEST = 5


class Ngram:
    """The characters of a training text, each after the `order` - 1 before it at most."""

    def __init__(self, text: str, order: int):
        self.order = order
        self.following: list[dict[str, Counter[str]]] = [defaultdict(Counter) for _ in range(order)]
        for i, character in enumerate(text):
            for length in range(min(order, i + 1)):
                self.following[length][text[i - length : i]][character] += 1
        self.alphabet = len(set(text)) + 1  # and one for all that it never saw

    def probability(self, before: str, character: str) -> float:
        """Of a character after the text before it."""
        value = 1 / self.alphabet
        for length in range(min(self.order, len(before) + 1)):
            counts = self.following[length].get(before[len(before) - length :])
            if counts is None:
                break
            count, kinds = counts.total(), len(counts)
            value = (counts[character] + kinds * value) / (count + kinds)
        return value

    def bits(self, text: str) -> float:
        """Mean −log₂ p of the characters of a text, in bits per character."""
        longest = self.order - 1
        total = sum(
            -math.log2(self.probability(text[max(0, i - longest) : i], character)) for i, character in enumerate(text)
        )
        return total / len(text)


def best(text: str, held_out: str, highest: int = HIGHEST) -> tuple[int, float]:
    """The order up to `highest` that does best on the held-out text itself, and its bits per character."""
    bits, order = min((Ngram(text, order).bits(held_out), order) for order in range(1, highest + 1))
    return order, bits
