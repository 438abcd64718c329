"""The page of the forecast: what it shows is computed again from prices and weights, by other means."""

import io
import math
import re
from functools import cache
from html import unescape
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.forecast.prices import MOST_DAYS, Prices, as_csv, load_prices
from model.train.report import RunReport
from pages.forecast import forecast_state
from pages.forecast import upload as forecast_upload
from tests.app import inside, nothing_is_marked_up, said, sentence, visit
from tests.model.forecast.small import walk
from tests.pages.pretended_queue import Queue, queue
from tests.samples import LANGUAGES, SAMPLES
from viz.data import Matrix

__all__ = ["queue"]
pytestmark = pytest.mark.usefixtures("warm")

DAYS, SPLIT, WINDOW = 3269, 2942, 20  # returns of the shipped series, those learned from, days read


def opened(language: str = "en", **address: str) -> AppTest:
    app = visit("forecast", language, **address)
    nothing_is_marked_up(app)
    return app


@cache
def returns() -> np.ndarray:
    return np.log(load_prices().prices[1:] / load_prices().prices[:-1])


@cache
def scaled() -> np.ndarray:
    training = returns()[:SPLIT]
    return (returns() - training.sum() / SPLIT) / math.sqrt(((training - training.sum() / SPLIT) ** 2).sum() / SPLIT)


@cache
def model():
    return checkpoints.load_model(Entry(SAMPLES / "forecast"))


def foretold(known: np.ndarray) -> float:
    """The next return by the model, from scaled days; scaled back."""
    read = torch.tensor(known[None, -WINDOW:].copy(), dtype=torch.float32)
    with torch.inference_mode():
        out = float(model()(read, None, torch.ones(1, WINDOW, dtype=torch.bool))[0, -1, 0])
    training = returns()[:SPLIT]
    return out * float(training.std()) + float(training.mean())


@cache
def forecasts() -> np.ndarray:
    return np.array([foretold(scaled()[:at]) for at in range(SPLIT, DAYS)])


def of(rows: list[dict], which: str) -> np.ndarray:
    return np.array([row["y"] for row in rows if row["which"] == which])


def table(app: AppTest) -> dict[str, list[str]]:
    [body] = [html.proto.body for html in app.main if html.type == "html" and "<tbody>" in html.proto.body]
    lines = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', body)
    return {unescape(name): re.findall(r"<td>(.*?)</td>", cells) for name, cells in lines}


# what is on the page


def test_the_series_is_split_in_time_and_scaled_by_what_is_learned(charted: dict) -> None:
    opened(show="series")
    rows = charted["forecast-series"]
    assert len(rows) == DAYS
    np.testing.assert_allclose([row["log_return"] for row in rows], returns())
    np.testing.assert_allclose([row["scaled"] for row in rows], scaled())
    assert [row["part"] for row in rows] == ["learned"] * SPLIT + ["held out"] * (DAYS - SPLIT)
    assert int(0.9 * DAYS) == SPLIT


@pytest.mark.parametrize("language", LANGUAGES)
def test_forecast_and_actual_have_their_names_the_right_way_round(language: str, charted: dict) -> None:
    app = opened(language)
    rows = charted["forecast-against"]
    np.testing.assert_allclose(of(rows, "actual"), returns()[SPLIT:])
    np.testing.assert_allclose(of(rows, "forecast"), forecasts(), atol=1e-7)
    assert len(np.unique(of(rows, "forecast"))) > 300
    content = " ".join(text.value for text in app.main.text)
    assert f"{100 * forecasts().std():.2f}%" in content
    assert f"{100 * returns()[SPLIT:].std():.2f}%" in content
    assert sentence(language, "forecast.no_advice") in content


def test_prices_are_yesterdays_true_price_moved_by_the_forecast(charted: dict) -> None:
    opened(shown="prices")
    prices = load_prices().prices
    expected = [prices[SPLIT + i] * math.exp(value) for i, value in enumerate(forecasts())]
    np.testing.assert_allclose(of(charted["forecast-against"], "forecast"), expected, rtol=1e-6)
    np.testing.assert_allclose(of(charted["forecast-against"], "actual"), prices[SPLIT + 1 :])


def test_errors_and_verdicts_are_those_of_a_direct_computation(charted: dict) -> None:
    app = opened(show="errors")
    actual = returns()[SPLIT:]
    others = {"tomorrow = 0": 0 * actual, "tomorrow = today": returns()[SPLIT - 1 : -1]}
    lines = table(app)
    for name, values in {"the model": forecasts(), **others}.items():
        off = values - actual
        signs = np.mean(np.sign(values) == np.sign(actual)) if values.any() else None
        on_screen = [f"{100 * math.sqrt((off**2).mean()):.3f}%", f"{100 * abs(off).mean():.3f}%"]
        assert lines[name][:2] == on_screen
        if signs is None:
            assert lines[name][2] == "–"
        else:  # days on which nothing moved have no sign
            assert float(lines[name][2].rstrip("%")) == pytest.approx(100 * signs, abs=1)
    texts = inside(app, "figure_errors")
    for row, (name, values), text in zip(charted["forecast-errors"], others.items(), texts, strict=False):
        square = (forecasts() - actual) ** 2 - (values - actual) ** 2
        base = ((values - actual) ** 2).mean()
        assert row["against"] == name
        assert row["mean"] == pytest.approx(square.mean() / base, abs=1e-4)
        low, high = by_blocks(square / base)
        assert (row["low"], row["high"]) == (pytest.approx(low, abs=0.02), pytest.approx(high, abs=0.02))
        verdict = "better" if row["high"] < 0 else "worse" if row["low"] > 0 else "undecided"
        assert row["verdict"] == verdict
        assert {"better": "is better", "worse": "is worse", "undecided": "is undecided"}[verdict] in text
        assert f"{abs(100 * square.mean() / base):.1f}% {'higher' if square.mean() > 0 else 'lower'}" in text


def by_blocks(values: np.ndarray) -> tuple[float, float]:
    """A block bootstrap in a loop, with draws of its own."""
    rng, length, means = np.random.default_rng(7), math.ceil(2 * len(values) ** (1 / 3)), []
    around = np.concatenate([values, values])
    for _ in range(2000):
        drawn: list[float] = []
        while len(drawn) < len(values):
            start = rng.integers(len(values))
            drawn.extend(around[start : start + length])
        means.append(np.mean(drawn[: len(values)]))
    return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def test_attention_of_the_chosen_day_is_that_of_the_model(drawn: dict[str, Matrix]) -> None:
    app = opened(day="5", at_layer="1", at_head="7")
    at = SPLIT + 4
    read = torch.tensor(scaled()[None, at - WINDOW : at].copy(), dtype=torch.float32)
    recording: dict[str, torch.Tensor] = {}

    def watch(name: str, value: torch.Tensor) -> torch.Tensor:
        recording[name] = value
        return value

    with torch.inference_mode():
        model()(read, None, torch.ones_like(read, dtype=torch.bool), watch)
    q, k = (recording[f"encoder.1.self_attention.{part}"][0] for part in "qk")
    scores = (q @ k.transpose(-1, -2) / math.sqrt(20)).masked_fill(torch.ones(20, 20).triu(1).bool(), -math.inf)
    weights = scores.softmax(-1).numpy()  # (H, L, L)
    np.testing.assert_allclose(drawn["heads"].values, weights[:, -1], atol=1e-5)
    np.testing.assert_allclose(drawn["head"].values, weights[7], atol=1e-5)
    dates = load_prices().dates[1:]
    assert drawn["heads"].columns == tuple(str(day)[2:] for day in dates[at - WINDOW : at])
    [text] = [text for text in inside(app, "figure_attention") if text.startswith("Read")]
    assert f"Predicted for {dates[at]}: {100 * forecasts()[4]:+.2f}%".replace("-0", "−0") in text.replace("-0", "−0")


def test_days_ahead_read_the_forecasts_alone(charted: dict) -> None:
    opened(start="11")  # an old link, without a tab
    assert "forecast-against" not in charted
    at, returns_before = SPLIT + 10, scaled()[: SPLIT + 10]
    training, price, prices = returns()[:SPLIT], load_prices().prices[SPLIT + 10], []
    for _ in range(30):
        value = foretold(returns_before)
        returns_before = np.append(returns_before, (value - training.mean()) / training.std())
        price *= math.exp(value)
        prices.append(price)
    on_screen = of(charted["forecast-ahead"], "forecast")
    assert on_screen[0] == load_prices().prices[at]
    np.testing.assert_allclose(on_screen[1:], prices, rtol=1e-5)
    rows = charted["forecast-growth"]
    starts = range(SPLIT, DAYS - 30 + 1, 10)
    stays = [math.sqrt(np.mean([returns()[s : s + k].sum() ** 2 for s in starts])) for k in range(1, 31)]
    np.testing.assert_allclose(of(rows, "stays"), stays)
    np.testing.assert_allclose(of(rows, "walk"), [training.std() * math.sqrt(k) for k in range(1, 31)])
    first = math.sqrt(np.mean([(forecasts()[s - SPLIT] - returns()[s]) ** 2 for s in starts]))
    assert of(rows, "model")[0] == pytest.approx(first, rel=1e-4)


@pytest.mark.parametrize(
    ("key", "value"), [("day", "0"), ("day", "328"), ("at_head", "10"), ("start", "299"), ("rate", "3")]
)
def test_a_link_to_what_is_not_there_says_so(key: str, value: str) -> None:
    [notice] = said(opened(**{key: value}))
    assert value in notice


def test_without_the_checkpoint_the_page_says_what_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast_state, "SAMPLE", "elsewhere")
    app = opened()
    assert said(app) == [sentence("en", "forecast.no_model")]
    assert next(code.value for code in app.main.code) == "python -m model train forecast"
    assert "forecast-against" not in {element.key for element in app.main if hasattr(element, "key")}


# a user's own table


def upload(app: AppTest, data: bytes) -> AppTest:
    """As the widget gives a file: this version's tests cannot choose one."""
    assert len(app.get("file_uploader")) == 1
    with patch.object(forecast_upload.st, "file_uploader", side_effect=[io.BytesIO(data), None, None]):
        app.run()
    return app


def test_a_users_own_prices_are_forecast(charted: dict) -> None:
    app = opened(series="own")
    assert sentence("en", "forecast_own.none") in inside(app, "own_prices")
    own = walk(260, seed=3)
    upload(app, as_csv(own).encode())
    app.run()
    assert not app.exception
    assert said(app) == []
    rows = charted["forecast-against"]
    values = np.diff(np.log(own.prices))
    split = int(0.9 * len(values))
    np.testing.assert_allclose(of(rows, "actual"), values[split:])
    training = values[:split]
    returns_before = (values[split - WINDOW : split] - training.mean()) / training.std()
    read = torch.tensor(returns_before[None], dtype=torch.float32)
    with torch.inference_mode():
        out = float(model()(read, None, torch.ones(1, WINDOW, dtype=torch.bool))[0, -1, 0])
    assert of(rows, "forecast")[0] == pytest.approx(out * training.std() + training.mean(), abs=1e-6)
    app.button_group(key="show").set_value("ahead").run()
    assert sentence("en", "forecast.too_few", days=30) in inside(app, "figure_ahead")
    app.button_group(key="show").set_value("against").run()
    app.button(key="remove_prices").click().run()
    assert len(charted["forecast-against"]) == 2 * (DAYS - SPLIT)


LINES = "date,close\n" + "".join(f"2020-01-{day:02},{4 + day % 2 / 10}\n" for day in range(1, 11))
DAMAGED = {
    "missing days": (LINES + "2020-02-20,4\n", "Line 12"),
    "text": (LINES + "2020-01-11,four\n", "Line 12"),
    "reversed": ("date,close\n2020-01-02,4\n2020-01-01,4\n", "Line 3"),
    "twice": (LINES + "2020-01-10,4\n", "Line 12"),
    "split": (LINES + "2020-01-11,2\n", "Line 12"),
    "too few": (LINES, "has 10 days, at least 192"),
    "no columns": ("day,price\n2020-01-01,4\n", "no column close"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_each_damage_is_one_sentence(name: str) -> None:
    text, expected = DAMAGED[name]
    app = upload(opened(series="own"), text.encode())
    [notice] = said(app)
    assert expected in notice


def test_too_many_days_are_refused_with_the_line() -> None:
    many = Prices(walk(MOST_DAYS + 1).dates, np.full(MOST_DAYS + 1, 4.0), "close")
    app = upload(opened("zh", series="own"), as_csv(many).encode())
    [notice] = said(app)
    assert notice == sentence("zh", "refused.price_rows", number=str(MOST_DAYS + 2), limit=f"{MOST_DAYS:,}")


# training


def test_a_run_is_queued_watched_and_stopped(queue: Queue) -> None:
    app = opened(epochs="3", seed_run="5", rate="0.001")
    app.button(key="train_forecast").click().run()
    assert not app.exception
    assert queue.task is not None
    assert (queue.task.epochs, queue.task.learning_rate, queue.task.seed) == (3, 1e-3, 5)
    assert queue.task.prices is None
    assert app.button(key="train_forecast").disabled
    queue.state = "running"
    queue.reports = (RunReport(10, 57, 1.25, 1e-3, 0, 1, 8, 37, 0),)
    app.run()
    [bar] = app.get("progress")
    assert (bar.proto.value, "Step 10 of 57 · loss 1.250" in bar.proto.text) == (17, True)
    app.button(key="stop").click().run()
    assert not app.button(key="train_forecast").disabled


def test_a_full_queue_says_so(queue: Queue) -> None:
    queue.refusal = InvalidInput("job_full")
    app = opened(show="train")
    app.button(key="train_forecast").click().run()
    assert len(said(app)) == 1
