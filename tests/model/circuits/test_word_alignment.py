"""Alignment error rate: by hand, by a loop over the formula, and with attention that is known."""

import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from corpora.grammar import Aligned
from corpora.grammar import load as grammar_of
from corpora.pairs import Pair
from model.__main__ import main
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.circuits import word_alignment
from model.circuits.word_alignment import Tokens, counts, error_rate, linked, same_spelling, strongest, tokens
from model.decode.translate import trace_pair
from model.errors import InvalidInput
from model.intervals import of_counts
from model.measurements import word_alignments
from model.tokenization.tokenizer import BOS
from tests.samples import SAMPLES, german_english

PAIR = Aligned(
    Pair("ab c", "x y z"), ((0, 2), (3, 4)), ((0, 1), (2, 3), (4, 5)),
    frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1), (1, 2)}),
)  # fmt: skip
# <bos> a b c <eos>, of which a and b are one word; the target has one piece for each word
READ = Tokens((1, 7, 8, 9, 2), (1, 5, 6, 4), np.array([-1, 0, 0, 1, -1]), (1, 2, 3), np.array([0, 1, 2]))


def test_the_error_rate_by_hand() -> None:
    """A links x–ab, y–ab and z–c: one sure link of two, and of three links two are possible."""
    links = np.array([[True, True, False], [False, False, True]])
    assert counts(links, PAIR).tolist() == [1, 2, 3, 2]
    assert error_rate(counts(links, PAIR).astype(float)) == pytest.approx(1 - (1 + 2) / (3 + 2))
    perfect = np.array([[True, False, False], [False, True, True]])
    assert error_rate(counts(perfect, PAIR).astype(float)) == 0


def test_both_rows_of_a_word_and_the_strongest_weight_but_for_specials() -> None:
    weights = np.full((1, 1, 4, 5), 0.01)
    weights[..., 0, 0] = 0.9  # <bos> is left out, so the next weight counts
    weights[..., 0, 2] = 0.05  # row 0 writes x: its second piece belongs to word 0
    weights[..., 1, 3] = 0.5  # row 1 writes y and reads x
    weights[..., 2, 1] = 0.5  # row 2 writes z and reads y
    weights[..., 3, 3] = 0.5  # row 3 reads z
    pieces = strongest(weights, READ)
    assert pieces[0, 0, 0].tolist() == [0, 1, 0]  # written
    assert pieces[1, 0, 0].tolist() == [1, 0, 1]  # read
    assert linked(pieces, READ, PAIR)[0, 0, 0].tolist() == [[True, False, True], [False, True, False]]


def test_a_word_of_several_pieces_has_the_links_of_each() -> None:
    read = Tokens((1, 7, 9, 2), (1, 5, 6), np.array([-1, 0, 1, -1]), (1, 2), np.array([0, 0]))
    links = linked(np.array([[0, 1]]), read, PAIR)
    assert links[0].tolist() == [[True, False, False], [True, False, False]]


@pytest.mark.parametrize(("name", "language"), [("de-en", "de"), ("zh-en", "zh")])
def test_a_head_against_a_loop_over_its_trace(name: str, language: str) -> None:
    """The same links and rates from the trace of a page, one word after another."""
    checkpoint, pairs = load(Entry(SAMPLES / name)), grammar_of(language).aligned(1, 6)
    measured = word_alignment.measure(checkpoint, pairs)
    layer, head = 1, 2
    totals = np.zeros((2, 4))
    for pair in pairs:
        weights = trace_pair(checkpoint, *pair.pair).weights("cross")[layer, head]
        read = tokens(checkpoint, pair)
        assert len(weights) == 1 + len(read.target_words)
        for number, shift in enumerate((0, 1)):
            links = set()
            for piece, word in enumerate(read.target_words):
                row = {at: weights[piece + shift, at] for at, source in enumerate(read.source_words) if source >= 0}
                links.add((int(read.source_words[max(row, key=row.__getitem__)]), int(word)))
            totals[number] += len(links & pair.sure), len(links & pair.possible), len(links), len(pair.sure)
    assert measured.counts.sum(axis=0)[:, layer, head].tolist() == totals.tolist()
    sums = totals.sum(axis=0)
    assert error_rate(sums) == 1 - (sums[0] + sums[1]) / (sums[2] + sums[3])


def test_pieces_belong_to_the_words_that_they_spell() -> None:
    checkpoint = german_english()
    for pair in grammar_of("de").aligned(2, 20):
        read = tokens(checkpoint, pair)
        pieces = checkpoint.tokenizer.tokens(read.source)
        assert read.source[0] == read.target[0] == BOS
        for number, (start, end) in enumerate(pair.source_words):
            own = [piece.lstrip("·") for piece, word in zip(pieces, read.source_words, strict=True) if word == number]
            assert "".join(own).replace("·", "") == pair.pair.source[start:end]


def test_the_interval_holds_the_rate_and_one_sentence_has_none() -> None:
    each = np.array([[1, 2, 3, 2], [2, 2, 2, 2], [0, 1, 3, 2], [2, 3, 3, 2]])
    rate, low, high = of_counts(each, error_rate)
    assert low < rate < high
    assert rate == pytest.approx(error_rate(each.sum(axis=0).astype(float)))
    assert len(set(of_counts(each[:1], error_rate))) == 1


def test_the_diagonal_and_words_spelled_alike() -> None:
    pair = Aligned(Pair("Tom geht", "Tom goes"), ((0, 3), (4, 8)), ((0, 3), (4, 8)),
                   frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1)}))  # fmt: skip
    assert word_alignment.diagonal([pair]).tolist() == [[2, 2, 2, 2]]
    assert same_spelling(pair) == [(0, 0)]


def test_what_the_command_records(tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    monkeypatch.setattr(word_alignments.measure, "__defaults__", (*word_alignments.measure.__defaults__[:1], 12))
    monkeypatch.setattr(word_alignments, "TWINS", 1)
    assert main(["alignment", "de-en", "--save"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "de-en" / "alignment.json").read_text(encoding="utf-8")) == results
    assert results["sentences"] == 12
    pairs, checkpoint = grammar_of("de").aligned(0, 12), german_english()
    own = word_alignment.measure(checkpoint, pairs).counts.sum(axis=0).astype(float)
    assert results["read"]["cross.2.mean"][0] == pytest.approx(error_rate(own)[1, 2, 4], abs=1e-4)
    assert results["written"]["cross.1.mean"][0] < 0.2 < 0.6 < results["random"]["written"]["best"]


def test_a_model_without_gold_is_refused() -> None:
    for name in ("induction", "dates"):
        with pytest.raises(InvalidInput, match="Gold alignments"):
            word_alignments.gold_for(Entry(SAMPLES / name))
    other = SimpleNamespace(name="x", card={"source_language": "de", "target_language": "fr"},
                            config=SimpleNamespace(architecture="encoder-decoder"))  # fmt: skip
    with pytest.raises(InvalidInput, match="does not translate"):
        word_alignments.gold_for(other)  # type: ignore[arg-type]
