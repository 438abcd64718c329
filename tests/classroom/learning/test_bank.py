"""The questions of both forms: equal in kind, fair in their choices, and true by the model."""

import re
from collections import Counter
from dataclasses import replace

import pytest
import torch

from classroom.learning import bank
from classroom.learning.bank import Question
from model.initial_weights import count_parameters
from model.mistakes import learning
from model.trace import Recorder
from model.transformer import Transformer
from pages.shared.session.language_choice import speaking
from pages.shared.text.learning import Item, item
from tests.conftest import tiny
from tests.samples import LANGUAGES

BOTH = pytest.mark.parametrize("form", bank.FORMS)


def of(topic: str, form: str) -> Question:
    return next(question for question in bank.forms()[form] if question.topic == topic)


def english(topic: str, form: str) -> tuple[Item, str]:
    """The texts of a question, and its right choice."""
    question = of(topic, form)
    with speaking("en"):
        texts = item(question)
    return texts, texts.choices[question.right]


def numbers(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_both_forms_have_one_question_of_each_topic() -> None:
    forms = bank.forms()
    assert {form: tuple(question.topic for question in questions) for form, questions in forms.items()} == {
        "A": bank.TOPICS, "B": bank.TOPICS,
    }  # fmt: skip
    assert len(bank.by_id()) == 12
    assert bank.other("A") == "B"
    assert bank.other("B") == "A"


def test_the_right_choice_stands_in_each_place_equally_often_and_never_twice_in_the_same_for_a_topic() -> None:
    forms = bank.forms()
    assert set(Counter(question.right for question in bank.by_id().values()).values()) == {3}
    assert {len({question.right for question in questions}) for questions in forms.values()} == {bank.CHOICES}
    assert all(a.right != b.right for a, b in zip(*forms.values(), strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_choices_differ_and_the_right_one_is_not_told_by_its_size(language: str) -> None:
    with speaking(language):
        sizes = {question: [len(choice) for choice in item(question).choices] for question in bank.by_id().values()}
        assert all(len(set(item(question).choices)) == bank.CHOICES for question in bank.by_id().values())
    for question, each in sizes.items():
        assert max(each) <= 1.45 * min(each) + 2, question.id
    longest = sum(each[question.right] > sorted(each)[-2] for question, each in sizes.items())
    shortest = sum(each[question.right] < sorted(each)[1] for question, each in sizes.items())
    assert max(longest, shortest) <= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_questions_of_a_topic_are_alike_in_size(language: str) -> None:
    with speaking(language):
        for a, b in zip(*bank.forms().values(), strict=True):
            sizes = sorted(len(item(question).text) for question in (a, b))
            assert sizes[1] <= 1.25 * sizes[0] + 3, a.topic


@BOTH
def test_the_missing_weight_completes_its_row_and_the_wrong_ones_are_slips(form: str) -> None:
    texts, right = english("weights", form)
    _, a, b, c, _, d, e = numbers(texts.text)  # "Row 1: a, b, c. Row 2: d, e, x."
    assert a + b + c == pytest.approx(1)
    assert numbers(right)[0] == pytest.approx(1 - d - e)
    slips = {choice.split(",")[0] for choice in texts.choices} - {right.split(",")[0]}
    assert slips == {"Any number", f"{1 - c:.1f}", f"{d + e:.1f}"}


def test_rows_of_attention_weights_sum_to_1_and_columns_do_not() -> None:
    recorder = Recorder()
    tiny()(torch.tensor([[4, 5, 6]]), torch.tensor([[1, 4]]), tap=recorder)
    weights = recorder.values["decoder.0.cross_attention.weights"]  # (H, Q, K)
    assert weights.sum(-1) == pytest.approx(1, abs=1e-6)
    assert abs(weights.sum(-2) - 1).max() > 0.1


def test_without_a_causal_mask_the_loss_is_lower_and_the_outputs_are_wrong() -> None:
    healthy, broken = learning.pair("no_causal_mask")
    assert broken.loss[-1] < min(0.05, healthy.loss[-1])
    assert (broken.exact, healthy.exact > 0.9) == (0, True)


@BOTH
def test_an_encoder_without_positions_computes_the_same_vectors_in_another_order(form: str) -> None:
    texts, right = english("position", form)
    first, second = (quote.split() for quote in re.findall("“([^”]+ [^”]+)”", texts.text))
    assert sorted(first) == sorted(second)
    assert first != second
    assert right.startswith("They are equal")
    ids = {word: number for number, word in enumerate(sorted(first), 4)}

    def vectors(words: list[str], position: str) -> dict[str, list[float]]:
        recorder = Recorder()
        torch.manual_seed(0)
        model = Transformer(replace(tiny().config, position=position)).eval()
        model(torch.tensor([[ids[word] for word in words]]), torch.tensor([[1]]), tap=recorder)
        return dict(zip(words, recorder.values["encoder.output"].tolist(), strict=True))

    word = re.findall("“([^” ]+)”", texts.text)[-1]
    assert vectors(first, "none")[word] == pytest.approx(vectors(second, "none")[word], abs=1e-5)
    assert vectors(first, "sinusoidal")[word] != pytest.approx(vectors(second, "sinusoidal")[word], abs=1e-2)


@BOTH
def test_cross_attention_has_a_weight_for_each_token_that_was_read(form: str) -> None:
    texts, right = english("cross", form)
    read, wrote = (int(number) for number in numbers(texts.text))
    recorder = Recorder()
    tiny()(torch.randint(4, 9, (1, read)), torch.randint(4, 9, (1, wrote)), tap=recorder)
    last = recorder.values["decoder.0.cross_attention.weights"][0, -1]  # (K)
    assert numbers(right) == [len(last)]
    assert (last > 0).all()
    assert sorted(number for choice in texts.choices for number in numbers(choice)) == sorted(
        [wrote, read, read + wrote]
    )


@BOTH
def test_greedy_decoding_always_writes_the_likeliest_word(form: str) -> None:
    texts, right = english("decoding", form)
    given = {word: float(share) for word, share in re.findall(r"(\w+) (0\.\d+)", texts.text)}
    times = int(numbers(texts.text)[-1])
    assert sum(given.values()) == pytest.approx(1)
    assert re.findall("“(.+?)”", right) == [max(given, key=given.__getitem__)]
    assert numbers(right) == [times]
    sampled = next(choice for choice in texts.choices if choice.count("about") == 2)
    assert [float(n) for n in re.findall(r"about (\d+)", sampled)] == [
        pytest.approx(times * given[word]) for word in re.findall("“(.+?)”", sampled)
    ]


def test_training_changes_the_values_of_weights_and_not_their_number() -> None:
    model = tiny()
    before = [weights.clone() for weights in model.parameters()]
    count = count_parameters(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model(torch.tensor([[4, 5, 6]]), torch.tensor([[1, 4]])).square().mean().backward()
    optimizer.step()
    assert count_parameters(model) == count
    assert any(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))
