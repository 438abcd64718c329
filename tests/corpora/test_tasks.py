"""The small tasks: right answers, found another way; nothing held out is trained on; tables refused by their row."""

import re
from datetime import date
from itertools import pairwise

import pytest

from corpora.pairs import Pair
from corpora.task_list import right_answer
from corpora.tasks import dates, memorised_pairs, user_table, user_text
from corpora.tasks.dates import FORMS, Dates
from corpora.tasks.digit_range import LONGEST, DigitRange
from corpora.tasks.few_sentences import FewSentences
from corpora.tasks.grammar import Grammar
from corpora.tasks.memorised_pairs import HELD_OUT, PAIRS, MemorisedPairs
from corpora.tasks.sequences import RULES, Sequences
from corpora.tasks.user_table import Own
from corpora.tasks.user_text import Passage
from model.checkpoint.catalogue import Entry, load_tokenizer
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, EOS, UNK, Tokenizer

DAYS = [date(1950, 1, 1), date(1999, 12, 31), date(2000, 2, 29), date(2019, 3, 3), date(2049, 10, 10)]
MONTHS = ["jan", "feb", "mär|mar", "apr", "mai|may", "jun", "jul", "aug", "sep", "okt|oct", "nov", "dez|dec"]
WEEK = (
    "^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|[a-z]{2},|"
    "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun)(?![a-z]))"
)
CHINESE = {"〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
WEEKDAYS = {
    **dict(zip("一二三四五六日", range(7), strict=True)),
    **dict(zip(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), range(7), strict=True)),
    **dict(zip(("mo,", "di,", "mi,", "do,", "fr,", "sa,", "so,"), range(7), strict=True)),
    **dict(zip(("montag", "dienstag", "mittwoch", "donnerstag"), range(4), strict=True)),
    **dict(zip(("freitag", "samstag", "sonntag"), range(4, 7), strict=True)),
}


def number(characters: str) -> int:
    """三十一 → 31."""
    if "十" not in characters:
        return CHINESE[characters]
    tens, ones = characters.split("十")
    return 10 * (CHINESE[tens] if tens else 1) + (CHINESE[ones] if ones else 0)


def year_of(figures: str) -> int:
    short = int(figures)
    return short if len(figures) == 4 else short + (1900 if short >= 50 else 2000)


def parse(text: str) -> date:
    """Any of the forms, by other means than those that wrote it."""
    low = text.lower()
    if match := re.match(r"([〇一二三四五六七八九]{4})年(.+)月(.+)日$", low):
        return date(int("".join(str(CHINESE[c]) for c in match[1])), number(match[2]), number(match[3]))
    if match := re.match(r"(\d{4})(\d\d)(\d\d)$", low):
        return date(*map(int, match.groups()))
    words = re.sub(WEEK, "", low)
    month = next((i for i, names in enumerate(MONTHS, 1) if re.search(rf"(?<![a-zä])({names})", words)), 0)
    figures = re.findall(r"\d+", low)
    if month and len(figures) == 2:
        return date(year_of(figures[1]), month, int(figures[0]))
    if len(figures[0]) == 4:
        return date(*map(int, figures))
    return date(year_of(figures[2]), int(figures[1]), int(figures[0]))


@pytest.mark.parametrize("day", DAYS)
@pytest.mark.parametrize("language", FORMS)
def test_every_form_names_its_day(language: str, day: date) -> None:
    texts = [form(day) for form in FORMS[language]]
    assert len(set(texts)) == len(texts) or day.day >= 10 or day.month >= 10
    for text in texts:
        assert parse(text) == day, text


@pytest.mark.parametrize("day", DAYS)
def test_days_of_the_week_are_right(day: date) -> None:
    count = 0
    for form in (form for forms in FORMS.values() for form in forms):
        low = form(day).lower()
        if match := re.search(r"(?:星期|周)(.)", low) or re.match(f"({WEEK})", low):
            count += 1
            assert WEEKDAYS[match[1] if match[1] in WEEKDAYS else match[1][:3]] == day.weekday(), low
    assert count == 9


def test_two_figures_name_one_year() -> None:
    corpus = Dates()
    everything = {day.isoformat() for days in corpus.days.values() for day in days}
    assert len(everything) == 36525
    short = {(day[2:4], day[5:]) for day in everything}
    assert len(short) == len(everything)


def test_no_date_of_one_split_is_in_another() -> None:
    corpus = Dates(per_epoch=3000)
    trained = {pair.target for epoch in range(3) for pair in corpus.train(epoch)}
    validation = {pair.target for pair in corpus.validation()}
    test_pairs = corpus.tests()["dates"]
    assert len(test_pairs) == len({pair.target for pair in test_pairs}) == 500
    assert not trained & {pair.target for pair in test_pairs}
    assert not trained & validation
    assert not validation & {pair.target for pair in test_pairs}
    assert corpus.train(0) == Dates(per_epoch=3000).train(0) != corpus.train(1)
    for pair in (*test_pairs, *corpus.train(0)[:500]):
        assert parse(pair.source).isoformat() == pair.target


def test_characters_cover_every_date() -> None:
    corpus = Dates(per_epoch=3000)
    tokenizer = Tokenizer.characters([text for pair in corpus.texts() for text in pair], [])
    for pair in (*corpus.train(0), *corpus.tests()["dates"]):
        ids = tokenizer.encode(pair.source)
        assert UNK not in ids
        assert len(ids) == len(pair.source) + 2
        assert tokenizer.decode(ids) == pair.source


@pytest.mark.parametrize("rule", RULES)
def test_sequences_are_answered_and_split(rule: str) -> None:
    corpus = Sequences(rule, per_epoch=2000)  # type: ignore[arg-type]
    trained, test_pairs = corpus.train(0), corpus.tests()[rule]
    assert min(len(p.source) for p in trained) >= 1
    assert 10 < max(len(p.source) for p in trained) <= 20 or rule == "addition"
    for source, target in (*trained, *test_pairs, *corpus.validation()):
        if rule == "addition":
            first, _, second = source.partition("+")
            assert int(target) - int(first) == int(second)
            assert target == str(int(target))
        elif rule == "reverse":
            assert all(target[-1 - i] == c for i, c in enumerate(source))
        elif rule == "sort":
            assert sorted(source) == list(target)
        else:
            assert source == target

    def key(pair: Pair) -> frozenset[str]:
        return frozenset(pair.source.split("+"))

    assert not {key(pair) for pair in trained} & {key(pair) for pair in test_pairs}
    assert len(test_pairs) > 150
    if rule != "addition":
        assert len(test_pairs) > 400


def test_the_notebook_holds_out_new_orders_of_known_words() -> None:
    corpus = MemorisedPairs()
    assert len(PAIRS) == len(set(corpus.train(0))) == 22
    assert [pair.source for pair in corpus.tests()["notebook"]] == ["wo ist das buch ?", "wo ist dieses kino ?"]
    for side in (0, 1):
        vocabulary = {word for pair in PAIRS for word in pair[side].split()}
        assert {word for pair in HELD_OUT for word in pair[side].split()} <= vocabulary
    assert not {pair.source for pair in PAIRS} & {pair.source for pair in HELD_OUT}


@pytest.mark.parametrize("seed", range(5))
def test_shuffled_every_source_has_another_ones_target(seed: int) -> None:
    shuffled = MemorisedPairs(seed, shuffled=True)
    assert [pair.source for pair in shuffled.train(0)] == [pair.source for pair in PAIRS]
    assert sorted(pair.target for pair in shuffled.train(0)) == sorted(pair.target for pair in PAIRS)
    assert not set(shuffled.train(0)) & set(PAIRS)
    assert shuffled.tests()["notebook-shuffled"] == list(HELD_OUT)
    assert memorised_pairs.shuffle(PAIRS, seed) == shuffled.train(0)


def test_words_between_spaces_are_tokens(tmp_path) -> None:
    tokenizer = Tokenizer.words([text for pair in PAIRS for text in pair], ["wo"])
    ids = tokenizer.encode("wo ist das buch ?")
    assert len(ids) == 7
    assert (ids[0], ids[-1]) == (BOS, EOS)
    assert tokenizer.tokens(ids) == ("<bos>", "wo", "ist", "das", "buch", "?", "<eos>")
    assert tokenizer.decode(ids) == "wo ist das buch ?"
    assert tokenizer.encode("wo ist berlin ? <eos>")[3:] == [UNK, ids[5], UNK, EOS]
    assert tokenizer.unknown_characters("ist ж") == ("ж",)
    tokenizer.save(tmp_path)
    again = load_tokenizer(Entry(tmp_path))
    assert again.encode("wo ist das buch ?") == ids
    assert again.tokens(ids) == tokenizer.tokens(ids)


def test_characters_are_tokens(tmp_path) -> None:
    tokenizer = Tokenizer.characters(["ab c\n", "年é"], [])
    ids = tokenizer.encode(" a c  b")
    assert tokenizer.tokens(ids) == ("<bos>", "a", "␣", "c", "␣", "b", "<eos>")
    assert tokenizer.decode(ids) == "a c b"
    assert tokenizer.encode("ax年")[1:-1] == [*tokenizer.encode("a")[1:-1], UNK, *tokenizer.encode("年")[1:-1]]
    assert tokenizer.encode("e\u0301") == tokenizer.encode("é")
    assert tokenizer.unknown_characters("ax年") == ("x",)
    assert tokenizer.unseen_words("abc") == {}
    assert tokenizer.size == 4 + 6
    tokenizer.save(tmp_path)
    again = load_tokenizer(Entry(tmp_path))
    assert (again.spells, again.encode("a c"), again.size) == (True, tokenizer.encode("a c"), tokenizer.size)
    assert Tokenizer.characters(["aaab"], [], size=1).size == 4 + 2


def rows(count: int) -> list[str]:
    return [f"s{i}\tt{i}" for i in range(count)]


def table(*changed: tuple[int, str], count: int = 12) -> str:
    lines = rows(count)
    for row, line in changed:
        lines[row - 1] = line
    return "\n".join(lines)


REFUSED = {
    "own_columns": (table((3, "only one")), {"row": 3, "count": 1}),
    "own_columns ": (table((4, "a\tb\tc")), {"row": 4, "count": 3}),
    "own_empty": (table((5, "a\t  ")), {"row": 5, "column": 2}),
    "own_empty ": (table((5, "\tb")), {"row": 5, "column": 1}),
    "own_long": (table((2, "a" * 121 + "\tb")), {"row": 2, "column": 1, "count": 121, "limit": 120}),
    "own_control": (table((12, "a\x07\tb")), {"row": 12, "point": "0007"}),
    "own_duplicate": (table((9, "s1\tx")), {"row": 9, "first": 2}),
    "own_few": ("\n".join(rows(9)), {"count": 9, "needed": 10}),
    "own_many": ("\n".join(rows(10_001)), {"count": 10_001, "limit": 10_000}),
    "own_bytes": ("\n".join(f"{'s' * 100}{i}\tt" for i in range(9500)), {"limit": 1_000_000}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_table_that_cannot_be_learned_from_is_refused_with_its_row(case: str) -> None:
    text, values = REFUSED[case]
    with pytest.raises(InvalidInput) as error:
        user_table.read(text)
    assert error.value.code == case.strip()
    assert values.items() <= error.value.values.items()
    assert all(str(value) in str(error.value) for value in values.values())


def test_a_table_is_read_whatever_wrote_it() -> None:
    pairs = user_table.read("\ufeffsource\ttarget\r\n" + "\r\n".join(rows(12)) + "\r\n\r\n")
    assert pairs == [Pair(f"s{i}", f"t{i}") for i in range(12)]
    assert user_table.read(table((1, " e\u0301  x \ty")))[0] == Pair("é x", "y")
    assert user_table.decode("\ufeffä".encode()) == "ä"
    with pytest.raises(InvalidInput) as error:
        user_table.decode("schön\tb".encode("latin-1"))
    assert (error.value.code, error.value.values) == ("own_encoding", {"byte": 4})
    with pytest.raises(InvalidInput, match="limit"):
        user_table.decode(b"a" * 1_000_001)


def test_a_tenth_of_a_table_is_held_out() -> None:
    corpus = Own(user_table.read(table(count=200)))
    test_pairs = corpus.tests()["own"]
    assert len(test_pairs) == 20
    assert not set(test_pairs) & set(corpus.train(0))
    assert len(corpus.train(0)) == 180
    assert len(Own(user_table.read(table())).tests()["own"]) == 1


def test_a_passage_is_learned_from_its_beginning_and_judged_by_its_end() -> None:
    text = " ".join(f"w{i}" for i in range(400))
    corpus = Passage(f"\n{text}\t\n")
    assert corpus.head + corpus.tail == text
    tokenizer = Tokenizer.characters([text], [])
    windows = corpus.windows(tokenizer, 0)
    assert windows != corpus.windows(tokenizer, 1)
    for source, target in windows[:50]:
        assert source == ()
        assert target[0] == BOS
        assert EOS not in target
        assert len(target) == user_text.WINDOW + 1
        assert tokenizer.decode(target) in corpus.head
    for pair in corpus.tests()["text"]:
        assert pair.source in corpus.tail
        assert pair.target in corpus.tail
    with pytest.raises(InvalidInput, match="400"):
        Passage("short")
    with pytest.raises(InvalidInput, match="200000"):
        Passage("long " * 50_000)
    with pytest.raises(InvalidInput, match="0000"):
        Passage("\x00" * 500)


@pytest.mark.parametrize(
    ("language", "letters"), [("de", r"[A-Za-zÄÖÜäöüß]"), ("zh", r"[一-鿿]"), ("es", r"[A-Za-zÁÉÍÓÚÑÜáéíóúñü]")]
)
def test_sentences_of_a_grammar_are_of_its_language_and_split(language: str, letters: str) -> None:
    corpus = Grammar(pairs=2000, language=language)
    trained, test_pairs = corpus.train(0), corpus.tests()["grammar"]
    assert not {pair.source for pair in trained} & {pair.source for pair in (*test_pairs, *corpus.validation())}
    assert len(test_pairs) > 50
    for source, target in (*trained, *test_pairs):
        assert re.search(letters, source)
        assert source[-1] in ".?!。？！"
        assert re.fullmatch(r"[^一-鿿]+", target)


def test_chinese_sentences_of_one_text_have_no_space_between_them() -> None:
    single, several = Grammar(pairs=2000, language="zh"), Grammar(pairs=2000, sentences=3, language="zh")
    texts = several.train(0)
    assert len(texts) < len(single.train(0))
    assert sum(len(pair.source) for pair in texts) == sum(len(pair.source) for pair in single.train(0))
    assert several.of(3, 1)[0].source.count("。") + several.of(3, 1)[0].source.count("？") >= 3


def test_dates_say_what_they_cover() -> None:
    topics = dict(Dates().covers())
    assert Pair("2019年3月3日", "2019-03-03") in topics["zh"]
    assert Pair("3.3.19", "2019-03-03") in topics["de"]
    assert Pair("Sunday, March 3rd 2019", "2019-03-03") in topics["en"]
    assert Pair("3 Mar 2019", "2019-03-03") in topics["en"]
    assert dates.hanzi(31) == "三十一"
    assert dates.hanzi(10) == "十"


def test_a_spread_is_that_of_the_sorted_digits_and_no_tested_one_is_trained_on() -> None:
    corpus = DigitRange()
    train, test = corpus.train(0), corpus.tests()["spread"]
    for source, target in (*train, *test):
        result = sorted(source[:-1])
        assert source[-1] == "="
        assert 2 <= len(result) <= LONGEST
        assert int(target) == int(result[-1]) - int(result[0])
    assert not {pair.source for pair in train} & {pair.source for pair in test}
    assert {pair.target for pair in test} == set("0123456789")
    assert corpus.train(0) == train != corpus.train(1)


@pytest.mark.parametrize(
    ("task", "source", "answer"),
    [
        ("spread", "738465=", "5"), ("spread", "555=", "0"), ("addition", "46+54", "100"),
        ("modular", "17 + 51 =", "9"), ("sort", "banana", "aaabnn"), ("reverse", "abc", "cba"), ("copy", "abc", "abc"),
        # no input of the task, or a task without a rule
        ("spread", "738465", None), ("spread", "=", None), ("addition", "46+", None), ("addition", "４+５", None),
        ("modular", "17+51=", None), ("sort", "Ab c", None), ("translation", "hallo", None), ("dates", "abc", None),
    ],
)  # fmt: skip
def test_the_right_answer_where_a_rule_gives_one(task: str, source: str, answer: str | None) -> None:
    assert right_answer(task, source) == answer


MASCULINE = {
    "mann",
    "lehrer",
    "freund",
    "bruder",
    "hund",
    "vogel",
    "tisch",
    "ball",
    "stuhl",
    "apfel",
    "kuchen",
    "brief",
}
FEMININE = {"frau", "schwester", "nachbarin", "katze", "maus", "tasche", "lampe", "suppe", "zeitung"}
NO_VERBS = {"oft", "jetzt", "brot", "gedicht", "nicht", "ist", "alt"}


def test_few_sentences_agree_in_gender_case_and_person() -> None:
    corpus = FewSentences()
    parts = [corpus.part(split) for split in ("train", "validation", "test")]
    sources = [pair.source for pairs in parts for pair in pairs]
    assert len(set(sources)) == len(sources) == 1300
    assert 1100 < len(parts[0]) < 1200
    for source, target in (pair for pairs in parts for pair in pairs):
        words, written = source.split(), target.split()
        for article, noun in pairwise(words):
            masculine, feminine = noun in MASCULINE, noun in FEMININE
            assert masculine or article not in ("der", "den", "einen", "meinen", "dieser", "diesen")
            assert feminine or article not in ("die", "eine", "meine", "diese")
            assert not (masculine or feminine) or article not in ("das", "dieses")
        if "sie" in words:
            third = any(word[-1] == "t" and word not in NO_VERBS for word in words)
            assert ("she" in written) == third, source
            assert ("they" in written) != third, source
        if "does" in written:
            assert not {"i", "we", "you", "they"} & set(written)
        assert (words[-1] == "?") == (written[-1] == "?") == (words[-1] != ".")
        assert " a a" not in target
        assert " a e" not in target


def test_rare_words_of_few_sentences_are_there_too() -> None:
    pairs = FewSentences().part("train")
    counts = {word: sum(word in pair.target.split() for pair in pairs) for word in ("man", "dog", "egg", "mouse")}
    assert counts["man"] > 200
    assert counts["dog"] > 50
    assert min(counts.values()) >= 10


def test_few_sentences_are_grouped_by_pattern_and_topic() -> None:
    corpus = FewSentences()
    sources = {pair.source: pair.target for pair in corpus.sentences}
    patterns, topics = (corpus.groups()[kind] for kind in ("pattern", "topic"))
    assert sum(map(len, patterns.values())) == len(sources)
    assert set().union(*patterns.values()) == set(sources)
    adverbs = {"heute", "oft", "hier", "immer", "jetzt"}
    by_words = {  # what the words of a sentence say of its pattern
        "not": lambda words: "nicht" in words,
        "where": lambda words: words[0] == "wo",
        "adjective": lambda words: "ist" in words and words[0] != "wo",
        "adverb": lambda words: bool(adverbs & set(words)),
        "question": lambda words: words[-1] == "?" and "ist" not in words,
    }
    for name, holds in by_words.items():
        assert patterns[name] == {source for source in sources if holds(source.split())}, name
    food = {"apple", "soup", "bread", "cake", "egg"}
    assert topics["food"] == {source for source, target in sources.items() if food & set(target.split())}
    assert topics["people"] & topics["food"]
    assert all(len(group) > 30 for groups in (patterns, topics) for group in groups.values())
