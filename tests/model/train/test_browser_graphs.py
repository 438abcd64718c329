"""The graphs of trainings in a browser: torch's losses, what a reader may switch, and the files as they were made."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from corpora.pairs import Example, Pair
from model import masks
from model.config import TransformerConfig
from model.edit.edited_pass import Edit, compose
from model.edit.edits import remove_position, remove_residual
from model.mistakes.known_mistakes import no_causal_mask, unscaled_scores
from model.tokenization.tokenizer import BOS
from model.trace import Recorder
from model.train import data
from model.train.browser import export, ready, step
from model.train.browser.export import VECTORS
from model.train.browser.ready import Ready
from model.train.browser.sizes import SIZES, USUAL, Size
from model.train.run_settings import training
from model.train.trainer import Trainer, TrainingSettings, decay, learning_rate

LETTERS, TEXT = (Ready(ready.KINDS[name]) for name in ("letters", "text"))
LARGEST = 60_000  # bytes of a graph
FEWER = {("text", "2-2-128"): 140}  # steps: rounding has grown to 1e-4 by then, and to 3e-3 at step 160
WRITTEN = "the dog sees a cat. the cat sees a bird. a bird sees the dog and the old man. " * 12
Edits = Callable[[TransformerConfig], tuple[Edit, ...]]
# what each switch leaves out, as an edit that other pages show
LEFT_OUT: dict[str, Edits] = {
    "causal": no_causal_mask,
    "scaled": unscaled_scores,
    "positions": lambda config: tuple(remove_position(side) for side in ("encoder", "decoder") if config.layers(side)),
    "residual": lambda config: (remove_residual(),),
}


def session(of: Ready, kind: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(of.graph(kind), options)


def settings(of: Ready = LETTERS, **changes: object) -> TrainingSettings:
    """Those of the page, but so that `Trainer` makes one batch of each epoch."""
    return replace(training(of.settings), tokens_per_batch=10**6, bucket=10**6, **changes)  # type: ignore[arg-type]


def windows(text: str) -> list[Example]:
    """Windows of a text from each of its letters on, with ids behind those of special tokens and the space."""
    ids = [10 + sorted(set(text)).index(letter) for letter in text]
    return [((), [BOS, *ids[at : at + ready.WINDOW]]) for at in range(len(ids) - ready.WINDOW + 1)]


def encoded(of: Ready, pairs: Sequence[Pair]) -> list[Example]:
    return data.encoded(of.config, data.prepare(of.settings), pairs)


def batches(count: int, of: Ready = LETTERS) -> list[list[Example]]:
    examples = windows(WRITTEN) if of.kind == TEXT.kind else encoded(of, ready.pairs(of.kind.tasks[0])[0])
    size = of.kind.batch
    again = examples * (1 + count * size // len(examples))
    return [again[at : at + size] for at in range(0, count * size, size)]


def padded(rows: Sequence[Sequence[int]], length: int) -> np.ndarray:
    return np.array([[*row, *[0] * (length - len(row))] for row in rows], dtype=np.int32)


def ids(examples: Sequence[Example], of: Ready = LETTERS) -> dict[str, np.ndarray]:
    names = step.ids_of(of.config)
    sides = list(zip(*examples, strict=True))[-len(names) :]
    return {name: padded(rows, length) for name, rows, length in zip(names, sides, of.lengths, strict=True)}


def by_graph(
    batches: Sequence[Sequence[Example]], settings: TrainingSettings, of: Ready = LETTERS, **switches: float
) -> tuple[list[float], list[float], list[np.ndarray]]:
    """Losses, lengths of gradients, and the vectors in the end."""
    start = torch.nn.utils.parameters_to_vector(of.model().parameters()).detach().numpy()
    vectors, run = [start, np.zeros_like(start), np.zeros_like(start), start], session(of, "step")
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
        *vectors, loss, length = run.run(None, dict(zip(VECTORS, vectors, strict=True)) | ids(batch, of) | scalars)
        losses.append(float(loss))
        lengths.append(float(length))
    return losses, lengths, vectors


def by_torch(
    batches: Sequence[Sequence[Example]], settings: TrainingSettings, edits: Edits = lambda config: (),
    of: Ready = LETTERS,
) -> tuple[list[float], list[float], Trainer]:  # fmt: skip
    model = of.model()
    held_out = windows(WRITTEN)[:4] if of.kind == TEXT.kind else encoded(of, ready.pairs(of.kind.tasks[0])[1])
    tap = compose(model, *edits(model.config))
    trainer = Trainer(model, settings, lambda epoch: list(batches[epoch]), held_out, tap=tap)
    updates = list(islice(trainer.updates(), len(batches)))
    return [each.loss for each in updates], [each.gradient_norm for each in updates], trainer


def values_of(
    vector: np.ndarray, examples: Sequence[Example], of: Ready = LETTERS, **switches: float
) -> dict[str, np.ndarray]:
    """Every recorded value of a pass that reads all but the last token of each target."""
    fed = ids(examples, of)
    scalars = {name: np.array(switches.get(name, 1.0), np.float32) for name in step.SWITCHES}
    run = session(of, "pass")
    given = {"weights": vector} | fed | {"target": fed["target"][:, :-1]} | scalars
    assert {each.name for each in run.get_inputs()} == set(given)
    return dict(zip((each.name for each in run.get_outputs()), run.run(None, given), strict=True))


# at the page's rate, rounding grows: torch in single and in double precision part by 1e-3 after 55 steps
@pytest.mark.parametrize(
    ("steps", "changes"), [(200, {"learning_rate": 2e-4}), (40, {}), (40, {"label_smoothing": 0.1})]
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


def _every_size() -> list:
    """Every kind with every size, if it has graphs of its own; but few of each, the others are thorough."""
    heads, widths = (1, 2, 4), (32, 64, 128)
    cases = []
    for name, kind in ready.KINDS.items():
        for size in (USUAL,) if kind.graphs else SIZES:
            turn = heads.index(size.heads) + widths.index(size.d_model)
            wanted = {"letters": (1, 2, 4), "dates": (4,), "text": (0, 3)}.get(name, (turn,))
            is_first = bool(kind.graphs) or (size.layers == 1 + turn % 2 and turn in wanted)
            marks = () if is_first else pytest.mark.thorough
            cases.append(pytest.param(Ready(kind, size), marks=marks, id=f"{name}-{size.name}"))
    return cases


@pytest.mark.parametrize("of", _every_size())
def test_every_size_learns_as_in_torch(of: Ready, draws: Callable[[int], int]) -> None:
    """The first 200 steps with `make test-all`, ten with `make test`."""
    steps = FEWER.get((of.kind.name, of.size.name), 200) if draws(2) == 2 else 10
    given, asked = batches(steps, of), settings(of, learning_rate=2e-4)
    losses, lengths, vectors = by_graph(given, asked, of)
    expected, expected_lengths, trainer = by_torch(given, asked, of=of)
    assert losses[0] == pytest.approx(expected[0], abs=1e-5)
    assert lengths[0] == pytest.approx(expected_lengths[0], rel=1e-4)
    assert losses == pytest.approx(expected, abs=1e-3)
    losses = []
    for source, target in trainer.validation:
        examples = list(zip(source.tolist(), target.tolist(), strict=True))
        losses += _loss(values_of(vectors[3], examples, of)["logits"], target)
    assert sum(losses) / len(losses) == pytest.approx(trainer.evaluate(), abs=2e-3)


@pytest.mark.parametrize("kind", ready.KINDS)
def test_a_graph_of_one_size_comes_from_that_of_another(kind: str) -> None:
    """It is the graph that the exporter makes of that size."""
    of = Ready(ready.KINDS[kind], Size(1, 2, 32))
    found, expected = (onnx.load_model_from_string(each) for each in (of.graph("pass"), export.pass_graph(of.model())))
    for graph in (found.graph, expected.graph):
        for value in (*graph.input, *graph.output):
            value.ClearField("type")
    assert found == expected


@pytest.mark.parametrize("switch", step.SWITCHES)
def test_a_switch_is_the_edit_of_other_pages_for_a_text(switch: str) -> None:
    given = batches(3, TEXT)
    losses, *_ = by_graph(given, settings(TEXT), TEXT, **{switch: 0.0})
    expected, *_ = by_torch(given, settings(TEXT), LEFT_OUT[switch], TEXT)
    assert losses == pytest.approx(expected, abs=1e-5)
    healthy, *_ = by_graph(given, settings(TEXT), TEXT)
    assert losses != pytest.approx(healthy, abs=1e-3)


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
    files = sorted(ready.FOLDER.glob("*.gz"))
    assert json.loads(ready.HASHES.read_text(encoding="utf-8")) == {
        path.name: sha256(path.read_bytes()).hexdigest() for path in files
    }
    sizes = {Ready(kind, size) for kind in ready.KINDS.values() for size in SIZES}
    assert {ready.graph_file(each, graph) for each in sizes for graph in ready.GRAPHS} == set(files)
    assert all(path.stat().st_size <= LARGEST for path in files)


def test_no_held_out_word_is_trained_on() -> None:
    for task in (task for each in ready.KINDS.values() for task in each.tasks if each != TEXT.kind):
        kind = ready.kind_of(task)
        learned, held_out = ready.pairs(task)
        assert (len(learned), len(held_out)) == (kind.pairs, ready.HELD_OUT)
        assert not {pair.source for pair in learned} & {pair.source for pair in held_out}
        lengths = [[len(ids) for ids in side] for side in zip(*encoded(Ready(kind), learned + held_out), strict=True)]
        assert all(max(found) <= most for found, most in zip(reversed(lengths), reversed(Ready(kind).lengths)))  # noqa: B905
