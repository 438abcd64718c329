"""The list of questions, what the fixed ones claim, and answers as they are typed."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import nn

from model import masks
from model.config import TransformerConfig
from model.errors import InvalidInput
from model.initial_weights import count_parameters
from model.presets import PRESETS
from model.quiz.answers import number, shape
from model.quiz.posed_question import PosedQuestion, QuizMaterial
from model.quiz.questions import QUESTIONS, TOPICS
from model.trace import Recorder
from model.transformer import Transformer
from pages.quiz.question_choice import LIMIT
from pages.shared.text.words import all_texts
from tests.house.test_words import blanks
from tests.model.quiz.models import DRAWS, MODELS, asked, entry, run

LANGUAGES = ("en", "zh")


ALONE = {"which_mask", "shape_scores", "head_width", "pre_or_post", "attentions", "ffn_weights"}  # any model has these


def wrong_answers(one: PosedQuestion) -> Iterator[str]:
    """Answers that must not pass."""
    if one.kind == "choice":
        yield from (option for option in one.options if option != one.key)
    elif one.kind == "steps":
        yield from (str(option) for option in one.options if option != one.key)
    elif one.kind == "head":
        yield from (name for name in one.measured if name not in one.key)
    elif one.kind == "shape":
        yield from (", ".join(map(str, other)) for other in ((*one.key[::-1], 1), one.key[:-1], (one.key[0] + 1,)))
    else:
        yield from (
            repr(one.key + 0.1 * abs(one.key) + 0.1),
            repr(one.key - 0.1 * abs(one.key) - 0.1),
            repr(one.key + abs(one.key) + 2),
        )


def test_every_topic_of_the_textbook_is_asked() -> None:
    assert len(QUESTIONS) >= 30
    assert len(TOPICS) == 11
    assert all(sum(question.topic == topic for question in QUESTIONS.values()) >= 2 for topic in TOPICS)


@pytest.mark.sample(4)
@pytest.mark.parametrize("model", MODELS)
def test_every_checker_tells_right_from_wrong(model: str) -> None:
    for numbers in DRAWS:
        for name, one in asked(model, numbers).items():
            assert one.is_right(one.solution()), (name, one.solution())
            wrong = list(wrong_answers(one))
            assert wrong, name
            assert not [answer for answer in wrong if one.is_right(answer)], name
            if one.kind in ("choice", "steps"):
                assert len(set(map(str, one.options))) == len(one.options) >= 3
                assert one.key in one.options


@pytest.mark.parametrize("model", MODELS)
def test_what_a_model_can_be_asked(model: str) -> None:
    names, config = set(asked(model, 1)), entry(model).config
    gated = {"ffn_weights"} if config.gated else set()
    assert {name for name, question in QUESTIONS.items() if not question.live} | ALONE - gated <= names
    assert ("cross_shape" in names) == (config.architecture == "encoder-decoder")
    assert ("residual_sum" in names) == (config.norm != "post")
    assert ("allowed_cells" in names) == bool(config.decoder_layers)
    assert ("cache" in names) == bool(config.decoder_layers and not config.key_value_heads)


def test_the_first_model_finds_every_question_but_few() -> None:
    assert set(QUESTIONS) - set(asked("de-en", 1)) <= {"next_word"}


def test_the_same_number_gives_the_same_questions_and_another_does_not() -> None:
    material = QuizMaterial(entry("de-en").config, run("de-en")[1].trace, 5)
    for question in QUESTIONS.values():
        first, again = question.ask(material), question.ask(material)
        if first is not None and again is not None:
            assert (first.key, first.values, first.options) == (again.key, again.values, again.options)
    for name, question in QUESTIONS.items():
        result = {str((one[name].key, one[name].values)) for n in range(1, 9) if name in (one := asked("de-en", n))}
        assert question.varies is False or len(result) > 1, name


# what the fixed questions claim


def test_families_are_the_presets() -> None:
    expected = {"GPT": "decoder", "BERT": "encoder", "T5": "both"}
    for numbers in range(1, 20):
        one = asked("de-en", numbers)["families"]
        assert one.key == expected[str(one.values["family"])]
    assert (PRESETS["gpt"].config.architecture, PRESETS["bert"].config.architecture) == ("decoder", "encoder")


def small(**changes: object) -> Transformer:
    torch.manual_seed(0)
    sizes = {"source_vocabulary": 30, "target_vocabulary": 30, "d_model": 16, "heads": 2, "d_ff": 24}
    layers = {"encoder_layers": 2, "decoder_layers": 2, "max_length": 16, "dropout": 0.0}
    return Transformer(TransformerConfig(**(sizes | layers | changes))).eval()  # type: ignore[arg-type]


def test_outputs_move_with_their_words() -> None:
    model = small(position="none")
    ids, exchange = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[5, 8, 7, 6]])
    visible = torch.ones(1, 4, dtype=torch.bool)
    with torch.inference_mode():
        before, after = model.encode(ids, visible)[0], model.encode(exchange, visible)[0]
    torch.testing.assert_close(after, before[[0, 3, 2, 1]], atol=1e-5, rtol=1e-5)
    assert not torch.allclose(after, before, atol=1e-3)


def test_an_empty_row() -> None:
    scores, hidden = torch.randn(1, 5), torch.zeros(1, 5, dtype=torch.bool)
    assert masks.weights(scores, hidden, -math.inf).isnan().all()
    torch.testing.assert_close(masks.weights(scores, hidden, -1e9), torch.full((1, 5), 1 / 5))


def test_heads_cost_nothing() -> None:
    assert count_parameters(small(heads=2)) == count_parameters(small(heads=4))


def test_where_cross_attention_reads() -> None:
    model, record = small(norm="post"), Recorder()
    with torch.inference_mode():
        model(torch.tensor([[5, 6, 7]]), torch.tensor([[1, 9]]), torch.ones(1, 3, dtype=torch.bool), record)
        attend, values = model.decoder[0].cross_attention, record.values
        memory = torch.tensor(values["encoder.output"])[None]
        stream = torch.tensor(values["decoder.0.self_attention.residual"])[None]
        for part, source in (("q", stream), ("k", memory), ("v", memory)):
            projection = attend.split(getattr(attend, part)(source))[0]
            np.testing.assert_allclose(values[f"decoder.0.cross_attention.{part}"], projection, atol=1e-5)


def test_the_order_of_a_decoder_layer() -> None:
    names = [name for name in run("de-en")[1].trace.values if name.startswith("decoder.0.")]
    order = list(dict.fromkeys(name.split(".")[2] for name in names))
    assert order == ["self_attention", "cross_attention", "feed_forward"]


def test_a_learned_table_ends() -> None:
    with pytest.raises((InvalidInput, RuntimeError, IndexError)):
        small(position="learned").encode(torch.full((1, 20), 5), torch.ones(1, 20, dtype=torch.bool))


def test_layer_norm_reads_one_vector() -> None:
    x = torch.randn(3, 5, 16)
    norm = nn.LayerNorm(16)
    new = x.clone()
    new[1], new[0, 4] = 9.0, 7.0  # another sentence, another token
    assert torch.equal(norm(new)[0, 0], norm(x)[0, 0])
    new[0, 0, 3] += 1.0
    assert not torch.allclose(norm(new)[0, 0], norm(x)[0, 0])


def test_a_silent_sublayer_passes_x() -> None:
    model = small(norm="pre")
    record = Recorder(lambda name, value: value * 0 if name == "encoder.0.self_attention.output" else value)
    with torch.inference_mode():
        model.encode(torch.tensor([[5, 6, 7]]), torch.ones(1, 3, dtype=torch.bool), record)
    values = record.values
    np.testing.assert_array_equal(values["encoder.0.self_attention.residual"], values["encoder.input"])


def test_without_the_mask_the_loss_is_lower_and_the_writing_worse() -> None:
    from model.mistakes import learning

    healthy, broken = learning.pair("no_causal_mask")
    assert broken.loss[-1] < healthy.loss[-1]
    assert broken.exact < healthy.exact


def test_one_pass_gives_all_steps() -> None:
    """Teacher forcing: each place's logits are those of a pass over the words before it alone."""
    model, target = small(), torch.tensor([[1, 5, 9, 4]])
    source, visible = torch.tensor([[5, 6, 7]]), torch.ones(1, 3, dtype=torch.bool)
    with torch.inference_mode():
        together = model(source, target, visible)[0]
        for length in range(1, 5):
            torch.testing.assert_close(model(source, target[:, :length], visible)[0, -1], together[length - 1])


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.config.inputs == "tokens"])
def test_where_a_preset_has_its_norm(name: str) -> None:
    assert asked(f"untrained-{name}", 1)["pre_or_post"].key == PRESETS[name].config.norm


# answers as they are typed


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), (" 1,024 ", 1024), ("1,280,000", 1280000), ("0,5", 0.5), ("−0.14", -0.14), ("1/8", 0.125), ("50 %", 0.5),
     ("９．３", 9.3), ("2e3", 2000), ("0,487", 0.487), ("-0,125", -0.125), ("1.024,5", 1024.5), ("1.280.000", 1280000),
     ("12,3456", 12.3456), ("48,7 %", 0.487), ("1,5/0,5", 3)],
)  # fmt: skip
def test_numbers_are_read(text: str, value: float) -> None:
    assert number(text) == pytest.approx(value)


@pytest.mark.parametrize("mark", [".", ","])
def test_a_comma_is_a_decimal_mark_too(mark: str) -> None:
    for key in (0.487, 1.024, 0.5, 12.25, -3.125):
        assert PosedQuestion("number", key, rounding=0.0005).is_right(f"{key:.3f}".replace(".", mark)), key
    assert PosedQuestion("number", 1024).is_right("1,024")
    assert not PosedQuestion("number", 0.487, rounding=0.006).is_right("0,478")


@pytest.mark.parametrize("text", ["", "abc", "1/0", "nan", "inf", "1e999", "1/2/3", "__import__", "1.2.3", "²", "10²"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        number(text)
    assert error.value.code == "quiz_number"


@pytest.mark.parametrize("text", ["4, 9, 9", "(4,9,9)", "[4 9 9]", "4×9×9", "4 x 9 x 9", "（４，９，９）", "4、9、9"])
def test_shapes_are_read(text: str) -> None:
    assert shape(text) == (4, 9, 9)


@pytest.mark.parametrize("text", ["", "()", "4, a", "-4, 9", "4.5", "4" * 30])
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        shape(text)
    assert error.value.code == "quiz_shape"


# words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_has_its_words(name: str, language: str) -> None:
    """Title, question, hint, why, a word to every wrong option, nothing else, and no blank that stays open."""
    texts = {key.split(".")[1]: text for key, text in all_texts(language).items() if key.startswith(f"quiz_{name}.")}
    draws = [questions[name] for model in MODELS for numbers in (1, 2) if name in (questions := asked(model, numbers))]
    assert draws
    options = {option for one in draws if one.kind == "choice" and not one.texts for option in one.options}
    literal = {option for one in draws if one.texts and name == "inner_product" for option in one.options}
    keys = {str(one.key) for one in draws} if len({str(one.key) for one in draws} & options) > 1 else set()
    names = {"title", "question", "hint"} | {f"option_{option}" for option in options}
    names |= {f"wrong_{option}" for option in (options | literal) - {"right", "same"} | (options & {"same"})}
    names |= {"wrong"} if not options and not literal else set()
    if f"why_{next(iter(options), '')}" in texts or keys:
        names |= {f"why_{option}" for option in options}
    else:
        names |= {"why"}
    assert set(texts) == names
    for one in draws:
        values = set(one.values) | {"found"}
        assert not {blank for text in texts.values() for blank in blanks(text)} - values
        if one.values:
            for text in texts.values():
                text.format(**{**one.values, "found": ""})


def test_every_question_of_the_words_is_asked() -> None:
    tables = {key.split(".")[0].removeprefix("quiz_") for key in all_texts("en") if key.startswith("quiz_")}
    assert tables - {"topics", "columns", "figure"} == set(QUESTIONS)


def test_a_link_holds_every_choice() -> None:
    from pages.shared.session.view import SETTING_LIMIT

    assert len(",".join(QUESTIONS)) <= SETTING_LIMIT
    assert LIMIT > 1
