"""The corpus of Chinese and English: held out, hidden, real sentences."""

import re

import pytest

from corpora import chinese, zh_en
from corpora.chinese.numbers import in_digits, numerals
from corpora.pairs import Pair, split_of
from model.decode.translated_numbers import lost_numbers
from tests.corpora.test_chinese import BY_HEART, PLAIN


@pytest.fixture(scope="module")
def epoch():
    corpus = zh_en.ChineseEnglish(3, 30_000)
    return corpus, corpus.train(0)


def test_the_corpus_holds_its_test_sentences_back(epoch):
    corpus, pairs = epoch
    assert len(zh_en.read_hsk()) == 4067
    tests, trained = corpus.tests(), {pair.source for pair in pairs}
    assert len(tests["grammar"]) > 1000
    assert len(tests["hsk"]) == 193
    held_out = {pair.source for pairs in (*tests.values(), corpus.validation()) for pair in pairs}
    assert not held_out & trained
    assert not {pair.source for pair in tests["grammar"]} & BY_HEART
    assert all(split_of(pair.source) == "test" for pairs in tests.values() for pair in pairs)
    licences = {source["name"]: source["licence"] for source in corpus.sources()}
    assert {licences[name].split(",")[0] for name in ("hsk", "hsk-words")} == {"CC BY-SA 4.0"}


def test_a_seed_and_an_epoch_name_the_pairs():
    corpus = zh_en.ChineseEnglish(3, 1_000)
    assert corpus.train(0) == zh_en.ChineseEnglish(3, 1_000).train(0) != corpus.train(1)


def test_real_sentences_are_translations():
    for _, (source, target) in zh_en.read_hsk():
        assert re.fullmatch(r"[一-鿿，。？！、：；“”《》…·0-9A-Za-z.]+", source), source
        assert re.fullmatch(r"[A-Z'\"0-9][^一-鿿]*[.?!\"']", target), target
        assert " " in target or target[-1] in "!?", target


def test_words_of_held_out_sentences_are_not_taught_for_them(epoch):
    corpus, _ = epoch
    trained = "\n".join(pair.source for pair in corpus.hsk if split_of(pair.source) == "train")
    assert len(corpus.words) > 3000
    assert [pair for pair in corpus.words if pair.source not in trained] == []


def test_hidden_characters_belong_to_real_sentences(epoch):
    corpus, trained = epoch
    hidden = [pair for pair in trained if zh_en.VEIL in pair.source]
    assert 1000 < len(hidden) < 0.1 * len(trained)
    real = {pair.target for pair in corpus._hsk_train}
    assert {pair.target for pair in hidden} <= real
    assert zh_en.VEIL not in "".join(text for pair in corpus.texts() for text in pair)


def test_figures_stand_for_the_same_numbers(epoch):
    _, trained = epoch
    targets_with_digits = {source: target for source, target in trained if re.search(r"\d", source)}
    assert len(targets_with_digits) > 0.05 * len(trained)
    misses = {source for source, target in targets_with_digits.items() if {*lost_numbers(source, target, "zh")} - {"1"}}
    # of 1, English has nothing at times: 再去1次, go again
    assert [source for source in misses if "英文有" not in source] == []  # its translation is wrong in the data
    assert len([source for source in targets_with_digits if PLAIN.fullmatch(re.sub(r"\d+", "三", source))]) > 1000


def test_many_sentences_with_numbers_stand_there_both_ways(epoch):
    _, trained = epoch
    targets = dict(trained)
    sources = [pair for pair in targets if numerals(pair) and zh_en.VEIL not in pair]
    both = [source for source in sources if targets.get(in_digits(source)) == targets[source]]
    assert len(both) > 0.3 * len(sources) > 500


def test_real_translations_have_the_short_forms_of_the_grammar(epoch):
    corpus, _ = epoch
    long = r"\bI am \w|\b([Hh]e|[Ss]he|[Ii]t) is \w|\b([Ww]e|[Tt]hey|[Yy]ou) are \w|\b(is|are|do|does|did) not\b"
    assert [pair.target for pair in corpus._hsk_train if re.search(long, pair.target)] == []
    assert Pair("他是我的老师。", "He's my teacher.") in corpus._hsk_train


@pytest.mark.thorough
def test_the_corpus_says_what_it_covers():
    covers = zh_en.ChineseEnglish().covers()
    assert [key for key, _ in covers] == [topic.key for topic in chinese.TOPICS]
    assert all(isinstance(pair, Pair) and pair.target for _, pairs in covers for pair in pairs)
