"""A user's own sentences and the rules in a browser: typed, judged, filtered, and on a phone without a fault."""

import re
from typing import Any

from playwright.sync_api import expect

from model.checkpoint.catalogue import Entry
from model.measurements.rules import pairs_suite
from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible, has_address, idle, path
from tests.samples import BUCH, SAMPLES

EN = all_texts("en")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_typed_lines_are_judged_filtered_and_lead_to_why(visit: Visits) -> None:
    page = visit.again(path("data"), **PHONE)
    box = page.locator(".st-key-lines textarea")
    box.fill(f"{BUCH}\nDer Zwerchfellkrampf quabbelt.")
    box.press("Control+Enter")
    sentences = page.locator(".gf-linked a")
    expect(sentences).to_have_text(["Der Zwerchfellkrampf quabbelt.", BUCH])
    idle(page)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    page.get_by_text(EN["data_lines.marked"]).click()
    has_address(page, marked="1")
    expect(sentences).to_have_text(["Der Zwerchfellkrampf quabbelt."])
    with page.expect_popup() as opened:
        sentences.first.click()
    expect(opened.value.locator(".st-key-sentence input")).to_have_value("Der Zwerchfellkrampf quabbelt.")
    opened.value.close()


def test_the_pairs_of_a_rule_fit_a_phone_and_a_sentence_opens_its_attention(visit: Visits) -> None:
    suite = pairs_suite.MEASUREMENT.saved(Entry(SAMPLES / "es-en"))
    assert suite
    page = visit.again(path("data", show="rules", checkpoint="es-en", rule="negation"), **PHONE)
    links = page.locator(".gf-linked a")
    expect(links).to_have_count(len(suite.phenomena["negation"].pairs))
    idle(page)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    has_address(page, rule="negation")
    first = suite.phenomena["negation"].pairs[0].source
    with page.expect_popup() as opened:
        links.first.click()
    expect(opened.value.locator(".st-key-sentence input")).to_have_value(first)
    opened.value.close()


def test_the_sentences_behind_a_word_fit_a_phone_and_the_word_stands_in_the_link(visit: Visits) -> None:
    page = visit.again(path("data", show="word", checkpoint="small-de-en", out="topic", topic="food"), **PHONE)
    expect(page.locator(".st-key-figure_word table")).to_have_count(2)
    idle(page)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    page.locator(".st-key-step").get_by_text("dog", exact=True).click()
    has_address(page, step="1")
    expect(page.get_by_role("heading", name=EN["data_word.for"].format(word="dog"))).to_be_visible()
    expect(page.locator(".st-key-topic input")).to_have_value(re.compile(EN["data_topic.food"]))
    expect(page.locator(".st-key-train_again")).to_be_visible()


def test_a_found_sentence_leads_to_those_of_its_topic_and_pattern(visit: Visits) -> None:
    page = visit.again(path("data", show="corpus", checkpoint="small-de-en", of_topic="food"), **PHONE)
    links = page.locator(".st-key-figure_search .gf-linked a")
    expect(links.first).to_be_visible()
    idle(page)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    with page.expect_popup() as opened:
        links.first.click()
    expect(opened.value.locator(".st-key-of_topic input")).to_have_value(re.compile(EN["data_topic.food"]))
    expect(opened.value.locator(".st-key-of_pattern input")).not_to_have_value(EN["data_corpus.any"])
    opened.value.close()


def test_long_sentences_that_taught_a_word_stand_in_lines(visit: Visits) -> None:
    page = visit("/data?checkpoint=de-en&show=word")
    tables = page.locator(".gf-wide:has(.gf-text)")
    expect(tables).to_have_count(2)
    for table in tables.all():
        assert table.evaluate("node => node.scrollWidth <= node.clientWidth")
