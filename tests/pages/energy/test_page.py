"""The energy page against known numbers, the formulas, and the checkpoint's file."""

import itertools
import json
from collections.abc import Iterator

import numpy as np
import pytest
from safetensors.numpy import load_file
from streamlit.testing.v1 import AppTest

from model.analysis import energy
from model.checkpoint.snapshots import ProbeAttention, Snapshot
from pages.energy import measured_cases
from pages.shared.models import models, warmup
from pages.shared.text.words import all_texts
from tests.app import controls, inside, nothing_is_marked_up, said, sentence, visit
from tests.figures import check_chart, watching_figures
from tests.samples import KINO, SAMPLES, either_language, german_english, in_turn
from viz.figures.chart import Chart
from viz.figures.figure import Figure

EN = {
    key.removeprefix("energy_chart."): text for key, text in all_texts("en").items() if key.startswith("energy_chart.")
}
TABLE = load_file(SAMPLES / "de-en" / "model.safetensors")["source_embedding.weight"].astype(np.float64)
IDS = german_english().tokenizer.encode(KINO)
SIDES = {"untrained-mini-encoder": 16 / 2, "untrained-pre-norm": 512 / 2}


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """The model is loaded, and what a fresh server measures first is measured."""
    warmup.warm_up()
    warmup._ready.wait()
    for row in energy.table(measure=False):
        measured_cases.measured(row.init, row.vocabulary, row.d_model)
    measured_cases._measured.set()


@pytest.fixture
def figures() -> Iterator[dict[str, tuple[dict, list[dict]]]]:
    """Every chart that the page shows, by its name: its specification, and its table to take away."""
    result: dict[str, tuple[dict, list[dict]]] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, Chart):
            check_chart(figure.spec)
            result[name] = figure.spec, list(figure.rows())

    with watching_figures(keep):
        yield result


def tables(spec: dict) -> list[list[dict]]:
    """The rows of every layer."""
    return [json.loads(part["data"]["values"]) for part in spec["layer"] if "data" in part]


def marks(spec: dict) -> dict[tuple[str, str], float]:
    """Ratios in the chart, by its row and kind of mark."""
    rows = next(values for values in tables(spec) if "kind" in values[0])
    return {(row["line"], row["kind"]): row["ratio"] for row in rows}


@pytest.mark.sample(3)
@in_turn(
    ("show", "name"),
    itertools.product(("claim", "tokens", "vocabulary"), ("de-en", "untrained-mini-encoder", "untrained-gpt")),
)
def test_the_page_in_each_language(show: str, name: str, language: str) -> None:
    app = visit("energy", language, checkpoint=name, show=show)
    assert [title.value for title in app.title] == [sentence(language, "energy.question")]
    assert [head.value for head in app.header] == [sentence(language, f"energy.{show}_title")]
    assert said(app) == []
    nothing_is_marked_up(app)


def test_the_numbers_of_the_sources_are_drawn(figures: dict) -> None:
    visit("energy")
    result = marks(figures["energy-claim"][0])
    assert len(result) == 4 * 2 * 2 * 3
    assert {value for (_, kind), value in result.items() if kind == EN["claimed"]} == {2}
    for line, right, ratio in (
        ("xavier 42 256", 3.44, 3.45),
        ("xavier 42 512", 3.70, 3.69),
        ("xavier 37000 512", 0.055, 0.055),
    ):
        assert result[line, EN["computed"]] == pytest.approx(right, rel=0.01)
        assert result[line, EN["measured"]] == pytest.approx(ratio, rel=0.02)
    for d_model in (256, 512):
        assert result[f"normal 42 {d_model}", EN["computed"]] == 2 * d_model
        assert result[f"normal 37000 {d_model}", EN["measured"]] == pytest.approx(2 * d_model, rel=0.01)
        assert result[f"scaled 37000 {d_model}", EN["measured"]] == pytest.approx(2, rel=0.01)
        assert result[f"small 42 {d_model}", EN["computed"]] == pytest.approx(2 * d_model * 0.0004, rel=1e-3)


def test_without_scaling_every_mark_moves_by_d_model(figures: dict) -> None:
    visit("energy")
    scaled = marks(figures["energy-claim"][0])
    visit("energy", unscaled="1")
    unscaled = marks(figures["energy-claim"][0])
    assert unscaled["scaled 42 512", EN["claimed"]] == pytest.approx(1 / 256, rel=1e-3)
    assert unscaled["normal 42 512", EN["computed"]] == 2
    # which initialisation does not need the factor, as the page says below
    strong = {row.split()[0] for (row, kind), ratio in unscaled.items() if kind == EN["computed"] and ratio >= 1}
    assert strong == {"normal"}
    assert scaled.keys() == unscaled.keys()
    for key, value in scaled.items():
        assert value / unscaled[key] == pytest.approx(int(key[0].split()[-1]), rel=2e-3)


def test_the_claim_is_said_to_hold_once(figures: dict) -> None:
    visit("energy")
    spec, rows = figures["energy-claim"]
    verdicts = next(values for values in tables(spec) if "text" in values[0])
    assert {row["line"]: row["holds"] for row in verdicts} == {
        "scaled": True, "xavier": False, "normal": False, "small": False,
    }  # fmt: skip
    assert {row["line"]: row["text"] for row in verdicts}["normal"] == EN["fails"].format(factor=512)
    assert {row["init"] for row in rows if row["claim_holds"]} == {"scaled"}


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_each_token_s_energy_is_that_of_its_row(side: str, figures: dict) -> None:
    visit("energy", show="tokens", side=side)
    rows = figures["energy-tokens"][1]
    if side == "encoder":
        for row, id_ in zip(rows, IDS, strict=True):
            assert row["embedding"] == pytest.approx((TABLE[id_] ** 2).sum(), rel=1e-4)
    assert rows[0]["embedding"] == pytest.approx((TABLE[1] ** 2).sum(), rel=1e-4)  # <bos> on both sides
    for row in rows:
        assert row["embedding_scaled"] == pytest.approx(144 * row["embedding"], rel=1e-5)
        assert row["position"] == pytest.approx(72, rel=1e-5)


def test_the_whole_table_is_summed_up() -> None:
    words = (TABLE[1:] ** 2).sum(axis=1).mean()
    values = {
        "embedding": f"{words:.3g}",
        "position": "72",
        "before": f"{words / 72:.3g}",
        "after": f"{2 * words:.3g}",
    }
    app = visit("energy", show="tokens")
    assert sentence("en", "energy.table_says", **values) in inside(app, "figure_tokens")


@pytest.mark.parametrize(("name", "position"), SIDES.items())
def test_other_systems_scale_or_say_that_they_do_not(name: str, position: float, figures: dict) -> None:
    app = visit("energy", show="tokens", checkpoint=name)
    key = "energy.tokens_plain" if "mini" in name else "energy.tokens_scaled"
    assert sentence("en", key) in [caption.value for caption in app.caption]
    for row in figures["energy-tokens"][1]:
        assert row["position"] == pytest.approx(position, rel=1e-5)


def test_the_vocabulary_matters_to_xavier_alone(figures: dict) -> None:
    app = visit("energy", show="vocabulary", d_model="64")
    spec, rows = figures["energy-vocabulary"]
    for row in rows:
        size = row["vocabulary"]
        expected = {"scaled": 2, "xavier": 4 * 64 / (size + 64), "normal": 128, "small": 128 * 0.0004}[row["init"]]
        assert row["ratio"] == pytest.approx(expected)
    assert "192" in str(spec)
    assert any("192" in caption.value for caption in app.caption)


STEPS, ROWS = (0, 100, 400, 900), (1.5, 2.0, 6.0, 4.5)  # a synthetic training: E‖e‖² at four moments


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The names of the models whose training is said to have been kept."""
    names: set[str] = set()
    look = ProbeAttention("", "", (), (), (), {})
    moments = [Snapshot(step, look, (), energy.Energy(e, 72, 144), {}) for step, e in zip(STEPS, ROWS, strict=True)]
    monkeypatch.setattr(measured_cases.history, "load", lambda entry: tuple(moments) if entry.name in names else ())
    models.KEPT.clear()
    yield names
    models.KEPT.clear()


@either_language
def test_the_way_of_the_training_is_drawn_moment_by_moment(trained: set[str], figures: dict, language: str) -> None:
    trained.add("de-en")
    app = visit("energy", language, show="drift")
    assert [head.value for head in app.header] == [sentence(language, "energy.drift_title")]
    spec, rows = figures["energy-drift"]
    assert [(row["step"], row["embedding"], row["embedding_scaled"], row["position"]) for row in rows] == [
        (step, row, 144 * row, 72) for step, row in zip(STEPS, ROWS, strict=True)
    ]
    marks = spec["data"]["values"]
    after = all_texts(language)["energy_chart.after"]
    assert [(row["step"], row["energy"]) for row in marks if row["kind"] == after] == [
        (step, 144 * row) for step, row in zip(STEPS, ROWS, strict=True)
    ]
    # the model multiplies by √d_model, so the ratio is 2 · E‖e‖²
    assert sentence(language, "energy.drift_says", first=0, before=3, last=900, after=9) in inside(app, "figure_drift")


@pytest.mark.parametrize(("name", "why"), [("untrained-gpt", "untrained"), ("de-en", "missing")])
def test_without_moments_the_page_says_so_and_leads_on(trained: set[str], name: str, why: str) -> None:
    app = visit("energy", show="drift", checkpoint=name)
    assert sentence("en", f"energy.drift_{why}") in inside(app, "figure_drift")
    assert sentence("en", "energy.drift_nowhere") in [caption.value for caption in app.caption]
    assert [button.key for button in app.button if button.key.startswith("drift")] == ["drift_train"]


def test_another_model_s_training_is_a_click_away(trained: set[str], figures: dict) -> None:
    trained.add("de-en")
    app = visit("energy", show="drift", checkpoint="untrained-gpt")
    assert "energy-drift" not in figures
    app.button(key="drift_other").click().run()
    assert app.selectbox(key="checkpoint").value == "de-en"
    assert "energy-drift" in figures


def test_the_training_of_a_model_of_the_user_s_language_is_offered(trained: set[str]) -> None:
    trained |= {"de-en", "zh-en"}
    app = visit("energy", "zh", show="drift", checkpoint="untrained-gpt")
    app.button(key="drift_other").click().run()
    assert app.selectbox(key="checkpoint").value == "zh-en"


@in_turn(
    ("show", "asked", "value"),
    [("claim", "unscaled", "maybe"), ("vocabulary", "d_model", "65"), ("tokens", "side", "<b>")],
)
def test_a_setting_that_is_none_is_said(show: str, asked: str, value: str, language: str) -> None:
    [notice] = said(visit("energy", language, show=show, **{asked: value}))
    assert value in notice


def test_the_steps_to_try_set_the_page_up() -> None:
    def after(step: int) -> AppTest:
        app = visit("energy")
        app.button(key=f"try_{step}").click().run()
        assert not app.exception
        return app

    assert after(0).toggle(key="unscaled").value
    assert after(1).select_slider(key="d_model").value == 64
    assert after(2).selectbox(key="checkpoint").value == "untrained-pre-norm"
    assert "side" in controls(after(2))
