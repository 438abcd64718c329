"""The methods against autograd, a solver and numbers by hand, and what a step of training really does."""

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
import torch

from corpora.pairs import Pair
from corpora.text_index import TextIndex
from model import masks
from model.checkpoint.checkpoints import random_model
from model.errors import InvalidInput
from model.influence import gradients, methods, retraining
from model.influence.shared_words import AGAINST, SharedWords
from model.transformer import Transformer
from tests.model.influence.small import moments, tiny, words_of


def model() -> Transformer:
    return random_model(tiny().config, seed=1)


def loss(model: Transformer, source: tuple, target: tuple, row: int | None) -> torch.Tensor:
    """−log p by torch's own cross entropy, of one sentence without padding."""
    logits = model(torch.tensor([source]), torch.tensor([target[:-1]]))[0]
    each = torch.nn.functional.cross_entropy(logits, torch.tensor(target[1:]), reduction="none")
    return each.sum() if row is None else each[row]


def test_gradients_of_single_sentences_are_those_of_autograd() -> None:
    net = model().requires_grad_(True)
    examples, rows = tiny().examples[:4], [None, 2, None, 0]
    found = gradients.gradients(net, examples, rows)
    for example, row, mine in zip(examples, rows, found, strict=True):
        net.zero_grad()
        loss(net, *map(tuple, example), row).backward()
        theirs = torch.cat([parameter.grad.flatten() for parameter in net.parameters() if parameter.grad is not None])
        assert torch.allclose(mine, theirs, atol=1e-5)


def test_a_model_whose_tables_are_shared_is_left_as_it_was() -> None:
    net = random_model(replace(tiny().config, tied_embeddings="all"), seed=1).requires_grad_(True)
    names = [name for name, _ in net.named_parameters()]
    examples = tiny().examples[:2]
    first, second = (gradients.gradients(net, examples, [None, 1]) for _ in range(2))
    assert torch.equal(first, second)
    assert [name for name, _ in net.named_parameters()] == names
    for example, row, mine in zip(examples, [None, 1], first, strict=True):
        net.zero_grad()
        loss(net, *map(tuple, example), row).backward()
        theirs = torch.cat([parameter.grad.flatten() for parameter in net.parameters() if parameter.grad is not None])
        assert torch.allclose(mine, theirs, atol=1e-5)


def test_a_step_on_a_pair_raises_the_word_by_the_dot_product() -> None:
    net, task = model(), tiny()
    word = words_of(task, 1)[2]
    pair = task.examples[7]
    exact = gradients.gradients(net, [pair, word[:2]], [None, word.row])
    rate = 1e-4
    before = retraining.log_probabilities(net, [word])[0]
    with torch.no_grad():
        start = 0
        for parameter in net.parameters():
            part = exact[0, start : start + parameter.numel()].view_as(parameter)
            parameter -= rate * part
            start += parameter.numel()
    risen = retraining.log_probabilities(net, [word])[0] - before
    assert risen == pytest.approx(rate * float(exact[0] @ exact[1]), rel=0.05)


def test_sketches_keep_dot_products() -> None:
    net, examples = model(), tiny().examples[:40]
    exact = gradients.gradients(net, examples, [None] * 40).double().numpy()
    sketched = gradients.sketched(net, examples, [None] * 40)
    lengths = np.linalg.norm(exact, axis=1)
    error = (sketched @ sketched.T - exact @ exact.T) / np.outer(lengths, lengths)
    assert np.abs(error).max() < 5 / sqrt(gradients.WIDTH)
    assert np.sqrt((error[~np.eye(40, dtype=bool)] ** 2).mean()) < 1.5 / sqrt(gradients.WIDTH)


def test_trak_is_the_solution_with_the_gram_matrix_of_the_parameters() -> None:
    rng = np.random.default_rng(0)
    pairs, word = rng.normal(size=(5, 12)), rng.normal(size=(2, 12))
    ridge = 0.3 * np.square(pairs).sum() / 5
    expected = word @ np.linalg.solve(pairs.T @ pairs + ridge * np.eye(12), pairs.T)
    sketches = gradients.Sketches(pairs, gradients.inverse_gram(pairs, 0.3))
    assert gradients.trak(sketches, word) == pytest.approx(expected)


def test_shared_words_by_hand() -> None:
    pairs = [Pair("der Hund schläft .", "the dog sleeps ."), Pair("der Hund bellt .", "the hound barks ."),
             Pair("der Mann schläft .", "the man sleeps ."), Pair("die Frau liest .", "the woman reads .")]  # fmt: skip
    found = SharedWords(TextIndex(pairs)).scores("der Hund schläft .", "dog")
    der, two, one = log(4 / 3), log(2), log(4)
    own = sqrt(der**2 + two**2 + two**2)
    second = (der**2 + two**2) / (own * sqrt(der**2 + two**2 + one**2))
    assert found == pytest.approx([1, AGAINST * second, AGAINST * second, 0])


def test_encoder_vectors_are_means_without_padding() -> None:
    net, task = model(), tiny()
    sources = sorted((source for source, _ in task.examples[:30]), key=len)
    found = methods.mean_vectors(net, sources)
    for source, vector in ((sources[0], found[0]), (sources[-1], found[-1])):
        with torch.inference_mode():
            alone = net.encode(*masks.padded([source]))[0].mean(dim=0)
        assert vector == pytest.approx(alone.numpy(), abs=1e-5)


@pytest.mark.parametrize("method", methods.METHODS)
def test_each_method_scores_every_pair_for_every_word(method: str) -> None:
    task = tiny()
    words = words_of(task, 2)
    scores = methods.Index(task, model()).scores(method, words)
    assert scores.shape == (len(words), len(task.pairs))
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("method", methods.METHODS)
def test_parts_of_the_work_are_all_that_a_method_needs(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "MOMENTS", 2)
    task = tiny()
    index, words = methods.Index(task, model()), words_of(task, 1)
    for part in methods.parts(method, len(task.pairs)):
        assert part in index.missing(method)
        index.part(*part)
    assert not index.missing(method)
    monkeypatch.setattr(methods.Index, "_part", None)
    found = index.scores(method, words)
    monkeypatch.undo()
    monkeypatch.setattr(methods, "MOMENTS", 2)
    assert found == pytest.approx(methods.Index(task, model()).scores(method, words))


def test_gradients_are_compared_over_the_length_of_the_pairs_own() -> None:
    net, task = model(), tiny()
    words = words_of(task, 1)
    found = methods.Index(task, net).scores("gradients", words)[:, :40]
    exact = gradients.gradients(net, task.examples[:40], [None] * 40).double().numpy()
    asked = gradients.gradients(net, *gradients.questions(words)).double().numpy()
    cosines = asked @ exact.T / np.linalg.norm(exact, axis=1) / np.linalg.norm(asked, axis=1)[:, None]
    assert found / np.linalg.norm(asked, axis=1)[:, None] == pytest.approx(cosines, abs=8 / sqrt(gradients.WIDTH))


def test_trak_along_is_the_sum_of_trak_at_each_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    task, words = tiny(), words_of(tiny(), 1)
    expected = 0
    for moment in moments(task, 2, monkeypatch):
        pairs, asked = (
            gradients.sketched(moment.model, *each, width=gradients.NARROW)
            for each in ((task.examples, [None] * len(task.examples)), gradients.questions(words))
        )
        expected = expected + gradients.trak(gradients.of_gradients(pairs), asked)
    found = methods.Index(task, model()).scores("trak_along", words)
    assert found == pytest.approx(expected, rel=1e-3, abs=1e-5 * np.abs(expected).max())


def test_sketches_are_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "MOMENTS", 2)
    task, words = tiny(), words_of(tiny(), 1)
    index = methods.Index(task, model())
    for method in methods.METHODS:
        index.scores(method, words)
    assert index.whole is index._arrays["whole", 0]
    assert index.along is index._arrays["along", 0]
    assert set(index._arrays) == {("whole", 0), ("along", 0)}  # of a moment, what solves TRAK's equation is kept
    arrays = [kept for (kind, _), kept in index._done.items() if kind != "stage" and kept is not None]
    assert [array.shape for array in arrays] == [(gradients.NARROW, len(task.pairs))] * 2


def test_a_task_without_pairs_is_refused() -> None:
    with pytest.raises(InvalidInput, match="No training pairs are left"):
        methods.Index(replace(tiny(), pairs=(), examples=()), model())
