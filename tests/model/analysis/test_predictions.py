"""A trace of a large vocabulary: what is kept in place of its logits, and the logits computed again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.analysis import predictions
from model.analysis.softmax import log_softmax
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.config import TransformerConfig
from model.decode.recorded_pass import trace
from model.decode.translate import Translation
from model.edit import edit_effects
from model.tokenization.tokenizer import Tokenizer
from model.trace import Trace, load_trace
from model.transformer import Transformer

SIZES: dict[str, Any] = {"d_model": 16, "heads": 2, "d_ff": 24, "max_length": 32}
V = predictions.LARGE + 1
CONFIGS = {
    "encoder-decoder": TransformerConfig(
        source_vocabulary=23, target_vocabulary=V, encoder_layers=1, decoder_layers=1, output_bias=True, **SIZES
    ),
    "decoder": TransformerConfig(
        architecture="decoder", target_vocabulary=V, encoder_layers=0, decoder_layers=2, final_norm=True, **SIZES
    ),
    "encoder with a transform": TransformerConfig(
        architecture="encoder", source_vocabulary=V, target_vocabulary=V, encoder_layers=1, decoder_layers=0,
        output_transform=True, **SIZES,
    ),
}  # fmt: skip
TOKENIZER = Tokenizer.characters(["ab"], ())


def passed(model: Transformer, length: int = 5) -> Trace:
    source, target = list(range(1, length + 1)), list(range(2, length + 2))
    config = model.config
    return trace(model, TOKENIZER, source if config.encoder_layers else [], target if config.decoder_layers else [])


@pytest.fixture(params=CONFIGS)
def model(request: pytest.FixtureRequest) -> Transformer:
    return random_model(CONFIGS[request.param], 0)


@pytest.mark.parametrize("length", [1, 5, 19])
def test_logits_computed_again_equal_the_recorded_ones(model: Transformer, length: int, tmp_path: Path) -> None:
    whole = passed(model, length)
    short = predictions.without_logits(whole, lambda: model)
    np.testing.assert_array_equal(short.values["logits"], whole.values["logits"])
    assert short.values.get("logits") is not None
    assert set(short.values) == set(whole.values)
    assert len(short.values) == len(whole.values)
    assert "logits" in short.values
    assert "nothing" not in short.values
    with pytest.raises(KeyError):
        short.values["nothing"]
    short.save(tmp_path / "trace.npz")
    again = load_trace(tmp_path / "trace.npz")
    for name, value in whole.values.items():
        np.testing.assert_array_equal(again.values[name], value)


def test_what_is_asked_most_needs_no_model(model: Transformer) -> None:
    def never() -> Transformer:
        raise AssertionError("the logits are not needed")

    whole = passed(model)
    short, log_probabilities = predictions.without_logits(whole, never), log_softmax(whole.values["logits"])
    np.testing.assert_array_equal(predictions.generated(short), whole.values["logits"].argmax(axis=-1))
    order = np.argsort(-whole.values["logits"], axis=-1, kind="stable")  # (T, V)
    for count in (1, 6, predictions.KEPT):
        ids, values = predictions.candidates(short, 3, count)
        np.testing.assert_array_equal(ids, order[3, :count])
        np.testing.assert_allclose(values, log_probabilities[3, ids], rtol=1e-12)
        np.testing.assert_array_equal(ids, predictions.candidates(whole, 3, count)[0])
    ids_of_rows = order[np.arange(4), [0, 3, 9, 63]]
    np.testing.assert_allclose(
        predictions.log_probabilities(short, ids_of_rows), log_probabilities[np.arange(4), ids_of_rows], rtol=1e-12
    )
    one = predictions.log_probabilities(short, [order[3, 2]], 3)
    np.testing.assert_allclose(one, [log_probabilities[3, order[3, 2]]], rtol=1e-12)


def test_other_tokens_are_computed_again(model: Transformer) -> None:
    whole, calls = passed(model), []
    short = predictions.without_logits(whole, lambda: (calls.append(1), model)[1])
    order = np.argsort(-whole.values["logits"], axis=-1, kind="stable")
    ids = order[np.arange(5), [0, 1, predictions.KEPT, 2, V - 1]]
    expected = predictions.log_probabilities(whole, ids)
    np.testing.assert_array_equal(predictions.log_probabilities(short, ids), expected)
    assert calls == [1]
    np.testing.assert_array_equal(predictions.candidates(short, 0, 100)[0], order[0, :100])


def test_equal_logits_are_in_the_order_of_their_ids() -> None:
    logits = np.zeros((2, V), dtype=np.float32)
    logits[0, [7, 5000]] = 1
    values = {"decoder.output": np.zeros((2, 16), dtype=np.float32), "logits": logits}
    short = predictions.without_logits(Trace(values, (), (), ()), lambda: pytest.fail("not needed"))
    assert predictions.candidates(short, 0, 4)[0].tolist() == [7, 5000, 0, 1]
    assert predictions.generated(short).tolist() == [7, 0]
    np.testing.assert_allclose(predictions.candidates(short, 1, 1)[1], [-np.log(V)])


def test_a_small_vocabulary_and_vectors_keep_what_they_have() -> None:
    for vocabulary in (23, 0):
        config = TransformerConfig(
            architecture="encoder", source_vocabulary=23, target_vocabulary=vocabulary, encoder_layers=1,
            decoder_layers=0, **SIZES,
        )  # fmt: skip
        recording = passed(random_model(config, 0))
        assert predictions.without_logits(recording, lambda: pytest.fail("not needed")) is recording


def test_effects_of_heads_are_the_same() -> None:
    model = random_model(CONFIGS["encoder-decoder"], 0)
    whole, checkpoint = passed(model), Checkpoint("large", model, TOKENIZER)
    short = predictions.without_logits(whole, lambda: pytest.fail("not needed"))
    both = [
        edit_effects.head_effects(
            checkpoint, Translation("", "", "eos", (1, 2, 3, 4, 5), (2, 3, 4, 5, 6), each, {}, ()), "cross", 0
        )
        for each in (whole, short)
    ]
    assert np.abs(both[0]).max() > 0
    np.testing.assert_allclose(both[1], both[0], atol=1e-12)
