"""The mistakes: each broken twin shows its symptom with its number, and its healthy twin does not."""

import math
from dataclasses import fields, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from model.config import Architecture, TransformerConfig
from model.errors import InvalidInput
from model.mistakes.known_mistakes import LEARNER, MISTAKES, SMALL, Symptom
from model.mistakes.metrics import Numbers, Sample, Twin, near_diagonal, sample_for
from model.transformer import attention

ROWS = {  # one for each known mistake; two for the embedding, which is left unscaled or starts wrongly
    "inverted_frequency", "norm_ignored", "result_for_function", "unscaled_scores", "unscaled_embedding", "unfit_init",
    "no_causal_mask", "no_padding_mask", "finite_fill", "softmax_axis", "same_ids", "textbook_norm",
    "recorded_after_dropout",
}  # fmt: skip
RUNNING = sorted(key for key, mistake in MISTAKES.items() if mistake.measure and not mistake.learns)


def symptom(key: str, config: TransformerConfig | None = None, sample: Sample | None = None) -> Symptom:
    numbers = MISTAKES[key].symptom(config, sample=sample)
    assert numbers is not None
    return numbers


@cache
def learned(key: str, broken: bool) -> Numbers:
    """Measure a twin after learning; the healthy ones of all mistakes are the same."""
    measure = MISTAKES[key].measure
    assert measure is not None
    return measure(MISTAKES[key].twins()[broken], sample_for(LEARNER))


def test_every_row_of_the_table_is_there() -> None:
    assert set(MISTAKES) == ROWS
    for key, mistake in MISTAKES.items():
        assert mistake.key == key
        assert mistake.wrong != mistake.right
        assert (mistake.measure is None) == bool(mistake.raises)


@pytest.mark.parametrize("key", sorted(ROWS - {"unfit_init"}))
def test_twins_differ_in_the_mistake_alone(key: str) -> None:
    mistake = MISTAKES[key]
    healthy, broken = mistake.twins(seed=3)
    different = {
        f.name for f in fields(SMALL) if getattr(healthy.model.config, f.name) != getattr(broken.model.config, f.name)
    }
    assert different == set(mistake.change)
    assert (healthy.edits, healthy.same_ids, healthy.broken) == ((), False, False)
    assert bool(broken.edits or different or broken.same_ids) == bool(mistake.measure)
    theirs = healthy.model.state_dict()
    assert all(torch.equal(value, theirs[name]) for name, value in broken.model.state_dict().items())


def test_building_twins_leaves_the_random_state_alone() -> None:
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    symptom("recorded_after_dropout")
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.sample(3)
@pytest.mark.parametrize("key", RUNNING)
def test_the_same_seed_gives_the_same_numbers(key: str) -> None:
    assert str(symptom(key)) == str(symptom(key))


def test_an_inverted_frequency_turns_the_slow_half_to_noise() -> None:
    numbers = symptom("inverted_frequency")
    assert numbers.healthy["last_frequency"] == pytest.approx(0.000133, abs=1e-6)
    assert numbers.broken["last_frequency"] == pytest.approx(7499, abs=1)
    assert numbers.healthy["neighbour_similarity"] > 0.999
    assert abs(numbers.broken["neighbour_similarity"]) < 0.2
    for twin in MISTAKES["inverted_frequency"].twins():  # the stated frequency is the one in the pass
        mistake_measured = numbers.broken if twin.broken else numbers.healthy
        position = twin.values(sample_for(SMALL))["encoder.position"]
        sines = np.sin(np.arange(14) * np.float32(mistake_measured["last_frequency"]))
        np.testing.assert_allclose(position[:, -2], sines, atol=0.02)  # 13 · 7,499 rad in single precision


def test_without_the_norm_activations_grow_with_depth() -> None:
    numbers = symptom("norm_ignored")
    assert numbers.healthy["rms_0"] == numbers.broken["rms_0"]
    growing = [numbers.broken[f"rms_{layer}"] for layer in range(7)]
    assert all(after > 1.25 * before for before, after in pairwise(growing))  # geometric
    assert numbers.healthy["growth"] < 3
    assert numbers.broken["growth"] > 8


def test_growth_goes_on_with_more_layers() -> None:
    deep = symptom("norm_ignored", replace(SMALL, encoder_layers=12))
    assert deep.broken["growth"] > 100 > 5 > deep.healthy["growth"]


def test_unscaled_scores_collapse_the_entropy_and_the_gradient() -> None:
    numbers = symptom("unscaled_scores")  # D = 256, at most 14 keys
    assert 1.9 < numbers.healthy["entropy"] < math.log(14)
    assert numbers.broken["entropy"] < 0.4
    assert numbers.broken["softmax_gradient"] < 0.5 * numbers.healthy["softmax_gradient"]
    wider = symptom("unscaled_scores", replace(MISTAKES["unscaled_scores"].config, d_model=512))
    assert wider.broken["softmax_gradient"] < 0.75 * numbers.broken["softmax_gradient"]  # worse with D
    assert wider.healthy["softmax_gradient"] == pytest.approx(numbers.healthy["softmax_gradient"], abs=0.03)


def test_the_gradient_of_the_softmax_is_measured_rightly() -> None:
    twin = MISTAKES["unscaled_scores"].twins(replace(SMALL, encoder_layers=1, decoder_layers=1, heads=1))[0]
    values = twin.values(sample_for(SMALL, length=5))
    names = [name for name in values if name.endswith("masked_scores")]
    norms = [
        torch.autograd.functional.jacobian(lambda s: s.softmax(-1), torch.from_numpy(row)).norm()
        for name in names
        for row in values[name][0]
    ]
    measure = MISTAKES["unscaled_scores"].measure
    assert measure is not None
    assert measure(twin, sample_for(SMALL, length=5))["softmax_gradient"] == pytest.approx(float(np.mean(norms)), 1e-3)


@pytest.mark.parametrize(("vocabulary", "d", "ratio"), [(42, 256, 3.44), (42, 512, 3.70), (37_000, 512, 0.055)])
def test_a_xavier_embedding_against_position(vocabulary: int, d: int, ratio: float) -> None:
    config = replace(
        SMALL, init="xavier", source_vocabulary=vocabulary, d_model=d, encoder_layers=1, decoder_layers=1,
        d_ff=8, max_length=512,
    )  # fmt: skip
    numbers = symptom("unscaled_embedding", config, Sample(tuple(range(1, min(vocabulary, 500))), (1,)))
    assert numbers.healthy["position"] == pytest.approx(d / 2, rel=1e-4)
    assert numbers.healthy["ratio"] == pytest.approx(ratio, rel=0.03)
    assert numbers.broken["ratio"] == pytest.approx(ratio / d, rel=0.03)


def test_an_init_of_variance_one_drowns_the_position_once_scaled() -> None:
    numbers = symptom("unfit_init", replace(SMALL, source_vocabulary=64), Sample(tuple(range(1, 64)), (1,)))
    assert numbers.healthy["ratio"] == pytest.approx(2, rel=0.05)
    assert numbers.broken["ratio"] == pytest.approx(2 * 64, rel=0.05)
    assert symptom("unscaled_embedding").broken["ratio"] == pytest.approx(2 / 64, rel=0.1)


def test_without_a_causal_mask_the_loss_is_near_zero_and_decoding_wrong() -> None:
    healthy, broken = learned("no_causal_mask", False), learned("no_causal_mask", True)
    assert healthy["loss"] < 0.1
    assert healthy["exact"] > 0.9
    assert broken["loss"] < 0.02
    assert broken["exact"] < 0.05
    assert broken["masked_loss"] > 3  # worse than the uniform guess over 12, ln 12 = 2.48


def test_with_the_same_ids_the_decoder_copies_the_encoder() -> None:
    healthy, broken = learned("no_causal_mask", False), learned("same_ids", True)
    assert broken["loss"] < 0.1
    assert broken["near_diagonal"] > 0.7 > 0.5 > healthy["near_diagonal"]
    assert broken["copied"] > 0.8
    assert broken["exact"] < 0.2 < 0.9 < healthy["exact"]  # one in ten words here is a palindrome


def test_untrained_the_same_ids_show_no_diagonal() -> None:
    """The copy is learned: random projections do not match a token with itself."""
    twin = MISTAKES["same_ids"].twins()[1]
    sample = Sample((), (1, *range(4, 12)))
    assert near_diagonal(Twin(twin.model, same_ids=True), sample) == pytest.approx(17 / 81, abs=0.1)  # chance


def test_the_healthy_twin_is_the_same_for_all_that_learn() -> None:
    one, other = (MISTAKES[key].twins()[0].model for key in ("no_causal_mask", "same_ids"))
    assert one.config == other.config
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_padding_that_is_not_masked_changes_the_output() -> None:
    numbers = symptom("no_padding_mask")
    assert numbers.healthy["logit_change"] < 1e-4
    assert numbers.broken["logit_change"] > 0.3


def test_the_two_fills_differ_in_a_row_without_keys_alone() -> None:
    numbers = symptom("finite_fill")
    assert (numbers.healthy["nan_share"], numbers.broken["nan_share"]) == (1, 0)
    assert numbers.broken["from_uniform"] < 1e-7
    assert numbers.healthy["masked_weight"] == numbers.broken["masked_weight"] == 0
    healthy, broken = (twin.values(sample_for(SMALL)) for twin in MISTAKES["finite_fill"].twins())
    weights = [name for name in healthy if not name.endswith("masked_scores")]
    assert all(np.array_equal(healthy[name], broken[name]) for name in weights)


def test_an_empty_row_by_hand() -> None:
    q, k, v = torch.randn(3, 1, 1, 4, 8, generator=torch.Generator().manual_seed(0))
    nothing = torch.zeros(4, 4, dtype=torch.bool)
    assert attention(q, k, v, nothing, torch.nn.Identity()).isnan().all()
    mean = attention(q, k, v, nothing, torch.nn.Identity(), mask_fill=-1e9)
    torch.testing.assert_close(mean, v.mean(dim=-2, keepdim=True).expand_as(v))


def test_softmax_over_the_queries_makes_columns_sum_to_one() -> None:
    numbers = symptom("softmax_axis")
    assert numbers.healthy["row_error"] < 1e-5
    assert numbers.broken["column_error"] < 1e-5
    assert numbers.healthy["column_error"] > 0.2
    assert numbers.broken["row_error"] > 0.2


@pytest.mark.parametrize("d", [16, 64, 512])
def test_the_textbook_norm_is_smaller_by_a_factor(d: int) -> None:
    config = replace(SMALL, d_model=d, encoder_layers=1, decoder_layers=1)
    numbers = symptom("textbook_norm", config)
    factor = numbers.broken["deviation"] / numbers.healthy["deviation"]
    assert factor == pytest.approx(math.sqrt((d - 1) / d), abs=1e-4)  # 0.9682, 0.9922, 0.9990


def test_rows_recorded_after_dropout_do_not_sum_to_one_in_training() -> None:
    numbers = symptom("recorded_after_dropout")
    assert numbers.healthy["worst_row_error"] < 1e-5
    assert 0.03 < numbers.broken["mean_row_error"] < 0.2
    twin = MISTAKES["recorded_after_dropout"].twins()[1]  # not while training, nothing is dropped
    values = twin.values(sample_for(SMALL))
    assert all(np.abs(w.sum(-1) - 1).max() < 1e-5 for name, w in values.items() if name.endswith(".weights"))


def test_measuring_in_training_leaves_the_twin_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = MISTAKES["recorded_after_dropout"]
    twin = mistake.twins()[1]
    assert mistake.measure is not None

    def refuse(*arguments: object) -> None:
        pytest.fail("another session reads this model")

    for module in twin.model.modules():
        monkeypatch.setattr(module, "train", refuse)
    assert mistake.measure(twin, sample_for(SMALL))["mean_row_error"] > 0.03


@pytest.mark.parametrize("key", RUNNING)
@pytest.mark.parametrize("architecture", ["encoder", "decoder"])
def test_an_architecture_alone_shows_it_or_says_why_not(key: str, architecture: Architecture) -> None:
    without: dict[str, Any] = (
        {"decoder_layers": 0} if architecture == "encoder" else {"encoder_layers": 0, "source_vocabulary": 0}
    )
    config = replace(SMALL, architecture=architecture, **without)
    if architecture in MISTAKES[key].architectures:
        numbers = symptom(key, config)
        assert numbers.healthy.keys() == numbers.broken.keys()
        assert numbers.healthy != numbers.broken
    else:
        with pytest.raises(InvalidInput, match="architecture is 'decoder'"):
            MISTAKES[key].twins(config)


@pytest.mark.parametrize(
    ("key", "config", "code"),
    [
        ("no_causal_mask", replace(LEARNER, source_vocabulary=11), "config_number"),
        ("same_ids", replace(LEARNER, max_length=7), "config_number"),
        ("softmax_axis", TransformerConfig(
            architecture="encoder", inputs="numbers", encoder_layers=1, decoder_layers=0), "config_choice"),
    ],
)  # fmt: skip
def test_configs_in_which_it_cannot_be_made_are_refused(key: str, config: TransformerConfig, code: str) -> None:
    with pytest.raises(InvalidInput) as error:
        MISTAKES[key].twins(config)
    assert error.value.code == code
