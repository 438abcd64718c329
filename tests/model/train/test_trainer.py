"""Training: it learns, it can be stopped and taken up again without a trace, and it sees every example."""

import copy
import io
import math
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import torch

from corpora.pairs import Example
from model import masks
from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.edit import edited_pass, edits
from model.edit.edited_pass import compose
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, EOS, PAD
from model.train.trainer import Report, Trainer, TrainingSettings
from model.transformer import Transformer

SETTINGS = TrainingSettings(
    steps=24, learning_rate=3e-3, warmup=6, tokens_per_batch=120, report_every=4, average=0.9, seed=3
)


def reversals(count: int, seed: int) -> list[Example]:
    """Sequences of letters, to be written backwards in other letters."""
    rng = random.Random(seed)
    result: list[Example] = []
    for _ in range(count):
        letters = [rng.randrange(4, 8) for _ in range(rng.randint(2, 4))]
        result.append(([BOS, *letters, EOS], [BOS, *(letter + 4 for letter in reversed(letters)), EOS]))
    return result


def trainer(settings: TrainingSettings = SETTINGS, dropout: float = 0.1, seed: int = 5) -> Trainer:
    torch.manual_seed(seed)
    config = TransformerConfig(
        source_vocabulary=12, target_vocabulary=12, d_model=32, heads=2, encoder_layers=1, decoder_layers=1, d_ff=64,
        norm="pre", final_norm=True, dropout=dropout, max_length=16,
    )  # fmt: skip
    # other examples in each epoch, and several epochs in a run
    return Trainer(Transformer(config), settings, lambda epoch: reversals(60, epoch), reversals(20, 99))


def learner(*changes: edited_pass.Edit, steps: int = 300) -> Trainer:
    """A run under edits."""
    plain = trainer(dropout=0.0)
    settings = TrainingSettings(
        steps=steps, learning_rate=8e-3, warmup=40, tokens_per_batch=600, report_every=100, average=0.98
    )
    tap = compose(plain.model, *changes)
    return Trainer(plain.model, settings, plain.examples, reversals(20, 99), tap=tap)


def loss(model: Transformer, examples: list[Example], *changes: edited_pass.Edit) -> float:
    """Nats per target token, from torch alone."""
    source, target = masks.padded([s for s, _ in examples])[0], masks.padded([t for _, t in examples])[0]
    with torch.inference_mode():
        logits = model(source, target[:, :-1], source != PAD, compose(model, *changes))
    return float(torch.nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD))


def without_time(reports: list[Report]) -> list[Report]:
    return [replace(report, seconds=0.0) for report in reports]


def weights(run: Trainer) -> list[torch.Tensor]:
    return [*run.model.parameters(), *run.average.parameters()]


def test_bfloat16_learns_as_single_precision_does_and_leaves_weights_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch computes in bfloat16 everywhere, only slowly where the processor cannot."""
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True})
    single, mixed = (trainer(replace(SETTINGS, bfloat16=each), dropout=0.0) for each in (False, True))
    losses = [[update.loss for update in each.updates()] for each in (single, mixed)]
    assert losses[0] != losses[1] == pytest.approx(losses[0], rel=0.02)
    assert {parameter.dtype for parameter in mixed.model.parameters()} == {torch.float32}

    monkeypatch.setattr(torch.cpu, "get_capabilities", dict)
    refused = trainer(replace(SETTINGS, bfloat16=True), dropout=0.0)
    assert [update.loss for update in refused.updates()] == losses[0]


def test_it_learns_a_small_task() -> None:
    settings = TrainingSettings(
        steps=300, learning_rate=8e-3, warmup=40, tokens_per_batch=600, report_every=100, average=0.98
    )
    run = trainer(settings, dropout=0.0)
    reports = list(run.reports())
    assert reports[-1].validation_loss < 0.2 < reports[0].validation_loss
    unseen = reversals(80, 12345)
    output = greedy(run.average, [source for source, _ in unseen], 12)
    right = sum(result.ids == tuple(target[1:]) for result, (_, target) in zip(output, unseen, strict=True))
    assert right >= 76


def test_an_untrained_model_is_as_good_as_guessing() -> None:
    # logits of variance about 1 in place of none: a little worse than the uniform guess over 12 tokens
    assert trainer(dropout=0.0).evaluate() == pytest.approx(math.log(12), abs=0.8)


def test_same_seed_same_reports() -> None:
    assert without_time(list(trainer().reports())) == without_time(list(trainer().reports()))
    other = list(trainer(replace(SETTINGS, seed=4)).reports())  # another order of the same examples
    assert without_time(other) != without_time(list(trainer().reports()))


def test_reports_come_in_time_and_tell_the_progress() -> None:
    reports = list(trainer(replace(SETTINGS, steps=10)).reports())
    assert [report.step for report in reports] == [4, 8, 10]
    for report in reports:
        assert report.steps == 10
        assert all(math.isfinite(value) for value in (report.loss, report.validation_loss, report.gradient_norm))
        assert 0 <= report.learning_rate <= SETTINGS.learning_rate


def test_the_learning_rate_warms_up_and_decays() -> None:
    rates = [report.learning_rate for report in trainer(replace(SETTINGS, report_every=1)).reports()]
    top = rates.index(max(rates))
    assert max(rates) == pytest.approx(SETTINGS.learning_rate)
    assert top <= SETTINGS.warmup
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[-1] < SETTINGS.learning_rate / 50


@pytest.mark.sample(2)
@pytest.mark.parametrize("stop_after", [1, 2, 3, 5])
def test_a_resumed_run_equals_an_uninterrupted_one(stop_after: int) -> None:
    whole = trainer()
    expected = without_time(list(whole.reports()))

    first = trainer()
    reports = first.reports()
    reports_before = [next(reports) for _ in range(stop_after)]
    file = io.BytesIO()  # a state is something to save
    torch.save(first.state(), file)
    file.seek(0)

    second = trainer(seed=77)  # other weights and another random state, all replaced
    second.resume(torch.load(file, weights_only=True))
    assert without_time([*reports_before, *second.reports()]) == expected
    assert all(torch.equal(a, b) for a, b in zip(weights(whole), weights(second), strict=True))


def test_a_state_of_another_version_is_refused() -> None:
    run = trainer()
    next(run.updates())
    apart = torch.optim.Adam(run.model.parameters())  # as it was once: a state for each parameter
    with pytest.raises(InvalidInput) as error:
        trainer().resume(run.state() | {"optimizer": apart.state_dict()})
    assert error.value.code == "run_version"


def test_a_finished_run_has_nothing_left_to_do() -> None:
    run = trainer(replace(SETTINGS, steps=4))
    assert len(list(run.reports())) == 1
    before = [value.clone() for value in weights(run)]
    assert list(run.reports()) == []
    assert all(torch.equal(a, b) for a, b in zip(before, weights(run), strict=True))


def test_each_epoch_shows_every_example_once_in_another_order() -> None:
    examples: list[Example] = list({tuple(source): target for source, target in reversals(90, 1)}.items())
    run = trainer(replace(SETTINGS, steps=400, report_every=1))
    run.examples = lambda epoch: examples
    batches: list[torch.Tensor] = []
    epochs: list[list[torch.Tensor]] = []
    run.model.register_forward_pre_hook(lambda module, inputs: batches.append(inputs[0]))
    for _ in run.reports():
        if len(epochs) < run.epoch:
            epochs.append(batches[:-1])
            del batches[:-1]
        if run.epoch == 2:
            break

    def rows(epoch: list[torch.Tensor]) -> list[tuple[int, ...]]:
        return [tuple(id_ for id_ in row if id_ != PAD) for batch in epoch for row in batch.tolist()]

    assert len(epochs) == 2
    for epoch in epochs:
        assert Counter(rows(epoch)) == Counter(source for source, _ in examples)
    assert rows(epochs[0]) != rows(epochs[1])


def test_batches_keep_to_their_size_and_pair_up_what_belongs_together() -> None:
    examples = reversals(60, 8)
    result: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for source, target in Trainer(trainer().model, SETTINGS, lambda epoch: [], examples).validation:
        assert source.size(0) == target.size(0)
        assert source.numel() + target.numel() <= SETTINGS.tokens_per_batch
        for s, t in zip(source.tolist(), target.tolist(), strict=True):
            result.append((tuple(i for i in s if i != PAD), tuple(i for i in t if i != PAD)))
    assert Counter(result) == Counter((tuple(s), tuple(t)) for s, t in examples)


@pytest.mark.parametrize("clip", [0.5, 0.0])
def test_a_step_is_torch_s_own_on_each_parameter_by_itself(clip: float) -> None:
    settings = replace(SETTINGS, tokens_per_batch=10_000, label_smoothing=0.0, clip=clip)
    examples = reversals(30, 1)
    model = trainer(dropout=0.0).model.double()  # so that Adam does not make much of rounding
    twin = copy.deepcopy(model)
    run = Trainer(model, settings, lambda epoch: examples, [])
    adam = torch.optim.Adam(twin.parameters(), betas=settings.betas, eps=settings.eps)
    source, target = masks.padded([s for s, _ in examples])[0], masks.padded([t for _, t in examples])[0]
    for update in run.updates():
        adam.zero_grad()
        logits = twin(source, target[:, :-1], source != PAD)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(twin.parameters(), clip or math.inf)
        adam.param_groups[0]["lr"] = update.learning_rate
        adam.step()
        assert (update.loss, update.gradient_norm) == pytest.approx((loss.item(), norm.item()))
    assert all(torch.allclose(a, b, atol=1e-8) for a, b in zip(model.parameters(), twin.parameters(), strict=True))


def test_the_average_follows_the_weights() -> None:
    run = trainer()
    start = [value.clone() for value in run.model.parameters()]
    list(run.reports())
    for first, last, average in zip(start, run.model.parameters(), run.average.parameters(), strict=True):
        assert not torch.equal(first, last)
        assert (average - last).norm() < (first - last).norm()
    assert not run.average.training


def test_without_the_causal_mask_it_learns_to_look_ahead() -> None:
    """Loss near 0 under the edit that opens the mask, worse than guessing without it."""
    edit = edits.allow("decoder.*.self_attention")
    run = learner(edit)
    *_, last = run.reports()
    unseen = reversals(80, 12345)
    assert last.validation_loss == pytest.approx(loss(run.average, reversals(20, 99), edit), abs=1e-5)
    assert loss(run.average, unseen, edit) < 0.15
    assert loss(run.average, unseen) > math.log(8)


def test_heads_that_are_off_do_not_learn() -> None:
    off = edits.zero("encoder.0.self_attention.head_outputs", head=1)
    run = learner(off, steps=5)
    before = {name: value.clone() for name, value in run.model.named_parameters()}
    list(run.reports())
    for part in ("q", "k", "v"):
        name = f"encoder.0.self_attention.{part}.weight"  # (d_model, d_model), 16 rows for each head
        after = dict(run.model.named_parameters())[name]
        assert torch.equal(before[name][16:], after[16:])
        assert not torch.equal(before[name][:16], after[:16])


def test_edits_ask_the_model_that_is_run() -> None:
    """A swapped token is embedded by the averaged weights when those are what is judged."""
    edit = edits.swap_token("encoder", 1, 11)
    run = learner(edit, steps=30)
    *_, last = run.reports()
    assert last.validation_loss == pytest.approx(loss(run.average, reversals(20, 99), edit), abs=1e-5)


def alone(**sides: Any) -> TransformerConfig:
    return TransformerConfig(
        d_model=32, heads=2, d_ff=64, norm="pre", final_norm=True, dropout=0.0, max_length=16, target_vocabulary=12,
        **sides,
    )  # fmt: skip


def test_a_decoder_alone_learns_the_next_token_and_an_encoder_alone_what_is_asked() -> None:
    settings = TrainingSettings(
        steps=150, learning_rate=8e-3, warmup=20, tokens_per_batch=600, report_every=150, average=0.9
    )
    torch.manual_seed(0)
    counting: list[Example] = [((), [BOS, *range(start, 11), EOS]) for start in range(4, 10)]
    writer = Trainer(
        Transformer(alone(architecture="decoder", encoder_layers=0, decoder_layers=1)), settings,
        lambda epoch: counting * 20, counting,
    )  # fmt: skip
    list(writer.reports())
    assert greedy(writer.average, [[BOS, 6]], 9)[0].ids == (7, 8, 9, 10, EOS)
    # hidden is the second of three equal tokens; what is not asked is <pad> and counts for nothing
    examples: list[Example] = [([BOS, t, 3, t, EOS], [PAD, PAD, t, PAD, PAD]) for t in range(4, 12)]
    reader = Trainer(
        Transformer(
            alone(architecture="encoder", source_vocabulary=12, encoder_layers=1, decoder_layers=0)
        ),
        settings, lambda epoch: examples * 20, examples,
    )  # fmt: skip
    *_, last = reader.reports()
    assert last.validation_loss < 0.5
    logits = reader.average(torch.tensor([source for source, _ in examples]), None, torch.ones(8, 5, dtype=torch.bool))
    assert logits[:, 2].argmax(-1).tolist() == list(range(4, 12))
