"""What is recorded beside the shipped checkpoints: its seed, its sentences, intervals, and a command of `make`."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from model.__main__ import main
from tests.fixtures import ROOT, SAMPLES

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
def test_a_command_makes_it_again_and_make_runs_it(name: str, capsys: pytest.CaptureFixture) -> None:
    command = COMMANDS[name]
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert ("--card" if name == "card.json" else "--save") in capsys.readouterr().out
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("checkpoints: ")[2].partition("\n\n")[0]
    loops = [loop for loop in recipe.splitlines() if re.search(rf"\b{command}\b", loop.partition("; do")[2])]
    assert len(loops) == 1
    if "filter-out" not in loops[0]:
        models = {path.parent.name for path in FILES if path.name == name}
        assert set(re.findall(r"for name in ([^;]*);", loops[0])[0].split()) == models
