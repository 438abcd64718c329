"""The path of integrated gradients against integrals worked out by hand, and against a fine quadrature in float64."""

import copy
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path as Folder

import numpy as np
import pytest
import torch

from model.attribution import gradients, methods, trust
from model.attribution.integration import Integrated, Path
from model.attribution.why_question import Question
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import translate
from model.edit.edit_effects import generated
from model.pretrained import importing
from model.pretrained.card import Origin
from tests.model.pretrained.small import build
from tests.samples import KINO, SAMPLES

# the score at each scale, and by input the scale times its gradient there
Along = Callable[[np.ndarray], tuple[np.ndarray, list[np.ndarray]]]


def followed(along: Along, most: int = 1_000) -> Integrated:
    path = Path(most)
    while scales := path.wanted():
        scores, products = along(np.array(scales))
        path.add(scales, scores, np.stack(products, axis=1))
    return path.result()


def smooth(scale: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """3 x² y − z at x = y = z = 1, which is 2, 1 and −1 by input."""
    return 3 * scale**3 - scale, [6 * scale**3, 3 * scale**3, -scale]


def normed(tiny: float) -> Along:
    """5 x / √(x² + ε) − y: a norm that divides by almost nothing."""

    def along(scale: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        root = np.sqrt(scale**2 + tiny)
        return 5 * scale / root - scale, [5 * scale * tiny / root**3, -scale]

    return along


def opposed(scale: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Two inputs of which one takes away what the other gives, so that the score says nothing of either."""
    bump = 20 * np.exp(-((np.log(np.maximum(scale, 1e-300)) + 3.3) ** 2) * 8)
    return 0 * scale, [bump, -bump]


@pytest.mark.parametrize(
    ("along", "values"),
    [(smooth, [2, 1, -1]), (normed(1e-5), [5, -1]), (normed(1e-12), [5, -1]), (normed(1e-50), [5, -1]),
     (opposed, [20 * np.sqrt(np.pi / 8), -20 * np.sqrt(np.pi / 8)])],
)  # fmt: skip
def test_the_values_are_those_worked_out_by_hand(along: Along, values: list[float]) -> None:
    found = followed(along)
    assert found.holds
    assert found.points <= 200
    assert found.values == pytest.approx(values, abs=found.tolerance)
    assert abs(found.gap) <= found.tolerance


def jump(at: float) -> Along:
    """A score that jumps, and has no gradient anywhere."""
    return lambda scale: (4.0 * (scale > at), [0 * scale])


@pytest.mark.parametrize("at", [0, 0.3])
def test_a_jump_cannot_be_met_and_gives_no_values(at: float) -> None:
    found = followed(jump(at))
    assert not found.holds
    assert found.points <= 300
    assert np.isnan(found.reliable).all()


def test_a_path_has_only_as_many_points_as_it_may() -> None:
    assert not followed(normed(1e-12), most=40).holds
    assert not followed(lambda scale: (scale, [np.full_like(scale, np.nan)])).holds


# against a fine quadrature, for each kind of position and of norm


def asked(checkpoint: Checkpoint, sentence: str, row: int) -> Question:
    run = translate(checkpoint, sentence)
    return Question(run, row, int(generated(run)[row]))


def fine(checkpoint: Checkpoint, question: Question, lowest: float) -> tuple[np.ndarray, float]:
    """In float64, Gauss–Legendre with 8 points in each panel of a logarithmic scale, which are halved until the sum of
    each meets the change of the score there within 0.002; and the whole change.
    """
    model = copy.deepcopy(checkpoint.model).double()
    source, target = ([ids] if ids else None for ids in (question.source, question.target))

    def at(scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scaled: list[torch.Tensor] = []

        def tap(name: str, value: torch.Tensor) -> torch.Tensor:
            if not name.endswith(".embedding"):
                return value
            scaled.append((value.detach() * torch.tensor(scales)[:, None, None]).requires_grad_())
            return scaled[-1]

        ids = [None if each is None else torch.tensor(each).repeat(len(scales), 1) for each in (source, target)]
        scores = model(*ids, tap=tap)[:, question.row].log_softmax(-1)[:, question.word]
        scores.sum().backward()
        products = torch.cat([(each * each.grad).sum(-1) for each in scaled], dim=1)
        return scores.detach().numpy(), products.detach().numpy()

    nodes, weights = np.polynomial.legendre.leggauss(8)
    values, ends = np.zeros(len(question.source) + len(question.target)), at(np.array([1.0, 0.0]))[0]
    todo = list(pairwise(np.linspace(np.log(lowest), 0, 41)))
    while todo:
        now, todo = todo[:8], todo[8:]
        scales = [[*((low + high) / 2 + (high - low) / 2 * nodes), low, high] for low, high in now]
        scores, products = at(np.exp(np.ravel(scales)))
        each = zip(now, scores.reshape(-1, 10), products.reshape(len(now), 10, -1), strict=True)
        for (low, high), score, product in each:
            value = (high - low) / 2 * weights @ product[:8]
            if abs(value.sum() - (score[9] - score[8])) < 2e-3 or high - low < 0.001:
                values += value
            else:
                todo += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return values, float(ends[0] - ends[1])


def holds_against_fine(checkpoint: Checkpoint, question: Question, lowest: float) -> None:
    found = gradients.integrated_gradients(checkpoint, question)
    expected, change = fine(checkpoint, question, lowest)
    assert expected.sum() == pytest.approx(change, abs=0.4 * found.tolerance)  # the reference itself
    assert found.holds
    assert found.change == pytest.approx(change, abs=1e-3)
    assert abs(found.gap) <= found.tolerance
    assert found.values == pytest.approx(expected, abs=1.5 * found.tolerance)
    assert found.points <= gradients.POINTS


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("name", "row"),
    [("llm-grouped", 14), ("llm-rms-norm", 3), ("llm-rotary", 9), ("copy-8-alibi", 2), ("copy-8-relative", 3),
     ("copy-8-no-position", 2), ("induction", 20), ("reverse-no-position", 4), ("reverse-learned", 3)],
)  # fmt: skip
def test_models_of_each_kind_meet_a_fine_quadrature(name: str, row: int) -> None:
    checkpoint = load(Entry(SAMPLES / name))
    holds_against_fine(checkpoint, asked(checkpoint, Entry(SAMPLES / name).card["examples"][0], row), 1e-8)


def test_a_translation_meets_a_fine_quadrature() -> None:
    """With 96 points of a linear scale, “heute” had 0.85 too much."""
    checkpoint = load(Entry(SAMPLES / "de-en"))
    holds_against_fine(checkpoint, asked(checkpoint, KINO, 5), 1e-4)


@pytest.mark.sample(2)
@pytest.mark.parametrize("family", ["llama", "qwen3", "mistral", "gemma", "t5"])
def test_imported_models_meet_a_fine_quadrature(family: str, tmp_path: Folder) -> None:
    build(family, tmp_path / family)
    importing.import_folder(tmp_path / family, tmp_path, "model", Origin("somebody/model"))
    checkpoint = load(Entry(tmp_path / "model"))
    holds_against_fine(checkpoint, asked(checkpoint, "We are going to the cinema today.", 3), 1e-40)


# what cannot be met is not ranked


def test_a_method_without_values_is_neither_ranked_nor_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = load(Entry(SAMPLES / "copy-8-alibi"))
    sentences = Entry(SAMPLES / "copy-8-alibi").card["examples"]
    question = asked(checkpoint, sentences[0], 2)
    monkeypatch.setattr(gradients, "POINTS", 40)
    assert np.isnan(methods.attribution(checkpoint, question, "integrated")).all()
    assert "integrated" not in trust.measure(checkpoint, question).first
    results = trust.over_sentences(checkpoint, sentences[:3])
    for table in ("correlation", "first", "area"):
        assert "integrated" not in results[table]
        assert "gradient" in results[table]
