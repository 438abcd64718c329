"""Gold alignments: checked by hand, and the sentences stay those that the grammars write without them."""

import random

import pytest

from corpora import chinese, german
from corpora.alignment import Aligned, Draws, Slot, align
from corpora.pairs import Pair, split_of
from corpora.topic_sampling import Topic

GRAMMARS = pytest.mark.parametrize("grammar", [german, chinese], ids=["german", "chinese"])


def gold(source: str) -> Aligned:
    """The alignment of an example of a topic, as the grammar draws it."""
    grammar = chinese if source[-1] in "。？" else german
    [topic] = [topic for topic in grammar.TOPICS if source in topic.examples]
    rng = Draws(0)
    while (pair := topic.generator(rng)).source != source:
        rng.drawn = []
    return align(pair, grammar.slots.slots(rng.drawn), grammar.slots.FUNCTION_WORDS, spaced=grammar is german)


def links(text: str) -> set[tuple[str, str]]:
    """`Haus-house ist-is` as pairs of words."""
    return {(a, b) for a, _, b in (link.partition("-") for link in text.split())}


@pytest.mark.parametrize(
    ("source", "sure"),
    [
        ("Ich besuche ein Museum.", "Ich-I besuche-visit ein-a Museum-museum .-."),
        ("Das ist ein großer Hund.", "Das-That's ist-That's ein-a großer-big Hund-dog .-."),
        ("Am Montag bleibe ich zu Hause.", "Montag-Monday bleibe-staying ich-I'm Hause-home .-."),
        ("Er isst um zwölf Uhr zu Mittag.", "Er-He isst-has zwölf-twelve Uhr-o'clock Mittag-lunch .-."),
        ("Sie hört nicht zu.", "Sie-She hört-listen nicht-doesn't .-."),
        ("Ich koche ihm eine Suppe.", "Ich-I koche-cook ihm-him eine-a Suppe-soup .-."),
        ("Die Musik gefällt mir.", "Die-the Musik-music gefällt-like .-."),
        ("Haben Sie schon bestellt?", "Haben-Have Sie-you schon-already bestellt-ordered ?-?"),
        ("我每天看书。", "我-I 每天-every 每天-day 看-read 。-."),
        ("我有两本书。", "我-I 有-have 两-two 书-books 。-."),
        ("我是坐火车来的。", "我-I 坐火车-by 坐火车-train 来-came 。-."),
    ],
)
def test_sure_links_checked_by_hand(source: str, sure: str) -> None:
    pair = gold(source)
    assert pair.named(pair.sure) == links(sure)


@pytest.mark.parametrize(
    ("source", "possible"),
    [
        ("Sie hört nicht zu.", "zu-listen zu-doesn't hört-doesn't"),  # a prefix, and the verb's helping verb
        ("Wir gehen ins Restaurant.", "ins-to ins-the ins-restaurant Restaurant-to Restaurant-the gehen-We're"),
        ("Ich habe zu Mittag gegessen.", "zu-had zu-lunch Mittag-had gegessen-lunch"),
        ("Das Haus ist klein.", ""),
        ("Wie heißt du?", "Wie-What Wie-is Wie-your Wie-name heißt-What heißt-is heißt-your heißt-name du-What du-is"
         " du-your du-name"),  # a frame as a whole
        ("你喝茶吗？", "你-Do 喝-Do 吗-Do"),
    ],
)  # fmt: skip
def test_possible_links_checked_by_hand(source: str, possible: str) -> None:
    pair = gold(source)
    assert pair.named(pair.possible - pair.sure) == links(possible)


@GRAMMARS
def test_noting_the_draws_changes_no_sentence(grammar) -> None:
    noted, plain = Draws(5), random.Random(5)
    topics: list[Topic] = list(grammar.TOPICS) * 5
    assert [topic.generator(noted) for topic in topics] == [topic.generator(plain) for topic in topics]
    assert noted.drawn


@GRAMMARS
def test_gold_is_held_out_and_always_the_same(grammar) -> None:
    pairs = grammar.aligned(3, 40)
    assert pairs == grammar.aligned(3, 40)
    assert pairs != grammar.aligned(4, 40)
    assert len({each.pair.source for each in pairs}) == 40
    by_heart = {pair.source for pair in grammar.BY_HEART}
    for each in pairs:
        assert split_of(each.pair.source) == "test"
        assert each.pair.source not in by_heart
        assert each.sure <= each.possible
        assert {j for _, j in each.possible} == set(range(len(each.target_words)))  # no word is without a link
        for text, words in zip(each.pair, (each.source_words, each.target_words), strict=True):
            assert "".join(text[start:end] for start, end in words) == "".join(text.split())


def test_the_rules_by_hand() -> None:
    """A noun with its article, a verb with a particle that may stand apart, and words that nothing made."""
    noun = Slot((("Hund",),), (("dog",),), determiners={"den": ("the",)})
    verb = Slot((("ruft",),), (("calls",), ("up",)), tail=("an",), is_verb=True)
    pair = align(Pair("Er ruft den Hund an", "She calls the dog up"), [noun, verb], frozenset())
    assert pair.named(pair.sure) == links("ruft-calls den-the Hund-dog")
    assert pair.named(pair.possible - pair.sure) == links("ruft-up an-calls an-up Er-She ruft-She")


def test_a_word_that_comes_twice_is_linked_in_order() -> None:
    pair = align(Pair("a b a", "x y x"), [Slot((("a",),), (("x",),))], frozenset())
    assert pair.sure == {(0, 0), (2, 2)}
    assert pair.possible == {(0, 0), (2, 2), (1, 1), (2, 1)}
