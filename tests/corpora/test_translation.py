"""What a translator learns from: held out, hidden, typed in haste, written by people."""

import re
from functools import cache

import pytest

from corpora import collected, ordinary, translation
from corpora.grammar import known, load
from corpora.numerals import in_digits, numerals
from corpora.pairs import Pair, split_of
from corpora.translation import WRITTEN, Translation
from model.decode.translated_numbers import lost_numbers

PLAIN = re.compile("[一-鿿，]+[。？！]")  # one sentence in words, without digits or quotes


@cache
def first_epoch(language: str) -> tuple[Translation, list[Pair]]:
    corpus = Translation(language, 3, 30_000 if language == "zh" else 8_000)  # Chinese numerals are rare
    return corpus, corpus.train(0)


@pytest.fixture(params=known())
def epoch(request: pytest.FixtureRequest) -> tuple[Translation, list[Pair]]:
    return first_epoch(request.param)


@pytest.fixture
def chinese() -> tuple[Translation, list[Pair]]:
    return first_epoch("zh")


def test_a_source_has_one_translation_and_none_that_is_tested(epoch: tuple[Translation, list[Pair]]) -> None:
    corpus, pairs = epoch
    tests, trained = corpus.tests(), {pair.source for pair in pairs}
    assert len(trained) == len(pairs) > 15_000
    assert len(tests["grammar"]) > 300
    held_out = {pair.source for pairs in (*tests.values(), corpus.validation()) for pair in pairs}
    assert not held_out & trained
    assert not {pair.source for pair in tests["grammar"]} & {pair.source for pair in load(corpus.name[:2]).fixed}
    assert all(split_of(pair.source) == "test" for pairs in tests.values() for pair in pairs)
    assert not {pair.source for pair in corpus.validation()} & {pair.source for test in tests.values() for pair in test}
    assert not held_out & {pair.source for pair in corpus.texts()}


def test_every_collection_is_shown_and_says_its_licence(epoch: tuple[Translation, list[Pair]]) -> None:
    corpus, pairs = epoch
    licences = {source["name"]: str(source["licence"]).split(",")[0] for source in corpus.sources()}
    expected = {"zh": {"hsk": "CC BY-SA 4.0", "hsk-words": "CC BY-SA 4.0"}, "de": {"auf-deutsch": "MIT"}}
    assert expected.get(corpus.name[:2], {}).items() <= licences.items()
    trained = {pair.source for pair in pairs}
    for collection in corpus.collections:
        assert len(trained & {pair.source for pair in collection.learned}) > 1000
    assert all(source["pairs"] for source in corpus.sources())


def test_books_are_large_and_hold_no_sentence_of_the_tests(epoch: tuple[Translation, list[Pair]]) -> None:
    corpus, pairs = epoch
    learned = next(each for each in corpus.collections if each.name == "phrases").learned
    sources, allowed = {pair.source for pair in learned}, {pair.source for pair in pairs}
    assert len(sources) > 20_000
    assert not allowed & {row.source for row in ordinary.read(corpus.name[:2])}
    assert len(sources & allowed) > 5_000


def test_a_seed_and_an_epoch_name_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "FRESH", 500)
    corpus = Translation("zh", 3, 1_000)
    assert corpus.train(0) == Translation("zh", 3, 1_000).train(0) != corpus.train(1)


def test_what_is_typed_in_haste_is_among_them() -> None:
    sources = [pair.source for pair in first_epoch("es")[1]]
    assert sum(source[-1] not in ".?!…”»:" for source in sources) > 500  # without their mark
    assert sum("?" in source and "¿" not in source for source in sources) > 30
    assert sum(source[0].islower() for source in sources) > 500


def test_real_sentences_are_translations() -> None:
    rows = collected.read_hsk()
    assert len(rows) == 4067
    assert len(Translation("zh", pairs=100).tests()["hsk"]) == 193
    for _, (source, target) in rows:
        assert re.fullmatch(r"[一-鿿，。？！、：；“”《》…·0-9A-Za-z.]+", source), source
        assert re.fullmatch(r"[A-Z'\"0-9][^一-鿿]*[.?!\"']", target), target
        assert " " in target or target[-1] in "!?", target


def test_words_of_held_out_sentences_are_not_taught_for_them() -> None:
    words, trained = collected.HskWords().learned, "\n".join(pair.source for pair in collected.Hsk().learned)
    assert len(words) > 3000
    assert [pair for pair in words if pair.source not in trained] == []


def test_hidden_characters_belong_to_real_sentences(chinese: tuple[Translation, list[Pair]]) -> None:
    corpus, trained = chinese
    hidden = [pair for pair in trained if collected.VEIL in pair.source]
    assert 1000 < len(hidden) < 0.1 * len(trained)
    real = {pair.target for pair in collected.Hsk().learned}
    assert {pair.target for pair in hidden} <= real
    assert collected.VEIL not in "".join(text for pair in corpus.texts() for text in pair)


def test_figures_stand_for_the_same_numbers(chinese: tuple[Translation, list[Pair]]) -> None:
    _, trained = chinese
    targets_with_digits = {source: target for source, target in trained if re.search(r"\d", source)}
    assert len(targets_with_digits) > 0.05 * len(trained)
    misses = {source for source, target in targets_with_digits.items() if {*lost_numbers(source, target, "zh")} - {"1"}}
    # of 1, English has nothing at times: 再去1次, go again
    unsaid = "英文有|我和老师2个人|7分熟"  # the first one's translation is wrong in the data; two of us, medium-well
    assert [source for source in misses if not re.search(unsaid, source)] == []
    assert len([source for source in targets_with_digits if PLAIN.fullmatch(re.sub(r"\d+", "三", source))]) > 1000


def test_many_sentences_with_numbers_stand_there_both_ways(chinese: tuple[Translation, list[Pair]]) -> None:
    targets = dict(chinese[1])
    sources = [source for source in targets if numerals(source) and collected.VEIL not in source]
    both = [source for source in sources if targets.get(in_digits(source)) == targets[source]]
    assert len(both) > 0.3 * len(sources) > 500


def test_real_translations_have_the_short_forms_of_the_grammar() -> None:
    long = r"\bI am \w|\b([Hh]e|[Ss]he|[Ii]t) is \w|\b([Ww]e|[Tt]hey|[Yy]ou) are \w|\b(is|are|do|does|did) not\b"
    learned = collected.Hsk().learned
    assert [pair.target for pair in learned if re.search(long, pair.target)] == []
    assert Pair("他是我的老师。", "He's my teacher.") in learned


def test_the_corpus_says_what_it_covers() -> None:
    covers = Translation("zh").covers()
    assert [key for key, _ in covers] == [topic.key for topic in load("zh").topics]
    assert all(isinstance(pair, Pair) and pair.target for _, pairs in covers for pair in pairs)


def test_training_sentences_are_known_by_topic_and_pattern() -> None:
    corpus = Translation("de", pairs=300)
    groups, source = corpus.groups(), load("de")
    by_key = {group.name: group for group in source.groups}
    assert {pair.source for pair in corpus.grammar} <= set().union(*groups["topic"].values())
    for topic, own in groups["topic"].items():
        if topic != WRITTEN:
            patterns = {pattern.source for pattern in by_key[topic].patterns}
            assert own <= set().union(*(groups["pattern"][each] for each in patterns & groups["pattern"].keys()))
    written = {pair.source for collection in corpus.collections for pair in collection.learned}
    assert groups["topic"][WRITTEN] <= written
    assert list(source.kinds(0, 300)) == source.generate(0, 300)
