"""The lenses on the page: what stands there, recomputed with shorter encoders and from the stored tensors."""

import copy
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from streamlit.testing.v1 import AppTest
from torch import Tensor, nn

from model.decode.translate import translate
from tests.app import controls, said, sentence, visit
from tests.pages.layers.test_page import figures, opened, rows, texts
from tests.samples import BUCH, KINO, SAMPLES, german_english, in_turn, tiny_checkpoint

pytestmark = pytest.mark.usefixtures("warm")

SCORES = json.loads((SAMPLES / "de-en" / "lenses.json").read_text(encoding="utf-8"))
LENSES = ("logit", "tuned", "jacobian", "decoder", "source")


def stored(name: str) -> Tensor:
    """A matrix as the file has it: whole numbers and a scale for each row."""
    tensors = load_file(SAMPLES / "de-en" / "lenses.safetensors")
    return tensors[f"{name}/matrix"].float() * tensors[f"{name}/scale"]


def headers(app: AppTest) -> list[str]:
    return [header.value for header in app.main.header]


@in_turn("lens", LENSES)
def test_each_lens_has_its_figures_and_its_scores(lens: str, language: str) -> None:
    app = opened(language, show="early", lens=lens)
    assert said(app) == []
    expected = {
        "decoder": ["layers_lens.decoder_title", "layers_lens.decoder_scores"],
        "source": ["layers_lens.source_title", "layers_lens.source_scores"],
    }.get(lens, ["layers_early.candidates", "layers_early.ranks", "layers_early.steps", "layers_lens.scores"])
    assert headers(app) == [sentence(language, key) for key in expected]
    assert len(figures(app)) == {"decoder": 1, "source": 2}.get(lens, 4)
    assert all(figure["description"] for figure in figures(app))
    assert ("step" in controls(app)) == (lens not in ("decoder", "source"))
    assert [toggle.key for toggle in app.toggle] == (["every"] if lens == "logit" else [])


def test_the_decoder_lens_writes_what_a_shorter_encoder_makes_it_write() -> None:
    app, checkpoint = opened(show="early", lens="decoder", sentence=BUCH), german_english()
    [outputs] = [
        element.proto.body for element in app.main if element.type == "html" and "gf-outputs" in element.proto.body
    ]
    columns = outputs.split("<section>")[1:]
    assert len(columns) == 4
    for layers, column in enumerate(columns):
        short = copy.deepcopy(checkpoint.model)
        short.encoder = nn.ModuleList(list(short.encoder)[:layers])
        with torch.inference_mode():
            memory, ids = short.encode(torch.tensor([translate(checkpoint, BUCH).source])), [1]
            while ids[-1] != 2:
                ids.append(int(short.decode(torch.tensor([ids]), memory, None)[0, -1].argmax()))
        written = re.findall(r"<(?:ins|span)[^>]*>(.*?)</", column)
        assert [token.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'") for token in written] == list(
            checkpoint.tokenizer.tokens(ids[1:])
        )
    assert "<ins" in columns[0]
    assert "<ins" not in columns[3]
    assert "layer 2: 5" in texts(app)


@pytest.mark.parametrize("lens", ["tuned", "jacobian"])
def test_a_fitted_lens_reads_through_its_stored_matrix(lens: str) -> None:
    app, checkpoint = opened(show="early", lens=lens, step="1"), german_english()
    trace, model = translate(checkpoint, KINO).trace, checkpoint.model
    tensors = load_file(SAMPLES / "de-en" / "lenses.safetensors")
    on_screen = [row for row in rows(figures(app)[0]) if "word" in row]
    streams = {"input": "decoder.input", "layer 0": "decoder.0.feed_forward.residual"}
    for place, name in streams.items():
        at = f"{lens}/{name.removeprefix('decoder.').removesuffix('.residual')}"
        x = torch.from_numpy(trace.values[name][1])
        moved = stored(at) @ x + (x + tensors[f"{at}/bias"] if lens == "tuned" else 0)
        logits = model.output(model.decoder_norm(moved))
        mine = sorted((row for row in on_screen if row["place"] == place), key=lambda row: row["rank"])
        assert [row["id"] for row in mine] == logits.topk(5).indices.tolist()
        expected = logits.softmax(-1).topk(5).values.tolist()
        assert [row["probability"] for row in mine] == pytest.approx(expected, rel=1e-3, abs=1e-6)
    last = [row for row in on_screen if row["place"] == "layer 2" and row["rank"] == 1]
    assert [row["word"] for row in last] == [trace.output_tokens[1]]
    ranks = [row for row in rows(figures(app)[2]) if "step" in row]
    counts = [sum(row["rank"] == 1 for row in ranks if row["place"] == f"layer {layer}") for layer in (0, 1, 2)]
    assert "layer 0: {}, layer 1: {}, layer 2: {}".format(*counts) in texts(app)


def test_source_tokens_are_read_as_words_of_the_output() -> None:
    app, checkpoint = opened(show="early", lens="source"), german_english()
    run, model = translate(checkpoint, KINO), checkpoint.model
    on_screen = [row for row in rows(figures(app)[0]) if "word" in row]
    assert {row["token"] for row in on_screen} == set(run.trace.source_tokens[1:-1])
    for place, name in {"input": "encoder.input", "layer 1": "encoder.1.feed_forward.residual"}.items():
        at = f"source/{name.removeprefix('encoder.').removesuffix('.residual')}"
        moved = torch.from_numpy(run.trace.values[name]) @ stored(at).T
        ids = model.output(model.decoder_norm(moved)).argmax(-1)[1:-1].tolist()
        mine = [row for row in on_screen if row["place"] == place]
        assert [row["word"] for row in mine] == list(checkpoint.tokenizer.tokens(ids))
        assert [row["in_output"] for row in mine] == [id_ in run.target for id_ in ids]
    hits = sum(row["in_output"] for row in on_screen if row["place"] == "layer 2")
    assert sentence("en", "layers_lens.source_there", hits=hits, count=6, place="layer 2") in texts(app)


def test_random_weights_stand_beside_each_claim() -> None:
    app = opened(show="early", lens="tuned")
    mean, low, high = SCORES["agreement"]["tuned"]["1.feed_forward"]
    assert f"{mean:.0%} ({low:.0%} to {high:.0%})" in texts(app)
    twin = SCORES["twin"]["agreement"]["tuned"]
    assert sentence("en", "layers_lens.not_more_than_random", share=f"{twin['1.feed_forward'][0]:.0%}") in texts(app)
    name = sentence("en", "layers_lens.twin", lens=sentence("en", "layers_lens.tuned"))
    on_screen = {row["place"]: row["value"] for row in rows(figures(app)[3]) if row["kind"] == name}
    assert list(on_screen.values()) == [mean for mean, _, _ in twin.values()]
    app = opened(show="early", lens="decoder")
    chrf, random = SCORES["decoder_lens"]["chrf"], SCORES["twin"]["decoder_lens"]["chrf"]["2.feed_forward"][0]
    assert f"{chrf['input'][0]:.1f} ({chrf['input'][1]:.1f} to {chrf['input'][2]:.1f})" in texts(app)
    assert f"with random weights {random:.1f}." in texts(app)
    values = {(row["kind"], row["place"]): row["low"] for row in rows(figures(app)[0])}
    assert values["BLEU", "layer 1"] == SCORES["decoder_lens"]["bleu"]["1.feed_forward"][1]
    app = opened(show="early", lens="source")
    shares = SCORES["source"], SCORES["source_elsewhere"]
    for each in shares:
        assert f"{each['2.feed_forward'][0]:.0%}" in texts(app)


# models without fitted lenses


@in_turn("lens", ["tuned", "jacobian", "source"])
def test_the_command_that_fits_a_lens_is_named(lens: str, language: str) -> None:
    app = opened(language, checkpoint="reverse", show="early", lens=lens)
    assert not figures(app)
    title = sentence(language, f"layers_lens.{lens}")
    assert sentence(language, "layers_lens.not_fitted", lens=title) in texts(app)
    assert [code.value for code in app.code] == [".venv/bin/python -m model lenses reverse --save"]
    app = opened(language, checkpoint="untrained-textbook", show="early", lens=lens)
    assert sentence(language, "layers_lens.untrained", lens=title) in texts(app)
    assert not app.code


def test_the_decoder_lens_needs_no_fitting() -> None:
    app = opened(checkpoint="reverse", show="early", lens="decoder")
    assert any("gf-outputs" in element.proto.body for element in app.main if element.type == "html")
    assert sentence("en", "layers_lens.no_scores") in texts(app)
    assert app.code
    app = opened(checkpoint="untrained-textbook", show="early", lens="decoder")
    assert not app.code


def test_a_model_without_a_recipe_is_fitted_on_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_checkpoint(tmp_path / "mine")
    card = tmp_path / "mine" / "card.json"
    fields: dict[str, Any] = json.loads(card.read_text(encoding="utf-8")) | {"command": "", "examples": ["ja!"]}
    card.write_text(json.dumps(fields), encoding="utf-8")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("layers", checkpoint="mine", show="early", lens="tuned")
    assert [code.value for code in app.code] == [".venv/bin/python -m model lenses mine --pairs FILE.tsv --save"]
    assert sentence("en", "layers_lens.pairs") in texts(app)
    shutil.copy(SAMPLES / "de-en" / "lenses.safetensors", tmp_path / "mine")  # of another model
    assert visit("layers", checkpoint="mine", show="early", lens="tuned").code


def test_each_architecture_has_the_lenses_that_it_can_have() -> None:
    assert controls(opened(checkpoint="untrained-gpt", show="early"))["lens"].options == [
        sentence("en", f"layers_lens.{lens}") for lens in ("logit", "tuned", "jacobian")
    ]
    assert "lens" not in controls(opened(checkpoint="untrained-bert", show="early"))
