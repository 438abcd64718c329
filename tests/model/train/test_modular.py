"""Sums modulo 59: the data, the waves of numbers by hand, and that the shipped model adds angles."""

import numpy as np
import pytest
import torch

from corpora.tasks.modular import GIVEN, MODULUS, Modular
from model.analysis import number_waves
from model.checkpoint import checkpoints, history
from model.checkpoint.catalogue import Entry, load_tokenizer
from model.decode.translate import translate_all
from model.edit.edited_pass import Edit, compose
from model.tokenization.tokenizer import PAD
from model.train.run_settings import DEFAULTS, RunSettings
from model.train.trainer import predicted
from model.train.training_run import Run
from tests.samples import SAMPLES

ENTRY = Entry(SAMPLES / "modular")


def test_every_sum_is_in_one_part_and_right() -> None:
    corpus = Modular()
    parts = [corpus.train(0), corpus.validation(), corpus.tests()["modular"]]
    sums = [pair for part in parts for pair in part]
    assert len(sums) == len(set(sums)) == MODULUS**2
    assert corpus.train(7) == parts[0] != Modular(1).train(0)
    for source, target in sums:
        a, plus, b, equals = source.split()
        assert (plus, equals) == ("+", "=")
        assert (int(a) + int(b) - int(target)) % MODULUS == 0
        assert 0 <= int(target) < MODULUS


def test_numbers_that_are_tokens() -> None:
    assert number_waves.ids_of(["<pad>", "+", *"76543210"]) == [9, 8, 7, 6, 5, 4, 3, 2]
    assert number_waves.ids_of(["a", *map(str, range(7))]) == []
    assert number_waves.ids_of(["8", "9", "10"]) == []


@pytest.mark.parametrize("k", [1, 3, 7])
def test_a_wave_by_hand(k: int) -> None:
    turns = 2 * np.pi * k * np.arange(16) / 16
    wave = 2 * np.cos(turns)[:, None] * [[1, 0, 0]] + 2 * np.sin(turns)[:, None] * [[0, 0, 1]] + [[5, 5, 5]]
    waves, amplitudes = number_waves.spectrum(wave)
    assert waves[k] == pytest.approx(k / 16)
    assert amplitudes[k] == pytest.approx(8**0.5)
    assert np.delete(amplitudes[1:], k - 1) == pytest.approx(0, abs=1e-9)
    assert number_waves.needed(amplitudes) == 1
    assert number_waves.strongest(amplitudes, 1) == [k]
    places = number_waves.circle(wave, k)
    assert places == pytest.approx(2 * np.stack([np.cos(turns), np.sin(turns)], axis=1))
    assert number_waves.angles(places)[1] == pytest.approx(360 * k / 16)
    assert number_waves.roundness(places, k) == pytest.approx(0, abs=1e-6)
    assert number_waves.roundness(np.roll(places, 1, axis=0), k) == pytest.approx(min(22.5 * k, 360 - 22.5 * k))


def test_the_shipped_model_adds_and_needs_its_few_frequencies() -> None:
    checkpoint, pairs = checkpoints.load(ENTRY), Modular().tests()["modular"][:300]
    sources = [pair.source for pair in pairs]
    expected = [pair.target for pair in pairs]
    assert translate_all(checkpoint, sources) == expected
    tokenizer = checkpoint.tokenizer
    ids = number_waves.ids_of(tokenizer.tokens(range(tokenizer.size)))
    assert len(ids) == MODULUS
    table = checkpoint.model.target_embedding.weight.detach().numpy().astype(float)[ids]
    amplitudes = number_waves.spectrum(table)[1]
    strong = number_waves.strongest(amplitudes, number_waves.needed(amplitudes))
    assert len(strong) <= 4
    assert all(number_waves.roundness(number_waves.circle(table, k), k) < 15 for k in strong)

    def kept(frequencies: list[int]) -> float:
        """The share of right sums with only these waves (and the mean) in the embeddings."""
        spectrum = np.fft.rfft(table, axis=0)
        spectrum[[k for k in range(1, len(spectrum)) if k not in frequencies]] = 0
        rows = torch.zeros(tokenizer.size, table.shape[1])
        rows[ids] = torch.from_numpy(np.fft.irfft(spectrum, MODULUS, axis=0) - table).float()
        read = torch.tensor([tokenizer.encode(source)[:-1] for source in sources])
        edit = Edit("decoder.embedding", lambda value, at: value + rows[read])
        logits = checkpoint.model(None, read, None, compose(checkpoint.model, edit))[:, -1]
        results = torch.tensor([tokenizer.pieces(text)[0] for text in expected])
        return float((logits.argmax(-1) == results).float().mean())

    assert kept(strong) > 0.95
    assert kept([k for k in range(1, len(amplitudes)) if k not in strong]) < 0.2


def test_the_history_shows_memory_before_the_rule() -> None:
    moments = history.load(ENTRY)
    assert len(moments) == 12
    assert all(moment.embedding is not None and not moment.weights for moment in moments)
    tokenizer = load_tokenizer(ENTRY)
    ids = number_waves.ids_of(tokenizer.tokens(range(tokenizer.size)))
    frequencies = [
        number_waves.needed(number_waves.spectrum(moment.embedding[ids].astype(float))[1]) for moment in moments
    ]
    assert frequencies[0] > 20 > 5 > frequencies[-1]
    points = [point for point in history.curve(ENTRY) if point.exact is not None]
    knew = next(point.step for point in points if point.loss < 0.2)
    step_of_rule = next(point.step for point in points if point.exact > 0.95)
    assert step_of_rule > 2 * knew
    size = sum(file.stat().st_size for file in ENTRY.folder.iterdir())
    assert size <= 1_000_000


def test_only_the_answer_is_learned() -> None:
    settings = DEFAULTS["modular"]
    run = Run(RunSettings(**{**vars(settings), "steps": 1, "warmup": 0}))
    source, target = run.trainer.validation[0]
    expected = predicted(run.trainer.average, source, target, run.trainer.tap, run.trainer.settings.given)[1]
    assert (expected[:, : GIVEN - 1] == PAD).all()
    assert (expected[:, GIVEN - 1 :] == target[:, GIVEN:]).all()
    assert (expected[:, GIVEN - 1 :] != PAD).all()


def test_weight_decay_is_that_of_adamw() -> None:
    plain, decayed = (
        Run(RunSettings(task="copy", steps=1, warmup=0, d_model=16, d_ff=16, average=0.0, weight_decay=decay))
        for decay in (0.0, 0.5)
    )
    before = {name: value.detach().clone() for name, value in plain.trainer.model.named_parameters()}
    rates = [next(run.trainer.updates()).learning_rate for run in (plain, decayed)]
    other = dict(decayed.trainer.model.named_parameters())
    for name, value in plain.trainer.model.named_parameters():
        expected = value - rates[0] * 0.5 * before[name]
        assert torch.allclose(other[name], expected, atol=1e-7), name
