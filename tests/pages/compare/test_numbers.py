"""The numbers of a comparison against passes made here."""

import re
from decimal import Decimal

import numpy as np
import pytest
import torch

from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate
from model.edit import edited_pass, edits
from model.tokenization.tokenizer import BOS
from model.trace import path
from pages.compare import probabilities
from tests.app import said, sentence
from tests.pages.compare.page import body, opened, own_ids, texts
from tests.samples import KINO, german_english
from viz.data import Matrix
from viz.figures.attention import AttentionFigure

pytestmark = pytest.mark.usefixtures("warm")


def begun():
    """The sample model as it was before training: the random weights of its seed."""
    own = german_english()
    return checkpoints.Checkpoint("begun", checkpoints.random_model(own.model.config, 0), own.tokenizer, trained=False)


def log_p(checkpoint, source, ids) -> np.ndarray:
    """Of each word, after those before it."""
    read = torch.tensor([source])
    with torch.inference_mode():
        logits = checkpoint.model(read, torch.tensor([[BOS, *ids[:-1]]]), read != 0)[0].double()
    return logits.log_softmax(-1)[torch.arange(len(ids)), torch.tensor(ids)].numpy()


def test_words_are_those_of_a_under_both(charted: dict) -> None:
    app = opened(show="words")
    ids, source = own_ids(), translate(german_english(), KINO).source
    expected = [log_p(checkpoint, source, ids) for checkpoint in (german_english(), begun())]
    names = ("A · de-en", f"B · de-en · {sentence('en', 'compare.start')}")
    table = charted["compare-words"]
    for name, values in zip(names, expected, strict=True):
        np.testing.assert_allclose([row[name] for row in table], values, atol=1e-4)
    np.testing.assert_allclose([row["difference"] for row in table], expected[1] - expected[0], atol=1e-4)
    lines = body(app, 'class="gf-plain"').split("<tr>")[2:]
    output = [re.findall(r"<td>(.*?)</td>", line) for line in lines]
    for row, total in zip(output[:2], (np.mean, np.sum), strict=True):
        assert row[:2] == [f"{number:.3f}".replace("-", "−") for number in map(total, expected)]
        first, second, apart = (Decimal(number.replace("−", "-")) for number in row)
        assert second - first == apart
    assert [float(number.replace(",", "")) for number in output[2][:2]] == pytest.approx(
        [np.exp(-values.mean()) for values in expected], rel=5e-4
    )
    most = int(np.abs(expected[1] - expected[0]).argmax())
    assert any(german_english().tokenizer.tokens(ids)[most] in text for text in texts(app)[-1:])


def test_a_change_is_made_in_b_alone(walls: list[AttentionFigure], charted: dict) -> None:
    text = "uniform:cross.1.0"
    app = opened(other="de-en", other_changes=text)
    assert said(app) == []
    a, b = walls
    run = translate(german_english(), KINO)
    np.testing.assert_array_equal(a.panels["cross"].weights, run.trace.weights("cross"))
    weights_of_b = b.panels["cross"].weights[1, 0]
    np.testing.assert_allclose(weights_of_b, 1 / weights_of_b.shape[-1], atol=1e-6)
    model = german_english().model
    tap = edited_pass.compose(model, edits.replace_weights(path("cross", 1), "uniform", head=0))
    source = torch.tensor([run.source])
    with torch.inference_mode():
        logits = model(source, torch.tensor([run.target]), source != 0, tap)[0].double()
    expected = logits.log_softmax(-1)[torch.arange(len(run.target)), torch.tensor(own_ids())]
    opened(other="de-en", other_changes=text, show="words")
    name = f"B · de-en · {sentence('en', 'compare.with_changes')}"
    np.testing.assert_allclose([row[name] for row in charted["compare-words"]], expected, atol=1e-4)


def test_each_head_is_matched_by_where_it_looks(drawn: dict[str, Matrix], walls: list[AttentionFigure]) -> None:
    app = opened(show="heads", attention_kind="encoder", layer="1", head="2")
    weights = [
        translate(checkpoint, KINO).trace.weights("encoder").reshape(12, 8, 8).astype(float)
        for checkpoint in (german_english(), begun())
    ]

    def entropy(rows: np.ndarray) -> np.ndarray:
        return -(rows * np.log2(np.where(rows > 0, rows, 1))).sum(-1)

    a, b = weights[0][:, None], weights[1][None]
    expected = 1 - (entropy((a + b) / 2) - (entropy(a) + entropy(b)) / 2).mean(-1)
    np.testing.assert_allclose(drawn["alike_encoder"].values, expected, atol=1e-5)
    assert any(f"{expected.max(1).mean():.3f}" in text for text in texts(app))
    opened(attention_kind="encoder", layer="1", head="2")
    best = divmod(int(expected[6].argmax()), 4)
    assert (walls[1].look.layer, walls[1].look.head) == best
    first, second = (one.look.link.heads["encoder"] for one in walls)
    assert tuple(first[1][2]) == best
    assert [tuple(head) for row in second for head in row] == [divmod(int(i), 4) for i in expected.argmax(0)]
    assert set(walls[0].look.link.cells) == {"encoder", "decoder", "cross"}


def test_layers_of_a_model_and_itself_are_alike_on_the_diagonal(drawn: dict[str, Matrix]) -> None:
    opened(other="de-en", other_moment="end", show="layers")
    for side in ("encoder", "decoder"):
        values = drawn[f"layers_{side}"].values
        assert values.shape == (4, 4)
        np.testing.assert_allclose(np.diag(values), 1, atol=1e-6)
        assert values.min() < 0.97


def test_configs_mark_what_differs() -> None:
    app = opened(checkpoint="de-en", other="notebook-c", show="config")
    table = body(app, "<table>")
    lines = re.findall(r'<tr( class="gf-differs")?><th scope="row">(?:<b.*?</span>)?<code>(\w+)</code>', table)
    tokens = {name for mark, name in lines if mark}
    one, other = (vars(catalogue.entries()[name].config) for name in ("de-en", "notebook-c"))
    differing = {key for key in one if one[key] != other[key]}
    assert differing <= tokens
    assert not (set(one) - differing) & tokens
    assert table.count("≠") == len(tokens)
    app.toggle(key="only").set_value(True).run()
    assert set(re.findall(r"<code>(\w+)</code>", body(app, "<table>"))) == tokens


def test_numbers_that_are_printed_add_up_however_small() -> None:
    assert probabilities._printed(-0.1114, -8.2966) == ["−0.111", "−8.297", "−8.186"]
    assert probabilities._printed(-0.00042, -1.5) == ["−0.00042", "−1.50000", "−1.49958"]
    assert probabilities._printed(-1e-9, 0.0) == ["0.000000"] * 3


def test_the_comparison_in_view_is_marked_among_those_that_are_ready() -> None:
    def marked(**address: str) -> list[str]:
        app = opened(**address)
        ready = [button for button in app.button if button.key.startswith("ready_")]
        return [button.key for button in ready if button.proto.type == "primary"]

    assert marked() == ["ready_training"]
    assert marked(other_moment="end") == []
    assert marked(moment="0") == []
    assert marked(other_changes="off:cross.*.*") == ["ready_change"]
    assert marked(checkpoint="reverse", other="reverse") == ["ready_training"]


def test_a_model_before_training_has_made_no_steps() -> None:
    app = opened(show="config")
    steps = re.search(r'<tr class="gf-differs"><th scope="row">.*?<code>(.*?)</code>.*?</tr>', body(app, "<table>"))
    assert steps
    assert steps[1] == "steps"
    assert re.findall(r"<td>(.*?)</td>", steps[0]) == [
        f"{catalogue.entries()['de-en'].card['training']['steps']:,}",
        "0",
    ]
