"""Repeated letters: the data, the scores by hand, and that the shipped model needs the head that looks them up."""

import numpy as np
import pytest
import torch

from corpora.tasks.repeat import LONGEST, SHORTEST, Repeat, text
from model.analysis.attention.copying import induction_share, is_known, previous_share
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate_all
from model.edit.edited_pass import compose
from model.edit.edits import zero
from model.train.induction import measured
from model.train.run_settings import DEFAULTS, RunSettings
from model.train.training_run import Run
from tests.samples import SAMPLES

WEIGHTS = np.tril(np.arange(1.0, 26).reshape(5, 5))[None]
WEIGHTS = WEIGHTS / WEIGHTS.sum(axis=-1, keepdims=True)  # (1, 5, 5), each row sums to 1


def test_a_text_goes_on_with_its_round_and_no_tested_one_is_trained_on() -> None:
    corpus = Repeat()
    train, test = corpus.train(0), corpus.tests()["repeat"]
    assert corpus.train(1) != train
    assert not {pair.source for pair in train} & {pair.source for pair in test}
    for pair in test:
        whole = pair.source + pair.target
        size = next(n for n in range(1, len(whole)) if whole[n] == whole[0])
        assert SHORTEST <= size <= LONGEST
        assert len(set(whole[:size])) == size
        assert text(whole[:size]) == pair
    assert len({pair.source for pair in test}) == len(test)


def test_the_scores_by_hand() -> None:
    ids = [7, 8, 9, 8, 9]  # at 3 the 8 came before, followed by the 9 at 2; at 4 the 9, followed by the 8 at 3
    w = WEIGHTS[0]
    assert previous_share(WEIGHTS) == pytest.approx([np.mean([w[2, 1], w[3, 2], w[4, 3]])])
    assert induction_share(WEIGHTS, ids) == pytest.approx([np.mean([w[3, 2], w[4, 3]])])
    assert is_known(ids).tolist() == [False, False, False, True, True]
    assert induction_share(WEIGHTS, [1, 2, 3, 4, 5]) == pytest.approx([0])
    assert previous_share(WEIGHTS[:, :2, :2]) == pytest.approx([0])


def test_the_measurement_is_that_of_single_passes() -> None:
    checkpoint = checkpoints.load(Entry(SAMPLES / "induction"))
    pairs = Repeat().tests()["repeat"][:3]
    texts = [checkpoint.tokenizer.encode(pair.source + pair.target)[:-1] for pair in pairs]
    result = measured(checkpoint.model, texts)
    first, again = [], []
    for ids in texts:
        logits = checkpoint.model(None, torch.tensor([ids[:-1]]), None)[0].log_softmax(-1)
        for at, id_ in enumerate(ids[1:]):
            (again if ids[at] in ids[:at] else first).append(-float(logits[at, id_]))
    assert result.first == pytest.approx(np.mean(first), abs=1e-4)
    assert result.again == pytest.approx(np.mean(again), abs=1e-4)
    assert result.again < 0.05 < 2.5 < result.first
    assert result.induction[1][0] > 0.8 > result.induction[0][0]
    assert result.previous[0][0] > 0.25 > result.previous[1][0]


def test_without_its_head_the_shipped_model_cannot_go_on() -> None:
    checkpoint = checkpoints.load(Entry(SAMPLES / "induction"))
    pairs = Repeat().tests()["repeat"][:20]
    assert translate_all(checkpoint, [pair.source for pair in pairs]) == [pair.target for pair in pairs]
    ids = torch.tensor([checkpoint.tokenizer.encode(pair.source + pair.target)[:-1] for pair in pairs])
    repeats = torch.tensor(np.stack([is_known(row) for row in ids[:, :-1].numpy()]))
    right = {}
    for layer in (None, 0, 1):
        edits = [] if layer is None else [zero(f"decoder.{layer}.self_attention.head_outputs", head=0)]
        guesses = checkpoint.model(None, ids[:, :-1], None, compose(checkpoint.model, *edits)).argmax(-1)
        right[layer] = float((guesses == ids[:, 1:])[repeats].float().mean())
    assert right[None] > 0.99
    assert right[1] < 0.3
    assert right[0] < 0.3


def test_a_run_reports_both_losses_and_every_head() -> None:
    settings = DEFAULTS["repeat"]
    reports = list(Run(RunSettings(**{**vars(settings), "steps": 32, "heads": 2, "warmup": 4})).reports())
    results = [report.evaluation.induction for report in reports if report.evaluation]
    assert len(results) >= 3
    assert all(np.shape(each.previous) == np.shape(each.induction) == (2, 2) for each in results if each)
    other = RunSettings(task="copy", steps=4, warmup=1, d_model=16, d_ff=16)
    assert all(r.evaluation.induction is None for r in Run(other).reports() if r.evaluation)
