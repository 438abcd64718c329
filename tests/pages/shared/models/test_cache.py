"""What is kept for all sessions, and how much of it."""

import cachetools
import numpy as np
import pytest

from model.analysis import predictions
from model.checkpoint import catalogue
from pages.shared.models import cache
from tests.fixtures import german_english

SENTENCES = ("Wir gehen heute ins Kino.", "Der Mann liest ein Buch.", "Wo ist das Buch?")


def test_passes_are_weighed_by_their_arrays() -> None:
    from model.decode.translate import translate

    run = translate(german_english(), SENTENCES[0])
    arrays = sum(value.nbytes for value in run.trace.values.values())
    assert arrays < cache.weigh(run) < 1.2 * arrays + 10_000
    assert cache.weigh((np.zeros(1000), {"a": np.zeros(500)})) > 1000  # a value inside counts something


def test_passes_are_kept_up_to_a_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[int] = []
    kept = cachetools.LRUCache(4_000_000, getsizeof=cache.weigh)
    monkeypatch.setattr(cache, "PASSES", kept)

    @cache.weighed
    def make(number: int, size: int) -> np.ndarray:
        computed.append(number)
        return np.zeros(size // 8)

    for number in range(3):
        make(number, 1_500_000)
    assert kept.currsize <= 4_000_000
    make(2, 1_500_000)
    assert computed == [0, 1, 2]
    make(0, 1_500_000)  # the oldest had to go
    assert computed == [0, 1, 2, 0]
    assert make(9, 5_000_000).nbytes == 5_000_000  # larger than everything that is kept: computed each time
    make(9, 5_000_000)
    assert computed == [0, 1, 2, 0, 9, 9]


def test_the_logits_of_a_large_vocabulary_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from model.decode.translate import translate

    monkeypatch.setattr(predictions, "LARGE", 100)
    monkeypatch.setattr(cache, "PASSES", cachetools.LRUCache(cache.PASS_BYTES, getsizeof=cache.weigh))
    sentence = "Der Hund liest heute ein Buch."  # no other test has it kept
    run, whole = cache.run(catalogue.find("de-en"), sentence), translate(german_english(), sentence)
    logits = whole.trace.values["logits"]
    saved = cache.weigh(whole) - cache.weigh(run)
    assert 0.7 * logits.nbytes < saved < logits.nbytes
    assert run.ids == whole.ids
    assert run.text == whole.text
    np.testing.assert_array_equal(run.trace.values["logits"], logits)
    np.testing.assert_allclose(
        predictions.log_probabilities(run.trace, run.ids), predictions.log_probabilities(whole.trace, whole.ids)
    )
