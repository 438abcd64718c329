"""Glossary: what the words mean, by topic, or those that a search finds."""

from collections.abc import Mapping

import streamlit as st

from pages.glossary import search
from pages.glossary.entries import TERMS
from pages.glossary.sentence_examples import live
from pages.shared.layout import page
from pages.shared.session import script_run, view
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls, marked_terms, show
from viz.html.glossary import Entry, entries_html
from viz.terms import FORMULAS, TOPICS

CHOSEN = "term"  # the container of the entry that a link asks for
QUERY = 60  # characters


def glossary() -> None:
    """A search and the entries that it finds, or those of a topic; the one that the link asks for is highlighted."""
    query = controls.text("find", words("glossary.find"), "", QUERY, words("glossary.find_hint")).strip()
    term = asked()
    groups, examples = search.groups(query) if query else topic(term), live()
    if not groups:
        st.text(words("glossary.none", query=query))
    for number, (heading, names) in enumerate(groups.items()):
        with st.container(key=f"figure_terms_{number}", border=True):
            st.header(heading, anchor=False)
            with st.container(gap=None):
                at = names.index(term) if term in names else len(names)
                draw(names[:at], examples)
                if at < len(names):
                    with st.container(key=CHOSEN):
                        draw(names[at : at + 1], examples, chosen=True)
                    draw(names[at + 1 :], examples)


def topic(term: str | None) -> dict[str, list[str]]:
    """The topic in view, with its terms; at first the one of the term that a link asks for."""
    titles = {name: words(f"glossary_topics.{name}") for name in TOPICS}
    default = next((name for name, terms_ in TOPICS.items() if term in terms_), next(iter(TOPICS)))
    key = controls.choice("show", words("glossary.topics"), titles, default, hidden=True)
    return {titles[key]: list(TOPICS[key])}


def asked() -> str | None:
    """The term that the link asks for; a sentence if there is no such term."""
    name = view.setting("term")
    term = search.term(name) if name else None
    if name and not term:
        notices.say("warning", words("glossary.unknown", term=name[: view.NAMED]))
    if term and script_run.current().by_link:
        script_run.current().highlight = CHOSEN
    return term


def draw(names: list[str], examples: Mapping[str, str], chosen: bool = False) -> None:
    """These entries."""
    if names:
        show.table(entries_html([entry(name, examples.get(name, ""), chosen) for name in names]))


def entry(name: str, example: str, chosen: bool) -> Entry:
    """One entry, with what there is to say about the sentence in view."""
    term = TERMS[name]
    return Entry(
        marked_terms.definition(name)._replace(more=words("glossary.link", term=marked_terms.title(name))),
        words("glossary.also", aliases=words(f"term_{name}.aliases")),
        marked_terms.linked(words(f"term_{name}.text")),
        FORMULAS[name],
        (words("glossary.here"), example) if example else None,
        (words("glossary.see", page=words(f"pages.{term.page}")), marked_terms.link(term.page, term.settings)),
        chosen,
    )


page.head("glossary")
page.fragment(glossary)
