"""Sampling on the decoding page: what it begins with, what older links mean, and what the chart leaves out."""

import math

import pytest
import torch

from model.build.recipes import RECIPES, Recipe
from model.checkpoint.catalogue import Entry
from model.decode import forced_tokens
from model.decode.start import decoding_start
from model.decode.token_sampling import Sampling
from pages.decoding.decoding_controls import USUAL_TOP_P
from tests.app import controls, said, sentence
from tests.pages.decoding.page import fresh, opened, sent, texts, trace_of
from tests.samples import KINO, LANGUAGES, SAMPLES, german_english

pytestmark = pytest.mark.usefixtures("warm")


def written(app) -> list[int]:
    return [step["id"] for step in sent(app)["steps"]]


def sampled(top_p: float) -> list[int]:
    checkpoint = german_english()
    start = decoding_start(checkpoint, KINO)
    return list(forced_tokens.follow(checkpoint.model, start, (), Sampling(top_p=top_p)).ids)


def asked(app, key: str) -> str:
    value = app.query_params[key]
    return value if isinstance(value, str) else value[0]


def test_the_first_sampled_sentence_is_one_that_the_model_could_mean() -> None:
    app = opened()
    controls(app)["way"].set_value("sample").run()
    assert not app.exception
    assert app.slider(key="top_p").value == USUAL_TOP_P
    assert asked(app, "top_p") == "0.9"  # so that the link keeps its meaning
    assert written(app) == sampled(0.9)
    ids = written(app)
    assert min(float(row[id_]) for row, id_ in zip(trace_of(ids), ids, strict=True)) > math.log(0.02)
    again = opened(way="sample", top_p=asked(app, "top_p"))
    assert written(again) == ids


def test_a_link_from_before_still_draws_from_all_words() -> None:
    app = opened(way="sample")
    assert app.slider(key="top_p").value == 1
    assert written(app) == sampled(1.0) != sampled(0.9)
    assert asked(app, "top_p") == "1"
    assert said(app) == []
    app.slider(key="temperature").set_value(0.5).run()
    assert asked(app, "top_p") == "1"
    app.slider(key="top_p").set_value(0.9).run()
    assert asked(app, "top_p") == "0.9"


def test_a_greedy_link_says_nothing_of_a_cut() -> None:
    app = opened()
    assert "top_p" not in app.query_params
    assert written(app) == fresh([])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_shown_is_told_with_the_numbers_of_the_step(language: str) -> None:
    text = texts(opened(language, way="sample", top_p="0.9", view="sampling", step="2"))
    shares = trace_of(sampled(0.9))[2].exp()
    top = float(torch.topk(shares, 10).values.sum())
    count = len(shares) - 10
    values = {"share": top, "others": 1 - top, "each": (1 - top) / count}
    values = {key: "<0.01%" if share < 0.0001 else f"{share:.2%}" for key, share in values.items()}
    assert sentence(language, "decoding_sampling.outside", shown=10, count=f"{count:,}", **values) in text
    assert 0.05 < 1 - top < 0.12  # what label smoothing of 0.1 leaves there
    smoothing = sentence(language, "decoding_sampling.smoothing", smoothing="0.1", vocabulary=f"{len(shares):,}")
    assert smoothing in text


def test_a_cut_that_leaves_one_word_is_told() -> None:
    one = sentence("en", "decoding_sampling.one")
    address = {"sentence": "Warum lernst du Deutsch?", "way": "sample", "view": "sampling"}
    assert one in texts(opened(**address, top_p="0.9"))  # the first word has more than that
    assert one not in texts(opened(**address, top_p="1", top_k="5"))
    assert one not in texts(opened(**address))


def test_smoothing_is_told_of_no_model_that_had_none() -> None:
    without = texts(opened(checkpoint="gpt-char", way="sample", view="sampling"))
    assert "label smoothing" not in without
    assert "are spread over" in without
    untrained = texts(opened(checkpoint="untrained-gpt", way="sample", view="sampling"))
    assert "label smoothing" not in untrained
    assert "are spread over" in untrained


@pytest.mark.parametrize("name", RECIPES)
def test_a_card_tells_of_the_smoothing_in_its_recipe(name: str) -> None:
    recipe = RECIPES[name]
    training = recipe.training if isinstance(recipe, Recipe) else recipe.settings
    assert Entry(SAMPLES / name).card["training"]["label_smoothing"] == training.label_smoothing
