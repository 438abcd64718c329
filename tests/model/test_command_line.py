"""The command line, run as a person runs it: what goes in, what comes out, and one sentence where it cannot.

What a process of its own shows is asked of one; all else goes through the same `main` in this process, where torch
is already loaded.
"""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from model.__main__ import main
from model.build import recipes
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate, translate_all
from model.forecast import forecasting, naive, prices
from model.measurements import ablations
from model.tokenization.tokenizer import CHARACTER_LIMIT
from model.trace import load_trace
from tests.model.train.test_objectives import small
from tests.samples import BUCH, DAMAGES, KINO, ROOT, SAMPLES, german_english, tiny_checkpoint

Runner = Callable[..., subprocess.CompletedProcess[str]]
SENTENCES = [KINO, BUCH, "Der Mann liest ein Buch.", BUCH, "Kannst du mir helfen?"]


def run(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """`python -m model ARGUMENTS`."""
    process = subprocess.run(
        [sys.executable, "-m", "model", *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"GLASSFORMER_CHECKPOINTS": str(SAMPLES), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    return subprocess.CompletedProcess(
        process.args, process.returncode, process.stdout.decode(), process.stderr.decode()
    )


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tiny: Path) -> Runner:
    """The same, in this process, on tiny checkpoints unless others are named."""

    def run_here(*arguments: object, stdin: str | bytes = "", folder: Path = tiny) -> subprocess.CompletedProcess[str]:
        read = io.BytesIO(stdin if isinstance(stdin, bytes) else stdin.encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(read, encoding="utf-8"))
        monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))
        status = main([str(argument) for argument in arguments])
        return subprocess.CompletedProcess([], status, *capsys.readouterr())

    return run_here


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr of a command that had to refuse."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert len(lines[0]) < 600  # with the names of all recipes
    return lines[0]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkpoints that load at once: a whole one between two damaged ones."""
    folder = tmp_path_factory.mktemp("checkpoints")
    for name in ("first", "good", "worse"):
        tiny_checkpoint(folder / name)
    DAMAGES["card is not JSON"].spoil(folder / "first")
    DAMAGES["missing tensor"].spoil(folder / "worse")
    return folder


def test_a_bar_in_percent_counts_no_percents_per_second(
    here: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ablations, "measure", lambda checkpoint, sentences, report: report(100) or {})
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("das Haus\n", encoding="utf-8")
    done = here("ablation", "good", "--lines", sentences)
    assert "100%" in done.stderr
    assert "%/s" not in done.stderr


def test_list_has_a_line_per_checkpoint(here: Runner) -> None:
    process = here("list", folder=SAMPLES)
    assert (process.returncode, process.stderr) == (0, "")
    lines = process.stdout.splitlines()
    assert [line.split("\t")[0] for line in lines] == sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
    line = next(line for line in lines if line.startswith("de-en\t"))
    assert f"{Entry(SAMPLES / 'de-en').card['parameters']['total']:,}" in line
    assert "de → en" in line


def test_list_names_the_damaged_and_goes_on(here: Runner) -> None:
    process = here("list")
    assert process.returncode == 0
    lines = dict(line.split("\t", 1) for line in process.stdout.splitlines())
    assert list(lines) == ["first", "good", "worse"]
    assert "card.json" in lines["first"]
    assert "parameters" in lines["good"]


def test_translate_keeps_the_order_of_its_lines() -> None:
    process = run("translate", "de-en", stdin="\n".join(SENTENCES))
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines() == translate_all(german_english(), SENTENCES)
    assert "cinema" in process.stdout.splitlines()[0]


def test_translate_takes_lines_of_windows_and_nothing(here: Runner) -> None:
    assert here("translate", "good", stdin="das Haus\r\nder Hund\r\n").stdout == (
        here("translate", "good", stdin="das Haus\nder Hund").stdout
    )
    empty = here("translate", "good")
    assert (empty.returncode, empty.stdout, empty.stderr) == (0, "", "")


def test_empty_lines_stay_empty(here: Runner) -> None:
    whole = here("translate", "good", stdin="das Haus\nder Hund\n").stdout.splitlines()
    assert here("translate", "good", stdin="\ndas Haus\n  \t\n\nder Hund\n\n").stdout.splitlines() == [
        "", whole[0], "", "", whole[1], "",
    ]  # fmt: skip


def test_a_damaged_checkpoint_leaves_the_others_at_work(here: Runner) -> None:
    assert "'worse'" in refused(here("translate", "worse", stdin="das Haus"))
    process = here("translate", "good", stdin="das Haus\nder Hund\n")
    assert (process.returncode, len(process.stdout.splitlines())) == (0, 2)


def test_trace_writes_every_value_and_the_tokens(here: Runner, tmp_path: Path) -> None:
    out = tmp_path / "kino"  # a name without a suffix stays one
    process = here("trace", "de-en", KINO, "--out", out, folder=SAMPLES)
    assert (process.returncode, process.stderr) == (0, "")
    trace_of_file, expected = load_trace(out), translate(german_english(), KINO).trace
    with np.load(out) as file:
        assert {"source_tokens", "target_tokens", "output_tokens"} <= set(file.files)
    assert trace_of_file.source_tokens == expected.source_tokens
    assert trace_of_file.target_tokens == expected.target_tokens
    assert trace_of_file.output_tokens == expected.output_tokens
    assert trace_of_file.values.keys() == expected.values.keys()
    assert "decoder.0.cross_attention.weights" in trace_of_file.values
    for name, value in expected.values.items():
        np.testing.assert_allclose(trace_of_file.values[name], value, atol=1e-4, err_msg=name)


def test_trace_writes_a_choice_of_values_as_json_and_as_a_table(here: Runner, tmp_path: Path) -> None:
    expected = translate(german_english(), KINO).trace
    only = ("--only", "decoder.*.cross_attention.weights", "--only", "decoder.0.self_attention.masked_scores")
    names = [*(f"decoder.{layer}.cross_attention.weights" for layer in range(3)), only[-1]]
    for kind in ("json", "parquet", "npz"):
        process = here("trace", "de-en", KINO, *only, "--out", tmp_path / f"trace.{kind}", folder=SAMPLES)
        assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
    assert set(load_trace(tmp_path / "trace.npz").values) == set(names)

    content = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert content["output_tokens"] == list(expected.output_tokens)
    assert set(content["values"]) == set(names)
    for name in names:
        numbers = np.array(content["values"][name], float)  # null becomes NaN
        assert np.array_equal(np.where(np.isnan(numbers), -np.inf, numbers), expected.values[name])

    table = pd.read_parquet(tmp_path / "trace.parquet")
    assert len(table) == sum(expected.values[name].size for name in names)
    for name, head, row, column in [(names[1], 2, 3, 4), (names[-1], 0, 2, 1)]:
        line = table[(table.name == name) & (table["head"] == head) & (table.row == row) & (table.column == column)]
        keys = expected.source_tokens if "cross" in name else expected.target_tokens
        queries = expected.output_tokens if "cross" in name else expected.target_tokens
        assert line.value.item() == expected.values[name][head, row, column]
        assert (line.row_token.item(), line.column_token.item()) == (queries[row], keys[column])


def test_a_table_holds_values_of_every_kind(here: Runner, tmp_path: Path) -> None:
    """Also those without heads, of models without a decoder or an encoder, and in the order of the pass."""
    for name, text in (("de-en", KINO), ("mini-encoder", "the cat"), ("gpt-char", "the cat")):
        here("trace", name, text, "--out", tmp_path / "trace.parquet", folder=SAMPLES)
        here("trace", name, text, "--out", tmp_path / "trace.npz", folder=SAMPLES)
        table, trace = pd.read_parquet(tmp_path / "trace.parquet"), load_trace(tmp_path / "trace.npz")
        assert list(dict.fromkeys(table.name)) == list(trace.values)
        assert np.array_equal(table.value, np.concatenate([array.ravel() for array in trace.values.values()]))


def test_trace_names_a_pattern_that_fits_nothing(here: Runner, tmp_path: Path) -> None:
    process = here("trace", "good", "das Haus", "--only", "decoder.9.*", "--out", tmp_path / "trace.json")
    assert "decoder.9.*" in refused(process)
    assert not (tmp_path / "trace.json").exists()


def test_trace_of_a_given_translation_reads_that_translation(here: Runner, tmp_path: Path) -> None:
    target = "The dog is here."
    process = here("trace", "de-en", KINO, "--target", target, "--out", tmp_path / "trace.npz", folder=SAMPLES)
    assert (process.returncode, process.stderr) == (0, "")
    trace = load_trace(tmp_path / "trace.npz")
    tokenizer = german_english().tokenizer
    assert trace.target_tokens == tokenizer.tokens(tokenizer.encode(target)[:-1])
    assert len(trace.output_tokens) == len(trace.target_tokens)
    assert trace.values["decoder.0.cross_attention.weights"].shape[1:] == (
        len(trace.target_tokens),
        len(trace.source_tokens),
    )


def test_evaluate_scores_a_table(here: Runner, tmp_path: Path) -> None:
    right = translate(german_english(), KINO).text
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"de\ten\n{KINO}\t{right}\n{BUCH}\tSomething else entirely.\n", encoding="utf-8")
    process = here("evaluate", "de-en", "--pairs", pairs, folder=SAMPLES)
    assert (process.returncode, process.stderr) == (0, "")
    scores = json.loads(process.stdout)
    assert scores["pairs"] == 2
    assert scores["exact"] == 0.5
    assert 0 < scores["bleu"] < 100
    assert 0 < scores["chrf"] < 100


def test_evaluate_gives_the_figures_of_the_card_again(here: Runner) -> None:
    process = here("evaluate", "notebook-c", folder=SAMPLES)
    assert (process.returncode, process.stderr) == (0, "")
    assert json.loads(process.stdout) == Entry(SAMPLES / "notebook-c").card["scores"]


def test_a_preset_and_a_checkpoint_may_share_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    for name, vocabulary in (("mini-encoder", 50), ("untrained-mini-encoder", 0), ("gpt", 3600)):
        assert main(["describe", name]) == 0
        assert json.loads(capsys.readouterr().out)["config"]["target_vocabulary"] == vocabulary


def test_list_says_what_each_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    does_of = {name: does for name, does, *_ in lines}
    assert (does_of["de-en"], does_of["dates"], does_of["mini-encoder"]) == ("de → en", "dates", "hidden-words")


def test_recipes_are_the_commands_that_make_every_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    made = {line.split()[-1] for line in lines if line.startswith("python -m model train ")}
    assert made == {path.name for path in SAMPLES.iterdir()}


def test_recipes_of_one_checkpoint_and_of_live_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipes", "copy-8", "forecast"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "python -m model train copy-8",
        "python -m model edges copy-8 --save",
        "python -m model ablation copy-8 --save",
        "python -m model attribution copy-8 --card",
        "python -m model train forecast",
    ]
    assert main(["recipes", "--live"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["de-en", "zh-en", "es-en"]
    assert main(["recipes", "chess"]) == 2


def test_pairs_prints_the_held_out_pairs(here: Runner) -> None:
    process = here("pairs", "sort", folder=SAMPLES)  # that of sentences takes half a minute to draw
    assert (process.returncode, process.stderr) == (0, "")
    recipe = recipes.find("sort")
    held_out = [pair for set_ in recipe.corpus(recipe.seed).tests().values() for pair in set_]
    assert [tuple(line.split("\t")) for line in process.stdout.splitlines()] == [tuple(pair) for pair in held_out]
    assert all(pair.target == "".join(sorted(pair.source)) for pair in held_out)


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("a" * 10_000, f"10,000 .*{CHARACTER_LIMIT:,}"),
        ("Ich " * 20, "tokens"),
        ("Das\x00 ist", r"U\+0000"),
        ("Das \x1b[31mist", r"U\+001B"),
    ],
    ids=["10,000 characters", "too many tokens", "NUL", "escape"],
)
def test_a_bad_line_is_named_by_its_number(line: str, about: str, here: Runner) -> None:
    message = refused(here("translate", "good", stdin=f"das Haus\n{line}\nder Hund\n"))
    assert re.search(rf"[Ll]ine 2: .*{about}", message)


@pytest.mark.parametrize(
    "arguments",
    [
        ("translate", "nowhere"),
        ("translate", "../good"),
        ("trace", "nowhere", "das Haus", "--out", "trace.npz"),
        ("trace", "good", "", "--out", "trace.npz"),
        ("trace", "good", "das \udcff Haus", "--out", "trace.npz"),  # a byte that is no UTF-8, as Python reads it
        ("trace", "good", "das Haus", "--target", "\udcff", "--out", "trace.npz"),
        ("trace", "good", "das Haus", "--target", "x" * 10_000, "--out", "trace.npz"),
        ("trace", "good", "das Haus", "--out", "no/such/folder/trace.npz"),
        ("evaluate", "good", "--pairs", "missing.tsv"),
        ("train", "no-recipe"),
        ("train", "gpt"),
        ("train", "no-preset", "--untrained"),
        ("train", "gpt", "--untrained"),
        ("train", "gpt", "--untrained", "--steps", "0", "--out", "folder"),
        ("train", "mini-encoder", "--untrained", "--out", "folder"),
        ("train", "forecaster", "--untrained", "--out", "folder"),
        ("train", "forecaster", "--untrained", "--steps", "3"),
        ("train", "de-en", "--steps", "3"),
        ("pairs", "no-recipe"),
        ("why", "good", ""),
        ("why", "good", "das Haus", "--step", "99"),
        ("why", "good", "das Haus", "--rather", "1000000"),
        ("why", "good", "das Haus", "--head", "cross.9.0"),
        ("roles", "nowhere"),
        ("ablation", "gpt", "--untrained", "--save"),
        ("ablation", "gpt", "--untrained", "--reads", "nowhere"),
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_a_bad_argument_is_refused_in_one_line(arguments: tuple[str, ...], here: Runner, tmp_path: Path) -> None:
    if "--out" in arguments or "--pairs" in arguments:
        arguments = (*arguments[:-1], str(tmp_path / arguments[-1]))
    refused(here(*arguments, stdin="das Haus"))
    assert list(tmp_path.iterdir()) == []  # nothing half-written is left


@pytest.mark.parametrize(
    "table",
    [b"das Haus\n", b"das Haus\tthe house\tmore\n", b"", b"de\ten\n", b"\xff\xfe\x00\t\x00\n", b"\tthe house\n"],
    ids=["one column", "three columns", "empty", "only a header", "not text", "empty sentence"],
)
def test_a_bad_table_is_refused_in_one_line(table: bytes, here: Runner, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_bytes(table)
    refused(here("evaluate", "good", "--pairs", pairs))


def test_bytes_that_are_no_text_are_refused(here: Runner) -> None:
    refused(here("translate", "good", stdin=b"das Haus\n\xff\xfe\n"))


def test_a_process_that_refuses_says_one_line_and_exits_with_2() -> None:
    assert "'nowhere'" in refused(run("translate", "nowhere", stdin=KINO))


def test_a_line_that_is_too_long_is_refused_with_its_length(here: Runner) -> None:
    assert "10,000" in refused(here("translate", "good", stdin="a" * 10_000))


def test_an_encoder_alone_is_asked_for_no_translation(here: Runner) -> None:
    assert "choose a model with a decoder" in refused(here("translate", "bert", "--untrained", stdin="das Haus"))


def test_train_makes_a_checkpoint_from_a_preset(here: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models_made = {("gpt", 3, 4): small("gpt", 3, 4)}
    monkeypatch.setattr(recipes, "for_preset", lambda *asked: models_made[asked])
    out = tmp_path / "mine"
    process = here("train", "gpt", "--untrained", "--seed", "3", "--steps", "4", "--out", out)
    assert process.returncode == 0
    assert json.loads(process.stdout) == Entry(out).card["scores"]
    assert Entry(out).card["training"] | {"minutes": 0} == {
        "steps": 4,
        "seed": 3,
        "minutes": 0,
        "threads": 1,
        "label_smoothing": 0.1,
    }


def test_train_prints_the_forecaster_beside_the_naive(here: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = forecasting.ForecastSettings(window=5, stride=100, epochs=1, learning_rate=1e-4)
    monkeypatch.setattr(forecasting, "QUICK", quick)
    process = here("train", "forecaster", "--untrained", "--seed", "2")
    assert process.returncode == 0
    output = json.loads(process.stdout)
    held_out = prices.split_in_time(prices.load_prices(), 5).held_out
    assert output["naive"]["zero"]["mse"] == pytest.approx(float(np.mean(held_out**2)))
    assert output["model"]["mse"] > 0
    assert set(output["against_naive"]) == set(naive.NAIVE)
    assert set(output["against_naive"].values()) <= {"better", "worse", "undecided"}
    assert here("train", "forecaster", "--untrained", "--seed", "2").stdout == process.stdout
