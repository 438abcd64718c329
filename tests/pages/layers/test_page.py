"""The page about layers: what stands on it, recomputed from the model by other means."""

import json
import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch import nn

from model import presets
from model.checkpoint import catalogue, checkpoints
from model.checkpoint.catalogue import Entry, load_tokenizer
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.edit.residual_ablation import DEPTHS, by_depth
from model.tokenization.tokenizer import UNK
from model.transformer import Residual
from pages.layers import context
from tests.app import controls, inside, said, sentence, visit
from tests.samples import KINO, SAMPLES, german_english, in_turn
from viz.charts.layers.logit_lens_charts import Candidate

pytestmark = pytest.mark.usefixtures("warm")

VIEWS = ("stream", "residual", "norm", "feed_forward", "early", "context")


def opened(language: str = "en", **address: str) -> AppTest:
    return visit("layers", language, **address)


def preset(name: str) -> Checkpoint:
    return checkpoints.untrained(presets.find(name), 0, load_tokenizer(Entry(SAMPLES / "de-en")))


def values(checkpoint: Checkpoint) -> dict[str, np.ndarray]:
    return translate(checkpoint, KINO).trace.values


def figures(app: AppTest) -> list[dict[str, Any]]:
    """The specs of the charts; Streamlit sends the data of an unlayered one beside it."""
    result = []
    for element in app.get("vega_lite_chart"):
        beside = [
            row
            for table in element.proto.datasets
            for row in pa.ipc.open_stream(table.data.data).read_all().to_pylist()
        ]
        result.append({"beside": {"values": beside}} | json.loads(element.proto.spec))
    return result


def rows(node: Any) -> list[dict[str, Any]]:
    """Every line of data anywhere in a figure."""
    if isinstance(node, list):
        return [row for part in node for row in rows(part)]
    if not isinstance(node, dict):
        return []
    own = node.get("values", [])
    own = json.loads(own) if isinstance(own, str) else own if isinstance(own, list) else []
    own = [row for row in own if isinstance(row, dict)]
    return own + [row for key, part in node.items() if key != "values" for row in rows(part)]


def texts(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in [*app.text, *app.caption])


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.?\d*(?:e[−+]?\d+)?", text)]


# what is there


@in_turn("view", VIEWS)
def test_each_view_has_its_figures_and_words(view: str, language: str) -> None:
    app = opened(language, show=view)
    assert [title.value for title in app.title] == [sentence(language, "layers.question")]
    assert said(app) == []
    headers = {
        "stream": ["layers_stream.lengths", "layers_stream.writes", "layers_stream.sum"],
        "residual": ["layers_residual.stack", "layers_residual.removed"],
        "norm": ["layers_norm.parts", "layers_norm.batch"],
        "feed_forward": ["layers_units.title", "layers_units.excites", "layers_units.silent_relu"],
        "early": ["layers_early.candidates", "layers_early.ranks", "layers_early.steps", "layers_lens.scores"],
        "context": ["layers_context.title"],
    }[view]
    assert [header.value for header in app.main.header] == [sentence(language, key) for key in headers]
    counts = {"stream": 4, "residual": 3, "norm": 2, "feed_forward": 1, "early": 4, "context": 1}
    assert len(figures(app)) == counts[view]
    assert all(figure["description"] for figure in figures(app))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["mini-encoder", "bert", "gpt", "textbook"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_system_shows_what_it_has(name: str, view: str) -> None:
    config = presets.find(name).config
    app = opened(checkpoint=f"untrained-{name}", show=view)
    assert said(app) == []
    if view == "early" and name == "mini-encoder":
        assert sentence("en", "layers_early.missing") in inside(app, "main") + [text.value for text in app.text]
        assert not figures(app)
        return
    assert figures(app)
    assert ("side" in controls(app)) == (view not in ("early", "context") and config.architecture == "encoder-decoder")
    if view == "stream":
        key = "layers_stream.lengths_" + config.norm
        assert sentence("en", key, d=config.d_model) in texts(app)
    if view == "feed_forward":
        assert sentence("en", f"layers_units.silent_{config.activation}") in [
            header.value for header in app.main.header
        ]


@in_turn(
    ("key", "value", "view"),
    [("show", "everything", ""), ("side", "left", "stream"), ("token", "99", "stream"), ("step", "x", "early"),
     ("sublayer", "9.feed_forward", "stream"), ("stack_norm", "batch", "residual"),
     ("norm", "input", "norm"), ("depth", "7", "feed_forward")],
)  # fmt: skip
def test_a_link_that_asks_in_vain_is_told(key: str, value: str, view: str, language: str) -> None:
    app = opened(language, **({"show": view} if view else {}), **{key: value})
    assert len(said(app)) == 1
    assert value in said(app)[0]
    assert figures(app)


def test_a_choice_stands_in_the_address() -> None:
    app = opened()
    controls(app)["side"].set_value("encoder").run()
    controls(app)["token"].set_value(4).run()
    assert not app.exception
    settings = {key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()}
    assert (settings["side"], settings["token"]) == ("encoder", "4")
    lengths = np.linalg.norm(values(german_english())["encoder.input"], axis=-1)
    on_screen = next(row for row in rows(figures(app)[0]) if row.get("position") == 4)
    assert on_screen["length"] == pytest.approx(lengths[4], rel=1e-4)


def test_a_step_to_try_sets_the_page_up() -> None:
    app = opened()
    app.button(key="try_0").click().run()
    assert not app.exception
    assert controls(app)["show"].value == "early"
    assert app.toggle(key="every").value
    app.button(key="try_1").click().run()
    assert not app.exception
    assert controls(app)["show"].value == "residual"


# what it shows is true


@pytest.mark.parametrize(("checkpoint", "norm"), [("de-en", "pre"), ("untrained-paper", "post")])
def test_the_stream_on_screen_is_the_model_s(checkpoint: str, norm: str) -> None:
    """Hooks on the model's own modules, not the trace, say how long the stream is."""
    model = german_english() if checkpoint == "de-en" else preset("paper")
    app = opened(checkpoint=checkpoint, side="encoder", token="2", sublayer="1.feed_forward")
    recording: dict[str, np.ndarray] = {}
    handles = [
        layer.register_forward_hook(lambda _m, _i, out, n=n: recording.update({f"{n} FFN": out[0].detach().numpy()}))
        for n, layer in enumerate(model.model.encoder)
    ]
    handles.append(
        model.model.encoder[1].feed_forward.register_forward_hook(
            lambda _m, _i, out: recording.update(output=out[0].detach().numpy())
        )
    )
    values(model)
    for handle in handles:
        handle.remove()
    stream = {row["place"]: row["length"] for row in rows(figures(app)[0]) if row.get("position") == 2}
    for n in range(len(model.model.encoder)):
        assert stream[f"{n} FFN"] == pytest.approx(np.linalg.norm(recording[f"{n} FFN"][2]), rel=1e-4)
    lengths = {row["place"]: row["length"] for row in rows(figures(app)[1])}
    assert lengths["1 FFN"] == pytest.approx(np.linalg.norm(recording["output"][2]), rel=1e-4)
    line = next(text.value for text in app.text if text.value.startswith("Dimension"))
    dimension, before, output, total = numbers(line)
    assert output == pytest.approx(recording["output"][2][int(dimension)], rel=1e-3)
    assert before + output == pytest.approx(total, abs=0.01)
    if norm == "pre":
        assert total == pytest.approx(recording["1 FFN"][2][int(dimension)], rel=1e-3)
    else:
        assert sentence("en", "layers_stream.sum_post") in texts(app)
        after = numbers(next(c.value for c in app.caption if c.value.startswith("LayerNorm of the whole")))[1]
        assert after == pytest.approx(recording["1 FFN"][2][int(dimension)], rel=1e-3)


def test_cosines_on_screen() -> None:
    recording = values(german_english())
    app = opened(side="decoder", token="3")
    on_screen = {row["place"]: row["cosine"] for row in rows(figures(app)[2]) if "cosine" in row}
    a, b = recording["decoder.1.cross_attention.output"][3], recording["decoder.1.self_attention.residual"][3]
    assert on_screen["1 cross-attn"] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), rel=1e-3)


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_the_stacks_on_screen(norm: str) -> None:
    app = opened(show="residual", stack_norm=norm)
    assert controls(app)["stack_norm"].value == norm
    result = {residual: by_depth(norm, residual=residual) for residual in (True, False)}  # type: ignore[arg-type]
    names = {True: sentence("en", "layers_residual.with"), False: sentence("en", "layers_residual.without")}
    for residual, name in names.items():
        for figure, target in zip(figures(app), (result[residual].alike, result[residual].gradient), strict=False):
            on_screen = {row["place"]: row["value"] for row in rows(figure) if row["kind"] == name}
            assert list(on_screen) == [str(depth) for depth in DEPTHS]
            assert list(on_screen.values()) == pytest.approx(np.maximum(target, 1e-15), rel=1e-4)
    said_ = next(text.value for text in app.text if text.value.startswith("Without residual"))
    assert f"{result[False].alike[2]:.3f}" in said_
    assert f"{result[True].alike[-1]:.3f}" in said_
    assert "10⁻¹⁵ or less" in said_
    assert sentence("en", f"layers_residual.about_{norm}") in texts(app)


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_the_model_in_use_without_residual_connections(side: str) -> None:
    """The words that it writes, and its vectors: from the model's own modules, their residual classes replaced."""
    app = opened(show="residual", side=side)
    checkpoint = german_english()
    run = translate(checkpoint, KINO)

    def bare(self: Residual, x: torch.Tensor, sublayer: Callable) -> torch.Tensor:
        return sublayer(self.norm(x))  # this model is pre-norm

    with patch.object(Residual, "forward", bare):
        output = translate(checkpoint, KINO)
        with torch.inference_mode():
            source = torch.tensor([run.source])
            values: dict[str, np.ndarray] = {}
            checkpoint.model(source, torch.tensor([run.target]), source != 0, kept_by(values))
    bodies = [element.proto.body for element in app.main if element.type == "html"]
    [outputs] = [body for body in bodies if "gf-outputs" in body]
    _, healthy, without = outputs.split("<section>")
    ids = checkpoint.tokenizer.tokens([*output.target[1:], int(output.trace.values["logits"][-1].argmax())])
    assert re.findall(r"<(?:ins|span)[^>]*>(.*?)</", without) == list(ids)
    assert "cinema" in healthy
    assert sentence("en", "layers_residual.repeats") in without
    name = sentence("en", "layers_residual.without")
    on_screen = {row["place"]: row["value"] for row in rows(figures(app)[2]) if row["kind"] == name}
    for layer in range(3):
        x = values[f"{side}.{layer}.feed_forward.residual"].astype(float)
        x /= np.linalg.norm(x, axis=-1, keepdims=True)
        mean = ((x @ x.T).sum() - len(x)) / (len(x) * (len(x) - 1))
        assert on_screen[f"{layer} FFN"] == pytest.approx(mean, abs=1e-4)


def kept_by(kept: dict[str, np.ndarray]) -> Callable[[str, torch.Tensor], torch.Tensor]:
    def tap(name: str, value: torch.Tensor) -> torch.Tensor:
        kept[name] = value[0].numpy().copy()
        return value

    return tap


def test_the_layer_norm_on_screen_is_torch_s() -> None:
    model = german_english().model
    app = opened(show="norm", side="encoder", token="3", norm="final")
    x = torch.from_numpy(values(german_english())["encoder.2.feed_forward.residual"][3])
    on_screen = sorted((row for row in rows(figures(app)[0]) if "result" in row), key=lambda row: row["dimension"])
    np.testing.assert_allclose([row["x"] for row in on_screen], x, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose([row["result"] for row in on_screen], model.encoder_norm(x), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(
        [row["normalised"] for row in on_screen], nn.functional.layer_norm(x, (144,)), rtol=1e-3, atol=1e-3
    )
    line = next(text.value for text in app.text if text.value.startswith("μ"))
    for value in (x.mean(), x.std(unbiased=False), x.std()):
        assert f"{float(value):.4g}".replace("-", "−") in line
    assert f"{(143 / 144) ** 0.5:.5f}" in texts(app)
    dimension, entry, mean, scale, normalised, _, _, gain, bias, result = numbers(
        next(text.value for text in app.text if text.value.startswith("Dimension"))
    )
    assert (entry - mean) / scale == pytest.approx(normalised, rel=5e-3)
    assert normalised * gain + bias == pytest.approx(result, rel=5e-3)
    assert result == pytest.approx(float(model.encoder_norm(x)[int(dimension)]), rel=1e-3)


def test_only_batch_norm_changes_with_the_neighbours() -> None:
    app = opened(show="norm", side="encoder", token="3", batch="5")
    x = torch.from_numpy(values(german_english())["encoder.input"])
    on_screen = [row for row in rows(figures(app)[1]) if "kind" in row]
    layer, batch = ([row for row in on_screen if row["kind"] == kind] for kind in ("LayerNorm", "BatchNorm"))
    norm = nn.BatchNorm1d(144, affine=False).train()
    rows_of_batch = [0, 1, 2, 3, 4]
    np.testing.assert_allclose([row["all"] for row in batch], norm(x)[3], atol=1e-3)
    np.testing.assert_allclose([row["fewer"] for row in batch], norm(x[rows_of_batch])[3], atol=1e-3)
    assert all(row["all"] == row["fewer"] for row in layer)
    change = (norm(x)[3] - norm(x[rows_of_batch])[3]).abs().max()
    line = next(text.value for text in app.text if text.value.startswith("Largest change"))
    assert numbers(line) == [0, pytest.approx(float(change), rel=1e-3)]


def test_the_units_on_screen_are_the_model_s() -> None:
    app = opened(show="feed_forward", side="decoder", token="5", depth="1")
    hidden = values(german_english())["decoder.1.feed_forward.hidden"][5]
    on_screen = {row["unit"]: row["activation"] for row in rows(figures(app)[0])}
    assert set(on_screen) == set(np.flatnonzero(hidden))
    for unit, activation in on_screen.items():
        assert activation == pytest.approx(hidden[unit], rel=1e-4)
    assert int(hidden.argmax()) in on_screen


@pytest.mark.parametrize("name", ["de-en", "untrained-gpt", "untrained-bert"])
def test_early_predictions_on_screen(name: str) -> None:
    """Each row is the sorted output of the model's ending; the last one is the model's own prediction."""
    checkpoint = german_english() if name == "de-en" else preset(name.removeprefix("untrained-"))
    model, side = checkpoint.model, "encoder" if name == "untrained-bert" else "decoder"
    trace = translate(checkpoint, KINO).trace
    app = opened(checkpoint=name, show="early", step="2")
    on_screen = [row for row in rows(figures(app)[0]) if "word" in row]
    layers = len(getattr(model, side))
    streams = {"input": trace.values[f"{side}.input"]}
    streams |= {f"layer {n}": trace.values[f"{side}.{n}.feed_forward.residual"] for n in range(layers)}
    before: list[int] = []
    for place, x in streams.items():
        with torch.inference_mode():
            logits = model.output(getattr(model, f"{side}_norm")(torch.from_numpy(x[2])))
        order = logits.argsort(descending=True).tolist()
        mine = sorted((row for row in on_screen if row["place"] == place), key=lambda row: row["rank"])
        assert [row["id"] for row in mine] == order[:5]
        assert [row["word"] for row in mine] == list(checkpoint.tokenizer.tokens(order[:5]))
        expected = logits.softmax(-1)[order[:5]].tolist()
        assert [row["probability"] for row in mine] == pytest.approx(expected, rel=1e-3, abs=1e-6)
        assert [row["before"] for row in mine] == [before.index(id_) + 1 if before else 0 for id_ in order[:5]]
        before = order
    assert mine[0]["word"] == trace.output_tokens[2]
    assert before[0] == int(trace.values["logits"][2].argmax())


def test_every_step_has_its_row_of_ranks() -> None:
    trace = translate(german_english(), KINO).trace
    app = opened(show="early")
    on_screen = [row for row in rows(figures(app)[2]) if "step" in row]
    assert {row["step"] for row in on_screen} == {f"{t} · {token}" for t, token in enumerate(trace.output_tokens)}
    assert all(row["rank"] == 1 for row in on_screen if row["place"] == "layer 2")
    assert any(row["rank"] > 100 for row in on_screen if row["place"] == "input")


def test_moves_are_written_with_arrows() -> None:
    moves = [Candidate(7, "x", rank, before, 0.5).move for rank, before in ((1, 0), (1, 4), (5, 3), (2, 2))]
    assert moves == ["", "▲3", "▼2", "="]


# one token in two sentences


def test_a_token_starts_the_same_and_parts_with_its_context() -> None:
    first, second = "Die Uhr ist neu.", "Es ist drei Uhr."
    app = opened(show="context", context_a=first, context_b=second)
    both = [translate(german_english(), text).trace for text in (first, second)]
    places = [trace.source_tokens.index("Uhr") for trace in both]
    names = ["encoder.embedding", "encoder.input", *(f"encoder.{n}.feed_forward.residual" for n in range(3))]
    pairs = [
        [trace.values[name][place] for trace, place in zip(both, places, strict=True)]
        for name in (*names, "encoder.output")
    ]
    expected = [float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)) for a, b in pairs]
    cosines = [row["value"] for row in rows(figures(app)) if row["kind"] == "“Uhr”"]
    assert cosines == pytest.approx(expected, abs=1e-4)
    assert cosines[0] == 1
    assert cosines[1] < 1  # another position
    assert max(cosines[2:]) < cosines[1]
    assert sentence("en", "layers_context.other_place", token="Uhr", place=2, other=4, cosine=f"{expected[1]:.3f}") in (
        texts(app)
    )


@pytest.mark.parametrize("language", context.PAIRS)
def test_the_two_sentences_of_a_language_share_the_token_that_is_chosen(language: str) -> None:
    tokenizer = load_tokenizer(catalogue.find(catalogue.FIRST_FOR.get(language, catalogue.FIRST)))
    first, second = map(tokenizer.encode, context.PAIRS[language])
    assert UNK not in {*first, *second}
    chosen = context.CHOSEN.get(language, "Uhr")
    assert chosen in tokenizer.tokens(sorted({*first} & {*second}))


@in_turn("sentences", [("Ja!", "Der Mann liest."), ("", "a\0b")])
def test_sentences_without_a_common_token_or_that_cannot_be_read_say_so(
    sentences: tuple[str, str], language: str
) -> None:
    app = opened(language, show="context", context_a=sentences[0], context_b=sentences[1])
    assert not figures(app)
    assert sentence(language, "layers_context.nothing") in texts(app) or said(app)
