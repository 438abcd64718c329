"""The index of training sentences against counting by hand."""

from corpora.pairs import Pair
from corpora.text_index import Seen, TextIndex, _longest_shared

PAIRS = [
    Pair("Der Hund schläft.", "The dog sleeps."),
    Pair("Der Hund isst den Apfel.", "The dog eats the apple."),
    Pair("Heute schläft der alte Hund.", "The old dog sleeps today."),
    Pair("Ja!", "Yes!"),
]
INDEX = TextIndex(PAIRS)


def test_words_are_counted_by_sentence_with_their_neighbours() -> None:
    assert INDEX.seen("hund") == Seen("hund", 3, (("der", 2), ("alte", 1)), (("schläft", 1), ("isst", 1)))
    assert INDEX.seen("katze") == Seen("katze", 0, (), ())
    assert TextIndex([Pair("der der der", "")]).seen("der") == Seen("der", 1, (("der", 2),), (("der", 2),))


def test_neighbours_that_no_sentence_has_are_named_once() -> None:
    assert INDEX.never_together("Der Hund schläft heute, der Hund schläft heute.") == [
        ("schläft", "heute"),
        ("heute", "der"),
    ]
    assert INDEX.never_together("Ja") == []


def test_a_search_finds_all_its_words_in_any_order_and_case() -> None:
    assert INDEX.holding_all("HUND der") == {0, 1, 2}
    assert INDEX.holding_all("hund schläft") == {0, 2}
    assert INDEX.holding_all("hund katze") == INDEX.holding_all("…") == set()
    assert INDEX.shortest_first({2, 0, 1}) == [0, 1, 2]


def test_the_nearest_share_the_longest_sequence() -> None:
    near = INDEX.nearest("Der Hund isst heute.")
    assert [each.pair for each in near] == [PAIRS[1], PAIRS[0]]
    assert near[0].shared == ("der", "hund", "isst")
    assert [each.pair for each in INDEX.nearest("Apfel Ja", most=1)] == [PAIRS[3]]
    assert INDEX.nearest("Zebra") == []


def test_the_longest_shared_sequence() -> None:
    assert _longest_shared("a b c d".split(), "x b c y a".split()) == ("b", "c")  # noqa: SIM905
    assert _longest_shared(["a"], ["b"]) == ()


def test_chinese_characters_and_spelled_texts_are_cut_into_characters() -> None:
    assert INDEX.words("我爱T恤。") == ["我", "爱", "t", "恤"]
    assert TextIndex([Pair("abc", "cba")], spells=True).never_together("abca") == [("c", "a")]
