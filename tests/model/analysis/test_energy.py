"""The energy table: what the notebook's system claims, what follows from the variance, what the tables have."""

import math
import subprocess
import sys

import numpy as np
import pytest
import torch

from model import masks
from model.analysis import energy
from model.config import TransformerConfig
from model.trace import Recorder, Trace
from model.transformer import Transformer
from tests.conftest import tiny
from tests.samples import ROOT

KEPT = {init: energy.measured(init, 42, 512) for init in energy.INITS}


@pytest.mark.parametrize(
    ("vocabulary", "d_model", "right", "seen"),
    [(42, 256, 3.44, 3.45), (42, 512, 3.70, 3.69), (37_000, 512, 0.055, 0.055)],
)
def test_xavier_tables_are_not_as_claimed(vocabulary: int, d_model: int, right: float, seen: float) -> None:
    assert energy.claimed(d_model).scaled_ratio == 2
    theory = energy.computed("xavier", vocabulary, d_model).scaled_ratio
    assert round(theory, 2 if vocabulary == 42 else 3) == right
    experiment = energy.measured("xavier", vocabulary, d_model).scaled_ratio
    assert experiment == pytest.approx(seen, rel=0.02)


def test_the_claim_by_hand() -> None:
    claim = energy.claimed(512)
    assert (claim.embedding, claim.position) == (1, 256)
    assert claim.ratio == 1 / 256
    assert claim.scaled_ratio == 2


def test_normal_tables_are_strong_before_scaling() -> None:
    for d_model in (256, 512):
        theory = energy.computed("normal", 42, d_model)
        assert (theory.ratio, theory.scaled_ratio) == (2, 2 * d_model)
    assert KEPT["normal"].ratio == pytest.approx(2, rel=0.03)
    assert KEPT["normal"].scaled_ratio == pytest.approx(1024, rel=0.03)


def test_only_the_scaled_table_keeps_the_claim() -> None:
    ratios = {init: energy.computed(init, 42, 512).scaled_ratio for init in energy.INITS}
    assert [init for init, ratio in ratios.items() if ratio == pytest.approx(2)] == ["scaled"]
    assert KEPT["scaled"].embedding == pytest.approx(1, rel=0.03)
    assert KEPT["scaled"].scaled_ratio == pytest.approx(2, rel=0.03)


def test_small_tables_by_hand() -> None:
    theory = energy.computed("small", 3600, 512)
    assert theory.embedding == pytest.approx(512 * 0.0004)
    assert theory.scaled_ratio == pytest.approx(0.4096)
    assert KEPT["small"].scaled_ratio == pytest.approx(0.4096, rel=0.03)


@pytest.mark.parametrize("init", energy.INITS)
def test_measured_agrees_with_computed(init: str) -> None:
    theory = energy.computed(init, 42, 512)
    assert KEPT[init].embedding == pytest.approx(theory.embedding, rel=0.03)
    assert KEPT[init].position == pytest.approx(256, rel=1e-6)  # in every row exactly d / 2
    assert KEPT[init] != energy.measured(init, 42, 512, seed=1)
    assert KEPT[init] == energy.measured(init, 42, 512)


def test_measuring_leaves_the_random_numbers_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    energy.measured("normal", 5, 8)
    assert torch.equal(torch.rand(1), expected)


def test_the_table_has_every_case() -> None:
    rows = energy.table(vocabularies=(7, 42), sizes=(8, 16))
    assert len({(row.init, row.vocabulary, row.d_model) for row in rows}) == 4 * 2 * 2
    for row in rows:
        assert row.computed == energy.computed(row.init, row.vocabulary, row.d_model)
        assert row.claimed.d_model == row.measured.d_model == row.d_model


def test_a_model_is_measured_as_it_is() -> None:
    model = tiny()
    with torch.no_grad():
        model.source_embedding.weight.fill_(3)
        model.source_embedding.weight[0] = 100  # padding, which no word uses
        model.target_embedding.weight.fill_(2)
    assert energy.of_model(model) == energy.Energy(16 * 9, pytest.approx(8, rel=1e-6), 16)
    assert energy.of_model(model, "target").embedding == 16 * 4
    without = TransformerConfig(
        architecture="decoder", target_vocabulary=9, d_model=4, heads=1, encoder_layers=0, decoder_layers=1, d_ff=4,
        position="learned", max_length=6,
    )  # fmt: skip
    learned = Transformer(without)
    with torch.no_grad():
        learned.position_tables["decoder"].fill_(0.5)
    assert energy.of_model(learned, "target").position == 1


def test_each_token_of_a_trace() -> None:
    model = tiny()
    recorder = Recorder()
    ids, mask = masks.padded([[1, 5, 5, 2]])
    model.encode(ids, mask, recorder)
    embedding, position = energy.per_token(Trace(recorder.values, (), (), ()))
    by_hand = 16 * model.source_embedding.weight[ids[0]].square().sum(-1)
    np.testing.assert_allclose(embedding, by_hand.detach().numpy(), rtol=1e-5)
    np.testing.assert_allclose(position, np.full(4, 8.0), rtol=1e-5)
    bare = {name: value for name, value in recorder.values.items() if name != "encoder.position"}
    assert energy.per_token(Trace(bare, (), (), ()))[1].tolist() == [0, 0, 0, 0]
    assert math.isclose(embedding[1], embedding[2])


@pytest.mark.parametrize("scales", [True, False])
def test_each_token_before_and_after_scaling(scales: bool) -> None:
    vectors = np.array([[3.0, 4.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])  # 25 and 4, d_model 4
    before, after = energy.before_and_after(Trace({"encoder.embedding": vectors}, (), (), ()), "encoder", scales)
    assert before.tolist() == ([25 / 4, 1] if scales else [25, 4])
    assert after.tolist() == ([25, 4] if scales else [100, 16])


def test_the_claim_holds_for_one_init_only() -> None:
    rows = energy.table(measure=False)
    assert {row.init for row in rows if row.holds} == {"scaled"}
    assert all(row.holds for row in rows if row.init == "scaled")
    assert all(row.measured is None for row in rows)
    [off] = [row.excess for row in rows if (row.init, row.vocabulary, row.d_model) == ("xavier", 37_000, 512)]
    assert off == pytest.approx(0.0546 / 2, rel=1e-3)


@pytest.mark.parametrize("d_model", [64, 512])
def test_where_word_and_position_are_equally_strong(d_model: int) -> None:
    size = energy.crossing("xavier", d_model)
    assert size is not None
    assert energy.computed("xavier", size, d_model).scaled_ratio == pytest.approx(1)
    assert energy.crossing("normal", d_model) is None


def test_one_of_the_two_ratios_is_shown() -> None:
    assert energy.claimed(512).shown(scaled=True) == 2
    assert energy.claimed(512).shown(scaled=False) == 1 / 256


def test_formulas_need_no_torch() -> None:
    code = "import sys, model.analysis.energy as e; e.table(measure=False); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
