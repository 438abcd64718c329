"""Glossary: its entries, the search, links to a term, and the terms that other pages mark in their texts."""

import re
from html import escape

import pytest
from streamlit.testing.v1 import AppTest

from model.decode.translate import translate
from model.trace import ATTENTION_KINDS
from pages.course.steps import STEPS
from pages.glossary.entries import TERMS
from pages.shared.session.parameters import is_known
from pages.shared.text.words import all_texts
from tests.app import PAGES, enter, inside, said, sentence, visit
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, either_language, german_english
from viz.html.glossary import Definition, term_html
from viz.html.prose import MARK, inline_html
from viz.terms import TOPICS

pytestmark = pytest.mark.usefixtures("warm")
MARKED = [page for page in PAGES if MARK.search(all_texts("en")[f"{page}.lead"])]


def html_of(app: AppTest) -> str:
    return "".join(element.proto.body for element in app.main.get("html"))


def names(app: AppTest) -> list[str]:
    """The names of the entries that are shown."""
    return re.findall(r"<h3>([^#]*)<a ", html_of(app))


def whole(language: str = "en", **settings: object) -> str:
    """The HTML of all topics."""
    return "".join(html_of(visit("glossary", language, show=topic, **settings)) for topic in TOPICS)


def searched(app: AppTest, query: str) -> AppTest:
    app.text_input(key="find").set_value(query).run()
    assert not app.exception
    return app


# entries


def test_each_term_has_its_texts_and_each_text_its_term() -> None:
    tables = {"name", "aliases", "text"}
    for language in LANGUAGES:
        keys = {key for key in all_texts(language) if key.startswith("term_")}
        assert keys == {f"term_{term}.{part}" for term in TERMS for part in tables}


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_unique_and_short_definitions_are_full_sentences(language: str) -> None:
    names = [sentence(language, f"term_{term}.name") for term in TERMS]
    assert len(set(names)) == len(names)
    for term in TERMS:
        assert sentence(language, f"term_{term}.text").endswith((".", "。")), term


def test_every_entry_leads_to_a_page_and_settings_that_exist() -> None:
    for term in TERMS.values():
        assert term.page in PAGES
        for setting in term.settings.keys() - {"checkpoint", "attention_kind"}:
            assert is_known(term.page, setting), f"{term.page} {setting}"


OPENED = (
    "query", "entropy", "kv-cache", "logit-lens", "ablation", "activation-patching", "cross-attention",
    "induction-head",
)  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("term", OPENED)
def test_the_place_where_a_term_is_shown_can_be_opened(term: str) -> None:
    page, settings = TERMS[term]
    app = visit(page, **settings)
    assert said(app) == []


@either_language
def test_all_entries_are_shown_by_topic(language: str) -> None:
    for topic, terms in TOPICS.items():
        app = visit("glossary", language, show=topic)
        on_screen = [sentence(language, f"term_{term}.name") for term in terms]
        assert names(app) == [name.replace("<", "&lt;").replace(">", "&gt;") for name in on_screen]
        assert [header.value for header in app.header] == [sentence(language, f"glossary_topics.{topic}")]
    assert list(app.segmented_control(key="show").options) == [
        text for key, text in all_texts(language).items() if key.startswith("glossary_topics.")
    ]


def test_a_link_keeps_the_model_and_the_sentence() -> None:
    html = whole(checkpoint="zh-en", sentence="我看书。")
    [link] = re.findall(r'<a href="(/layers[^"]*show=norm[^"]*)"', html)[:1]
    assert "checkpoint=zh-en" in link
    assert "sentence=%E6%88%91%E7%9C%8B%E4%B9%A6%E3%80%82" in link
    link, *_ = re.findall(r'<a href="(/circuits[^"]*checkpoint=induction[^"]*)"', html)
    assert "sentence=" not in link, "another model does not read this sentence"


# the sentence in view


def test_three_entries_speak_of_the_sentence_with_the_model_s_own_numbers() -> None:
    html = whole(sentence=KINO)
    trace = translate(german_english(), KINO).trace
    [live] = [text for text in re.findall(r'<p class="gf-live">(.*?)</p>', html) if "the query of" in text]
    match = re.search(r"In layer (\d+), head (\d+), the query of “gehen” fits the key of “(.+?)” best.* (\d+)%", live)
    assert match
    layer, head, other, share = match.groups()
    row = trace.weights("encoder")[int(layer), int(head), trace.source_tokens.index("gehen")]
    assert trace.source_tokens[int(row.argmax())] == other != "gehen"
    assert f"{row.max():.0%}" == f"{share}%"
    assert html.count('class="gf-live"') == 3
    app = visit("glossary", show="attention", sentence=KINO)
    assert "gehen" in html_of(app)
    enter(app, BUCH)
    assert "gehen" not in html_of(app)
    assert html_of(app).count('class="gf-live"') == 2


@pytest.mark.parametrize("checkpoint", ["gpt-char", "mini-encoder", "untrained-notebook"])
def test_other_models_speak_of_their_own_tokens_or_not_at_all(checkpoint: str) -> None:
    app = visit("glossary", checkpoint=checkpoint)
    assert said(app) == []
    assert len(names(app)) == len(TOPICS["text"])


def test_a_sentence_that_cannot_be_read_takes_nothing_from_the_glossary() -> None:
    app = visit("glossary", sentence="a" * 2000, show="attention")
    assert len(names(app)) == len(TOPICS["attention"])
    assert "gf-live" not in html_of(app)


# search and links


@pytest.mark.parametrize("query", ["residual stream", "残差流", "RESIDUAL ST"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_search_finds_a_term_in_either_language(query: str, language: str) -> None:
    app = searched(visit("glossary", language), query)
    assert names(app)[0] == sentence(language, "term_residual-stream.name")
    assert len(names(app)) < len(TERMS) / 3
    assert app.query_params["find"] == [query] or app.query_params["find"] == query


def test_a_search_finds_aliases_before_definitions() -> None:
    app = searched(visit("glossary"), "nucleus")
    assert names(app) == ["top-p"]
    app = searched(app, "gradient")
    assert [header.value for header in app.header] == ["Terms", "Mentioned in"]
    assert names(app)[0] == "gradient"
    assert "learning rate" in names(app)[1:]


def test_what_chinese_students_type_is_found_first() -> None:
    first = {
        "归一化": "layernorm", "层规范化": "layernorm", "暂退法": "dropout", "掩蔽": "mask",
        "评分函数": "attention-score", "缩放点积注意力": "scaling",
        "加性注意力": "attention-score", "基于位置的前馈网络": "feed-forward",
        "注意力汇聚": "attention", "注意力池化": "attention", "KV缓存": "kv-cache", "ＫＶ 缓存": "kv-cache",
        "Q": "query", "RoPE": "rotary-positions", "rmsnorm": "rms-norm",
        "分组查询注意力": "grouped-query-attention",
        "大语言模型": "large-language-model", "预训练": "pre-training", "微调": "pre-training", "WordPiece": "subword",
        "上下文学习": "in-context-learning", "批量归一化": "layernorm", "正则化": "dropout", "有效长度": "padding-mask",
        "殘差連接": "residual-connection", "詞嵌入": "embedding",
    }  # fmt: skip
    app = visit("glossary", "zh")
    assert {query: names(searched(app, query))[0] for query in first} == {
        query: sentence("zh", f"term_{term}.name") for query, term in first.items()
    }


def test_a_search_without_a_result_says_so_and_shows_what_was_typed_as_text() -> None:
    app = searched(visit("glossary"), MARKUP[:40])
    assert names(app) == []
    assert sentence("en", "glossary.none", query=MARKUP[:40]) in [text.value for text in app.text]


@pytest.mark.parametrize("asked", ["residual-stream", "Residual stream", "残差流"])
def test_a_link_to_a_term_points_at_it(asked: str) -> None:
    app = visit("glossary", term=asked)
    assert [text.split("#")[0].strip() for text in inside(app, "term")] == ["residual stream"]
    assert html_of(app).count("gf-chosen") == 1
    assert said(app) == []
    assert "residual stream" in names(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_term_is_named_in_one_sentence(language: str) -> None:
    app = visit("glossary", language, term="<b>x</b>")
    assert said(app) == [sentence(language, "glossary.unknown", term="<b>x</b>")]
    assert len(names(app)) == len(TOPICS["text"])
    assert "gf-chosen" not in html_of(app)


# marked terms


def marks(language: str) -> dict[str, list[str]]:
    """The terms that each text marks."""
    result = {key: [mark[1] for mark in MARK.finditer(text)] for key, text in all_texts(language).items()}
    return {key: terms for key, terms in result.items() if terms}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_marked_term_exists_and_is_marked_once_in_a_text(language: str) -> None:
    keys = {f"{page}.lead" for page in MARKED} | {f"course_{step}.text" for step in STEPS}
    keys |= {"course_explain.mattered", "course_explain.mattered_little"} | {
        f"attention_kind_about.{kind}" for kind in ATTENTION_KINDS
    }
    entries = {f"term_{term}.text" for term in TERMS}
    assert marks(language).keys() - entries == keys, "only these are drawn with their marks"
    for key, terms in marks(language).items():
        assert set(terms) <= TERMS.keys(), key
        assert 1 <= len(terms) == len(set(terms)) <= 7, key
    assert not [key for key, text in all_texts(language).items() if "[[" in MARK.sub("", text)]


def test_the_course_s_form_is_read_before_its_values() -> None:
    app = visit("course", sentence=KINO, language="en")
    [html] = [element.proto.body for element in app.main.get("html") if "gf-prose" in element.proto.body]
    assert 'id="term-course-lookup-query"' in html
    assert html.count("<div>") == 3
    definition = Definition("", "", "")
    filled = "*a* <b> [[query]]"
    html = inline_html("*{word}* `{word}` {word}", "x", lambda piece: piece.format(word=filled), lambda _: definition)
    assert html == ("<em>*a* &lt;b&gt; [[query]]</em> <code>*a* &lt;b&gt; [[query]]</code> *a* &lt;b&gt; [[query]]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_leads_to_the_terms_that_it_uses(language: str) -> None:
    app = visit("glossary", language, term="key")
    query = sentence(language, "term_query.name")
    assert re.search(rf'<a href="[^"]*/glossary\?[^"]*term=query" target="_self">{query}</a>', html_of(app))
    assert "[[" not in html_of(app)
    result = visit("glossary", language, find="the output of the encoder")
    assert sentence(language, "term_key.name") in html_of(result)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_query_is_no_view_of_the_keys_vector_in_cross_attention(language: str) -> None:
    encoder = {"en": "encoder", "zh": "编码器"}[language]
    for term in ("query", "key", "value"):
        assert encoder in sentence(language, f"term_{term}.text")


@pytest.mark.sample(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", MARKED)
def test_a_lead_reads_as_before_and_carries_the_definitions(page: str, language: str) -> None:
    app = visit(page, language)
    assert inside(app, "lead") == [sentence(language, f"{page}.lead")]
    for term in marks(language)[f"{page}.lead"]:
        text = escape(sentence(language, f"term_{term}.text")[:20])
        assert f'id="term-{page}-{term}">{text}' in html_of(app)
        assert f'aria-describedby="term-{page}-{term}"' in html_of(app)


def test_nothing_in_a_term_becomes_markup() -> None:
    markup = term_html("<b>x</b>", Definition(MARKUP, "<i>", "a & b", '"', '/x"><script>'), 'a"b')
    assert "<script" not in markup
    assert "<b>x</b>" not in markup
    assert "&lt;b&gt;x&lt;/b&gt;" in markup
