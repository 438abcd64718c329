"""What the logits of labels mean, beside numbers worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from model.analysis import labels
from model.config import TransformerConfig


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("one", [[1 / 3, 2 / 3], [1 / 2, 1 / 2]]),
        ("several", [[1 / 2, 2 / 3], [1 / 2, 1 / 2]]),
        ("score", [[0, np.log(2)], [0, 0]]),
        ("span", [[1 / 2, 2 / 3], [1 / 2, 1 / 3]]),
    ],
)
def test_shares_of_each_kind(kind: str, expected: list[list[float]]) -> None:
    logits = np.array([[0, np.log(2)], [0, 0]], dtype=np.float32)
    np.testing.assert_allclose(labels.shares(kind, logits), expected, rtol=1e-6)


@pytest.mark.parametrize("kind", ["score", "span"])
def test_one_asks_about_the_number_or_the_logit_itself(kind: str) -> None:
    logits = np.array([[-1.5, 2.0], [0.25, 3.0]], dtype=np.float32)
    assert labels.scores(kind, logits).tolist() == logits.tolist()


@pytest.mark.parametrize("logit", [-1000.0, 1000.0])
def test_large_logits_stay_finite(logit: float) -> None:
    for kind in ("one", "several", "span"):
        assert np.isfinite(labels.scores(kind, np.array([[logit, 0], [0, logit]]))).all()


def test_an_answer_ends_no_earlier_than_it_starts_and_stays_in_its_text() -> None:
    starts, ends = [9, 0, 1, 5, 0], [0, 0, 4, 0, 9]
    logits = np.array([starts, ends], dtype=np.float32).T
    assert labels.span(logits, range(5)) == (0, 4)
    assert labels.span(logits, range(1, 4)) == (2, 2)  # 1 + 4, where 5 + 4 would end before it starts
    assert labels.span(logits, range(3, 4)) == (3, 3)


def test_a_config_without_labels_has_no_kind() -> None:
    encoder = TransformerConfig(architecture="encoder", source_vocabulary=9, decoder_layers=0)
    assert labels.kind_of(encoder) == ""
    assert labels.kind_of(replace(encoder, labels=("a", "b"))) == "one"
    assert labels.kind_of(replace(encoder, labels=("a",), label_kind="score")) == "score"
