"""Trainings that a page can run without Python: their graphs, kept in this folder, and their data.

`python -m model training-graphs` makes the graphs, one of each kind for each number of layers; those of the other sizes
come from them when a page is made (`resized`), and so does everything else.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from corpora.pairs import Pair
from corpora.task_list import tasks
from corpora.tasks.user_text import SHORTEST, Passage
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.graph.page_tokenizer import token_table
from model.graph.traced_passes import layer_counts
from model.initial_weights import count_parameters
from model.tokenization.tokenizer import BOS, EOS, PAD, SPACE, UNK, Tokenizer
from model.train import data, model_config
from model.train.browser import saved, start, step
from model.train.browser.resized import resized
from model.train.browser.sizes import FEED_FORWARD, SIZES, TEMPLATE_HEAD_SIZE, TEMPLATE_HEADS, USUAL, Size
from model.train.run_settings import DEFAULTS, RunSettings, training
from model.train.trainer import TrainingSettings, decay, learning_rate
from model.transformer import Transformer

FOLDER = Path(__file__).parent / "graphs"
HASHES = FOLDER / "sha256.json"
LETTERS = 8  # of a word, at most
STEPS = 600
PAIRS, HELD_OUT = 4000, 200
EPOCHS = 4  # from which pairs are taken, at most
EVALUATIONS = 20  # of a training, evenly spaced
GRAPHS = ("step", "pass")
LONGEST = 20_000  # letters of a text
WINDOW = 48  # letters of a text that are read at a time
DIFFERENT = 123  # letters of a text that the model knows, a space not counted; rarer ones are unknown to it
_BLANK = 0x2801  # from here on Unicode has patterns of Braille: they stand where a text's letters will


@dataclass(frozen=True)
class Kind:
    """What a model reads, and the tasks that it can learn: they share its vocabulary and lengths.

    batch   examples of a step; steps: of a training; pairs: to learn from, at most
    graphs  the kind whose graphs it has, with the same lengths and as many tokens; its own if empty
    usual   the size to begin with
    """

    name: str
    tasks: tuple[str, ...]
    batch: int
    steps: int = STEPS
    pairs: int = PAIRS
    graphs: str = ""
    usual: Size = USUAL

    @property
    def template(self) -> "Kind":
        """The kind whose graphs it has."""
        return KINDS[self.graphs or self.name]


KINDS = {
    each.name: each
    for each in (
        Kind("letters", ("reverse", "sort"), 32),
        Kind("sums", ("addition",), 32, steps=4000, pairs=10000, graphs="letters"),
        Kind("dates", ("dates",), 32, steps=1000, pairs=3000),
        Kind("repeat", ("repeat",), 16, pairs=1500, graphs="text", usual=Size(2, 1, 64)),
        Kind("text", ("text",), 16),
    )
}


@dataclass(frozen=True)
class Ready:
    """A model of one kind and size."""

    kind: Kind
    size: Size = USUAL

    @property
    def settings(self) -> RunSettings:
        return settings_of(self.kind.tasks[0], self.size)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """With graphs of another kind it has as many tokens, some without a letter. Of a text the page fills in all."""
        known = "" if self.kind.name == Passage.name else "".join(_letters(_prepared(self.kind).tokenizer.vocabulary))
        if known and not self.kind.graphs:
            return _prepared(self.kind).tokenizer
        count = DIFFERENT if self.settings.alone else len(_letters(_prepared(self.kind.template).tokenizer.vocabulary))
        return Tokenizer.characters([known + "".join(chr(_BLANK + each) for each in range(count - len(known)))], ())

    @cached_property
    def config(self) -> TransformerConfig:
        positions = WINDOW if self.settings.alone else max(self.lengths) + model_config.HEADROOM
        return model_config.shape(self.settings, self.tokenizer.size, positions)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Ids of the longest example, special ones included: of its source and target, of a text of a window."""
        return (WINDOW + 1,) if self.settings.alone else tuple(map(_told_apart, _prepared(self.kind.template).longest))

    @property
    def checkpoint(self) -> Checkpoint:
        """The model before its first step."""
        return Checkpoint(self.kind.name, self.model().eval(), self.tokenizer)

    def model(self) -> Transformer:
        """The model with its starting weights."""
        model = Transformer(self.config)
        torch.nn.utils.vector_to_parameters(start.vector(model), model.parameters())
        return model

    def graph(self, graph: str) -> bytes:
        """A graph of `GRAPHS`."""
        return resized(_template(graph_file(self, graph)), self.config)


def _told_apart(length: int) -> int:
    """The next length that `resized` does not take for a size of the model, nor the same without one id."""
    while any((length - less) % prime == 0 for less in (0, 1) for prime in (TEMPLATE_HEADS, TEMPLATE_HEAD_SIZE // 2)):
        length += 1
    return length


def kind_of(task: str) -> Kind:
    return next(each for each in KINDS.values() if task in each.tasks)


def _prepared(kind: Kind) -> data.Prepared:
    return data.prepare(settings_of(kind.tasks[0]))


@cache
def _template(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def settings_of(task: str, size: Size = USUAL) -> RunSettings:
    """The run of a task: with the training of `/train`, but shorter words and fewer steps."""
    kind = kind_of(task)
    alike = DEFAULTS[kind.template.tasks[0]]
    usual = replace(
        DEFAULTS[task], letters=LETTERS, steps=kind.steps, dropout=0.0, d_model=size.d_model, heads=size.heads,
        d_ff=FEED_FORWARD * size.d_model, position=alike.position, position_base=alike.position_base,
    )  # fmt: skip
    return replace(usual, decoder_layers=size.layers) if usual.alone else replace(usual, encoder_layers=size.layers)


def graph_file(ready: Ready, graph: str) -> Path:
    """Where the template of a graph of `GRAPHS` is kept."""
    return FOLDER / f"{ready.kind.template.name}-{ready.size.layers}.{graph}.onnx.gz"


def write_graphs() -> list[Path]:
    """Make the graphs again, and the file with their hashes. Needs onnxscript."""
    from model.train.browser import export  # torch's exporter takes seconds to load

    paths = []
    for kind in (each for each in KINDS.values() if not each.graphs):
        for size in sorted({each.template for each in SIZES}, key=lambda size: size.layers):
            ready = Ready(kind, size)
            model = ready.model()
            graphs = {"step": export.step_graph(model, kind.batch, *ready.lengths), "pass": export.pass_graph(model)}
            for name in GRAPHS:
                paths.append(graph_file(ready, name))
                paths[-1].write_bytes(gzip.compress(graphs[name], 9, mtime=0))
    made = {path.name: sha256(path.read_bytes()).hexdigest() for path in paths}
    HASHES.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    return paths


@cache
def described() -> dict[str, Any]:
    """What a page needs beside the graphs, as plain data.

    seed        of the starting weights
    switches    names of the inputs of a step that are 0 or 1
    sizes       { layers, heads, d_model } by name
    kinds       by name, see `_kind`
    tasks       { name, kind }, with { pairs, heldOut } of pairs [source, target] where the data is ours
    """
    return {
        "seed": start.SEED,
        "switches": step.SWITCHES,
        "sizes": {size.name: asdict(size) for size in SIZES},
        "kinds": {name: _kind(kind) for name, kind in KINDS.items()},
        "tasks": [{"name": task, "kind": kind.name} | _pairs(task) for kind in KINDS.values() for task in kind.tasks],
    }


def _kind(kind: Kind) -> dict[str, Any]:
    """What models of a kind share.

    graphs      the kind whose graphs it has; usual: the size to begin with
    batch       examples of a step; steps: of a training; every: steps between two evaluations
    lengths     see `Ready.lengths`; shows: what a task is there to show (`corpora.task_list`)
    letters     of a word, or of a beginning of a text, at most; answer: the same of an answer
    least       letters of a text; most: the same; different: those that are known
    ids         of `<pad>`, `<bos>`, `<eos>`, `<unk>`, a space and each letter; a text's letters follow the space
    shown       each token as a user sees it
    numbers     the inputs of a step beside vectors and ids: a number, or one for each step
    saved       of a checkpoint: its files that stay the same; each task's card, that of changed pairs by `changed`;
                what a config has that names no field
    models      by size: `_model`
    """
    ready = Ready(kind)
    settings, tokens = training(ready.settings), token_table(ready.tokenizer)
    letters, answer = [WINDOW // 2 - 1] * 2 if ready.settings.alone else [length - 2 for length in ready.lengths]
    is_text = kind.name == Passage.name
    return {
        "graphs": kind.template.name,
        "usual": kind.usual.name,
        "batch": kind.batch,
        "steps": kind.steps,
        "every": kind.steps // EVALUATIONS,
        "lengths": ready.lengths,
        "shows": tasks()[kind.tasks[0]].shows,
        "letters": letters,
        "answer": answer,
        **({"least": SHORTEST, "most": LONGEST, "different": DIFFERENT} if is_text else {}),
        "ids": {
            "pad": PAD,
            "bos": BOS,
            "eos": EOS,
            "unk": UNK,
            "space": _ids(tokens)[SPACE],
            "letters": _letters(_ids(tokens)),
        },
        "shown": ["�" if _is_blank(each) else each for each in tokens["shown"]],
        "numbers": _numbers(settings),
        "saved": {
            "files": saved.token_files(ready.tokenizer),
            "cards": saved.cards(kind.tasks, {"letters": LETTERS} if kind.name == "letters" else {}, settings),
            "changed": saved.CHANGED,
            "defaults": saved.defaults(),
        },
        "models": {size.name: _model(Ready(kind, size)) for size in SIZES},
    }


def _model(ready: Ready) -> dict[str, Any]:
    """What a page needs of one size.

    config      the fields of the model's config; layers: of each kind of attention
    drawn       [name, shape, centre, spread] of each weight, in the order of the vector, see `start.Drawn`
    parameters  how many there are, by part of the model
    undivided   factors of the parameters of queries (`saved.undivided`)
    """
    model = Transformer(ready.config)
    return {
        "config": asdict(ready.config),
        "layers": layer_counts(ready.config),
        "drawn": start.drawn(model),
        "parameters": count_parameters(model),
        "undivided": saved.undivided(model),
    }


def pairs(task: str) -> tuple[list[Pair], list[Pair]]:
    """The pairs to learn from, and those held out: each once, no source in both."""
    kind = kind_of(task)
    corpus = data.prepare(settings_of(task)).corpus
    (held_out,) = corpus.tests().values()
    drawn = dict.fromkeys(pair for epoch in range(EPOCHS) for pair in corpus.train(epoch))
    longest = Ready(kind).lengths[0] - 2
    return [pair for pair in drawn if len(pair.source) <= longest][: kind.pairs], held_out[:HELD_OUT]


def _pairs(task: str) -> dict[str, Any]:
    if task == Passage.name:
        return {}
    learned, held_out = pairs(task)
    return {"pairs": learned, "heldOut": held_out}


def _ids(tokens: dict[str, Any]) -> dict[str, int]:
    return {piece: id_ for id_, piece in enumerate(tokens["pieces"])}


def _letters(ids: Mapping[str, int]) -> dict[str, int]:
    """Of a vocabulary the tokens that stand for a character, in their order."""
    found = {piece: id_ for piece, id_ in ids.items() if len(piece) == 1 and piece != SPACE and not _is_blank(piece)}
    return dict(sorted(found.items(), key=lambda each: each[1]))


def _is_blank(piece: str) -> bool:
    return len(piece) == 1 and _BLANK <= ord(piece) < _BLANK + DIFFERENT


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
