"""Laws of a dictionary, its training and its sites, on tiny models."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from model.checkpoint.checkpoints import Checkpoint, random_model
from model.config import TransformerConfig
from model.edit.edited_pass import compose
from model.errors import InvalidInput
from model.features import sites, splice, training
from model.features.dictionary import Dictionary
from model.features.sites import Site
from model.features.splice import Steering
from model.features.training import Settings, Trainer, train_dictionary
from model.trace import Recorder
from tests.samples import TINY_PAIRS, tiny_tokenizer

QUICK = Settings(features=24, active=3, steps=40, batch=64)
TEXTS = [source for source, _ in TINY_PAIRS]


def vectors(count: int = 300, size: int = 8) -> torch.Tensor:
    """Vectors that are sums of two of twelve directions."""
    generator = torch.Generator().manual_seed(1)
    directions = torch.nn.functional.normalize(torch.randn(12, size, generator=generator), dim=1)
    drawn = torch.rand(count, 12, generator=generator).topk(2, dim=1).indices
    return directions[drawn].sum(dim=1) + 0.3


def model_of(architecture: str, **fields) -> Checkpoint:
    tokenizer = tiny_tokenizer()
    sides = {"source_vocabulary": tokenizer.size, "target_vocabulary": tokenizer.size, "encoder_layers": 2,
             "decoder_layers": 2}  # fmt: skip
    if architecture == "decoder":
        sides |= {"source_vocabulary": 0, "encoder_layers": 0}
    if architecture == "encoder":
        sides |= {"decoder_layers": 0}
    usual = {"architecture": architecture, "d_model": 16, "heads": 2, "d_ff": 24, "max_length": 32, "norm": "pre",
             "final_norm": True}  # fmt: skip
    config = TransformerConfig(**usual | sides | fields)
    return Checkpoint("tiny", random_model(config, 0), tokenizer)


def made(checkpoint: Checkpoint, name: str) -> tuple[Site, sites.Vectors, Dictionary]:
    site = sites.find(checkpoint.model.config, name)
    given = sites.vectors(checkpoint, site, sites.reads(checkpoint, TEXTS, site.side))
    return site, given, train_dictionary(given.inputs, given.targets, QUICK)


def test_decoder_columns_have_length_1_and_parts_add_up():
    x = vectors()
    learned = train_dictionary(x, settings=QUICK)
    assert torch.allclose(learned.decoder.norm(dim=0), torch.ones(24), atol=1e-6)
    strengths = learned.encode(x)
    assert strengths.shape == (300, 24)
    assert int((strengths > 0).sum(dim=1).max()) <= 3
    assert (strengths >= 0).all()
    assert torch.allclose(learned.decode(strengths), learned.reconstruction(x), atol=1e-5)
    exact = learned.to("cpu", torch.float64)
    double = x.double()
    assert torch.allclose(exact.reconstruction(double) + exact.error(double), double, rtol=0, atol=1e-15)
    assert torch.equal(learned.decode(torch.zeros(24)), learned.target_mean)


def test_a_dictionary_finds_the_directions_that_vectors_are_made_of():
    x = vectors(2000)
    learned = train_dictionary(x, settings=Settings(features=24, active=3, steps=400, batch=128, learning_rate=0.01))
    left, whole = x - learned.reconstruction(x), x - learned.mean
    assert left.square().sum() < 0.05 * whole.square().sum()


def test_training_is_the_same_for_a_seed_and_after_it_was_left():
    x = vectors()
    whole, again = train_dictionary(x, settings=QUICK), train_dictionary(x, settings=QUICK)
    first = Trainer(x, x, QUICK)
    next(first.updates(17))
    second = Trainer(x, x, QUICK, first.state())
    assert [update.step for update in second.updates(17)] == [34, 40]
    for name, value in whole.tensors().items():
        assert torch.equal(value, again.tensors()[name])
        assert torch.equal(value, second.dictionary().tensors()[name])
    other = train_dictionary(x, settings=replace(QUICK, seed=1))
    assert not torch.equal(whole.decoder, other.decoder)


def test_dead_features_begin_anew():
    x = vectors()
    trainer = Trainer(x, x, replace(QUICK, steps=80))
    with torch.no_grad():
        trainer.bias[:20] = -100.0
    updates = list(trainer.updates(80))
    assert updates[-1].dead < 20 / 24


@pytest.mark.parametrize(
    "fields", [{"features": 1}, {"active": 0}, {"features": 2}, {"steps": 0}, {"learning_rate": 9}]
)
def test_settings_out_of_range_are_refused(fields):
    with pytest.raises(InvalidInput) as refusal:
        training.check(replace(QUICK, **fields))
    assert refusal.value.code == "run_range"


SITES = [
    ("encoder-decoder", {}, ""),
    ("encoder-decoder", {}, "encoder.0.feed_forward"),
    ("encoder-decoder", {}, "decoder.1.feed_forward"),
    ("encoder-decoder", {"norm": "post", "final_norm": False}, "encoder.1.feed_forward"),
    ("encoder-decoder", {}, "decoder.0.cross_attention.residual"),
    ("decoder", {"gated": True, "position": "rotary"}, ""),
    ("decoder", {"parallel": True}, "decoder.1.self_attention.residual"),
    ("encoder", {}, "encoder.0.self_attention.residual"),
]


@pytest.mark.parametrize(("architecture", "fields", "name"), SITES)
def test_every_kind_of_site_is_read_and_spliced(architecture, fields, name):
    checkpoint = model_of(architecture, **fields)
    site, given, learned = made(checkpoint, name)
    read = given.reads[0]
    source = torch.tensor([read.source]) if read.source else None
    target = torch.tensor([read.target]) if read.target else None
    if architecture == "encoder-decoder" and target is None:
        target = torch.tensor([[1, 5, 6]])

    def run(*edits) -> dict[str, np.ndarray]:
        recorder = Recorder(compose(checkpoint.model, *edits))
        with torch.inference_mode():
            checkpoint.model(source, target, tap=recorder)
        return recorder.values

    values = run()
    rows = given.sentence == 0
    stream = torch.from_numpy(values[site.reads])
    assert torch.allclose(site.read(checkpoint.model, stream), given.inputs[rows], atol=1e-5)
    assert torch.allclose(torch.from_numpy(values[site.writes]), given.targets[rows], atol=1e-5)
    if site.is_transcoder:  # it reads what the network reads
        layers = checkpoint.model.encoder if site.side == "encoder" else checkpoint.model.decoder
        made_again = layers[site.layer].feed_forward(given.inputs[rows])
        assert torch.allclose(made_again, given.targets[rows], atol=1e-5)
    rebuilt = run(splice.spliced(site, learned))[site.writes]
    assert np.allclose(rebuilt, learned.reconstruction(given.inputs[rows]).numpy(), atol=1e-4)


def test_steering_adds_a_direction_and_leaves_the_rest_as_it_is():
    checkpoint = model_of("encoder-decoder")
    site, given, learned = made(checkpoint, "")
    source = torch.tensor([given.reads[0].source])

    def steered(*changes: Steering) -> torch.Tensor:
        tap = compose(checkpoint.model, splice.steered(site, learned, changes))
        with torch.inference_mode():
            return checkpoint.model.encode(source, tap=tap)[0]

    x = steered()
    features, strengths = learned.sparse(x)
    feature, most = int(features[1, 0]), float(strengths[1, 0])
    direction = learned.decoder[:, feature]
    assert torch.equal(steered(Steering(feature, 0.0)), x)
    assert torch.allclose(steered(Steering(feature, 2.0)), x + 2 * direction, atol=1e-5)
    removed = steered(Steering(feature, 0.0, "set", row=1))
    assert torch.equal(removed[0], x[0])
    assert torch.allclose(removed[1], x[1] - most * direction, atol=1e-5)
    other = (feature + 1) % 24
    rows = torch.arange(len(x))[None] == 1
    edit = splice.exchanged(site, learned, other, 1.5, rows)
    with torch.inference_mode():
        exchanged = checkpoint.model.encode(source, tap=compose(checkpoint.model, edit))[0]
    both = Steering(int(features[1, 0]), 0.0, "set", row=1), Steering(other, 1.5, row=1)
    assert torch.allclose(exchanged, steered(*both), atol=1e-5)
    assert torch.equal(exchanged[2], x[2])
    with pytest.raises(InvalidInput, match="no feature 24"):
        splice.steered(site, learned, [Steering(24, 1.0)])


@pytest.mark.parametrize(
    ("fields", "name", "code"),
    [
        ({}, "encoder.9.feed_forward", "features_site"),
        ({}, "encoder.0.self_attention.weights", "features_site"),
        ({"parallel": True, "norm": "pre", "architecture": "decoder", "source_vocabulary": 0, "encoder_layers": 0},
         "decoder.0.feed_forward", "features_parallel"),
        ({"inputs": "numbers"}, "", "features_numbers"),
    ],
)  # fmt: skip
def test_a_site_that_a_model_lacks_is_refused_in_a_sentence(fields, name, code):
    config = TransformerConfig(source_vocabulary=40, target_vocabulary=40, d_model=16, heads=2, d_ff=8)
    fields = dict(fields)
    inputs = fields.pop("inputs", None)
    config = replace(config, **fields)
    if inputs:
        object.__setattr__(config, "inputs", inputs)  # the price forecaster's, whose other fields do not matter here
    with pytest.raises(InvalidInput) as refusal:
        sites.find(config, name)
    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")
