"""What is kept for all sessions, and how much of it."""

import cachetools
import numpy as np
import pytest

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
