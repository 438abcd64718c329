"""docs/traces.md: its commands and examples run, and its tables describe every recorded name."""

import json
import re
import shlex
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.__main__ import main
from model.checkpoint import catalogue
from model.edit.recorded_names import names
from model.presets import PRESETS
from model.trace import load_trace
from tests.samples import ROOT, SAMPLES

PAGE = (ROOT / "docs/traces.md").read_text(encoding="utf-8")
SHAPES = dict(re.findall(r"^\| `([\w.*]+)` \| \(([^)]*)\) \|", PAGE, re.M))

# what imported models have and shipped ones lack
IMPORTED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gpt", {"query_key_norm": True}),
    ("bert", {"embedding_norm": True, "embedding_size": 16, "output_transform": True, "segments": 2}),
    ("bert", {"labels": ("bad", "good"), "label_activation": "tanh"}),
)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def describing(name: str) -> list[str]:
    return [pattern for pattern in SHAPES if fnmatchcase(name, pattern)]


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the commands of the page were run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(SAMPLES))
    for line in blocks("sh")[0].splitlines():
        python, *module, command = shlex.split(line)[:4]
        assert (python, module, command) == (".venv/bin/python", ["-m", "model"], "trace")
        assert main(shlex.split(line)[3:]) == 0
    return tmp_path


def test_the_commands_and_the_examples_run(traced: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pandas, numpy, python = blocks("python")
    trace = load_trace(traced / "trace.npz")
    weights = trace.values["decoder.2.cross_attention.weights"][0]
    largest = [trace.source_tokens[key] for key in weights.argmax(1)]

    exec(pandas, {})
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["row_token", "column_token", "value"]
    assert [tuple(line[:2]) for line in lines[1:]] == list(zip(trace.output_tokens, largest, strict=True))

    exec(numpy, {})
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [line[:2] for line in lines[1:]]

    exec(python, {})
    values = json.loads((traced / "trace.json").read_text(encoding="utf-8"))["values"]
    assert set(values) == {name for name in trace.values if name.startswith("encoder.0.") or name == "logits"}


def test_the_tables_describe_every_recorded_name_once() -> None:
    configs = [preset.config for preset in PRESETS.values()]
    configs += [entry.config for entry in catalogue.entries().values()]
    configs += [replace(PRESETS[preset].config, **fields) for preset, fields in IMPORTED]
    all_names = {name for config in configs for name in names(config)}
    assert {name: describing(name) for name in all_names if len(describing(name)) != 1} == {}
    assert [pattern for pattern in SHAPES if not any(fnmatchcase(name, pattern) for name in all_names)] == []


def test_shapes_are_as_the_tables_say(traced: Path) -> None:
    trace = load_trace(traced / "trace.npz")
    config = catalogue.entries()["de-en"].config
    sizes = {"d_model": config.d_model, "d_ff": config.d_ff, "H": config.heads, "G": config.heads, "D": config.d_k}
    sizes["V"] = config.target_vocabulary
    for name, value in trace.values.items():
        cross = ".cross_attention." in name
        here = trace.source_tokens if name.startswith("encoder") else trace.target_tokens
        lengths = {"T": len(here), "Q": len(here), "K": len(trace.source_tokens if cross else here)}
        [pattern] = describing(name)
        assert value.shape == tuple((sizes | lengths)[letter] for letter in SHAPES[pattern].split(", ")), name
        assert value.dtype == np.float32
