"""The page of mistakes: what it shows, its twins, and how it learns."""

import math
import re
from html import unescape
from itertools import islice

import numpy as np
import pytest
import torch
from torch import nn

from model.errors import InvalidInput
from model.jobs.types import Outlook, Progress
from model.mistakes import learning, probes, twins
from model.mistakes.known_mistakes import LEARNER, MISTAKES
from model.mistakes.metrics import Sample, learn, near_diagonal, reversals
from model.mistakes.training_settings import TRAINABLE
from model.presets import PRESETS
from model.train import data, model_config, run_settings
from model.train.job import TrainingTask
from model.train.run_settings import RunSettings
from pages.break_it.twins import EXAMPLE
from pages.shared.models.trainings import run_queue
from pages.shared.session.view import spelled
from tests.app import click, inside, said, sentence, visit
from tests.pages.break_it.page import D, bodies, number, numbers, opened, run, values
from tests.samples import german_english, in_turn

pytestmark = pytest.mark.usefixtures("warm")


KEYS = (*MISTAKES, EXAMPLE)


# what is on the page


@pytest.mark.sample(2)
@pytest.mark.parametrize("key", KEYS)
def test_every_mistake_opens_with_its_lines_and_words(key: str) -> None:
    app = opened(key)
    assert said(app) == []
    radio = app.radio(key="mistake")
    assert (radio.value, len(radio.options)) == (key, len(KEYS))
    assert sentence("en", f"break_does.{key}") in radio.proto.captions
    assert [header.value for header in app.header] == [sentence("en", f"break_titles.{key}")]
    assert sentence("en", f"break_picture.{key}") in [text.value for text in app.text]
    effect = opened(key, show="effect")
    assert [header.value for header in effect.header] == [sentence("en", "break.learning")]
    assert sentence("en", f"break_learning.{key}") in [text.value for text in effect.text]
    [lines] = [body for body in bodies(app) if 'class="gf-lines"' in body]
    if key in MISTAKES:
        on_screen = [unescape(line) for line in re.findall(r"<code>(.*?)</code>", lines)]
        assert on_screen == [MISTAKES[key].wrong, MISTAKES[key].right]


@pytest.mark.sample(2)
@pytest.mark.parametrize("key", ["norm_ignored", "same_ids", "recorded_after_dropout", EXAMPLE])
@pytest.mark.parametrize("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_in_chinese_and_for_every_architecture(key: str, name: str) -> None:
    app = opened(key, "zh", checkpoint=name)
    assert said(app) == []
    assert [title.value for title in app.title] == [sentence("zh", "break.question")]


def test_a_link_without_a_mistake_shows_the_first() -> None:
    assert sentence("en", "break_titles.inverted_frequency") in [header.value for header in visit("break").header]


def test_a_mistake_is_chosen_and_another_page_shows_more_of_it() -> None:
    app = visit("break")
    app.radio(key="mistake").set_value("no_padding_mask").run()
    assert app.query_params["mistake"] in ("no_padding_mask", ["no_padding_mask"])
    assert sentence("en", "break_picture.no_padding_mask") in [text.value for text in app.text]
    click(app, "door")
    assert [title.value for title in app.title] == [sentence("en", "masks.question")]
    assert app.query_params["show"] in ("padding", ["padding"])


@in_turn(("key", "value"), [("mistake", "all"), ("show", "x"), ("case", "-1"), ("case", "many")])
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
        assert (twins.obstacle(MISTAKES[key], config) is None) == expected, name


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
        if twins.obstacle(mistake, german_english().model.config) is None:
            result = twins.twins_in(mistake, german_english().model)[0].values(Sample(run().source, run().target))
            assert all(np.array_equal(value, values()[name]) for name, value in result.items()), key


def test_a_mistake_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(InvalidInput):
        twins.twins_in(MISTAKES["unfit_init"], german_english().model)


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


def test_the_steps_to_try_set_the_page_up() -> None:
    for step, key in enumerate(("norm_ignored", "same_ids", EXAMPLE)):
        app = visit("break", show="find")
        app.button(key=f"try_{step}").click().run()
        assert not app.exception
        assert app.radio(key="mistake").value == key


def test_a_residual_that_is_given_a_result() -> None:
    """The message is that of the layer itself, whatever the model."""
    layer = german_english().model.encoder[0]
    with pytest.raises(TypeError, match="'Tensor' object is not callable"):
        layer.residuals[1](torch.zeros(1, 2, D), nn.Identity()(torch.zeros(1, 2, D)))


class Queue:
    """Queue that keeps the settings handed to it; nothing runs."""

    def __init__(self) -> None:
        self.asked: list[RunSettings] = []

    def list(self, user: str) -> list[Progress]:
        return []

    def progress(self, id_: str, since: int = 0) -> Progress:
        raise InvalidInput("job_unknown")

    def outlook(self) -> Outlook:
        return Outlook(0.0, 1.0, 1.0)

    def submit(self, task: TrainingTask, user: str) -> str:
        self.asked.append(task.settings)
        return "x" * 22


# the way to a run


@pytest.mark.parametrize("key", TRAINABLE)
def test_a_button_sets_up_a_run_with_the_mistake_alone(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue()
    monkeypatch.setattr(run_queue, "jobs", lambda: queue)
    app = opened(key, show="effect")
    assert app.button(key="train").label == sentence("en", "break.train")
    app = visit("train", **{name: spelled(value) for name, value in TRAINABLE[key].items()})
    assert said(app) == []
    [text] = inside(app, "form_changes")
    assert sentence("en", f"break_titles.{key}") in text
    app.button(key="start").click().run()
    [settings] = queue.asked
    config = model_config.config(settings, data.prepare(settings))
    assert {field: getattr(config, field) for field in MISTAKES[key].change} == MISTAKES[key].change
    healthy = run_settings.DEFAULTS["reverse"]
    different = {field for field, value in vars(settings).items() if value != getattr(healthy, field)}
    assert different <= {*MISTAKES[key].change, "preset", "encoder_layers", "decoder_layers", "causal_mask"}
    assert settings.causal_mask is (key != "no_causal_mask")
