"""Laws that every pass obeys, whatever the weights."""

import threading

import numpy as np
import pytest
import torch

from model.decode.greedy import greedy
from model.tokenization.tokenizer import BOS
from model.trace import ATTENTION_KINDS, Recorder, Trace, load_trace
from model.transformer import Transformer
from tests.conftest import tiny
from tests.model.analysis.test_residual_stream import MASK, SOURCE, TARGET
from tests.model.analysis.test_residual_stream import values as values_of


@pytest.fixture
def values(model: Transformer) -> dict[str, np.ndarray]:
    return values_of(model)


def test_names_and_shapes(values: dict[str, np.ndarray]) -> None:
    s, t, d, h, ff = 5, 4, 16, 2, 24
    expected: dict[str, tuple[int, ...]] = {"encoder.output": (s, d), "decoder.output": (t, d), "logits": (t, 19)}
    for side, length in (("encoder", s), ("decoder", t)):
        expected |= {f"{side}.{part}": (length, d) for part in ("embedding", "position", "input")}
        for layer in range(2):
            kinds = {"self_attention": length} | ({"cross_attention": s} if side == "decoder" else {})
            for kind, keys in kinds.items():
                name = f"{side}.{layer}.{kind}"
                expected |= {f"{name}.q": (h, length, 8), f"{name}.k": (h, keys, 8), f"{name}.v": (h, keys, 8)}
                expected |= {f"{name}.{part}": (h, length, keys) for part in ("scores", "masked_scores", "weights")}
                expected |= {f"{name}.head_outputs": (h, length, 8)}
                expected |= {f"{name}.{part}": (length, d) for part in ("output", "residual")}
            name = f"{side}.{layer}.feed_forward"
            expected |= {f"{name}.hidden": (length, ff), f"{name}.output": (length, d), f"{name}.residual": (length, d)}
    assert {name: value.shape for name, value in values.items()} == expected


def test_rows_sum_to_one_and_the_future_weighs_nothing(values: dict[str, np.ndarray]) -> None:
    trace = Trace(values, (), (), ())
    for kind in ATTENTION_KINDS:
        weights = trace.weights(kind)
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
        assert weights.shape[:2] == (2, 2)
    future = np.triu(np.ones((4, 4), dtype=bool), 1)
    assert (trace.weights("decoder")[..., future] == 0).all()
    assert np.isneginf(values["decoder.0.self_attention.masked_scores"][:, future]).all()


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_residual_adds_up(norm: str) -> None:
    model = tiny(norm)
    recorder = Recorder()
    with torch.inference_mode():
        model(SOURCE, TARGET, MASK, recorder)
    for side, parts in (
        ("encoder", ("self_attention", "feed_forward")),
        ("decoder", ("self_attention", "cross_attention", "feed_forward")),
    ):
        before = recorder.values[f"{side}.input"]
        for layer in range(2):
            for number, part in enumerate(parts):
                name = f"{side}.{layer}.{part}"
                total = torch.from_numpy(before + recorder.values[f"{name}.output"])
                if norm == "post":
                    total = getattr(model, side)[layer].residuals[number].norm(total).detach()
                np.testing.assert_allclose(recorder.values[f"{name}.residual"], total, atol=1e-5)
                before = recorder.values[f"{name}.residual"]


def test_the_scores_are_scaled(values: dict[str, np.ndarray]) -> None:
    name = "decoder.1.cross_attention"
    product = values[f"{name}.q"] @ values[f"{name}.k"].transpose(0, 2, 1)
    np.testing.assert_allclose(values[f"{name}.scores"], product / np.sqrt(8), atol=1e-5)


def test_watching_changes_nothing(model: Transformer) -> None:
    with torch.inference_mode():
        assert torch.equal(model(SOURCE, TARGET, MASK), model(SOURCE, TARGET, MASK, Recorder()))


def test_a_tap_can_change_what_follows(model: Transformer) -> None:
    def without_attention(name: str, value: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(value) if name == "encoder.0.self_attention.output" else value

    recorder = Recorder(without_attention)
    with torch.inference_mode():
        logits = model(SOURCE, TARGET, MASK, recorder)
        assert not torch.equal(logits, model(SOURCE, TARGET, MASK))
    assert (recorder.values["encoder.0.self_attention.output"] == 0).all()


def test_padding_is_invisible(model: Transformer) -> None:
    padded = torch.tensor([[1, 5, 9, 7, 2, 0, 0, 0]])
    with torch.inference_mode():
        alone, beside = model(SOURCE, TARGET, MASK), model(padded, TARGET, padded != 0)
    torch.testing.assert_close(alone, beside, atol=1e-5, rtol=1e-5)


def test_cached_decoding_equals_recomputing(model: Transformer) -> None:
    sources = [[1, 5, 9, 7, 2], [1, 6, 2]]
    limit = 30
    output = greedy(model, sources, limit)
    for source, result in zip(sources, output, strict=True):
        ids, tokens = torch.tensor([source]), [BOS]
        with torch.inference_mode():
            while len(tokens) <= len(result.ids):
                logits = model(ids, torch.tensor([tokens]), torch.ones_like(ids, dtype=torch.bool))
                tokens.append(int(logits[0, -1].argmax()))
        assert tuple(tokens[1:]) == result.ids


def test_row_t_of_the_final_pass_equals_step_t(model: Transformer) -> None:
    final = Recorder()
    with torch.inference_mode():
        model(SOURCE, TARGET, MASK, final)
        for step in range(TARGET.size(1)):
            so_far = Recorder()
            model(SOURCE, TARGET[:, : step + 1], MASK, so_far)
            for name in ("logits", "decoder.output", "decoder.1.feed_forward.residual"):
                np.testing.assert_allclose(final.values[name][step], so_far.values[name][step], atol=1e-5)
            for part in ("self_attention", "cross_attention"):
                name = f"decoder.1.{part}.weights"
                count = so_far.values[name].shape[-1]
                np.testing.assert_allclose(final.values[name][:, step, :count], so_far.values[name][:, step], atol=1e-5)


def test_two_threads_sharing_a_model_never_mix(model: Transformer) -> None:
    sentences = [torch.tensor([[1, 3 + i, 4, 2]]) for i in range(2)]
    mask = torch.ones(1, 4, dtype=torch.bool)
    expected, wrong = [], []
    for sentence in sentences:
        recorder = Recorder()
        with torch.inference_mode():
            model(sentence, TARGET, mask, recorder)
        expected.append(recorder.values)

    def work(number: int) -> None:
        for _ in range(60):
            recorder = Recorder()
            with torch.inference_mode():
                model(sentences[number], TARGET, mask, recorder)
            if any(not np.array_equal(value, expected[number][name]) for name, value in recorder.values.items()):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_recorder_refuses_a_batch(model: Transformer) -> None:
    with pytest.raises(ValueError, match="one sentence at a time"):
        model(SOURCE.repeat(2, 1), TARGET.repeat(2, 1), MASK.repeat(2, 1), Recorder())


def test_a_trace_survives_its_file(values: dict[str, np.ndarray], tmp_path) -> None:
    trace = Trace(values, ("a", "<eos>"), ("<bos>",), ("ß",))
    trace.save(tmp_path / "trace.npz")
    copy = load_trace(tmp_path / "trace.npz")
    assert (copy.source_tokens, copy.output_tokens) == (("a", "<eos>"), ("ß",))
    assert copy.values.keys() == values.keys()
    assert all(np.array_equal(copy.values[name], values[name]) for name in values)
