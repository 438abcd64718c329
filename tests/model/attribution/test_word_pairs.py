"""Scores between words: the embedding part of real queries and keys, and pairs counted and checked in sentences."""

import json
from collections import Counter

import numpy as np
import pytest

from model.__main__ import main
from model.attribution.score_terms import pairs_in_sentences, word_scores
from model.attribution.score_terms.terms import score_row
from model.attribution.score_terms.word_scores import WordScores
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.recorded_pass import recorded
from model.features import word_table
from model.trace import path
from tests.model.attribution.test_logit_parts import CASES, made
from tests.model.attribution.test_score_terms import MORE
from tests.samples import KINO, SAMPLES

IDS = np.array([5, 9, 17, 40])
HEAD = 1


def sides(checkpoint: Checkpoint) -> list[str]:
    return [side for side in ("encoder", "decoder") if checkpoint.model.config.layers(side)]


def passed(checkpoint: Checkpoint, side: str, ids: list[int]) -> dict[str, np.ndarray]:
    """A pass in which a side reads these ids, and another side, if there is one, the first of them."""
    read = {each: ids if each == side else ids[:1] for each in sides(checkpoint)}
    return recorded(checkpoint.model, read.get("encoder", []), read.get("decoder", []))


@pytest.mark.parametrize("name", [*CASES, *MORE])
def test_scores_are_the_terms_of_the_embeddings_of_words_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against passes over one token each, whose terms add up to what a model records."""
    checkpoint = made((CASES | MORE)[name])
    monkeypatch.setattr(word_scores, "PLACES", 1)
    for side in sides(checkpoint):
        q, k = [], []
        for id_ in IDS.tolist():
            row = score_row(checkpoint.model, passed(checkpoint, side, [id_]), side, 0, HEAD, 0)
            assert row.queries[0].name == row.keys[0].name == "embedding"
            q.append(row.q[0])
            k.append(row.k[0, 0])
        counts = np.array([1, 2, 3, 4])
        expected = np.array(q) @ (np.array(k) - np.average(k, axis=0, weights=counts)).T
        scores = word_scores.word_scores(checkpoint.model, side, IDS, counts, 0)[HEAD]
        np.testing.assert_allclose(scores.q @ scores.k.T, expected, atol=1e-5)


def test_where_positions_rotate_the_distance_counts() -> None:
    checkpoint = made(MORE["rotary, grouped, normed queries and keys"])
    for distance in (1, 3):
        scores = word_scores.word_scores(checkpoint.model, "decoder", IDS, np.ones(4), distance)[HEAD]
        a, b = IDS[2:].tolist()
        differences = []
        for key in (a, b):  # at the same place before the same query
            values = passed(checkpoint, "decoder", [key, *[7] * (distance - 1), b])
            row = score_row(checkpoint.model, values, "decoder", 0, HEAD, distance)
            differences.append(row.q[0] @ row.k[0, 0])
        assert scores.q[3] @ (scores.k[2] - scores.k[3]) == pytest.approx(differences[0] - differences[1], abs=1e-5)


def test_a_norm_has_the_mean_of_its_scales_over_the_first_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = made({"norm": "pre"})
    parts = []
    for place in range(3):
        values = passed(checkpoint, "encoder", [30] * place + [5])
        parts.append(score_row(checkpoint.model, values, "encoder", 0, HEAD, place).q[0])
    monkeypatch.setattr(word_scores, "PLACES", 3)
    scores = word_scores.word_scores(checkpoint.model, "encoder", IDS, np.ones(4), 0)[HEAD]
    np.testing.assert_allclose(scores.q[0], np.mean(parts, axis=0), atol=1e-6)
    assert np.abs(parts[0] - parts[2]).max() > 1e-4


def test_the_strongest_pairs_are_those_of_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_scores, "BLOCK", 3)
    rng = np.random.default_rng(0)
    scores = WordScores(*rng.normal(size=(2, 10, 4)).astype(np.float32))
    queries, keys = scores.strongest(7)
    table = scores.q @ scores.k.T
    order = np.argsort(-table, axis=None)[:7]
    np.testing.assert_array_equal(queries * 10 + keys, order)
    np.testing.assert_allclose(scores.of(queries, keys), table.flat[order], rtol=1e-5)
    np.testing.assert_allclose(scores.with_query(2), table[2], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(scores.with_key(2), table[:, 2], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("is_causal", [False, True])
def test_pairs_are_counted_once_for_each_sentence(is_causal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_in_sentences, "LEAST", 3)
    rng = np.random.default_rng(1)
    sentences = [tuple(rng.integers(4, 12, size=rng.integers(1, 7)).tolist()) for _ in range(40)]
    seen = pairs_in_sentences.seen_words(sentences)
    different = list(dict.fromkeys(each for each in sentences if len(each) > 1))
    assert list(seen.sentences) == different
    found = {
        (int(seen.ids[q]), int(seen.ids[k]))
        for q, k in zip(*pairs_in_sentences.together(seen, is_causal=is_causal), strict=True)
    }
    counts = Counter(
        pair
        for each in different
        for pair in {(a, b) for i, a in enumerate(each) for j, b in enumerate(each) if j <= i or not is_causal}
    )
    often = set(seen.ids.tolist())
    assert found == {pair for pair, count in counts.items() if count >= 3 and often.issuperset(pair)}


@pytest.mark.parametrize("name", ["post", "rms, gated, grouped", "alibi"])
def test_a_pair_is_checked_in_the_weights_of_real_passes(name: str) -> None:
    checkpoint = made((CASES | MORE)[name])
    sentences = ((5, 9, 17, 5), (9, 5, 40), (17, 9, 5, 9, 40), (40, 17))
    seen = pairs_in_sentences.SeenWords(sentences, IDS, np.ones(4))
    for side in sides(checkpoint):
        pair, hits, count = (5, 9), 0, 0
        for sentence in sentences:
            weights = passed(checkpoint, side, list(sentence))[f"{path(side, 0)}.weights"][HEAD]
            cells = [
                weights[q, k] * np.count_nonzero(weights[q])
                for q, query in enumerate(sentence)
                for k, key in enumerate(sentence)
                if (query, key) == pair and weights[q, k]
            ]
            count += bool(cells)
            hits += bool(cells) and float(np.mean(cells)) > 1
        [result, nowhere] = pairs_in_sentences.checked(checkpoint.model, side, HEAD, [pair, (40, 40_000)], seen, 0)
        assert (result.hits, result.count) == (hits, count)
        assert 0 <= result.random <= count
        assert nowhere == pairs_in_sentences.Checked(0, 0, 0)


def test_the_strongest_pairs_of_a_trained_head_hold_in_real_sentences() -> None:
    """In the encoder of `sort` content decides (`score-sources`), so a strong pair should; another word should not."""
    entry = Entry(SAMPLES / "sort")
    checkpoint = load(entry)
    seen = word_table.seen(entry, checkpoint, "encoder")
    together = pairs_in_sentences.together(seen, is_causal=False)
    for head, scores in enumerate(word_scores.word_scores(checkpoint.model, "encoder", seen.ids, seen.counts, 1)):
        pairs = word_table.strongest(checkpoint, "encoder", head, scores, seen, together)
        share, random = word_table.summed(pairs)
        assert share.low > 0.95
        assert random.high < 0.5
        values = [pair.score for pair in pairs]
        assert values == sorted(values, reverse=True)


def test_the_command_tells_what_a_word_looks_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["word-pairs", "sort", "--head", "encoder.2", "--word", "X", "--most", "3"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["query"] for row in told["looks_for"]] == ["x"] * 3
    assert [row["key"] for row in told["looked_for_by"]] == ["x"] * 3
    for row in (*told["looks_for"], *told["looked_for_by"]):
        assert row["share"][0] == pytest.approx(row["hits"] / row["sentences"], abs=1e-4)
    assert main(["word-pairs", "sort", "--head", "encoder.2", "--word", KINO]) == 2
    assert "is not among the tokens" in capsys.readouterr().err
    assert main(["word-pairs", "sort", "--head", "cross.0"]) == 2
    assert "There is no head 'cross.0'" in capsys.readouterr().err
