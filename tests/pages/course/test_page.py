"""The course: every step on any sentence, keys that another computation confirms, answers, and what it cannot show."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from classroom.learning import bank
from model.attribution.score_terms.terms import groups, score_row
from model.checkpoint import catalogue, history
from model.checkpoint.catalogue import Entry
from model.course.head import clearest, of_card
from model.course.position import exchanged
from model.decode.translate import translate
from model.edit import change_edits, edit_effects, notation
from model.tokenization.tokenizer import SPECIALS
from pages.course import explain
from pages.course.figures import learning as learning_figure
from pages.course.steps import END, STEPS
from pages.shared.text.notices import plain
from pages.shared.text.words import all_texts
from tests.app import CARD, click, inside, keys, nothing_is_marked_up, said, sentence, visit
from tests.figures import watching_figures
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, SAMPLES, either_language, german_english
from viz.data import Pin
from viz.figures.attention import AttentionFigure
from viz.figures.chart import Chart
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure
from viz.numbers import signed

pytestmark = pytest.mark.usefixtures("warm")
NAMES = (*STEPS, END)
CINEMA = {"sentence": KINO, "token": "4"}  # “cinema” needs no single head


def labels(app: AppTest) -> list[str]:
    """The options as shown."""
    return [button.label.replace("\\", "") for button in app.button if (button.key or "").startswith("option_")]


def right(app: AppTest) -> str:
    """The option that turns out right when one after the other is tried."""
    for number, label in enumerate(labels(app)):
        click(app, f"option_{number}")
        if labels(app)[number] == f"✓ {label}":
            return label
        assert labels(app)[number] == f"✗ {label}"
        assert app.button(key=f"option_{number}").disabled
    pytest.fail("no option is right")


def lookup(text: str) -> str:
    return f"{1 / len(german_english().tokenizer.encode(text)):.3f}"


def vectors(text: str) -> str:
    """The nearest row to the second longest token that is written, by torch's cosine."""
    model, tokenizer = german_english().model, german_english().tokenizer
    ids = translate(german_english(), text).ids
    names = tokenizer.tokens(ids)
    worded = [place for place, name in enumerate(names) if name not in SPECIALS]
    first = max(worded, key=lambda place: len(names[place]))
    about = max((place for place in worded if place != first), key=lambda place: len(names[place]))
    table = model.target_embedding.weight.detach()
    cosines = torch.cosine_similarity(table, table[ids[about]][None], dim=-1)
    cosines[ids[about]] = -2
    return tokenizer.tokens([int(cosines.argmax())])[0]


def without_positions(text: str) -> str:
    """Translate while a tap sets the encoder's positions to 0."""

    def tap(name: str, value: torch.Tensor) -> torch.Tensor:
        return 0 * value if name == "encoder.position" else value

    return translate(german_english(), text, tap=tap).text


def position(_: str) -> str:
    """The two orders of the example give different outputs, and the same without positions."""
    sara, tom = "Sara ist größer als Tom.", "Tom ist größer als Sara."
    assert translate(german_english(), sara).text != translate(german_english(), tom).text
    assert without_positions(sara) == without_positions(tom)
    return "0"


def layers(text: str) -> str:
    """The first place from which the model's own ending gives the final word."""
    model, trace = german_english().model, translate(german_english(), text).trace
    words = trace.output_tokens
    step = max((p for p, word in enumerate(words) if word not in SPECIALS), key=lambda p: len(words[p]))
    names = ["decoder.input", *(f"decoder.{n}.feed_forward.residual" for n in range(model.config.decoder_layers))]
    with torch.inference_mode():
        streams = [torch.from_numpy(trace.values[name][step]) for name in names]
        best = [int(model.output(model.decoder_norm(x)).argmax()) for x in streams]
    settled = next(place for place in range(len(best)) if set(best[place:]) == {best[-1]})
    en = all_texts("en")
    return en["layers_place.input"] if not settled else en["layers_place.layer"].format(layer=settled - 1)


def writing(text: str) -> str:
    """Token that follows the second candidate of the first step, by whole passes without a cache."""
    model, tokenizer = german_english().model, german_english().tokenizer
    source, target = torch.tensor([tokenizer.encode(text)]), [1]
    with torch.inference_mode():
        second = (
            model(source, torch.tensor([target]), torch.ones_like(source, dtype=torch.bool))[0, -1].topk(2).indices[1]
        )
        target.append(int(second))
        return tokenizer.tokens(
            [int(model(source, torch.tensor([target]), torch.ones_like(source, dtype=torch.bool))[0, -1].argmax())]
        )[0]


def learning(text: str) -> str:
    """The first snapshot with the output of the last."""
    snapshots = history.load(catalogue.find("de-en"))
    first = next(snapshot for snapshot in snapshots if snapshot.probe.output == snapshots[-1].probe.output)
    return f"{first.step:,}"


def head(text: str) -> str:
    """The largest weight in the row whose lead is the second largest: the figure opens with the first one."""
    trace, look = translate(german_english(), text).trace, CARD["first_look"]
    weights = torch.from_numpy(trace.weights("cross")[look["layer"], look["head"]])  # (Q, K)
    top = weights.topk(2).values
    rows = [row for row, word in enumerate(trace.output_tokens) if word not in SPECIALS]
    row = sorted(rows, key=lambda row: float(top[row, 1] - top[row, 0]))[1]
    return trace.source_tokens[int(weights[row].argmax())]


def heads(text: str) -> str:
    """The head with the largest mean of the diagonal below the main one."""
    weights = torch.from_numpy(translate(german_english(), text).trace.weights("decoder"))  # (L, H, T, T)
    means = weights.diagonal(-1, -2, -1).mean(-1)
    return " · ".join(map(str, divmod(int(means.argmax()), means.shape[1])))


def cross(text: str) -> str:
    tokenizer = german_english().tokenizer
    return str(len(tokenizer.encode(text)) * len(translate(german_english(), text).ids))


KEYS = {
    "lookup": lookup, "vectors": vectors, "position": position, "head": head, "heads": heads,
    "mask": lambda _: "1.00", "layers": layers, "cross": cross, "writing": writing, "learning": learning,
}  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("step", STEPS)
def test_the_model_checks_the_question(step: str) -> None:
    app = visit("course", step=step, sentence=BUCH)
    assert said(app) == []
    assert len(set(labels(app))) == len(labels(app)) >= 3
    key = KEYS[step](BUCH)
    assert right(app) == key
    assert all(button.disabled for button in app.button if (button.key or "").startswith("option_"))
    assert f"✓ {sentence('en', f'course_{step}.short')}" in app.main.button_group(key="step").options[NAMES.index(step)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_each_step_is_complete_in_both_languages(language: str, name: str) -> None:
    app = visit("course", language, step=name, sentence=MARKUP)
    assert app.header[0].value == sentence(language, f"course_{name}.title")
    nothing_is_marked_up(app)
    text = all_texts("en")[f"course_{name}.text"]
    assert name == END or 80 <= len(text.split()) <= 150
    assert len(all_texts("zh")[f"course_{name}.text"]) > 90


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.main.caption]


def outputs(app: AppTest) -> list[str]:
    """Outputs of the model for the two orders of the words."""
    return [text.value for text in app.main.text][-2:]


def test_without_positions_two_orders_of_words_are_one() -> None:
    app = visit("course", step="position", sentence=KINO)
    assert outputs(app) == ["Sara is taller than Tom.", "Tom is taller than Sara."]
    assert sentence("en", "course_position.different") in captions(app)
    app.toggle(key="without").set_value(True).run()
    assert outputs(app) == [without_positions("Sara ist größer als Tom.")] * 2
    assert sentence("en", "course_position.same") in captions(app)
    assert sentence("en", "course_position.unchanged") not in captions(app)
    # a sentence whose words are enough, and says so
    app.segmented_control(key="read").set_value("own").run()
    assert translate(german_english(), KINO).text == without_positions(KINO)
    assert outputs(app) == [without_positions(KINO)] * 2
    assert sentence("en", "course_position.unchanged") in captions(app)
    assert right(app) == "0"


def without_mask(text: str) -> torch.Tensor:
    """Weights of the first layer in a pass without the mask, (H, T, T): another way than from the scores."""
    checkpoint, run = german_english(), translate(german_english(), text)
    [change], _ = notation.read("unmask:causal")
    return torch.from_numpy(
        edit_effects.outcome(checkpoint, run, change_edits.edits_of(checkpoint, run, change)).weights["decoder"][0]
    )


def test_without_the_mask_the_rows_look_at_later_tokens_as_in_a_pass_without_it() -> None:
    shown: list[np.ndarray] = []

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, MatrixFigure):
            shown.append(figure.matrices[0].values)

    with watching_figures(keep):
        app = visit("course", step="mask", sentence=KINO)
        assert sentence("en", "course_mask.later", share="0.00") in captions(app)
        app.toggle(key="without").set_value(True).run()
    recorded = translate(german_english(), KINO).trace.weights("decoder")[0]  # (H, T, T)
    free = without_mask(KINO)
    head = int(free.triu(1).sum((-1, -2)).argmax())
    assert np.allclose(shown[0], recorded[head], atol=1e-6)
    assert np.allclose(shown[-1], free[head].numpy(), atol=1e-6)
    share = free[head].triu(1).sum(-1).mean()
    assert sentence("en", "course_mask.later", share=f"{share:.2f}") in captions(app)


def test_without_cross_attention_the_output_is_the_same_for_every_sentence() -> None:
    outputs_without = set()
    for text in (KINO, BUCH):
        app = visit("course", step="cross", sentence=text)
        assert [text.value for text in app.main.text][-1] == translate(german_english(), text).text
        assert sentence("en", "course_cross.cut") not in captions(app)
        app.toggle(key="without").set_value(True).run()
        assert sentence("en", "course_cross.cut") in captions(app)
        outputs_without.add([text.value for text in app.main.text][-1])

    def tap(name: str, value: torch.Tensor) -> torch.Tensor:
        return 0 * value if name.endswith("cross_attention.head_outputs") else value

    assert outputs_without == {translate(german_english(), KINO, tap=tap).text}


def test_the_map_of_the_course_has_the_shapes_of_the_pass() -> None:
    app = visit("course", step="cross", sentence=BUCH)
    [proto] = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("architecture")]
    tall = json.loads(json.loads(proto.json) if proto.json else proto.bytes)["tall"]
    run = translate(german_english(), BUCH)
    read, written = len(german_english().tokenizer.encode(BUCH)), len(run.ids)
    assert f"(4, {written}, {read})" in tall
    assert f"(4, {read}, {read})" in tall


def test_old_links_to_the_steps_lead_to_the_same_figures() -> None:
    for step, figure in (("head", "course_head"), ("heads", "course_heads")):
        app = visit("course", step=step, sentence=KINO)
        assert said(app) == []
        assert any(figure in str(getattr(element, "key", "")) for element in app.main), step


def test_the_head_of_the_first_step_is_named() -> None:
    look = CARD["first_look"]
    texts = " ".join(inside(visit("course", step="lookup"), "course_text"))
    assert f"layer {look['layer']}, head {look['head']}" in texts


@pytest.mark.parametrize("step", ["lookup", "writing", "layers"])
def test_no_chart_has_signs_or_colours_without_a_word_about_them(step: str) -> None:
    specs: list[str] = []

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, Chart):
            specs.append(json.dumps(figure.spec, ensure_ascii=False))

    with watching_figures(keep):
        app = visit("course", step=step, sentence=KINO)
    assert specs
    assert not re.search("[▲▼]| =", "".join(re.findall(r'"below": "(.*?)"', specs[0])))
    if step == "layers":
        assert sentence("en", "course_layers.legend") in captions(app)
    else:
        assert "condition" not in specs[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_that_writes_nothing_yet_says_so(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *rest = history.load(catalogue.find("de-en"))  # which wrote something, as not every training does
    silent = replace(first, probe=replace(first.probe, output=""))
    monkeypatch.setattr(learning_figure, "_snapshots", lambda entry: (silent, *rest))
    app = visit("course", language, checkpoint="de-en", step="learning")
    assert inside(app, "course_output")[-1] == sentence(language, "frame.nothing")


def test_the_training_that_is_shown_is_of_a_model_of_the_user_s_language() -> None:
    app = visit("course", "zh", checkpoint="untrained-paper", step="learning")
    probe = history.load(catalogue.find("zh-en"))[0].probe.sentence
    assert any(plain(probe) in line.value for line in app.caption)


def test_the_question_about_neighbours_says_which_token_to_choose() -> None:
    app = visit("course", step="vectors", sentence=BUCH)
    token = asked(app).split("“")[1].split("”")[0]
    assert any(f"Choose “{token}”" in line.value for line in app.markdown)


def test_a_typed_sentence_is_the_one_that_is_read() -> None:
    own_sentence = "Ich esse Käse und Brot."
    app = visit("course", step="position", sentence=own_sentence)
    assert outputs(app) == [
        translate(german_english(), text).text for text in (own_sentence, "Brot esse Käse und Ich.")
    ]


@pytest.mark.parametrize(
    ("read", "other"), [("Wo ist das Buch?", "Buch ist das Wo?"), ("我帮助他。", "他帮助我。"), ("a", "a"), ("", "")]
)
def test_the_first_and_the_last_word_change_places(read: str, other: str) -> None:
    assert exchanged(read) == other


def test_another_token_in_the_figure_leaves_the_question_alone() -> None:
    for step in ("layers", "lookup"):
        app = visit("course", step=step, sentence=BUCH)
        before = asked(app)
        right(app)
        labels_after = labels(app)
        app.segmented_control(key="token").set_value(0).run()
        assert asked(app) == before
        assert labels(app) == labels_after


def asked(app: AppTest) -> str:
    label, _ = sentence("en", "course.asks").split("{text}")
    return next(line.value for line in app.markdown if line.value.startswith(label))


def test_chinese_has_no_space_after_its_wide_marks() -> None:
    app = visit("course", "zh", step="lookup")
    right(app)
    lines = [line.value for line in app.markdown]
    assert sum(line.startswith(("**动手试试**：", "**思考题**：", "**回答正确**。")) for line in lines) == 3
    assert not [line for line in lines if re.search("[，。：；！？] ", line)]


def test_a_step_solved_with_another_sentence_says_so() -> None:
    app = visit("course", step="lookup", sentence=BUCH)
    right(app)
    assert sentence("en", "course.solved") not in captions(app)
    app.text_input(key="sentence").set_value("Kannst du mir bitte helfen?").run()
    assert app.main.button_group(key="step").options[0].startswith("✓")
    assert not any(label.startswith("✓") for label in labels(app))
    assert sentence("en", "course.solved") in captions(app)


def scrolled(app: AppTest, key: str) -> bool:
    """Whether the run brings that container into view."""
    return any(f"'.st-key-{key}'" in element.proto.body for element in app.main.get("html"))


def test_an_answer_and_a_new_step_are_brought_into_view() -> None:
    app = visit("course", sentence=BUCH)
    assert not scrolled(app, "question")
    assert not scrolled(app, "head_line")
    click(app, "option_0")
    assert scrolled(app, "question")
    app.segmented_control(key="token").set_value(0).run()
    assert not scrolled(app, "question")
    click(app, "next")
    assert scrolled(app, "head_line")


def test_the_end_leads_to_open_steps_and_to_the_next_page() -> None:
    app = visit("course", step="lookup", sentence=BUCH)
    assert app.main.get("page_link") == []
    right(app)
    app.main.button_group(key="step").set_value(END).run()
    assert [link.proto.label for link in app.main.get("page_link")] == [
        sentence("en", "frame.next", page=sentence("en", "pages.sheet"))
    ]
    left = [button.key for button in app.button if (button.key or "").startswith("open_")]
    assert left == [f"open_{name}" for name in STEPS if name != "lookup"]
    click(app, "open_layers")
    assert app.header[0].value == sentence("en", "course_layers.title")


def test_the_way_leads_through_all_steps() -> None:
    app = visit("course", factor="0", sentence=KINO)
    for name in NAMES[1:]:
        click(app, "next")
        assert app.header[0].value == sentence("en", f"course_{name}.title")
        assert "factor" not in app.query_params
    assert "next" not in [button.key for button in app.button]


def test_a_head_that_hardly_matters_is_not_said_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def facts() -> str:
        return " ".join(inside(visit("course", step=END, compared="1", **CINEMA), "facts"))

    assert "no single cross-attention head decides" in facts()
    monkeypatch.setattr(explain, "LITTLE", 0.0)
    assert "no single cross-attention head decides" not in facts()
    assert "counts most" in facts()


def test_an_explanation_is_kept_and_compared_with_the_pass() -> None:
    app = visit("course", step=END, **CINEMA)
    assert inside(app, "facts") == []
    app.text_area(key="explanation").set_value("because").run()
    app.toggle(key="compared").set_value(True).run()
    logits = torch.from_numpy(translate(german_english(), KINO).trace.values["logits"])
    share = float(logits.softmax(-1)[4].max())
    facts = [element.proto.body for element in app.main.get("html") if "gf-prose" in element.proto.body]
    assert any("cinema" in fact and f"{share:.1%}" in fact for fact in facts)
    assert any('id="term-course-explain-mattered_little-log-probability"' in fact for fact in facts)
    click(app, "back")
    click(app, "next")
    assert app.text_area(key="explanation").value == "because"


def test_the_figure_shows_the_token_to_explain() -> None:
    pins: list[Pin | None] = []

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, AttentionFigure):
            pins.append(figure.look.pin)

    with watching_figures(keep):
        app = visit("course", step=END, sentence=KINO)
        assert pins[-1] == ("cross", 4, None)
        app.segmented_control(key="token").set_value(0).run()
        assert pins[-1] == ("cross", 0, None)


def test_a_sentence_is_typed_in_the_step_that_explains_it() -> None:
    app = visit("course", step=END, sentence=KINO)
    assert app.text_input(key="own_sentence").value == KINO
    app.text_input(key="own_sentence").set_value(BUCH).run()
    assert app.text_input(key="sentence").value == BUCH
    assert app.segmented_control(key="token").value is not None
    assert "book" in app.segmented_control(key="token").options


@pytest.mark.sample(2)
@pytest.mark.parametrize("model", ["zh-en", "reverse-no-position", "addition", "untrained-notebook"])
def test_every_encoder_decoder_can_be_followed(model: str) -> None:
    for name in NAMES:
        app = visit("course", checkpoint=model, step=name)
        assert not app.exception, name
        assert name == END or len(labels(app)) >= 2, name


@pytest.mark.parametrize("model", ["gpt-char", "mini-encoder"])
def test_a_model_with_one_side_offers_another(model: str) -> None:
    app = visit("course", checkpoint=model)
    assert sentence("en", "course.needs") in [text.value for text in app.text]
    assert labels(app) == []


def test_who_takes_the_course_alone_may_answer_before_and_after_it() -> None:
    app = click(visit("course"), "test_open")
    assert sentence("en", "lesson_test.own_stored") in inside(app, "course_test")
    click(app, "test_agree")
    for phase, right in (("before", False), ("after", True)):
        for _ in bank.TOPICS:
            question = bank.by_id()[(app.radio[0].key or "").removeprefix("test_")]
            app.radio[0].set_value(question.right if right else bank.UNKNOWN).run()
            click(app, "test_next")
        if phase == "before":
            click(app, "test_close")
            next(group for group in app.main.button_group if group.key == "step").set_value(END).run()
            click(app, "test_open")
    assert sentence("en", "lesson_test.result", before=0, after=6, count=6) in inside(app, "course_test")
    click(app, "test_delete")
    assert "test_open" not in keys(app)  # nothing to compare with any more


@either_language
def test_one_head_says_why_its_clearest_line_leads_there(language: str) -> None:
    """The number of the largest term is that of the terms, and the link opens the cell."""
    run, checkpoint = translate(german_english(), KINO), german_english()
    layer, number = of_card(Entry(SAMPLES / "de-en").card, checkpoint.model.config)
    place = clearest(run.trace, layer, number)
    assert place is not None
    row = score_row(checkpoint.model, run.trace.values, "cross", layer, number, place[0])
    sums = [
        float(row.table(place[1], centred=True)[np.ix_(rows, columns)].sum())
        for rows in groups(row.queries).values()
        for columns in groups(row.keys).values()
    ]
    app = visit("course", language, checkpoint="de-en", sentence=KINO, step="head")
    says = next(text.value for text in app.main.text if run.trace.source_tokens[place[1]] in text.value)
    assert signed(max(sums)) in says
    assert signed(row.score(place[1], centred=True)) in says
    [link] = [each for each in app.main if each.type == "page_link"]
    assert f"query={place[0]}&key={place[1]}" in link.proto.query_string
