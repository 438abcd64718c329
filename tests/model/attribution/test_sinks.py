"""How much weight special tokens have, and what norms leave of it: against a loop, and what the command records."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from model.__main__ import main
from model.checkpoint.checkpoints import random_model
from model.decode.recorded_pass import trace
from model.decode.translate import translate
from model.intervals import normal
from model.measurements import sinks
from model.trace import Trace
from model.transformer import Transformer
from tests.samples import KINO, SAMPLES, german_english

LINES = [KINO, "Wo ist das Buch?", "Ich habe Hunger."]


def falls(model: Transformer, run: Trace, column: int) -> np.ndarray:
    """Of cross-attention, the mean over the rows of a token's weight less its share of the norms, (L, H)."""
    result = np.zeros((len(model.decoder), model.config.heads))
    for layer, block in enumerate(model.decoder):
        prefix, matrix = f"decoder.{layer}.cross_attention", block.cross_attention.output.weight.detach()
        for head in range(model.config.heads):
            weights, values = (torch.from_numpy(run.values[f"{prefix}.{part}"])[head] for part in ("weights", "v"))
            part = matrix[:, head * values.shape[-1] : (head + 1) * values.shape[-1]]
            norms = weights * torch.stack([(part @ value).norm() for value in values])
            shares = norms / norms.sum(dim=1, keepdim=True)
            result[layer, head] = float((weights - shares)[:, column].mean())
    return result


def test_the_largest_fall_against_a_loop() -> None:
    checkpoint = german_english()
    results = sinks.measure(checkpoint, LINES)
    runs = [translate(checkpoint, line) for line in LINES]
    twin = random_model(checkpoint.model.config, 0)
    random = [trace(twin, checkpoint.tokenizer, run.source, run.target) for run in runs]
    for table, model, traces in (
        ("largest_fall", checkpoint.model, [run.trace for run in runs]),
        ("random_largest_fall", twin, random),
    ):
        for token, column in (("<bos>", 0), ("<eos>", -1)):
            each = np.stack([falls(model, run, column) for run in traces])  # (N, L, H)
            layer, head = np.unravel_index(each.mean(axis=0).argmax(), each.shape[1:])
            row = results[table][f"cross.{token}"]
            assert (row["layer"], row["head"]) == (layer, head)
            assert row["fall"] == pytest.approx(normal(each[:, layer, head]).rounded(), abs=2e-4)
            assert row["weight"][0] - row["norm"][0] == pytest.approx(row["fall"][0], abs=2e-4)


def test_the_most_weight_is_that_of_any_head() -> None:
    checkpoint = german_english()
    row = sinks.measure(checkpoint, LINES)["most_weight"]["encoder.<bos>"]
    each = [translate(checkpoint, line).trace.weights("encoder")[..., 0].mean(axis=2) for line in LINES]
    means = np.mean(each, axis=0)
    assert row["weight"][0] == pytest.approx(means.max(), abs=1e-4)
    assert means[row["layer"], row["head"]] == means.max()


def test_what_the_command_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    (tmp_path / "lines.txt").write_text("\n".join(LINES), encoding="utf-8")
    assert main(["sinks", "de-en", "--lines", str(tmp_path / "lines.txt"), "--save"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "de-en" / sinks.MEASUREMENT.file).read_text(encoding="utf-8")) == results
    assert (results["sentences"], results["seed"]) == (3, 0)
    (tmp_path / "lines.txt").write_text("", encoding="utf-8")
    assert main(["sinks", "de-en", "--lines", str(tmp_path / "lines.txt")]) == 2


@pytest.mark.parametrize("name", ["de-en", "zh-en", "es-en"])
def test_the_docs_have_what_is_recorded(name: str) -> None:
    results = json.loads((SAMPLES / name / sinks.MEASUREMENT.file).read_text(encoding="utf-8"))
    text = (SAMPLES.parent / "docs/lenses.md").read_text(encoding="utf-8")
    for key in ("cross.<eos>", "cross.<bos>", "encoder.<bos>"):
        most, fall = results["most_weight"][key]["weight"], results["largest_fall"][key]["fall"]
        (mean, low, high), (fall_mean, fall_low, fall_high) = most, fall
        cells = f"{mean:.3f} ({low:.3f} to {high:.3f}) | {fall_mean:.3f} ({fall_low:.3f} to {fall_high:.3f})"
        assert cells in text, key
