"""Trainings that a page can run without Python: their graphs, kept in this folder, and their data.

`python -m model training-graphs` makes the graphs; everything else is made with a page.
"""

import gzip
import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from corpora.pairs import Pair
from model.config import TransformerConfig
from model.graph.page_tokenizer import token_table, tokenizer_file
from model.graph.traced_passes import layer_counts
from model.initial_weights import drawn_from
from model.tokenization.tokenizer import BOS, EOS, PAD
from model.train import data, model_config
from model.train.browser import step
from model.train.run_settings import DEFAULTS, RunSettings, training
from model.train.trainer import TrainingSettings, decay, learning_rate
from model.transformer import Transformer

FOLDER = Path(__file__).parent
LETTERS = 8  # of a word, at most
BATCH = 32  # pairs
STEPS = 600
PAIRS, HELD_OUT = 4000, 200
EVERY = 30  # steps between two evaluations
GRAPHS = ("step", "pass")


@dataclass(frozen=True)
class Ready:
    """A model and the tasks that it can learn: they share its vocabulary and lengths, and so its graphs."""

    name: str
    tasks: tuple[str, ...]

    @property
    def settings(self) -> RunSettings:
        return settings_of(self.tasks[0])

    @property
    def config(self) -> TransformerConfig:
        return model_config.config(self.settings, data.prepare(self.settings))

    @property
    def lengths(self) -> tuple[int, int]:
        """Ids of the longest source and target, `<bos>` and `<eos>` included."""
        return data.prepare(self.settings).longest

    def model(self) -> Transformer:
        """The model with its starting weights, which half precision holds exactly."""
        with drawn_from(self.settings.seed):
            return Transformer(self.config).half().float()


READY = {each.name: each for each in (Ready("letters", ("reverse", "sort")),)}


def settings_of(task: str) -> RunSettings:
    """The run of a task: with the model and the training of `/train`, but shorter words and fewer steps."""
    return replace(DEFAULTS[task], letters=LETTERS, steps=STEPS)


def graph_file(name: str, kind: str) -> Path:
    """Where a graph of `GRAPHS` is kept."""
    return FOLDER / f"{name}.{kind}.onnx.gz"


def write_graphs(ready: Ready) -> list[Path]:
    """Make the graphs again, and the file with their hashes. Needs onnxscript."""
    from model.train.browser import export  # torch's exporter takes seconds to load

    model = ready.model()
    graphs = {"step": export.step_graph(model, BATCH, *ready.lengths), "pass": export.pass_graph(model)}
    for kind in GRAPHS:
        graph_file(ready.name, kind).write_bytes(gzip.compress(graphs[kind], 9, mtime=0))
    paths = [graph_file(ready.name, kind) for kind in GRAPHS]
    made = {path.name: sha256(path.read_bytes()).hexdigest() for path in paths}
    (FOLDER / f"{ready.name}.sha256.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    return paths


@cache
def described(ready: Ready) -> dict[str, Any]:
    """What a page needs beside the graphs, as plain data.

    name        of the training
    config      the fields of the model's config; layers: of each kind of attention
    letters     of a word at most; batch: pairs of a step; lengths: ids of a source and of a target
    steps       of a training; every: steps between two evaluations
    ids         of `<pad>`, `<bos>`, `<eos>`, and of each letter; shown: each token as a user sees it
    numbers     the inputs of a step beside vectors and ids: a number, or one for each step
    switches    names of the inputs that are 0 or 1
    parameters  [name, shape] of each weight, in the order of the vector
    tokenizer   the fields of tokenizer.json
    tasks       { name, pairs, heldOut } with pairs [source, target]
    """
    prepared, model = data.prepare(ready.settings), ready.model()
    tokens = token_table(prepared.tokenizer)
    return {
        "name": ready.name,
        "config": asdict(model.config),
        "layers": layer_counts(model.config),
        "letters": LETTERS,
        "batch": BATCH,
        "lengths": ready.lengths,
        "steps": STEPS,
        "every": EVERY,
        "ids": {"pad": PAD, "bos": BOS, "eos": EOS, "letters": _letters(tokens["pieces"])},
        "shown": tokens["shown"],
        "numbers": _numbers(training(ready.settings)),
        "switches": step.SWITCHES,
        "parameters": [(name, list(each.shape)) for name, each in model.named_parameters()],
        "tokenizer": tokenizer_file(prepared.tokenizer),
        "tasks": [_task(task) for task in ready.tasks],
    }


def start(ready: Ready) -> bytes:
    """The starting weights as one vector in half precision: with them every run begins."""
    vector = torch.nn.utils.parameters_to_vector(ready.model().parameters())
    return vector.detach().half().numpy().tobytes()


def pairs(task: str) -> tuple[list[Pair], list[Pair]]:
    """The pairs to learn from, and those held out: each once, no source in both."""
    corpus = data.prepare(settings_of(task)).corpus
    (held_out,) = corpus.tests().values()
    return list(dict.fromkeys(corpus.train(0)))[:PAIRS], held_out[:HELD_OUT]


def _task(task: str) -> dict[str, Any]:
    learned, held_out = pairs(task)
    return {"name": task, "pairs": learned, "heldOut": held_out}


def _letters(pieces: list[str]) -> dict[str, int]:
    return {piece: id_ for id_, piece in enumerate(pieces) if len(piece) == 1 and "a" <= piece <= "z"}


def _numbers(settings: TrainingSettings) -> dict[str, float | list[float]]:
    """The inputs of `Step` by name; see there for the corrections in them."""
    first, second = settings.betas
    assert settings.betas == step.BETAS, "the graph holds the betas"
    steps = range(1, settings.steps + 1)
    return {
        "rate": [_rounded(learning_rate(settings, t) / (1 - first**t)) for t in steps],
        "correction": [_rounded(1 / (1 - second**t)) for t in steps],
        "decay": [_rounded(decay(settings, t)) for t in steps],
        "epsilon": settings.eps,
        "clip": settings.clip,
        "smoothing": settings.label_smoothing,
    }


def _rounded(value: float) -> float:
    """As exact as the graph computes."""
    return float(f"{value:.8g}")
