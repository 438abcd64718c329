"""Words that a user forces, and the tree of outputs."""

import json
import re

import numpy as np
import pytest

from model.checkpoint import catalogue
from model.decode import forced_tokens
from model.tokenization.tokenizer import EOS
from pages.decoding import output_list
from pages.decoding.branches import LEAVES
from pages.shared.models import models
from pages.shared.models.ending import begin
from pages.shared.session.view import SETTING_LIMIT
from tests.app import inside, nothing_is_marked_up, said, sentence
from tests.pages.decoding.page import fresh, html, opened, sent, token, trace_of
from tests.pages.layers.test_page import figures
from tests.samples import BUCH, KINO, LANGUAGES, MARKUP, either_language, german_english, in_turn

pytestmark = pytest.mark.usefixtures("warm")


# branches


def test_a_forced_word_leads_on_to_what_a_fresh_decoding_writes() -> None:
    library = token("library")
    app = opened(forks=f"4:{library}|4:{library};6:{token('Monday')}", leaf="1")
    ids = fresh([])
    data = sent(app)
    assert [step["id"] for step in data["steps"]] == fresh([*ids[:4], library])
    assert [step["forced"] for step in data["steps"]].index(True) == 4
    assert said(app) == []
    twice = sent(opened(forks=f"4:{library}|4:{library};6:{token('Monday')}"))["steps"]
    assert [step["id"] for step in twice] == fresh([*fresh([*ids[:4], library])[:6], token("Monday")])
    assert [step["forced"] for step in twice].count(True) == 2


def test_both_outputs_stand_beside_each_other_with_their_probabilities() -> None:
    checkpoint = german_english()
    library = token("library")
    app = opened(forks=f"4:{library}")
    markup = html(app, "figure_forks")
    for ids in (fresh([]), fresh([*fresh([])[:4], library])):
        assert " ".join(checkpoint.tokenizer.tokens(ids)) in markup
        trace = trace_of(ids)
        total = sum(float(row[id_]) for row, id_ in zip(trace, ids, strict=True))
        assert f"{total:.2f}".replace("-", "−") in markup
    tree = json.loads(figures(app)[0]["layer"][1]["data"]["values"])
    assert len(tree) == len(fresh([])) + len(fresh([*fresh([])[:4], library])) - 4  # shared words stand once
    assert tree[next(n for n, node in enumerate(tree) if node["row"] == 1)]["parent"] == 3


def test_a_typed_word_is_forced_and_undone() -> None:
    app = opened(step="4")
    app.text_input(key="word").set_value("library").run()
    app.button(key="force").click().run()
    assert not app.exception
    assert app.query_params["forks"] in (f"4:{token('library')}", [f"4:{token('library')}"])
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], token("library")])
    assert app.text_input(key="word").value == ""
    app.text_input(key="word").set_value("<eos>").run()
    app.button(key="force").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == [*fresh([])[:4], EOS]
    app.button(key="undo").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], token("library")])
    app.button(key="undo").click().run()
    assert [step["id"] for step in sent(app)["steps"]] == fresh([])
    assert "forks" not in app.query_params
    assert not inside(app, "figure_forks")


def test_a_word_of_several_tokens_is_forced_piece_by_piece() -> None:
    pieces = german_english().tokenizer.encode("movies")[1:-1]
    assert len(pieces) > 1
    app = opened(step="4")
    app.text_input(key="word").set_value("movies").run()
    app.button(key="force").click().run()
    assert [step["id"] for step in sent(app)["steps"]][4 : 4 + len(pieces)] == pieces
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], *pieces])


def test_words_that_no_token_holds_are_told_as_text() -> None:
    app = opened(word="漢 " + MARKUP)
    assert len(said(app)) == 1
    assert MARKUP in said(app)[0]
    nothing_is_marked_up(app)
    assert not [button for button in app.main.button if button.key == "force"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_branches_are_named_and_the_others_kept(language: str) -> None:
    app = opened(language, forks=f"99:5|nonsense|4:{token('library')}|2:99999|3:1")
    assert {
        sentence(language, "decoding_forks.bad", value=bad) for bad in ("99:5", "nonsense", "2:99999", "3:1")
    } == set(said(app))
    assert [step["id"] for step in sent(app)["steps"]] == fresh([*fresh([])[:4], token("library")])
    assert app.query_params["forks"] in (f"4:{token('library')}", [f"4:{token('library')}"])


def test_of_too_many_outputs_the_oldest_goes() -> None:
    full = [f"0:{id_}" for id_ in range(100, 100 + LEAVES - 1)]
    app = opened(forks="|".join(full), leaf="0", step="4")
    assert said(app) == []
    app.text_input(key="word").set_value("library").run()
    app.button(key="force").click().run()
    assert said(app) == [sentence("en", "decoding_forks.oldest", limit=LEAVES)]
    forks = app.query_params["forks"]
    text = forks if isinstance(forks, str) else forks[0]
    assert text.split("|") == [*full[1:], f"4:{token('library')}"]
    more = opened(forks="|".join([*full, f"4:{token('library')}"]))
    assert said(more) == [sentence("en", "decoding_forks.oldest", limit=LEAVES)]


# other ways to an output


@in_turn(("name", "key"), [("de-en", "word_hint_pieces"), ("gpt-char", "word_hint")])
def test_the_hint_names_a_word_that_can_be_forced(name: str, key: str, language: str) -> None:
    app = opened(language, checkpoint=name, step="4")
    candidates = [word for id_, word, *_ in sent(app)["steps"][4]["candidates"]]
    hint = app.text_input(key="word").placeholder
    results = [word for word in candidates if sentence(language, f"decoding.{key}", word=word) == hint]
    assert len(results) == 1
    again = opened(language, checkpoint=name, step="4", word=results[0])
    assert said(again) == []
    assert again.button(key="force")


@either_language
def test_the_tree_marks_what_was_forced_and_what_is_in_view(language: str) -> None:
    app = opened(language, forks=f"4:{token('library')}|2:{EOS}", leaf="1")
    nodes = json.loads(figures(app)[0]["layer"][1]["data"]["values"])
    by_state: dict[str, list[str]] = {}
    for node in nodes:
        by_state.setdefault(node["state"], []).append(node["shown"])
    words = {state: sentence(language, f"decoding_chart.{state}") for state in ("forced", "forced_view", "view")}
    assert by_state[words["forced_view"]] == ["★ library"]
    assert by_state[words["forced"]] == ["<eos>"]
    tokens = german_english().tokenizer.tokens(fresh([*fresh([])[:4], token("library")]))
    assert by_state[words["view"]] == [f"★ {word}" for word in tokens if word != "library"]
    assert {node["ground"] for node in nodes if node["below"]} == {"#b84a13"}
    assert {node["ground"] for node in nodes if not node["below"]}.isdisjoint({"#b84a13"})
    titles = app.selectbox(key="leaf").options
    assert titles[1] == f"1 · {sentence(language, 'decoding_forks.place', step=4, token='library')}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_too_long_for_a_link_is_named(language: str) -> None:
    forks = "|".join(f"0:{id_}" for id_ in range(1000, 1080))
    assert len(forks) > SETTING_LIMIT
    app = opened(language, forks=forks, step="4")
    assert said(app) == [sentence(language, "notice.long", field="forks", limit=SETTING_LIMIT)]
    assert sent(app)["step"] == 4
    assert "forks" not in app.query_params
    app.text_input(key="word").set_value("library").run()
    assert said(app) == []


def test_the_sentence_can_be_ended_early_by_a_step_to_try() -> None:
    library = token("library")
    app = opened(forks=f"4:{library}")
    app.button(key="try_3").click().run()
    assert not app.exception
    ids = [*fresh([])[:2], EOS]
    assert [step["id"] for step in sent(app)["steps"]] == ids
    assert sent(app)["step"] == 2
    assert sent(app)["steps"][2]["forced"]
    assert app.query_params["forks"] in (f"4:{library}|2:{EOS}", [f"4:{library}|2:{EOS}"])  # beside what there was
    markup = html(app, "figure_forks")
    assert " ".join(german_english().tokenizer.tokens(fresh([])[:-1])) in re.sub("<[^>]*>", "", markup)
    assert f"{float(sum(trace_of(ids)[t, id_] for t, id_ in enumerate(ids))):.2f}".replace("-", "−") in markup
    assert "try_3" not in [button.key for button in app.main.button]  # it has ended
    app.button(key="put_back").click().run()
    assert app.query_params["forks"] in (f"4:{library}", [f"4:{library}"])


def test_another_sentence_keeps_what_can_be_kept() -> None:
    app = opened(forks=f"1:{token('library')}|7:{token('library')}", step="7")
    app.text_input(key="sentence").set_value(BUCH).run()
    assert not app.exception
    assert len(sent(app)["steps"]) > 0


def test_the_pass_over_the_translation_is_recorded_once() -> None:
    entry = catalogue.entries()["de-en"]
    ids = output_list.run(entry, KINO, (), None).run.ids
    trace = output_list.trace(entry, KINO, ids)
    assert trace is models.run(entry, KINO).trace
    again = forced_tokens.steps_of(german_english(), begin(entry, KINO), ids)
    assert trace.values.keys() == again.values.keys()
    assert all(np.array_equal(trace.values[name], again.values[name]) for name in again.values)
    assert output_list.trace(entry, KINO, ids[:3]).target_tokens == trace.target_tokens[:3]
