"""Byte pairs against a count by hand: every merge, every count and every tie of a text."""

from collections import Counter
from random import Random

import pytest

from model.tokenization import byte_pairs

TEXTS = {
    "German": "Im Januar geht der Verkäufer schwimmen. Ich möchte schwimmen lernen. Vater und Mutter sitzen im Kino.",
    "Chinese": "他们快去电影院看电影了。电影院离银行很远。我爸爸想请我看电影，我会游泳。",
    "emoji": "👨‍👩‍👧👨‍👩‍👧 😀😀😀 😀😀 hi hi 👍🏽👍🏽",
    "one word": "Kinokarte",
    "one word that repeats itself": "Mississippi",
    "one letter": "aaaaaaa aaa aaaa",
    "repeated": "Wir schwimmen. " * 12,
    "marks": "»Ach so!« -- „Ja?“ 'don't' E-Mail, E-Mail ... 3.14 3.14",
} | {f"letters {seed}": "".join(Random(seed).choices("aab c", k=200)) for seed in range(20)}


def by_hand(words: list[list[str]], ids: dict[str, int]) -> tuple[tuple[str, str], int, int] | None:
    """The pair to merge, how often it occurs, and how many others are as frequent; None where none occurs twice."""
    counts: Counter[tuple[str, str]] = Counter()
    for word in words:
        for at in range(len(word) - 1):
            counts[word[at], word[at + 1]] += 1
    most = max(counts.values(), default=0)
    if most < 2:
        return None
    tied = [pair for pair, count in counts.items() if count == most]
    best = tied[0]
    for left, right in tied:
        if ids[left] < ids[best[0]] or (left == best[0] and ids[right] < ids[best[1]]):
            best = left, right
    return best, most, len(tied) - 1


def replaced(word: list[str], left: str, right: str) -> list[str]:
    result, at = [], 0
    while at < len(word):
        if word[at : at + 2] == [left, right]:
            result.append(left + right)
            at += 2
        else:
            result.append(word[at])
            at += 1
    return result


@pytest.mark.parametrize("name", TEXTS)
def test_each_merge_is_that_of_a_hand_count(name: str) -> None:
    learnt = byte_pairs.learn(TEXTS[name])
    words = [list(word) for word in learnt.words]
    ids = {character: id_ for id_, character in enumerate(sorted({c for word in words for c in word}))}
    for step, state in enumerate(learnt.states):
        assert [list(word) for word in state.words] == words
        assert state.length == sum(map(len, words))
        assert state.vocabulary == len(ids)
        expected = by_hand(words, ids)
        if expected is None:
            assert step == len(learnt.merges)
            return
        (left, right), count, ties = expected
        assert (learnt.merges[step], state.pairs[0], state.ties) == ((left, right), ((left, right), count), ties)
        words = [replaced(word, left, right) for word in words]
        ids.setdefault(left + right, len(ids))
    raise AssertionError("a pair that occurs twice was not merged")


def test_the_texts_have_ties_and_one_that_teaches_nothing() -> None:
    assert max(state.ties for state in byte_pairs.learn(TEXTS["German"]).states) > 1
    assert byte_pairs.learn(TEXTS["one word"]).merges == ()


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_a_text_of_nothing_has_no_words(text: str) -> None:
    learnt = byte_pairs.learn(text)
    assert (learnt.words, learnt.merges, learnt.states[0].length) == ((), (), 0)


def test_no_merge_crosses_a_space_or_a_mark() -> None:
    learnt = byte_pairs.learn("so so, so so! 电影，电影。电影")
    assert learnt.words == ("▁so", "▁so", ",", "▁so", "▁so", "！", "电影", "，", "电影", "。", "电影")
    assert all("," not in piece and "，" not in piece for pair in learnt.merges for piece in pair)


def test_a_long_text_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_pairs, "MOST_MERGES", 3)
    assert len(byte_pairs.learn(TEXTS["German"]).merges) == 3
