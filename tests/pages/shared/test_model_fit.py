"""Whether a sentence fits a model: which language it looks like, who reads it, and what is said of it."""

import shutil
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from corpora.ordinary import read
from model.checkpoint import catalogue, checkpoints, language_fit
from model.checkpoint.catalogue import load_tokenizer
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.language_fit import KnownWords, Misfit
from model.decode.doubt import UNSURE, doubt
from model.decode.translate import translate
from model.measurements import ordinary
from pages.shared.text.words import all_texts
from tests.app import CARD, enter, said, sentence, shown, visit
from tests.model.checkpoint.test_chinese import chinese_english
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, SAMPLES, either_language, german_english, in_turn

pytestmark = pytest.mark.usefixtures("warm")

CHINESE = "我在图书馆看书。"
ENGLISH = "I don't mind ice."
# notice, its blanks, and the model that is offered, for what is typed into de-en
TYPED = {
    CHINESE: ("fit_language", {"language": "languages.zh"}, "fit_use", "zh-en"),
    "书": ("fit_script", {"script": "scripts.cjk"}, "fit_use", "zh-en"),
    "神经网络": ("fit_language", {"language": "languages.zh"}, "fit_use", "zh-en"),
    ENGLISH: ("fit_target", {"target": "languages.en"}, "fit_reads", "gpt-char"),
    "she drinks coffee": ("fit_target", {"target": "languages.en"}, "fit_reads", "mini-encoder"),
    "שלום עולם": ("fit_script", {"script": "scripts.hebrew"}, "", ""),
    "Ⴀⴀ": ("fit_script", {"script": "scripts.other"}, "", ""),
    "quiero agua fría": ("fit_language", {"language": "languages.es"}, "fit_use", "es-en"),
    "Le chat est noir.": ("fit_words", {"unseen": 4, "count": 4}, "", ""),
}


@cache
def reader(name: str) -> KnownWords:
    entry = catalogue.find(name)
    return KnownWords(name, entry.card["source_language"], entry.card["target_language"], load_tokenizer(entry))


def misfit(text: str, name: str) -> Misfit | None:
    others = [other for other in ("de-en", "zh-en", "es-en", "mini-encoder", "notebook-c", "gpt-char") if other != name]
    return language_fit.misfit(text, reader(name), [reader(other) for other in others])


@either_language
def test_spaces_that_no_example_has_are_named(language: str) -> None:
    assert said(visit("start", language, checkpoint="reverse", sentence="a b c")) == [
        sentence(language, "notice.spaces")
    ]
    assert said(visit("start", language, checkpoint="modular", sentence="5 + 5 =")) == []


def offered(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button if button.key == "use_for"]


# what the model's words tell


@pytest.mark.parametrize(
    "text", [KINO, BUCH, "Hallo Xiaoming!", "Zwerchfellkrampf", "Der Zwerchfellkrampf kommt.", "hello", "Ich mag 🎈."]
)
def test_german_with_a_name_or_a_rare_word_is_german(text: str) -> None:
    assert misfit(text, "de-en") is None


@pytest.mark.parametrize("text", ["", "🎈", "12 34", "3.3.2019!", "_ _", "<>", "‍‍"])
def test_what_has_no_words_is_in_no_language(text: str) -> None:
    assert [misfit(text, name) for name in ("de-en", "zh-en", "mini-encoder", "gpt-char")] == [None] * 4


@pytest.mark.parametrize("text", [CHINESE, "我喜欢 Python 和 Java。", "人工智能改变了世界。", "2019年3月"])
def test_chinese_with_other_words_in_it_is_chinese(text: str) -> None:
    assert misfit(text, "zh-en") is None
    reason = misfit(text, "de-en")
    assert reason
    assert (reason.other, reason.script) == ("zh-en", "CJK")


def test_german_typed_into_the_chinese_model_is_for_the_german_one() -> None:
    for text in (KINO, "wir gehen ins kino ."):  # which the notebook's few words know too
        reason = misfit(text, "zh-en")
        assert reason
        assert (reason.language, reason.script, reason.other, reason.translates) == ("de", "LATIN", "de-en", True)


def test_english_is_told_by_what_the_models_write_and_read() -> None:
    for text in (ENGLISH, "How are you?", "Artificial intelligence changed the world."):
        assert {name: result.language for name in ("de-en", "zh-en") if (result := misfit(text, name))} == {
            "de-en": "en",
            "zh-en": "en",
        }
    assert misfit("she drinks coffee", "mini-encoder") is None
    assert misfit("Any English is spelled.", "gpt-char") is None


PINYIN = ("ni hao", "nǐ hǎo", "ni3 hao3", "wo ai ni", "Wo zai tushuguan kan shu.", "lǜ chá", "lv cha")


@pytest.mark.parametrize("text", PINYIN)
def test_pinyin_is_for_the_model_that_reads_chinese(text: str) -> None:
    german, chinese = misfit(text, "de-en"), misfit(text, "zh-en")
    assert german
    assert chinese
    assert (german.pinyin, german.other, german.reads) == (True, "zh-en", "zh")
    assert (chinese.pinyin, chinese.other) == (True, "")


@pytest.mark.parametrize(
    "text", ["she can", "hello world", "quiero agua", "Le chat est noir", "men drink coffee", KINO]
)
def test_what_only_looks_a_little_like_pinyin_is_none(text: str) -> None:
    for name in ("de-en", "zh-en"):
        reason = misfit(text, name)
        assert not (reason and reason.pinyin)


def test_a_model_of_an_unknown_language_is_held_to_its_words_alone() -> None:
    own = KnownWords("own", "xx", "", german_english().tokenizer)
    assert own.foreign(CHINESE) == ""
    assert not own.reads(CHINESE)
    assert own.reads(KINO)


# what the page says


@in_turn("typed", TYPED)
def test_a_sentence_in_another_language_gets_one_sentence_and_a_way_out(typed: str, language: str) -> None:
    key, blanks, label, other = TYPED[typed]
    app = visit("start", language, sentence=typed)
    values = {k: sentence(language, v) if isinstance(v, str) else v for k, v in blanks.items()}
    words = all_texts(language)
    notice = words[f"notice.{key}"].format(source=words["languages.de"], **values)
    looks = words["languages." + {"zh-en": "zh"}.get(other, "en")]
    assert said(app)[0] == notice
    assert not [text for text in said(app)[1:] if "<unk>" in text or typed in text]
    assert offered(app) == ([words[f"notice.{label}"].format(name=other, language=looks)] if label else [])
    labels = [button.label.replace("\\", "") for button in app.button]
    assert set(CARD["examples"][:3]) <= set(labels)
    assert shown(app)[0] == typed


@either_language
def test_who_types_pinyin_is_told_what_to_type(language: str) -> None:
    app = visit("start", language, checkpoint="de-en", sentence="ni hao")
    words = all_texts(language)
    assert said(app) == [words["notice.fit_pinyin"].format(source=words["languages.de"])]
    assert offered(app) == [words["notice.fit_use_characters"].format(name="zh-en", example="你好！")]
    app.button(key="use_for").click().run()
    assert said(app) == []
    assert shown(app) == ["你好！", translate(chinese_english(), "你好！").text]
    enter(app, "ni hao")
    assert said(app)[0] == words["notice.fit_pinyin_here"].format(example="你好！")
    assert offered(app) == []


@pytest.mark.parametrize("typed", ["she can", "ni hao", "she drinks coffee", "in the mountain"])
def test_what_a_suggested_model_reads_is_named(typed: str) -> None:
    for checkpoint in ("de-en", "zh-en"):
        app = visit("start", checkpoint=checkpoint, sentence=typed)
        names = [sentence("en", f"languages.{language}") for language in ("de", "en", "zh")]
        assert all("does not translate" not in label or any(each in label for each in names) for label in offered(app))


def test_one_click_gives_the_sentence_to_the_model_that_reads_it() -> None:
    app = enter(visit("attention", layer="2", head="3"), CHINESE)
    app.button(key="use_for").click().run()
    assert not app.exception
    assert said(app) == []
    assert app.selectbox(key="checkpoint").value == "zh-en"
    assert app.text_input(key="sentence").value == CHINESE
    assert dict(app.query_params) == {"language": "en", "checkpoint": "zh-en", "sentence": CHINESE}
    app.switch_page("start/page.py").run()
    assert shown(app) == [CHINESE, translate(chinese_english(), CHINESE).text]


@pytest.mark.parametrize("checkpoint", ["dates", "reverse", "sort", "untrained-gpt"])
def test_what_reads_no_language_says_nothing_of_it(checkpoint: str) -> None:
    app = visit("start", checkpoint=checkpoint, sentence="she drinks coffee")
    assert offered(app) == []
    assert not [text for text in said(app) if "reads" in text and "<unk>" not in text]


@pytest.mark.sample(2)
@pytest.mark.parametrize("checkpoint", ["de-en", "zh-en", "mini-encoder", "gpt-char"])
def test_anything_can_be_typed(checkpoint: str) -> None:
    app = visit("start", checkpoint=checkpoint)
    for text in ("🎈", "12 34", MARKUP, "我爱 Berlin", "𝕳𝖊𝖑𝖑𝖔 𝖂𝖔𝖗𝖑𝖉", "ﬁ ½ Ⅷ", "ا‌ب"):
        assert shown(enter(app, text))[0] == text


def test_with_the_model_alone_no_other_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    (tmp_path / "broken").mkdir()
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("start", sentence=CHINESE)
    source, script = sentence("en", "languages.de"), sentence("en", "scripts.cjk")
    assert sentence("en", "notice.fit_script", source=source, script=script) in said(app)
    assert offered(app) == []


@either_language
def test_a_chinese_word_that_never_occurred_is_named_and_underlined(language: str) -> None:
    app = visit("start", language, checkpoint="zh-en", sentence="人工智能改变了世界。")
    assert said(app) == [marked(language, "zh-en", "人工智能改变了世界。")]
    assert "“人工智能”" in said(app)[0]
    assert any("<u>人工智能</u>改变了世界。" in element.proto.body for element in app.main.get("html"))
    app = visit("start", language, checkpoint="zh-en", sentence="我爱你。")
    assert said(app) == []
    assert not any("<u>" in element.proto.body for element in app.main.get("html"))


@pytest.mark.parametrize(
    ("typed", "simple"),
    [
        ("這本書很有意思。", "这本书很有意思。"),
        ("我在圖書館看書。", CHINESE),
        ("書", "书"),
        ("我乾了這杯茶。", "我干了这杯茶。"),
    ],
)
def test_traditional_characters_are_offered_as_simplified_ones(typed: str, simple: str) -> None:
    reason = misfit(typed, "zh-en")
    assert reason
    assert (reason.simplified, reason.language, reason.script, reason.other) == (simple, "", "", "")
    assert misfit(simple, "zh-en") is None
    assert all(not reader("zh-en").simpler(text) for text in (simple, KINO, "", "Ich mag 🎈."))


def test_traditional_chinese_in_the_german_model_is_for_the_chinese_one() -> None:
    reason = misfit("我在圖書館看書。", "de-en")
    assert reason
    assert (reason.language, reason.other, reason.simplified) == ("zh", "zh-en", "")


@either_language
def test_one_click_turns_traditional_characters_into_simplified_ones(language: str) -> None:
    app = visit("start", language, checkpoint="zh-en", sentence="我在圖書館看書。")
    assert said(app) == [sentence(language, "notice.traditional")]
    button = app.button(key="simplify")
    assert button.label == sentence(language, "notice.simplify", sentence=CHINESE)
    button.click().run()
    assert said(app) == []
    assert shown(app) == [CHINESE, translate(chinese_english(), CHINESE).text]


# numbers


@either_language
def test_a_number_that_the_translation_lacks_is_named(language: str) -> None:
    for checkpoint, text, number in (
        ("zh-en", "我有九千八百块钱和58761块钱。", "58761"),
        ("de-en", "Das kostet 7351946 Euro.", "7351946"),
    ):
        app = visit("start", language, checkpoint=checkpoint, sentence=text)
        assert number not in shown(app)[1]
        assert sentence(language, "notice.numbers", numbers=f"“{number}”") in said(app)
    app = visit("start", language, checkpoint="de-en", sentence="Ich habe 3 Brüder.")
    assert said(app) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_that_only_the_translation_has_is_named(language: str) -> None:
    app = visit("start", language, checkpoint="zh-en", sentence="2-2=0")
    assert "22" in shown(app)[1]  # of a model that calculates better, another sentence
    assert said(app) == [sentence(language, "notice.new_numbers", numbers="“22”"), marked(language, "zh-en", "2-2=0")]


@pytest.mark.parametrize(
    ("typed", "cased"),
    [
        ("wir gehen heute ins kino.", KINO),
        ("der mann liest ein buch.", "Der Mann liest ein Buch."),
        ("GEHEN WIR INS KINO?", "Gehen wir ins Kino?"),
        ("ich habe hunger. kommst du mit in die stadt?", "Ich habe Hunger. Kommst du mit in die Stadt?"),
        ("„wo ist das buch?“, fragt er.", "„Wo ist das Buch?“, fragt er."),
        ("kannst du mir helfen?", "Kannst du mir helfen?"),
        ("wo ist die u-bahn?", "Wo ist die U-Bahn?"),
    ],
)
def test_german_in_another_case_is_offered_with_its_capitals(typed: str, cased: str) -> None:
    reason = misfit(typed, "de-en")
    assert reason
    assert (reason.capitals, reason.language, reason.other) == (cased, "", "")
    assert misfit(cased, "de-en") is None


@pytest.mark.parametrize(
    "text",
    [
        KINO,
        "am Montag",
        "der zwerchfellkrampf kommt",
        "she drinks coffee",
        "",
        "Wir gehen. Bald kommt der Bus.",
        "<b>Wir</b> gehen heute ins Kino.",
    ],
)
def test_what_no_capital_makes_known_is_left_as_it_is(text: str) -> None:
    assert reader("de-en").with_capitals(text) == ""


def test_english_and_models_without_capitals_are_offered_none() -> None:
    assert reader("de-en").with_capitals("hello my name is anna") == ""
    assert all(reader(name).with_capitals("wir gehen heute ins kino.") == "" for name in ("zh-en", "notebook-c"))


@either_language
def test_one_click_writes_german_with_capitals(language: str) -> None:
    app = visit("start", language, sentence="wir gehen heute ins kino.")
    assert said(app) == [sentence(language, "notice.capitals_de", source=sentence(language, "languages.de"))]
    button = app.button(key="capitalize")
    assert button.label.replace("\\", "") == sentence(language, "notice.capitalize", sentence=KINO)
    button.click().run()
    assert said(app) == []
    assert shown(app) == [KINO, translate(german_english(), KINO).text]


@pytest.mark.parametrize(
    ("typed", "cased"),
    [
        ("el Lunes voy al cine.", "El lunes voy al cine."),
        ("HOY VAMOS AL CINE.", "Hoy vamos al cine."),
        ("ana vive en madrid.", "Ana vive en Madrid."),
    ],
)
def test_spanish_in_another_case_is_offered_with_its_capitals(typed: str, cased: str) -> None:
    assert reader("es-en").with_capitals(typed) == cased
    assert reader("es-en").with_capitals(cased) == ""


@either_language
def test_one_click_writes_a_day_of_spanish_without_its_capital(language: str) -> None:
    app = visit("start", language, checkpoint="es-en", sentence="El Lunes voy al cine.")
    assert said(app) == [sentence(language, "notice.capitals_es", source=sentence(language, "languages.es"))]
    app.button(key="capitalize").click().run()
    assert shown(app)[0] == "El lunes voy al cine."


# outputs that may be wrong


def marked(language: str, model: str, text: str) -> str:
    """The line that says of an output that it may be wrong."""
    recorded = ordinary.MEASUREMENT.saved(catalogue.find(model))
    assert recorded
    found = doubt(translate(checkpoint_of(model), text), recorded.rule)
    assert found
    between = sentence(language, "notice.between")
    unsure = [sentence(language, "notice.pieces", word=f"“{word}”", pieces=f"{p:.0%}") for word, p in found.unsure]
    reasons = [
        sentence(language, f"doubt.{key}", words=between.join(named[:2]) + _more(language, len(named) - 2))
        for key, named in (
            ("unseen", [f"“{word}”" for word in found.unseen]),
            ("ignored", [f"“{word}”" for word in found.ignored]),
            ("unsure", unsure),
        )
        if named
    ]
    return sentence(language, "doubt.mark", reasons=sentence(language, "doubt.between").join(reasons[:2]))


def _more(language: str, count: int) -> str:
    return sentence(language, "notice.more", count=count) if count > 0 else ""


@cache
def checkpoint_of(name: str) -> Checkpoint:
    return checkpoints.load(catalogue.find(name))


@cache
def typed(model: str, *, doubted: bool) -> str:
    """The first ordinary sentence whose output the model's rule doubts, or trusts."""
    recorded = ordinary.MEASUREMENT.saved(catalogue.find(model))
    assert recorded
    rows = (row.source for row in read(catalogue.find(model).card["source_language"]))
    return next(
        text
        for text in rows
        if (doubt(translate(checkpoint_of(model), text), recorded.rule) is not None) is doubted
        and not misfit(text, model)
    )


@either_language
def test_an_output_that_may_be_wrong_is_marked_with_the_words_that_say_why(language: str) -> None:
    text = typed("de-en", doubted=True)
    app = visit("start", language, sentence=text)
    assert said(app) == [marked(language, "de-en", text)]
    recorded = ordinary.MEASUREMENT.saved(catalogue.find("de-en"))
    assert recorded
    assert recorded.marked
    wrong, right = (round(100 * share.mean) for share in recorded.marked[:2])
    help_ = sentence(language, "doubt.measured", wrong=wrong, right=right, count=recorded.sentences)
    assert help_ in [element.help for element in app.main.text]
    assert said(visit("decoding", language, sentence=text)) == [marked(language, "de-en", text)]


def test_an_output_that_repeats_itself_is_said_to_do_so_once() -> None:
    again = " und ".join(["der Hund", "die Katze", "das Kind", "der Vogel", "der Mann", "die Frau"] * 2)
    text = f"Der Mann und die Frau und {again} und der Hund und die Katze."
    assert translate(checkpoint_of("de-en"), text).stop == "repetition"
    mark, warning = said(visit("decoding", sentence=text))
    assert warning == sentence("en", "notice.stop_repetition")
    assert mark == marked("en", "de-en", text)


def test_an_output_that_is_trusted_has_no_mark() -> None:
    for page in ("start", "decoding"):
        assert said(visit(page, sentence=typed("de-en", doubted=False))) == []


def test_where_no_rule_was_measured_an_unsure_word_is_a_mark() -> None:
    text = "Der Hund schläft unter dem Tisch."
    found = doubt(translate(checkpoint_of("llm-2017"), text), None)
    assert found
    assert all(share < UNSURE for _, share in found.unsure)
    [line] = said(visit("start", checkpoint="llm-2017", sentence=text))
    assert line.startswith(sentence("en", "doubt.mark", reasons="").rstrip(" ."))
    assert f"“{found.unsure[0][0]}” ({found.unsure[0][1]:.0%})" in line


def test_a_model_that_does_not_translate_is_not_said_to_be_unsure() -> None:
    for model in ("gpt-char", "untrained-notebook", "llm-decoder-only"):
        assert not any("may be wrong" in text for text in said(visit("start", checkpoint=model)))
