"""Paths of a logit: they add up to it, each edge is what a loop over all ways finds, and pruned ones really run."""

import math

import numpy as np
import pytest
import torch

from model.attribution.attention_methods import attention_of
from model.attribution.paths.faithfulness import logits_of, share_kept
from model.attribution.paths.graph import Graph, contribution_graph
from model.attribution.paths.pruning import Edge, chance, strongest
from model.attribution.why_question import Question, row_logits
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.edit.edit_effects import generated
from model.trace import path
from tests.model.attribution.copier import GAIN, A, B, C, copier, passed
from tests.model.attribution.test_logit_parts import CASES, made
from tests.samples import KINO, SAMPLES, german_english

STEP = 4  # cinema


def kino() -> Question:
    run = translate(german_english(), KINO)
    return Question(run, STEP, int(generated(run)[STEP]))


@pytest.mark.parametrize("name", CASES)
def test_inputs_and_biases_add_up_to_the_logit(name: str) -> None:
    checkpoint = made(CASES[name])
    run = translate(checkpoint, KINO)
    row = len(run.target or run.source) - 2
    first, second = np.argsort(-run.trace.values["logits"][row])[:2]
    for rather in (None, int(second)):
        graph = contribution_graph(checkpoint.model, Question(run, row, int(first), rather))
        assert graph.total == pytest.approx(graph.logit, abs=1e-3)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", ["de-en", "gpt-char", "notebook-c", "llm-rotary"])
def test_they_add_up_in_trained_models(name: str) -> None:
    checkpoint = load(Entry(SAMPLES / name))
    run = translate(checkpoint, Entry(SAMPLES / name).card["examples"][0])
    for row in range(0, len(run.target), 3):
        graph = contribution_graph(checkpoint.model, Question(run, row, int(generated(run)[row])))
        assert graph.total == pytest.approx(graph.logit, abs=1e-3)


def held_logit(question: Question, added: tuple[str, int, torch.Tensor] | None = None) -> float:
    """The logit of `de-en` by a forward loop in double precision in which every decision is held as in the real pass.

    added   a recorded stream, a row, and a vector that is added there
    """
    model, values = german_english().model, question.run.trace.values
    real = {name: torch.from_numpy(np.array(value)).double() for name, value in values.items() if name != "logits"}
    streams = {"encoder": real["encoder.input"], "decoder": real["decoder.input"][: STEP + 1]}

    def norm(module, x: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        scale = (seen.var(-1, unbiased=False, keepdim=True) + module.eps).sqrt()
        return module.weight.double() * (x - x.mean(-1, keepdim=True)) / scale + module.bias.double()

    def linear(module, x: torch.Tensor) -> torch.Tensor:
        return x @ module.weight.double().T + module.bias.double()

    memory = torch.empty(0)
    for side in ("encoder", "decoder"):
        x, seen = streams[side], streams[side]
        for number, layer in enumerate(getattr(model, side)):
            parts = ["self_attention", "cross_attention", "feed_forward"]
            parts = [part for part in parts if getattr(layer, part, None) is not None]
            for residual, part in zip(layer.residuals, parts, strict=True):
                name = f"{side}.{number}.{part}"
                y = norm(residual.norm, x, seen)
                if part == "feed_forward":
                    units = real[f"{name}.hidden"][: len(x)] > 0
                    out = linear(layer.feed_forward.output, linear(layer.feed_forward.hidden, y) * units)
                else:
                    module = getattr(layer, part)
                    read = memory if part == "cross_attention" else y
                    v = linear(module.v, read).view(len(read), module.heads, -1)
                    weights = real[f"{name}.weights"][:, : len(x), : len(read)]
                    out = linear(module.output, torch.einsum("hqk,khd->qhd", weights, v).flatten(1))
                x, seen = x + out, real[f"{name}.residual"][: len(x)]
                if added and added[0] == f"{name}.residual":
                    x = x.clone()
                    x[added[1]] += added[2]
        x = norm(getattr(model, f"{side}_norm"), x, seen)
        memory = x if side == "encoder" else memory
    return float(x[STEP] @ model.output.weight[question.word].double())


def test_an_edge_is_what_its_message_does_to_the_logit_with_decisions_held() -> None:
    """Against a loop forward: without the message of one head from one token, the held logit falls by the edge."""
    question = kino()
    graph, model = contribution_graph(german_english().model, question), german_english().model
    whole = held_logit(question)
    bias = 0.0 if model.output.bias is None else float(model.output.bias[question.word])
    assert whole + bias == pytest.approx(graph.logit, abs=1e-3)
    for edge in strongest(graph, 8):
        step = graph.steps[edge.step]
        if edge.key is None:
            name = f"{step.side}.{step.layer}.feed_forward"
            message = torch.from_numpy(question.run.trace.values[f"{name}.output"][edge.row]).double()
        else:
            name, module = path(edge.kind, edge.layer), attention_of(model, edge.kind, edge.layer)
            values = question.run.trace.values
            head = slice(edge.head * module.head_size, (edge.head + 1) * module.head_size)
            v = torch.from_numpy(values[f"{name}.v"][edge.head, edge.key]).double()
            weight = float(values[f"{name}.weights"][edge.head, edge.row, edge.key])
            message = weight * module.output.weight[:, head].double() @ v
        without = held_logit(question, (f"{name}.residual", edge.row, -message))
        assert whole - without == pytest.approx(edge.value, abs=1e-4)


def test_by_hand_the_logit_comes_along_the_one_head_from_b() -> None:
    checkpoint = copier()
    graph = contribution_graph(checkpoint.model, Question(passed(checkpoint, B, C, A), row=3, word=A, rather=C))
    first, *others = strongest(graph, 4)
    assert (first.head, first.row, first.key) == (0, 3, 1)
    assert first.value == pytest.approx(GAIN / 4)
    assert [edge.value for edge in others] == pytest.approx([0] * len(others))
    assert graph.inputs["decoder"] == pytest.approx([0, GAIN / 4, 0, 0])


@pytest.mark.parametrize("grow", [strongest, chance])
def test_the_edges_of_a_pruned_graph_hang_together(grow) -> None:
    graph = contribution_graph(german_english().model, kino())
    edges = grow(graph, 48)
    assert len(edges) == len(set(edges)) == 48
    reached = {("decoder", STEP): len(graph.steps)}
    for edge in edges:
        side = graph.steps[edge.step].side
        assert edge.step < reached[side, edge.row]
        if edge.key is not None:
            lower = ("encoder", edge.key) if edge.kind == "cross" else (side, edge.key)
            reached[lower] = max(reached.get(lower, 0), edge.step)


def ablated(question: Question, graph: Graph, edges: list[Edge]) -> float:
    """A run with a tap of its own in place of edits: what has no edge is moved and written nowhere."""
    model = german_english().model

    def tap(name: str, value: torch.Tensor) -> torch.Tensor:
        for number, step in enumerate(graph.steps):
            mine = [edge for edge in edges if edge.step == number]
            if step.rows is not None and name == f"{step.side}.{step.layer}.feed_forward.output":
                rows = [edge.row for edge in mine]
                return torch.stack([each if at in rows else each * 0 for at, each in enumerate(value[0])])[None]
            if step.heads is not None and name == f"{path(step.kind, step.layer)}.weights":
                kept = {(edge.head, edge.row, edge.key) for edge in mine}
                result = torch.zeros_like(value)
                for at in kept:
                    result[0][at] = value[0][at]
                return result
        return value

    ids = [torch.tensor([each]) for each in (question.source, question.target)]
    with torch.inference_mode():
        return float(row_logits(model, *ids, None, torch.tensor([question.row]), tap)[0, question.word])


def test_what_is_kept_is_what_the_model_gives_with_all_other_edges_ablated() -> None:
    question = kino()
    graph = contribution_graph(german_english().model, question)
    edges = strongest(graph, 24)
    sets = [edges[:count] for count in (0, 6, 24)]
    logits = logits_of(german_english(), question, graph, sets)
    assert logits == pytest.approx([ablated(question, graph, each) for each in sets], abs=1e-4)


def test_with_all_edges_the_logit_is_kept_and_held_weights_change_nothing() -> None:
    checkpoint = load(Entry(SAMPLES / "reverse"))
    run = translate(checkpoint, "ab")
    question = Question(run, 1, int(generated(run)[1]))
    graph = contribution_graph(checkpoint.model, question)
    everything = strongest(graph, 10_000)
    for held in (False, True):
        [logit] = logits_of(checkpoint, question, graph, [everything], held)
        assert logit == pytest.approx(graph.logit, abs=1e-3)


def test_a_share_is_a_place_on_the_way_and_nothing_where_there_is_no_way() -> None:
    assert share_kept(4.0, whole=10.0, without=2.0) == 0.25
    assert math.isnan(share_kept(1.0, whole=1.1, without=1.0))
