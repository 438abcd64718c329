"""Words: both languages say everything, with the same blanks to fill, and nothing is said that has no words."""

import ast
import json
import re
from functools import cache
from string import Formatter

import pytest

from corpora import grammar
from corpora.task_list import Task, tasks
from pages.shared.classroom import lessons
from pages.shared.session.address import script_of
from pages.shared.text.formulas import formulas
from pages.shared.text.words import all_texts, own_texts
from tests.samples import LANGUAGES, ROOT, SAMPLES
from viz.components.architecture_blocks import BLOCKS
from viz.components.js_bundle import bundle

EN, ZH = own_texts("en"), own_texts("zh")
# the same in both languages: names of formats and of functions, marks, and lines made of blanks
SAME = {
    "take.html", "take.svg", "take.csv", "take.png", "architecture.logits", "masks_loss.loss",
    "embedding.row_scaled", "cards.becomes", "train_activation.relu", "train_activation.gelu",
    "train_activation.silu", "train_norm_kind.rms", "llm.since", "llm.plus", "llm_change.rms_norm", "llm_block.rms",
    "features_one.title", "why_origin_method.alti", "notice.quoted",
}  # fmt: skip
CARDS = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*/card.json"))]


def table(words: dict[str, str], name: str) -> dict[str, str]:
    return {key.removeprefix(f"{name}."): text for key, text in words.items() if key.startswith(f"{name}.")}


def blanks(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@cache
def nodes() -> list[ast.AST]:
    """Everything that the code of the pages is made of."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "pages").rglob("*.py"))]
    return [node for tree in trees for node in ast.walk(tree)]


ANY = r"[\w-]+"


def pattern(node: ast.JoinedStr) -> str:
    """`f"topics.{topic}"` as an expression that its keys match."""
    return "".join(
        re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else ANY
        for part in node.values
    )


def asked() -> tuple[set[str], set[str], set[str]]:
    """Keys, patterns of keys, and whole tables that the pages ask for."""
    keys = {key for formula in formulas().values() for key in formula.symbols.values()}
    patterns = set()
    # of figures of the notebook package alone, of errors by their codes, and of lessons by number
    tables = {"attention_blocks", "gaps_figure", "merged_figure", "notebook", "refused"}
    tables |= {f"lesson_{name}" for name in lessons.shipped()}
    tables_of_texts = {key.split(".")[0] for key in EN}
    pieces = {id(part) for node in nodes() if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("section", "name"):
                assert isinstance(node.args[0], ast.Constant), "a table is named in full"
                tables.add(str(node.args[0].value))
            elif node.func.id == "words" and isinstance(node.args[0], ast.JoinedStr):
                patterns.add(pattern(node.args[0]))
                assert pattern(node.args[0]) != rf"{ANY}\.{ANY}", "this would match every key"
            elif node.func.id == "words" and isinstance(node.args[0], ast.Constant):
                keys.add(str(node.args[0].value))
        # a key may be kept first and said later, like those of the notices
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = re.fullmatch(r"([a-z_]+)\.(?!(?:py|css|js)$)[a-z_]+", node.value)
            if match and match[1] in tables_of_texts and id(node) not in pieces:
                keys.add(node.value)
    return keys, patterns, tables


def test_both_languages_have_the_same_keys() -> None:
    assert set(ZH) == set(EN)


def test_both_languages_fill_the_same_blanks() -> None:
    different = {key for key, text in EN.items() if blanks(text) != blanks(ZH[key])}
    assert different == set()


def test_nothing_is_left_empty_or_untranslated() -> None:
    assert [key for words in (EN, ZH) for key, text in words.items() if not text.strip()] == []
    assert {key for key, text in EN.items() if ZH[key] == text} == SAME


def test_chinese_is_written_in_chinese() -> None:
    """A sentence has 汉字, and Chinese marks after them."""
    assert {key for key, text in ZH.items() if key not in SAME and not re.search(r"[一-鿿、，：（]", text)} == set()
    assert {key for key, text in ZH.items() if re.search(r"[一-鿿][,.:;?!(]|[,:;?!)][一-鿿]", text)} == set()


# sizes of batches and sequences, and the standard name of beam search's penalty; a vector has a dimension and a norm
LENGTHS = {
    "break_learning.no_padding_mask", "masks.tour_batch", "masks_loss.result", "quiz_batch_norm.why",
    "decoding_beam.alpha", "decoding_try.beam", "llm.lengths_says", "refused.beam_alpha",
}  # fmt: skip
BARS = {
    "term_padding-mask.aliases",
    "masks_leak.caption",
    "masks_padding.caption",
    "decoding_beam.penalty",
}
# tables of pages that may show a model of characters, and the few texts there that do speak of words
READERS = ("attention", "player", "decoding", "layers", "early", "masks", "compare", "intervene", "architecture.axes")
OF_WORDS = {"attention_figure.summary", "compare_ready_about.no_position", "architecture.axes_next_word"}


def test_chinese_quotes_what_is_filled_in_with_chinese_marks() -> None:
    assert [key for key, text in ZH.items() if re.search(r"!r\}|'\{|\"\{", text)] == []


def test_chinese_names_a_view_in_one_way() -> None:
    tabs = {key: text for key, text in ZH.items() if key.endswith((".show", ".view"))}
    assert [key for key, text in tabs.items() if text in ("图", "画面", "查看内容")] == []


def test_chinese_names_intervals_and_importance_in_one_way() -> None:
    assert {key for key, text in ZH.items() if "95% 区间" in text or "要紧" in text} == set()


def test_a_test_of_a_chinese_class_asks_about_no_other_source_language() -> None:
    assert {key for key, text in ZH.items() if key.startswith("learning_items.") and "德语" in text} == set()


def test_a_reason_that_begins_with_a_capital_follows_a_full_stop() -> None:
    texts = [
        all_texts(language)[f"quiz.{key}"] for language in ("en", "es") for key in ("right", "wrong", "wrong_typed")
    ]
    assert [text for text in texts if not text.endswith(". {why}")] == []


def test_what_is_pointed_at_can_be_tapped() -> None:
    assert [key for key, text in ZH.items() if "鼠标移到" in text and "轻触" not in text] == []
    texts = {key: text.lower() for key, text in EN.items() if "point at" in text.lower()}
    assert [key for key, text in texts.items() if not re.search(r"\btap\b", text)] == []


def test_length_is_never_said_of_a_vector() -> None:
    assert {key for key, text in EN.items() if re.search(r"(?<!\{)\b[Ll]engths?\b|[Hh]ow long the", text)} == LENGTHS
    assert {key for key, text in ZH.items() if "长度" in text} <= LENGTHS | BARS


def test_a_model_of_characters_is_said_to_read_tokens() -> None:
    kinds = {key for key in EN if key.startswith(READERS)}
    assert {key for key in kinds if re.search(r"(?<!\{)\b[Ww]ords?\b(?!\})", EN[key])} == OF_WORDS
    assert {key for key in kinds if re.search(r"(?<![子单])词(?![元表嵌典])", ZH[key])} <= OF_WORDS


def test_chinese_names_layers_heads_and_norms_in_one_way() -> None:
    others = r"(?<!第 )\{layer\} 层|层 \{layer|第 \{head\} 头|层头|号头|(?<!层归一化（)LayerNorm"
    assert {key for key, text in ZH.items() if re.search(others, text)} == set()


def test_every_word_that_is_asked_for_is_there() -> None:
    keys, patterns, tables = asked()
    assert len(keys) > 20
    assert keys <= set(EN)
    assert {expression for expression in patterns if not any(re.fullmatch(expression, key) for key in EN)} == set()
    assert {name for name in tables if not table(EN, name)} == set()


def test_every_word_that_is_there_is_asked_for() -> None:
    keys, patterns, tables = asked()
    leftovers = {
        key
        for key in EN
        if key not in keys
        and key.split(".")[0] not in tables
        and not any(re.fullmatch(expression, key) for expression in patterns)
    }
    assert leftovers == set()


# a component: the tables of its words
WORDS_OF = {
    "attention/attention": ("attention_figure", "attention_blocks"),
    "matrix/matrix": ("matrix_figure",),
    "sheet/sheet": ("sheet_figure",),
    "paths/paths": ("why_paths_figure",),
    "timeline/timeline": ("player",),
    "merges/merges": ("embedding_merges_figure",),
    "live_run/live_run": ("train_figure",),
    "classroom/board": ("board", "predict_board", "predict_sure"),
    "classroom/class_bar": ("class_bar", "predict_line", "predict_sure"),
    "classroom/lesson_bar": ("lesson_bar",),
}
SHARED = {
    "live_run/live_run": ("attention_figure", "attention_blocks"),
    "classroom/board": ("attention_figure", "train_figure"),
}


@pytest.mark.parametrize("component", WORDS_OF)
def test_a_component_has_exactly_the_words_that_its_javascript_asks_for(component: str) -> None:
    """By `words.key`, by a pattern, or by a key that stands in quotes and is said later."""
    own, script = {key for name in WORDS_OF[component] for key in table(EN, name)}, bundle(f"{component}.js")
    shared = {key for name in SHARED.get(component, ()) for key in table(EN, name)}
    asked = set(re.findall(r"\bwords\.(\w+)", script))
    assert asked <= own | shared
    templates = re.findall(r"`((?:\w+|\$\{[^`{}]*\})+)`", script)
    patterns = [re.sub(r"\$\{[^}]*\}", r"\\w+", each) for each in templates if re.sub(r"\$\{[^}]*\}", "", each)]
    quoted = asked.union(re.findall(r'"(\w+)"', script))
    assert {key for key in own - quoted if not any(re.fullmatch(each, key) for each in patterns)} == set()


def test_the_map_of_a_model_has_exactly_its_words() -> None:
    template = (ROOT / "viz" / "components" / "architecture.html").read_text(encoding="utf-8")
    asked = {*BLOCKS, *(f"axes_{block}" for block in BLOCKS), *re.findall(r"\bwords\.(\w+)", template)}
    assert set(table(EN, "architecture")) == asked


def test_each_page_has_its_name_question_and_lead() -> None:
    files = {f"{path.parent.name}/page.py" for path in (ROOT / "pages").glob("*/page.py")}
    assert {script_of(page) for page in table(EN, "pages")} == files
    for page in table(EN, "pages"):
        assert {"question", "lead"} <= set(table(EN, page))


@pytest.mark.parametrize("card", CARDS, ids=[path.parent.name for path in sorted(SAMPLES.glob("*/card.json"))])
def test_what_a_card_names_has_a_word(card: dict) -> None:
    translates = card["task"] in ("translation", "continuation")
    kinds = f"topics_{card['source_language']}_en" if translates else "covers"
    assert {topic["topic"] for topic in card.get("covers", ())} <= set(table(EN, kinds))
    sides = {card[side] for side in ("source_language", "target_language") if side in card}
    assert sides <= set(table(EN, "languages"))
    assert set(card["parameters"]) <= set(table(EN, "parts"))
    assert {*card["scores"], *(data["name"] for data in card["data"])} <= set(table(EN, "sets"))
    for words in ("task_titles", "tasks", "beyond"):
        assert card["task"] in table(EN, words)
    metrics = {
        key for score in card["scores"].values() for key, value in score.items() if isinstance(value, (int, float))
    }
    assert metrics - {"bleu", "chrf"} <= set(table(EN, "metrics"))
    assert set(card.get("splits", ())) <= set(table(EN, "splits"))


@pytest.mark.parametrize("task", tasks().values(), ids=tasks())
def test_a_task_has_the_words_of_its_form_and_of_a_card(task: Task) -> None:
    on_form = {f"{kind}.{task.name}" for kind in ("train_task", "train_about")}
    assert on_form | {f"{kind}.{task.on_card or task.name}" for kind in ("task_titles", "tasks", "beyond")} <= set(EN)


def test_every_topic_of_the_grammar_has_a_word_and_no_other() -> None:
    for code in grammar.known():
        assert set(table(EN, f"topics_{code}_en")) == {topic.key for topic in grammar.load(code).topics}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_ends_inside_a_range(language: str) -> None:
    ranges = [piece for text in all_texts(language).values() for piece in re.findall(r"[\d}]–\S", text)]
    assert len(ranges) >= 5
    assert {piece[2] for piece in ranges} == {"\u2060"}


def test_no_text_is_a_name_that_vega_forbids() -> None:
    """A title of a tooltip is a key of an object in vega, which draws no chart if it has one of these names."""
    forbidden = {"then", "constructor", "toString", "valueOf", "__proto__"}
    assert [key for words in (EN, ZH) for key, text in words.items() if text in forbidden] == []
