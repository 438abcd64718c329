"""Agreement with leave-one-out and deletion curves, by hand and over sentences."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest

from model.attribution import card_scores, method_names, trust
from model.attribution.why_question import Question
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import random_model
from tests.model.attribution.copier import GAIN, A, B, C, copier, passed
from tests.samples import SAMPLES, german_english

NAN = float("nan")


def test_agreement_ranks_the_words_that_have_a_reference() -> None:
    reference, places = np.array([NAN, 0.1, 0.2, 0.9]), [1, 2, 3]
    assert trust.agreement(np.array([9.0, 1, 2, 3]), reference, places) == pytest.approx(1)
    assert trust.agreement(np.array([9.0, 3, 2, 1]), reference, places) == pytest.approx(-1)
    assert math.isnan(trust.agreement(np.array([9.0, 3, 2, 1]), reference, [1, 2]))
    assert trust.same_first(np.array([9.0, 1, 1, 3]), reference, places)
    assert not trust.same_first(np.array([0.0, 3, 1, 1]), reference, places)


def test_a_curve_falls_when_the_cause_is_deleted() -> None:
    """<bos> b c a: deleting b first leaves no cause; deleting it last, its share of the tokens grows first."""
    checkpoint = copier()
    question = Question(passed(checkpoint, B, C, A), row=3, word=A, rather=C)
    orders = {"right": np.array([0.0, 3, 2, 1]), "wrong": np.array([9.0, 1, 2, 3])}
    curves = trust.deletion_curves(checkpoint, question, orders)
    assert curves["right"] == pytest.approx([GAIN / 4, 0, 0, 0], abs=1e-5)
    assert curves["wrong"] == pytest.approx([GAIN / 4, GAIN / 3, GAIN / 2, 0], abs=1e-5)
    assert curves["right"].mean() < curves[method_names.RANDOM].mean() < curves["wrong"].mean()


def test_over_sentences_the_reference_agrees_with_itself() -> None:
    sentences = Entry(SAMPLES / "de-en").card["examples"][:3]
    reports: list[int] = []
    results = trust.over_sentences(german_english(), [*sentences, "", "Ja"], report=reports.append)
    assert reports == [1, 2, 3, 4, 5]
    assert results["words"] == 3
    assert results["correlation"][method_names.REFERENCE] == [1, 1, 1]
    assert results["first"][method_names.REFERENCE] == [1, 1, 1]
    assert set(results["area"]) == {*method_names.METHODS, method_names.RANDOM}
    assert all(0 <= area[0] <= 1 for area in results["area"].values())
    again = trust.over_sentences(german_english(), sentences)
    assert again["correlation"] == results["correlation"]


def test_a_card_may_lack_the_scores_of_integrated_gradients_and_of_no_other_method() -> None:
    card = copy.deepcopy(Entry(SAMPLES / "de-en").card)
    for part in (card["attribution"], card["attribution"]["random"]):
        for table in ("correlation", "first", "area"):
            del part[table]["integrated"]
    result = card_scores.measured(card)
    assert result is not None
    assert card_scores.of_random_weights(result) is not None
    assert card_scores.best(result) == "attention"
    del card["attribution"]["first"]["gradient"]
    assert card_scores.measured(card) is None


def test_the_model_with_random_weights_is_asked_the_same() -> None:
    """If the model itself has these random weights, both results are one."""
    sentences = Entry(SAMPLES / "de-en").card["examples"][:3]
    trained = german_english()
    untrained = replace(trained, model=random_model(trained.model.config, 0))
    own = trust.over_sentences(untrained, sentences)
    assert own.pop("random") == own | {"seed": 0}
    results = trust.over_sentences(trained, sentences)
    assert results["random"]["words"] == results["words"]
    assert results["random"]["correlation"] != results["correlation"]
