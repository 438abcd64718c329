"""Examples, effects, names and files of a dictionary, on a tiny model and on the shipped files."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.edit.edited_pass import compose
from model.errors import InvalidInput
from model.features import effects, scores, sites, splice, store
from model.features.examples import Activations, Example, activations
from model.features.meaning import concepts, naming, patterns, steering
from model.features.splice import Steering
from model.features.store import Stored
from tests.model.features.test_dictionary import made, model_of
from tests.samples import SAMPLES

SHIPPED = ("de-en", "zh-en", "dates", "addition")


def stored_tiny(architecture: str = "encoder-decoder", name: str = "") -> tuple:
    checkpoint = model_of(architecture)
    site, given, learned = made(checkpoint, name)
    tokens = tuple(checkpoint.tokenizer.tokens(read.ids(site.side), begins=True) for read in given.reads)
    active = activations(learned, given, tokens, site.side)
    return checkpoint, site, given, Stored(learned, active, {"site": site.name})


def brute_force(active: Activations, feature: int) -> list[Example]:
    """The strongest token of every sentence, by going through all."""
    best: dict[int, Example] = {}
    for sentence, row, features, strengths in zip(
        active.sentence, active.row, active.features, active.strengths, strict=True
    ):
        for each, strength in zip(features, strengths, strict=True):
            old = best.get(int(sentence))
            if each == feature and strength > 0 and (old is None or strength > old.strength):
                best[int(sentence)] = Example(int(sentence), int(row), float(strength))
    return sorted(best.values(), key=lambda each: (-each.strength, each.sentence))


def test_examples_equal_a_brute_force_search_and_the_dictionary():
    _, _, given, stored = stored_tiny()
    active = stored.activations
    dense = stored.dictionary.encode(given.inputs).numpy()
    for feature in range(active.count):
        assert np.allclose(active.of(feature), dense[:, feature], rtol=1e-3)
        expected = brute_force(active, feature)
        assert active.strongest(feature, 2) == expected[:2]
        weakest = active.weakest(feature, 2)
        assert [each.strength for each in weakest] == sorted(each.strength for each in expected)[:2]
        drawn = active.drawn(feature, 3)
        assert all(active.of(feature)[(active.sentence == e.sentence) & (active.row == e.row)] > 0 for e in drawn)
    assert np.allclose(active.maxima(), dense.max(axis=0), rtol=1e-3)
    assert np.allclose(active.share(), (dense > 0).mean(axis=0))


def test_files_give_back_what_was_stored(tmp_path):
    _, site, _, stored = stored_tiny()
    store.save(tmp_path, stored)
    entry = Entry(tmp_path)
    assert store.stored_sites(entry) == ["encoder.output"]
    loaded = store.load(entry, site.name)
    assert loaded.activations.strongest(3) == stored.activations.strongest(3)
    assert loaded.activations.tokens == stored.activations.tokens
    assert torch.allclose(loaded.dictionary.decoder.norm(dim=0), torch.ones(24), atol=1e-6)
    assert torch.allclose(loaded.dictionary.decoder, stored.dictionary.decoder, atol=1e-3)
    before = store.fingerprint(entry, site.name)
    assert before
    (tmp_path / "features.encoder.output.json").write_text("{}", encoding="utf-8")
    assert store.fingerprint(entry, site.name) != before
    for name, code in ((site.name, "features_damaged"), ("decoder.output", "features_missing")):
        with pytest.raises(InvalidInput) as refusal:
            store.load(entry, name)
        assert refusal.value.code == code


def test_direct_words_are_those_of_a_head_that_reads_the_feature_alone():
    """What all heads write for the direction, through the gain of the last norm to the output layer."""
    checkpoint, site, _, stored = stored_tiny()
    model = checkpoint.model
    model.decoder_norm.weight.mul_(torch.linspace(0.5, 2, 16))
    values = effects.direct(checkpoint, site, stored.dictionary, 3)
    x = stored.dictionary.decoder[:, 3]
    written = sum(layer.cross_attention.output.weight @ (layer.cross_attention.v.weight @ x) for layer in model.decoder)
    logits = model.output.weight @ (model.decoder_norm.weight * written)
    assert np.allclose(values, (logits - logits.mean()).numpy(), atol=1e-5)
    best = effects.words(checkpoint.tokenizer, values, 4)
    assert [value for *_, value in best] == sorted((value for *_, value in best), reverse=True)


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder", "encoder"])
def test_measured_words_are_the_change_of_probability_when_a_feature_is_removed(architecture):
    checkpoint, site, _, stored = stored_tiny(architecture)
    feature = int(stored.activations.features[2, 0])
    values = effects.measured(checkpoint, site, stored, feature, sentences=1)
    best = stored.activations.strongest(feature, 1)[0]
    side = "encoder" if architecture == "encoder" else "decoder"
    [read] = sites.reads(checkpoint, [stored.activations.sentences[best.sentence]], side)
    removed = splice.steered(site, stored.dictionary, [Steering(feature, 0.0, "set")])
    with torch.inference_mode():
        passes = [
            checkpoint.model(
                torch.tensor([read.source]) if read.source else None,
                torch.tensor([read.target]) if read.target else None,
                tap=compose(checkpoint.model, *edits),
            )[0].softmax(dim=-1)
            for edits in ((), (removed,))
        ]
    assert np.allclose(values, (passes[0] - passes[1]).sum(dim=0).numpy(), atol=1e-5)
    assert abs(float(values.sum())) < 1e-4  # probabilities of each row sum to 1 in both


def test_heads_and_neighbours():
    checkpoint, site, _, stored = stored_tiny()
    found = effects.heads(checkpoint, site, stored.dictionary, 3)
    assert len(found) == 2 * 2  # the heads of both cross-attentions
    assert [each.value for each in found] == sorted((each.value for each in found), reverse=True)
    cosines = stored.dictionary.decoder.T @ stored.dictionary.decoder
    [(nearest, cosine)] = effects.neighbours(stored.dictionary, 3, 1)
    cosines[3, 3] = -1
    assert nearest == int(cosines[3].argmax())
    assert cosine == pytest.approx(float(cosines[3].max()))


def test_a_pattern_marks_the_tokens_of_its_group():
    tokenizer = model_of("encoder-decoder").tokenizer
    ids = tokenizer.encode("der Hund ist da")
    marked = patterns.marked(tokenizer, ids, r"Hund (ist)")
    text = [tokenizer.piece(id_).replace("▁", "") for id_, is_marked in zip(ids, marked, strict=True) if is_marked]
    assert "".join(text) == "ist"


def test_every_pattern_of_names_and_wishes_is_one():
    for of_model in concepts.CONCEPTS.values():
        assert all(re.compile(pattern).groups <= 1 for pattern in of_model.values())
        assert len(of_model) <= 20
    names = [[wish.name for wish in wishes] for wishes in concepts.WISHES.values()]
    assert all(len(set(each)) == len(each) for each in names)


# the shipped dictionaries


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_dictionary_is_sound_and_says_what_it_is_worth(name):
    entry = Entry(SAMPLES / name)
    stored = store.load(entry, "encoder.output")
    files = [entry.folder / f"features.encoder.output.{end}" for end in ("safetensors", "json")]
    assert sum(file.stat().st_size for file in files) < 1.5e6
    card = stored.card["scores"]
    assert card["dictionary"]["unexplained"][0] < 0.15
    assert card["dictionary"]["chrf"][0] > 75 > card["mean"]["chrf"][0]
    assert card["dictionary"]["unexplained"][0] < card["components"]["unexplained"][0]
    assert card["dictionary"]["alive"] > 0.9 * stored.dictionary.features
    for each in stored.card["names"]:
        assert each["precision"][0] >= naming.PRECISION
        assert each["feature"] < stored.dictionary.features
    for each in stored.card["suggestions"]:
        assert each["curve"] == sorted(each["curve"])
        assert each["curve"][0] == 0 < each["success"][0]


@pytest.mark.parametrize("name", SHIPPED)
def test_numbers_of_a_shipped_card_come_from_its_files(name):
    """What is left unexplained, the evidence of a name and a suggestion, computed again from files and model."""
    entry = Entry(SAMPLES / name)
    stored, checkpoint = store.load(entry, "encoder.output"), checkpoints.load(entry)
    site, active = sites.find(checkpoint.model.config), stored.activations
    texts = active.sentences[:60]
    given = sites.vectors(checkpoint, site, sites.reads(checkpoint, texts, "encoder"))
    left = scores.variance_unexplained(given, stored.dictionary.reconstruction, stored.dictionary.target_mean)
    assert left[0] == pytest.approx(stored.card["scores"]["dictionary"]["unexplained"][0], rel=0.15)
    for each in stored.card["names"][:3]:
        pattern = concepts.CONCEPTS[name][each["name"]]
        again = naming.evidence(active, each["feature"], naming.marks(checkpoint.tokenizer, active, pattern))
        assert (again["hits"], again["active"]) == (each["hits"], each["active"])


def suggestions() -> list[tuple[str, str]]:
    result = []
    for name in SHIPPED:
        card = SAMPLES / name / "features.encoder.output.json"
        if card.is_file():
            result += [(name, each["name"]) for each in json.loads(card.read_text(encoding="utf-8"))["suggestions"]]
    return result


@pytest.mark.parametrize(("name", "wish"), suggestions())
def test_a_shipped_suggestion_does_what_it_says(name, wish):
    entry = Entry(SAMPLES / name)
    stored, checkpoint = store.load(entry, "encoder.output"), checkpoints.load(entry)
    site = sites.find(checkpoint.model.config)
    suggestion = next(each for each in stored.card["suggestions"] if each["name"] == wish)
    sentence, own, steered = suggestion["example"]
    wanted = next(each for each in concepts.WISHES[name] if each.name == wish)
    assert scores.outputs(checkpoint, [sentence]) == [own]
    change = suggestion["feature"], suggestion["strength"]
    assert steering.Trials(checkpoint, site, stored.dictionary, wanted).outputs([sentence], *change) == [steered]
    assert wanted.granted(steered, own)
    assert not wanted.granted(own, own)


def test_no_file_has_a_path_of_a_machine():
    for name in SHIPPED:
        assert str(Path.home()) not in (SAMPLES / name / "features.encoder.output.json").read_text(encoding="utf-8")
