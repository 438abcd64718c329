"""What is recorded beside the shipped checkpoints: its seed, its sentences, intervals, and a command of its recipe."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from model.__main__ import main
from model.build.recipes import RECIPES
from tests.fixtures import SAMPLES

COMMANDS = {
    "ablations.json": "ablation", "alignment.json": "alignment", "edges.json": "edges", "lenses.json": "lenses",
    "removal.json": "removal", "sinks.json": "sinks", "features.encoder.output.json": "features",
    "card.json": "attribution",
}  # fmt: skip
FILES = sorted(path for path in SAMPLES.glob("*/*.json") if path.name in COMMANDS and path.parent.name != "forecast")


def test_every_measurement_is_looked_at() -> None:
    others = {"config.json", "tokenizer.json", *COMMANDS}
    assert {path.name for path in SAMPLES.glob("*/*.json")} <= others | {"target_tokenizer.json"}
    assert {path.name for path in FILES} == set(COMMANDS)


def estimates(value: Any) -> Iterator[list[float]]:
    """All lists of three numbers: a mean and its interval."""
    if isinstance(value, list) and len(value) == 3 and all(isinstance(each, int | float) for each in value):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from estimates(each)


def holds(value: Any, key: str) -> bool:
    return isinstance(value, dict) and (key in value or any(holds(each, key) for each in value.values()))


@pytest.mark.parametrize("name", COMMANDS)
def test_it_says_seed_and_sentences_and_each_number_lies_in_its_interval(name: str) -> None:
    for path in (path for path in FILES if path.name == name):
        content = json.loads(path.read_text(encoding="utf-8"))
        content = content["attribution"] if name == "card.json" else content
        assert holds(content, "seed"), path
        assert holds(content, "words" if name == "card.json" else "sentences"), path
        content.pop("edges", None)  # of each edge what is real and what is estimated, in place of an interval
        found = list(estimates(content))
        assert found, path
        for mean, low, high in found:
            assert low <= mean <= high, path


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_makes_it_again_and_recipes_name_it(name: str, capsys: pytest.CaptureFixture) -> None:
    command, option = COMMANDS[name], "--card" if name == "card.json" else "--save"
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert option in capsys.readouterr().out
    named = {line for recipe in RECIPES.values() for line in recipe.commands() if f" {command} " in line}
    models = {path.parent.name for path in FILES if path.name == name}
    assert named == {f"python -m model {command} {model} {option}" for model in models}
