"""Edges between parts: patched as a model of explicit sums with one edge replaced, and estimated by gradients."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.circuits.computational_graph.edge_attribution_patching import estimated
from model.circuits.computational_graph.edge_patching import Pair, pair, patched
from model.circuits.computational_graph.edges import Edge, can_wire, edges, written
from model.circuits.patching_effects import corrupted
from model.decode.translate import translate
from model.errors import InvalidInput
from model.measurements import edge_effects
from tests.samples import SAMPLES


def reverse() -> tuple[Checkpoint, Pair]:
    checkpoint = load(Entry(SAMPLES / "reverse"))
    runs = [translate(checkpoint, text) for text in ("stone", "paper")]
    corruption = corrupted(checkpoint, runs, 0)
    assert corruption is not None
    return checkpoint, pair(checkpoint.model, corruption)


class Sums:
    """The model as sums of what its parts have written, each reader with its own sum; one edge may be replaced."""

    def __init__(self, checkpoint: Checkpoint, both: Pair, replaced: Edge | None):
        self.model, self.both = checkpoint.model, both
        self.edge = replaced and (replaced[0].name, replaced[1].name)
        self.new = None if replaced is None else torch.from_numpy(written(self.model, both.corrupted, replaced[0]))

    def sum(self, parts: dict[str, Tensor], biases: Tensor, reader: str) -> Tensor:
        chosen = [self.new if self.edge == (name, reader) else value for name, value in parts.items()]
        return torch.stack(chosen).sum(0) + biases  # type: ignore[arg-type]

    def logits(self) -> Tensor:
        memory = None
        for side in ("encoder", "decoder"):
            parts = {f"{side}.input": torch.from_numpy(self.both.clean[f"{side}.input"])}
            biases = torch.zeros(self.model.config.d_model)
            for number, layer in enumerate(getattr(self.model, side)):
                kinds = [("self_attention", side)] + ([("cross_attention", "cross")] if side == "decoder" else [])
                for at, (part, kind) in enumerate(kinds):
                    module, norm, own, own_biases = getattr(layer, part), layer.residuals[at].norm, dict(parts), biases
                    far = memory if kind == "cross" else (own, own_biases, norm)
                    for head in range(module.heads):
                        rows = slice(head * module.head_size, (head + 1) * module.head_size)
                        made = {}
                        for letter in "qkv":
                            stream, add, before = (own, own_biases, norm) if letter == "q" else far
                            x = before(self.sum(stream, add, f"{kind}.{number}.{head}.{letter}"))
                            linear = getattr(module, letter)
                            made[letter] = x @ linear.weight[rows].T + linear.bias[rows]
                        scores = made["q"] @ made["k"].T / module.head_size**0.5
                        if kind == "decoder":
                            scores = scores.masked_fill(~torch.ones_like(scores).tril().bool(), -torch.inf)
                        out = scores.softmax(-1) @ made["v"]
                        parts[f"{kind}.{number}.{head}"] = out @ module.output.weight[:, rows].T
                    biases = biases + module.output.bias
                name = f"{side}.{number}.feed_forward"
                parts[name] = layer.feed_forward(layer.residuals[-1].norm(self.sum(parts, biases, name)))
            memory = (parts, biases, self.model.encoder_norm)
        return self.model.output(self.model.decoder_norm(self.sum(parts, biases, "logits")))


def test_a_patched_edge_is_the_model_run_with_that_edge_replaced() -> None:
    checkpoint, both = reverse()
    wires = edges(checkpoint.model.config)
    effects = patched(checkpoint.model, both, wires)
    before = both.difference(both.clean["logits"])
    with torch.inference_mode():
        assert both.difference(Sums(checkpoint, both, None).logits().numpy()) == pytest.approx(before, abs=1e-3)
        for at in np.random.default_rng(0).choice(len(wires), 40, replace=False):
            after = both.difference(Sums(checkpoint, both, wires[at]).logits().numpy())
            assert effects[at] == pytest.approx(after - before, abs=2e-3), wires[at]
    assert np.abs(effects).max() > 1


def test_the_estimate_is_the_slope_of_the_real_effect() -> None:
    """For a hundredth of the change, patching and estimate agree; with more points the gradient is another one."""
    checkpoint, both = reverse()
    wires = edges(checkpoint.model.config)
    with np.errstate(invalid="ignore"):  # what a mask forbids is −∞ in both
        near = {name: value + 0.01 * (both.corrupted[name] - value) for name, value in both.clean.items()}
    small = Pair(both.source, both.target, both.clean, near, both.row, both.answer, both.other)
    real, estimate = patched(checkpoint.model, small, wires), estimated(checkpoint.model, small, wires)
    strong = np.abs(estimate) > 0.02
    assert strong.sum() > 5
    assert real[strong] == pytest.approx(estimate[strong], rel=0.1, abs=0.005)
    assert not np.allclose(estimated(checkpoint.model, both, wires, 5), estimated(checkpoint.model, both, wires))


def test_every_reader_reads_all_that_stands_before_it() -> None:
    wires = edges(load(Entry(SAMPLES / "addition-one-head")).model.config)
    by_reader: dict[str, list[str]] = {}
    for writer, reader in wires:
        by_reader.setdefault(reader.name, []).append(writer.name)
    assert by_reader["encoder.0.0.v"] == ["encoder.input"]
    assert by_reader["cross.0.0.k"] == ["encoder.input", "encoder.0.0", "encoder.0.feed_forward"]
    assert by_reader["cross.0.0.q"] == ["decoder.input", "decoder.0.0"]
    assert by_reader["logits"] == ["decoder.input", "decoder.0.0", "cross.0.0", "decoder.0.feed_forward"]


def test_what_is_recorded_is_what_was_measured(tmp_path: Path) -> None:
    folder = tmp_path / "addition-one-head"
    shutil.copytree(SAMPLES / "addition-one-head", folder)
    entry, counts = Entry(folder), list[int]()
    results = edge_effects.measure(load(entry), ["12+34", "50+21", "7+7"], report=counts.append)
    edge_effects.MEASUREMENT.keep(entry, results)
    assert json.loads((folder / edge_effects.MEASUREMENT.file).read_text(encoding="utf-8")) == results
    assert counts == [1, 2, 3]
    assert len(results["edges"]) == len(edges(load(entry).model.config))


def test_a_stream_that_is_no_sum_is_refused() -> None:
    checkpoint = load(Entry(SAMPLES / "llm-2017"))
    assert not can_wire(checkpoint.model.config)
    with pytest.raises(InvalidInput, match="norm post"):
        edge_effects.measure(checkpoint, ["Wo ist das Buch?"])
