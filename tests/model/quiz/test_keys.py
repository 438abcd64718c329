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


@pytest.mark.parametrize("model", MODELS)
def test_shapes_and_counts(model: str) -> None:
    transformer, found = run(model)
    trace, config = found.trace, transformer.config
    known = asked(model, 1)
    own = trace.source_tokens or trace.target_tokens
    assert known["shape_scores"].key == (config.heads, len(own), len(own))
    assert known["head_width"].key == config.d_model // config.heads
    modules = [part for part in transformer.modules() if isinstance(part, MultiHeadAttention)]
    assert known["attentions"].key == len(modules)
    layer = (*transformer.encoder, *transformer.decoder)[0].feed_forward
    assert ("ffn_weights" in known) != config.gated  # whose third matrix is the gate
    if not config.gated:
        assert known["ffn_weights"].key == layer.hidden.weight.numel() + layer.output.weight.numel()
        assert known["ffn_weights"].values["total"] == f"{count_parameters(transformer)['total']:,}"
    if "cross_shape" in known:
        assert known["cross_shape"].key == (config.heads, len(trace.target_tokens), len(trace.source_tokens))
    if "cache" in known:
        tokens = len(trace.target_tokens)
        assert known["cache"].key == 2 * config.decoder_layers * tokens * config.d_model
        assert known["allowed_cells"].key == tokens * (tokens + 1) // 2


@pytest.mark.parametrize("model", MODELS)
def test_rows_and_heads(model: str) -> None:
    found = run(model)[1]
    for numbers in DRAWS:
        known = asked(model, numbers)
        if "row_sum" in known:
            one = known["row_sum"]
            assert one.picture is not None
            assert np.nansum(one.picture.values) == pytest.approx(1 - one.key, abs=1e-5)
        if "read_row" in known:
            one = known["read_row"]
            assert one.picture is not None
            row = one.picture.values[one.picture.row]
            assert one.picture.rows[one.picture.row] == one.values["query"]
            assert one.texts[one.key] == one.picture.columns[int(row.argmax())]
        if "saturate" in known:
            one = known["saturate"]
            assert one.picture is not None
            for factor in one.options:
                largest = torch.softmax(torch.tensor(one.picture.values) * factor, 0).max()
                assert (largest >= 0.99) == (factor >= one.key)
        if "residual_sum" in known:
            assert number(str(known["residual_sum"].values["result"])) == pytest.approx(known["residual_sum"].key)
    for at in ("previous", "first"):
        if f"head_{at}" not in asked(model, 1):
            continue
        for name, share in asked(model, 1)[f"head_{at}"].measured.items():
            kind, layer, head = name.split("/")
            weights = found.trace.values[f"{kind}.{layer}.self_attention.weights"][int(head)]
            hits = [int(row.argmax()) == (n - 1 if at == "previous" else 0) for n, row in enumerate(weights) if n]
            assert share == np.mean(hits)
            assert (name in asked(model, 1)[f"head_{at}"].key) == (np.mean(hits) >= 0.5)
        one = asked(model, 1)[f"head_{at}"]
        kind, layer, head = one.key[0].split("/")
        weights = found.trace.values[f"{kind}.{layer}.self_attention.weights"][int(head)]
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
    drawn = model_questions.masks(6, 2, 4)
    assert np.array_equal(drawn["padding"][0], masks.padding(ids)[0, 0, 0].numpy())
    assert np.array_equal(drawn["causal"], masks.causal(6)[0, 0].numpy())
    assert np.array_equal(drawn["combined"], masks.decoder_self(ids)[0, 0].numpy())
    assert np.array_equal(drawn["cross"], masks.cross(ids)[0, 0].expand(4, 6).numpy())


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
    known = asked("de-en", numbers)
    v = known["lookup"].values
    fruits = ("apple", "banana", "chair")
    assert known["lookup"].key == pytest.approx(sum(v[f"value_{f}"] * v[f"weight_{f}"] for f in fruits))  # type: ignore[operator]
    assert sum(v[f"weight_{f}"] for f in fruits) == pytest.approx(1)  # type: ignore[misc]
    assert known["why_scale"].key ** 2 == known["why_scale"].values["d_k"]
    v = known["wavelength"].values
    table = sinusoidal_positions(2, int(v["d_model"]), float(str(v["base"]).replace(",", "")))  # type: ignore[call-overload]
    angle = math.atan2(table[1, v["even"]], table[1, v["odd"]])  # type: ignore[index]
    assert known["wavelength"].key == pytest.approx(2 * math.pi / angle, rel=1e-3)
    v = known["norm_entry"].values
    normed = nn.functional.layer_norm(torch.tensor([float(x) for x in str(v["x"]).split(",")]), (4,))
    assert known["norm_entry"].key == pytest.approx(float(normed[int(v["place"]) - 1]), abs=1e-3)  # type: ignore[call-overload]
    v = known["energy_ratio"].values
    vocabulary, d = int(str(v["vocabulary"]).replace(",", "")), int(v["d_model"])  # type: ignore[call-overload]
    assert known["energy_ratio"].key == pytest.approx(4 * d / (vocabulary + d))
    v = known["tied"].values
    assert known["tied"].key == 2 * int(str(v["vocabulary"]).replace(",", "")) * int(v["d_model"])  # type: ignore[call-overload]
    assert known["quadratic"].key == known["quadratic"].values["factor"] ** 2  # type: ignore[operator]


@pytest.mark.parametrize("numbers", range(1, 6))
def test_positions(numbers: int) -> None:
    known = asked("de-en", numbers)
    one = known["base_least"]
    m, d_model = int(one.values["m"]), int(one.values["d_model"])  # type: ignore[call-overload]
    far = {}
    for base in one.options:
        table = sinusoidal_positions(m + 2, d_model, base).double()
        far[base] = float((table[m + 1] - table[m]).norm())
    assert min(far, key=far.__getitem__) == one.key
    assert one.measured == {str(base): f"{value:.3f}" for base, value in far.items()}
    one = known["inner_product"]
    for d_model, base in ((32, 100.0), (64, 10_000.0), (512, 10_000.0)):
        table = sinusoidal_positions(64, d_model, base).double()
        asked_for = float(table[one.values["m"]] @ table[one.values["n"]])  # type: ignore[index]
        for name, text in one.texts.items():
            a, b = (int(part.partition(")")[0]) for part in text.split("(")[1:])
            assert (abs(float(table[a] @ table[b]) - asked_for) < 1e-4) == (name == "same")
