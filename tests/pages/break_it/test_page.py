"""The page of mistakes: every number on it is worked out again from weights, formulas or by hand."""

import math
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from itertools import islice
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch import nn

from model.analysis.softmax import NATS_PER_BIT, entropy_bits
from model.checkpoint.catalogue import Entry
from model.decode.translate import Translation, translate
from model.errors import InvalidInput
from model.jobs.types import Progress
from model.mistakes import learning, probes, twins
from model.mistakes.catalogue import LEARNER, MISTAKES
from model.mistakes.metrics import Sample, Twin, learn, near_diagonal, reversals
from model.presets import PRESETS
from model.train import settings as run_settings
from model.train.job import TrainingTask
from model.train.settings import RunSettings
from pages.break_it import probes as break_it_probes
from pages.break_it.twins import EXAMPLE
from pages.shared.links import TRAINABLE
from pages.shared.models import queue as run_queue
from pages.shared.session.view import spelled
from pages.shared.ui import charts
from tests.app import inside, nothing_is_marked_up, said, sentence, visit
from tests.fixtures import KINO, LANGUAGES, SAMPLES, german_english, written
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")

KEYS = (*MISTAKES, EXAMPLE)
FIRST_HEAD = {"attention_kind": "encoder", "layer": "0", "head": "0"}
D = 144  # d_model of de-en


@pytest.fixture
def charted() -> Iterator[dict[str, dict[str, list[float]]]]:
    """The numbers of every chart, by its name and series."""
    found: dict[str, dict[str, list[float]]] = {}
    draw = charts.chart

    def watch(name, figure, rows):
        found[name] = {}
        for row in rows():
            found[name].setdefault(row["which"], []).append(row.get("y", row.get("value")))
        return draw(name, figure, rows)

    with patch.object(charts, "chart", watch):
        yield found


@cache
def run() -> Translation:
    return translate(german_english(), KINO)


def values() -> dict[str, np.ndarray]:
    return run().trace.values


def opened(mistake: str, language: str = "en", **address: str) -> AppTest:
    app = visit("break", language, mistake=mistake, **address)
    nothing_is_marked_up(app)
    return app


def bodies(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.main if element.type == "html"]


def numbers(app: AppTest) -> dict[str, tuple[str, str]]:
    """Every line of every table on the page: healthy and broken."""
    line = re.compile(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>')
    return {unescape(name): (good, bad) for body in bodies(app) for name, good, bad in line.findall(body)}


def number(app: AppTest, key: str, **blanks: object) -> tuple[float, float]:
    good, bad = numbers(app)[sentence("en", f"break_numbers.{key}", **blanks)]
    return tuple(written(re.sub("[,%]", "", text)) for text in (good, bad))  # type: ignore[return-value]


def softmax(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponents = np.exp(scores.astype(float) - scores.max(axis, keepdims=True))
    return exponents / exponents.sum(axis, keepdims=True)


def first_scores(side: str = "encoder") -> np.ndarray:
    """q·k of the first head of the first layer, not scaled, (T, T)."""
    q, k = (values()[f"{side}.0.self_attention.{part}"][0] for part in "qk")
    return q @ k.T


# what is on the page


@pytest.mark.parametrize("key", KEYS)
def test_every_mistake_opens_with_its_lines_and_words(key: str) -> None:
    app = opened(key)
    assert said(app) == []
    assert [header.value for header in app.header] == [
        sentence("en", f"break_titles.{key}"), sentence("en", "break.learning"),
    ]  # fmt: skip
    texts = [text.value for text in app.text]
    assert sentence("en", f"break_picture.{key}") in texts
    assert sentence("en", f"break_learning.{key}") in texts
    [lines] = [body for body in bodies(app) if 'class="gf-lines"' in body]
    if key in MISTAKES:
        shown = [unescape(line) for line in re.findall(r"<code>(.*?)</code>", lines)]
        assert shown == [MISTAKES[key].wrong, MISTAKES[key].right]


@pytest.mark.parametrize("key", ["norm_ignored", "same_ids", "recorded_after_dropout", EXAMPLE])
@pytest.mark.parametrize("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_in_chinese_and_for_every_architecture(key: str, name: str) -> None:
    app = opened(key, "zh", checkpoint=name)
    assert said(app) == []
    assert [title.value for title in app.title] == [sentence("zh", "break.question")]


def test_a_link_without_a_mistake_shows_the_first() -> None:
    assert sentence("en", "break_titles.inverted_frequency") in [header.value for header in visit("break").header]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "value"), [("mistake", "all"), ("show", "x"), ("case", "-1"), ("case", "many")])
def test_an_address_that_asks_for_too_much_says_so(language: str, key: str, value: str) -> None:
    address = ({"show": "find"} if key == "case" else {}) | {key: value}
    [notice] = said(visit("break", language, **address))
    assert value in notice


def test_a_model_that_cannot_have_the_mistake_is_stood_in_for() -> None:
    app = opened("norm_ignored", checkpoint="untrained-mini-encoder")
    captions = " ".join(caption.value for caption in app.caption)
    assert sentence("en", "break_obstacle.norm") in captions.replace("\\", "")
    assert number(app, "growth")[1] > 3 * number(app, "growth")[0]


@pytest.mark.parametrize("key", [key for key in MISTAKES if not MISTAKES[key].raises])
def test_which_presets_can_have_which_mistake(key: str) -> None:
    for name, preset in PRESETS.items():
        if preset.config.inputs == "numbers":
            continue
        config = preset.config
        expected = {
            "inverted_frequency": config.position == "sinusoidal",
            "norm_ignored": config.norm == "pre",
            "unscaled_embedding": config.scale_embedding and config.position == "sinusoidal",
            "unfit_init": False,
            "no_causal_mask": config.decoder_layers > 0,
            "no_padding_mask": config.encoder_layers > 0,
            "finite_fill": config.encoder_layers > 0,
            "same_ids": config.architecture == "encoder-decoder",
        }.get(key, True)
        assert (twins.obstacle(MISTAKES[key], vars(config)) is None) == expected, name


# the twins


@pytest.mark.parametrize("key", ["norm_ignored", "textbook_norm", "recorded_after_dropout"])
def test_twins_share_the_weights_and_leave_the_model_alone(key: str) -> None:
    model = german_english().model
    before = {name: value.clone() for name, value in model.state_dict().items()}
    healthy, wrong = twins.twins_in(MISTAKES[key], model)
    own = model.state_dict()  # tied ones by both names
    for twin in (healthy, wrong):
        assert all(value.data_ptr() == own[name].data_ptr() for name, value in twin.model.named_parameters())
    probes.training_weights(wrong, Sample(run().source, run().target), "encoder", 0)
    assert not any(one.training for one in (model, healthy.model, wrong.model))
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_the_healthy_twin_is_the_model_in_use() -> None:
    for key, mistake in MISTAKES.items():
        if twins.obstacle(mistake, vars(german_english().model.config)) is None:
            found = twins.twins_in(mistake, german_english().model)[0].values(Sample(run().source, run().target))
            assert all(np.array_equal(value, values()[name]) for name, value in found.items()), key


def test_a_mistake_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(InvalidInput):
        twins.twins_in(MISTAKES["unfit_init"], german_english().model)


# the numbers


def test_inverted_frequencies(charted: dict, drawn: dict[str, Matrix]) -> None:
    app = opened("inverted_frequency")
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
    shown = number(opened("unscaled_scores"), "softmax_gradient")
    entropy = number(opened("unscaled_scores"), "entropy")
    twin = twins.twins_in(MISTAKES["unscaled_scores"], german_english().model)[1]
    for place, found in enumerate((values(), twin.values(Sample(run().source, run().target)))):
        rows = [row for name, w in found.items() if name.endswith(".weights") for row in w.reshape(-1, w.shape[-1])]
        norms = [np.linalg.norm(np.diag(row) - np.outer(row, row)) for row in rows]
        assert shown[place] == pytest.approx(np.mean(norms), rel=1e-3)
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
        seen = longer != 0 if masked else torch.ones_like(longer, dtype=torch.bool)
        with torch.inference_mode():
            alone = model(longer[:, : len(run().source)], target, torch.ones(1, len(run().source), dtype=torch.bool))
            return float((model(longer, target, seen) - alone).abs().max())

    lines = charted["break-padding"]
    np.testing.assert_allclose(lines["broken"], [change(added, False) for added in range(13)], atol=1e-3)
    assert max(lines["healthy"]) < 1e-4
    assert number(app, "logit_change")[1] == pytest.approx(change(6, False), abs=2e-3)


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
    x = values()["encoder.input"].astype(float)
    by_hand = ((x - x.mean(-1, keepdims=True)) / (x.std(-1, ddof=1, keepdims=True) + 1e-6)).std(-1)
    np.testing.assert_allclose(charted["break-norm"]["broken"], by_hand, atol=1e-5)
    np.testing.assert_allclose(charted["break-norm"]["healthy"], 1, atol=1e-4)
    assert number(app, "deviation") == (1, pytest.approx(math.sqrt(143 / 144), abs=1e-4))
    assert charted["break-factor"]["formula"][3] == pytest.approx(math.sqrt(15 / 16))


def test_weights_recorded_after_dropout(charted: dict, drawn: dict[str, Matrix]) -> None:
    opened("recorded_after_dropout", **FIRST_HEAD)
    weights = softmax(first_scores() / 6)
    shown = drawn["broken"].values
    kept = shown != 0
    np.testing.assert_allclose(shown[kept], weights[kept] / 0.9, atol=1e-4)
    np.testing.assert_allclose(charted["break-row-sums"]["broken"], (weights * kept / 0.9).sum(-1), atol=1e-3)
    assert 0 < kept.sum() < kept.size
    np.testing.assert_allclose(charted["break-row-sums"]["healthy"], 1, atol=1e-5)


def test_the_published_row_belongs_to_base_100(drawn: dict[str, Matrix]) -> None:
    app = opened(EXAMPLE)
    published, right, other = drawn["row"].values
    assert published.tolist() == [0.541, -0.489, 0.895, 1.655]
    sums = [0.4 + math.sin(3), 0.5 + math.cos(3)]
    np.testing.assert_allclose(right, [*sums, 0.6 + math.sin(0.03), 0.7 + math.cos(0.03)])
    np.testing.assert_allclose(other, [*sums, 0.6 + math.sin(0.3), 0.7 + math.cos(0.3)])
    assert np.abs(published - other).max() < 1.1e-3 < 0.04 < np.abs(published - right)[2:].min()
    lines = list(numbers(app).values())
    assert lines == [("0.541", "0.541"), ("-0.490", "-0.489"), ("0.630", "0.895"), ("1.700", "1.655")]


@pytest.mark.parametrize("key", ["softmax_axis", "norm_ignored", "unscaled_embedding"])
def test_what_a_broken_model_writes(key: str) -> None:
    app = opened(key)
    [outputs] = [body for body in bodies(app) if "gf-outputs" in body]
    cards = [
        re.sub("<.*?>", "", part) for part in re.findall(r"<p>(.*?)</p>", outputs)
    ]  # fmt: skip
    assert unescape(cards[0]).replace(" .", ".") == run().text
    assert cards[1] != cards[0]


# learning


def test_the_stated_effect_on_learning_is_the_prepared_one() -> None:
    pairs = {key: learning.pair(key) for key in learning.learners()}
    loss = {key: (good.loss[-1], bad.loss[-1]) for key, (good, bad) in pairs.items()}
    exact = {key: (good.exact, bad.exact) for key, (good, bad) in pairs.items()}
    assert all(good > 0.9 for good, _ in exact.values())
    for key in ("no_causal_mask", "same_ids"):
        assert loss[key][1] < loss[key][0] < 0.01
        assert exact[key][1] < 0.1
    assert pairs["same_ids"][1].copied > 0.9
    for key in ("norm_ignored", "unscaled_scores", "unfit_init"):
        assert loss[key][1] > 10 * loss[key][0]
        assert exact[key][1] < 0.6
    assert loss["unscaled_embedding"][1] > 3 * loss["unscaled_embedding"][0]
    assert exact["unscaled_embedding"][1] > 0.9
    assert pairs["norm_ignored"][1].loss[0] > 10 * math.log(12)  # worse than guessing
    assert all(math.isnan(one) for one in pairs["softmax_axis"][1].loss)
    for key in ("inverted_frequency", "no_padding_mask", "finite_fill", "textbook_norm"):
        assert exact[key][1] > 0.9
    assert pairs["finite_fill"][0].loss == pairs["finite_fill"][1].loss


def test_a_prepared_run_comes_out_again() -> None:
    _, twin = MISTAKES["no_causal_mask"].twins(LEARNER)
    again = list(islice(learn(twin), 5))  # its first fifty steps; test_mistakes goes on to the end
    np.testing.assert_allclose(again, learning.pair("no_causal_mask")[1].loss[:5], rtol=1e-3)


def test_the_kept_models_do_what_the_numbers_say() -> None:
    healthy, wrong = learning.twins("same_ids")
    good, bad = learning.pair("same_ids")
    unseen = reversals(100, "unseen")
    for twin, expected in ((healthy, good), (wrong, bad)):
        diagonal = np.mean([near_diagonal(twin, Sample(tuple(s), tuple(t[:-1]))) for s, t in unseen])
        assert diagonal == pytest.approx(expected.diagonal, abs=0.01)


@pytest.mark.parametrize(("key", "wrong"), [("same_ids", "bead"), ("no_causal_mask", None)])
def test_a_user_s_word_is_reversed(key: str, wrong: str | None) -> None:
    app = opened(key, word="bead")
    good, bad = numbers(app)[sentence("en", "break.reversed", word="bead")]
    assert good == "daeb"
    assert bad != "daeb"
    assert wrong in (None, bad)


@pytest.mark.parametrize("word", ["ab", "abcdefg", "Haus", "<b>x</b>", "汉字"])
def test_a_word_that_cannot_be_read_is_refused(word: str) -> None:
    [notice] = said(opened("same_ids", word=word))
    assert "abcdefgh" in notice


# find it yourself


def case_of(key: str) -> str:
    """A riddle in which this mistake was made."""
    pool = [name for name in MISTAKES if twins.obstacle(MISTAKES[name], Entry(SAMPLES / "de-en").config) is None]
    return next(str(n) for n in range(1, 999) if random.Random(f"break {n}").choice(pool) == key)


def test_a_riddle_does_not_tell_before_it_is_asked() -> None:
    app = visit("break", show="find", case=case_of("softmax_axis"), look="attention")
    assert "softmax" not in str(app.query_params)
    assert visit("break", show="find").query_params["case"] == "1"  # a link names the first one too
    assert sentence("en", "break_picture.softmax_axis") not in [text.value for text in app.text]
    assert MISTAKES["softmax_axis"].wrong not in "".join(bodies(app))


def test_a_wrong_guess_a_right_one_and_the_score() -> None:
    number_ = case_of("same_ids")
    app = visit("break", show="find", case=number_)
    score = "break_find.score"
    assert sentence("en", score, right=0, asked=0) not in [caption.value for caption in app.caption]
    app.button(key="guess_unscaled_scores").click().run()
    [notice] = said(app)
    assert sentence("en", "break_titles.unscaled_scores") in notice
    app.button(key="guess_same_ids").click().run()
    right = sentence("en", "break_find.right", answer=sentence("en", "break_titles.same_ids"))
    assert said(app) == [right]
    assert sentence("en", score, right=0, asked=1) in [caption.value for caption in app.caption]
    app.button(key="another").click().run()
    assert said(app) == []
    assert app.query_params["case"] not in (number_, [number_])
    app.query_params["case"] = case_of("norm_ignored")
    app.run()
    app.button(key="guess_norm_ignored").click().run()
    assert sentence("en", score, right=1, asked=2) in [caption.value for caption in app.caption]
    app.button(key="see").click().run()
    assert sentence("en", "break_titles.norm_ignored") in [header.value for header in app.header]


def test_the_answer_can_be_asked_for() -> None:
    app = visit("break", "zh", show="find", case=case_of("textbook_norm"))
    app.button(key="guess_same_ids").click().run()
    app.button(key="tell").click().run()
    answer = sentence("zh", "break_titles.textbook_norm")
    assert said(app) == [sentence("zh", "break_find.told", answer=answer)]
    assert sentence("zh", "break_find.score", right=0, asked=1) in [caption.value for caption in app.caption]


@pytest.mark.parametrize("name", ["untrained-mini-encoder", "untrained-gpt"])
def test_riddles_of_other_architectures(name: str) -> None:
    for look in ("attention", "norm", "training"):
        app = visit("break", "zh", show="find", case="3", look=look, checkpoint=name, beside="1")
        assert said(app) == []


READ: dict[str, Callable[[Twin, Sample], np.ndarray]] = {
    "fed": lambda twin, sample: np.array(sum(probes.fed(twin, sample).values(), ())),
    "position": lambda twin, sample: probes.neighbours(probes.positions(twin, sample)),  # type: ignore[arg-type]
    "energy": lambda twin, sample: np.log(probes.energies(twin, sample)[0].mean()) * np.ones(1),
    "stream": lambda twin, sample: np.log(probes.stream(twin, sample)),
    "norm": lambda twin, sample: probes.normalised(twin, sample) * 100,
    "attention": lambda twin, sample: np.concatenate(
        [probes.weights(twin, sample, kind, 0).sum(-1).ravel() for kind in ("encoder", "decoder", "cross")]
        + [np.triu(probes.weights(twin, sample, "decoder", 0), 1).ravel()]
    ),
    "saturation": lambda twin, sample: NATS_PER_BIT * entropy_bits(probes.weights(twin, sample, "encoder", 0)).mean(-1),
    "training": lambda twin, sample: probes.training_weights(twin, sample, "encoder", 0).sum(-1),
    "padding": probes.padding,
    "hidden": lambda twin, sample: np.nan_to_num(probes.hidden_keys(twin, sample)[-1], nan=-1),
}


@pytest.mark.parametrize("key", [k for k in MISTAKES if not MISTAKES[k].raises and k != "unfit_init"])
def test_the_named_instrument_gives_the_mistake_away(key: str) -> None:
    healthy, wrong = twins.twins_in(MISTAKES[key], german_english().model)
    sample = Sample(run().source, run().target)
    good, bad = (READ[break_it_probes.FOUND_WITH[key]](twin, sample) for twin in (healthy, wrong))
    assert good.shape != bad.shape or np.abs(good - bad).max() > 0.1, key


def test_the_steps_to_try_set_the_page_up() -> None:
    for step, title in enumerate(("norm_ignored", "same_ids", EXAMPLE)):
        app = visit("break", show="find")
        app.button(key=f"try_{step}").click().run()
        assert not app.exception
        assert sentence("en", f"break_titles.{title}") in [header.value for header in app.header]


def test_a_residual_that_is_given_a_result() -> None:
    """The message is that of the layer itself, whatever the model."""
    layer = german_english().model.encoder[0]
    with pytest.raises(TypeError, match="'Tensor' object is not callable"):
        layer.residuals[1](torch.zeros(1, 2, D), nn.Identity()(torch.zeros(1, 2, D)))


# the way to a run


class Queue:
    """What the page hands to the queue; nothing runs."""

    def __init__(self) -> None:
        self.asked: list[RunSettings] = []

    def list(self, user: str) -> list[Progress]:
        return []

    def progress(self, id_: str, since: int = 0) -> Progress:
        raise InvalidInput("job_unknown")

    def submit(self, task: TrainingTask, user: str) -> str:
        self.asked.append(task.settings)
        return "x" * 22


@pytest.mark.parametrize("key", TRAINABLE)
def test_a_button_sets_up_a_run_with_the_mistake_alone(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue()
    monkeypatch.setattr(run_queue, "jobs", lambda: queue)
    app = opened(key)
    assert app.button(key="train").label == sentence("en", "break.train")
    app = visit("train", **{name: spelled(value) for name, value in TRAINABLE[key].items()})
    assert said(app) == []
    [told] = inside(app, "form_changes")
    assert sentence("en", f"break_titles.{key}") in told
    app.button(key="start").click().run()
    [settings] = queue.asked
    config = run_settings.config(settings, run_settings.prepare(settings))
    assert {field: getattr(config, field) for field in MISTAKES[key].change} == MISTAKES[key].change
    healthy = run_settings.DEFAULTS["reverse"]
    different = {field for field, value in vars(settings).items() if value != getattr(healthy, field)}
    assert different <= {*MISTAKES[key].change, "preset", "encoder_layers", "decoder_layers", "causal_mask"}
    assert settings.causal_mask is (key != "no_causal_mask")
