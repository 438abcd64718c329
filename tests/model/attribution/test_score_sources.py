"""Shares of the variance of scores: they add up to 1, and each source is found where only it is at work."""

import numpy as np
import pytest

from model.attribution.score_terms.sources import SOURCES, begins, matched, shares
from model.decode.translate import translate
from model.measurements import score_sources
from model.transformer import Transformer
from tests.model.attribution.test_logit_parts import CASES, made
from tests.model.attribution.test_score_terms import MORE
from tests.samples import BUCH, KINO, german_english


@pytest.mark.parametrize("name", [*CASES, *MORE])
def test_shares_add_up_in_each_kind_of_model(name: str) -> None:
    checkpoint = made((CASES | MORE)[name])
    found = shares(checkpoint.model, translate(checkpoint, KINO).trace)
    assert found
    for each in found.values():
        assert sum(each.values()) == pytest.approx(1)


def silenced(model: Transformer, part: str) -> None:
    """Let an input write nothing."""
    if part == "embedding":
        model.source_embedding.weight.zero_()
    else:
        model.sinusoids.zero_()


@pytest.mark.parametrize(("without", "left"), [("position", "content"), ("embedding", "position")])
def test_what_alone_is_left_has_the_whole_variance_of_the_first_layer(without: str, left: str) -> None:
    checkpoint = made({"norm": "none"})
    silenced(checkpoint.model, without)
    found = shares(checkpoint.model, translate(checkpoint, KINO).trace)
    for head in range(4):
        assert found["encoder", 0, head] == pytest.approx(
            {source: float(source == left) for source in SOURCES}, abs=1e-6
        )
        assert max(found["encoder", 1, head][later] for later in ("heads", "feed_forward")) > 0.01


def test_a_share_is_a_covariance_with_the_score() -> None:
    """By hand for a head of a layer without norms: content alone is what torch's modules make of the embeddings."""
    checkpoint = made({"norm": "none", "projection_bias": False})
    values = translate(checkpoint, KINO).trace.values
    attention = checkpoint.model.encoder[0].self_attention
    embedding = values["encoder.embedding"].astype(np.float64)
    q, k = (getattr(attention, letter).weight.double().numpy()[4:8] for letter in "qk")
    content, score = embedding @ q.T @ k @ embedding.T / 2, values["encoder.0.self_attention.scores"][1]
    content, score = (each - each.mean(axis=1, keepdims=True) for each in (content, score))
    found = shares(checkpoint.model, translate(checkpoint, KINO).trace)["encoder", 0, 1]
    assert found["content"] == pytest.approx((content * score).sum() / (score**2).sum(), abs=1e-5)


def test_the_measurement_has_every_head_and_its_twin() -> None:
    results = score_sources.measure(german_english(), [KINO, BUCH])
    assert results["sentences"] == 2
    for name in ("heads", "random"):
        assert len(results[name]) == 36
        for row in results[name].values():
            assert sum(mean for mean, _, _ in row.values()) == pytest.approx(1, abs=1e-3)
    count, rho = results["test"]["all"]
    assert 900 < count <= score_sources.CELLS
    assert sum(each for each, _ in results["test"].values()) == pytest.approx(2 * count, abs=3)
    assert sum(each for each, _ in results["test_heads"].values()) == count  # each cell is of one head
    assert results["test_heads"].keys() == results["heads"].keys()
    assert 0.3 < rho < 1  # better than chance, and not exact: later parts read what is replaced
    first = [row["content"][0] for head, row in results["heads"].items() if head.startswith("encoder.0")]
    assert min(first) > 0.5  # what the first layer of the encoder matches is content


def test_how_far_scores_spread_beside_what_they_match() -> None:
    """By hand for a decoder: the standard deviation over the keys that each row may see."""
    checkpoint = made(CASES["post"])
    run = translate(checkpoint, KINO)
    found = matched(checkpoint.model, [run.trace])["decoder", 1, 2]
    rows = run.trace.values["decoder.1.self_attention.scores"][2]
    rest = [row[: at + 1] - row[: at + 1].mean() for at, row in enumerate(rows)]
    assert found.spread == pytest.approx(np.concatenate(rest).std(), rel=1e-4)
    assert found.shares == shares(checkpoint.model, run.trace)["decoder", 1, 2]


def test_a_head_begins_where_half_of_the_spread_is_reached() -> None:
    assert begins({0: 0.1, 50: 0.4, 20: 0.6, 100: 1.0}) == 20
    assert begins({0: 1.0, 100: 1.0}) == 0
