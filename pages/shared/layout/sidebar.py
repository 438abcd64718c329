"""The sidebar (logo, language, model, sentence, list of pages) and the link to the next page."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.classroom import visible
from pages.shared.layout import in_browser, tour
from pages.shared.layout.sentence_input import sentence_input
from pages.shared.models import current, titles
from pages.shared.models.sentence import sentence_if_sound
from pages.shared.models.warmup import is_warm, warm_up
from pages.shared.session import address, language_choice, page_list, parameters, view, widgets
from pages.shared.session.page_list import HOME
from pages.shared.session.state import state
from pages.shared.text.words import words
from pages.shared.ui import components
from pages.shared.ui.downloads import drawn

FRONTEND = Path(__file__).parents[1] / "ui" / "frontend"
ICON = str(FRONTEND / "logo.svg")


@dataclass
class Pages:
    """What Streamlit has to know of the pages, by language and section: it takes 1 ms to make."""

    by_language: dict[str, dict[str, list[st.Page]]] = field(default_factory=dict)


@dataclass
class LanguageChoice:
    """The language that the user has just chosen, until the browser is told to keep it."""

    unkept: str = ""


def pages() -> dict[str, list[st.Page]]:
    """Every page by its section, the addresses the same in every language."""
    known, language = state(Pages).by_language, view.language()
    if language not in known:
        known[language] = {
            section: [
                st.Page(address.script_of(name), title=words(f"pages.{name}"), url_path=name, default=name == HOME)
                for name in names
            ]
            for section, names in page_list.contents().items()
        }
    return known[language]


def name_of(page: st.Page) -> str:
    """The name of a page, which is its address too."""
    return page.url_path or HOME


def sidebar() -> None:
    """Language, model and sentence where they have an effect, then the pages by section."""
    visibility = visible.current()
    with st.sidebar:
        components.logo()
        names = language_choice.names()
        st.selectbox(
            words("frame.language"),
            list(names),
            format_func=names.__getitem__,
            label_visibility="collapsed",
            **widgets.bound("language", view.language(), _language_chosen),
        )
        entry, page = current.entry(), page_list.pages()[view.view().page]
        has_model = page.sidebar != "language"
        drawn.begin(*((entry, sentence_if_sound(entry)) if entry and has_model else (None, "")))
        if entry is not None and has_model:
            in_browser.switch(entry)
            _model(entry, visibility)
        if entry is not None and page.sidebar == "sentence":
            sentence_input(entry)
        elif entry is not None and page.name != HOME:  # which has the sentence beside its result
            _place_kept(page)
        _contents(visibility)
        if rule := visibility.rule():
            st.html(f"<style>{rule}</style>")


def _contents(visibility: visible.Visible) -> None:
    """The pages by section, each link with the view in its address."""
    path_of = {HOME: ""}
    sections = [
        components.Section(
            section,
            words(f"sections.{section}") if section else "",
            [
                components.Link(path_of.get(name, name), words(f"pages.{name}"), address.own(address.offer(name)))
                for name in names
            ],
        )
        for section, names in _offered(visibility).items()
    ]
    here = view.view().page
    label = words("frame.menu", page=words(f"pages.{here}"))
    components.contents(path_of.get(here, here), label, address.common(), sections)


def _language_chosen() -> None:
    """The browser keeps the language. An example changes with the model that nobody chose.

    A sentence of one's own or a chosen part keeps its model.
    """
    state(LanguageChoice).unkept = view.language()
    entry, sentence, settings = current.entry(), view.view().sentence, view.view().settings.get(view.view().page, {})
    if entry is None:
        return
    with suppress(InvalidInput):  # of a damaged card
        is_example = sentence is None or sentence in entry.card["examples"]
        if is_example and not parameters.names_a_part(settings):
            address.follow_language()
        elif view.view().checkpoint is None:
            view.choose(checkpoint=entry.name)  # so that the link names it


def _place_kept(page: page_list.Page) -> None:
    """The menu stays where it is on other pages: as much room as what is left out, with a word about it."""
    key = "no_model" if page.sidebar == "language" else "no_sentence"
    with st.container(key=key):
        st.caption(words(f"frame.{key}"))


def finish(english: Collection[str]) -> None:
    """The way on, the view in the URL; wait for the model where a recorded example stands in for it.

    `english` are the texts outside of fragments that the user's language lacks.
    """
    if not page_list.pages()[view.view().page].own_way:
        next_page()
    components.document_language(view.language())
    _keep_language()
    components.come_back()
    tour.highlight()
    address.write_address()
    if not is_warm():
        warm_up()
        components.await_model()
    components.english_texts(english)
    components.untranslated()


def _keep_language() -> None:
    choice = state(LanguageChoice)
    if choice.unkept:
        components.keep_language(choice.unkept)
        choice.unkept = ""


def next_page() -> None:
    """A link to the page that follows in the table of contents."""
    order = [page for names in _offered(visible.current()).values() for page in names]
    for page in order[order.index(view.view().page) + 1 :][:1]:
        with st.container(key="next_page", horizontal=True, horizontal_alignment="right"):
            label = words("frame.next", page=words(f"pages.{page}"))
            st.page_link(address.script_of(page), label=label, query_params=address.offer(page), width="content")


def _offered(visibility: visible.Visible) -> dict[str, list[str]]:
    """The pages of the list: those that the teacher lets students see, this page, and the way to the class."""
    always = (view.view().page, "class")
    by_section = {
        section: [name for name in names if not visibility.pages or name in visibility.pages or name in always]
        for section, names in page_list.contents().items()
    }
    return {section: names for section, names in by_section.items() if names}


def _model(entry: catalogue.Entry, visibility: visible.Visible) -> None:
    title_of = {
        checkpoint: titles.in_list(checkpoint, each)
        for checkpoint, each in current.choices().items()
        if not visibility.models or checkpoint in (*visibility.models, entry.name)
    }
    if isinstance(entry, catalogue.InLanguages):  # in the place of the same model with other languages
        title_of.pop(entry.folder.name, None)
    st.selectbox(
        words("frame.model"),
        list(title_of),
        format_func=title_of.__getitem__,
        **widgets.bound("checkpoint", entry.name, view.forget_place),
    )
    if isinstance(entry, catalogue.Untrained):
        st.number_input(words("frame.seed"), min_value=0, max_value=99_999, step=1, **widgets.bound("seed", entry.seed))
    _languages(entry)


def _languages(entry: catalogue.Entry) -> None:
    """The languages that a model of many is told: which one it reads, and which one it writes."""
    languages = catalogue.languages_of(entry)
    if not languages:
        return
    reads, writes = entry.card["told"]
    base = entry.folder.name

    def tell(reads: str, writes: str) -> None:
        view.choose(checkpoint=f"{base}{catalogue.TOLD}{reads}-{writes}", sentence=None)

    with st.container(horizontal=True, key="told"):
        st.selectbox(
            words("frame.reads"), list(languages), **widgets.held("told_reads", reads, lambda new: tell(new, writes))
        )
        st.selectbox(
            words("frame.writes"), list(languages), **widgets.held("told_writes", writes, lambda new: tell(reads, new))
        )
    st.caption(words("frame.told", language=writes))
