"""Terms of a score of a user's own model: against torch's own layer, and errors."""

import numpy as np
import pytest
import torch

import glassformer

D, HEADS, HEAD = 12, 3, 1
OWN = slice(HEAD * 4, HEAD * 4 + 4)


def parts() -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], np.ndarray]:
    """Parts of the last query and of all keys of a layer of torch that reads two vectors, and its scores (K)."""
    torch.manual_seed(0)
    attention = torch.nn.MultiheadAttention(D, HEADS, batch_first=True).eval()
    torch.nn.init.normal_(attention.in_proj_bias)
    wrote = {"embedding": torch.randn(5, D), "position": torch.randn(5, D)}
    w_q, w_k = attention.in_proj_weight[:D][OWN], attention.in_proj_weight[D : 2 * D][OWN]
    b_q, b_k = attention.in_proj_bias[:D][OWN], attention.in_proj_bias[D : 2 * D][OWN]
    query = {name: (w_q @ vectors[4]).detach().numpy() for name, vectors in wrote.items()} | {"bias": b_q.detach()}
    keys = {name: (vectors @ w_k.T).detach().numpy() for name, vectors in wrote.items()}
    keys["bias"] = b_k.expand(5, -1).detach()
    x = sum(wrote.values())[None]
    _, weights = attention(x, x, x, average_attn_weights=False)
    return query, keys, np.log(weights[0, HEAD, 4].detach().numpy())


def test_terms_add_up_to_the_differences_that_the_softmax_notices() -> None:
    query, keys, log_weights = parts()
    for key in range(5):
        figure = glassformer.score_terms(query, keys, key)
        [matrix] = figure.matrices
        assert matrix.rows == matrix.columns == ("embedding", "position", "bias")
        assert matrix.values.sum() == pytest.approx(log_weights[key] - log_weights.mean(), abs=1e-4)
    by_hand = query["position"] @ keys["embedding"][4] / 2
    [raw] = glassformer.score_terms(query, keys, 4, centred=False).matrices
    assert raw.values[1, 0] == pytest.approx(by_hand, abs=1e-6)
    assert "position" in glassformer.score_terms(query, keys, 4, language="zh").csv()


@pytest.mark.parametrize(
    ("query", "keys", "key", "says"),
    [
        ({}, {"a": [[1.0]]}, 0, "query is a dict of parts by name"),
        ({"a": [1.0, 2.0]}, {"a": [[1.0]]}, 0, "query has 2 numbers in each part, but keys have 1"),
        ({"a": [1.0]}, {"a": [[1.0]], "b": [[1.0], [2.0]]}, 0, r"keys\['b'\] has the shape \(2, 1\)"),
        ({"a": [[1.0]]}, {"a": [[1.0]]}, 0, r"query\['a'\] needs the axes \(numbers of the head\)"),
        ({"a": [1.0]}, {"a": [[1.0]]}, 1, "there are 1 keys, 0 to 0; there is no 1"),
    ],
)
def test_what_does_not_fit_is_named(query: dict, keys: dict, key: int, says: str) -> None:
    with pytest.raises((ValueError, TypeError), match=says):
        glassformer.score_terms(query, keys, key)
