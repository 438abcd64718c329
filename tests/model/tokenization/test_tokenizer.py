"""Tokens: nothing is lost on the way to ids and back, words stay readable, and a user's text stays text."""

import json
import re

import pytest

from corpora.collected import AufDeutsch
from corpora.grammar import load
from model.checkpoint.catalogue import Entry, load_tokenizer
from model.tokenization.normalizer import normalizer
from model.tokenization.tokenizer import BOS, EOS, SPECIALS, UNK, Tokenizer, words_of
from tests.samples import BUCH, KINO, SAMPLES, TINY_PAIRS, german_english, tiny_tokenizer


@pytest.fixture(scope="module")
def german() -> Tokenizer:
    return german_english().tokenizer


QUOTES = str.maketrans("’‘‚`´„“”«»", "'''''\"\"\"\"\"")  # one sign for each kind


def test_ids_and_back_lose_nothing(german: Tokenizer) -> None:
    for text in (text for pair in [*load("de").generate(1, 150), *AufDeutsch().tested[:150]] for text in pair):
        if german.unknown_characters(text):
            continue
        assert german.decode(german.encode(text)) == " ".join(text.translate(QUOTES).split())


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("  Wo   ist\tdas Buch?  ", BUCH),
        ("„Ja“", '"Ja"'),
        ("I don’t know.", "I don't know."),
        ("scho\u0308n", "schön"),  # o and a combining mark are one letter
        ("Wo ist das Buch？", BUCH),
        ("ＡＢ０１", "AB01"),
        ("8：30；（ja）！", "8:30;(ja)!"),
        ("「Ja」", '"Ja"'),
        ("Ja´s…", "Ja's..."),
    ],
)
def test_spelling_variants_are_one(german: Tokenizer, typed: str, read: str) -> None:
    trained_now = Tokenizer.train([read], [], 200)
    for tokenizer in (german, trained_now):
        assert UNK not in tokenizer.encode(read)
        assert tokenizer.encode(typed) == tokenizer.encode(read)


def test_frequent_words_are_whole_and_readable(german: Tokenizer) -> None:
    assert german.tokens(german.encode(BUCH)) == ("<bos>", "Wo", "ist", "das", "Buch", "?", "<eos>")
    assert german.tokens(german.encode(KINO)) == ("<bos>", *KINO[:-1].split(), ".", "<eos>")


def test_rare_words_are_pieces_that_spell_the_word(german: Tokenizer) -> None:
    tokens = german.tokens(german.encode("Die Bahnsteigkante"))[2:-1]
    assert len(tokens) > 1
    assert all(token.startswith("·") for token in tokens[1:])
    assert "".join(token.removeprefix("·") for token in tokens) == "Bahnsteigkante"


@pytest.mark.parametrize("special", SPECIALS)
def test_a_special_token_that_is_typed_is_text(german: Tokenizer, special: str) -> None:
    ids = german.encode(f"Das ist {special} hier")
    assert ids[0] == BOS
    assert ids[-1] == EOS
    assert not {0, BOS, EOS} & set(ids[1:-1])
    assert len(ids) > len(german.encode("Das ist hier")) + 1  # spelt out, not swallowed


def test_specials_are_not_part_of_the_text(german: Tokenizer) -> None:
    ids = german.encode(KINO)
    assert german.decode([0, *ids, 0, 0]) == KINO
    assert german.tokens([0, BOS, EOS, UNK]) == SPECIALS


def test_words_of_the_training_data_are_seen(german: Tokenizer) -> None:
    card = Entry(SAMPLES / "de-en").card
    sentences = [*card["examples"], *(sentence for topic in card["covers"] for sentence in topic["examples"])]
    assert {word for sentence in sentences for word in german.unseen_words(sentence)} == set()


def test_an_unseen_word_is_named_with_its_pieces(german: Tokenizer) -> None:
    unseen = german.unseen_words("Der Zwerchfellkrampf kommt heute, Zwerchfellkrampf!")
    assert list(unseen) == ["Zwerchfellkrampf"]
    pieces = unseen["Zwerchfellkrampf"]
    assert len(pieces) > 1
    assert "".join(piece.removeprefix("·") for piece in pieces) == "Zwerchfellkrampf"


def test_the_pieces_of_an_unseen_word_are_those_that_are_read(german: Tokenizer) -> None:
    for text in ("<b>x</b>", "Ich mag (Xylophone) und Quokkas!"):
        tokens = " ".join(german.tokens(german.encode(text)))
        for pieces in german.unseen_words(text).values():
            assert " ".join(pieces) in tokens


def test_the_capital_of_a_first_word_makes_no_new_word() -> None:
    tokenizer = tiny_tokenizer()
    assert tokenizer.unseen_words("Das Haus ist alt") == {}
    assert list(tokenizer.unseen_words("ist Das alt")) == ["Das"]
    assert list(tokenizer.unseen_words("das haus")) == ["haus"]


def test_numbers_are_no_unseen_words() -> None:
    assert tiny_tokenizer().unseen_words("12 Haus 345") == {}


def test_characters_outside_the_vocabulary_become_unknown(german: Tokenizer) -> None:
    text = "Das ist 🎈 und 影 hier."
    assert german.unknown_characters(text) == ("🎈", "影")
    assert german.encode(text).count(UNK) == 2
    assert german.unknown_characters(KINO) == ()
    assert UNK not in german.encode(KINO)


def test_training_again_gives_the_same_vocabulary() -> None:
    first, second = tiny_tokenizer(), tiny_tokenizer()
    assert first.inner.get_vocab() == second.inner.get_vocab()
    assert first.size == 140
    assert tiny_tokenizer(size=130).size == 130


def test_what_is_saved_is_what_is_loaded(tmp_path) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.save(tmp_path)
    copy = load_tokenizer(Entry(tmp_path))
    assert copy.seen == tokenizer.seen == {"das", "Haus", "ist", "alt", "der", "Hund", "da", "ja"}
    for pair in TINY_PAIRS:
        for text in (*pair, "der <eos> Hund 🎈"):
            assert copy.encode(text) == tokenizer.encode(text)


CHINESE = ("我是学生。", "你是老师吗？", "我今天不忙，你呢？")


@pytest.fixture(scope="module")
def by_character() -> Tokenizer:
    english = ("I'm a student.", "Are you a teacher?", "I'm not busy today, and you?")
    return Tokenizer.train([*CHINESE, *english], words_of(CHINESE), 160)


@pytest.mark.parametrize("sentence", CHINESE)
def test_a_chinese_character_is_a_token_wherever_it_stands(by_character: Tokenizer, sentence: str) -> None:
    ids = by_character.encode(sentence)
    assert by_character.tokens(ids)[1:-1] == tuple(sentence)
    assert by_character.decode(ids) == sentence
    assert by_character.encode(" ".join(sentence)) == ids
    assert by_character.unseen_words(sentence) == {}


def test_two_chinese_characters_are_never_one_token() -> None:
    vocabulary = Tokenizer.train(["学生", "学生。"] * 50, [], 140).inner.get_vocab()
    assert [token for token in vocabulary if len(token) > 1 and re.search("[一-鿿。]", token)] == []


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("你是老师吗?", "你是老师吗？"),
        ("我是学生.", "我是学生。"),
        ("我今天不忙,你呢?", "我今天不忙，你呢？"),
        ("我 今天 不 忙，你 呢？", "我今天不忙，你呢？"),
        ("我今天不忙 ，你呢?", "我今天不忙，你呢？"),
        ("我是学生｡", "我是学生。"),
    ],
)
def test_narrow_marks_and_spaces_in_chinese_are_one_spelling(by_character: Tokenizer, typed: str, read: str) -> None:
    assert by_character.decode(by_character.encode(typed)) == read
    assert by_character.encode(typed) == by_character.encode(read)


MARKED = ("他说：“我很忙。”", "“你好！”他说。", "《家》；（三）、￥58……", "大卫·马丁")


@pytest.mark.parametrize(
    ("typed", "tokens"),
    [
        ("他说：“我很忙。”", '他 说 ： " 我 很 忙 。 "'),
        ('他说:"我很忙。"', '他 说 ： " 我 很 忙 。 "'),
        ("「你好!」他说。", '" 你 好 ！ " 他 说 。'),
        ("《家》；(三)、¥58...", "《 家 》 ； （ 三 ） 、 ¥ ·5 ·8 ."),
        ("（三）……他", "（ 三 ） … 他"),
        ("我很忙。。。", "我 很 忙 …"),
        ("「你好!!」他说。", '" 你 好 ！ ！ " 他 说 。'),
        ("(三).、", "（ 三 ） 。 、"),
        ("大卫・马丁", "大 卫 · 马 丁"),
        ("他说8：30", "他 说 ·8 : ·3 ·0"),
    ],
)
def test_chinese_marks_are_tokens_however_they_are_typed(typed: str, tokens: str) -> None:
    tokenizer = Tokenizer.train([*MARKED, "8:30."], words_of(MARKED), 160)
    assert " ".join(tokenizer.tokens(tokenizer.pieces(typed))).startswith(tokens)
    assert tokenizer.unknown_characters(typed) == ()


@pytest.mark.parametrize("name", ["de-en", "zh-en"])
def test_a_sample_cuts_text_as_a_tokenizer_of_today(name: str) -> None:
    """Files hold all that a reader needs: the same ids come out in a browser."""
    file_content = json.loads((SAMPLES / name / "tokenizer.json").read_text(encoding="utf-8"))
    today = json.loads(Tokenizer.train(CHINESE, [], 140).inner.to_str())
    for part in ("normalizer", "pre_tokenizer"):
        assert file_content[part] == today[part]
    assert file_content["model"]["fuse_unk"] is today["model"]["fuse_unk"] is False


def test_the_sample_reads_its_card_as_it_did() -> None:
    """The weights were trained on these ids."""
    ids = german_english().tokenizer.pieces("Am Montag habe ich Deutschkurs.")
    assert ids == [517, 1072, 334, 238, 3847, 17]


@pytest.mark.parametrize(
    "text", [*MARKED, "  ’a´ … „b“ ..。", '我说 : "(好)"......', "½ ﬁ ㎏", "Hi。。。", "A。。B…", "好!?……"]
)
def test_one_spelling_stays_as_it_is(text: str) -> None:
    once = normalizer().normalize_str(text)
    assert normalizer().normalize_str(once) == once


def test_english_keeps_its_marks_and_spaces(by_character: Tokenizer) -> None:
    ids = by_character.encode("I'm a student, and you?")
    assert by_character.decode(ids) == "I'm a student, and you?"
    assert any(token.startswith("·") for token in by_character.tokens(by_character.encode("studying")))


def test_an_unseen_character_is_named(by_character: Tokenizer) -> None:
    assert by_character.unseen_words("我是医生。") == {"医": ("<unk>",)}
    assert by_character.unknown_characters("我是医生。") == ("医",)


def test_many_sentences_are_read_as_each_alone(german: Tokenizer) -> None:
    sentences = [KINO, BUCH, "", "Zwerchfellkrampf 🎈"]
    assert german.encode_all(sentences) == [german.encode(sentence) for sentence in sentences]


def test_words_are_cut_as_a_reader_would() -> None:
    assert words_of(["Ich schreibe dir eine E-Mail.", "don't"]) == {
        "Ich", "schreibe", "dir", "eine", "E-Mail", "don't",
    }  # fmt: skip
    assert words_of(["我用E-Mail。"]) == {"我", "用", "E-Mail"}
    assert words_of(["3 Uhr, 我9876块"]) == {"Uhr", "我", "块"}
    assert words_of(["看熊猫。", "熊猫来了。"], 3) == set("看熊猫来了")
    assert "熊猫" in words_of(["看熊猫。", "熊猫来了。"], 2)


def test_what_the_dictionary_cuts_wrongly_is_no_unseen_word() -> None:
    tokenizer = Tokenizer.train(["我觉得很有意思"], [*"我觉得很有意思计算机", "觉得", "意思", "计算"], 140)
    assert tokenizer.unseen_words("我觉得很有意思。") == {}
    assert "计算机" in tokenizer.unseen_words("计算机")  # 机 is a part of the word
