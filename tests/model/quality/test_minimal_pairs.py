"""Minimal pairs: whole outputs scored in batches against one at a time, and what a model without a source gains."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from corpora.grammar.contrasts import MinimalPair
from model.checkpoint import checkpoints, history
from model.checkpoint.catalogue import Entry
from model.decode.scoring import output_ids, score_output
from model.decode.start import decoding_start
from model.quality import minimal_pairs
from tests.samples import SAMPLES, spanish_english

PAIRS = (
    MinimalPair("Los perros duermen.", "The dogs sleep.", "The dog sleeps."),
    MinimalPair("El perro duerme.", "The dog sleeps.", "The dogs sleep."),
    MinimalPair("Ana no compra el libro.", "Ana doesn't buy the book.", "Ana buys the book."),
    MinimalPair("Ana compra el libro.", "Ana buys the book.", "Ana doesn't buy the book."),
)


def test_a_batch_gives_each_output_the_sum_that_it_has_alone() -> None:
    checkpoint = spanish_english()
    found = minimal_pairs.log_probabilities(checkpoint.model, minimal_pairs.texts(checkpoint, PAIRS))
    alone = []
    for pair in PAIRS:
        start = decoding_start(checkpoint, pair.source)
        for output in (pair.right, pair.wrong):
            ids = output_ids(checkpoint, start, output)
            alone.append(score_output(checkpoint, start, ids, ids).total)
    assert found == pytest.approx(alone, abs=1e-3)


def test_a_translator_knows_these_and_takes_the_right_one_for_wrong_where_they_are_exchanged() -> None:
    checkpoint = spanish_english()
    row = minimal_pairs.scored(checkpoint, PAIRS, {})
    assert row["right"] == {"own": 4}
    assert all(log_right > log_wrong for *_, log_right, log_wrong in row["pairs"])
    exchanged = [MinimalPair(pair.source, pair.wrong, pair.right) for pair in PAIRS]
    assert minimal_pairs.scored(checkpoint, exchanged, {})["right"] == {"own": 0}
    assert row["shorter"] == 2  # each translation is the right one once, so what has fewer tokens is right in half


def test_a_model_that_reads_no_source_is_right_in_exactly_half() -> None:
    checkpoint = spanish_english()

    def blind(source: torch.Tensor, read: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return checkpoint.model(torch.full_like(source[:, :2], 7), read, None)

    beside: dict[str, Any] = {"blind": blind}
    assert minimal_pairs.scored(checkpoint, PAIRS, beside)["right"]["blind"] == len(PAIRS) / 2


def test_the_twin_has_other_weights_and_earlier_moments_those_of_the_snapshots() -> None:
    entry = Entry(SAMPLES / "sort-one-head")
    checkpoint = checkpoints.load(entry)
    beside = minimal_pairs.others(entry, checkpoint)
    last = entry.card["training"]["steps"]
    kept = {str(each.step): each.weights for each in history.load(entry) if each.weights and each.step != last}
    assert list(beside) == ["twin", *kept]
    assert kept
    name, weights = next(iter(kept.items()))
    own: Callable[[Any], torch.Tensor] = lambda model: dict(model.named_parameters())["output.weight"]  # noqa: E731
    assert torch.equal(own(beside[name]), torch.from_numpy(weights["output.weight"]).float())
    assert not torch.equal(own(beside["twin"]), own(checkpoint.model))
