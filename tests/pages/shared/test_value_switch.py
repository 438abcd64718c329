"""The switch for weight times value: on Start and Attention, in a link, in files, and of a recording."""

import csv
import io
import json
import threading

import numpy as np
import pytest

from model.attribution.norm_based_attention import largest_fall, norm_weights
from model.decode.translate import translate
from pages.shared.models import warmup
from tests.app import downloads, said, sentence, visit
from tests.figures import attention, figures
from tests.samples import KINO, SAMPLES, german_english, in_turn
from viz.figures.figure import Figure
from viz.numbers import percent

__all__ = ["figures"]
pytestmark = pytest.mark.usefixtures("warm")
HERE = {"sentence": KINO, "attention_kind": "cross", "layer": "1", "head": "0"}


@in_turn("page", ["start", "attention"])
def test_the_switch_shows_norms_and_takes_them_back(page: str, language: str, figures: list[Figure]) -> None:
    app = visit(page, language, **HERE)
    trace = translate(german_english(), KINO).trace
    np.testing.assert_array_equal(attention(figures).panels["cross"].weights, trace.weights("cross"))
    assert attention(figures).words["scale"] == sentence(language, "attention_figure.scale")
    app.toggle(key="norms").set_value(True).run()
    assert app.query_params["norms"] in ("1", ["1"])
    expected = norm_weights(german_english().model, trace, "cross")
    np.testing.assert_allclose(attention(figures).panels["cross"].weights, expected, atol=1e-6)
    assert attention(figures).words["scale"] == sentence(language, "norms_figure.scale")
    assert sentence(language, "norms.limits") in [each.value for each in app.caption]
    app.toggle(key="norms").set_value(False).run()
    np.testing.assert_array_equal(attention(figures).panels["cross"].weights, trace.weights("cross"))
    assert "norms" not in app.query_params
    assert sentence(language, "norms.limits") not in [each.value for each in app.caption]
    assert said(app) == []


def test_a_link_opens_it_and_a_wrong_one_says_so() -> None:
    app = visit("attention", norms="1", view="measures")
    assert app.toggle(key="norms").value is True
    assert sentence("en", "norms.kept") in [each.value for each in app.caption]
    [notice] = said(visit("attention", norms="2"))
    assert sentence("en", "norms.label") in notice


@in_turn("kind", ["encoder", "decoder", "cross"])
def test_the_sentence_names_the_token_that_falls_most(kind: str, language: str, figures: list[Figure]) -> None:
    app = visit("attention", language, **HERE | {"attention_kind": kind}, norms="1")
    weights = translate(german_english(), KINO).trace.weights(kind)
    panel = attention(figures).panels[kind]
    fall = largest_fall(weights, panel.weights)
    numbers = {"before": percent(fall.weight, 1), "after": percent(fall.norm, 1)}
    text = sentence(language, "norms.falls", token=panel.keys[fall.key], layer=fall.layer, head=fall.head, **numbers)
    [shown] = [each.value for each in app.text if each.value.startswith(text)]
    is_sink = panel.key_specials[fall.key] and fall.weight - fall.norm >= 0.1
    assert shown.endswith(sentence(language, "norms.sink")) == is_sink


@in_turn("model", ["de-en", "zh-en"])
def test_the_recorded_fall_stands_beside_that_of_the_sentence(model: str, language: str) -> None:
    """With its interval and that of random weights; a model without a recording says nothing of it."""
    content = json.loads((SAMPLES / model / "sinks.json").read_text(encoding="utf-8"))
    falls = {key: each for key, each in content["largest_fall"].items() if key.startswith("encoder.")}
    key = max(falls, key=lambda each: falls[each]["fall"][0])
    row, token = falls[key], key.removeprefix("encoder.")
    _, low, high = row["fall"]
    most = max(each["fall"][0] for key, each in content["random_largest_fall"].items() if key.startswith("encoder."))
    ends = {name: f"{100 * share:.1f}" for name, share in (("low", low), ("high", high), ("random", most))}
    shares = {"before": percent(row["weight"][0], 1), "after": percent(row["norm"][0], 1)}
    place = {"token": token, "layer": row["layer"], "head": row["head"], "count": content["sentences"]}
    text = sentence(language, "norms.measured", **place, **shares, **ends)
    app = visit("attention", language, checkpoint=model, attention_kind="encoder", norms="1")
    assert text in [each.value for each in app.text]
    start = text.split(token)[0]
    app = visit("attention", language, checkpoint="reverse", attention_kind="encoder", norms="1")
    assert not any(start in each.value for each in app.text)


@in_turn("page", ["start", "attention"])
def test_norms_wait_for_the_model(
    page: str, language: str, figures: list[Figure], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    app = visit(page, language, norms="1")
    assert sentence(language, "norms.waits") in [each.value for each in app.caption]
    assert attention(figures).column == "weight"


def test_words_are_joined_after(figures: list[Figure]) -> None:
    visit("attention", sentence="Der Schmetterlingsflügel ist schön.", norms="1", words="1")
    panel = attention(figures).panels["encoder"]
    assert "Schmetterlingsflügel" in panel.keys
    np.testing.assert_allclose(panel.weights.sum(-1), 1, atol=1e-5)


@pytest.mark.parametrize(("norms", "column"), [("0", "weight"), ("1", "norm_share")])
def test_the_file_names_its_numbers(norms: str, column: str, figures: list[Figure]) -> None:
    app = visit("attention", norms=norms, **HERE)
    made = next(file.make() for key, file in downloads(app).items() if key.startswith("csv"))
    rows = list(csv.DictReader(io.StringIO(made.decode("utf-8-sig"))))
    assert column in rows[0]
    assert len({"weight", "norm_share"} & {*rows[0]}) == 1
    panel = attention(figures).panels["cross"]
    assert [float(row[column]) for row in rows] == pytest.approx(panel.weights[1, 0].ravel(), abs=1e-6)
