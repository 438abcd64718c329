"""A checkpoint from a run: the same files as any other, resumed without a trace; its history; n-grams."""

import math
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from corpora.tasks import rhymes
from corpora.tasks.memorised_pairs import PAIRS
from corpora.tasks.sequences import Sequences
from model.build import build, ngram
from model.build.evaluation import bits_per_character
from model.build.keep_run import keep_run
from model.build.recipes import RunRecipe
from model.checkpoint import checkpoints, history
from model.checkpoint.card_fields import CARD, READS
from model.checkpoint.catalogue import Entry
from model.checkpoint.history import Point
from model.checkpoint.snapshots import Snapshot
from model.decode.decoding_loop import stop_reason
from model.decode.translate import translate
from model.errors import InvalidInput
from model.tokenization.tokenizer import EOS
from model.train import training_run
from model.train.report import RunReport
from model.train.run_settings import RunSettings

TINY = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=48, warmup=4, dropout=0.1, average=0.5)
TEXT = rhymes.text(3, 2000)


@pytest.fixture(scope="module")
def reports() -> list[RunReport]:
    return list(training_run.run(TINY))


def moments(reports: list[RunReport]) -> list[Snapshot]:
    return [report.moment for report in reports if report.moment]


# a run that is kept


def test_a_kept_run_is_a_checkpoint(reports: list[RunReport], tmp_path: Path) -> None:
    entry = keep_run(tmp_path / "mine", TINY, reports, moments(reports))
    assert entry.is_sound()
    checkpoint = checkpoints.load(entry)
    last = reports[-1].evaluation
    assert last is not None
    for sample in last.samples:
        assert translate(checkpoint, sample.source).text == sample.output
    assert entry.card.keys() >= (CARD | READS).keys()
    assert (entry.card["task"], entry.card["source_language"]) == ("notebook", "de")
    assert entry.card["scores"]["notebook-seen"] == {"pairs": 22, "exact": round(last.exact_training or 0, 4)}
    assert entry.card["command"] == ""
    assert entry.card["training"]["steps"] == 48
    assert entry.card["examples"][0] == "wo ist das buch ?"
    assert entry.card["example_translation"] == translate(checkpoint, "wo ist das buch ?").text
    assert entry.card["run"]["d_model"] == 16
    assert "own" not in entry.card["run"]
    sources = {kind: {s["source"] for s in entry.card["outputs"][kind]} for kind in ("right", "wrong")}
    for kind, right in (("right", True), ("wrong", False)):
        assert sources[kind] == {s.source for s in last.samples if s.held_out and s.right is right}
    assert [moment.step for moment in history.load(entry)] == [moment.step for moment in moments(reports)]
    assert (entry.folder / "card.md").read_text(encoding="utf-8").startswith("# mine\n")


def test_a_run_that_saved_nothing_cannot_be_kept(reports: list[RunReport], tmp_path: Path) -> None:
    bare = replace(moments(reports)[-1], weights={})
    for snapshots in ([], [bare]):
        with pytest.raises(InvalidInput) as refusal:
            keep_run(tmp_path / "mine", TINY, reports, snapshots)
        assert refusal.value.code == "job_empty"
    with pytest.raises(InvalidInput):
        keep_run(tmp_path / "mine", TINY, [], moments(reports))


def test_a_pasted_text_is_kept_too(tmp_path: Path) -> None:
    settings = RunSettings(task="text", own=TEXT, d_model=16, encoder_layers=0, d_ff=16, steps=8, warmup=2)
    reports = list(training_run.run(settings))
    entry = keep_run(tmp_path / "mine", settings, reports, moments(reports))
    assert entry.is_sound()
    last = reports[-1].evaluation
    assert last is not None
    assert entry.card["scores"]["text"]["bits"] == pytest.approx(last.validation_loss / math.log(2), abs=1e-3)
    assert entry.card["first_look"]["attention_kind"] == "decoder"
    assert TEXT[:40] not in (entry.folder / "card.json").read_text(encoding="utf-8")
    assert checkpoints.load(entry).model.config.architecture == "decoder"


@pytest.mark.parametrize(("task", "language"), [("grammar", "de"), ("chinese", "zh"), ("spanish", "es")])
def test_a_kept_run_that_translates_names_its_languages(task: str, language: str, tmp_path: Path) -> None:
    settings = RunSettings(task=task, d_model=16, heads=2, d_ff=16, encoder_layers=1, steps=2, warmup=1)
    reports = list(training_run.run(settings))
    card = keep_run(tmp_path / "mine", settings, reports, moments(reports)).card
    assert (card["task"], card["source_language"], card["target_language"]) == ("translation", language, "en")
    assert card["scores"]["grammar"]["pairs"] == 500
    assert [data["name"] for data in card["data"]] == ["grammar"]


# a recipe that is a run


def test_a_recipe_is_a_run_that_can_be_cut(tmp_path: Path) -> None:
    recipe = RunRecipe(name="tiny", settings=TINY, examples=(PAIRS[3].source,))
    steps_of_run: list[int] = []
    whole = build.build(recipe, tmp_path / "whole", lambda report: steps_of_run.append(report.step))
    assert steps_of_run[0] == 0
    assert steps_of_run[-1] == 48

    class Cut(Exception):
        pass

    def cut(report) -> None:
        if report.step == 30:
            raise Cut

    with pytest.raises(Cut):
        build.build(recipe, tmp_path / "cut", cut)
    assert (tmp_path / "cut" / "unfinished.pt").exists()
    again: list[int] = []
    resumed = build.build(recipe, tmp_path / "cut", lambda report: again.append(report.step))
    assert 12 < again[0] <= 30
    one, other = (checkpoints.load(entry).model.state_dict() for entry in (whole, resumed))
    assert all(torch.equal(one[key], other[key]) for key in one)
    assert [m.step for m in history.load(whole)] == [m.step for m in history.load(resumed)]
    assert history.curve(whole) == history.curve(resumed)
    assert [point.step for point in history.curve(whole)] == steps_of_run
    assert history.curve(whole)[-1].exact is not None
    assert not (resumed.folder / "unfinished.pt").exists()
    assert resumed.card["command"] == "python -m model train tiny"
    for kind, right in (("right", True), ("wrong", False)):
        assert all((s["output"] == s["reference"]) is right for s in resumed.card["outputs"][kind])
    assert sum(map(len, resumed.card["outputs"].values())) == 2  # both that are held out
    over = build.build(recipe, tmp_path / "whole", lambda report: None)  # where a finished one lies
    assert [m.step for m in history.load(over)] == [m.step for m in history.load(resumed)]
    other_recipe = replace(recipe, settings=replace(TINY, seed=1))
    with pytest.raises(Cut):
        build.build(recipe, tmp_path / "other", cut)
    with pytest.raises(InvalidInput, match="another recipe"):
        build.build(other_recipe, tmp_path / "other", lambda report: None)


# history


def test_a_history_comes_back_as_it_was(reports: list[RunReport], tmp_path: Path) -> None:
    snapshots = moments(reports)
    curve = [Point(0, 3.5, 3.25, 0.5), Point(10, 2.125, None, None)]
    history.save(tmp_path, snapshots, curve)
    again = history.load(Entry(tmp_path))
    assert history.curve(Entry(tmp_path)) == tuple(curve)
    assert len(again) == len(snapshots)
    for one, other in zip(snapshots, again, strict=True):
        assert (one.step, one.samples, one.energy) == (other.step, other.samples, other.energy)
        assert one.probe.output_tokens == other.probe.output_tokens
        assert all(np.array_equal(one.probe.weights[kind], other.probe.weights[kind]) for kind in one.probe.weights)
        assert all(np.array_equal(one.weights[key], other.weights[key]) for key in one.weights)
        assert other.weights


def test_a_history_is_small(reports: list[RunReport], tmp_path: Path) -> None:
    last = moments(reports)[-1]
    large = {"table": np.random.default_rng(0).normal(size=(200, 400)).astype(np.float16)}  # 160,000 bytes
    many = [replace(last, step=step, weights=large) for step in range(30)]
    history.save(tmp_path, many)
    again = history.load(Entry(tmp_path))
    assert [moment.step for moment in again][:: history.MOST - 1] == [0, 29]
    assert len(again) == history.MOST
    assert [bool(moment.weights) for moment in again] == [place in (4, 7) for place in range(history.MOST)]
    assert (tmp_path / history.FILE).stat().st_size < 400_000
    history.save(tmp_path, many[:3], weights=math.inf)  # of a run that goes on
    assert all(moment.weights for moment in history.load(Entry(tmp_path)))


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip", None])
def test_a_damaged_history_is_none(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / history.FILE).write_bytes(content)
    assert history.load(Entry(tmp_path)) == ()


def test_a_history_without_its_arrays_is_none(tmp_path: Path) -> None:
    np.savez(tmp_path / history.FILE, said=np.array('[{"step": 3}]'))
    assert history.load(Entry(tmp_path)) == ()
    assert history.curve(Entry(tmp_path)) == ()


# n-grams and bits


def test_probabilities_of_an_ngram_add_up() -> None:
    model = ngram.Ngram("abracadabra", 3)
    alphabet = [*sorted(set("abracadabra")), "?"]
    for before in ("", "a", "br", "zz", "abra"):
        assert sum(model.probability(before, character) for character in alphabet) == pytest.approx(1)


def test_an_ngram_is_the_count_by_hand() -> None:
    """abab: a twice, b twice; two kinds of four. After a always b: one kind, twice seen."""
    model = ngram.Ngram("abab", 2)
    single = (2 + 2 * (1 / 3)) / (4 + 2)
    assert model.probability("", "b") == pytest.approx(single)
    assert model.probability("a", "b") == pytest.approx((2 + 1 * single) / (2 + 1))
    assert ngram.Ngram("abab", 1).bits("ab") == pytest.approx(-math.log2(single))


def test_the_best_order_is_chosen() -> None:
    order, bits = ngram.best(TEXT[:1500], TEXT[1500:])
    assert bits == min(ngram.Ngram(TEXT[:1500], n).bits(TEXT[1500:]) for n in range(1, 6))
    assert order > 1
    counts = Counter(TEXT)
    entropy = -sum(n / len(TEXT) * math.log2(n / len(TEXT)) for n in counts.values())
    assert ngram.Ngram(TEXT, 1).bits(TEXT) == pytest.approx(entropy, rel=0.02)


def test_bits_count_every_character_once(tmp_path: Path) -> None:
    """An untrained model whose output is even: log2 of its vocabulary for each character, however windows fall."""
    settings = RunSettings(task="text", own=TEXT, d_model=16, encoder_layers=0, d_ff=16, steps=1, warmup=0)
    reports = list(training_run.run(settings))
    checkpoint = checkpoints.load(keep_run(tmp_path / "mine", settings, reports, moments(reports)))
    with torch.no_grad():
        for parameter in checkpoint.model.output.parameters():
            parameter.zero_()
    for length in (1, 31, 64, 65, 200):
        bits = bits_per_character(checkpoint.model, checkpoint.tokenizer, TEXT[:length].strip())
        assert bits == pytest.approx(math.log2(checkpoint.tokenizer.size), rel=1e-4), length


# what training draws


def test_letters_few_and_many_are_trained_on_but_not_tested() -> None:
    corpus = Sequences("reverse")
    long = [pair.source for pair in corpus.train(0) if len(pair.source) > 12]
    assert 0.1 < sum(len(set(text)) <= 5 for text in long) / len(long) < 0.3
    test_pairs = corpus.tests()["reverse"]
    assert len(test_pairs) == len(set(test_pairs)) == 1000
    assert max(len(pair.source) for pair in test_pairs) == 20
    assert not any(len(set(pair.source)) <= 5 for pair in test_pairs if len(pair.source) > 12)


def test_a_loop_is_what_the_source_does_not_ask_for() -> None:
    assert stop_reason([7, 7, 7, 7]) == "repetition"
    assert stop_reason([7, 7, 7, 7], [1, 7, 7, 7, 7, 2]) is None
    assert stop_reason([7, 7, 7, 7, 7], [1, 7, 7, 7, 7, 2]) == "repetition"
    assert stop_reason([5, 6, 5, 6, 5, 6], [5, 6, 5, 6, 5, 6]) is None
    assert stop_reason([5, 6, 5, 6, 5, 6], [5, 6, 5, 6]) == "repetition"
    assert stop_reason([7, EOS], [7]) == "eos"


def test_names_are_new_each_time_and_said_again() -> None:
    rng = random.Random(0)
    names = {rhymes.name(rng) for _ in range(300)}
    assert len(names) > 295
    assert rhymes.text(0, 3000) == rhymes.text(0, 3000) != rhymes.text(1, 3000)
    words = Counter(word.strip(".,!?:") for word in rhymes.text(0, 20_000).split())
    capitals = [word for word in words if word[0].isupper() and len(word) == 6]
    assert sum(words[word] >= 2 for word in capitals) > 0.8 * len(capitals)
