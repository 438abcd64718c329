"""The device of models: its variable, and everything that computes on one that is pretended.

On the pretended device numbers are those of the CPU, so that they have to be equal; what mixes devices raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model import device, masks, presets
from model.__main__ import main
from model.analysis import energy, logit_lens, positions_in_attention
from model.analysis.attention.head_stages import stages
from model.analysis.sheet import build
from model.attribution import logit_parts, method_names, methods
from model.attribution.why_question import Question
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.circuits import ablation, head_roles, patching_effects
from model.compare import layer_cka
from model.config import TransformerConfig
from model.decode.beam_search import beam_search
from model.decode.decoding_loop import decode
from model.decode.start import decoding_start
from model.decode.token_sampling import Sampling
from model.decode.translate import translate
from model.edit import activation_patching, edit_effects, edited_pass, edits, residual_ablation
from model.errors import InvalidInput
from model.influence import retraining
from model.influence.methods import mean_vectors
from model.influence.retraining import Asked
from model.masking import leakage, padded_batch, padding, position_loss
from model.mistakes import probes
from model.mistakes.known_mistakes import MISTAKES
from model.mistakes.twins import obstacle, sample, twins_in
from model.presets import PRESETS
from model.trace import Recorder
from model.train.run_settings import RunSettings
from model.train.trainer import predicted
from model.train.training_run import Run
from model.transformer import Transformer
from tests.pretended_device import DEVICE, WrongDevice, pretended
from tests.samples import BUCH, KINO, SAMPLES, german_english

SIZES: dict[str, Any] = {"d_model": 16, "heads": 2, "d_ff": 24, "dropout": 0.0, "max_length": 32}
POSITIONS = ("sinusoidal", "learned", "relative", "rotary", "alibi")


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`GLASSFORMER_DEVICE=cuda` on a machine that pretends to have one."""
    monkeypatch.setenv(device.VARIABLE, "cuda")
    with pretended():
        yield


def small(config: TransformerConfig) -> TransformerConfig:
    """The same choices in a small size, with 23 tokens where there are tokens."""
    layers = {f"{side}_layers": min(2, config.layers(side)) for side in ("encoder", "decoder")}
    vocabularies = {
        f"{side}_vocabulary": 23 for side in ("source", "target") if getattr(config, f"{side}_vocabulary") > 1
    }
    return replace(config, **SIZES, **layers, **vocabularies)


def both(config: TransformerConfig) -> tuple[Transformer, Transformer]:
    """The same weights on the CPU and on the device."""
    there = random_model(config, 0)
    here = Transformer(config).eval()
    here.load_state_dict(there.state_dict())
    assert (here.device.type, there.device) == ("cpu", DEVICE)
    return here, there


def ids_for(config: TransformerConfig) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    source = torch.tensor([[1, 5, 9, 7, 2]]) if config.encoder_layers else None
    if config.inputs == "numbers":
        source = torch.tensor([[0.1, -0.4, 0.3]])
    return source, torch.tensor([[1, 4, 8, 3]]) if config.decoder_layers else None


def values_of(model: Transformer, *changes: edits.Edit) -> dict[str, np.ndarray]:
    """Every value of a pass over ids and a mask that are on the CPU."""
    source, target = ids_for(model.config)
    recorder = Recorder(edited_pass.compose(model, *changes))
    with torch.inference_mode():
        output = model(source, target, None if source is None else torch.ones_like(source, dtype=torch.bool), recorder)
    assert output.device.type == "cpu"
    return recorder.values


def assert_same(a: Any, b: Any) -> None:
    """Dicts, arrays and what holds them, equal to the last bit."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for pair in zip(a, b, strict=True):
            assert_same(*pair)
    elif isinstance(a, str | type(None)):
        assert a == b
    elif hasattr(a, "__dict__"):
        assert_same(vars(a), vars(b))
    else:
        np.testing.assert_array_equal(a, b)


# the variable


@pytest.mark.parametrize(
    ("named", "code"),
    [("tpu", "device_unknown"), ("cuda:x", "device_unknown"), ("mps", "device_unknown"), ("cuda", "device_missing")],
)
def test_a_device_that_is_not_there_is_one_sentence(
    named: str, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setenv(device.VARIABLE, named)
    with pytest.raises(InvalidInput) as error:
        device.check()
    assert error.value.code == code
    assert main(["list"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == f"glassformer: {error.value}\n"


def test_the_second_of_one_gpu_is_missing(elsewhere: None, monkeypatch: pytest.MonkeyPatch) -> None:
    device.check()
    monkeypatch.setenv(device.VARIABLE, "cuda:1")
    with pytest.raises(InvalidInput, match="cuda:1"):
        random_model(small(PRESETS["gpt"].config), 0)


@pytest.mark.parametrize("named", ["", "cpu"])
def test_the_cpu_is_the_default_and_copies_nothing(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(device.VARIABLE, named)
    model = random_model(small(PRESETS["gpt"].config), 0)
    weights = [parameter.data_ptr() for parameter in model.parameters()]
    assert device.placed(model) is model
    assert [parameter.data_ptr() for parameter in model.parameters()] == weights
    memory = torch.ones(1, 3, 16)
    assert model.predict(memory).device == memory.device
    assert memory.to(model.device) is memory


def test_ray_reserves_a_part_of_a_gpu_for_each_trainer() -> None:
    ray = pytest.importorskip("model.jobs.ray")
    assert ray.gpu_share("cpu", 4, 2) == 0
    assert ray.gpu_share("cuda", 4, 0) == 0  # the trainer itself says that there is none
    assert ray.gpu_share("cuda", 1, 1) == 1
    for workers, gpus in ((15, 1), (15, 4), (3, 2)):
        assert int(1 / ray.gpu_share("cuda", workers, gpus)) * gpus >= workers


# what the pretended device catches


def test_the_pretended_device_refuses_what_a_gpu_would(elsewhere: None) -> None:
    there, here = torch.ones(3, device="cuda"), torch.ones(3)
    mixed: list[Callable[[], Any]] = [
        lambda: there + here,
        lambda: torch.where(here > 0, there, there),
        lambda: here[torch.tensor([0], device="cuda")],
        lambda: there.numpy(),
        lambda: np.asarray(there),
        lambda: torch.rand(2, device="cuda", generator=torch.Generator()),
        lambda: torch.nn.functional.embedding(torch.tensor([1]), torch.ones(3, 2, device="cuda")),
    ]
    for wrong in mixed:
        with pytest.raises((WrongDevice, TypeError)):
            wrong()
    assert there[torch.tensor([0])].device == DEVICE  # indices may be on the CPU, and single numbers
    assert (there * torch.tensor(2.0)).cpu().numpy().tolist() == [2, 2, 2]


def test_a_model_that_does_not_move_its_ids_is_caught(elsewhere: None) -> None:
    model = random_model(small(PRESETS["gpt"].config), 0)
    with pytest.raises(WrongDevice):
        model.target_embedding(torch.tensor([[1, 4]]))


# passes


@pytest.mark.parametrize("name", PRESETS)
def test_recorded_values_of_every_system_are_the_cpus(name: str, elsewhere: None) -> None:
    here, there = both(small(PRESETS[name].config))
    assert_same(values_of(here), values_of(there))


@pytest.mark.parametrize("position", POSITIONS)
def test_and_with_every_kind_of_position(position: Any, elsewhere: None) -> None:
    here, there = both(replace(small(PRESETS["paper"].config), position=position))
    assert_same(values_of(here), values_of(there))


def test_batches_with_padding(elsewhere: None) -> None:
    here, there = both(small(PRESETS["paper"].config))
    source, mask = masks.padded([[1, 5, 2], [1, 5, 9, 7, 2]])
    target = torch.tensor([[1, 4], [1, 8]])
    with torch.inference_mode():
        first, second = (model(source, target, mask) for model in (here, there))
    assert_same(first.numpy(), second.numpy())


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.config.decoder_layers])
def test_decoding_writes_the_same(name: str, elsewhere: None) -> None:
    here, there = both(small(PRESETS[name].config))
    sources = [[1, 5, 9, 7, 2], [1, 6, 2]]
    for sampling in (None, Sampling(temperature=2.0, top_k=7, top_p=0.9, seed=3)):
        assert decode(here, sources, 8, sampling=sampling) == decode(there, sources, 8, sampling=sampling)
    assert beam_search(here, sources[0], 6) == beam_search(there, sources[0], 6)


WEIGHTS = np.random.default_rng(0).random((2, 5, 5))
CHANGES = {
    "scale": edits.scale("encoder.0.self_attention.head_outputs", 0.5, head=1),
    "zero": edits.zero("*.self_attention.head_outputs", head=0),
    "patch": edits.patch("encoder.0.self_attention.residual", np.ones((5, 16), dtype=np.float32)),
    "patch a row": edits.patch("encoder.0.self_attention.residual", torch.ones(5, 16), row=1, from_row=3),
    "weights": edits.replace_weights("encoder.0.self_attention", WEIGHTS),
    "uniform": edits.replace_weights("decoder.*.cross_attention", "uniform"),
    "previous": edits.replace_weights("decoder.*.self_attention", "previous", row=2),
    "allow": edits.allow("decoder.*.self_attention"),
    "forbid": edits.forbid("encoder.*.self_attention", key=1),
    "no position": edits.remove_position("encoder"),
    "other position": edits.replace_position("encoder", np.ones((32, 16))),
    "shift": edits.shift_position("encoder", 2),
    "shuffle": edits.shuffle_position("decoder", 4),
    "embedding": edits.unscale_embedding("encoder"),
    "swap": edits.swap_token("encoder", 1, 7),
    "no residual": edits.remove_residual("encoder.0.feed_forward"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", CHANGES)
def test_every_edit_does_the_same(name: str, elsewhere: None) -> None:
    here, there = both(small(PRESETS["paper"].config))
    edited_values, plain = values_of(here, CHANGES[name]), values_of(here)
    assert any((edited_values[key] != plain[key]).any() for key in plain)
    assert_same(edited_values, values_of(there, CHANGES[name]))


# a real checkpoint


@pytest.fixture
def pair(elsewhere: None) -> tuple[Checkpoint, Checkpoint]:
    """A shipped checkpoint as it is on the CPU, and loaded again onto the device."""
    there = checkpoints.load(Entry(SAMPLES / "de-en"))
    assert there.model.device == DEVICE
    here = german_english()  # loaded once for all tests, before or within this one
    with pytest.MonkeyPatch.context() as context:
        context.setenv(device.VARIABLE, "cpu")
        here = Checkpoint(here.name, device.placed(here.model), here.tokenizer)
    return here, there


def asked(checkpoint: Checkpoint) -> Question:
    run = translate(checkpoint, KINO)
    ids = edit_effects.generated(run)
    return Question(run, 2, int(ids[2]), int(ids[1]))


ANALYSES: dict[str, Callable[[Checkpoint], Any]] = {
    **{
        f"attribution by {name}": lambda it, name=name: methods.attribution(it, asked(it), name)
        for name in method_names.METHODS
    },
    "logit parts": lambda it: logit_parts.split_logit(it.model, asked(it)),
    "logit of a head": lambda it: logit_parts.split_head(it.model, asked(it), "cross", 0, 1),
    "effects of heads": lambda it: [
        edit_effects.head_effects(it, translate(it, KINO), kind, 0) for kind in ("encoder", "decoder", "cross")
    ],
    "edited outcome": lambda it: edit_effects.outcome(it, translate(it, KINO), [CHANGES["zero"]], 2),
    "patching": lambda it: activation_patching.patched(
        it, translate(it, KINO), activation_patching.read(it, "Wir gehen morgen ins Kino."), 0
    ),
    "without residuals": lambda it: residual_ablation.removed(it, translate(it, KINO)),
    "depths": lambda it: residual_ablation.by_depth("pre", residual=True),
    "ablation": lambda it: [
        ablation.of_sentence(it, runs, 0, way, ablation.singles(it.model.config))
        for runs in [[translate(it, text) for text in (KINO, BUCH)]]
        for way in ablation.WAYS
    ],
    "average patching": lambda it: patching_effects.patched(
        it, [translate(it, text) for text in ("Der Mann liest ein Buch.", "Die Frau liest ein Buch.")]
    ),
    "head roles": lambda it: [head_roles.of_sentence(it, translate(it, KINO)), head_roles.of_repeated_text(it, 0)],
    "similarity of layers": lambda it: layer_cka.streams(it, layer_cka.SIDES, layer_cka.reads(it, it, [KINO, BUCH])),
    "logit lens": lambda it: logit_lens.early(it.model, translate(it, KINO).trace.values, "decoder", True),
    "stages of a head": lambda it: [
        stages(it.model, translate(it, KINO).trace, kind, 0, 0) for kind in ("encoder", "cross")
    ],
    "sheet": lambda it: {
        key: part.array
        for run in [translate(it, KINO)]
        for key, part in build.build(it.model, run.trace, run.source, run.target).parts.items()
    },
    "energy": lambda it: energy.of_model(it.model),
    "one attention of a batch": lambda it: padded_batch.attention(
        it.model, [[1, 9, 2], [1, 8, 7, 2]], [[1, 5], [1]], kind="cross", layer=0, row=0
    ),
    "loss of a batch": lambda it: position_loss.counted(it.model, [[1, 9, 2], [1, 8, 7, 2]], [[1, 5, 2], [1, 2]]),
    "words behind others": lambda it: retraining.log_probabilities(it.model, [Asked((1, 9, 2), (1, 5, 6, 2), 1)]),
    "mean vectors of sources": lambda it: mean_vectors(it.model, [[1, 9, 2], [1, 8, 7, 2]]),
    "leakage": lambda it: leakage.change_word(it.model, [1, 9, 8, 2], [1, 5, 6], 2, 7, causal=False),
    "padding": lambda it: padding.padded(it.model, [1, 9, 8, 2], 3),
    "mistakes": lambda it: [
        measured(mistake, it) for mistake in MISTAKES.values() if not obstacle(mistake, it.model.config)
    ],
}  # fmt: skip


def measured(mistake: Any, checkpoint: Checkpoint) -> list[Any]:
    result: list[Any] = []
    for twin in twins_in(mistake, checkpoint.model):
        read = sample(twin, [1, 9, 8, 2], [1, 5, 6])
        result += [
            twin.values(read),
            probes.padding(twin, read),
            probes.hidden_keys(twin, read),
            probes.type_error(twin, read),
        ]
    return result


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", ANALYSES)
def test_every_analysis_sees_the_same_numbers(name: str, pair: tuple[Checkpoint, Checkpoint]) -> None:
    here, there = pair
    assert_same(ANALYSES[name](here), ANALYSES[name](there))


def test_a_translation_is_the_same_and_its_search(pair: tuple[Checkpoint, Checkpoint]) -> None:
    here, there = pair
    assert_same(translate(here, KINO), translate(there, KINO))
    assert decoding_start(here, KINO) == decoding_start(there, KINO)


@pytest.mark.parametrize("position", ["relative", "alibi"])
def test_biases_by_distance(position: Any, elsewhere: None) -> None:
    here, there = both(replace(small(PRESETS["paper"].config), position=position))
    assert_same(*(positions_in_attention.biases(model, "encoder", 4) for model in (here, there)))


def test_saved_and_loaded_again_the_weights_are_the_same(elsewhere: None, tmp_path: Path) -> None:
    _, there = both(small(presets.find("notebook").config))
    checkpoints.save_model(tmp_path, there, half=False)
    again = checkpoints.read_model(Entry(tmp_path))
    assert again.device == DEVICE
    assert_same(values_of(again), values_of(there))


# training

TRAINED = RunSettings(
    task="notebook", d_model=16, heads=2, d_ff=16, steps=6, warmup=2, tokens_per_batch=200, dropout=0.0
)  # fmt: skip


def reported(run: Run) -> list[tuple[Any, ...]]:
    """All of a run's numbers but its times."""
    return [
        (report.step, report.loss, report.gradient_norm, report.evaluation and report.evaluation.validation_loss,
         report.moment and (report.moment.weights, report.moment.probe, report.moment.samples))
        for report in run.reports()
    ]  # fmt: skip


def test_a_run_and_its_snapshots_are_the_cpus(elsewhere: None, monkeypatch: pytest.MonkeyPatch) -> None:
    there = Run(TRAINED)
    assert there.trainer.model.device == there.trainer.average.device == DEVICE
    source, target = there.trainer.validation[0]
    predictions = predicted(there.trainer.average, source, target, there.trainer.average_tap)
    assert {value.device for value in predictions} == {DEVICE}  # the loss is computed there too
    second = reported(there)
    assert second[-1][-1] is not None
    monkeypatch.setenv(device.VARIABLE, "cpu")
    here = Run(TRAINED)
    assert here.trainer.model.device.type == "cpu"
    assert_same(reported(here), second)


def test_a_run_goes_on_from_a_state_of_another_device(
    elsewhere: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = reported(Run(TRAINED))
    start = Run(TRAINED)
    for report in start.reports():
        if report.step == 3:
            break
    torch.save(start.state(), tmp_path / "state.pt")
    state = torch.load(tmp_path / "state.pt", map_location="cpu", weights_only=True)
    assert_same(reported(Run(TRAINED, state))[-1], whole[-1])


def test_edits_and_dropout_train_elsewhere(elsewhere: None) -> None:
    run = Run(replace(TRAINED, causal_mask=False, dropout=0.1, steps=2))
    assert all(np.isfinite(numbers[1]) for numbers in reported(run))


def test_how_letters_are_looked_up_is_measured(elsewhere: None) -> None:
    run = Run(RunSettings(task="repeat", d_model=16, heads=2, d_ff=16, steps=1, warmup=1, tokens_per_batch=200))
    *_, last = run.reports()
    assert last.evaluation is not None
    assert last.evaluation.induction is not None
