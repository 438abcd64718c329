"""Cache of all sessions: its keys, and its size in bytes."""

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from threading import Event

import cachetools
import numpy as np
import pytest

from model.analysis import predictions
from model.checkpoint import catalogue
from pages.shared.models import models
from tests.samples import german_english

SENTENCES = ("Wir gehen heute ins Kino.", "Der Mann liest ein Buch.", "Wo ist das Buch?")


def test_values_are_weighed_by_what_they_hold() -> None:
    from model.decode.translate import translate

    checkpoint = german_english()
    run = translate(checkpoint, SENTENCES[0])
    arrays = sum(value.nbytes for value in run.trace.values.values())
    assert arrays < models.weigh(run) < 1.2 * arrays + 20_000
    weights = sum(parameter.nbytes for parameter in checkpoint.model.parameters())
    assert weights < models.weigh([checkpoint, checkpoint.model]) < 2 * weights  # tied and shared weights once
    assert models.weigh({"a": (np.zeros(1000), "word" * 1000)}) > 12_000
    around: list[object] = []
    around.append(around)
    assert models.weigh(around) < 1000


def kept_up_to(size: int, monkeypatch: pytest.MonkeyPatch) -> cachetools.LRUCache:
    cache = cachetools.LRUCache(size, getsizeof=models.KEPT.getsizeof)
    monkeypatch.setattr(models, "KEPT", cache)
    monkeypatch.setattr(models, "LARGEST", size // 2)
    return cache


def test_all_functions_share_a_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    cache = kept_up_to(4_000_000, monkeypatch)

    @models.cached
    def make(number: int, size: int) -> np.ndarray:
        calls.append(number)
        return np.zeros(size // 8)

    @models.cached(copy=True)
    def copies(size: int) -> bytes:
        return bytes(size)

    for number in range(3):
        make(number, 1_500_000)
    assert cache.currsize <= 4_000_000
    make(2, 1_500_000)
    assert calls == [0, 1, 2]
    make(0, 1_500_000)  # the oldest had to go
    assert calls == [0, 1, 2, 0]
    make(9, 5_000_000)  # larger than everything: kept while it is used
    make(9, 5_000_000)
    assert calls == [0, 1, 2, 0, 9]
    for size in range(1_500_000, 1_500_004):
        copies(size)
    make(9, 5_000_000)
    assert calls == [0, 1, 2, 0, 9, 9]


def test_what_is_asked_for_at_once_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_up_to(4_000_000, monkeypatch)
    calls: list[str] = []
    start, go_on = Event(), Event()

    @models.cached
    def slow(word: str) -> str:
        calls.append(word)
        start.set()
        assert go_on.wait(10)
        return word.upper()

    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(slow, "a")
        assert start.wait(10)
        others = [threads.submit(slow, "a") for _ in range(2)]
        go_on.set()
        assert {each.result(10) for each in (first, *others)} == {"A"}
    assert calls == ["a"]


def test_values_of_other_types_and_models_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_up_to(4_000_000, monkeypatch)

    @models.cached
    def told(value: object, *, _beside: object = None) -> str:
        return f"{value!r} {_beside}"

    assert [told(value, _beside=1) for value in (1, 1.0, True)] == ["1 1", "1.0 1", "True 1"]
    assert told(1, _beside=2) == "1 1"  # not a part of the key
    first, second = catalogue.find("de-en"), catalogue.find("zh-en")
    assert told(first) == told(first) != told(second)
    by_content = ([1, [2]], {"a": [1]}, models.Example("a", "b", {"c": np.ones(3)}))  # type: ignore[arg-type]
    count = len(models.KEPT)
    for value in by_content:
        assert told(value) == told(deepcopy(value))
    assert len(models.KEPT) == count + len(by_content)


def test_the_logits_of_a_large_vocabulary_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from model.decode.translate import translate

    monkeypatch.setattr(predictions, "LARGE", 100)
    sentence = "Der Hund liest heute ein Buch."  # no other test has it kept
    run, whole = models.run(catalogue.find("de-en"), sentence), translate(german_english(), sentence)
    logits = whole.trace.values["logits"]
    difference = models.weigh(whole) - models.weigh(run)
    assert 0.7 * logits.nbytes < difference < logits.nbytes
    assert run.ids == whole.ids
    assert run.text == whole.text
    np.testing.assert_array_equal(run.trace.values["logits"], logits)
    np.testing.assert_allclose(
        predictions.log_probabilities(run.trace, run.ids), predictions.log_probabilities(whole.trace, whole.ids)
    )
