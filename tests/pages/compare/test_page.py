"""The page that compares two models: what it draws held against runs made here, and what it says to bad links."""

import re
from collections.abc import Iterator
from decimal import Decimal
from html import unescape
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.checkpoint import load as checkpoints
from model.checkpoint.history import curve
from model.decode.translate import translate
from model.edit import edits
from model.errors import InvalidInput
from model.tokenizer import BOS
from model.trace import path
from pages.compare import curves, layer_similarity, presets, probabilities, views
from pages.shared.ui import attention_figure
from tests.app import nothing_is_marked_up, said, sentence, visit
from tests.fixtures import KINO, LANGUAGES, MARKUP, german_english
from viz.data import Matrix

pytestmark = pytest.mark.usefixtures("warm")

SHOWS = ("attention", "heads", "words", "layers", "curves", "config")
VARIANTS = ("reverse", "reverse-learned")
READY = {key: one for key, one in presets.READY.items() if {one.a, one.b} <= set(catalogue.entries())}
needs_variants = pytest.mark.skipif("learned" not in READY, reason="the checkpoints to compare are not there")


@pytest.fixture
def walls() -> Iterator[list[dict]]:
    """What the two attention figures were given."""
    found: list[dict] = []
    pack = attention_figure.attention_data

    def watch(panels, **rest):
        found.append({"panels": {panel.kind: panel for panel in panels}, **rest})
        return pack(panels, **rest)

    with patch.object(attention_figure, "attention_data", watch):
        yield found


def opened(language: str = "en", **address: str) -> AppTest:
    app = visit("compare", language, **address)
    nothing_is_marked_up(app)
    return app


def texts(app: AppTest) -> list[str]:
    return [element.value for element in app.main.text]


def body(app: AppTest, mark: str) -> str:
    """The piece of HTML on the page that holds a mark."""
    return next(one.proto.body for one in app.main if one.type == "html" and mark in one.proto.body)


def outputs(app: AppTest) -> list[tuple[str, list[str], list[str]]]:
    """Each card of the outputs: its name, its tokens, and those that only it has."""
    cards = re.findall(r"<section><h3>(.*?)</h3><p>(.*?)</p>", body(app, "<section>"))
    return [
        (
            unescape(name),
            [unescape(token) for token in re.findall(r"<(?:span|ins)[^>]*>(.*?)</", tokens)],
            [unescape(token) for token in re.findall(r"<ins[^>]*>(.*?)</ins>", tokens)],
        )
        for name, tokens in cards
    ]


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


def own_ids() -> list[int]:
    run = translate(german_english(), KINO)
    return [*run.target[1:], int(run.trace.values["logits"][-1].argmax())]


# it opens


@pytest.mark.parametrize(
    ("show", "language"), [*((show, "en") for show in SHOWS), ("attention", "zh"), ("layers", "zh")]
)
def test_it_opens_with_a_real_comparison(show: str, language: str) -> None:
    app = opened(language, show=show)
    assert said(app) == []
    assert [title.value for title in app.title] == [sentence(language, "compare.question")]
    assert sentence(language, f"compare_title.{show}") in [header.value for header in app.header]
    (a, words, only), (b, _, _) = outputs(app)
    assert (a, b) == ("A · de-en", f"B · de-en · {sentence(language, 'compare.start')}")
    assert words == list(german_english().tokenizer.tokens(own_ids()))
    assert only  # a model that learned nothing writes something else


@pytest.mark.parametrize(
    ("a", "b", "said_"),
    [("untrained-gpt", "de-en", "compare.architectures"), ("de-en", "dates", "compare.tokenizers")],
)
def test_models_that_do_not_fit_say_so_and_show_what_can_be_shown(a: str, b: str, said_: str) -> None:
    for show, language in (("attention", "en"), ("words", "zh"), ("layers", "en")):
        app = opened(language, checkpoint=a, other=b, show=show)
        assert said(app) == []
        lines = [*texts(app), *(caption.value for caption in app.caption)]
        start = sentence(language, said_, a="\0", b="\0").partition("\0")[0]
        assert any(line.startswith(start) for line in lines), (show, lines)
        if show == "layers":
            assert sentence(language, f"compare_layers.{'tokenizers' if b == 'dates' else 'sides'}") in lines


def test_a_model_of_prices_is_compared_by_its_configuration() -> None:
    for language, show in (("en", "attention"), ("zh", "layers")):
        app = opened(language, other="forecast", show=show)
        assert said(app) == []
        assert sentence(language, "compare.numbers", name="forecast") in body(app, "<section>")
        assert "show" not in [control.key for control in app.button_group]
        assert sentence(language, "compare_try.heads") not in [button.label for button in app.button]
        assert sentence(language, "compare_title.config") in [header.value for header in app.header]


def test_attention_is_shown_of_the_kinds_that_both_have(walls: list[dict]) -> None:
    app = opened(other="mini-encoder")  # whose A opens on cross-attention
    assert said(app) == []
    assert [(list(wall["panels"]), wall["kind"]) for wall in walls] == [(["encoder"], "encoder")] * 2
    assert sentence("en", "compare_attention.common") in [caption.value for caption in app.caption]
    walls.clear()
    app = opened(checkpoint="gpt-char", other="mini-encoder", other_head="3")
    assert [(list(wall["panels"]), wall["kind"]) for wall in walls] == [
        (["decoder"], "decoder"),
        (["encoder"], "encoder"),
    ]
    assert sentence("en", "compare_attention.no_kind") in texts(app)


def test_an_encoder_alone_is_compared_by_its_vectors(charted: dict) -> None:
    app = opened(checkpoint="mini-encoder", show="words")
    assert said(app) == []
    [values] = charted.values()
    entry = catalogue.entries()["mini-encoder"]
    own = checkpoints.load(entry)
    run = translate(own, entry.card["examples"][0])
    logits = torch.from_numpy(run.trace.values["logits"]).double()
    expected = logits.log_softmax(-1).max(-1).values
    np.testing.assert_allclose([row["A · mini-encoder"] for row in values], expected, atol=1e-5)


def test_where_nothing_is_written_nothing_is_called_the_same() -> None:
    edited = {"other": "mini-encoder", "other_changes": "off:encoder.*.*"}
    app = opened(checkpoint="mini-encoder", sentence="she is eating soup today .", **edited)
    assert body(app, "<section>").count(sentence("en", "compare_outputs.encoder")) == 2
    assert sentence("en", "compare_outputs.same") not in body(app, "<section>")


# the numbers


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
    printed = [re.findall(r"<td>(.*?)</td>", line) for line in lines]
    for row, total in zip(printed[:2], (np.mean, np.sum), strict=True):
        assert row[:2] == [f"{number:.3f}".replace("-", "−") for number in map(total, expected)]
        first, second, apart = (Decimal(number.replace("−", "-")) for number in row)
        assert second - first == apart
    assert [float(number.replace(",", "")) for number in printed[2][:2]] == pytest.approx(
        [np.exp(-values.mean()) for values in expected], rel=5e-4
    )
    most = int(np.abs(expected[1] - expected[0]).argmax())
    assert any(german_english().tokenizer.tokens(ids)[most] in text for text in texts(app)[-1:])


def test_a_change_is_made_in_b_alone(walls: list[dict], charted: dict) -> None:
    spelled = "uniform:cross.1.0"
    app = opened(other="de-en", other_changes=spelled)
    assert said(app) == []
    a, b = walls
    run = translate(german_english(), KINO)
    np.testing.assert_array_equal(a["panels"]["cross"].weights, run.trace.weights("cross"))
    changed = b["panels"]["cross"].weights[1, 0]
    np.testing.assert_allclose(changed, 1 / changed.shape[-1], atol=1e-6)
    model = german_english().model
    tap = edits.compose(model, edits.replace_weights(path("cross", 1), "uniform", head=0))
    source = torch.tensor([run.source])
    with torch.inference_mode():
        logits = model(source, torch.tensor([run.target]), source != 0, tap)[0].double()
    expected = logits.log_softmax(-1)[torch.arange(len(run.target)), torch.tensor(own_ids())]
    opened(other="de-en", other_changes=spelled, show="words")
    name = f"B · de-en · {sentence('en', 'compare.with_changes')}"
    np.testing.assert_allclose([row[name] for row in charted["compare-words"]], expected, atol=1e-4)


def test_each_head_is_matched_by_where_it_looks(drawn: dict[str, Matrix], walls: list[dict]) -> None:
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
    assert (walls[1]["layer"], walls[1]["head"]) == best
    first, second = (one["link"].heads["encoder"] for one in walls)
    assert tuple(first[1][2]) == best
    assert [tuple(head) for row in second for head in row] == [divmod(int(i), 4) for i in expected.argmax(0)]
    assert set(walls[0]["link"].cells) == {"encoder", "decoder", "cross"}


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
    marked = {name for mark, name in lines if mark}
    one, other = (catalogue.entries()[name].config for name in ("de-en", "notebook-c"))
    differing = {key for key in one if one[key] != other[key]}
    assert differing <= marked
    assert not (set(one) - differing) & marked
    assert table.count("≠") == len(marked)
    app.toggle(key="only").set_value(True).run()
    assert set(re.findall(r"<code>(\w+)</code>", body(app, "<table>"))) == marked


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


@needs_variants
def test_ready_comparisons_lead_to_their_models(charted: dict) -> None:
    app = opened()
    for key in READY:
        assert app.button(key=f"ready_{key}").label == sentence("en", f"compare_ready.{key}")
    app.button(key="ready_learned").click().run()
    assert not app.exception
    assert [name for name, *_ in outputs(app)] == ["A · reverse", "B · reverse-learned"]
    assert app.text_input(key="sentence").value == "glassformer"
    assert sentence("en", "compare_ready_about.learned") in texts(app)
    shown = {(row["model"], row["step"]): row["loss"] for row in charted["compare-curves"] if row["kind"] == "training"}
    names = {name for name, _ in shown}
    assert sentence("en", "compare_curves.third", name="reverse-no-position") in texts(app)
    assert names == {"reverse", "reverse-learned", "reverse-no-position"} & set(catalogue.entries())
    for name in names:
        points = curve(catalogue.entries()[name])
        assert points
        for point in points[:: len(points) // 5]:
            if point.loss == point.loss:
                assert shown[name, point.step] == pytest.approx(point.loss, rel=1e-5)
    app.button(key="put_back").click().run()
    assert app.selectbox(key="checkpoint").value == "de-en"


@needs_variants
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_head_or_four_shows_a_difference(language: str) -> None:
    """At the first example already, and in the share of held-out sums."""
    app = opened(language)
    app.button(key="ready_heads").click().run()
    assert [name for name, *_ in outputs(app)] == ["A · addition-one-head", "B · addition"]
    one, four = ([token for token in tokens if token.isdigit()] for _, tokens, _ in outputs(app))
    assert four == list("100") != one  # 46+54
    shares = [
        f"{catalogue.entries()[name].card['scores']['addition']['exact']:.1%}"
        for name in ("addition-one-head", "addition")
    ]
    assert sentence(language, "compare_ready_about.heads", a=shares[0], b=shares[1]) in texts(app)
    assert float(shares[1][:-1]) - float(shares[0][:-1]) > 20


# bad links


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("other", "nowhere"), ("other", "my-lost"), ("other", "<b>x</b>"), ("moment", "17"), ("other_moment", "x"),
        ("show", "all"), ("reads", "c"), ("follow", "me"), ("other_changes", "melt:cross.0.0"),
        ("other_changes", "off:cross.9.0"),
    ],
)  # fmt: skip
def test_a_link_that_asks_for_too_much_falls_back_and_says_so(asked: str, value: str) -> None:
    app = opened("zh" if asked == "other" else "en", **{asked: value})
    [notice] = said(app)
    assert value in notice
    assert outputs(app)[0][0] == "A · de-en"


def test_what_is_typed_stays_text() -> None:
    app = opened(sentence=MARKUP, other="dates")
    assert "<b>x" not in body(app, "<section>")
    assert app.text_input(key="sentence").value == MARKUP


def test_a_sentence_that_b_cannot_read_is_said_beside_it() -> None:
    long = "Wir gehen heute ins Kino und lesen dann ein Buch über den alten Mann und das Meer."
    app = opened(sentence=long, other="dates")
    limit = catalogue.entries()["dates"].config["max_length"]
    assert str(limit) in body(app, "<section>")
    assert sentence("en", "compare.needs_both", name="B · dates") in texts(app)


def test_a_sentence_that_a_cannot_read_at_its_moment_is_said_too() -> None:
    for show in ("attention", "words", "layers"):
        app = opened(checkpoint="mini-encoder", moment="0", sentence=" ".join(["soup"] * 99), show=show)
        assert said(app) == []
        name = f"A · mini-encoder · {sentence('en', 'compare.start')}"
        assert name in [card for card, *_ in outputs(app)]
        assert "96" in body(app, "<section>")
        assert (sentence("en", "compare.needs_both", name=name) in texts(app)) == (show != "layers")


def test_a_pass_that_cannot_be_made_is_said() -> None:
    refused = InvalidInput("sentence_empty")
    for show in ("attention", "words"):
        with patch.object(views, "passes", side_effect=refused):
            app = opened(show=show)
        assert said(app) == [sentence("en", "intervene_list.failed", problem=str(refused))]


def test_layers_under_a_change_are_found_by_a_sentence_that_both_can_read() -> None:
    with patch.object(layer_similarity, "sentences", lambda entry: ["Haus " * 150, KINO]):
        app = opened(other="de-en", other_changes="half:cross.0.*", show="layers")
    assert said(app) == []
    assert sentence("en", "compare_layers.few") in texts(app)  # one sentence is left


def test_a_shift_too_far_for_the_examples_is_said() -> None:
    longest = catalogue.entries()["de-en"].config["max_length"]
    app = opened(other="de-en", other_changes=f"position:encoder.shift{longest - 8}", sentence="ja", show="layers")
    [notice] = said(app)
    assert notice.startswith(sentence("en", "intervene_list.failed", problem="\0").partition("\0")[0])


@pytest.mark.parametrize(
    ("name", "formula"),
    [("de-en", r"y_{<t}, x"), ("gpt-char", r"y_{<t}"), ("mini-encoder", "x")],
)
def test_the_formula_names_what_the_model_reads(name: str, formula: str) -> None:
    app = opened(checkpoint=name, show="words")
    assert [one.value.strip("$\n ") for one in app.main.latex] == [rf"\log p(y_t \mid {formula})"]
    for part in ("y_{<t}", "$x$"):
        explained = any(part in caption.value for caption in app.caption)
        assert explained == (part.strip("$") in formula)


def test_a_run_that_was_just_removed_has_no_curve() -> None:
    class Gone:
        def progress(self, id: str) -> None:
            raise InvalidInput("sentence_empty")

    with patch.object(curves.run_queue, "jobs", Gone):
        assert not curves._of_run(SimpleNamespace(id="x"), "1").training


def test_a_bad_change_is_said_once_and_leaves_the_link() -> None:
    app = opened(other="de-en", other_changes="melt:cross.0.0;off:cross.0.0;off:cross.9.0")
    assert len(said(app)) == 2
    assert app.query_params["other_changes"] in ("off:cross.0.0", ["off:cross.0.0"])
    app.run()
    assert said(app) == []


def test_a_door_to_here_opens_a_fresh_comparison() -> None:
    app = opened(moment="0", other="de-en", other_changes="half:cross.0.0")
    for key in list(app.query_params):
        del app.query_params[key]
    app.query_params["changes"] = "off:cross.*.*"
    app.switch_page("intervene/page.py").run()
    app.button(key="compare").click().run()
    assert [name for name, *_ in outputs(app)] == [
        "A · de-en",
        f"B · de-en · {sentence('en', 'compare.with_changes')}",
    ]
    for key in list(app.query_params):
        del app.query_params[key]
    app.query_params["card"] = "reverse-learned"
    app.switch_page("checkpoints/page.py").run()
    app.button(key="compare_card").click().run()
    assert [name for name, *_ in outputs(app)] == ["A · reverse", "B · reverse-learned"]


def test_changes_made_elsewhere_come_along_and_lead_back() -> None:
    spelled = "off:cross.*.*"
    app = visit("intervene", changes=spelled)
    app.button(key="compare").click().run()
    assert not app.exception
    assert [title.value for title in app.title] == [sentence("en", "compare.question")]
    name, _, _ = outputs(app)[1]
    assert name == f"B · de-en · {sentence('en', 'compare.with_changes')}"
    app = opened(other="de-en", other_changes=spelled)
    app.button(key="edit").click().run()
    assert [title.value for title in app.title] == [sentence("en", "intervene.question")]
    assert app.query_params["changes"] in (spelled, [spelled])
