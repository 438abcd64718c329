"""The graphs of trainings in a browser: torch's losses, what a reader may switch, and the files as they were made."""

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice

import numpy as np
import onnxruntime
import pytest
import torch

from corpora.pairs import Example
from model import masks
from model.config import TransformerConfig
from model.edit.edited_pass import Edit, compose
from model.edit.edits import remove_position, remove_residual
from model.mistakes.known_mistakes import no_causal_mask, unscaled_scores
from model.trace import Recorder
from model.train import data
from model.train.browser import ready, step
from model.train.browser.export import PASS_INPUTS, VECTORS
from model.train.run_settings import training
from model.train.trainer import Trainer, TrainingSettings, decay, learning_rate

LETTERS = ready.READY["letters"]
LARGEST = 60_000  # bytes of a graph
Edits = Callable[[TransformerConfig], tuple[Edit, ...]]
# what each switch leaves out, as an edit that other pages show
LEFT_OUT: dict[str, Edits] = {
    "causal": no_causal_mask,
    "scaled": unscaled_scores,
    "positions": lambda config: (remove_position("encoder"), remove_position("decoder")),
    "residual": lambda config: (remove_residual(),),
}


def session(kind: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    graph = gzip.decompress(ready.graph_file(LETTERS.name, kind).read_bytes())
    return onnxruntime.InferenceSession(graph, options)


def settings(**changes: object) -> TrainingSettings:
    """Those of the page, but so that `Trainer` makes one batch of each epoch."""
    return replace(training(LETTERS.settings), tokens_per_batch=10**6, bucket=10**6, **changes)  # type: ignore[arg-type]


def batches(count: int) -> list[list[Example]]:
    learned, _ = ready.pairs("reverse")
    examples = data.encoded(LETTERS.config, data.prepare(LETTERS.settings), learned)
    again = examples * (1 + count * ready.BATCH // len(examples))
    return [again[at : at + ready.BATCH] for at in range(0, count * ready.BATCH, ready.BATCH)]


def padded(rows: Sequence[Sequence[int]], length: int) -> np.ndarray:
    return np.array([[*row, *[0] * (length - len(row))] for row in rows], dtype=np.int32)


def ids(examples: Sequence[Example]) -> dict[str, np.ndarray]:
    sides = zip(*examples, strict=True)
    return {
        name: padded(rows, length)
        for name, rows, length in zip(("source", "target"), sides, LETTERS.lengths, strict=True)
    }


def by_graph(
    batches: Sequence[Sequence[Example]], settings: TrainingSettings, **switches: float
) -> tuple[list[float], list[float], list[np.ndarray]]:
    """Losses, lengths of gradients, and the vectors in the end."""
    start = torch.nn.utils.parameters_to_vector(LETTERS.model().parameters()).detach().numpy()
    vectors, run = [start, np.zeros_like(start), np.zeros_like(start), start], session("step")
    losses, lengths = [], []
    for at, batch in enumerate(batches, 1):
        numbers = {
            "rate": learning_rate(settings, at) / (1 - 0.9**at),
            "correction": 1 / (1 - 0.98**at),
            "epsilon": settings.eps,
            "clip": settings.clip,
            "smoothing": settings.label_smoothing,
            "decay": decay(settings, at),
            **{name: switches.get(name, 1.0) for name in step.SWITCHES},
        }
        scalars = {name: np.array(value, np.float32) for name, value in numbers.items()}
        *vectors, loss, length = run.run(None, dict(zip(VECTORS, vectors, strict=True)) | ids(batch) | scalars)
        losses.append(float(loss))
        lengths.append(float(length))
    return losses, lengths, vectors


def by_torch(
    batches: Sequence[Sequence[Example]], settings: TrainingSettings, edits: Edits = lambda config: ()
) -> tuple[list[float], list[float], Trainer]:
    model = LETTERS.model()
    held_out = data.encoded(LETTERS.config, data.prepare(LETTERS.settings), ready.pairs("reverse")[1])
    tap = compose(model, *edits(model.config))
    trainer = Trainer(model, settings, lambda epoch: list(batches[epoch]), held_out, tap=tap)
    updates = list(islice(trainer.updates(), len(batches)))
    return [each.loss for each in updates], [each.gradient_norm for each in updates], trainer


def values_of(vector: np.ndarray, examples: Sequence[Example], **switches: float) -> dict[str, np.ndarray]:
    """Every recorded value of a pass that reads all but the last token of each target."""
    fed = ids(examples)
    scalars = {name: np.array(switches.get(name, 1.0), np.float32) for name in step.SWITCHES}
    run = session("pass")
    given = {"weights": vector, "source": fed["source"], "target": fed["target"][:, :-1]} | scalars
    assert {each.name for each in run.get_inputs()} == set(PASS_INPUTS)
    return dict(zip((each.name for each in run.get_outputs()), run.run(None, given), strict=True))


# at the page's rate, rounding grows: torch in single and in double precision part by 1e-3 after 55 steps
@pytest.mark.parametrize(
    ("steps", "changes"), [(200, {"learning_rate": 5e-4}), (60, {}), (60, {"label_smoothing": 0.1})]
)
def test_losses_are_those_of_the_trainer(steps: int, changes: dict[str, float]) -> None:
    given, asked = batches(steps), settings(**changes)
    losses, lengths, vectors = by_graph(given, asked)
    expected, expected_lengths, trainer = by_torch(given, asked)
    assert losses[0] == pytest.approx(expected[0], abs=1e-5)
    assert lengths[0] == pytest.approx(expected_lengths[0], rel=1e-4)
    assert losses == pytest.approx(expected, abs=1e-3)
    assert losses[-1] < losses[0] - 1
    held_out = trainer.validation
    average = [
        _loss(values_of(vectors[3], list(zip(s.tolist(), t.tolist(), strict=True)))["logits"], t) for s, t in held_out
    ]
    assert sum(map(sum, average)) / sum(map(len, average)) == pytest.approx(trainer.evaluate(), abs=2e-3)


def _loss(logits: np.ndarray, target: torch.Tensor) -> list[float]:
    """Of each real token, by hand."""
    moved = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    logs = moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True))
    expected = target.numpy()[:, 1:]
    return [-logs[row, at, id_] for row, ids_ in enumerate(expected) for at, id_ in enumerate(ids_) if id_]


@pytest.mark.parametrize("switch", step.SWITCHES)
def test_a_switch_is_the_edit_of_other_pages(switch: str) -> None:
    given = batches(20)
    losses, _, vectors = by_graph(given, settings(), **{switch: 0.0})
    expected, _, trainer = by_torch(given, settings(), LEFT_OUT[switch])
    assert losses[0] == pytest.approx(expected[0], abs=1e-5)
    assert losses == pytest.approx(expected, abs=1e-3)
    healthy, *_ = by_graph(given, settings())
    assert losses != pytest.approx(healthy, abs=1e-3)
    source, target = (torch.tensor(each).long() for each in ids(given[0]).values())
    model, found = trainer.average, values_of(vectors[3], given[0], **{switch: 0.0})
    with torch.no_grad():
        tap = compose(model, *LEFT_OUT[switch](model.config))
        torch.nn.utils.vector_to_parameters(torch.tensor(vectors[3]), model.parameters())
        logits = model(source, target[:, :-1], masks.real(source), tap)
    assert found["logits"] == pytest.approx(logits.numpy(), abs=1e-3)


def test_a_pass_gives_every_recorded_value() -> None:
    model, (examples,) = LETTERS.model(), batches(1)
    vector = torch.nn.utils.parameters_to_vector(model.parameters()).detach().numpy()
    source, target = (torch.tensor(each).long() for each in ids(examples[:1]).values())
    recorder = Recorder()
    with torch.no_grad():
        model(source, target[:, :-1], masks.real(source), recorder)
    found = values_of(vector, examples[:1])
    assert list(found) == list(recorder.values)
    for name, value in recorder.values.items():
        assert found[name][0] == pytest.approx(np.asarray(value), abs=1e-4), name


def test_graphs_are_those_that_were_made() -> None:
    for name in ready.READY:
        hashes = json.loads((ready.FOLDER / f"{name}.sha256.json").read_text(encoding="utf-8"))
        files = {kind: ready.graph_file(name, kind) for kind in ready.GRAPHS}
        assert hashes == {path.name: sha256(path.read_bytes()).hexdigest() for path in files.values()}
        assert all(path.stat().st_size <= LARGEST for path in files.values())


def test_no_held_out_word_is_trained_on() -> None:
    for task in LETTERS.tasks:
        learned, held_out = ready.pairs(task)
        assert (len(learned), len(held_out)) == (ready.PAIRS, ready.HELD_OUT)
        assert not {pair.source for pair in learned} & {pair.source for pair in held_out}
