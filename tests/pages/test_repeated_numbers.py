"""A tab of /circuits or /why names a command, which prints the numbers of the tab's tables; each file says of what."""

import io
import json
import shlex
import shutil
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from model.__main__ import main
from tests.app import downloads, visit
from tests.app import table as csv_table
from tests.samples import BUCH, KINO, SAMPLES
from viz.version import VERSION

pytestmark = pytest.mark.usefixtures("warm")


table = partial(csv_table, keep_default_na=False)  # an empty cell is an empty text


def printed(app: AppTest, command: str) -> dict[str, Any]:
    """What the command prints that the page names, the one that begins so."""
    start = ".venv/bin/python -m model "
    [line] = [code.value for code in app.code if code.value.startswith(start + command)]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(out):
        assert main(shlex.split(line.removeprefix(start))) == 0
    out.seek(0)
    result: dict[str, Any] = json.load(out)
    return result


@pytest.mark.parametrize(
    ("language", "link"),
    [("en", {"checkpoint": "reverse"}), ("en", {"checkpoint": "untrained-t5", "seed": "3"}),
     ("zh", {"checkpoint": "untrained-gpt"})],
)  # fmt: skip
def test_roles(language: str, link: dict[str, str]) -> None:
    app = visit("circuits", language, **link)
    result, rows = printed(app, "roles"), table(app, "roles")
    for weights, key in (("trained", "roles"), ("random", "random")):
        numbers = rows[rows["weights"] == weights].set_index(["role", "part"])["mean"].to_dict()
        expected = {(role, part): row[0] for role, each in result.get(key, {}).items() for part, row in each.items()}
        assert numbers == pytest.approx(expected, abs=1e-4)
    assert {*rows["sentences"]} == {result["sentences"]}


def test_parts_that_are_measured_on_the_spot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ignored = shutil.ignore_patterns("ablations.json")
    shutil.copytree(SAMPLES / "induction", tmp_path / "induction", ignore=ignored)
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("circuits", checkpoint="induction", show="averages", way="mean")
    result = printed(app, "ablation induction --examples")
    assert table(app, "ablations").set_index("part")["effect"].to_dict() == pytest.approx(
        first(result["mean"]), abs=1e-4
    )
    pairs = table(app, "head-pairs").set_index("pair")["effect"].to_dict()
    assert pairs == pytest.approx(first(result["pairs"]), abs=1e-4)
    app = visit("circuits", checkpoint="induction", show="patching")
    result = printed(app, "ablation induction --examples")
    parts = pd.concat([table(app, key) for key in ("patching", "patching-streams")])
    assert parts.set_index("part")["effect"].to_dict() == pytest.approx(first(result["patching"]), abs=1e-4)


def first(intervals: dict[str, list[float]]) -> dict[str, float]:
    return {name: values[0] for name, values in intervals.items()}


@pytest.mark.full
@pytest.mark.parametrize(
    ("page", "link", "command", "file"),
    [("circuits", {"show": "averages"}, "ablation de-en", "ablations"),
     ("circuits", {"show": "alignment"}, "alignment de-en", "alignment"),
     ("circuits", {"show": "removal"}, "removal de-en", "removal"),
     ("why", {"show": "parts", "checkpoint": "reverse"}, "edges reverse", "edges")],
)  # fmt: skip
def test_what_was_recorded(page: str, link: dict[str, str], command: str, file: str) -> None:
    name = link.get("checkpoint", "de-en")
    recording = json.loads((SAMPLES / name / f"{file}.json").read_text(encoding="utf-8"))
    assert printed(visit(page, **link), command) == recording


@pytest.mark.full
def test_what_the_card_records_of_the_methods() -> None:
    card = json.loads((SAMPLES / "de-en" / "card.json").read_text(encoding="utf-8"))
    assert printed(visit("why", show="trust"), "attribution de-en") == card["attribution"]


@pytest.mark.parametrize(
    "link", [{"step": "4"}, {"step": "1", "method": "head", "head": "2", "sentence": "-1 Ja, ja."}]
)
def test_the_words_that_caused_a_word(link: dict[str, str]) -> None:
    app = visit("why", **link)
    result, rows = printed(app, "why"), table(app, "why-words")
    head = result.get("head", {}).get("looks")
    assert rows["word"].tolist() == [word["word"] for word in result["inputs"]]
    assert rows["value"].tolist() == pytest.approx(head or result["methods"]["attention"])
    falls = [float(fall) for fall in rows["fall_without"] if fall != ""]
    assert falls == pytest.approx([fall for fall in result["methods"]["leave_one_out"] if fall is not None], abs=1e-5)
    assert rows["score"].tolist() == pytest.approx([result["score"]] * len(rows))
    assert {*rows["token"]} == {result["token"]}


def test_the_trust_in_each_method() -> None:
    app = visit("why", show="trust", step="4", sentence=KINO)
    result, ranks = printed(app, "why"), table(app, "why-ranks").set_index("method")
    assert ranks["correlation"].to_dict() == pytest.approx(result["correlation"])
    curves = table(app, "why-deletion")
    for method, curve in result["curves"].items():
        logs = curves[curves["method"] == method]["value"]
        assert logs.tolist() == pytest.approx([2.718281828459045**value for value in curve], abs=1e-5)


def test_the_parts_that_wrote_a_word() -> None:
    link = {"show": "parts", "bars": "heads", "step": "4", "attention_kind": "cross", "layer": "2", "head": "1"}
    app = visit("why", **link)
    result = printed(app, "why")
    parts = table(app, "why-parts").iloc[:-1].set_index("part")["value"].to_dict()
    assert len(parts) > 20
    shown = {part: value for part, value in parts.items() if part in result["parts"]}
    assert len(shown) >= len(parts) - 1  # the smallest parts are one bar
    assert shown == pytest.approx({part: result["parts"][part] for part in shown}, abs=1e-5)
    edges = [{key: edge[key] for key in ("part", "row", "value")} for edge in result["paths"][:16]]
    drawn = table(app, "why-paths")[["part", "row", "value"]].sort_values("value").to_dict("records")
    for edge, row in zip(sorted(edges, key=lambda each: each["value"]), drawn, strict=True):
        assert row == edge | {"value": pytest.approx(edge["value"])}
    kept, sizes = result["kept"], result["kept"]["edges"]
    free = table(app, "why-kept").query("run == 'free'").set_index("edges")["kept"]
    whole, none = result["logit"], kept["free"][0]
    shares = [(logit - none) / (whole - none) for logit in kept["free"]]
    assert free.loc[sizes].tolist() == pytest.approx(shares, abs=1e-4)
    assert table(app, "why-head")["takes"].tolist() == pytest.approx(result["head"]["takes"])


@pytest.mark.parametrize("method", ["leave_one_out", "value_zeroing", "norms", "alti"])
def test_the_share_of_the_source(method: str) -> None:
    app = visit("why", show="origin", share=method, sentence=BUCH)
    shares = printed(app, "why")["share"][method]
    assert table(app, "why-origin")["source"].tolist() == pytest.approx(shares, abs=1e-4)


def test_every_file_of_a_figure_says_where_its_numbers_are_from() -> None:
    app = visit("circuits", "zh", show="averages")
    files = downloads(app)
    assert files["csv_ablations"].name == "glassformer-de-en-ablations.csv"
    rows = table(app, "ablations")
    [about] = rows[["model", "version", "sentences", "seed", "way"]].drop_duplicates().to_dict("records")
    assert about == {"model": "de-en", "version": VERSION, "sentences": 50, "seed": 0, "way": "zero"}
    svg = files["svg_ablations"].make().decode()
    assert '<metadata>{"model": "de-en"' in svg
    assert svg.count("<metadata>") == 1
    with Image.open(io.BytesIO(files["png1_ablations"].make())) as picture:
        picture.load()  # checks the sum of each chunk
        assert json.loads(picture.text["Description"]) == about


def test_a_model_with_random_weights_says_their_seed() -> None:
    app = visit("attention", checkpoint="untrained-gpt", seed="7")
    files = downloads(app)
    assert {file.name[:26] for file in files.values()} == {"glassformer-untrained-gpt-"}
    rows = pd.read_csv(io.BytesIO(files["csv"].make()), encoding="utf-8-sig")
    assert {*rows["seed"]} == {7}


def test_removed_parts_of_random_weights_are_repeated_with_their_seed() -> None:
    app = visit("circuits", checkpoint="untrained-gpt", seed="5", show="averages")
    result, rows = printed(app, "ablation gpt"), table(app, "ablations")
    assert rows.set_index("part")["effect"].to_dict() == pytest.approx(first(result["zero"]), abs=1e-4)
    assert {*rows["seed"]} == {5}


def test_a_sentence_with_marks_keeps_a_picture_sound() -> None:
    """The metadata of a figure stands once, behind a beginning that itself may hold marks."""
    from pages.shared.ui.downloads import origin

    svg = origin.in_svg('<svg aria-label="a > b"><svg/></svg>', {"model": 'a<b>&"', "seed": None})
    assert svg == '<svg aria-label="a > b"><metadata>{"model": "a&lt;b&gt;&amp;\\""}</metadata><svg/></svg>'
