"""The page on what heads do: every statement has its measurement, and every number is the model's."""

import json
import re
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.circuits import ablation, head_roles, patching_effects
from model.circuits.role_thresholds import ROLES
from model.decode.translate import translate
from model.measurements import ablations
from pages.circuits import cached_measurements
from pages.shared.layout import progress
from tests.app import click, inside, said, sentence, table, visit
from tests.samples import SAMPLES, either_language
from viz.data import Matrix

ROWS = ("changed", "writing", "others")
pytestmark = pytest.mark.usefixtures("warm")


@cache
def found(name: str) -> head_roles.Measured:
    """Measure the roles by the model itself, for the sentences that the page takes."""
    entry = Entry(SAMPLES / name)
    checkpoint = load(entry)
    runs = [translate(checkpoint, text) for text in cached_measurements.readable(entry)]
    texts = [head_roles.of_repeated_text(checkpoint, seed) for seed in range(head_roles.ROUNDS)]
    return head_roles.summed([*(head_roles.of_sentence(checkpoint, run) for run in runs), *texts])


@either_language
def test_the_induction_head_is_found_and_named(language: str, drawn: dict[str, Matrix]) -> None:
    app = visit("circuits", language, checkpoint="induction")
    assert said(app) == []
    scores = found("induction")["decoder"]["induction"]
    assert drawn["decoder"].values == pytest.approx(scores.mean)
    kind = sentence(language, "attention_figure.decoder")
    title = sentence(language, "attention_figure.head_name", kind=kind, layer=1, head=0)
    name = sentence(language, "frame.part_named", name=title, part="decoder.1.0")
    assert sentence(language, "circuits.have", heads=name) in inside(app, "figure_roles")
    numbers = {"score": f"{scores.mean[1, 0]:.2f}", "low": f"{scores.low[1, 0]:.2f}"}
    numbers["chance"] = f"{scores.chance[1, 0]:.2f}"
    assert sentence(language, "circuits_says.induction", **numbers) in inside(app, "figure_head")
    recording = json.loads((SAMPLES / "induction" / "ablations.json").read_text(encoding="utf-8"))
    effect = f"{recording['zero']['decoder.1.0'][0]:+.2f}".replace("-", "−")
    assert any(effect in text and "50" in text for text in inside(app, "figure_head"))


def test_a_small_effect_that_is_certain_is_not_said_to_be_none() -> None:
    row = json.loads((SAMPLES / "reverse" / "ablations.json").read_text(encoding="utf-8"))["zero"]["cross.0.0"]
    assert -0.005 < row[2] < 0
    app = visit("circuits", "en", checkpoint="reverse", attention_kind="cross", layer="0", head="0")
    numbers = dict(zip(("effect", "low", "high"), (f"−{10000 * -each:.0f}·10⁻⁴" for each in row), strict=True))
    numbers = {name: text.replace("−1·", "−") for name, text in numbers.items()}
    assert sentence("en", "circuits.hardly_needed", sentences=50, **numbers) in inside(app, "figure_head")


@pytest.mark.sample(2)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_stated_of_the_heads_that_are_measured_to_have_it(role: str) -> None:
    app, scores = visit("circuits", checkpoint="de-en", role=role), found("de-en")
    heads = [
        sentence("en", "attention_figure.head_name", kind=sentence("en", f"attention_figure.{kind}"), layer=layer,
                 head=head) + f" ({kind}.{layer}.{head})"
        for kind in ("encoder", "decoder", "cross")
        if role in scores[kind]
        for layer, head in zip(*scores[kind][role].stated(role).nonzero(), strict=True)
    ]  # fmt: skip
    text = next(text for text in inside(app, "figure_roles") if "Heads with this role" in text or "No head" in text)
    assert ("No head" in text) == (not heads)
    assert all(head in text for head in heads)
    rows = re.findall(r'<th scope="row">([^<]*)</th>', "".join(e.proto.body for e in app.main.get("html")))
    assert set(heads) <= set(rows)


def test_how_often_a_head_aligns_is_said_in_percent() -> None:
    scores = found("de-en")["cross"]["alignment"]
    layer, head = np.argwhere(scores.stated("alignment"))[0]
    app = visit("circuits", checkpoint="de-en", role="alignment", attention_kind="cross", layer=layer, head=head)
    assert any(
        f"for {scores.mean[layer, head]:.0%} of the output tokens" in text for text in inside(app, "figure_head")
    )


def test_the_rule_of_position_is_said_apart() -> None:
    """Of “Position only” the mean has to lie 0.15 above even weights, and not at twice as much."""
    text = " ".join(caption.value for caption in visit("circuits", checkpoint="induction").caption)
    assert "“Position only” is an exception" in text
    assert "at least 0.15 above" in text


def test_the_head_in_view_is_that_of_the_link(drawn: dict[str, Matrix]) -> None:
    app = visit("circuits", checkpoint="de-en", role="same", attention_kind="encoder", layer="0", head="3")
    assert sentence("en", "circuits.no_role") in inside(app, "figure_head")
    run = translate(load(Entry(SAMPLES / "de-en")), Entry(SAMPLES / "de-en").card["examples"][0])
    assert drawn["head_weights"].values == pytest.approx(run.trace.weights("encoder")[0, 3])
    links = [link.proto for link in app.main.get("page_link") if link.proto.page == "intervene"]
    assert any("off%3Aencoder.0.3" in link.query_string for link in links)


@pytest.mark.parametrize("way", ablation.WAYS)
def test_the_averages_are_those_that_were_recorded(way: str) -> None:
    rows = table(visit("circuits", "zh", show="averages", way=way), "ablations")
    recording = json.loads((SAMPLES / "de-en" / "ablations.json").read_text(encoding="utf-8"))[way]
    effects = rows.set_index("part")["effect"].to_dict()
    assert effects == pytest.approx({part: values[0] for part, values in recording.items()})
    assert list(rows["effect"]) == sorted(rows["effect"])
    assert (rows["low"] <= rows["effect"]).all()


def test_two_heads_at_once_beside_each_alone(drawn: dict[str, Matrix]) -> None:
    visit("circuits", show="averages")
    recording = json.loads((SAMPLES / "de-en" / "ablations.json").read_text(encoding="utf-8"))
    heads = list(dict.fromkeys(name for pair in recording["pairs"] for name in pair.split("+")))
    values = drawn["pairs"].values
    assert values.shape == (5, 5)
    assert values.diagonal() == pytest.approx([recording["zero"][head][0] for head in heads])
    pair, effect = next(iter(recording["pairs"].items()))
    a, b = pair.split("+")
    beyond = effect[0] - recording["zero"][a][0] - recording["zero"][b][0]
    assert values[heads.index(a), heads.index(b)] == pytest.approx(beyond)
    assert values == pytest.approx(values.T)


def test_what_carries_the_answer_is_what_was_recorded(drawn: dict[str, Matrix]) -> None:
    app = visit("circuits", show="patching")
    recording = json.loads((SAMPLES / "de-en" / "ablations.json").read_text(encoding="utf-8"))["patching"]
    rows = table(app, "patching")
    parts = {name: values for name, values in recording.items() if name.split(".")[2] not in ROWS}
    assert sorted(rows["effect"]) == pytest.approx(sorted(values[0] for values in parts.values()))
    assert list(rows["effect"]) == sorted(rows["effect"], reverse=True)
    for side, roles in (("encoder", ("changed", "others")), ("decoder", ("writing", "others"))):
        on_screen = drawn[f"stream_{side}"].values
        expected = [[recording[f"{side}.{at}.{role}"][0] for role in roles] for at in ("input", 0, 1, 2)]
        assert on_screen == pytest.approx(np.array(expected))


def test_without_a_record_the_page_measures_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "induction", tmp_path / "induction")
    entry = Entry(tmp_path / "induction")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    checkpoint = load(entry)
    runs = [translate(checkpoint, text) for text in cached_measurements.readable(entry)]
    effects = ablation.ablated(checkpoint, runs, "zero", ablation.singles(checkpoint.model.config))
    count, shares = patching_effects.patched(checkpoint, runs)
    assert count
    for spoiled in (None, "{", '{"sentences": 3}', '{"sentences": 2, "zero": 1, "mean": {}, "resample": {}}'):
        file = entry.folder / ablations.MEASUREMENT.file
        file.unlink(missing_ok=True)
        if spoiled is not None:
            file.write_text(spoiled, encoding="utf-8")
        app = visit("circuits", checkpoint="induction", show="averages")
        expected = sorted(effect.mean for effect in effects.values())
        assert sorted(table(app, "ablations")["effect"]) == pytest.approx(expected, abs=1e-4)
        assert "model ablation induction --save" in app.code[0].value
        expected = sorted(share.mean for name, share in shares.items() if name.split(".")[2] not in ROWS)
        app = visit("circuits", checkpoint="induction", show="patching")
        assert sorted(table(app, "patching")["effect"]) == pytest.approx(expected, abs=1e-4)


def test_the_measurement_can_be_cancelled_and_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.zlib, "crc32", lambda text: 7)
    app = visit("circuits", checkpoint="sort")
    app.session_state["_view"].kept["circuits"] = {"stopped": "7"}
    app.run()
    assert sentence("en", "progress.stopped") in inside(app, "figure_roles")
    app.button(key="go_on_7").click().run()
    assert sentence("en", "progress.stopped") not in inside(app, "figure_roles")


@pytest.mark.sample(2)
@pytest.mark.parametrize("checkpoint", ["gpt-char", "mini-encoder", "untrained-t5", "untrained-bert", "reverse"])
def test_every_kind_of_model(checkpoint: str) -> None:
    for show in ("roles", "averages"):
        assert said(visit("circuits", "zh", checkpoint=checkpoint, show=show)) == []


@pytest.mark.parametrize(("language", "model"), [("en", "de-en"), ("zh", "zh-en")])
def test_the_heads_that_align_are_those_of_a_model_of_the_user_s_language(language: str, model: str) -> None:
    app = click(visit("circuits", language, checkpoint="induction"), "try_1")
    assert app.selectbox(key="checkpoint").value == model
    assert app.query_params["role"] == "alignment"
    assert said(app) == []


# how heads align words, and what can be removed


@pytest.mark.parametrize(("language", "model", "finding"), [("en", "de-en", "reversed"), ("zh", "zh-en", "agreeing")])
def test_alignment_is_what_was_recorded_beside_random_weights(language: str, model: str, finding: str) -> None:
    app = visit("circuits", language, checkpoint=model, show="alignment")
    assert said(app) == []
    recording = json.loads((SAMPLES / model / "alignment.json").read_text(encoding="utf-8"))
    rows = table(app, "alignment")
    for row in ("written", "read"):
        rates = rows[rows["row"] == row].set_index("head")["aer"].to_dict()
        assert rates == pytest.approx({head: values[0] for head, values in recording[row].items()})
    assert rows[rows["head"] == "diagonal"]["aer"].item() == recording["diagonal"][0]
    random = rows[rows["row"] == "random"].set_index("head")["aer"]
    assert random["written"] == recording["random"]["written"]["mean"][0]
    texts = inside(app, "figure_alignment")
    best, low, high = min(rate for head, rate in recording["written"].items() if not head.endswith(".mean"))
    numbers = [f"{value:.2f}" for value in (best, low, high, recording["random"]["written"]["best"])]
    assert any(all(number in text for number in numbers) for text in texts)
    assert sentence(language, f"circuits.alignment_{finding}") in texts
    captions = [caption.value for caption in app.caption]
    assert any(f"{recording['sure']:,}" in text or str(recording["sure"]) in text for text in captions)
    assert any("Chen" in text and "2020" in text for text in captions)


@pytest.mark.parametrize(("language", "model"), [("zh", "de-en"), ("en", "zh-en")])
def test_removal_is_what_was_recorded_without_retraining(language: str, model: str) -> None:
    app = visit("circuits", language, checkpoint=model, show="removal")
    assert said(app) == []
    recording = json.loads((SAMPLES / model / "removal.json").read_text(encoding="utf-8"))
    rows = table(app, "removal")
    curve = rows[rows["order"] == "score"]
    assert list(curve["score"]) == pytest.approx([values[0] for values in recording["score"].values()])
    texts = inside(app, "figure_removal")
    for values in (recording["score"]["18"], recording["random"]["18"], *recording["kinds"].values()):
        assert any(f"{values[0]:.1f}" in text for text in texts)
    assert any("Voita" in caption.value and "Michel" in caption.value for caption in app.caption)


def test_a_model_without_a_record_says_which_command_makes_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    for show in ("alignment", "removal"):
        for spoiled in ("{", '{"seed": 0}', None):
            file = tmp_path / "de-en" / f"{show}.json"
            file.unlink(missing_ok=True)
            if spoiled is not None:
                file.write_text(spoiled, encoding="utf-8")
            app = visit("circuits", checkpoint="de-en", show=show)
            assert said(app) == []
            assert app.code[0].value == f".venv/bin/python -m model {show} de-en --save"


@pytest.mark.parametrize("checkpoint", ["copy-8", "induction", "mini-encoder", "untrained-t5"])
def test_models_that_have_no_gold_or_nothing_to_lose(checkpoint: str) -> None:
    app = visit("circuits", checkpoint=checkpoint, show="alignment")
    assert said(app) == []
    assert any("Gold links come" in text for text in inside(app, "figure_alignment"))
    assert said(visit("circuits", "zh", checkpoint=checkpoint, show="removal")) == []


def test_a_role_stands_beside_what_random_weights_score() -> None:
    """Nearly even weights look alike with and without words, so a random model scores high for position alone."""
    checkpoint = load(Entry(SAMPLES / "de-en"))
    runs = [translate(checkpoint, text) for text in cached_measurements.readable(Entry(SAMPLES / "de-en"))]
    twin = head_roles.twin(checkpoint)
    scores = head_roles.summed([head_roles.of_twin(checkpoint, twin, run) for run in runs])
    for role in ("alignment", "position"):
        means = np.concatenate([each[role].mean.ravel() for each in scores.values() if role in each])
        app = visit("circuits", checkpoint="de-en", role=role)
        mean, most = f"{means.mean():.2f}", f"{means.max():.2f}"
        expected = sentence("en", "circuits.random_none", mean=mean, most=most, count=len(means), seed=0)
        assert expected in inside(app, "figure_roles")
