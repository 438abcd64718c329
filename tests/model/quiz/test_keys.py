"""The keys of questions, from the weights of the model or worked out another way."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from model import masks
from model.initial_weights import count_parameters
from model.position_methods import sinusoidal_positions
from model.quiz import model_questions
from model.quiz.answers import number
from model.transformer import MultiHeadAttention
from tests.model.quiz.models import DRAWS, MODELS, asked, run

# the keys of live questions, from the weights of the model


@pytest.mark.sample(4)
@pytest.mark.parametrize("model", MODELS)
def test_shapes_and_counts(model: str) -> None:
    transformer, own_run = run(model)
    trace, config = own_run.trace, transformer.config
    questions = asked(model, 1)
    own = trace.source_tokens or trace.target_tokens
    assert questions["shape_scores"].key == (config.heads, len(own), len(own))
    assert questions["head_width"].key == config.d_model // config.heads
    modules = [part for part in transformer.modules() if isinstance(part, MultiHeadAttention)]
    assert questions["attentions"].key == len(modules)
    layer = (*transformer.encoder, *transformer.decoder)[0].feed_forward
    assert ("ffn_weights" in questions) != config.gated  # whose third matrix is the gate
    if not config.gated:
        assert questions["ffn_weights"].key == layer.hidden.weight.numel() + layer.output.weight.numel()
        assert questions["ffn_weights"].values["total"] == f"{count_parameters(transformer)['total']:,}"
    if "cross_shape" in questions:
        assert questions["cross_shape"].key == (config.heads, len(trace.target_tokens), len(trace.source_tokens))
    if "cache" in questions:
        tokens = len(trace.target_tokens)
        assert questions["cache"].key == 2 * config.decoder_layers * tokens * config.d_model
        assert questions["allowed_cells"].key == tokens * (tokens + 1) // 2


@pytest.mark.sample(4)
@pytest.mark.parametrize("model", MODELS)
def test_rows_and_heads(model: str) -> None:
    result = run(model)[1]
    for numbers in DRAWS:
        questions = asked(model, numbers)
        if "row_sum" in questions:
            one = questions["row_sum"]
            assert one.picture is not None
            assert np.nansum(one.picture.values) == pytest.approx(1 - one.key, abs=1e-5)
        if "read_row" in questions:
            one = questions["read_row"]
            assert one.picture is not None
            row = one.picture.values[one.picture.row]
            assert one.picture.rows[one.picture.row] == one.values["query"]
            assert one.texts[one.key] == one.picture.columns[int(row.argmax())]
        if "saturate" in questions:
            one = questions["saturate"]
            assert one.picture is not None
            for factor in one.options:
                largest = torch.softmax(torch.tensor(one.picture.values) * factor, 0).max()
                assert (largest >= 0.99) == (factor >= one.key)
        if "residual_sum" in questions:
            assert number(str(questions["residual_sum"].values["result"])) == pytest.approx(
                questions["residual_sum"].key
            )
    for at in ("previous", "first"):
        if f"head_{at}" not in asked(model, 1):
            continue
        for name, share in asked(model, 1)[f"head_{at}"].measured.items():
            kind, layer, head = name.split("/")
            weights = result.trace.values[f"{kind}.{layer}.self_attention.weights"][int(head)]
            hits = [int(row.argmax()) == (n - 1 if at == "previous" else 0) for n, row in enumerate(weights) if n]
            assert share == np.mean(hits)
            assert (name in asked(model, 1)[f"head_{at}"].key) == (np.mean(hits) >= 0.5)
        one = asked(model, 1)[f"head_{at}"]
        kind, layer, head = one.key[0].split("/")
        weights = result.trace.values[f"{kind}.{layer}.self_attention.weights"][int(head)]
        mean = np.diagonal(weights, -1).mean() if at == "previous" else weights[:, 0].mean()
        assert one.values["weight"] == f"{mean:.2f}"


@pytest.mark.parametrize("model", ["de-en", "gpt-char", "untrained-textbook"])
def test_the_residual_sum_is_what_the_model_adds(model: str) -> None:
    """The next sublayer gets the sum: x + output is the recorded residual."""
    values = run(model)[1].trace.values
    side = "encoder" if "encoder.input" in values else "decoder"
    after = values[f"{side}.input"] + values[f"{side}.0.self_attention.output"]
    np.testing.assert_allclose(after, values[f"{side}.0.self_attention.residual"], atol=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_logits_to_odds(model: str) -> None:
    if "next_word" in asked(model, 2):
        one = asked(model, 2)["next_word"]
        gap = number(str(one.values["a"])) - number(str(one.values["b"]))
        assert one.key == pytest.approx(math.exp(gap), rel=1e-6)


def test_masks_are_those_of_the_model() -> None:
    ids = torch.tensor([[5, 6, 7, 8, 0, 0]])
    patterns = model_questions.masks(6, 2, 4)
    assert np.array_equal(patterns["padding"][0], masks.padding(ids)[0, 0, 0].numpy())
    assert np.array_equal(patterns["causal"], masks.causal(6)[0, 0].numpy())
    assert np.array_equal(patterns["combined"], masks.decoder_self(ids)[0, 0].numpy())
    assert np.array_equal(patterns["cross"], masks.cross(ids)[0, 0].expand(4, 6).numpy())


def test_the_mask_that_is_shown_is_no_other() -> None:
    for numbers in range(1, 40):
        one = asked("de-en", numbers)["which_mask"]
        assert one.picture is not None
        values = one.values
        every = model_questions.masks(values["tokens"], values["padding"], values["queries"])  # type: ignore[arg-type]
        same = [name for name, mask in every.items() if np.array_equal(mask, one.picture.values)]
        assert same == [one.key]


# the keys of drawn questions, worked out another way


@pytest.mark.parametrize("numbers", range(1, 12))
def test_drawn_numbers(numbers: int) -> None:
    questions = asked("de-en", numbers)
    v = questions["lookup"].values
    fruits = ("apple", "banana", "chair")
    assert questions["lookup"].key == pytest.approx(sum(v[f"value_{f}"] * v[f"weight_{f}"] for f in fruits))  # type: ignore[operator]
    assert sum(v[f"weight_{f}"] for f in fruits) == pytest.approx(1)  # type: ignore[misc]
    assert questions["why_scale"].key ** 2 == questions["why_scale"].values["d_k"]
    v = questions["wavelength"].values
    table = sinusoidal_positions(2, int(v["d_model"]), float(str(v["base"]).replace(",", "")))  # type: ignore[call-overload]
    angle = math.atan2(table[1, v["even"]], table[1, v["odd"]])  # type: ignore[index]
    assert questions["wavelength"].key == pytest.approx(2 * math.pi / angle, rel=1e-3)
    v = questions["norm_entry"].values
    normed = nn.functional.layer_norm(torch.tensor([float(x) for x in str(v["x"]).split(",")]), (4,))
    assert questions["norm_entry"].key == pytest.approx(float(normed[int(v["place"]) - 1]), abs=1e-3)  # type: ignore[call-overload]
    v = questions["energy_ratio"].values
    vocabulary, d = int(str(v["vocabulary"]).replace(",", "")), int(v["d_model"])  # type: ignore[call-overload]
    assert questions["energy_ratio"].key == pytest.approx(4 * d / (vocabulary + d))
    v = questions["tied"].values
    assert questions["tied"].key == 2 * int(str(v["vocabulary"]).replace(",", "")) * int(v["d_model"])  # type: ignore[call-overload]
    assert questions["quadratic"].key == questions["quadratic"].values["factor"] ** 2  # type: ignore[operator]


@pytest.mark.parametrize("numbers", range(1, 6))
def test_positions(numbers: int) -> None:
    questions = asked("de-en", numbers)
    one = questions["base_least"]
    m, d_model = int(one.values["m"]), int(one.values["d_model"])  # type: ignore[call-overload]
    far = {}
    for base in one.options:
        table = sinusoidal_positions(m + 2, d_model, base).double()
        far[base] = float((table[m + 1] - table[m]).norm())
    assert min(far, key=far.__getitem__) == one.key
    assert one.measured == {str(base): f"{value:.3f}" for base, value in far.items()}
    one = questions["inner_product"]
    for d_model, base in ((32, 100.0), (64, 10_000.0), (512, 10_000.0)):
        table = sinusoidal_positions(64, d_model, base).double()
        asked_for = float(table[one.values["m"]] @ table[one.values["n"]])  # type: ignore[index]
        for name, text in one.texts.items():
            a, b = (int(part.partition(")")[0]) for part in text.split("(")[1:])
            assert (abs(float(table[a] @ table[b]) - asked_for) < 1e-4) == (name == "same")
