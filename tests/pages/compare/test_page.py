"""The page of two models: what opens, what is ready, and bad links."""

import re
from html import unescape
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue, checkpoints
from model.checkpoint.history import curve
from model.decode.translate import translate
from model.errors import InvalidInput
from pages.compare import curves, layer_similarity, presets, views
from tests.app import click, said, sentence, visit
from tests.pages.compare.page import body, opened, own_ids, texts
from tests.samples import KINO, MARKUP, either_language, german_english
from viz.figures.attention import AttentionFigure

pytestmark = pytest.mark.usefixtures("warm")


SHOWS = ("attention", "heads", "words", "layers", "matches", "curves", "config")


READY = {key: one for key, one in presets.READY.items() if {one.a, one.b} <= set(catalogue.entries())}


needs_variants = pytest.mark.skipif("learned" not in READY, reason="the checkpoints to compare are not there")


def outputs(app: AppTest) -> list[tuple[str, list[str], list[str]]]:
    """Each card of the outputs: its name, its tokens, and those that only it has."""
    cards = re.findall(r"<section><h3>(.*?)</h3><p[^>]*>(.*?)</p>", body(app, "<section>"))
    return [
        (
            unescape(name),
            [unescape(token) for token in re.findall(r"<(?:span|ins)[^>]*>(.*?)</", tokens)],
            [unescape(token) for token in re.findall(r"<ins[^>]*>(.*?)</ins>", tokens)],
        )
        for name, tokens in cards
    ]


# it opens


@pytest.mark.sample(2)
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


def test_attention_is_shown_of_the_kinds_that_both_have(walls: list[AttentionFigure]) -> None:
    app = opened(other="mini-encoder")  # whose A opens on cross-attention
    assert said(app) == []
    assert [(list(wall.panels), wall.look.kind) for wall in walls] == [(["encoder"], "encoder")] * 2
    assert sentence("en", "compare_attention.common") in [caption.value for caption in app.caption]
    walls.clear()
    app = opened(checkpoint="gpt-char", other="mini-encoder", other_head="3")
    assert [(list(wall.panels), wall.look.kind) for wall in walls] == [
        (["decoder"], "decoder"),
        (["encoder"], "encoder"),
    ]
    assert sentence("en", "compare_attention.no_kind") in texts(app)


def test_each_model_s_words_name_its_own_language(walls: list[AttentionFigure]) -> None:
    opened("zh", other="zh-en")
    assert [wall.languages for wall in walls] == [{"source": "de", "target": "en"}, {"source": "zh-CN", "target": "en"}]


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
    choices = {"other": "mini-encoder", "other_changes": "off:encoder.*.*"}
    app = opened(checkpoint="mini-encoder", sentence="she is eating soup today .", **choices)
    assert body(app, "<section>").count(sentence("en", "compare_outputs.encoder")) == 2
    assert sentence("en", "compare_outputs.same") not in body(app, "<section>")


# the numbers


@needs_variants
def test_the_second_model_of_a_ready_comparison_is_trained_by_few_settings() -> None:
    runs = {key: presets.train_settings(catalogue.find(one.b)) for key, one in READY.items()}
    assert runs == {
        "norm": {"task": "reverse", "norm": "post"},
        "two_heads": {"task": "spread"},
        "heads": {"task": "addition", "encoder_layers": 1},
        "learned": {"task": "reverse", "position": "learned"},
        "no_position": {"task": "reverse", "position": "none"},
        "learned_or_none": {"task": "reverse", "position": "none"},
    }


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
    on_screen = {
        (row["model"], row["step"]): row["loss"] for row in charted["compare-curves"] if row["kind"] == "training"
    }
    names = {name for name, _ in on_screen}
    assert sentence("en", "compare_curves.third", name="reverse-no-position") in texts(app)
    assert names == {"reverse", "reverse-learned", "reverse-no-position"} & set(catalogue.entries())
    for name in names:
        points = curve(catalogue.entries()[name])
        assert points
        for point in points[:: len(points) // 5]:
            if point.loss == point.loss:
                assert on_screen[name, point.step] == pytest.approx(point.loss, rel=1e-5)
    app.button(key="put_back").click().run()
    assert app.selectbox(key="checkpoint").value == "de-en"
    click(click(app, "ready_learned"), "train")
    assert [title.value for title in app.title] == [sentence("en", "train.question")]
    assert (app.selectbox(key="task").value, app.query_params["position"]) == ("reverse", "learned")


@needs_variants
@either_language
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


@needs_variants
@either_language
def test_two_heads_do_what_one_cannot(language: str) -> None:
    app = opened(language)
    app.button(key="ready_two_heads").click().run()
    assert [name for name, *_ in outputs(app)] == ["A · spread-one-head", "B · spread"]
    shares = [
        f"{catalogue.entries()[name].card['scores']['spread']['exact']:.1%}" for name in ("spread-one-head", "spread")
    ]
    assert sentence(language, "compare_ready_about.two_heads", a=shares[0], b=shares[1]) in texts(app)
    assert float(shares[1][:-1]) - float(shares[0][:-1]) > 20
    assert_judged(app, language)


@needs_variants
@either_language
def test_a_link_to_two_heads_says_the_task_and_which_answer_is_right(language: str) -> None:
    assert_judged(opened(language, checkpoint="spread", other="spread-one-head"), language)


def assert_judged(app: AppTest, language: str) -> None:
    """The largest of 7, 3, 8, 4, 6, 5 minus the smallest is 5; one head writes 8."""
    cards = re.findall(r"<section><h3>. · (.*?)</h3>.*?</p><p[^>]*>(.*?)</p>", body(app, "<section>"))
    notes = {name: unescape(note) for name, note in cards}
    assert notes["spread"].startswith(sentence(language, "compare_outputs.right"))
    assert notes["spread-one-head"].startswith(sentence(language, "compare_outputs.wrong", answer="5"))
    assert sentence(language, "tasks.spread") in [caption.value for caption in app.main.caption]
    values = {name: f"{catalogue.entries()[name].card['scores']['spread']['exact']:.1%}" for name in notes}
    about = {"a": values["spread-one-head"], "b": values["spread"]}
    assert sentence(language, "compare_ready_about.two_heads", **about) in texts(app)


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
    limit = catalogue.entries()["dates"].config.max_length
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
    refusal = InvalidInput("sentence_empty")
    for show in ("attention", "words"):
        with patch.object(views, "passes", side_effect=refusal):
            app = opened(show=show)
        assert said(app) == [sentence("en", "intervene_list.failed", problem=str(refusal))]


def test_layers_under_a_change_are_found_by_a_sentence_that_both_can_read() -> None:
    with patch.object(layer_similarity.catalogue, "sentences", lambda entry: ["Haus " * 150, KINO]):
        app = opened(other="de-en", other_changes="half:cross.0.*", show="layers")
    assert said(app) == []
    assert sentence("en", "compare_layers.few") in texts(app)  # one sentence is left


def test_a_shift_too_far_for_the_examples_is_said() -> None:
    longest = catalogue.entries()["de-en"].config.max_length
    app = opened(other="de-en", other_changes=f"position:encoder.shift{longest - 8}", sentence="Nein.", show="layers")
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
    text = "off:cross.*.*"
    app = visit("intervene", changes=text)
    app.button(key="compare").click().run()
    assert not app.exception
    assert [title.value for title in app.title] == [sentence("en", "compare.question")]
    name, _, _ = outputs(app)[1]
    assert name == f"B · de-en · {sentence('en', 'compare.with_changes')}"
    app = opened(other="de-en", other_changes=text)
    app.button(key="edit").click().run()
    assert [title.value for title in app.title] == [sentence("en", "intervene.question")]
    assert app.query_params["changes"] in (text, [text])
