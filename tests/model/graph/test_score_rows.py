"""The graphs of scores compute the terms of `score_terms` and the weights without one, in each kind of model."""

from collections.abc import Iterator

import numpy as np
import onnxruntime
import pytest
import torch

from model.attribution.score_terms.terms import ScoreRow, score_row
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load_model, random_model
from model.decode.recorded_pass import recorded
from model.edit.edited_pass import Edit, compose
from model.graph.export import Graphs, export, score_row_name
from model.graph.score_rows import OUTPUTS, PICKED, SIDES, belonging
from model.trace import AttentionKind, path
from model.transformer import Transformer
from tests.model.graph.test_export import _VARIANTS, TOLERANCE

VARIANTS = {
    name: _VARIANTS[name]
    for name in (
        "learned positions on both sides",
        "slopes of three heads",
        "rotary positions on both sides",
        "no norm, no positions",
        "parallel, with windows",
        "queries and keys normed",
        "today's",
        "narrow embedding, shared layers",
        "an answer in the second of two texts",
        "relative positions of an encoder",
    )
}
IDS = [1, 5, 7, 9, 4, 6, 2]
Values = dict[str, np.ndarray]


def _attentions(graphs: Graphs) -> Iterator[tuple[AttentionKind, int, onnxruntime.InferenceSession]]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    options.add_external_initializers_from_files_in_memory(["weights"], [graphs.weights], [len(graphs.weights)])
    for name in graphs.parts:
        kind, layer = name.split(".")
        graph = graphs.analyses[score_row_name(kind, int(layer))]
        yield kind, int(layer), onnxruntime.InferenceSession(graph, options)  # type: ignore[misc]


def _asked(session: onnxruntime.InferenceSession, values: Values, picked: list[int], grouped: list) -> Values:
    inputs = {name: value[None] for name, value in values.items()}
    inputs |= {name: np.array([number], np.int32) for name, number in zip(PICKED, picked, strict=True)}
    inputs |= {name: np.array(each, np.float32) for name, each in zip(("queries", "keys"), grouped, strict=True)}
    known = {each.name: inputs[each.name] for each in session.get_inputs()}
    return dict(zip(OUTPUTS, session.run(list(OUTPUTS), known), strict=True))


def _passed(model: Transformer, ids: list[int] = IDS) -> tuple[list[int], list[int]]:
    """Ids that it has, for the sides that it has."""
    config = model.config
    sizes = config.source_vocabulary, config.target_vocabulary if config.decoder_layers else 0
    source, target = ([each % size for each in ids] if size else [] for size in sizes)
    return source, target[:5]


def check(model: Transformer, graphs: Graphs | None = None) -> None:
    """Each attention: some cells, with parts in pairs, against the terms in double precision and a changed run."""
    source, target = _passed(model)
    values = recorded(model, source, target)
    for kind, layer, session in _attentions(graphs or export(model)):
        heads, queries, _ = values[f"{path(kind, layer)}.weights"].shape
        for head, query in ((0, queries - 1), (heads - 1, 1)):
            row = score_row(model, values, kind, layer, head, query)
            key = int(np.flatnonzero(row.allowed)[-1])
            groups = [
                [list(range(len(each)))[at : at + 2] for at in range(0, len(each), 2)]
                for each in (row.queries, row.keys)
            ]
            picked = [head, query, key, len(groups[0]) - 1, 0]
            grouped = belonging(groups, (len(row.queries), len(row.keys)))
            found = _asked(session, values, picked, grouped)
            _check_terms(found, row, key, groups)
            _check_weights(found, row, (groups[0][-1], groups[1][0]))
            _check_run(
                model, (source, target), (kind, layer, head, query), found, row.term(groups[0][-1], groups[1][0])
            )


def _check_terms(found: Values, row: ScoreRow, key: int, groups: list) -> None:
    for at, centred in enumerate((False, True)):
        table = row.table(key, centred=centred)
        expected = np.array([[table[np.ix_(p, r)].sum() for r in groups[1]] for p in groups[0]])
        sides = row.sides(key, centred=centred)
        size = max(np.abs(table).max(), 1e-3)
        np.testing.assert_allclose(found["table"][at], expected, rtol=0, atol=TOLERANCE * size)
        np.testing.assert_allclose(found["sides"][at], [sides[side] for side in SIDES], rtol=0, atol=TOLERANCE * size)
        np.testing.assert_allclose(found["score"][at], row.score(key, centred=centred), rtol=0, atol=TOLERANCE * size)


def _check_weights(found: Values, row: ScoreRow, term: tuple[list[int], list[int]]) -> None:
    actual, predicted, computed = found["weights"]
    np.testing.assert_allclose(actual, row.weights, rtol=0, atol=1e-6)
    np.testing.assert_allclose(predicted, row.without(*term), rtol=0, atol=TOLERANCE)
    assert found["apart"] == pytest.approx(np.abs(predicted - computed).max(), abs=1e-9)
    assert found["apart"] < 1e-5


def _check_run(
    model: Transformer, ids: tuple[list[int], list[int]], place: tuple[AttentionKind, int, int, int], found: Values,
    term: np.ndarray,
) -> None:  # fmt: skip
    """What the graph says that the model computes is what it computes in a run whose scores lack the term."""
    kind, layer, head, query = place
    less = torch.from_numpy(term).float()
    edit = Edit(f"{path(kind, layer)}.scores", lambda value, at: value - less, head=head, row=query)
    after = recorded(model, *ids, compose(model, edit))[f"{path(kind, layer)}.weights"][head, query]
    np.testing.assert_allclose(found["weights"][2], after, rtol=0, atol=1e-5)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", VARIANTS)
def test_the_graphs_of_a_variant_compute_the_terms(name: str) -> None:
    check(random_model(VARIANTS[name], seed=1))


def test_the_graphs_of_a_trained_model_compute_the_terms() -> None:
    check(load_model(catalogue.find("reverse")))


def test_terms_in_the_graph_add_up_to_what_the_graph_of_the_pass_records() -> None:
    """By hand: one group of all parts on each side is the recorded score, and without it all keys weigh the same."""
    model = load_model(catalogue.find("induction"))
    values = recorded(model, *_passed(model))
    for kind, layer, session in _attentions(export(model)):
        scores = values[f"{path(kind, layer)}.scores"]
        widths = [session.get_inputs()[-2 + at].shape[1] for at in range(2)]
        found = _asked(session, values, [0, 3, 2, 0, 0], [np.ones((1, width)) for width in widths])
        size = float(np.abs(scores).max())
        assert found["table"][0, 0, 0] == pytest.approx(scores[0, 3, 2], abs=1e-5 * size)
        assert found["table"][1, 0, 0] == pytest.approx(scores[0, 3, 2] - scores[0, 3, :4].mean(), abs=1e-5 * size)
        np.testing.assert_allclose(found["weights"][1:, :4], 0.25, atol=1e-5)  # no scores: all that is seen is alike
        assert (found["weights"][:, 4:] == 0).all()
