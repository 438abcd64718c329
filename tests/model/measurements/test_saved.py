"""What is saved beside the shipped checkpoints: its seed, its sentences, intervals, and a command of its recipe."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.__main__ import main
from model.build.recipes import RECIPES
from model.checkpoint.catalogue import Entry
from model.measurements.measurement import Measurement, measurements
from tests.samples import ROOT, SAMPLES

COMMANDS = {each.file: each.name for each in measurements().values() if each.file}
FILES = {
    file: sorted(path for path in SAMPLES.glob(f"*/{file}") if path.parent.name != "forecast") for file in COMMANDS
}


def test_every_measurement_is_looked_at() -> None:
    assert {"card.json", "ablations.json", "features.*.json"} < set(COMMANDS)
    assert all(FILES.values())
    others = {path.name for path in SAMPLES.glob("*/*.json")} - {path.name for each in FILES.values() for path in each}
    assert others <= {"config.json", "tokenizer.json", "target_tokenizer.json"}


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
    for path in FILES[name]:
        content = json.loads(_content(path))
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
    named = [words for recipe in RECIPES.values() for line in recipe.commands() if command in (words := line.split())]
    models = {path.parent.name for path in FILES[name]}
    assert {" ".join((*words[:4], *words[-2:])) for words in named} == {
        f"python -m model {command} {model} {option}" for model in models
    }  # between them stand settings, as --steps


def test_what_a_page_reads_is_what_is_saved() -> None:
    def both(name: str) -> tuple[Any, Any]:
        file = SAMPLES / "de-en" / measurements()[name].file
        return measurements()[name].saved(Entry(file.parent)), json.loads(_content(file))

    alignment, content = both("alignment")
    assert alignment.rates["written"]["cross.1.mean"].mean == content["written"]["cross.1.mean"][0]
    sources, content = both("score-sources")
    assert sources.heads["cross.1.2"]["content"].low == content["heads"]["cross.1.2"]["content"][1]
    removal, content = both("removal")
    assert removal.score[18].low == content["score"]["18"][1]
    lenses, content = both("lenses")
    assert lenses.twin.agreement["tuned"]["input"].high == content["twin"]["agreement"]["tuned"]["input"][2]
    sinks, content = both("sinks")
    falls = [row["fall"][0] for key, row in content["largest_fall"].items() if key.startswith("cross.")]
    assert sinks["cross"].fall.mean == max(falls)


@pytest.mark.parametrize("name", [name for name, each in measurements().items() if each.read])
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sentences": 1, "seed": [], "exchanged": "x", "edges": {}}'])
def test_a_damaged_file_is_none(name: str, text: str, tmp_path: Path) -> None:
    measurement: Measurement[Any] = measurements()[name]
    assert measurement.saved(Entry(tmp_path)) is None
    (tmp_path / measurement.file).write_text(text)
    assert measurement.saved(Entry(tmp_path)) is None


def test_a_command_that_does_not_measure_waits_for_no_measurement() -> None:
    """Their import loads torch."""
    code = "import sys; from model.__main__ import main; main(['list']); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content
