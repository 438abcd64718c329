"""The graph of gradients computes what torch's backward pass does, at any lengths and for any number of scales."""

from typing import Any

import numpy as np
import pytest
import torch

from model.attribution.integration import first_scales, refined
from model.checkpoint.checkpoints import random_model
from model.graph.export import export
from model.graph.gradient_graph import GRADIENT, OUTPUTS, Products, applies
from tests.model.graph.test_export import _SMALL, _VARIANTS, TOLERANCE, _session

VARIANTS = {"as in the paper": _SMALL} | {name: config for name, config in _VARIANTS.items() if applies(config)}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_the_graph_of_a_variant_computes_gradients(name: str) -> None:
    model = random_model(VARIANTS[name], seed=1)
    graphs = export(model, with_score_rows=False, with_gradient=True)
    session = _session(graphs.analyses[GRADIENT], graphs.weights)
    random = np.random.default_rng(0)
    for source, target, count in ((1, 1, 1), (2, 5, 1), (9, 4, 3), (14, 14, 2)):
        lengths = {"source": source} if model.config.encoder_layers else {}
        given = {side: random.integers(4, 20, (1, length)) for side, length in (lengths | {"target": target}).items()}
        given |= {"row": np.array([random.integers(target)]), "word": random.integers(20, size=1)}
        inputs = {side: values.astype(np.int32) for side, values in given.items()}
        inputs |= {"scales": np.linspace(0.2, 1, count, dtype=np.float32)}
        expected = Products(model)(*map(torch.from_numpy, inputs.values()))
        for output, found, value in zip(OUTPUTS, session.run(list(OUTPUTS), inputs), expected, strict=True):
            assert found.shape == value.shape
            most = max(1e-2, float(value.abs().max()))
            np.testing.assert_allclose(found, value.numpy(), rtol=0, atol=TOLERANCE * most, err_msg=output)


@pytest.fixture(scope="module")
def path_graph() -> Any:
    graphs = export(random_model(_SMALL, seed=1), with_score_rows=False)
    return _session(graphs.analyses["path"], graphs.weights)


@pytest.mark.parametrize("case", ["one cut", "every cut", "known", "a deep norm"])
def test_the_graph_of_the_path_cuts_where_python_does(case: str, path_graph: Any) -> None:
    """Twice, so that there are panels of several lengths; scores and products need not belong to each other."""
    random, scales = np.random.default_rng(0), np.array(first_scales())
    for _ in range(2):
        scores = {"known": scales, "a deep norm": np.sign(scales)}.get(case, 9 * scales**3)
        products = np.stack([scores if case == "known" else 27 * scales**3, 0 * scales], axis=1)
        if case == "every cut":
            products = random.normal(size=(len(scales), 5)) * 30
        table = np.stack([scales, scores, *products.T], axis=1).astype(np.float32)
        [found] = path_graph.run(None, {"input": table})
        totals, values, finer = (each.numpy() for each in refined(torch.from_numpy(table.astype(float))))
        assert len(found) == len(totals) + len(values) + len(finer)
        np.testing.assert_allclose(found, np.concatenate([totals, values, finer]), rtol=TOLERANCE, atol=TOLERANCE)
        np.testing.assert_allclose(found[-len(finer) :], finer, rtol=1e-6)
        assert (len(finer) == len(scales)) == (totals[3] <= totals[4])
        scales = finer
