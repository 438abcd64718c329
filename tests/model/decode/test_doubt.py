"""Signs of doubt in a pass, the rule that weighs them, and the words that they point at."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from model.decode.doubt import SIGNS, UNSURE, Rule, doubt, looked_at, signs
from model.decode.translate import Translation, translate
from model.trace import LOGITS
from tests.samples import KINO, german_english

EVERYTHING = Rule({"surprise": (0.0, 1.0, 1.0)}, -1.0)
NOTHING = Rule({"surprise": (0.0, 1.0, 1.0)}, 1e9)


@cache
def run(text: str) -> Translation:
    return translate(german_english(), text)


def with_values(of: Translation, **values: np.ndarray) -> Translation:
    return replace(of, trace=replace(of.trace, values={**of.trace.values, **values}))


def test_surprise_and_entropy_are_those_of_the_probabilities() -> None:
    logits = run(KINO).trace.values[LOGITS].astype(np.float64)
    p = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    found = signs(run(KINO))
    assert set(found) == set(SIGNS)
    assert found["surprise"] == pytest.approx(-np.log(p.max(-1)).mean(), rel=1e-5)
    assert found["entropy"] == pytest.approx(-(p * np.log(p)).sum(-1).mean(), rel=1e-5)
    flat = signs(with_values(run(KINO), logits=np.zeros_like(logits)))
    assert flat["surprise"] == pytest.approx(np.log(logits.shape[-1]))
    assert flat["entropy"] == pytest.approx(np.log(logits.shape[-1]))


def test_unseen_words_are_a_share_of_the_words_without_punctuation() -> None:
    assert signs(run(KINO))["unseen"] == 0
    assert signs(run("Wir gehen heute ins Zwerchfell."))["unseen"] == pytest.approx(1 / 5)


def test_a_word_that_no_head_reads_is_ignored() -> None:
    of = run(KINO)
    names = [word.text for word in of.trace.words("source_tokens", whole=True)]
    column = names.index("Kino")
    hidden = {
        f"decoder.{layer}.cross_attention.weights": of.trace.values[f"decoder.{layer}.cross_attention.weights"].copy()
        for layer in range(len(of.trace.weights("cross")))
    }
    for weights in hidden.values():
        weights[..., column] = 0
    changed = with_values(of, **hidden)
    assert dict(looked_at(changed.trace))["Kino"] == 0
    assert signs(changed)["ignored"] == 1 > signs(of)["ignored"]
    found = doubt(changed, EVERYTHING)
    assert found
    assert "Kino" in found.ignored
    assert "." not in dict(looked_at(of.trace))


def test_the_rule_decides_and_the_words_say_why() -> None:
    of = run("Wir gehen heute ins Zwerchfell.")
    assert doubt(of, NOTHING) is None
    found = doubt(of, EVERYTHING)
    assert found
    assert found.unseen == ("Zwerchfell",)
    assert "Zwerchfell" not in found.ignored
    shares = [share for _, share in found.unsure]
    assert shares == sorted(shares)
    assert all(share < UNSURE for share in shares)


def test_a_doubt_without_a_reason_names_the_least_sure_word() -> None:
    found = doubt(run(KINO), EVERYTHING)
    assert found
    assert len(found.unsure) == 1 or not found.unsure
    assert found.unsure or found.ignored


def test_without_a_rule_unsure_words_decide() -> None:
    of = run(KINO)
    assert doubt(of, None) is None
    flat = with_values(of, logits=0.01 * of.trace.values[LOGITS])
    found = doubt(flat, None)
    assert found
    assert len(found.unsure) == len(of.trace.words("output_tokens", whole=True)) - 1  # but <eos>


def test_a_rule_weighs_standardised_signs() -> None:
    rule = Rule({"surprise": (1.0, 2.0, 3.0), "unseen": (0.5, 0.25, 0.0)}, 1.4)
    assert rule.score({"surprise": 2.0, "unseen": 9.0, "entropy": 1.0}) == pytest.approx(1.5)
    assert rule.doubts({"surprise": 2.0, "unseen": 0.0})
    assert not rule.doubts({"surprise": 1.9, "unseen": 0.0})
