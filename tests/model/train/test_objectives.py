"""Training a preset: what each architecture learns from pairs, and a checkpoint that loads like any other."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch

from corpora.pairs import Pair
from model import presets
from model.build import build, recipes
from model.build.evaluation import evaluate
from model.build.recipes import Recipe
from model.checkpoint import checkpoints
from model.decode.translate import translate, translate_all
from model.tokenization.tokenizer import BOS, EOS, PAD, UNK
from model.train import objectives

WHO = {"der Hund": "the dog", "das Kind": "the child", "die Frau": "the woman", "der Mann": "the man"}
DOES = {"schläft": "sleeps", "singt": "sings", "liest": "reads", "wartet": "waits"}
WHEN = {"heute": "today", "oft": "often", "hier": "here"}
PAIRS = [
    Pair(f"{who} {does} {when}.", f"{WHO[who]} {DOES[does]} {WHEN[when]}.")
    for who, does, when in product(WHO, DOES, WHEN)
]
SIZES = {"d_model": 32, "heads": 2, "d_ff": 64, "max_length": 40}
LAYERS = {"paper": (1, 1), "textbook": (1, 1), "gpt": (0, 1), "bert": (1, 0)}


class Sentences:
    """A corpus of a few dozen pairs."""

    def __init__(self, seed: int = 0):
        self.held_out = PAIRS[::9]

    def train(self, epoch: int) -> list[Pair]:
        return [pair for pair in PAIRS if pair not in self.held_out] * 4

    def validation(self) -> list[Pair]:
        return self.held_out

    def tests(self, split: str = "test") -> dict[str, list[Pair]]:
        return {"grammar": self.held_out}

    def texts(self) -> Iterator[Pair]:
        yield from PAIRS

    def source_words(self) -> Iterable[str]:
        return (pair.source for pair in PAIRS)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return [("statements", PAIRS[1:4])]

    def sources(self) -> list[dict[str, object]]:
        return [{"name": "grammar", "pairs": len(PAIRS), "licence": "ours"}]


def small(name: str, seed: int = 0, steps: int = 3) -> Recipe:
    """A preset's recipe at tiny sizes, on the corpus above."""
    recipe = recipes.for_preset(name, seed, steps)
    encoder, decoder = LAYERS[name]
    architecture = recipe.architecture | SIZES | {"encoder_layers": encoder, "decoder_layers": decoder}
    corpus: Any = Sentences
    return replace(
        recipe, corpus=corpus, vocabulary=200, architecture=architecture, examples=(PAIRS[0].source, PAIRS[1].source)
    )


@pytest.mark.parametrize("name", LAYERS)
def test_a_trained_preset_is_a_checkpoint(name: str, tmp_path: Path) -> None:
    reports: list = []
    entry = build.build(small(name), tmp_path / name, reports.append)
    assert [report.step for report in reports] == [1, 2, 3]
    assert entry.is_sound()
    assert not (entry.folder / "unfinished.pt").exists()
    checkpoint = checkpoints.load(entry)
    architecture = presets.find(name).config.architecture
    assert checkpoint.model.config.architecture == architecture
    run = translate(checkpoint, PAIRS[0].source)
    assert f"{entry.card['first_look']['attention_kind']}" in run.trace.kinds
    assert entry.card["task"] == objectives.OBJECTIVES[architecture].name
    assert entry.card["command"].startswith(f"python -m model train {name} --untrained --seed 0 --steps 3 --out")
    if architecture == "encoder":
        assert entry.card["scores"]["grammar"].keys() == {"pairs", "hidden", "accuracy", "most_frequent"}
    else:
        assert entry.card["scores"]["grammar"] == evaluate(checkpoint, Sentences().held_out).rounded()
    assert entry.card["example_translation"] == run.text
    assert (entry.folder / "card.md").read_text(encoding="utf-8").startswith(f"# {name}\n")


@pytest.mark.parametrize("name", LAYERS)
def test_it_starts_from_the_weights_that_the_app_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = small(name, seed=5)
    states: list[dict[str, torch.Tensor]] = []

    class Watched(build.Trainer):
        def __init__(self, model, *given, **named):
            states.append({key: value.clone() for key, value in model.state_dict().items()})
            super().__init__(model, *given, **named)

    monkeypatch.setattr(build, "Trainer", Watched)
    entry = build.build(recipe, tmp_path / name, lambda report: None)
    app_model = checkpoints.random_model(checkpoints.load(entry).model.config, 5)
    assert all(torch.equal(value, states[0][key]) for key, value in app_model.state_dict().items())


def test_presets_keep_their_config() -> None:
    for name, preset in presets.PRESETS.items():
        if preset.config.inputs == "numbers" or not preset.config.target_vocabulary:
            continue
        recipe = recipes.for_preset(name)
        config = build._config(recipe, 3600)
        longest = min(128, preset.config.max_length) if preset.config.decoder_layers else preset.config.max_length
        assert config == replace(presets.with_vocabulary(preset.config, 3600), max_length=longest)
        assert recipe.training.learning_rate == pytest.approx(preset.config.d_model**-0.5 * 4000**-0.5)


def test_what_each_architecture_is_shown(tmp_path: Path) -> None:
    tokenizer = checkpoints.load(build.build(small("paper", steps=1), tmp_path / "x", lambda report: None)).tokenizer
    pair = PAIRS[0]
    source, target = tokenizer.encode(pair.source), tokenizer.encode(pair.target)
    config = presets.find("paper").config
    assert objectives.examples(config, tokenizer, [pair], "0") == [(source, target)]
    assert objectives.examples(replace(config, max_length=5), tokenizer, [pair], "0") == []
    ((nothing, both_texts),) = objectives.examples(presets.find("gpt").config, tokenizer, [pair], "0")
    assert (nothing, both_texts) == ((), [*source[:-1], *target[1:]])
    assert both_texts.count(BOS) == both_texts.count(EOS) == 1
    both = objectives.examples(presets.find("bert").config, tokenizer, [pair], "0")
    for (read, target_ids), whole in zip(both, (source, target), strict=True):
        assert [a if r == UNK else r for r, a in zip(read, target_ids, strict=True)] == whole
        assert {a for r, a in zip(read, target_ids, strict=True) if r != UNK} == {PAD}
        assert UNK in read


def test_fifteen_in_a_hundred_are_hidden_and_others_each_time() -> None:
    ids = [BOS, *range(4, 104), EOS]
    hidden = [objectives.hide(ids, random.Random(seed))[0] for seed in range(200)]
    assert {row.count(UNK) for row in hidden} == {15}
    assert {i for row in hidden for i in range(102) if row[i] == UNK} == set(range(1, 101))
    assert objectives.hide([BOS, 9, EOS], random.Random(0)) == ([BOS, UNK, EOS], [PAD, 9, PAD])


def taught(name: str, steps: int, folder: Path) -> checkpoints.Checkpoint:
    """A preset after so many steps that are larger than the recipe's, because the sizes are smaller."""
    recipe = small(name, steps=steps)
    training = replace(recipe.training, learning_rate=4e-3, average=0.9, tokens_per_batch=600, report_every=100)
    return checkpoints.load(build.build(replace(recipe, training=training), folder, lambda report: None))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "steps"), [("paper", 300), ("gpt", 500)])
def test_it_learns_to_translate_and_to_go_on_with_the_translation(name: str, steps: int, tmp_path: Path) -> None:
    held_out = Sentences().held_out
    output = translate_all(taught(name, steps, tmp_path), [pair.source for pair in held_out])
    assert sum(w == p.target for w, p in zip(output, held_out, strict=True)) >= 3  # of 6; by chance one in 48


def test_it_learns_to_find_what_is_hidden(tmp_path: Path) -> None:
    before, after = (evaluate(taught("bert", steps, tmp_path / str(steps)), PAIRS) for steps in (1, 200))
    assert after.bleu > before.bleu + 5
    assert after.exact > 0.2 > before.exact


def test_the_scores_of_an_encoder_are_those_of_restored_sentences(tmp_path: Path) -> None:
    checkpoint = checkpoints.load(build.build(small("bert"), tmp_path / "bert", lambda report: None))
    sentences = [pair.source for pair in PAIRS[:5]]
    rng = random.Random(0)
    expected = []
    for ids in map(checkpoint.tokenizer.encode, sentences):
        read, _ = objectives.hide(ids, rng)
        logits = checkpoint.model(torch.tensor([read]), None, torch.ones(1, len(read), dtype=torch.bool))[0]
        text = [int(row.argmax()) if id_ == UNK else id_ for id_, row in zip(read, logits, strict=True)]
        expected.append(checkpoint.tokenizer.decode(text))
    assert objectives.restore(checkpoint, sentences) == expected


def test_a_run_that_was_cut_goes_on(tmp_path: Path) -> None:
    recipe = small("paper", steps=8)
    whole = build.build(recipe, tmp_path / "whole", lambda report: None)

    class Cut(Exception):
        pass

    def cut(report) -> None:
        if report.step == 5:
            raise Cut

    with pytest.raises(Cut):
        build.build(recipe, tmp_path / "cut", cut)
    assert (tmp_path / "cut" / "unfinished.pt").exists()
    steps: list[int] = []
    again = build.build(recipe, tmp_path / "cut", lambda report: steps.append(report.step))
    assert steps[0] == 5  # saved after step 4
    one, other = (checkpoints.load(entry).model.state_dict() for entry in (whole, again))
    assert all(torch.equal(one[key], other[key]) for key in one)
    assert json.loads((again.folder / "card.json").read_text(encoding="utf-8"))["training"]["steps"] == 8
