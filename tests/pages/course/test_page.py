"""The course: every step on any sentence, keys that another computation confirms, answers, and what it cannot show."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue as catalogue_of_models
from model.checkpoint import history
from model.decode.translate import translate
from model.tokenizer import SPECIALS
from pages.course.steps import END, STEPS
from pages.shared.text.words import catalogue
from tests.app import CARD, click, inside, nothing_is_marked_up, said, sentence, visit
from tests.fixtures import BUCH, KINO, LANGUAGES, MARKUP, german_english

pytestmark = pytest.mark.usefixtures("warm")
NAMES = (*STEPS, END)


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
    """The nearest row to the second longest token by torch's cosine."""
    model, tokenizer = german_english().model, german_english().tokenizer
    ids = tokenizer.encode(text)
    names = tokenizer.tokens(ids)
    worded = [place for place, name in enumerate(names) if name not in SPECIALS]
    first = max(worded, key=lambda place: len(names[place]))
    about = max((place for place in worded if place != first), key=lambda place: len(names[place]))
    table = model.source_embedding.weight.detach()
    cosines = torch.cosine_similarity(table, table[ids[about]][None], dim=-1)
    cosines[ids[about]] = -2
    return tokenizer.tokens([int(cosines.argmax())])[0]


def position(text: str) -> str:
    """How many tokens stay when a tap sets the encoder's positions to 0."""
    model = german_english()
    without = translate(model, text, tap=lambda name, value: 0 * value if name == "encoder.position" else value)
    before = translate(model, text).trace.output_tokens
    return str(sum(a == b for a, b in zip(before, model.tokenizer.tokens(without.ids), strict=False)))


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
    en = catalogue("en")
    return en["layers_place.input"] if not settled else en["layers_place.layer"].format(layer=settled - 1)


def writing(text: str) -> str:
    """What follows the second candidate of the first step, by whole passes without a cache."""
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
    snapshots = history.load(catalogue_of_models.find("de-en"))
    first = next(snapshot for snapshot in snapshots if snapshot.look.output == snapshots[-1].look.output)
    return f"{first.step:,}"


def head(text: str) -> str:
    """The largest weight in the row whose lead is the second largest: the figure opens with the first one."""
    trace, look = translate(german_english(), text).trace, CARD["first_look"]
    weights = torch.from_numpy(trace.weights("cross")[look["layer"], look["head"]])  # (Q, K)
    top = weights.topk(2).values
    rows = [row for row, word in enumerate(trace.output_tokens) if word not in SPECIALS]
    row = sorted(rows, key=lambda row: float(top[row, 1] - top[row, 0]))[1]
    return trace.source_tokens[int(weights[row].argmax())]


KEYS = {
    "lookup": lookup, "vectors": vectors, "position": position, "head": head, "heads": lambda _: "1.00",
    "layers": layers, "writing": writing, "learning": learning,
}  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_the_model_checks_the_question(step: str) -> None:
    app = visit("course", step=step, sentence=BUCH)
    assert said(app) == []
    assert len(set(labels(app))) == len(labels(app)) >= 3
    key = KEYS[step](BUCH)
    assert right(app) == key
    assert all(button.disabled for button in app.button if (button.key or "").startswith("option_"))
    assert f"✓ {sentence('en', f'course_{step}.short')}" in app.main.button_group(key="step").options[NAMES.index(step)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_each_step_is_complete_in_both_languages(language: str, name: str) -> None:
    app = visit("course", language, step=name, sentence=MARKUP)
    assert app.header[0].value == sentence(language, f"course_{name}.title")
    nothing_is_marked_up(app)
    text = catalogue("en")[f"course_{name}.text"]
    assert name == END or 80 <= len(text.split()) <= 150
    assert len(catalogue("zh")[f"course_{name}.text"]) > 90


def test_the_way_leads_through_all_steps() -> None:
    app = visit("course", factor="0", sentence=KINO)
    for name in NAMES[1:]:
        click(app, "next")
        assert app.header[0].value == sentence("en", f"course_{name}.title")
        assert "factor" not in app.query_params
    assert "next" not in [button.key for button in app.button]


def test_an_explanation_is_kept_and_compared_with_the_pass() -> None:
    app = visit("course", step=END, sentence=KINO)
    assert inside(app, "facts") == []
    app.text_area(key="explanation").set_value("because").run()
    app.toggle(key="compared").set_value(True).run()
    logits = torch.from_numpy(translate(german_english(), KINO).trace.values["logits"])
    share = float(logits.softmax(-1)[4].max())
    assert any("cinema" in line.value and f"{share:.1%}" in line.value.replace("\\", "") for line in app.markdown)
    click(app, "back")
    click(app, "next")
    assert app.text_area(key="explanation").value == "because"


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
