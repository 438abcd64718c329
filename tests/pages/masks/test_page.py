"""The page of masks: its batch, masks, scores, leak test and padding."""

import re
from collections.abc import Iterator
from html import unescape
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.errors import SENTENCES
from model.tokenization.tokenizer import PAD
from pages.masks import leakage
from pages.masks.batch import neighbours
from tests.app import inside, said, sentence, visit
from tests.pages.masks.page import LONG, THREE, open_page
from tests.samples import KINO, german_english, in_turn
from viz.charts.mask_charts import change_text as number
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")


SHOWS = ("patterns", "scores", "leak", "fill", "padding", "loss")


HUNDRED = " ".join(["Haus"] * 40)


def batch(app: AppTest) -> list[list[list[tuple[str, int]]]]:
    """Token and id of every cell of every table on the page."""
    bodies = [element.proto.body for element in app.main if element.type == "html"]
    tables = [table for body in bodies for table in body.split('class="gf-batch"')[1:]]
    cell = re.compile(r"<td[^>]*>(.*?)<small>(\d+)</small></td>")
    return [
        [[(unescape(token), int(id_)) for token, id_ in cell.findall(row)] for row in re.findall(r"<tr.*?</tr>", table)]
        for table in tables
    ]


@pytest.fixture
def bars() -> Iterator[list[dict]]:
    """The rows of the chart drawn last."""
    result: list[dict] = []
    draw = leakage.steps_chart

    def watch(rows, *rest):
        result[:] = rows
        return draw(rows, *rest)

    with patch.object(leakage, "steps_chart", watch):
        yield result


def runs(checkpoint: Checkpoint, *sentences: str) -> tuple[list[list[int]], list[list[int]]]:
    """Source and target ids, padded here."""
    both = [translate(checkpoint, text) for text in sentences]
    padded = []
    for ids in ([list(run.source) for run in both], [list(run.target) for run in both]):
        longest = max(map(len, ids))
        padded.append([row + [PAD] * (longest - len(row)) for row in ids])
    return padded[0], padded[1]


# the batch


@in_turn("name", ["de-en", "untrained-mini-encoder", "untrained-gpt"])
def test_every_figure_opens_in_every_architecture(language: str, name: str, bars: list[dict]) -> None:
    for show in SHOWS:
        app = open_page(show, language, checkpoint=name)
        assert said(app) == []
        assert [title.value for title in app.title] == [sentence(language, "masks.question")]
        assert sentence(language, f"masks_{show}.title") in [header.value for header in app.header]
        assert bool(bars) == (show in ("leak", "padding"))
        bars.clear()


def test_the_batch_is_padded_to_its_longest_sentence() -> None:
    app = open_page("patterns", **THREE)
    source, target = batch(app)
    expected = runs(german_english(), KINO, THREE["sentence_b"], LONG)
    assert [[id_ for _, id_ in row] for row in source] == expected[0]
    assert [[id_ for _, id_ in row] for row in target] == expected[1]
    assert all((token == "<pad>") == (id_ == 0) for row in (*source, *target) for token, id_ in row)
    assert [token for token, _ in source[1][:6]] == ["<bos>", "Wo", "ist", "das", "Buch", "?"]


@pytest.mark.parametrize("name", ["de-en", "zh-en", "untrained-notebook", "untrained-bert"])
def test_padding_appears_by_itself(name: str) -> None:
    app = open_page("patterns", checkpoint=name)
    first = batch(app)[0]
    assert len(first) == 4
    assert app.button_group(key="row").value == 1
    assert "<pad>" in [token for token, _ in first[0]]
    texts = neighbours(catalogue.entries()["de-en"], KINO)
    assert len(texts) == 3
    assert KINO not in texts


def test_an_empty_box_is_left_out_and_a_bad_one_says_why() -> None:
    app = open_page("patterns", **THREE)
    assert len(batch(app)[0]) == 3
    app.text_input(key="sentence_c").set_value(" ").run()
    assert len(batch(app)[0]) == 2
    assert said(app) == []
    app.text_input(key="sentence_c").set_value("").run()
    assert app.query_params["sentence_c"] in ("", [""])
    assert len(batch(open_page("patterns", **(THREE | {"sentence_c": ""})))[0]) == 2
    app.text_input(key="sentence_c").set_value(HUNDRED).run()
    assert len(batch(app)[0]) == 3
    app = open_page("patterns", checkpoint="untrained-notebook", **(THREE | {"sentence_c": HUNDRED}))
    [notice] = said(app)
    problem = SENTENCES["sentence_tokens"].format(count=42, limit=20)
    assert notice == sentence("en", "masks_batch.refused", number=3, problem=problem)
    assert len(batch(app)[0]) == 2


def test_a_neighbour_of_unknown_words_is_marked_and_stays_text() -> None:
    text = "<b>Zwerchfell</b> ![](http://x/y.png)"
    app = open_page("patterns", **(THREE | {"sentence_b": text}))
    [notice] = said(app)
    assert "Zwerchfell" in notice
    assert all("<b>Z" not in element.proto.body for element in app.main if element.type == "html")
    assert "".join(token for token, _ in batch(app)[0][1]).replace("·", "").startswith("<bos>␣<b>Zwerchfell")


@in_turn(("key", "value"), [("row", "7"), ("show", "all"), ("row", "x")])
def test_an_address_that_asks_for_too_much_says_so(language: str, key: str, value: str) -> None:
    [notice] = said(visit("masks", language, **{key: value}))
    assert value in notice


# the masks


def test_the_masks_by_hand(drawn: dict[str, dict[str, Matrix]]) -> None:
    open_page("patterns", **THREE, row="2")
    result = drawn["padding"]
    source, target = runs(german_english(), KINO, THREE["sentence_b"], LONG)
    keys, steps = len(source[1]), len(target[1])
    assert list(result) == ["padding", "causal", "target_padding", "decoder_self", "cross"]
    for name, rows in (("padding", keys), ("cross", steps)):
        by_hand = [[source[1][k] != 0 for k in range(keys)] for _ in range(rows)]
        assert result[name].values.tolist() == by_hand
    assert result["padding"].values[0].tolist() == [True] * 7 + [False] * (keys - 7)
    assert result["causal"].values.tolist() == [[k <= q for k in range(steps)] for q in range(steps)]
    both = [[k <= q and target[1][k] != 0 for k in range(steps)] for q in range(steps)]
    assert result["decoder_self"].values.tolist() == both
    assert result["target_padding"].values.tolist() == [[id_ != 0 for id_ in target[1]]] * steps
    shapes = {name: matrix.note.split(" · ")[0] for name, matrix in result.items()}
    assert shapes == {
        "padding": f"(3, 1, 1, {keys})",
        "causal": f"(1, 1, {steps}, {steps})",
        "target_padding": f"(3, 1, 1, {steps})",
        "decoder_self": f"(3, 1, {steps}, {steps})",
        "cross": f"(3, 1, 1, {keys})",
    }
    assert result["padding"].columns[:3] == ("<bos>", "Wo", "ist")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("untrained-mini-encoder", {"padding"}), ("untrained-gpt", {"causal", "target_padding", "decoder_self"})],
)
def test_a_system_shows_the_masks_it_has(name: str, expected: set[str], drawn: dict[str, dict[str, Matrix]]) -> None:
    open_page("patterns", checkpoint=name)
    drawn.pop("batch", None)
    [result] = drawn.values()
    assert set(result) == expected


# scores, masked scores, weights


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("name", ["de-en", "untrained-notebook"])
def test_the_masks_shown_are_those_that_the_model_applied(
    kind: str, name: str, drawn: dict[str, dict[str, Matrix]]
) -> None:
    address = {"checkpoint": name, "attention_kind": kind, "layer": "1", "head": "1", "row": "2", **THREE}
    open_page("scores", **address)
    open_page("patterns", **address)
    stage, mask = drawn["scores"], drawn["padding"]
    on_screen = mask[{"encoder": "padding", "decoder": "decoder_self", "cross": "cross"}[kind]].values
    fill = -np.inf if name == "de-en" else -1e9
    own_mask = stage["masked_scores"].values != np.float32(fill)
    real = [token != "<pad>" for token in stage["scores"].rows]
    assert (own_mask[real] == on_screen[real]).all()
    if kind == "decoder":  # the model lays the causal mask alone, in rows of padding too
        assert (own_mask == mask["causal"].values).all()
    assert (stage["masked_scores"].values[own_mask] == stage["scores"].values[own_mask]).all()
    assert (stage["weights"].values[~own_mask] == 0).all()
    np.testing.assert_allclose(stage["weights"].values.sum(-1), 1, atol=1e-5)
    exponents = np.where(own_mask, np.exp(stage["scores"].values.astype(float)), 0)
    by_hand = exponents / exponents.sum(-1, keepdims=True)
    np.testing.assert_allclose(stage["weights"].values, by_hand, atol=1e-5)


def test_the_weights_are_those_of_the_sentence_alone(drawn: dict[str, dict[str, Matrix]]) -> None:
    open_page("scores", attention_kind="cross", layer="2", head="3", row="2", **THREE)
    alone = translate(german_english(), THREE["sentence_b"]).trace.weights("cross")[2, 3]
    on_screen = drawn["scores"]["weights"].values
    np.testing.assert_allclose(on_screen[: len(alone), : alone.shape[1]], alone, atol=1e-5)


# the leak test


def test_the_leak_test_against_single_passes(bars: list[dict]) -> None:
    app = open_page("leak", row="1", leak_at="5", leak_word="house", **THREE)
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    [word] = checkpoint.tokenizer.encode("house")[1:-1]
    new_target = [*run.target[:5], word, *run.target[6:]]
    source = torch.tensor([run.source])

    def logits(target: list[int]) -> torch.Tensor:
        with torch.inference_mode():
            return torch.stack(
                [
                    checkpoint.model(source, torch.tensor([target[: t + 1]]), source != 0)[0, -1]
                    for t in range(len(target))
                ]
            )

    differences = (logits(list(run.target)) - logits(new_target)).abs().amax(-1).numpy()
    with_, without = (sentence("en", f"masks_leak.{name}_mask") for name in ("with", "without"))
    result = {name: [row["change"] for row in bars if row["mask"] == name] for name in (with_, without)}
    assert result[with_][:5] == [0.0] * 5
    np.testing.assert_allclose(result[with_], differences, atol=1e-4)
    assert min(result[without]) > 0.01
    text = sentence("en", "masks_leak.result", count=5, masked="0", unmasked=number(max(result[without][:5])))
    assert text in [element.value for element in app.main.text]
    assert any("cinema ⇒ house" in row["label"] for row in bars)


def test_a_word_that_cannot_be_read_is_refused_in_a_sentence() -> None:
    app = open_page("leak", leak_word=" ", **THREE)
    assert said(app) == [SENTENCES["sentence_empty"]]


def test_an_encoder_alone_has_nothing_to_take_away(bars: list[dict]) -> None:
    open_page("leak", checkpoint="untrained-mini-encoder", leak_at="2", leak_word="Haus")
    assert {row["mask"] for row in bars} == {sentence("en", "masks_leak.own")}
    assert all(row["change"] > 0 for row in bars)


# −∞ and −1e9


def test_the_two_fills_come_from_the_same_scores(drawn: dict[str, dict[str, Matrix]]) -> None:
    address = {"attention_kind": "cross", "layer": "1", "head": "0", "row": "2", "query": "2", **THREE}
    app = open_page("fill", **address)
    open_page("scores", **address)
    infinite, finite = (drawn["infinite"][name].values for name in ("infinite", "finite"))
    scores = drawn["scores"]["scores"].values[2].astype(float)
    for hidden, (row, other) in enumerate(zip(infinite[:-1], finite[:-1], strict=True)):
        left = 7 - hidden
        exponents = np.where(np.arange(len(scores)) < left, np.exp(scores), 0)
        np.testing.assert_allclose(row, exponents / exponents.sum(), atol=1e-6)
        assert (row == other).all()
    assert len(infinite) == 8
    assert np.isnan(infinite[-1]).all()
    np.testing.assert_allclose(finite[-1], 1 / len(scores))
    text = sentence("en", "masks_fill.result", difference="0", count=len(scores), uniform=f"{1 / len(scores):.3f}")
    assert text in [element.value for element in app.main.text]


# padding


def test_padding_moves_nothing_with_the_mask_and_much_without(bars: list[dict]) -> None:
    open_page("padding", row="1", added="6", **THREE)
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    target, source = torch.tensor([run.target]), torch.tensor([[*run.source, *[PAD] * 6]])
    with torch.inference_mode():
        alone = checkpoint.model(source[:, :-6], target, source[:, :-6] != 0)
        logits_beside = checkpoint.model(source, target, torch.ones_like(source, dtype=torch.bool))
    expected = (alone - logits_beside)[0].abs().amax(-1).numpy()
    result = {
        name: [row["change"] for row in bars if row["mask"] == sentence("en", f"masks_padding.{name}_mask")]
        for name in ("with", "without")
    }
    np.testing.assert_allclose(result["without"], expected, atol=1e-4)
    assert max(result["with"]) < 1e-4 < 0.1 < max(result["without"])


def test_a_sentence_that_fills_the_model_says_so() -> None:
    app = open_page("padding", checkpoint="untrained-notebook", sentence=" ".join(["Haus"] * 17) + ".", row="1")
    assert sentence("en", "masks_padding.full", limit=20) in said(app)


# what the user clicks


def test_the_steps_to_try_set_the_page_up() -> None:
    for step, show in enumerate(("patterns", "leak", "fill", "padding")):
        app = visit("masks")
        app.button(key=f"try_{step}").click().run()
        assert not app.exception
        assert sentence("en", f"masks_{show}.title") in [header.value for header in app.header]
        assert len(batch(app)[0]) == (1 if step == 0 else 4)
        assert said(app) == []
    assert inside(app, "lead") == [sentence("en", "masks.lead")]


@pytest.mark.parametrize(("model", "tag"), [("de-en", "de"), ("zh-en", "zh-CN")])
def test_the_tokens_of_a_table_name_their_language(model: str, tag: str) -> None:
    app = visit("masks", checkpoint=model, show="batch")
    tables = [html.proto.body for html in app.main.get("html") if "gf-batch" in html.proto.body]
    assert tables
    for table in tables:
        assert set(re.findall(r'<td data-side="(\w+)" lang="([\w-]+)"', table)) <= {("source", tag), ("target", "en")}
        assert "lang=" in table
