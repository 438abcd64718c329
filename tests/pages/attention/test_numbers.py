"""Stages, arithmetic, rollout, measures and likeness against torch."""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
import torch

from model.decode.translate import translate
from tests.app import inside, visit
from tests.pages.attention.page import EN, HEAD, HERE, LAYER, Drawn, captions
from tests.samples import KINO, LANGUAGES, MARKUP, german_english
from viz.data import Matrix
from viz.matrices.attention.stage_matrices import STEPS

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture(scope="module")
def worked() -> dict[str, np.ndarray]:
    """The chosen head once more: no code of the page, the pass begins at the recorded residual stream."""
    model, values = german_english().model, translate(german_english(), KINO).trace.values
    block, size = model.decoder[LAYER], model.config.d_model // model.config.heads
    before = torch.from_numpy(values[f"decoder.{LAYER}.self_attention.residual"])
    memory = torch.from_numpy(values["encoder.output"])
    attention, own = block.cross_attention, slice(HEAD * size, (HEAD + 1) * size)
    x = block.residuals[1].norm(before)
    q, k, v = attention.q(x), attention.k(memory), attention.v(memory)
    split = lambda y: y.reshape(len(y), model.config.heads, size).transpose(0, 1)  # noqa: E731
    every = torch.nn.functional.scaled_dot_product_attention(split(q), split(k), split(v))  # (H, Q, D)
    row_of_heads = every.transpose(0, 1).reshape(len(x), -1)
    output = attention.output(row_of_heads)
    raw = torch.einsum("qd,kd->qk", q[:, own], k[:, own])
    result = {
        "before": before, "x": x, "memory": memory, "q": q[:, own], "k": k[:, own], "v": v[:, own],
        "w_q": attention.q.weight[own].T, "w_o": attention.output.weight.T, "b_o": attention.output.bias[None],
        "raw": raw, "scaled": raw / math.sqrt(size), "weights": (raw / math.sqrt(size)).softmax(dim=-1),
        "head_output": every[HEAD], "concatenated": row_of_heads, "output": output, "residual": before + output,
    }  # fmt: skip
    return {name: value.detach().numpy() for name, value in result.items()}


# the stages, worked out by torch from the model's own weights


def test_the_steps_show_the_pass(worked: dict[str, np.ndarray], drawn: Drawn) -> None:
    app = visit("attention", stage="input", **HERE)
    trace = translate(german_english(), KINO).trace
    on_screen: dict[str, Matrix] = {}
    for number, step in enumerate(STEPS):
        assert EN["attention_stages.of"].format(number=number + 1, count=len(STEPS)) in captions(app)
        assert app.segmented_control(key="stage").value == step
        on_screen |= drawn["stages"].matrices
        assert app.button(key="stage_next").disabled == (number == len(STEPS) - 1)
        app.button(key="stage_next").click().run() if number < len(STEPS) - 1 else None
        assert not app.exception
    for name, value in worked.items():
        np.testing.assert_allclose(on_screen[name].values, value, atol=2e-4, err_msg=name)
    assert on_screen["weights"].rows == trace.output_tokens
    assert on_screen["weights"].columns == trace.source_tokens
    assert on_screen["allowed"].values.all()
    app.button(key="stage_back").click().run()
    assert app.segmented_control(key="stage").value == "output"


def test_a_decoder_cannot_see_the_future(drawn: Drawn) -> None:
    visit("attention", stage="masked", attention_kind="decoder", layer="0", head="0")
    matrices = drawn["stages"].matrices
    count = len(matrices["allowed"].rows)
    np.testing.assert_array_equal(matrices["allowed"].values, np.tri(count, dtype=bool))
    assert (matrices["masked"].values[np.triu_indices(count, 1)] == -np.inf).all()


def test_a_step_names_its_shapes() -> None:
    app = visit("attention", stage="query", **HERE)
    formula = next(latex.value for latex in app.main.latex if "W^Q" in latex.value)
    assert r"\underset{144 \times 36}{W^Q_{2}}" in formula


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+(?:\.\d+)?(?:e−?\d+)?", text)]


# the arithmetic of a cell


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_written_out_adds_up(language: str, worked: dict[str, np.ndarray]) -> None:
    query, key = 4, 5
    app = visit("attention", language, view="cell", query=str(query), key=str(key), **HERE)
    bodies = [element.proto.body for element in app.main.get("html")]
    steps, row, products = (body for body in bodies if "gf-numbers" in body or "gf-products" in body)
    lines = [numbers(re.sub("<span>.*?</span>|<[^>]*>", " ", line)) for line in products.split("<li>")[1:]]
    q, k = worked["q"][query], worked["k"][key]
    assert len(lines) == 36
    for (a, b, product), x, y in zip(lines, q, k, strict=True):
        assert (a, b) == (pytest.approx(float(x), abs=1e-3), pytest.approx(float(y), abs=1e-3))
        assert product == pytest.approx(a * b, abs=0.51e-4)
    cells = [re.findall("<td>(.*?)</td>", line) for line in steps.split("<tr>")[2:]]
    (dot, score, power, total, weight), exact = zip(*[(numbers(a)[-1], numbers(b)[0]) for a, b in cells], strict=True)
    assert dot == pytest.approx(sum(line[2] for line in lines), abs=1e-6)
    assert score == pytest.approx(dot / 6, abs=0.51e-4)
    assert power == pytest.approx(math.exp(score), rel=1e-5)
    powers = [numbers(re.sub("<th.*?</th>", "", line))[1] for line in row.split("<tr")[2:]]
    assert powers[key] == power
    assert total == pytest.approx(sum(powers), rel=1e-5)
    assert weight == pytest.approx(power / total, abs=0.51e-4)
    raw, scaled = worked["raw"][query, key], worked["scaled"][query]
    powers_of_e = np.exp(scaled.astype(float))
    expected = (raw, scaled[key], powers_of_e[key], powers_of_e.sum(), worked["weights"][query, key])
    for each, value in zip(exact, expected, strict=True):
        assert each == pytest.approx(float(value), rel=1e-3)


def test_the_greatest_weight_is_worked_out_first(worked: dict[str, np.ndarray], drawn: Drawn) -> None:
    visit("attention", view="cell", **HERE)
    place = np.unravel_index(worked["weights"].argmax(), worked["weights"].shape)
    assert drawn["cell"].selection == ("weights", *place)


def test_a_forbidden_cell_is_worked_out_too() -> None:
    app = visit("attention", view="cell", attention_kind="decoder", layer="0", head="0", query="1", key="3")
    text = " ".join(inside(app, "arithmetic"))
    assert EN["attention_cell.hidden"] in text
    assert EN["attention_cell.forbidden"] in text


def test_typed_markup_is_text_in_the_arithmetic() -> None:
    app = visit("attention", view="cell", sentence=MARKUP)
    bodies = [element.proto.body for element in app.main.get("html")]
    assert not any("<b>x" in body or "<img" in body for body in bodies)


# rollout, measures, likeness


def test_rollout_is_that_of_the_paper(drawn: Drawn) -> None:
    for side in ("encoder", "decoder"):
        weights = translate(german_english(), KINO).trace.weights(side).astype(float)
        expected = np.eye(weights.shape[-1])
        for layer in weights[:2]:
            expected = (layer.mean(axis=0) / 2 + np.eye(len(expected)) / 2) @ expected
        visit("attention", view="rollout", side=side, upto="1")
        on_screen = drawn["rollout"].matrices["rollout"].values
        np.testing.assert_allclose(on_screen, expected, atol=1e-6)
        np.testing.assert_allclose(on_screen.sum(axis=1), 1, atol=1e-6)
        mean = drawn["rollout"].matrices["mean"].values
        np.testing.assert_allclose(mean, weights[1].mean(axis=0), atol=1e-6)


MEASURES: dict[str, Callable[[np.ndarray], float]] = {
    "entropy": lambda w: float(np.mean([-sum(x * math.log2(x) for x in row if x > 0) for row in w])),
    "distance": lambda w: float(np.mean([sum(x * abs(q - k) for k, x in enumerate(row)) for q, row in enumerate(w)])),
    "previous": lambda w: float(np.mean([w[q, q - 1] for q in range(1, len(w))])),
    "first": lambda w: float(np.mean(w[:, 0])),
    "diagonal": lambda w: float(np.trace(w) / len(w)),
    "coverage": lambda w: float(np.mean([min(1.0, column.sum()) for column in w.T])),
}


@pytest.mark.parametrize("name", MEASURES)
def test_measures_on_the_wall_and_in_the_table(name: str, drawn: Drawn) -> None:
    app = visit("attention", view="measures", measure=name)
    trace = translate(german_english(), KINO).trace
    kinds = {
        "coverage": ["cross"], "distance": ["encoder", "decoder"], "previous": ["encoder", "decoder"],
        "diagonal": ["encoder", "decoder"],
    }.get(name, ["encoder", "decoder", "cross"])  # fmt: skip
    walls, table = drawn["measures"].matrices, app.dataframe[0].value
    assert list(walls) == kinds
    assert len(table) == 36
    for kind, weights in ((kind, trace.weights(kind)) for kind in kinds):
        for layer in range(3):
            for head in range(4):
                expected = MEASURES[name](weights[layer, head].astype(float))
                assert walls[kind].values[layer, head] == pytest.approx(expected, abs=1e-5)
                lines = table[(table["kind"] == EN[f"attention_figure.wall_{kind}"]) & (table["layer"] == layer)]
                assert float(lines[lines["head"] == head][name].iloc[0]) == pytest.approx(expected, abs=1e-5)


def test_likeness_names_the_most_and_the_least_alike(drawn: Drawn) -> None:
    app = visit("attention", view="similarity", attention_kind="encoder")
    alike = drawn["similarity"].matrices["alike"]
    np.testing.assert_allclose(np.diag(alike.values), 1)
    np.testing.assert_allclose(alike.values, alike.values.T)
    off = np.where(np.eye(12, dtype=bool), -1, alike.values)
    i, j = sorted(np.unravel_index(off.argmax(), off.shape))
    expected = EN["attention_similarity.most"].format(
        first=f"{i // 4}·{i % 4}", second=f"{j // 4}·{j % 4}", value=f"{off.max():.3f}"
    )
    assert expected in [text.value for text in app.main.text]


def test_one_head_alone_is_said_so() -> None:
    app = visit("attention", checkpoint="untrained-mini-encoder", view="similarity")
    assert EN["attention_similarity.alone"] in captions(app)


# another divisor


@pytest.mark.parametrize("factor", ["1", "0", "0.25"])
def test_the_divisor_changes_the_weights_as_torch_does(
    factor: str, worked: dict[str, np.ndarray], drawn: Drawn
) -> None:
    d_k = worked["q"].shape[1]
    app = visit("attention", view="scale", factor=factor, **HERE)
    assert app.select_slider(key="factor").value == float(factor)
    divisor = float(factor) * math.sqrt(d_k) or 1.0
    own, new = (drawn["scale"].matrices[key] for key in ("own", "changed"))
    expected = (torch.from_numpy(worked["raw"]) / divisor).softmax(dim=-1).numpy()
    np.testing.assert_allclose(new.values, expected, atol=2e-3)
    entropy = -(expected * np.log2(expected.clip(1e-30))).sum(-1).mean()
    greatest = expected.max(-1).mean()
    assert EN["attention_scale.measures"].partition("·")[0].format(entropy=f"{entropy:.2f}") in new.note
    assert f"{greatest:.2f}" in new.note
    if factor == "1":  # the recorded weights themselves
        np.testing.assert_allclose(new.values, own.values, atol=1e-6)


def test_a_masked_cell_stays_empty_with_any_divisor(drawn: Drawn) -> None:
    visit("attention", view="scale", factor="4", attention_kind="decoder", layer="0", head="0")
    new = drawn["scale"].matrices["changed"].values
    assert (new[np.triu_indices(len(new), k=1)] == 0).all()
    np.testing.assert_allclose(new.sum(-1), 1)
