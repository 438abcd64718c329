"""Loss figure: the tokens counted, target by target."""

import re
from html import unescape

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import presets
from model.checkpoint import checkpoints
from model.decode.translate import translate
from model.errors import SENTENCES
from model.tokenization.tokenizer import PAD
from tests.app import said, sentence, visit
from tests.pages.masks.page import LONG, THREE, open_page
from tests.samples import KINO, LANGUAGES, german_english
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")


def loss_rows(app: AppTest) -> list[list[tuple[str, str, bool]]]:
    """Text, the small line under it and whether it is hatched, of each cell of the three rows."""
    [table] = [
        e.proto.body for e in app.main if e.type == "html" and sentence("en", "masks_loss.table") in e.proto.body
    ]
    cell = re.compile(r'<td[^>]*?( class="pad")?>(.*?)<small>(.*?)</small></td>')
    return [
        [(unescape(text), unescape(under), bool(pad)) for pad, text, under in cell.findall(row)]
        for row in re.findall(r"<tr>.*?</tr>", table)
    ]


def told(app: AppTest) -> str:
    return next(text.value for text in app.text if text.value.startswith("Counted:"))


def test_the_loss_is_that_of_each_sentence_alone(drawn: dict[str, dict[str, Matrix]]) -> None:
    """Passes without any padding, summed by torch's own cross-entropy."""
    app = open_page("loss", **THREE, row="2")
    checkpoint = german_english()
    alone = []
    for text in (KINO, THREE["sentence_b"], LONG):
        run = translate(checkpoint, text)
        logits = checkpoint.model(
            torch.tensor([run.source]), torch.tensor([run.target]), torch.tensor([run.source]) != 0
        )
        expected = torch.tensor([*run.target[1:], int(logits[0, -1].argmax())])
        alone.append(torch.nn.functional.cross_entropy(logits[0], expected, reduction="none").detach().numpy())
    assert drawn["loss"]["loss"].blank == sentence("en", "masks_loss.ignored")
    on_screen = drawn["loss"]["loss"].values
    assert [int(np.isfinite(row).sum()) for row in on_screen] == [len(row) for row in alone]
    for row, by_hand in zip(on_screen, alone, strict=True):
        np.testing.assert_allclose(row[: len(by_hand)], by_hand, atol=1e-4)
    together = np.concatenate(alone)
    line = told(app)
    assert f"{len(together)} of {on_screen.size} positions" in line
    numbers = [float(number) for number in re.findall(r"\d+\.\d+", line)]
    assert numbers[:2] == pytest.approx([together.sum(), together.mean()], abs=1e-3)
    assert numbers[2] > 10 * numbers[1]  # were padding counted


def test_i_like_you_is_shifted_by_one_and_its_padding_ignored(drawn: dict[str, dict[str, Matrix]]) -> None:
    app = visit("masks")
    app.button(key="try_4").click().run()
    assert not app.exception
    read, targets, losses = loss_rows(app)
    assert [text for text, _, _ in read][:5] == ["<bos>", "I", "like", "you", "<eos>"]
    assert [text for text, _, _ in targets][:4] == ["I", "like", "you", "<eos>"]
    assert {text for text, _, _ in targets[4:]} == {"<pad>"}
    assert [pad for _, _, pad in targets] == [pad for _, _, pad in losses] == [False] * 4 + [True] * (len(targets) - 4)
    assert [under for _, under, _ in targets] == [str(t + 1) for t in range(len(targets))]

    checkpoint = checkpoints.untrained(presets.find("gpt"), 0, german_english().tokenizer)
    tokens = [checkpoint.tokenizer.encode(text) for text in ("I like you", "I like you and the house")]
    longest = max(map(len, tokens))
    target = torch.tensor([ids + [PAD] * (longest - len(ids)) for ids in tokens])
    logits = checkpoint.model(None, target, None)
    pair = logits[:, :-1].flatten(0, 1), target[:, 1:].flatten()
    mean = torch.nn.functional.cross_entropy(*pair, ignore_index=0)
    everything = torch.nn.functional.cross_entropy(*pair)
    assert f"= {float(mean):.4f}, the loss" in told(app)
    assert f"it would be {float(everything):.4f}" in told(app)
    # and place by place: what a pass over the words so far says of the next one
    for place in range(4):
        prefix = checkpoint.model(None, target[:1, : place + 1], None)[0, -1].log_softmax(-1)
        assert float(losses[place][0]) == pytest.approx(-float(prefix[target[0, place + 1]]), abs=2e-3)
    assert np.isnan(drawn["loss"]["loss"].values[0, 4:]).all()


def test_a_target_of_one_s_own_is_counted_and_a_bad_one_refused() -> None:
    app = open_page("loss", **THREE, row="1")
    own = told(app)
    app.text_input(key="target").set_value("We <b>never</b> sleep.").run()
    assert not app.exception
    _, targets, losses = loss_rows(app)
    assert [text for text, _, _ in targets][:1] == ["We"]
    assert any("<" in text for text, _, _ in targets)  # as text, escaped
    assert max(float(text) for text, _, pad in losses if not pad) > 5
    assert told(app) != own
    app.text_input(key="target").set_value(" ").run()
    assert said(app) == [SENTENCES["sentence_empty"]]
    assert told(app) == own


def test_a_typed_target_belongs_to_its_sentence() -> None:
    app = open_page("loss", **THREE, row="1", target="We never sleep.")
    assert app.text_input(key="target").value == "We never sleep."
    app.button_group(key="row").set_value(3).run()
    assert app.text_input(key="target").value == translate(german_english(), LONG).text
    app.text_input(key="target").set_value("We never sleep.").run()
    assert app.text_input(key="target").value == "We never sleep."
    app.text_input(key="sentence_c").set_value(THREE["sentence_b"]).run()
    assert app.text_input(key="target").value == translate(german_english(), THREE["sentence_b"]).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_encoder_alone_says_what_is_counted_instead(language: str) -> None:
    app = open_page("loss", language, checkpoint="untrained-bert")
    assert sentence(language, "masks_loss.encoder") in [text.value for text in app.text]
