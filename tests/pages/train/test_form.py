"""The form of a training: its defaults, limits and refusals."""

import re
from dataclasses import replace

import pytest

from model.jobs.pool import Jobs
from model.jobs.types import Outlook, Progress
from model.train import training_run
from model.train.browser import ready
from model.train.check_settings import check
from model.train.job import TrainingTask
from model.train.limits import LIMITS
from model.train.run_settings import DEFAULTS, RunSettings, of_preset
from pages.shared.models import warmup
from pages.shared.text.words import all_texts
from pages.train.form import duration, time_range
from tests.app import inside, said, sentence, visit
from tests.pages.train.page import press, text
from tests.samples import LANGUAGES, either_language, in_turn

pytestmark = pytest.mark.usefixtures("warm", "queue")


@pytest.fixture
def submitted(queue: Jobs, monkeypatch: pytest.MonkeyPatch) -> list[RunSettings]:
    """Settings that the page hands to the queue; nothing runs."""
    settings: list[RunSettings] = []

    def submit(task: TrainingTask, session: str) -> str:
        settings.append(task.settings)
        return "x" * 22

    monkeypatch.setattr(queue, "submit", submit)
    return settings


# the form


@either_language
def test_every_task_is_offered_and_the_dates_come_first(
    language: str, queue: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "outlook", lambda: Outlook(0, 1, 2))
    app = visit("train", language)
    box = app.selectbox(key="task")
    assert box.value == "dates"
    assert box.options == [sentence(language, f"train_task.{task}") for task in DEFAULTS]
    assert sentence(language, "train_about.dates") in text(app)
    parameters = sum(p.numel() for p in training_run.Run(DEFAULTS["dates"]).trainer.model.parameters())
    [line] = [line for line in inside(app, "start_row") if f"{parameters:,}" in line]
    low, high = time_range(check(DEFAULTS["dates"]).seconds, Outlook(0, 1, 2))
    assert re.search(rf"\b{low} \D+ {high} ", line)
    assert high > low
    assert not app.button(key="start").disabled


@pytest.mark.parametrize(
    ("task", "address"),
    [
        ("reverse", "/live/reverse/#train?language=en&task=reverse"),
        ("own", "/live/reverse/#train?language=en&task=own"),
        ("dates", "/live/dates/#train?language=en&task=dates"),
        ("text", "/live/reverse/#train?language=en&task=text"),
    ],
)
def test_what_a_browser_can_learn_is_offered_there(task: str, address: str) -> None:
    app = visit("train", task=task)
    [link] = app.get("link_button")
    assert (link.proto.label, link.proto.url) == (sentence("en", "train.here"), address)
    assert f"{ready.kind_of('reverse' if task == 'own' else task).steps:,} steps" in text(app)


def test_a_task_that_no_browser_learns_is_not_offered_there() -> None:
    assert not visit("train", task="modular").get("link_button")


@pytest.mark.sample(4)
@pytest.mark.parametrize("task", DEFAULTS)
def test_the_defaults_of_a_task_are_what_is_started(task: str, submitted: list[RunSettings]) -> None:
    app = visit("train", task=task)
    own = ""
    if task in ("text", "own"):
        assert app.button(key="start").disabled
        press(app, "example")
        own = all_texts("en")[f"train_example.{'own_text' if task == 'text' else 'own_table'}"]
    press(app, "start")
    assert submitted == [replace(DEFAULTS[task], own=own)]


@either_language
def test_the_examples_can_be_trained_on(language: str, submitted: list[RunSettings]) -> None:
    for task in ("text", "own"):
        press(press(visit("train", language, task=task), "example"), "start")
    assert [settings.own[:20] for settings in submitted] == [
        all_texts(language)[f"train_example.{key}"][:20] for key in ("own_text", "own_table")
    ]


def test_what_is_chosen_is_what_is_started(submitted: list[RunSettings]) -> None:
    app = visit(
        "train", task="copy", d_model="128", heads="8", encoder_layers="3", decoder_layers="2", training_steps="300",
        learning_rate="0.001", training_seed="7", d_ff="256", norm="post", activation="gelu", dropout="0.1",
        position="learned", position_base="1000", scale_embedding="0", label_smoothing="0.1", schedule="paper",
        warmup="50", tokens_per_batch="450", average="0.9", watch="glas",
    )  # fmt: skip
    assert said(app) == []
    press(app, "start")
    assert submitted == [
        RunSettings(
            task="copy", d_model=128, heads=8, encoder_layers=3, decoder_layers=2, steps=300, learning_rate=0.001,
            seed=7, d_ff=256, norm="post", activation="gelu", dropout=0.1, position="learned", position_base=1000.0,
            scale_embedding=False, label_smoothing=0.1, schedule="paper", warmup=50, tokens_per_batch=450, average=0.9,
            sentence="glas",
        )
    ]  # fmt: skip


def test_as_in_notebook_c(submitted: list[RunSettings]) -> None:
    app = visit("train")
    press(app, "try_0")
    assert app.selectbox(key="task").value == "notebook"
    press(app, "start")
    assert submitted == [of_preset("notebook")]
    assert (submitted[0].steps, submitted[0].learning_rate, submitted[0].d_model) == (300, 3e-4, 256)


def test_another_task_brings_its_own_settings(submitted: list[RunSettings]) -> None:
    app = visit("train", task="copy", d_model="128", position="none")
    app.selectbox(key="task").set_value("sort").run()
    press(app, "start")
    assert submitted == [DEFAULTS["sort"]]


def test_a_shorter_run_warms_up_for_a_shorter_time(submitted: list[RunSettings]) -> None:
    press(visit("train", training_steps="20"), "start")
    assert (submitted[0].steps, submitted[0].warmup) == (20, round(20 * 100 / 1400))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_exceeds_a_limit_is_refused_with_the_limit(language: str) -> None:
    app = visit("train", language, task="notebook", preset="paper")
    [notice] = said(app)
    assert f"{LIMITS.parameters:,}" in notice
    assert app.button(key="start").disabled


def test_a_long_run_is_refused_with_the_minutes() -> None:
    app = visit("train", training_steps="20000", d_model="192", encoder_layers="9", decoder_layers="9")
    [notice] = said(app)
    assert f"the limit is {LIMITS.seconds / 60:g}" in notice


@in_turn(
    ("task", "typed", "names"), [("text", "short", "400"), ("own", "a\tb\n" * 3 + "c\n", "2"), ("own", "a b c", "1")]
)
def test_what_cannot_be_learned_from_is_refused(task: str, typed: str, names: str, language: str) -> None:
    app = visit("train", language, task=task)
    app.text_area(key="own_text" if task == "text" else "own_table").set_value(typed).run()
    [notice] = said(app)
    assert names in notice
    assert app.button(key="start").disabled


@in_turn(
    ("key", "value"),
    [("task", "chess"), ("preset", "gpt"), ("training_steps", "7"), ("d_model", "x"), ("norm", "<b>"), ("average", "2"),
     ("encoder_layers", "0"), ("training_seed", "-1"), ("warmup", "99999999999999999999")],
)  # fmt: skip
def test_a_link_that_asks_for_too_much_gets_the_default(key: str, value: str, language: str) -> None:
    app = visit("train", language, **{key: value})
    [notice] = said(app)
    assert value in notice
    assert not app.button(key="start").disabled


@in_turn("id_", ["nobody", "../etc/passwd", "x" * 300])
def test_a_run_that_is_gone_gets_a_sentence(id_: str, language: str) -> None:
    app = visit("train", language, run=id_)
    assert said(app) == [sentence(language, "train.lost")]
    assert not app.button(key="start").disabled


def test_until_the_library_is_loaded_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    monkeypatch.setattr(warmup, "_ready", threading.Event())
    assert sentence("en", "train.loading") in text(visit("train"))


@pytest.mark.parametrize(("seconds", "said_"), [(0.2, "1 s"), (59.4, "59 s"), (60.2, "1 min"), (125, "2 min 5 s")])
def test_a_time_in_words(seconds: float, said_: str) -> None:
    assert duration(seconds) == said_


@pytest.mark.parametrize(
    ("outlook", "shown"),
    [
        (Outlook(0, 1, 1), (20, 30)),  # no estimate is exact
        (Outlook(0, 0.5, 2.25), (10, 45)),  # what recent runs took, and the load of the machine
        (Outlook(60, 1, 2), (80, 100)),  # with the wait for other runs
        (Outlook(0, 1, 60), (20, 1200)),
    ],
)
def test_the_estimate_is_a_range(outlook: Outlook, shown: tuple[float, float]) -> None:
    assert time_range(20.0, outlook) == shown


@pytest.mark.parametrize(("key", "value", "opens"), [("heads", "8", True), ("training_steps", "300", False)])
def test_more_settings_are_open_where_a_link_names_one(key: str, value: str, opens: bool) -> None:
    [more] = visit("train", task="dates", **{key: value}).expander
    assert more.proto.expanded is opens
    assert len(more.get("select_slider")) + len(more.get("slider")) > 5  # and most of the settings are there


# a run


def test_the_control_runs_the_same_with_other_targets(submitted: list[RunSettings], done: Progress) -> None:
    app = visit("train", task="notebook", d_model="16", heads="2", training_steps="40")
    assert not [button for button in app.button if button.key == "control"]  # no run yet
    app = visit("train", run=done.id)
    assert not [button for button in app.button if button.key == "control"]  # somebody else's
    assert submitted == []
