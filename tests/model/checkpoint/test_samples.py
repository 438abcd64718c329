"""Every sample checkpoint: its card says what the model does, its history is that of its training."""

import json
import math
import random
import string
from dataclasses import asdict
from datetime import date, timedelta
from functools import cache

import numpy as np
import pytest

from corpora.corpus import Corpus
from corpora.tasks.small_talk import SmallTalk
from corpora.tasks.user_text import Passage
from model.build import build, recipes
from model.build.evaluation import generated, judge
from model.checkpoint import catalogue, checkpoints, history
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.decode import length_generalisation
from model.decode.translate import translate, translate_all
from model.initial_weights import count_parameters
from model.trace import load_trace
from model.train import llm_changes
from model.train.objectives import fill
from model.train.run_settings import RunSettings
from tests.samples import SAMPLES

METHODS = ("learned", "relative", "rotary", "alibi", "no-position")  # of positions, beside the sines
LLM = tuple(llm_changes.series())
OURS = tuple(name for name in recipes.RECIPES if name not in ("de-en", "zh-en"))  # these have tests of their own
VARIANTS = tuple(name for name in OURS if getattr(recipes.find(name), "variant_of", "") and name not in LLM)
SLICE = 100  # cases of each that are judged again here


@cache
def loaded(name: str) -> Checkpoint:
    return checkpoints.load(Entry(SAMPLES / name))


@cache
def card(name: str) -> dict:
    return Entry(SAMPLES / name).card


@cache
def data(name: str) -> Corpus:
    recipe = recipes.find(name)
    return recipe.corpus(recipe.seed)


def test_they_are_small_together() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) <= 73_000_000


def test_the_first_one_shown_is_the_translator() -> None:
    assert catalogue.default(catalogue.entries()).name == "de-en"
    assert next(iter(catalogue.entries())) != "de-en", "this test means nothing where it is the first by name"


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", OURS)
def test_the_card_agrees_with_the_files(name: str) -> None:
    entry, recipe = Entry(SAMPLES / name), recipes.find(name)
    assert entry.is_sound()
    assert card(name)["parameters"] == count_parameters(loaded(name).model)
    assert card(name)["command"] == f"python -m model train {name}"
    assert card(name)["examples"] == list(recipe.examples)
    assert (card(name)["training"]["steps"], card(name)["training"]["seed"]) == (recipe.steps, recipe.seed)
    assert 0 < card(name)["training"]["minutes"] < (60 if isinstance(recipe, recipes.RunRecipe) else 90)
    if isinstance(recipe, recipes.RunRecipe):
        # a choice that was added later stands at its default
        settings = {key: value for key, value in asdict(recipe.settings).items() if key != "own"}
        assert asdict(RunSettings()) | card(name)["run"] | {"own": ""} == asdict(RunSettings()) | settings | {"own": ""}
        same = set(asdict(recipe.settings)) & set(asdict(loaded(name).model.config))
        assert "heads" in same
        assert all(
            getattr(loaded(name).model.config, key) == getattr(recipe.settings, key)
            for key in same - {"encoder_layers"}
        )
    assert card(name)["data"][0]["licence"] == "ours"
    look = card(name)["first_look"]
    weights = translate(loaded(name), card(name)["examples"][0]).trace.weights(look["attention_kind"])
    assert look["layer"] < weights.shape[0]
    assert look["head"] < weights.shape[1]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", OURS)
def test_the_recorded_example_is_what_the_model_does(name: str) -> None:
    recording = load_trace(SAMPLES / name / "example.npz")
    run = translate(loaded(name), card(name)["examples"][0])
    assert card(name)["example_translation"] == run.text
    assert (recording.source_tokens, recording.target_tokens) == (run.trace.source_tokens, run.trace.target_tokens)
    for kind in run.trace.kinds:
        np.testing.assert_allclose(recording.weights(kind), run.trace.weights(kind), atol=2e-3)


@pytest.mark.parametrize("name", OURS)
def test_the_prose_card_says_the_same_numbers(name: str) -> None:
    prose = (SAMPLES / name / "card.md").read_text(encoding="utf-8")
    assert f"{card(name)['parameters']['total']:,} parameters" in prose
    assert card(name)["command"] in prose
    for score in card(name)["scores"].values():
        for key, value in score.items():
            text = f"{value:.1%}" if key in ("exact", "accuracy", "most_frequent", "possible") else str(value)
            assert f"| {text} " in prose or f"`{text}`" in prose
    for sample in (*card(name)["outputs"]["right"], *card(name)["outputs"]["wrong"]):
        assert f"`{sample['source']}` → `{sample['output']}`" in prose


# scores


@pytest.mark.parametrize("name", [name for name in OURS if recipes.find(name).required])
def test_the_scores_are_what_was_asked_for(name: str) -> None:
    for test, (key, at_least, cases) in recipes.find(name).required.items():
        assert card(name)["scores"][test][key] >= at_least
        assert card(name)["scores"][test]["pairs"] == cases


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_in_one_choice(name: str) -> None:
    base = card(name)["variant_of"]
    ours, theirs = card(name)["run"], card(base)["run"]
    assert len([key for key in ours if ours[key] != theirs[key]]) == 1
    assert card(name)["data"] == card(base)["data"]
    assert [point.step for point in history.curve(Entry(SAMPLES / name))] == [
        point.step for point in history.curve(Entry(SAMPLES / base))
    ]


def test_one_head_adds_far_worse_than_four() -> None:
    assert (
        card("addition")["scores"]["addition"]["exact"] - card("addition-one-head")["scores"]["addition"]["exact"] > 0.2
    )


def test_one_head_does_not_find_the_largest_and_the_smallest_and_two_do() -> None:
    """With as many parameters, the same data and the same steps."""
    one, two = card("spread-one-head"), card("spread")
    assert one["parameters"] == two["parameters"]
    assert two["scores"]["spread"]["exact"] > 0.9
    assert one["scores"]["spread"]["exact"] < 0.7
    files = [path for name in ("spread", "spread-one-head") for path in (SAMPLES / name).iterdir()]
    assert sum(path.stat().st_size for path in files) <= 150_000


def test_without_positions_nothing_can_be_turned_round() -> None:
    """Attention alone does not know the order: the score is far from that of its twins."""
    names = ("reverse", "reverse-learned", "reverse-no-position", "reverse-post-norm")
    exact = {name: card(name)["scores"]["reverse"]["exact"] for name in names}
    assert exact["reverse-no-position"] < 0.1
    assert min(share for name, share in exact.items() if name != "reverse-no-position") > 0.9


def test_ways_to_give_positions_go_on_differently_beyond_training() -> None:
    """All copy words of up to 8 letters, which they were trained on; on longer ones they part."""
    shares = {
        name: length_generalisation.by_letters(loaded(name), "copy", (8, 10, 14), 40).right.tolist()
        for name in ("copy-8", *(f"copy-8-{method}" for method in METHODS))
    }
    assert min(share[0] for name, share in shares.items() if name != "copy-8-no-position") > 0.97
    assert shares["copy-8-no-position"][0] < 0.7
    assert all(share[2] < share[0] for share in shares.values())
    tenth = [share[1] for share in shares.values()]
    assert max(tenth) - min(tenth) > 0.2


def test_the_text_model_beats_counting_letters() -> None:
    score = card("gpt-char")["scores"]["text"]
    assert score["bits"] < score["ngram_bits"] - 0.3
    assert 1 <= score["ngram_order"] <= 5
    assert score["characters"] > 10_000


def test_the_encoder_finds_far_more_than_the_most_frequent_word() -> None:
    score = card("mini-encoder")["scores"]["small-talk"]
    assert score["accuracy"] > 4 * score["most_frequent"]
    assert score["accuracy"] > score["possible"] - 0.1


def test_the_best_guesser_knows_what_a_sentence_leaves_open() -> None:
    corpus = SmallTalk()
    assert corpus.possible(["he", None, "drinking", "tea", "now", "."]) == 1
    assert corpus.possible(["he", "is", "drinking", None, "now", "."]) == pytest.approx(1 / 3)
    assert corpus.possible(["she", "reads", None, "often", None]) == pytest.approx((1 / 2 + 1) / 2)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", OURS)
def test_a_slice_of_its_cases_scores_as_the_card_says(name: str) -> None:
    count = 1000 if name in ("addition-one-head", "spread") else SLICE  # all: of the first cases more or fewer are hard
    result = judge(loaded(name), card(name)["task"], data(name), count).scores
    assert result.keys() == card(name)["scores"].keys()
    for test, score in result.items():
        scores_of_card = card(name)["scores"][test]
        chance = (
            3 * math.sqrt(scores_of_card["exact"] * (1 - scores_of_card["exact"]) / SLICE)
            if "exact" in scores_of_card
            else 0
        )
        for key, close in (("exact", max(0.02, chance)), ("accuracy", 0.05), ("bits", 0.1)):
            if key in score:
                assert score[key] == pytest.approx(scores_of_card[key], abs=close)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", OURS)
def test_outputs_are_the_first_of_each_kind(name: str) -> None:
    outputs = {kind: [tuple(s.values()) for s in card(name)["outputs"][kind]] for kind in ("right", "wrong")}
    assert len(outputs["right"]) <= 5
    assert len(outputs["wrong"]) <= 5
    assert all((reference == output) is (kind == "right") for kind in outputs for _, reference, output in outputs[kind])
    if name == "mini-encoder":  # whose cases are drawn anew
        return
    cases = [pair for pairs in data(name).tests().values() for pair in pairs][:SLICE]
    result = generated(loaded(name), cases)
    for kind in outputs:
        first = [(s.source, s.reference, s.output) for s in result if s.right is (kind == "right")][:5]
        assert outputs[kind][: len(first)] == first


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", OURS)
def test_every_example_of_the_card_comes_out_right(name: str) -> None:
    expected = {pair.source: pair.target for _, pairs in data(name).covers() for pair in pairs}
    sentences = [sentence for topic in card(name)["covers"] for sentence in topic["examples"]]
    write = fill if name == "mini-encoder" else translate_all
    assert write(loaded(name), sentences) == [expected[sentence] for sentence in sentences]
    weak = ("copy-8-no-position", "reverse-no-position", "addition-one-head", "spread-one-head")
    if name not in ("gpt-char", "notebook-c", *weak):
        assert len(sentences) >= 0.8 * len(expected)


@pytest.mark.thorough
def test_no_held_out_sentence_is_trained_on() -> None:
    for name in OURS:
        trained = {pair.source for pair in data(name).train(0)}
        held_out = {pair.source for pairs in data(name).tests().values() for pair in pairs}
        assert held_out
        assert not trained & held_out, name


# what only this file knows to be true


def test_letters_come_out_backwards_and_sorted() -> None:
    rng = random.Random(5)
    texts = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, 20))) for _ in range(60)]
    texts += ["aaaaaaaa", "zzzz", "abababab"]
    assert translate_all(loaded("reverse"), texts) == [text[::-1] for text in texts]
    rightly = sum(
        out == "".join(sorted(text)) for text, out in zip(texts, translate_all(loaded("sort"), texts), strict=True)
    )
    assert rightly >= len(texts) - 1


def test_dates_come_out_as_the_calendar_has_them() -> None:
    rng = random.Random(6)
    days = [date(1950, 1, 1) + timedelta(rng.randrange(36_000)) for _ in range(30)]
    for form in ("%d.%m.%Y", "%d %b %Y", "%B %d, %Y", "%Y/%m/%d", "%Y年%m月%d日"):
        texts = [day.strftime(form) for day in days]
        assert translate_all(loaded("dates"), texts) == [day.isoformat() for day in days], form


def test_reversing_looks_along_the_other_diagonal() -> None:
    look = card("reverse")["first_look"]
    text = "glassformer"
    weights = translate(loaded("reverse"), text).trace.weights("cross")[look["layer"], look["head"]]  # (Q, K)
    strongest = weights[: len(text)].argmax(-1)  # of each letter written; the key before the letters is <bos>
    assert sum(key == len(text) - step for step, key in enumerate(strongest)) >= len(text) - 1


def test_an_unheard_name_is_copied_from_where_it_stood() -> None:
    """Induction: no n-gram of the training text knows how a new name goes on."""
    corpus = data("gpt-char")
    assert isinstance(corpus, Passage)
    right = 0
    for name in ("Zibofe", "Gukime", "Podira", "Venulo", "Fasoti"):
        name = name.replace("Z", "D")
        assert name not in corpus.head
        out = translate(loaded("gpt-char"), f"{name} has a cat. The cat is black. {name[:3]}").text
        right += out.split(". ")[2].startswith(f"{name} ")
    assert right >= 4


def test_every_word_of_the_encoder_is_in_its_sentences() -> None:
    corpus = data("mini-encoder")
    assert isinstance(corpus, SmallTalk)
    words = {word for pair in corpus.sentences for word in pair.source.split()}
    assert len(words) == 46
    assert loaded("mini-encoder").tokenizer.size == 50
    for line in ("she is eating soup now .", "do you drink tea often ?", "the dog drinks water always ."):
        assert line in {pair.source for pair in corpus.sentences}


# history


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", OURS)
def test_a_history_leads_from_nothing_to_the_model(name: str) -> None:
    moments = history.load(Entry(SAMPLES / name))
    assert 3 <= len(moments) <= history.MOST
    assert (SAMPLES / name / history.FILE).stat().st_size <= 1_500_000
    steps = [moment.step for moment in moments]
    assert steps == sorted(set(steps))
    assert (steps[0], steps[-1]) == (0, recipes.find(name).steps)
    curve = history.curve(Entry(SAMPLES / name))
    assert curve[-1].step == steps[-1]
    assert curve[-1].loss < curve[0].loss
    last = moments[-1]
    assert last.probe.sentence == card(name)["examples"][0]
    run = translate(loaded(name), last.probe.sentence)
    for kind, weights in last.probe.weights.items():
        assert np.allclose(weights.astype(float).sum(-1), 1, atol=4e-3)
        if name != "gpt-char":  # which a run lets write a little less
            np.testing.assert_allclose(weights, run.trace.weights(kind), atol=0.02)
    assert last.samples
    if name not in ("mini-encoder", "gpt-char"):
        assert translate_all(loaded(name), [s.source for s in last.samples]) == [s.output for s in last.samples]
    assert moments[0].energy != last.energy


def test_evaluating_again_gives_the_card(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    folder = shutil.copytree(SAMPLES / "notebook-c", tmp_path / "notebook-c")
    before = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps(before | {"scores": {}, "covers": []}), encoding="utf-8")
    build.describe(recipes.find("notebook-c"), Entry(folder))
    assert json.loads((folder / "card.json").read_text(encoding="utf-8")) == before
