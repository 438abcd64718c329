"""How the merges of a trained tokenizer cut a word: against the tokenizer itself, on every word that it was shown."""

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

from model.checkpoint.catalogue import Entry, load_tokenizer
from model.tokenization.merge_order import MergeOrder
from tests.samples import SAMPLES

DE_EN = load_tokenizer(Entry(SAMPLES / "de-en"))


def test_each_word_ends_as_the_tokenizer_cuts_it() -> None:
    order = MergeOrder(DE_EN.inner)
    for word in [*sorted(DE_EN.seen)[::40], "Kinokarte", "Zwerchfellkrampf", "E-Mail", "3.14", "aaaaaa"]:
        cut = order.cut(word)
        assert cut is not None
        assert list(cut.pieces) == DE_EN.inner.encode(word).tokens


def test_the_way_of_a_word_obeys_the_order_of_the_merges() -> None:
    cut = MergeOrder(DE_EN.inner).cut("schwimmen")
    assert cut is not None
    assert cut.start == tuple("▁schwimmen")
    assert cut.pieces == ("▁schwimmen",)
    ranks = [step.rank for step in cut.steps]
    assert ranks == sorted(ranks)
    assert ranks[-1] <= cut.merges
    pieces = cut.start
    for step in cut.steps:
        assert "".join(step.pair) in step.pieces
        assert ("".join(pieces), len(pieces) - 1) == ("".join(step.pieces), len(step.pieces))
        pieces = step.pieces


def test_a_cut_that_stays_has_no_merge() -> None:
    cut = MergeOrder(DE_EN.inner).cut("Theaterkarte")
    assert cut is not None
    assert cut.pieces == ("▁Theater", "karte")
    assert cut.absent == (("▁Theater", "karte"),)


def test_what_is_unknown_stays_a_character() -> None:
    cut = MergeOrder(DE_EN.inner).cut("Kino书")
    assert cut is not None
    assert cut.pieces == ("▁Kino", "书")
    assert cut.absent == ()  # it is cut before merging begins


def test_bytes_are_merged_as_gpt_2_does() -> None:
    inner = tokenizers.Tokenizer(models.BPE())
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    inner.train_from_iterator(["看电影看电影 they swim and swim"], trainer)
    for word in ("电影院", "swimming"):
        cut = MergeOrder(inner).cut(word)
        assert cut is not None
        assert list(cut.pieces) == inner.encode(word).tokens
        assert len(cut.start) == len(word.encode())


def test_a_tokenizer_without_merges_or_with_an_order_of_its_own_has_no_way() -> None:
    assert MergeOrder(load_tokenizer(Entry(SAMPLES / "gpt-char")).inner).cut("text") is None
    whole = tokenizers.Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2, "aba": 3}, [("a", "b")], ignore_merges=True))
    assert MergeOrder(whole).cut("ab") is not None
    assert MergeOrder(whole).cut("aba") is None
