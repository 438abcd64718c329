"""Suggestions for steering: a feature that makes the model do what a wish asks for, measured on held-out sentences.

Feature and strength are chosen on sentences that were learned from. A success is an output that has what the wish asks
for, and that keeps most of the rest: its chrF against the model's own output is KEPT at least, less for outputs of a
few digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from sacrebleu.metrics import CHRF

from model.checkpoint.checkpoints import Checkpoint
from model.edit.edited_pass import Edit
from model.features import scores, sites, splice
from model.features.dictionary import Dictionary
from model.features.meaning.patterns import marked
from model.features.sites import Site
from model.features.splice import Steering

KEPT = 60.0
CANDIDATES = 8  # features that are tried
STRENGTHS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)  # that are tried, in units of the feature's largest strength
TRIED, MEASURED = 30, 100  # sentences
LOOKED_AT = 200  # sentences with what the wish asks for, in which candidates are looked for
LEAST = 0.2  # share of the sentences that a feature must grant a wish
CURVE = 6  # strengths from 0 to the chosen one


@dataclass(frozen=True)
class Wish:
    """What steering is to bring about.

    name     a key of the page's texts
    applies  pattern of the sentences to which it can be put
    has      pattern of sentences that have it already; in its first group, if any, stand the tokens that say it
    wanted   pattern of outputs that have it
    at       pattern of the tokens at which the strongest feature is exchanged for another one; if empty, the other one
             is added to all tokens and none is taken away
    kept     chrF that an output must have to the model's own
    """

    name: str
    applies: str
    has: str
    wanted: str
    at: str = ""
    kept: float = KEPT

    def granted(self, output: str, own: str) -> bool:
        """Whether an output does what is wished, and keeps most of the model's own."""
        return bool(re.search(self.wanted, output)) and CHRF().sentence_score(output, [own]).score >= self.kept


@dataclass(frozen=True)
class Suggestion:
    """A feature and a strength that grant a wish, with the measured share of held-out sentences.

    success    mean and 95 % interval
    strengths  from 0 to the suggested one, and `curve`, the share at each
    example    a sentence, the model's own output and the steered one
    at         of the wish
    """

    name: str
    feature: int
    strength: float
    sentences: int
    success: list[float]
    strengths: list[float]
    curve: list[float]
    example: list[str] = field(default_factory=list)
    at: str = ""

    @property
    def is_monotone(self) -> bool:
        """Whether more strength grants the wish at least as often, along the whole curve."""
        return self.curve == sorted(self.curve)


@dataclass(frozen=True)
class Trials:
    """A wish, and what is steered to grant it: a model, by a dictionary of one of its sites."""

    checkpoint: Checkpoint
    site: Site
    dictionary: Dictionary
    wish: Wish

    def suggest(self, learned: Sequence[str], held_out: Sequence[str]) -> Suggestion | None:
        """The best feature and strength for the wish, by the learned sentences, measured on the held-out ones.

        None if no sentence can be put to it, if no feature grants it in the share LEAST of them, or if more strength
        does not grant it at least as often.
        """
        tried, measured = self._lacking(learned, TRIED), self._lacking(held_out, MEASURED)
        if not tried or not measured:
            return None
        own = scores.outputs(self.checkpoint, tried)
        best = (0.0, -1, 0.0)
        for feature, most in self.candidates(learned):
            for times in STRENGTHS:
                hits = self._hits(tried, own, feature, times * most)
                best = max(best, (float(np.mean(hits)), feature, times * most), key=lambda each: each[0])
        if best[0] < LEAST:
            return None
        suggestion = self.measure(measured, best[1], best[2])
        return suggestion if suggestion.is_monotone and suggestion.success[0] >= LEAST else None

    def candidates(self, texts: Sequence[str], count: int = CANDIDATES) -> list[tuple[int, float]]:
        """The features that tell sentences that have what is wished from those to which it can be put, and their
        largest strengths there."""
        groups = [
            [text for text in texts if re.search(pattern, text)] for pattern in (self.wish.has, self.wish.applies)
        ]
        having, lacking = (sites.readable(self.checkpoint, group[:LOOKED_AT]) for group in groups)
        if not having or not lacking:
            return []
        peaks = [self._peaks(group) for group in (having, lacking)]  # (sentences, F)
        scale = peaks[0].amax(dim=0)
        difference = (peaks[0].mean(dim=0) - peaks[1].mean(dim=0)) / scale.clamp(min=1e-6)
        best = difference.topk(min(count, self.dictionary.features)).indices.tolist()
        return [(feature, float(scale[feature])) for feature in best if difference[feature] > 0]

    def _peaks(self, texts: Sequence[str]) -> torch.Tensor:
        """The largest strength of each feature in each sentence."""
        given = sites.vectors(self.checkpoint, self.site, sites.reads(self.checkpoint, texts, self.site.side))
        with torch.inference_mode():
            strengths = self.dictionary.encode(given.inputs)
            result = torch.zeros(len(texts), self.dictionary.features)
            return result.scatter_reduce(0, given.sentence[:, None].expand_as(strengths), strengths, "amax")

    def measure(self, texts: Sequence[str], feature: int, strength: float) -> Suggestion:
        """How often a feature grants the wish at strengths from 0 to the given one, over sentences."""
        own, wish = scores.outputs(self.checkpoint, texts), self.wish
        strengths = [round(strength * part / CURVE, 3) for part in range(CURVE + 1)]
        each = [self._hits(texts, own, feature, part) for part in strengths]
        at = next((number for number, hit in enumerate(each[-1]) if hit), 0)
        [steered] = self.outputs([texts[at]], feature, strengths[-1])
        curve = [float(np.mean(hits)) for hits in each]
        success = [round(value, 4) for value in scores.share(each[-1])]
        example = [texts[at], own[at], steered]
        return Suggestion(wish.name, feature, strengths[-1], len(texts), success, strengths, curve, example, wish.at)

    def _lacking(self, texts: Sequence[str], count: int) -> list[str]:
        """Sentences to which the wish can be put, and whose output does not have it yet."""
        wish = self.wish
        applying = [text for text in texts if re.search(wish.applies, text) and not re.search(wish.has, text)]
        applying = sites.readable(self.checkpoint, applying[: 2 * count])
        own = scores.outputs(self.checkpoint, applying)
        return [text for text, output in zip(applying, own, strict=True) if not re.search(wish.wanted, output)][:count]

    def outputs(self, texts: Sequence[str], feature: int, strength: float) -> list[str]:
        """What the model writes with a feature added to all tokens, or exchanged at those of the wish. Strength 0
        changes nothing."""
        checkpoint, site, dictionary, at = self.checkpoint, self.site, self.dictionary, self.wish.at
        if not strength:
            return scores.outputs(checkpoint, texts)
        if not at:
            return scores.outputs(checkpoint, texts, splice.steered(site, dictionary, [Steering(feature, strength)]))

        def exchange(ids: list[list[int]]) -> Edit:
            rows = torch.zeros(len(ids), max(map(len, ids)), dtype=torch.bool)
            for number, each in enumerate(ids):
                rows[number, : len(each)] = torch.tensor(marked(checkpoint.tokenizer, each, at))
            return splice.exchanged(site, dictionary, feature, strength, rows)

        return scores.outputs(checkpoint, texts, own=exchange)

    def _hits(self, texts: Sequence[str], own: Sequence[str], feature: int, strength: float) -> list[bool]:
        steered = self.outputs(texts, feature, strength)
        return [self.wish.granted(output, before) for output, before in zip(steered, own, strict=True)]
