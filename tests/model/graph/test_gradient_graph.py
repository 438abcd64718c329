"""The graph of gradients computes what torch's backward pass does, at any lengths and for any number of scales."""

import numpy as np
import pytest
import torch

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
