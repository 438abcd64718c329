"""The numbers of each mistake, worked out again from weights, formulas or by hand."""

import math
import re
from collections.abc import Iterator
from html import unescape

import numpy as np
import pytest
import torch

from model.mistakes import twins
from model.mistakes.known_mistakes import MISTAKES
from model.mistakes.metrics import Sample
from pages.break_it.twins import EXAMPLE
from tests.app import sentence
from tests.figures import watching_figures
from tests.pages.break_it.page import D, bodies, number, numbers, opened, run, softmax, values
from tests.samples import german_english
from viz.data import Matrix
from viz.figures.chart import Chart
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")


FIRST_HEAD = {"attention_kind": "encoder", "layer": "0", "head": "0"}


@pytest.fixture
def charted() -> Iterator[dict[str, dict[str, list[float]]]]:
    """The numbers of every chart, by its name and series."""
    result: dict[str, dict[str, list[float]]] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, Chart):
            result[name] = {}
            for row in figure.rows():
                result[name].setdefault(str(row["which"]), []).append(row.get("y", row.get("value")))

    with watching_figures(keep):
        yield result


def first_scores(side: str = "encoder") -> np.ndarray:
    """q·k of the first head of the first layer, not scaled, (T, T)."""
    q, k = (values()[f"{side}.0.self_attention.{part}"][0] for part in "qk")
    return q @ k.T


def test_inverted_frequencies(charted: dict, drawn: dict[str, Matrix]) -> None:
    app = opened("inverted_frequency")
    opened("inverted_frequency", show="effect")
    theta = 10_000.0 ** (-np.arange(0, D, 2) / D)
    np.testing.assert_allclose(charted["break-frequencies"]["healthy"], theta, rtol=1e-5)
    np.testing.assert_allclose(charted["break-frequencies"]["broken"], 1 / theta, rtol=1e-5)
    np.testing.assert_allclose(charted["break-neighbours"]["healthy"], np.cos(theta), atol=1e-5)
    np.testing.assert_allclose(charted["break-neighbours"]["broken"], np.cos(1 / theta), atol=2e-3)
    assert number(app, "at_width", d_model=64) == (pytest.approx(0.0001334), 7499)  # the numbers of system B
    places = np.arange(8)[:, None] / theta
    np.testing.assert_allclose(drawn["broken"].values[:, 1::2], np.cos(places), atol=2e-2)  # 8,799 rad in 32 bits


def test_growth_without_norms(charted: dict) -> None:
    app = opened("norm_ignored")
    model, x = german_english().model, torch.from_numpy(values()["encoder.input"])
    sizes = [x.square().mean().sqrt()]
    for layer in model.encoder:
        a, f = layer.self_attention, layer.feed_forward
        q, k, v = (part(x).view(len(x), 4, 36).transpose(0, 1) for part in (a.q, a.k, a.v))
        heads = (q @ k.transpose(1, 2) / 6).softmax(-1) @ v
        x = x + a.output(heads.transpose(0, 1).flatten(1))
        x = x + f.output(f.hidden(x).relu())
        sizes.append(x.square().mean().sqrt())
    np.testing.assert_allclose(charted["break-stream"]["broken"], [float(size) for size in sizes], rtol=1e-3)
    healthy = [values()[name] for name in ("encoder.input", *(f"encoder.{n}.feed_forward.residual" for n in range(3)))]
    np.testing.assert_allclose(
        charted["break-stream"]["healthy"], [math.sqrt(np.square(x.astype(float)).mean()) for x in healthy], rtol=1e-4
    )
    assert number(app, "growth")[1] == pytest.approx(float(sizes[-1] / sizes[0]), rel=1e-3)


def test_the_error_is_python_s_own() -> None:
    app = opened("result_for_function")
    assert [code.value for code in app.code] == [MISTAKES["result_for_function"].raises]


def test_unscaled_scores_saturate(charted: dict, drawn: dict[str, Matrix]) -> None:
    opened("unscaled_scores", **FIRST_HEAD)
    for which, by in (("healthy", 6.0), ("broken", 1.0)):  # √36
        weights = softmax(first_scores() / by)
        np.testing.assert_allclose(drawn[which].values, weights, atol=1e-4)
        np.testing.assert_allclose(
            charted["break-entropy"][which], -(weights * np.log(np.maximum(weights, 1e-30))).sum(-1), atol=1e-3
        )


def test_the_mean_entropy_and_gradient() -> None:
    on_screen = number(opened("unscaled_scores"), "softmax_gradient")
    entropy = number(opened("unscaled_scores"), "entropy")
    twin = twins.twins_in(MISTAKES["unscaled_scores"], german_english().model)[1]
    for place, each in enumerate((values(), twin.values(Sample(run().source, run().target)))):
        rows = [row for name, w in each.items() if name.endswith(".weights") for row in w.reshape(-1, w.shape[-1])]
        norms = [np.linalg.norm(np.diag(row) - np.outer(row, row)) for row in rows]
        assert on_screen[place] == pytest.approx(np.mean(norms), rel=1e-3)
        assert entropy[place] == pytest.approx(np.mean([-(r[r > 0] * np.log(r[r > 0])).sum() for r in rows]), rel=1e-3)


def test_energies_with_and_without_the_factor(charted: dict) -> None:
    app = opened("unscaled_embedding")
    rows = german_english().model.source_embedding.weight[list(run().source)]
    plain = rows.square().sum(-1).numpy()
    np.testing.assert_allclose(charted["break-energy"]["broken"], plain, rtol=1e-4)
    np.testing.assert_allclose(charted["break-energy"]["healthy"], plain * D, rtol=1e-4)
    np.testing.assert_allclose(charted["break-energy"]["formula"], D / 2, rtol=1e-5)
    assert number(app, "ratio") == (
        pytest.approx(plain.mean() * D / (D / 2), rel=1e-3), pytest.approx(plain.mean() / (D / 2), rel=1e-3)
    )  # fmt: skip


def test_an_init_that_does_not_fit_is_64_times_too_strong() -> None:
    good, bad = number(opened("unfit_init"), "ratio")  # at d_model 64: claimed 2, and 2 d
    assert good == pytest.approx(2, rel=0.35)  # a sentence of 8 tokens
    assert bad == pytest.approx(64 * good, rel=1e-3)


def test_the_future_is_seen_without_the_mask(charted: dict, drawn: dict[str, Matrix]) -> None:
    app = opened("no_causal_mask", layer="0", head="0")
    open_ = softmax(first_scores("decoder") / 6)
    np.testing.assert_allclose(drawn["broken"].values, open_, atol=1e-4)
    np.testing.assert_allclose(charted["break-future"]["broken"], np.triu(open_, 1).sum(-1), atol=1e-4)
    assert charted["break-future"]["healthy"] == [0.0] * 8
    good, bad = number(app, "future_share")
    assert good == 0 < 20 < bad


def test_padding_moves_the_output(charted: dict) -> None:
    app = opened("no_padding_mask")
    model, target = german_english().model, torch.tensor([run().target])

    def change(added: int, masked: bool) -> float:
        longer = torch.tensor([[*run().source, *[0] * added]])
        visible = longer != 0 if masked else torch.ones_like(longer, dtype=torch.bool)
        with torch.inference_mode():
            alone = model(longer[:, : len(run().source)], target, torch.ones(1, len(run().source), dtype=torch.bool))
            return float((model(longer, target, visible) - alone).abs().max())

    lines = charted["break-padding"]
    np.testing.assert_allclose(lines["broken"], [change(added, False) for added in range(13)], atol=1e-3)
    assert max(lines["healthy"]) < 1e-4
    assert number(app, "logit_change")[1] == float(f"{change(6, False):.4g}")


def test_the_two_fills_down_to_the_empty_row(drawn: dict[str, Matrix]) -> None:
    app = opened("finite_fill")
    scores = first_scores()[0] / 6
    for which in ("healthy", "broken"):
        for hidden, row in enumerate(drawn[which].values[:-1]):
            left = len(scores) - hidden
            by_hand = np.concatenate([softmax(scores[:left]), np.zeros(hidden)])
            np.testing.assert_allclose(row, by_hand, atol=1e-5)
    assert np.isnan(drawn["healthy"].values[-1]).all()
    np.testing.assert_allclose(drawn["broken"].values[-1], 1 / len(scores))
    assert numbers(app)[sentence("en", "break_numbers.nan_share")] == ("100%", "0%")


def test_columns_sum_to_one_and_rows_do_not(charted: dict, drawn: dict[str, Matrix]) -> None:
    app = opened("softmax_axis", **FIRST_HEAD)
    wrong = softmax(first_scores() / 6, axis=0)
    np.testing.assert_allclose(drawn["broken"].values, wrong, atol=1e-4)
    np.testing.assert_allclose(charted["break-row-sums"]["broken"], wrong.sum(-1), atol=1e-3)
    np.testing.assert_allclose(charted["break-row-sums"]["healthy"], 1, atol=1e-5)
    q, k = (values()[f"encoder.0.self_attention.{part}"] for part in "qk")
    all_heads = softmax(q @ k.transpose(0, 2, 1) / 6, axis=-2)
    assert number(app, "row_error")[1] == pytest.approx(np.abs(all_heads.sum(-1) - 1).max(), rel=1e-3)


def test_shared_ids_feed_the_target_twice() -> None:
    app = opened("same_ids")
    tables = [body for body in bodies(app) if "gf-batch" in body]
    ids = [[int(id_) for id_ in re.findall(r"<small>(\d+)</small>", table)] for table in tables]
    source, target = list(run().source), list(run().target)
    assert ids == [source, target, target, target]


def test_the_factor_between_the_layer_norms(charted: dict) -> None:
    app = opened("textbook_norm")
    opened("textbook_norm", show="effect")
    x = values()["encoder.input"].astype(float)
    by_hand = ((x - x.mean(-1, keepdims=True)) / (x.std(-1, ddof=1, keepdims=True) + 1e-6)).std(-1)
    np.testing.assert_allclose(charted["break-norm"]["broken"], by_hand, atol=1e-5)
    np.testing.assert_allclose(charted["break-norm"]["healthy"], 1, atol=1e-4)
    assert number(app, "deviation") == (1, pytest.approx(math.sqrt(143 / 144), abs=1e-4))
    assert charted["break-factor"]["formula"][3] == pytest.approx(math.sqrt(15 / 16))


def test_weights_recorded_after_dropout(charted: dict, drawn: dict[str, Matrix]) -> None:
    opened("recorded_after_dropout", **FIRST_HEAD)
    weights = softmax(first_scores() / 6)
    on_screen = drawn["broken"].values
    mask = on_screen != 0
    np.testing.assert_allclose(on_screen[mask], weights[mask] / 0.9, atol=1e-4)
    np.testing.assert_allclose(charted["break-row-sums"]["broken"], (weights * mask / 0.9).sum(-1), atol=1e-3)
    assert 0 < mask.sum() < mask.size
    np.testing.assert_allclose(charted["break-row-sums"]["healthy"], 1, atol=1e-5)


def test_the_published_row_belongs_to_base_100(drawn: dict[str, Matrix]) -> None:
    app = opened(EXAMPLE)
    row_in_book, right, other = drawn["row"].values
    assert row_in_book.tolist() == [0.541, -0.489, 0.895, 1.655]
    sums = [0.4 + math.sin(3), 0.5 + math.cos(3)]
    np.testing.assert_allclose(right, [*sums, 0.6 + math.sin(0.03), 0.7 + math.cos(0.03)])
    np.testing.assert_allclose(other, [*sums, 0.6 + math.sin(0.3), 0.7 + math.cos(0.3)])
    assert np.abs(row_in_book - other).max() < 1.1e-3 < 0.04 < np.abs(row_in_book - right)[2:].min()
    lines = list(numbers(app).values())
    assert lines == [("0.541", "0.541"), ("-0.490", "-0.489"), ("0.630", "0.895"), ("1.700", "1.655")]


@pytest.mark.parametrize("key", ["softmax_axis", "norm_ignored", "unscaled_embedding"])
def test_what_a_broken_model_writes(key: str) -> None:
    app = opened(key, show="effect")
    [outputs] = [body for body in bodies(app) if "gf-outputs" in body]
    cards = [
        re.sub("<.*?>", "", part) for part in re.findall(r"<p[^>]*>(.*?)</p>", outputs)
    ]  # fmt: skip
    assert unescape(cards[0]).replace(" .", ".") == run().text
    assert cards[1] != cards[0]
