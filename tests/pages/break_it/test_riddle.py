"""A mistake to be found, and the instrument that gives it away."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from model.analysis.softmax import NATS_PER_BIT, entropy_bits
from model.checkpoint.catalogue import Entry
from model.mistakes import probes, twins
from model.mistakes.known_mistakes import MISTAKES
from model.mistakes.metrics import Sample, Twin
from pages.break_it import instruments
from tests.app import said, sentence, visit
from tests.pages.break_it.page import bodies, run
from tests.samples import SAMPLES, german_english

pytestmark = pytest.mark.usefixtures("warm")


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
    assert "same_ids" not in str(app.query_params)
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
    good, bad = (READ[instruments.FOUND_WITH[key]](twin, sample) for twin in (healthy, wrong))
    assert good.shape != bad.shape or np.abs(good - bad).max() > 0.1, key
