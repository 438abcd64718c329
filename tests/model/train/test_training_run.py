"""Runs: limits in words, the same seed the same curve, reports that are true, moments to come back to."""

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch

from corpora.tasks.memorised_pairs import HELD_OUT, PAIRS
from model.checkpoint import snapshots
from model.decode.greedy import greedy
from model.presets import PRESETS
from model.train import check_settings, data, training_run
from model.train.job import TrainingTask
from model.train.limits import Limits
from model.train.report import RunReport
from model.train.run_settings import DEFAULTS, RunSettings, of_preset
from model.train.schedule import snapshot_steps
from model.train.training_run import Run
from tests.model.train.small import TINY

TEXT = "It was a bright cold day in April, and the clocks were striking thirteen times in all. " * 12
TABLE = "\n".join(f"{i} apples\t{i} äpfel" for i in range(40))


def filled(task: str) -> RunSettings:
    own = {"text": TEXT, "own": TABLE}.get(task, "")
    return replace(DEFAULTS[task], own=own)


def curve(reports: list[RunReport]) -> list[tuple]:
    """Everything but times."""
    return [
        (
            report.step, report.loss, report.learning_rate, report.gradient_norm,
            report.evaluation and (report.evaluation.validation_loss, report.evaluation.samples),
        )
        for report in reports
    ]  # fmt: skip


@pytest.fixture(scope="module")
def whole() -> list[RunReport]:
    return list(training_run.run(TINY))


def test_the_same_seed_gives_the_same_curve(whole: list[RunReport]) -> None:
    torch.rand(3)
    assert curve(list(training_run.run(TINY))) == curve(whole)
    assert curve(list(training_run.run(replace(TINY, seed=1)))) != curve(whole)


@pytest.mark.parametrize("after", [1, 2, 9, 25])
def test_paused_and_resumed_it_goes_through_the_same(whole: list[RunReport], after: int, tmp_path: Path) -> None:
    first = Run(TINY)
    reports = first.reports()
    reports_before = [next(reports) for _ in range(after)]
    torch.save(first.state(), tmp_path / "state.pt")
    torch.manual_seed(99)
    second = Run(TINY, torch.load(tmp_path / "state.pt", weights_only=True))
    assert curve([*reports_before, *second.reports()]) == curve(whole)


def test_a_report_that_an_earlier_version_stored_is_read(whole: list[RunReport]) -> None:
    report, _ = TrainingTask(TINY).split(replace(whole[-1], moment=None))
    fields = json.loads(json.dumps(asdict(report)))
    fields["evaluation"]["look"] = fields["evaluation"].pop("probe")
    assert TrainingTask.report(fields) == report


def test_reports_say_what_the_model_does(whole: list[RunReport]) -> None:
    assert [report.step for report in whole] == list(range(25))
    assert whole[0].evaluation is not None
    assert whole[0].moment is not None
    last = whole[-1]
    assert last.evaluation is not None
    assert last.moment is not None
    assert last.seconds_left == 0
    assert all(0 <= report.evaluation_share <= 1 and report.seconds > 0 for report in whole)
    assert all(report.steps_per_second > 0 and report.gradient_norm > 0 for report in whole[1:])
    # held against the weights that were saved, by a model made anew
    checkpoint = training_run.checkpoint(TINY, last.moment, "kept")
    for sample in last.evaluation.samples:
        output = greedy(checkpoint.model, [checkpoint.tokenizer.encode(sample.source)], 12)[0]
        assert checkpoint.tokenizer.decode(output.ids) == sample.output
        assert sample.right == (sample.output == sample.reference)
    held_out = [sample for sample in last.evaluation.samples if sample.held_out]
    training_samples = [sample for sample in last.evaluation.samples if not sample.held_out]
    assert [sample.source for sample in held_out] == ["wo ist das buch ?", "wo ist dieses kino ?"]
    assert {(sample.source, sample.reference) for sample in training_samples} == set(PAIRS)
    assert last.evaluation.exact_training == sum(sample.right for sample in training_samples) / 22


def test_validation_is_that_of_torch(whole: list[RunReport]) -> None:
    moment, evaluation = whole[-1].moment, whole[-1].evaluation
    assert moment is not None
    assert evaluation is not None
    checkpoint = training_run.checkpoint(TINY, moment, "kept")
    tokenizer = checkpoint.tokenizer
    losses, right = [], []
    for source, target in HELD_OUT:
        ids = torch.tensor([tokenizer.encode(target)])
        read = torch.tensor([tokenizer.encode(source)])
        logits = checkpoint.model(read, ids[:, :-1], torch.ones_like(read, dtype=torch.bool))[0]
        losses += (-logits.log_softmax(-1)[range(6), ids[0, 1:]]).tolist()
        right += (logits.argmax(-1) == ids[0, 1:]).tolist()
    assert evaluation.validation_loss == pytest.approx(sum(losses) / 12, rel=5e-3)  # weights in half precision
    assert evaluation.token_accuracy == sum(right) / 12


def test_moments_hold_attention_and_come_back_as_they_were(whole: list[RunReport], tmp_path: Path) -> None:
    all_moments = [report.moment for report in whole if report.moment]
    assert [moment.step for moment in all_moments] == sorted(snapshot_steps(24))
    for moment in (all_moments[0], all_moments[-1]):
        moment.save(tmp_path / "moment.npz")
        again = snapshots.load(tmp_path / "moment.npz")
        assert (again.step, again.samples, again.energy) == (moment.step, moment.samples, moment.energy)
        assert again.probe.source_tokens == ("<bos>", "wo", "ist", "das", "buch", "?", "<eos>")
        assert again.probe.target_tokens[0] == "<bos>"
        for kind, weights in moment.probe.weights.items():
            assert np.array_equal(again.probe.weights[kind], weights)
            assert weights.dtype == np.float16
            assert weights.shape[:2] == ({"encoder": 2}.get(kind, 1), 2)
            assert np.allclose(weights.astype(float).sum(-1), 1, atol=2e-3)
        assert set(again.weights) == set(moment.weights)
        assert all(np.array_equal(again.weights[name], value) for name, value in moment.weights.items())
    assert not np.array_equal(all_moments[0].weights["output.weight"], all_moments[-1].weights["output.weight"])
    table = all_moments[-1].weights["source_embedding.weight"].astype(float)[1:]
    assert all_moments[-1].energy.embedding == pytest.approx(np.square(table).sum(-1).mean(), rel=5e-3)
    assert all_moments[-1].energy.position == pytest.approx(16 / 2)


@pytest.mark.parametrize("steps", [1, 2, 7, 30, 600, 20_000])
def test_moments_are_few_and_ever_wider_apart(steps: int) -> None:
    result = sorted(snapshot_steps(steps))
    assert len(result) <= 12
    assert (result[0], result[-1]) == (0, steps)
    if steps >= 600:
        assert len(result) == 12
        gaps = np.diff(result[1:])
        assert (np.diff(gaps) >= 0).all()


def test_stopped_it_ends_at_once_and_keeps_what_it_has() -> None:
    run = Run(replace(TINY, steps=5000))
    reports = []
    for report in run.reports():
        reports.append(report)
        if len(reports) == 3:
            run.stop()
    assert len(reports) == 4
    assert reports[-1].moment is not None
    assert reports[-1].moment.weights
    assert run.ended is None


def test_the_limit_on_time_ends_a_run_with_a_sentence() -> None:
    run = Run(replace(TINY, steps=2, warmup=0), limits=Limits(seconds=60))
    run.limits = Limits(seconds=0)
    reports = list(run.reports())
    assert run.ended is not None
    assert run.ended.code == "run_time"
    assert reports[-1].moment is not None
    assert reports[-1].step == 1


def test_a_loss_that_is_no_number_ends_it() -> None:
    run = Run(TINY)
    reports = run.reports()
    next(reports)
    with torch.no_grad():
        next(run.trainer.model.parameters()).fill_(math.nan)
    assert list(reports) == []
    assert run.ended is not None
    assert (run.ended.code, run.ended.values) == ("run_diverged", {"step": 1})


@pytest.mark.sample(4)
@pytest.mark.parametrize("task", DEFAULTS)
def test_every_task_starts_from_its_defaults(task: str) -> None:
    settings = filled(task)
    estimate = check_settings.check(settings)
    reports = Run(replace(settings, tokens_per_batch=200)).reports()
    first, second = next(reports), next(reports)
    assert first.evaluation is not None
    assert second.step == max(1, min(10, settings.steps // 200))
    assert math.isfinite(second.loss)
    run = Run(settings)
    assert estimate.parameters == sum(p.numel() for p in run.trainer.model.parameters())
    if task != "text":
        assert first.evaluation.held_out > 0
        # what is held out is in no training pair
        trained = {pair.source for pair in run.prepared.corpus.train(0)}
        assert not trained & {pair.source for pair in run.held_out}
    else:
        assert first.evaluation.exact_held_out is None
        assert list(first.evaluation.probe.weights) == ["decoder"]  # type: ignore[union-attr]


def test_as_in_the_notebook() -> None:
    settings = of_preset("notebook")
    run = Run(settings)
    config, reference = run.config, PRESETS["notebook"].config
    same = replace(
        reference, source_vocabulary=config.source_vocabulary, target_vocabulary=config.target_vocabulary,
        max_length=config.max_length,
    )  # fmt: skip
    assert config == same
    assert (settings.steps, settings.learning_rate, settings.schedule, settings.average) == (300, 3e-4, "constant", 0)
    group = run.trainer.optimizer.param_groups[0]
    assert (group["betas"], group["eps"]) == ((0.9, 0.999), 1e-8)
    reports = run.reports()
    next(reports)
    rates = [next(reports).learning_rate for _ in range(2)]
    assert rates == [3e-4, 3e-4]
    new, average = next(run.trainer.model.parameters()), next(run.trainer.average.parameters())
    assert torch.equal(new, average)  # no average


def test_the_papers_schedule_is_equation_3() -> None:
    settings = replace(TINY, d_model=64, warmup=40, steps=100, schedule="paper", learning_rate=(64 * 40) ** -0.5)
    run = Run(settings)
    rates = []
    for _ in range(100):
        rates.append(run.trainer._learning_rate())
        run.trainer.step += 1
    expected = [64**-0.5 * min(step**-0.5, step * 40**-1.5) for step in range(1, 101)]
    assert rates == pytest.approx(expected)


def test_the_notebook_is_memorised_shuffled_or_not() -> None:
    """Twenty-two of twenty-two either way, and the questions held out come out wrong."""
    for shuffled in (False, True):
        *_, last = training_run.run(replace(DEFAULTS["notebook"], shuffled=shuffled))
        assert last.evaluation is not None
        assert last.evaluation.exact_training == 1
        assert last.evaluation.training == 22
        assert last.evaluation.exact_held_out == 0


def test_four_letters_are_reversed() -> None:
    """A small variant of a task with a rule: right on sources that it was never shown."""
    from corpora.tasks.sequences import Sequences

    settings = replace(DEFAULTS["reverse"], letters=4, d_model=32, heads=2, d_ff=64, steps=250, tokens_per_batch=500)
    assert isinstance(data.prepare(settings).corpus, Sequences)
    assert data.prepare(settings).longest == (6, 6)
    *_, last = training_run.run(settings)
    assert last.evaluation is not None
    assert last.evaluation.exact_held_out is not None
    assert last.evaluation.exact_held_out > 0.9


@pytest.mark.thorough
def test_without_the_causal_mask_it_reads_the_answer_and_can_write_nothing() -> None:
    settings = RunSettings(task="reverse", d_model=32, heads=2, encoder_layers=1, d_ff=32, steps=250, warmup=20)
    last = {
        causal: list(training_run.run(replace(settings, causal_mask=causal)))[-1].evaluation for causal in (True, False)
    }
    assert last[False].validation_loss < 0.2 < 1 < last[True].validation_loss
    assert last[False].token_accuracy > 0.95
    assert last[False].exact_held_out < 0.05


def test_the_numbers_of_a_report_have_names(whole: list[RunReport]) -> None:
    first, second = whole[0].numbers(), whole[1].numbers()
    assert list(first) == list(second)
    assert first["embedding_energy"] == whole[0].evaluation.energy.embedding  # type: ignore[union-attr]
    assert (second["step"], second["loss"], second["validation_loss"]) == (1, whole[1].loss, None)
