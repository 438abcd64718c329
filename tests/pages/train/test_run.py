"""A run: started, watched, steered, kept."""

import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from model.checkpoint import checkpoints
from model.checkpoint.user_models import OWN
from model.decode.greedy import greedy
from model.decode.recorded_pass import trace
from model.jobs.pool import Jobs
from model.jobs.types import Progress
from model.tokenization.tokenizer import BOS
from model.train import training_run
from model.train.data import prepare
from model.train.job import TrainingTask
from pages.shared.text.words import all_texts
from tests.app import downloads, inside, keys, said, sentence, visit
from tests.pages.train.page import PATIENCE, TINY, over, press, text
from tests.samples import either_language, opened, opened_attention

pytestmark = pytest.mark.usefixtures("warm", "queue")


def run_of(app: AppTest) -> str:
    result = app.query_params["run"]
    return result if isinstance(result, str) else result[0]


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
    checkpoint = training_run.checkpoint(progress.settings, last, "kept")
    right = {True: 0, False: 0}
    count = {True: 0, False: 0}
    for sample in last.samples:
        output = greedy(checkpoint.model, [checkpoint.tokenizer.encode(sample.source)], 12)[0]
        right[sample.held_out] += checkpoint.tokenizer.decode(output.ids) == sample.reference
        count[sample.held_out] += 1
    assert count == {True: 2, False: 22}
    counts = sentence(
        "en", "train_verdict.counts", right=right[False], count=22, held_right=right[True], held=2
    )  # fmt: skip
    assert counts in inside(app, "figure_verdict")
    del app.query_params["run"]  # the page without a run lists it
    app.run()
    assert "figure_run" not in keys(app)
    press(app, f"run_{id_}")
    assert counts in inside(app, "figure_verdict")


def test_every_moment_shows_what_the_model_wrote_then(queue: Jobs, done: Progress, client: TestClient) -> None:
    longest = prepare(done.settings).longest[1]
    for step in done.moments[-3:]:
        answer = client.get(f"/runs/{done.id}/moments/{step}?language=zh")
        assert answer.headers["cache-control"] == "no-store"
        content, picture = opened(answer.content)
        then = queue.result(done.id).moment(step)
        checkpoint = training_run.checkpoint(done.settings, then, "then")
        ids = [checkpoint.tokenizer.encode(sample.source) for sample in then.samples]
        for row, outputs in zip(content["samples"], greedy(checkpoint.model, ids, longest), strict=True):
            output = checkpoint.tokenizer.decode(outputs.ids)
            assert (row["output"], row["right"]) == (output, output == row["reference"])
        weight = then.weights["source_embedding.weight"].astype(float)[1:]
        energy = 16 * np.square(weight).sum(-1).mean()
        assert content["energy"] == [pytest.approx(energy, rel=0.02), pytest.approx(8)]
        source = checkpoint.tokenizer.encode(content["watched"][0])
        again = greedy(checkpoint.model, [source], longest)[0]
        assert content["watched"][1] == checkpoint.tokenizer.decode(again.ids)
        header, weights = opened_attention(picture)
        pass_ = trace(checkpoint.model, checkpoint.tokenizer, source, [BOS, *again.ids[:-1]])
        weights_of_all = np.concatenate([pass_.weights(kind).ravel() for kind in ("encoder", "decoder", "cross")])
        assert np.abs(weights - weights_of_all).max() < 2e-2  # the weights of the model are kept in half precision
        assert header["words"]["wall"] == all_texts("zh")["attention_figure.wall"]


def figure_data(app: AppTest) -> dict:
    """Data of the figure of the run."""
    [figure] = [each for each in app.main.get("bidi_component") if "live_run" in each.proto.component_name]
    return json.loads(json.loads(figure.proto.json) if figure.proto.json else figure.proto.mixed.json)


@either_language
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


@either_language
def test_a_kept_model_is_on_every_page_and_writes_the_same(queue: Jobs, language: str) -> None:
    app = visit("train", language, task="notebook", d_model="16", heads="2", d_ff="32", training_steps="40")
    press(app, "start")
    id_ = run_of(app)
    over(queue, id_)
    app.run()
    press(app, "keep")
    assert any(key.startswith("download_") for key in downloads(app))
    look = queue.result(id_).moment().probe
    page = app.switch_page("start/page.py")
    page.run()
    [name] = [name for name in page.selectbox(key="checkpoint").options if name.startswith(f"{OWN}notebook")]
    own = name.split(" ")[0]
    page.selectbox(key="checkpoint").set_value(own).run()
    page.text_input(key="sentence").set_value(look.sentence).run()
    assert not page.exception
    assert inside(page, "target") == [look.output]


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
        while (result := queue.progress(id_)).state != state or not (result.reports or state == "queued"):
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


@either_language
def test_a_third_run_is_refused_in_words(language: str) -> None:
    app = visit("train", language, task="notebook", d_model="16", heads="2", training_steps="20000")
    for _ in range(3):
        press(app, "start")
    assert said(app) == [sentence(language, "refused.job_full")]


# figures


def test_the_picture_to_take_away_has_the_curves_of_the_run(done: Progress) -> None:
    files = downloads(visit("train", "zh", run=done.id))
    picture = files["svg_run"].make().decode()
    words = {key.split(".")[1]: text for key, text in all_texts("zh").items() if key.startswith("train_figure.")}
    assert all(f">{words[name]}</text>" in picture for name in ("chart_loss", "chart_right", "loss_validation"))
    longest = max(picture.split('d="')[1:], key=len)
    assert longest.split('"')[0].count("L") == len(done.reports) - 1  # the loss has a point for each report


def test_the_table_to_take_away_has_a_line_for_each_report(done: Progress) -> None:
    files = downloads(visit("train", run=done.id))
    head, first, second, *_ = files["csv_run"].make().decode("utf-8-sig").splitlines()
    assert head == (
        "step,seconds,loss,learning_rate,gradient_norm,steps_per_second,"
        "validation_loss,token_accuracy,exact_training,exact_held_out,embedding_energy,position_energy,model,version,sentences,seed"
    )
    evaluated = [line.split(",")[6:12] for line in (first, second)]
    assert (all(evaluated[0]), any(evaluated[1])) == (True, False)  # not evaluated after every step


def test_a_checkpoint_of_a_run_loads_strictly(queue: Jobs, done: Progress, tmp_path: Path) -> None:
    from model.build.keep_run import keep_run

    result = queue.result(done.id)
    entry = keep_run(tmp_path / "mine", done.settings, done.reports, [result.moment(step) for step in result.moments])
    checkpoint = checkpoints.load(entry)
    weight = result.moment().weights["output.weight"]
    assert np.array_equal(checkpoint.model.output.weight.detach().half().numpy(), weight)
