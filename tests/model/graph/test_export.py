"""The exported graphs compute what torch computes: every recorded value, at any length, heads and rows changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import onnxruntime
import pytest
import torch

from model import presets
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load_model, random_model
from model.config import TransformerConfig
from model.decode.recorded_pass import recorded
from model.edit import edited_pass, edits
from model.edit.recorded_names import names
from model.graph.export import PATCH, Graphs, export
from model.graph.traced_passes import cached_names, norm_names, patch_places, scale_shape, scaled_heads
from model.transformer import Transformer
from tests.samples import SAMPLES

TOLERANCE = 1e-4  # of the largest number of a value
LONGEST = 96  # tokens, where a model reads more
_ENTRIES = {name: entry for name, entry in catalogue.entries().items() if entry.folder.parent == SAMPLES}

_SMALL = TransformerConfig(
    source_vocabulary=23, target_vocabulary=29, d_model=24, heads=4, encoder_layers=2, decoder_layers=2, d_ff=20,
    init="normal", max_length=14,
)  # fmt: skip
_DECODER = replace(_SMALL, architecture="decoder", source_vocabulary=0, encoder_layers=0)
_ENCODER = replace(_SMALL, architecture="encoder", decoder_layers=0)
# what no preset and no shipped model has
_VARIANTS = {
    "learned positions on both sides": replace(_SMALL, position="learned", embedding_norm=True),
    "relative positions of an encoder": replace(_ENCODER, position="relative", norm="pre"),
    "slopes of three heads": replace(_DECODER, heads=3, position="alibi", final_norm=True),
    "rotary positions on both sides": replace(_SMALL, position="rotary", norm="pre", norm_kind="rms"),
    "no norm, no positions": replace(_SMALL, init="xavier", norm="none", position="none", mask_fill="-1e9"),
    "today's": replace(
        _DECODER, position="rotary", norm="pre", norm_kind="rms", gated=True, activation="silu", key_value_heads=2
    ),
    "parallel, with windows": replace(
        _DECODER, position="rotary", norm="pre", parallel=True, frequencies=(0.9, 0.0, 0.0), windows=(0, 3)
    ),
    "queries and keys normed": replace(_DECODER, position="rotary", norm="pre", query_key_norm=True, unrotated=(0,)),
    "narrow embedding, shared layers": replace(
        _ENCODER, embedding_size=10, shared_layers=True, position="learned", embedding_norm=True, target_vocabulary=0
    ),
    "labels": replace(_ENCODER, target_vocabulary=0, labels=("a", "b", "c"), label_activation="relu"),
    "an answer in the second of two texts": replace(
        _ENCODER, target_vocabulary=0, segments=2, separator=5, embedding_norm=True, labels=("start", "end"),
        label_kind="span", label_each=True,
    ),
    "a later start": replace(_SMALL, position_start=2, position_base=300.5),
    "BERT's output": replace(_ENCODER, output_transform=True, activation="gelu-tanh", tied_embeddings="none"),
    "wide heads": replace(_SMALL, head_size=10, position="rotary"),
}  # fmt: skip


Patches = dict[tuple[str, int], np.ndarray]  # a vector by name and row


@dataclass(frozen=True)
class Sessions:
    """The graphs of a model, ready to run."""

    graphs: Graphs
    whole: onnxruntime.InferenceSession
    step: onnxruntime.InferenceSession | None

    def values(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Every value of a pass, batch first."""
        return dict(zip(self.graphs.values, self.whole.run(list(self.graphs.values), dict(inputs)), strict=True))


class Apart:
    """How far apart numbers are, held against the largest number of a value in all passes of a model."""

    def __init__(self) -> None:
        self.largest: dict[str, float] = {}
        self.apart: dict[str, tuple[float, str]] = {}

    def add(self, name: str, value: np.ndarray, expected: np.ndarray, where: str) -> None:
        hidden = np.isinf(expected) | (expected == -1e9)
        assert value.shape == expected.shape, (name, where)
        assert np.array_equal(value[hidden], expected[hidden]), f"{name}, {where}: the mask is another"
        visible, reference = value[~hidden], expected[~hidden]
        self.largest[name] = max(self.largest.get(name, 0), np.abs(reference).max(initial=0))
        self.apart[name] = max(self.apart.get(name, (0, "")), (np.abs(visible - reference).max(initial=0), where))

    def check(self) -> None:
        for name, (apart, where) in self.apart.items():
            assert apart <= TOLERANCE * self.largest[name], f"{name}, {where}: {apart} of {self.largest[name]}"


def _sessions(model: Transformer) -> Sessions:
    graphs = export(model)
    step = None if graphs.step is None else _session(graphs.step, graphs.weights)
    return Sessions(graphs, _session(graphs.whole, graphs.weights), step)


def _session(graph: bytes, weights: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    options.add_external_initializers_from_files_in_memory(["weights"], [weights], [len(weights)])
    return onnxruntime.InferenceSession(graph, options)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", _ENTRIES)
def test_a_shipped_model_computes_the_same(name: str) -> None:
    _compare(load_model(_ENTRIES[name]))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", presets.PRESETS)
def test_a_preset_computes_the_same(name: str) -> None:
    _compare(random_model(_narrow(presets.PRESETS[name].config), seed=0))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", _VARIANTS)
def test_a_variant_computes_the_same(name: str) -> None:
    _compare(random_model(_VARIANTS[name], seed=1))


def _narrow(config: TransformerConfig) -> TransformerConfig:
    """The same choices in small: what differs between sizes is not in the graph."""
    sides = {f"{side}_layers": min(2, config.layers(side)) for side in ("encoder", "decoder")}
    small = presets.with_vocabulary(config, 31) if config.target_vocabulary > 1 or config.inputs == "tokens" else config
    return replace(small, d_model=8 * config.heads, d_ff=24, max_length=min(40, config.max_length), **sides)


def _compare(model: Transformer) -> None:
    sessions, random, apart = _sessions(model), np.random.default_rng(0), Apart()
    most = min(model.config.max_length, LONGEST)
    for source, target in ((1, 1), (2, 5), (7, 3), (most, most)):
        ids = _read(model.config, random, source, target)
        patches = _patches(model.config, random, *map(len, ids))
        _compare_pass(model, sessions, *ids, _scales(model.config, random), patches, apart)
    if sessions.step is not None:
        source_ids, target_ids = _read(model.config, random, 4, 4)
        changes = _changes(model.config, _scales(model.config, random)[2:], _patches(model.config, random, 4, 4))
        _compare_step(model, sessions, sessions.step, source_ids, target_ids, changes, apart)
    apart.check()


def _read(
    config: TransformerConfig, random: np.random.Generator, source: int, target: int
) -> tuple[list[float], list[int]]:
    """Random ids, the specials first where they fit; numbers for a model that reads numbers."""
    size = config.source_vocabulary
    numbers = random.normal(size=source).tolist() if config.inputs == "numbers" else []
    ids = [*range(4), *random.integers(0, size, source).tolist()][:source] if size else numbers
    if not config.decoder_layers:
        return ids, []
    return ids, [*range(4), *random.integers(0, config.target_vocabulary, target).tolist()][:target]


def _scales(config: TransformerConfig, random: np.random.Generator) -> np.ndarray:
    """Three passes at once (3, kinds, layers, heads): nothing changed, heads off, heads weaker and stronger."""
    shape = scale_shape(config)
    rows = [np.ones(shape), random.integers(0, 2, shape), random.uniform(0, 2, shape)]
    return np.stack(rows).astype(np.float32)


def _patches(config: TransformerConfig, random: np.random.Generator, source: int, target: int) -> Patches:
    """A vector for the first stream of each side and for the last one, in a random row each."""
    places = patch_places(config)
    chosen = {name for name in places if name.endswith("input")} | {places[-1]}
    lengths = {name: source if name.startswith("encoder") else target for name in sorted(chosen)}
    return {
        (name, int(random.integers(length))): random.normal(size=config.d_model) for name, length in lengths.items()
    }


def _changes(config: TransformerConfig, scales: np.ndarray, patches: Patches) -> dict[str, np.ndarray]:
    """The inputs that change a pass."""
    places = patch_places(config)
    rows = np.full((len(places), len(patches)), -1, np.int32)
    vectors = np.zeros((*rows.shape, config.d_model), np.float32)
    for number, ((name, row), vector) in enumerate(patches.items()):
        rows[places.index(name), number], vectors[places.index(name), number] = row, vector
    return {"head_scale": scales} | dict(zip(PATCH, (rows, vectors), strict=True))


def _inputs(
    config: TransformerConfig, source: Sequence[float], target: Sequence[int], changes: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    kind = np.int32 if config.inputs == "tokens" else np.float32
    read = {"source": np.array([source], kind)} if source else {}
    return read | ({"target": np.array([target], np.int32)} if target else {}) | changes


def _compare_pass(
    model: Transformer,
    sessions: Sessions,
    source: list[float],
    target: list[int],
    scales: np.ndarray,
    patches: Patches,
    apart: Apart,
) -> None:
    inputs = _inputs(model.config, source, target, _changes(model.config, scales, patches))
    result = sessions.values(inputs)
    own = [edits.patch(name, vector[None], row=row, from_row=0) for (name, row), vector in patches.items()]
    assert set(result) == set(names(model.config))
    for row, scale in enumerate(scales):
        tap = scaled_heads(model.config, torch.from_numpy(scale[None]), lambda _, value: value)
        tap = edited_pass.compose(model, *own, then=tap)
        for name, expected in recorded(model, source, target, tap).items():
            value = result[name][row if len(result[name]) > 1 else 0]
            lengths = {"S": len(source), "T": len(target)}
            assert value.shape == tuple(lengths.get(axis, axis) for axis in sessions.graphs.values[name])  # type: ignore[call-overload]
            apart.add(name, value, expected, f"lengths {lengths}, scale {row}")
    _compare_norms(model, sessions, inputs | {"head_scale": scales[:1]}, result)


def _compare_norms(
    model: Transformer, sessions: Sessions, inputs: Mapping[str, np.ndarray], values: Mapping[str, np.ndarray]
) -> None:
    """‖v W^O‖ of each head, by a loop over heads."""
    outputs = norm_names(model.config)
    assert len(outputs) == len([name for name in values if name.endswith("attention.weights")])
    for name, norms in zip(outputs, sessions.whole.run(outputs, dict(inputs)), strict=True):
        side, layer, part, _ = name.split(".")
        module = getattr(getattr(model, side)[int(layer)], part)
        matrix, v = module.output.weight.detach().numpy(), values[name.replace("value_norms", "v")][0]
        for head in range(module.heads):
            moved = v[head // module.sharing] @ matrix[:, head * v.shape[-1] : (head + 1) * v.shape[-1]].T
            np.testing.assert_allclose(norms[0, head], np.linalg.norm(moved, axis=-1), rtol=1e-3, atol=1e-5)


def _compare_step(
    model: Transformer,
    sessions: Sessions,
    step: onnxruntime.InferenceSession,
    source: list[float],
    target: list[int],
    changes: dict[str, np.ndarray],
    apart: Apart,
) -> None:
    """Row after row with the cache equals the whole pass."""
    expected = sessions.values(_inputs(model.config, source, target, changes))
    start = sessions.values(_inputs(model.config, source, target[:1], changes))
    cache = {name: start[name] for name in cached_names(model.config)}
    memory = {"encoder.output": start["encoder.output"]} if source else {}
    for row, id_ in enumerate(target[1:], 1):
        past = {f"past.{name}": value for name, value in cache.items()}
        inputs = {"target": np.array([[id_]], np.int32), **changes, **memory, **past}
        logits, *key_values = step.run(["logits", *cache], inputs)
        cache = dict(zip(cache, key_values, strict=True))
        apart.add("logits", logits[0, 0], expected["logits"][0, row], f"step {row}")
        for name, value in cache.items():
            apart.add(name, value, expected[name][:, :, : row + 1], f"after step {row}")


def test_weights_are_stored_once_and_in_half_precision() -> None:
    model = load_model(_ENTRIES["de-en"])
    parameters = sum(value.numel() for value in model.parameters())  # a shared table counts once
    table = model.sinusoids.numel()
    assert len(export(model).weights) == pytest.approx(2 * parameters + 4 * table, rel=1e-3)


def test_weights_that_half_precision_would_round_stay() -> None:
    model = random_model(_SMALL, seed=0)
    parameters = sum(value.numel() for value in model.parameters())
    assert len(export(model).weights) > 3.5 * parameters


def test_the_model_itself_stays_as_it_is() -> None:
    model = random_model(_VARIANTS["today's"], seed=0)
    before = [type(part) for part in model.modules()], recorded(model, [], [1, 4, 5])["logits"]
    export(model)
    assert [type(part) for part in model.modules()] == before[0]
    assert np.array_equal(recorded(model, [], [1, 4, 5])["logits"], before[1])
