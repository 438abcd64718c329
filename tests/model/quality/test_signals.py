"""Signals of quality: on outputs made wrong on purpose and against numbers by hand; the area by its definition."""

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from corpora import ordinary
from model.checkpoint.catalogue import Entry
from model.decode.translate import target_ids, trace_pair, translate
from model.measurements.ordinary import rule
from model.quality import ranking, signals
from model.quality.lines import Line
from model.quality.signals import Judged
from model.tokenization.tokenizer import BOS
from tests.samples import BUCH, KINO, SAMPLES, german_english

RULE = rule(Entry(SAMPLES / "de-en"))
SENTENCES = [row.source for row in ordinary.read("de")[:20]]
FOREIGN = "Zwerchfell quabbelt Kyrzbach."


def own(number: int, sentence: str, reference: str | None = None) -> Judged:
    return signals.judged(german_english(), Line(number, sentence, reference), RULE)


def forced(number: int, sentence: str, output: str) -> Judged:
    """An output that another sentence has, judged as if the model had written it."""
    checkpoint = german_english()
    trace = trace_pair(checkpoint, sentence, output)
    read = (BOS, *target_ids(checkpoint, output))
    run = replace(translate(checkpoint, sentence), text=output, target=read, trace=trace)
    return signals.of_run(checkpoint, Line(number, sentence), run, RULE)


def test_outputs_of_other_sentences_are_found() -> None:
    right = [own(number, sentence) for number, sentence in enumerate(SENTENCES, 1)]
    outputs = [row.output for row in right]
    wrong = [forced(number, sentence, outputs[number - 2]) for number, sentence in enumerate(SENTENCES, 1)]
    rows = [*right, *wrong]
    is_wrong = np.arange(len(rows)) >= len(right)
    result = ranking.ranked(signals.table(rows), is_wrong, signals.PROBABILITY)
    best = next(iter(result.values()))
    assert best.area.mean >= 0.9


def test_outputs_with_their_words_in_disorder_are_found() -> None:
    rng = random.Random(0)
    right = [own(number, sentence) for number, sentence in enumerate(SENTENCES, 1)]
    words = [row.output.split() for row in right]
    wrong = [
        forced(number, sentence, " ".join(rng.sample(each, len(each))))
        for number, (sentence, each) in enumerate(zip(SENTENCES, words, strict=True), 1)
    ]
    rows = [*right, *wrong]
    is_wrong = np.array([False] * 20 + [row.output != mine.output for row, mine in zip(wrong, right, strict=True)])
    result = ranking.ranked(signals.table(rows), is_wrong, signals.PROBABILITY)
    assert result[signals.PROBABILITY].area.mean >= 0.9
    assert result["doubt"].area.mean >= 0.8


def test_outputs_without_the_source_are_found_by_what_was_written() -> None:
    """The decoder reads nothing, and goes on with what it has written."""

    def detached(name: str, value: torch.Tensor) -> torch.Tensor:
        return value * 0 if name.endswith("cross_attention.v") else value

    checkpoint = german_english()
    right = [own(number, sentence) for number, sentence in enumerate(SENTENCES, 1)]
    wrong = [signals.of_run(checkpoint, Line(number, sentence), translate(checkpoint, sentence, tap=detached), RULE)
             for number, sentence in enumerate(SENTENCES, 1)]  # fmt: skip
    result = ranking.ranked(signals.table([*right, *wrong]), np.arange(40) >= 20, signals.PROBABILITY)
    assert result["written"].area.mean >= 0.9


def test_sentences_of_foreign_words_are_found_by_unseen_words() -> None:
    texts = ordinary.read("de")[:20]
    right = [own(number, row.source, own(0, row.source).output) for number, row in enumerate(texts, 1)]
    wrong = [
        own(number, f"{FOREIGN} {row.source.split()[0]}", reference.line.reference)
        for number, (row, reference) in enumerate(zip(texts, right, strict=True), 100)
    ]
    assert all(row.chrf == pytest.approx(100) for row in right)
    result = signals.ranked([*right, *wrong], ranking.WRONG_BELOW)
    assert result["unseen"].area.mean >= 0.9
    assert result[signals.PROBABILITY].beyond == (0, 0, 0)


def test_the_numbers_of_an_output_are_those_of_its_pass() -> None:
    run = translate(german_english(), KINO)
    row = own(1, KINO, "We are going to the cinema today.")
    logits = torch.from_numpy(run.trace.values["logits"]).double()
    logs = torch.log_softmax(logits, dim=-1)
    chosen = logs.max(dim=-1).values
    assert row.output == run.text
    assert row.log_probability == pytest.approx(float(chosen.mean()), abs=1e-5)
    assert row.least == pytest.approx(float(chosen.min()), abs=1e-5)
    assert row.entropy == pytest.approx(
        float(torch.distributions.Categorical(logits=logits).entropy().mean()), abs=1e-4
    )
    assert row.ratio == pytest.approx(7 / 6)  # We are going to the cinema today . | Wir gehen heute ins Kino .
    assert 0 <= row.written < 0.9
    assert row.unseen == ()
    assert own(1, FOREIGN).unseen


def test_repeated_pairs_are_counted() -> None:
    assert signals._repeated(["a", "b", "a", "b"]) == pytest.approx(1 / 3)  # ab, ba, ab
    assert signals._repeated(["a"]) == signals._repeated([]) == 0


def test_lengths_are_compared_with_the_usual_one() -> None:
    rows = [replace(own(1, BUCH), ratio=ratio) for ratio in (1.0, 1.0, 2.0, 0.5, 0.0)]
    lengths = signals.table(rows)["length"]
    assert lengths[:4] == pytest.approx([0, 0, np.log(2), np.log(2)])
    assert np.isfinite(lengths).all()


def test_without_references_nothing_is_ranked() -> None:
    assert signals.ranked([own(1, BUCH), own(2, KINO)], 50) == {}
    assert signals.ranked([own(1, BUCH, "Where is the book?")], 50) == {}


def test_the_area_is_the_share_of_pairs_in_order_and_its_interval_holds_it() -> None:
    rng = np.random.default_rng(3)
    wrong = np.array([True] * 30 + [False] * 50)
    good, chance = wrong + rng.normal(0, 1.2, 80), rng.integers(0, 3, 80).astype(float)
    result = ranking.ranked({"chance": chance, "good": good}, wrong, "chance")
    assert list(result) == ["good", "chance"]
    for name, scores in (("good", good), ("chance", chance)):
        pairs = [(a > b) + (a == b) / 2 for a in scores[wrong] for b in scores[~wrong]]
        assert result[name].area.mean == pytest.approx(np.mean(pairs))
        assert result[name].area.low < result[name].area.mean < result[name].area.high
    assert result["good"].beyond.mean == pytest.approx(result["good"].area.mean - result["chance"].area.mean)
    assert result["good"].beyond.low > 0
    assert result["chance"].area.low < 0.5 < result["chance"].area.high
