"""The page on causes: what it colours, draws and says, against the model's own runs, for each kind of model."""

import copy
import html
import re

import numpy as np
import pytest

from model.attribution import card_scores, gradients, leave_one_out, logit_parts, method_names, methods, why_question
from model.attribution.logit_parts import split_logit
from model.attribution.why_question import Question, input_words
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.edit.edit_effects import generated
from tests.app import inside, said, sentence, table, visit
from tests.samples import BUCH, KINO, SAMPLES, either_language, german_english
from viz.numbers import percent

pytestmark = pytest.mark.usefixtures("warm")
STEP = 4  # cinema


def asked(row: int = STEP, rather: int | None = None, text: str = KINO) -> Question:
    run = translate(german_english(), text)
    return Question(run, row, int(generated(run)[row]), rather)


def lines(app) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each coloured line: its title, and its words with their numbers."""
    result = []
    for element in app.main.get("html"):
        body = html.unescape(element.proto.body)
        if "gf-influence" in body:
            title = re.search(r"<h3>(.*?)</h3>", body)[1]
            result.append((title, re.findall(r"<b>(.*?)</b><i>(.*?)</i>", body)))
    return result


def number(text: str) -> float:
    return float("nan") if text == "–" else float(text.replace("−", "-"))


@either_language
def test_both_lines_show_every_word_with_its_number(language: str) -> None:
    app = visit("why", language, step=str(STEP))
    assert said(app) == []
    question = asked()
    (says, attention), (happens, falls) = lines(app)
    assert says == sentence(language, "why.says", method=sentence(language, "why_method.attention"))
    assert happens == sentence(language, "why.without")
    for on_screen, method in ((attention, "attention"), (falls, method_names.REFERENCE)):
        assert [word for word, _ in on_screen] == [word.text for word in input_words(question)]
        values = methods.attribution(german_english(), question, method)
        assert [number(text) for _, text in on_screen] == pytest.approx(values, abs=0.006, nan_ok=True)


def test_the_sentence_below_says_what_deleting_the_word_does() -> None:
    """Whatever it says of “Kino” is what happens if the sentence without it is given to the model."""
    # in this sentence a word written so far matters more than any that was read
    app, question, model = visit("why", step=str(STEP)), asked(), german_english()
    kino = next(at for at, word in enumerate(input_words(question)) if word.text == "Kino")
    before, after = leave_one_out.scores_without(model, question, [(), (kino,)])
    instead = model.tokenizer.tokens([leave_one_out.likeliest_without(model, question, kino)])[0]
    numbers = {"token": "cinema", "before": percent(np.exp(before), 1), "after": percent(np.exp(after), 1)}
    says = next(line for line in inside(app, "figure_sentence") if "the test agree" in line)
    assert sentence("en", "why.after_instead", **numbers, instead=instead) in says
    assert "both name “Kino” first" in says
    assert "“the” matters even more" in says


@pytest.mark.parametrize("method", method_names.METHODS[1:-1])
def test_a_method_is_shown_with_its_formula_and_its_limit(method: str) -> None:
    app = visit("why", step=str(STEP), method=method)
    values = methods.attribution(german_english(), asked(), method)
    assert [number(text) for _, text in lines(app)[0][1]] == pytest.approx(values, abs=0.006)
    about = sentence("en", f"why_about.{method}", share="1%", tolerance=0.02)
    assert about in [text.value for text in app.text]
    assert sentence("en", f"why_limit.{method}") in [caption.value for caption in app.caption]
    assert app.latex


def test_one_head_is_chosen_and_shown() -> None:
    app = visit("why", step=str(STEP), method="head", attention_kind="cross", layer="1", head="2")
    weights = asked().run.trace.weights("cross")[1, 2, STEP]
    on_screen = [number(text) for _, text in lines(app)[0][1]]
    assert on_screen[: len(weights)] == pytest.approx(weights, abs=0.006)
    assert set(on_screen[len(weights) :]) == {0.0}


def test_a_method_is_computed_where_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Integrated gradients take half of what the page computes for a new sentence."""
    calls: list[int] = []
    times_input = gradients.times_input
    monkeypatch.setattr(gradients, "times_input", lambda *part: calls.append(1) or times_input(*part))
    others = {"sentence": "Das Kino ist heute sehr schön.", "step": str(STEP)}
    visit("why", **others)
    assert not calls
    visit("why", **others, method="integrated")
    assert calls


def test_a_path_that_cannot_be_met_is_said_and_ranks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says so beside the method, in the figure of all methods and where they are compared."""
    monkeypatch.setattr(gradients, "POINTS", 30)
    where = {"sentence": "Der Hund schläft heute.", "step": "2", "method": "integrated"}
    app = visit("why", **where)
    name = sentence("en", "why_method.integrated")
    assert {text for _, text in lines(app)[0][1]} == {"–"}
    assert any(sentence("en", "why.nothing_ranked", method=name) in text for text in inside(app, "figure_sentence"))
    said_of_path = " ".join(inside(app, "figure_method"))
    assert said_of_path.count("at 34 points of the way they add up to") == 1
    compared = visit("why", **where, show="trust")
    assert table(compared, "attribution").query("method == 'integrated'")["value"].isna().all()
    assert name not in set(table(compared, "why-deletion")["method"])


def test_the_csv_has_every_method_and_word_as_computed() -> None:
    rows = table(visit("why", step=str(STEP), show="trust"), "attribution")
    question = asked()
    assert list(dict.fromkeys(rows["method"])) == list(method_names.METHODS)
    for method, part in rows.groupby("method"):
        values = methods.attribution(german_english(), question, method)
        assert part["value"].to_numpy() == pytest.approx(values, abs=1e-5, nan_ok=True)
        assert list(part["word"]) == [word.text for word in input_words(question)]


def test_rather_than_another_word() -> None:
    """With an alternative, what counts is the difference of both logits."""
    plain = visit("why", step=str(STEP))
    options = plain.selectbox(key="rather").options
    run = translate(german_english(), KINO)
    second = int(np.argsort(-run.trace.values["logits"][STEP])[1])
    app = visit("why", step=str(STEP), rather=str(second))
    assert options[1] == german_english().tokenizer.tokens([second])[0]
    values = methods.attribution(german_english(), asked(rather=second), method_names.REFERENCE)
    assert [number(text) for _, text in lines(app)[1][1]] == pytest.approx(values, abs=0.006, nan_ok=True)
    logits = run.trace.values["logits"][STEP]
    assert any(
        f"{logits[generated(run)[STEP]] - logits[second]:+.2f}" in text for text in inside(app, "figure_sentence")
    )


@either_language
def test_the_bars_add_up_to_the_logit(language: str) -> None:
    for bars in ("sublayers", "heads"):
        rows = table(visit("why", language, show="parts", step=str(STEP), bars=bars), "why-parts")
        assert rows["value"][:-1].sum() == pytest.approx(rows["value"].iloc[-1], abs=1e-4)
        assert rows["start"][1:-1].to_numpy() == pytest.approx(rows["end"][:-2].to_numpy(), abs=1e-5)
        question = asked()
        assert rows["value"].iloc[-1] == pytest.approx(
            question.run.trace.values["logits"][STEP, question.word], abs=1e-3
        )


def test_a_head_shows_what_it_read_and_what_it_took() -> None:
    app = visit("why", show="parts", step=str(STEP), attention_kind="cross", layer="1", head="0")
    (_, weights), (title, shares) = lines(app)
    parts = split_logit(german_english().model, asked()).parts
    part = next(each.value for each in parts if (each.name, each.layer, each.head) == ("cross_attention", 1, 0))
    assert title == sentence("en", "why.head_takes", value=f"{part:+.2f}")
    assert sum(number(text) for _, text in shares) == pytest.approx(part, abs=0.08)
    assert max(weights, key=lambda each: number(each[1]))[0] == "Kino"


def test_which_method_to_trust_live_and_recorded() -> None:
    app = visit("why", show="trust", step=str(STEP))
    curves = table(app, "why-deletion")
    names = [*method_names.METHODS, method_names.RANDOM]
    assert list(dict.fromkeys(curves["method"])) == names
    starts = curves[curves["deleted"] == 0]["value"]
    probability = float(np.exp(leave_one_out.scores_without(german_english(), asked(), [()])[0]))
    assert starts.to_numpy() == pytest.approx([probability] * len(names), abs=1e-5)
    recording = Entry(SAMPLES / "de-en").card["attribution"]
    text = " ".join(inside(app, "figure_recorded"))
    for name in method_names.METHODS:
        assert f"{recording['first'][name][0]:.0%}" in text
        assert f"{recording['correlation'][name][0]:+.2f}".replace("-", "−") in text


def test_a_method_without_a_score_has_none_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    result = copy.deepcopy(Entry(SAMPLES / "de-en").card["attribution"])
    for name in ("correlation", "first", "area"):
        del result[name]["integrated"]
    monkeypatch.setattr(card_scores, "measured", lambda card: result)
    app = visit("why", show="trust", step=str(STEP))
    title = sentence("en", "why_method.integrated")
    assert sentence("en", "why.no_score", method=title) in [caption.value for caption in app.caption]
    assert f"{title}–" in " ".join(inside(app, "figure_recorded"))


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("checkpoint", "key"),
    [("gpt-char", "why.text"), ("mini-encoder", "why.text"), ("untrained-bert", "why.text"), ("dates", "why.source")],
)
def test_every_kind_of_model(checkpoint: str, key: str) -> None:
    for show in ("words", "trust", "parts"):
        app = visit("why", "zh", checkpoint=checkpoint, show=show)
        assert said(app) == []
        if show == "words":
            assert sentence("zh", key) in "".join(element.proto.body for element in app.main.get("html"))
        if show == "trust" and checkpoint.startswith("untrained"):
            assert sentence("zh", "why.not_measured_own") in inside(app, "figure_recorded")


def test_short_sentences_and_wrong_links_are_answered() -> None:
    app = visit("why", show="trust", sentence="Ja.")
    assert sentence("en", "why.too_short", fewest=3) in inside(app, "figure_curves")
    assert len(said(visit("why", rather="99999", step="77", method="guess"))) == 3
    assert said(visit("why", sentence=BUCH, step="2")) == []


def test_a_model_with_a_layer_before_its_output_says_that_the_logit_is_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logit_parts, "can_split", lambda model: False)
    assert sentence("en", "why.no_split") in inside(visit("why", show="parts"), "figure_parts")


def test_an_encoder_of_vectors_says_that_there_is_nothing_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why_question, "can_ask", lambda checkpoint: False)
    assert said(visit("why")) == [sentence("en", "why.no_output")]
