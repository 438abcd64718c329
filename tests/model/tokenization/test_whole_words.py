"""Whole words of tokens for each kind of tokenizer, and attention between them."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest

from model.checkpoint.catalogue import Entry, load_tokenizer
from model.pretrained import importing
from model.pretrained.card import Origin
from model.tokenization import segmenter
from model.tokenization.tokenizer import Tokenizer
from model.trace import Trace
from tests.glassformer.test_inputs import softmaxed
from tests.model.pretrained.small import build
from tests.model.pretrained.strings import strings
from tests.samples import SAMPLES
from viz import whole_words
from viz.whole_words import BYTE_SPACE, NO_MARK, Word

OWN = ("de-en", "zh-en", "dates", "mini-encoder", "notebook-c")
IMPORTED = ("bert", "gpt2", "llama", "t5", "marian")
SPECIAL = re.compile(r"<(?!0x)[^<>]+>|\[[A-Z]+\]")
SHOWN_SPACES = "␣⏎⇥"


@pytest.fixture(scope="module", params=(*OWN, *IMPORTED))
def tokenizer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    if request.param in OWN:
        return load_tokenizer(Entry(SAMPLES / request.param))
    original, out = (tmp_path_factory.mktemp(name) for name in ("original", "out"))
    build(request.param, original)
    importing.import_folder(original, out, request.param, Origin(f"somebody/{request.param}"))
    return load_tokenizer(Entry(out / request.param))


def texts(tokenizer: Tokenizer) -> list[tuple[str, list[int]]]:
    return [(text, tokenizer.encode(text)) for text in strings(150, seed=3)]


def bare(text: str) -> str:
    """A text without its spaces, hidden ones too, in one spelling."""
    kept = (
        each for each in unicodedata.normalize("NFKC", text) if not each.isspace() and each not in f"{SHOWN_SPACES}▁"
    )
    return "".join(kept)


def is_punctuation(text: str) -> bool:
    return all(unicodedata.category(each)[0] in "PS" for each in text)


@pytest.mark.sample(3)
def test_words_and_characters_hold_every_token_once_and_give_the_text_again(tokenizer: Tokenizer) -> None:
    for text, ids in texts(tokenizer):
        for words in tokenizer.grouping(ids, begins=True):
            assert [place for word in words for place in range(word.start, word.end)] == list(range(len(ids))), text
        words = tokenizer.grouping(ids).words
        together = "".join(word.text for word in words if tokenizer.is_text(ids[word.start]))
        assert bare(together) == bare(tokenizer.decode(ids)), text


def test_specials_and_punctuation_stand_alone(tokenizer: Tokenizer) -> None:
    for text, ids in texts(tokenizer):
        for start, end, *_ in tokenizer.grouping(ids).words:
            if end - start > 1:
                assert all(map(tokenizer.is_text, ids[start:end])), text
                # a space that is a token may stand before it
                pieces = [name for id_ in ids[start:end] if (name := shown(tokenizer, id_)) not in SHOWN_SPACES]
                assert len(pieces) < 2 or not (is_punctuation(pieces[0]) or is_punctuation(pieces[-1])), text


def shown(tokenizer: Tokenizer, id_: int) -> str:
    """The text of one token without its mark."""
    return tokenizer.grouping([id_]).words[0].text


def test_no_part_of_a_character_is_shown(tokenizer: Tokenizer) -> None:
    for text, ids in texts(tokenizer):
        names = [word.text for word in tokenizer.grouping(ids).characters]
        assert not any(re.fullmatch(r"·?[89A-F][0-9A-F]( [89A-F][0-9A-F])*|<0x[89A-F].>", name) for name in names), text


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ("[CLS] un ##believ ##able , isn ' t it ? [SEP]", "[CLS] unbelievable , isn ' t it ? [SEP]"),
        ("<s> ▁un believ able , ▁isn ' t ▁it ? </s>", "<s> unbelievable , isn't it ? </s>"),
        ("▁( an ▁E - Mail ) . ▁3 . 5", "( an E-Mail ) . 3 . 5"),
        ("un believ able , Ġisn 't Ġit ? Ċ The", "unbelievable , isn't it ? ⏎ The"),
        ("un@@ believ@@ able , isn't it ?", "unbelievable , isn't it ?"),
        ("un believ able</w> ,</w> is n't</w>", "unbelievable , isn't"),
        ("Die Schmett ·er ·linge .", "Die Schmetterlinge ."),
        ("no marks at all .", "no marks at all ."),
        ("ä½ ł å¥½ ï¼ģ", "你 好 ！"),
        ("the ĠðŁ ĺ Ģ !", "the 😀 !"),
        ("<s> ▁ <0xE4> <0xBD> <0xA0> 好 ▁a <0x0A> b", "<s> 你 好 a ⏎ b"),
        ("▁我 喜 欢 ▁B er lin 的", "我 喜 欢 Berlin 的"),  # ▁ does not say where Chinese words end
        ("▁a <0xE4> <0xBD> b", "a E4 BD b"),  # what a model writes need not be a character
        ("▁x </s> y z", "x </s> yz"),
    ],
)
def test_each_mark_is_read(tokens: str, words: str) -> None:
    given = tokens.split()
    result = whole_words.words_of(given, [bool(SPECIAL.fullmatch(token)) for token in given])
    assert " ".join(word.text for word in result) == words


def test_a_word_alone_needs_its_mark_to_be_named() -> None:
    """Nothing in the tokens of one word tells whether they belong together."""
    tokens, specials = ("un", "believ", "able"), (False,) * 3
    assert len(whole_words.words_of(tokens, specials)) == 3
    assert [word.text for word in whole_words.words_of(tokens, specials, BYTE_SPACE)] == ["unbelievable"]
    assert whole_words.mark_of(tokens) == NO_MARK


def test_letters_of_another_alphabet_are_no_bytes() -> None:
    assert whole_words.mark_of(("Müller", "ging")) == NO_MARK
    assert [word.text for word in whole_words.characters(("Mü", "ller"), (False, False))] == ["Mü", "ller"]


@pytest.mark.parametrize("tokens", ["我 们 今 天 去 看 电 影 院 。", "▁我们 今 天 去 看 电 影院 。"])
def test_a_dictionary_joins_chinese(tokens: str) -> None:
    given = tokens.split()
    words = whole_words.words_of(given, [False] * len(given), segment=segmenter.words)
    assert " ".join(word.text for word in words) == "我们 今天 去 看 电影院 。"


def test_models_of_characters_have_words_too() -> None:
    tokenizer = load_tokenizer(Entry(SAMPLES / "dates"))
    words = tokenizer.grouping(tokenizer.encode("3 Mar 2019")).words
    assert [word.text for word in words] == ["<bos>", "3", "Mar", "2019", "<eos>"]


@pytest.mark.parametrize(
    ("tokens", "shown", "words"),
    [
        ("[CLS] un ##able ! [SEP]", "[CLS] un ##able ! [SEP]", "[CLS] unable ! [SEP]"),
        ("<s> Die Schmett ·er ·linge </s>", "<s> Die Schmett ·er ·linge </s>", "<s> Die Schmetterlinge </s>"),
        ("the Ġç Į « ĠĊ", "the 猫 ĠĊ", "the 猫 ⏎"),
        ("我 们 去 看 电 影", "我 们 去 看 电 影", "我们 去 看 电影"),
    ],
)
def test_a_recording_has_the_marks_of_its_tokens_alone(tokens: str, shown: str, words: str) -> None:
    trace = Trace({}, tuple(tokens.split()), (), ())
    for whole, expected in ((False, shown), (True, words)):
        assert " ".join(word.text for word in trace.words("source_tokens", whole=whole)) == expected
    assert trace.words("target_tokens", whole=True) == ()


# attention between words


def spans(*sizes: int) -> tuple[Word, ...]:
    ends = np.cumsum(sizes).tolist()
    return tuple(Word(end - size, end, "") for end, size in zip(ends, sizes, strict=True))


def by_definition(weights: np.ndarray, queries: Sequence[Word], keys: Sequence[Word]) -> np.ndarray:
    return np.array(
        [
            [np.mean([weights[q, key.start : key.end].sum() for q in range(query.start, query.end)]) for key in keys]
            for query in queries
        ]
    )


def test_keys_are_summed_and_queries_averaged() -> None:
    weights, queries, keys = softmaxed(2, 3, 6, 5), spans(1, 2, 3), spans(2, 1, 2)
    result = whole_words.joined(weights, queries, keys)
    assert result.shape == (2, 3, 3, 3)
    assert result.dtype == weights.dtype
    np.testing.assert_allclose(result[1, 2], by_definition(weights[1, 2], queries, keys), atol=1e-6)
    np.testing.assert_allclose(result.sum(-1), 1, atol=1e-6)


def test_single_tokens_change_nothing() -> None:
    weights = softmaxed(2, 4, 4)
    assert whole_words.joined(weights, spans(1, 1, 1, 1), spans(1, 1, 1, 1)) is weights
    np.testing.assert_array_equal(
        whole_words.joined(weights, spans(1, 1, 1, 1), spans(2, 1, 1))[..., 1:], weights[..., 2:]
    )


def test_no_word_sees_a_later_one() -> None:
    words = spans(1, 3, 2, 1)
    result = whole_words.joined(softmaxed(2, 7, 7, causal=True), words, words)
    assert not np.triu(result, 1).any()
    np.testing.assert_allclose(result.sum(-1), 1, atol=1e-6)
