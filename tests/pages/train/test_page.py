"""The page that trains: what it offers and refuses, and that what it shows of a run is what the run did."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from model.checkpoint import load as checkpoints
from model.checkpoint.user_models import OWN
from model.decode.greedy import greedy, trace
from model.jobs.pool import Jobs
from model.jobs.types import OVER, Progress
from model.tokenizer import BOS
from model.train import run as runs
from model.train.job import TrainingTask
from model.train.settings import DEFAULTS, LIMITS, TASKS, RunSettings, of_preset, prepare
from pages.shared.models import queue as run_queue
from pages.shared.models import warmup
from pages.shared.server import cookie, run_routes
from pages.shared.server.headers import HEADERS, SecurityHeaders
from pages.shared.session import user
from pages.shared.text.words import catalogue
from pages.train.form import duration
from tests.app import inside, said, sentence, visit
from tests.fixtures import LANGUAGES, opened, opened_attention
from tests.pages.test_every_page import downloads
from viz.charts import training
from viz.components import live_run

TINY = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=40, warmup=5, average=0.5, learning_rate=1e-2)
PATIENCE = 120.0  # seconds; the machine may be busy


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """The library that trains is loaded."""
    warmup.warm_up()
    warmup.wait()


@pytest.fixture(scope="module")
def pool() -> Iterator[Jobs]:
    jobs = Jobs(TrainingTask, 1, nice=0)
    jobs.warm()
    yield jobs
    jobs.close()


@pytest.fixture(autouse=True)
def queue(pool: Jobs, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    """The page's queue, empty of what other tests left."""
    for id_ in list(pool.queue.jobs):
        pool.stop(id_)
        over(pool, id_)
    monkeypatch.setattr(run_queue, "jobs", lambda: pool)
    return pool


def over(jobs: Jobs, id_: str) -> Progress:
    end = time.monotonic() + PATIENCE
    while (progress := jobs.progress(id_)).state not in OVER:
        assert time.monotonic() < end, progress
        time.sleep(0.02)
    return progress


@pytest.fixture(scope="module")
def done(pool: Jobs) -> Progress:
    """A run that has learned its 22 pairs, or some of them; nobody's."""
    return over(pool, pool.submit(TrainingTask(TINY), "somebody"))


@pytest.fixture
def submitted(queue: Jobs, monkeypatch: pytest.MonkeyPatch) -> list[RunSettings]:
    """What the page hands to the queue; nothing runs."""
    asked: list[RunSettings] = []

    def submit(task: TrainingTask, session: str) -> str:
        asked.append(task.settings)
        return "x" * 22

    monkeypatch.setattr(queue, "submit", submit)
    return asked


def text(app: AppTest) -> str:
    return "\n".join([*(element.value for element in app.main.text), *(c.value for c in app.main.caption)])


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def run_of(app: AppTest) -> str:
    found = app.query_params["run"]
    return found if isinstance(found, str) else found[0]


# the form


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_task_is_offered_and_the_dates_come_first(language: str) -> None:
    app = visit("train", language)
    box = app.selectbox(key="task")
    assert box.value == "dates"
    assert box.options == [sentence(language, f"train_task.{task}") for task in TASKS]
    assert sentence(language, "train_about.dates") in text(app)
    parameters = sum(p.numel() for p in runs.Run(DEFAULTS["dates"]).trainer.model.parameters())
    [line] = [line for line in inside(app, "start_row") if f"{parameters:,}" in line]
    estimate = sentence(language, "train_figure.seconds", seconds="*").replace("*", r"\d+")
    assert re.search(estimate, line)
    assert not app.button(key="start").disabled


@pytest.mark.parametrize("task", TASKS)
def test_the_defaults_of_a_task_are_what_is_started(task: str, submitted: list[RunSettings]) -> None:
    app = visit("train", task=task)
    own = ""
    if task in ("text", "own"):
        assert app.button(key="start").disabled
        press(app, "example")
        own = catalogue("en")[f"train_example.{'own_text' if task == 'text' else 'own_table'}"]
    press(app, "start")
    assert submitted == [replace(DEFAULTS[task], own=own)]  # type: ignore[index]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_can_be_trained_on(language: str, submitted: list[RunSettings]) -> None:
    for task in ("text", "own"):
        press(press(visit("train", language, task=task), "example"), "start")
    assert [settings.own[:20] for settings in submitted] == [
        catalogue(language)[f"train_example.{key}"][:20] for key in ("own_text", "own_table")
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("task", "typed", "names"), [("text", "short", "400"), ("own", "a\tb\n" * 3 + "c\n", "2"), ("own", "a b c", "1")]
)
def test_what_cannot_be_learned_from_is_refused(task: str, typed: str, names: str, language: str) -> None:
    app = visit("train", language, task=task)
    app.text_area(key="own_text" if task == "text" else "own_table").set_value(typed).run()
    [notice] = said(app)
    assert names in notice
    assert app.button(key="start").disabled


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("key", "value"),
    [("task", "chess"), ("preset", "gpt"), ("training_steps", "7"), ("d_model", "x"), ("norm", "<b>"), ("average", "2"),
     ("encoder_layers", "0"), ("training_seed", "-1"), ("warmup", "99999999999999999999")],
)  # fmt: skip
def test_a_link_that_asks_for_too_much_gets_the_default(key: str, value: str, language: str) -> None:
    app = visit("train", language, **{key: value})
    [notice] = said(app)
    assert value in notice
    assert not app.button(key="start").disabled


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id_", ["nobody", "../etc/passwd", "x" * 300])
def test_a_run_that_is_gone_gets_a_sentence(id_: str, language: str) -> None:
    app = visit("train", language, run=id_)
    assert said(app) == [sentence(language, "train.lost")]
    assert not app.button(key="start").disabled


def test_until_the_library_is_loaded_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    monkeypatch.setattr(warmup, "_ready", threading.Event())
    assert sentence("en", "train.loading") in text(visit("train"))


@pytest.mark.parametrize(("seconds", "said_"), [(0.2, "1 s"), (59.4, "59 s"), (60.2, "1 min 0 s"), (125, "2 min 5 s")])
def test_a_time_in_words(seconds: float, said_: str) -> None:
    assert duration(seconds) == said_


# a run


def test_a_run_is_started_found_again_and_judged_by_what_it_does(queue: Jobs) -> None:
    app = visit("train", task="notebook", d_model="16", heads="2", d_ff="32", training_steps="40")
    press(app, "start")
    id_ = run_of(app)
    progress = over(queue, id_)
    app.run()  # as the figure asks for when the state has changed
    assert app.button(key=f"run_{id_}").disabled
    # what the weights that were saved last write, decoded anew
    last = queue.result(id_).moment()
    checkpoint = runs.checkpoint(progress.settings, last, "kept")
    right = {True: 0, False: 0}
    count = {True: 0, False: 0}
    for sample in last.samples:
        written = greedy(checkpoint.model, [checkpoint.tokenizer.encode(sample.source)], 12)[0]
        right[sample.held_out] += checkpoint.tokenizer.decode(written.ids) == sample.reference
        count[sample.held_out] += 1
    assert count == {True: 2, False: 22}
    counts = sentence(
        "en", "train_verdict.counts", right=right[False], count=22, held_right=right[True], held=2
    )  # fmt: skip
    assert counts in inside(app, "figure_verdict")


def test_every_moment_shows_what_the_model_wrote_then(queue: Jobs, done: Progress, client: TestClient) -> None:
    longest = prepare(done.settings).longest[1]
    for step in done.moments[-3:]:
        answer = client.get(f"/runs/{done.id}/moments/{step}?language=zh")
        assert answer.headers["cache-control"] == "no-store"
        content, picture = opened(answer.content)
        then = queue.result(done.id).moment(step)
        checkpoint = runs.checkpoint(done.settings, then, "then")
        ids = [checkpoint.tokenizer.encode(sample.source) for sample in then.samples]
        for row, written in zip(content["samples"], greedy(checkpoint.model, ids, longest), strict=True):
            output = checkpoint.tokenizer.decode(written.ids)
            assert row[2:] == [output, row[3], int(output == row[1])]
        weight = then.weights["source_embedding.weight"].astype(float)[1:]
        energy = 16 * np.square(weight).sum(-1).mean()
        assert content["energy"] == [pytest.approx(energy, rel=0.02), pytest.approx(8)]
        source = checkpoint.tokenizer.encode(content["watched"][0])
        again = greedy(checkpoint.model, [source], longest)[0]
        assert content["watched"][1] == checkpoint.tokenizer.decode(again.ids)
        header, weights = opened_attention(picture)
        passed = trace(checkpoint.model, checkpoint.tokenizer, source, [BOS, *again.ids[:-1]])
        wanted = np.concatenate([passed.weights(kind).ravel() for kind in ("encoder", "decoder", "cross")])
        assert np.abs(weights - wanted).max() < 2e-2  # the weights of the model are kept in half precision
        assert header["words"]["wall"] == catalogue("zh")["attention_figure.wall"]


def figure_data(app: AppTest) -> dict:
    """What the figure of the run was told."""
    [figure] = [each for each in app.main.get("bidi_component") if "live_run" in each.proto.component_name]
    return json.loads(json.loads(figure.proto.json) if figure.proto.json else figure.proto.mixed.json)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figure_is_told_of_the_moments_and_of_the_one_in_the_link(language: str, done: Progress) -> None:
    data = figure_data(visit("train", language, run=done.id))
    assert (data["moments"], data["moment"], data["live"]) == (list(done.moments), done.moments[-1], False)
    app = visit("train", language, run=done.id, moment=str(done.moments[1]), attention_kind="encoder", head="1")
    data = figure_data(app)
    assert data["moment"] == done.moments[1]
    assert data["selection"] == {"kind": "encoder", "layer": 0, "head": 1}
    app = visit("train", language, run=done.id, moment="7777")
    assert figure_data(app)["moment"] == done.moments[-1]
    [notice] = said(app)
    assert "7777" in notice


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kept_model_is_on_every_page_and_writes_the_same(queue: Jobs, language: str) -> None:
    app = visit("train", language, task="notebook", d_model="16", heads="2", d_ff="32", training_steps="40")
    press(app, "start")
    id_ = run_of(app)
    over(queue, id_)
    app.run()
    press(app, "keep")
    [name] = [name for name in app.selectbox(key="checkpoint").options if name.startswith(f"{OWN}notebook")]
    assert any(key.startswith("download_") for key in downloads(app))
    own = name.split(" ")[0]
    wanted = queue.result(id_).moment().look
    page = app.switch_page("start/page.py")
    page.run()
    page.selectbox(key="checkpoint").set_value(own).run()
    page.text_input(key="sentence").set_value(wanted.sentence).run()
    assert not page.exception
    assert inside(page, "target") == [wanted.output]


def test_somebody_else_watches_but_does_not_steer(queue: Jobs) -> None:
    id_ = queue.submit(TrainingTask(replace(TINY, steps=20_000)), "somebody")
    app = visit("train", run=id_)
    assert sentence("en", "train.somebody") in text(app)
    assert not {"pause", "stop", "resume"} & {button.key for button in app.button}
    assert not [button for button in app.button if (button.key or "").startswith("run_")]


def test_pause_resume_and_stop(queue: Jobs) -> None:
    app = visit("train", task="notebook", d_model="16", heads="2", training_steps="20000")
    press(app, "start")
    id_ = run_of(app)

    def until(state: str) -> None:
        end = time.monotonic() + PATIENCE
        while (found := queue.progress(id_)).state != state or not (found.reports or state == "queued"):
            assert time.monotonic() < end
            time.sleep(0.02)
        app.run()

    until("running")
    press(app, "pause")
    until("paused")
    assert figure_data(app)["moments"]  # what it has can be looked at meanwhile
    press(app, "resume")
    until("running")
    press(app, "stop")
    until("stopped")
    assert not {"pause", "stop", "resume"} & {button.key for button in app.button}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_third_run_is_refused_in_words(language: str) -> None:
    app = visit("train", language, task="notebook", d_model="16", heads="2", training_steps="20000")
    for _ in range(3):
        press(app, "start")
    refused = catalogue(language).get("refused.job_full")
    assert said(app) == [refused or "You have one run going and one waiting: stop one of them first."]


def test_the_control_runs_the_same_with_other_targets(submitted: list[RunSettings], done: Progress) -> None:
    app = visit("train", task="notebook", d_model="16", heads="2", training_steps="40")
    assert not [button for button in app.button if button.key == "control"]  # no run yet
    app = visit("train", run=done.id)
    assert not [button for button in app.button if button.key == "control"]  # somebody else's
    assert submitted == []


# the route


@pytest.fixture
def client(queue: Jobs) -> TestClient:
    return TestClient(Starlette(routes=run_routes.ROUTES, middleware=[Middleware(SecurityHeaders)]))


def test_the_route_gives_what_is_new(client: TestClient, done: Progress) -> None:
    answer = client.get(f"/runs/{done.id}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert {name.lower(): answer.headers[name] for name in HEADERS} == {k.lower(): v for k, v in HEADERS.items()}
    found = answer.json()
    assert (found["state"], found["position"], found["next"], found["steps"]) == ("finished", 0, len(done.reports), 40)
    assert [row[0] for row in found["reports"]] == list(range(41))
    assert [row[1] for row in found["reports"]] == pytest.approx([report.loss for report in done.reports], rel=1e-4)
    evaluated = [report for report in done.reports if report.evaluation]
    assert [row[0] for row in found["evaluations"]] == [report.step for report in evaluated]
    last = evaluated[-1].evaluation
    assert last is not None
    assert found["evaluations"][-1][1:5] == pytest.approx(
        [last.validation_loss, last.token_accuracy, last.exact_held_out, last.exact_training], rel=1e-4
    )
    assert found["evaluations"][-1][6:] == [8.0, 2, 22]  # ‖PE‖² = d/2
    assert found["samples"] == [[s.source, s.reference, s.output, int(s.held_out), int(s.right)] for s in last.samples]
    later = client.get(f"/runs/{done.id}?since=39").json()
    assert later["reports"] == found["reports"][39:]
    nothing = client.get(f"/runs/{done.id}?since={found['next']}").json()
    assert (nothing["reports"], nothing["evaluations"], "samples" in nothing) == ([], [], False)


def test_the_route_gives_the_attention_of_the_watched_sentence(client: TestClient, done: Progress) -> None:
    header, weights = opened_attention(client.get(f"/runs/{done.id}/look?language=zh").content)
    assert done.look is not None
    wanted = np.concatenate([done.look.weights[kind].ravel() for kind in ("encoder", "decoder", "cross")])
    assert np.abs(weights - wanted.astype(float)).max() < 1e-4
    assert header["words"]["wall"] == catalogue("zh")["attention_figure.wall"]
    assert header["panels"][2]["keys"] == list(done.look.source_tokens)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/runs/nobody", 404), ("/runs/nobody/look", 404), ("/runs/{id}?since=-1", 400), ("/runs/{id}?since=x", 400),
     ("/runs/{id}?since=1e3", 400), ("/runs/{id}?since=²", 400), ("/runs/{id}?since=99999999999", 400),
     ("/runs/{id}/look?language=xx", 400), ("/runs/{id}/moments/0?language=xx", 400), ("/runs/{id}/moments/7777", 404),
     ("/runs/nobody/moments/0", 404), ("/runs/{id}/moments/-1", 404), ("/runs/{id}/moments/x", 404),
     ("/runs/..%2f..%2fetc", 404), ("/runs/", 404)],
)  # fmt: skip
def test_junk_is_refused(client: TestClient, done: Progress, path: str, status: int) -> None:
    answer = client.get(path.replace("{id}", done.id))
    assert answer.status_code == status
    assert client.post(f"/runs/{done.id}").status_code == 405


def test_numbers_that_are_none_are_left_out(client: TestClient, done: Progress) -> None:
    first = client.get(f"/runs/{done.id}").json()["reports"][0]
    assert first[6] is None  # nobody knows the time left before the first step


# who reads


async def _page(scope: dict, receive: object, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b""})


def test_a_page_names_its_browser_once_and_renews_the_name() -> None:
    client = TestClient(cookie.UserCookie(_page))  # type: ignore[arg-type]
    html = {"Accept": "text/html"}
    first = client.get("/", headers=html).headers["set-cookie"]
    assert re.match(rf"{user.NAME}=[\w-]{{22}}; .*HttpOnly; SameSite=Lax", first)
    assert client.get("/train", headers=html).headers["set-cookie"] == first  # for another day
    other = TestClient(cookie.UserCookie(_page))  # type: ignore[arg-type]
    assert "set-cookie" not in other.get("/runs/x", headers={"Accept": "*/*"}).headers
    assert "set-cookie" in other.get("/", headers=html | {"Cookie": f"{user.NAME}=../x"}).headers
    assert other.get("/", headers=html).headers.get("set-cookie", first) != ""


def test_two_browsers_have_two_names() -> None:
    names = {
        TestClient(cookie.UserCookie(_page)).get("/", headers={"Accept": "text/html"}).cookies[user.NAME]  # type: ignore[arg-type]
        for _ in range(3)
    }
    assert len(names) == 3


# figures


def test_the_figure_has_exactly_its_words() -> None:
    for language in LANGUAGES:
        table = {key.split(".")[1] for key in catalogue(language) if key.startswith("train_figure.")}
        assert table == set(live_run.WORDS)


def test_the_curves_to_take_away_hold_the_numbers() -> None:
    words = {key.split(".")[1]: text for key, text in catalogue("zh").items() if key.startswith("train_figure.")}
    points = [
        training.Point(0, "loss_train", 4.0),
        training.Point(9, "exact_training", 0.5),
        training.Point(0, "loss_train", 0.0),
    ]
    left, right = training.curves_chart(points, words).to_dict()["hconcat"]
    assert [row["value"] for row in json.loads(left["data"]["values"])] == [4.0]  # a logarithm has no 0
    assert [row["value"] for row in json.loads(right["data"]["values"])] == [0.5]


def test_the_component_needs_all_its_words() -> None:
    with pytest.raises(ValueError, match="lacks these words"):
        live_run.run_data(
            "x", state="running", live=True, moments=(), moment=None, selection=None, beside="", language="en", words={}
        )


def test_a_checkpoint_of_a_run_loads_strictly(queue: Jobs, done: Progress, tmp_path: Path) -> None:
    from model.build.keep_run import keep_run

    result = queue.result(done.id)
    entry = keep_run(tmp_path / "mine", done.settings, done.reports, [result.moment(step) for step in result.moments])
    checkpoint = checkpoints.load(entry)
    wanted = result.moment().weights["output.weight"]
    assert np.array_equal(checkpoint.model.output.weight.detach().half().numpy(), wanted)
