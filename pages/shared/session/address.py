"""The URL: what it says is read into the view, and what the user chose is written into it.

Tests of quick choices and of fragments: `tests/pages/shared/test_browser_quick.py`, `test_browser_fragments.py`.
"""

from dataclasses import dataclass, field
from itertools import islice

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from model.checkpoint import catalogue, first_models
from model.tokenization.tokenizer import CHARACTER_LIMIT
from pages.shared.session import language_choice, page_list, parameters, script_run, view
from pages.shared.session.state import begin_visit, state

_DIGITS = 6  # of a number in the URL
_PARAMETERS = 100  # of a URL
LOST = "lost"  # in the URL: an address that named no page
Url = dict[str, str]  # its parameters


@dataclass
class Departure:
    """A page that the user left by `open_page`. Streamlit gives it the URL of the page opened."""

    page: str
    url: Url
    choices_before: dict[str, object]


@dataclass
class Address:
    """State of the browser's URL as this session knows it. A run may come with an older one."""

    written: Url = field(default_factory=dict)  # what this session last put into the URL
    replaced: list[Url] = field(default_factory=list)  # URLs before it, which the browser may still send
    offered: dict[str, Url] = field(default_factory=dict)  # by page, the URL in the links that are drawn
    choices_before: dict[str, object] = field(default_factory=dict)  # what all pages share, before this run's URL
    notices_before: int = 0  # how many notices there were before this run's URL
    departure: Departure | None = None  # the last one
    first_was_empty: bool | None = None  # whether the session began with a URL that says nothing


def read_address() -> None:
    """Take over what the URL says about `view.KEYS`, if a link or Back wrote it and not this session.

    Symptom: the second of two quick choices was undone. Cause: its rerun brings the URL of before the first choice,
    because the new URL is still on its way to the browser. Therefore `replaced` keeps the URLs that this session has
    replaced; one of them counts as a link only after Back or Forward (`test_a_quick_second_choice_is_not_lost`).
    """
    address, url = state(Address), _url()
    address.choices_before, address.notices_before = view.choices(), len(script_run.current().notices)
    if url == address.written:
        address.replaced.clear()
    elif url in address.replaced and not _goes_back():
        script_run.touch()
    if address.first_was_empty is None:
        address.first_was_empty = all(key == LOST or parameters.is_tracking(key) for key in url)
    new, before = _meant(url), _meant(address.written)
    if address.first_was_empty and not url:  # the first address, or Back to it
        new = _model_for(view.first_language())
    if "checkpoint" in new and "checkpoint" not in url:
        view.view().by_language = new["checkpoint"]
    if script_run.current().by_choice or new == before:
        return  # a quick second choice comes with the URL of before the first
    for key in view.KEYS:
        if new.get(key) != before.get(key):
            _read_choice(key, new.get(key))
    address.written = own(address.written) | new


def read_settings(page: str) -> None:
    """Take over what the URL says about the settings of `page`; call it once the page is known."""
    address, run, current = state(Address), script_run.current(), view.view()
    if page != current.page:
        begin_visit()
        del run.notices[: address.notices_before]  # they speak of the link to the page before
    url = _url()
    new, before = own(url), own(address.written)
    if lost_page := new.pop(LOST, None):
        view.refuse("notice.page", value=lost_page)
    by_choice = script_run.begin_page(same_page=page == current.page)
    if not by_choice and (choices := _newer_choices(page, url)) is not None:
        view.set_choices(choices)
        current.page, address.written = page, url
        new = before = current.settings.get(page, {})
    run.by_link = not by_choice and (page != current.page or new != before)
    if run.by_link:
        view.replace_settings(page, _allowed(page, new))
    current.page = page
    address.offered = {}


def write_address() -> None:
    """Put what the user chose into the URL, also if an older URL that this session sent is still on its way."""
    address, before, new = state(Address), _url(), url_of()
    last, address.written = address.written, new
    if before != new or (last != new and not script_run.current().by_link):
        address.replaced += [before, last]
        st.query_params.from_dict(new)


def _url() -> Url:
    """The URL that came with this run, and of one that is longer than any of ours its beginning."""
    parameters_ = islice(st.query_params.to_dict().items(), _PARAMETERS)
    return {key[: view.NAMED]: text[: view.KEPT] for key, text in parameters_}


def url_of(page: str = "") -> Url:
    """The view as it stands in the URL, of `page` or of this one; what the user never touched is left out."""
    current = view.view()
    settings = current.settings.get(page or current.page, {})
    if not page:
        settings = {key: text for key, text in settings.items() if key in script_run.current().drawn}
    return common() | settings


def offer(page: str) -> Url:
    """The URL of a link to `page`."""
    urls = state(Address).offered
    urls[page] = url_of(page)
    return urls[page]


def open_page(name: str, **choices: object) -> None:
    """Go to another page with the view and `choices` in its URL, so that the browser's Back returns here.

    Streamlit first writes the new settings into the URL of this page. For Back, the departure keeps that URL and the
    choices before.
    """
    current, here, before = view.view(), view.view().page, view.choices()
    current.page = name
    view.choose(**choices)
    current.page = here
    new = url_of(name)
    state(Address).departure = Departure(here, new, before)
    st.switch_page(script_of(name), query_params=new)


def script_of(page: str) -> str:
    """The file of a page, from the shell; Python allows no package of the name `break` or `class`."""
    return f"{page_list.pages()[page].folder}/page.py"


def _shared(url: Url) -> Url:
    """The part of a URL that all pages share."""
    return {key: text for key, text in url.items() if key in view.KEYS}


def own(url: Url) -> Url:
    """The part of a URL that belongs to one page."""
    return {key: text for key, text in url.items() if key not in view.KEYS}


def _read_choice(key: str, text: str | None) -> None:
    """Take over one choice from the URL; None stands for the default."""
    if text is None:
        view.set_choices({key: None})
    elif key in view.NUMBERS and not (text.isdecimal() and len(text) < _DIGITS):
        view.refuse("notice.number", key, field=key, value=text)
    elif key == "language" and text not in language_choice.names():
        view.refuse("notice.language", key, value=text, codes=", ".join(language_choice.names()))
    elif key == "computed" and text not in (view.IN_BROWSER, view.ON_SERVER):
        view.refuse("notice.setting", key, field=key, value=text)
    elif text == view.ON_SERVER and key == "computed":
        view.set_choices({key: None})
    else:
        view.set_choices({key: int(text) if key in view.NUMBERS else text})


def _newer_choices(page: str, url: Url) -> dict[str, object] | None:
    """Choices that all pages share, where the view of `page` is newer than `url`; else None.

    A link that was drawn before a fragment was redrawn holds older settings than the view (`offered`), and so does the
    URL of a page to which the user returns (`departure`).
    """
    address, departure = state(Address), state(Address).departure
    if departure and (departure.page, departure.url) == (page, url):
        return departure.choices_before
    follows = page != view.view().page and url == address.offered.get(page)
    return address.choices_before if follows else None


def _allowed(page: str, settings: Url) -> Url:
    """The settings of a link that `page` has; a notice says what is wrong with the others."""
    for key in parameters.unknown(page, list(settings)):
        view.refuse("notice.parameter", field=key)
    own_settings = {key: text for key, text in settings.items() if parameters.is_known(page, key)}
    for key, text in own_settings.items():
        if len(text) > view.limit_of(key):
            view.refuse("notice.long", field=key, limit=view.limit_of(key))
    return {key: text for key, text in own_settings.items() if len(text) <= view.limit_of(key)}


def common() -> Url:
    """Choices that all pages share, as a URL spells them; those that no URL can hold are left out."""
    texts = {key: str(value) for key, value in view.choices().items() if value is not None}
    if len(texts.get("sentence", "")) > CHARACTER_LIMIT:
        del texts["sentence"]
    if not texts.get("checkpoint", "").startswith(catalogue.UNTRAINED):
        texts.pop("seed", None)
    return texts


def _goes_back() -> bool:
    """Whether Back or Forward of the browser started this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(getattr(context, "is_history_navigation", False))


def follow_language() -> None:
    """Where nobody has chosen a model, take the one that reads the language which the user has just chosen."""
    current = view.view()
    if current.checkpoint in (None, current.by_language):
        model = _model_for(current.language or "").get("checkpoint")
        view.choose(checkpoint=model, sentence=None)
        view.forget_place()
        current.by_language = model


def _meant(url: Url) -> Url:
    """Shared part of a URL, with the model that it means: where none is named, the one that reads its language.

    Links that are older than this rule name no model. Therefore a sentence in another language and a part of a model
    mean the first one of all, for which they were made.
    """
    shared_part = _shared(url)
    if "language" in url and not language_choice.named(url, st.context.cookies.get(language_choice.COOKIE, "")):
        shared_part.pop("language", None)
    language, sentence = shared_part.get("language", ""), shared_part.get("sentence", "")
    model = _model_for(language)
    if "checkpoint" in shared_part or not model or not _may_be(language, sentence):
        return shared_part
    return shared_part | ({"checkpoint": catalogue.FIRST} if parameters.names_a_part(url) else model)


def _may_be(language: str, sentence: str) -> bool:
    """Whether a sentence has no letters, or is for the model of this language."""
    return not any(map(str.isalpha, sentence)) or bool(first_models.language_of(sentence, [language]))


def _model_for(language: str) -> Url:
    """The choice of the model that reads a language; nothing where that is the first one of all."""
    name = catalogue.FIRST_FOR.get(language, "")
    entries = catalogue.sentence_models()
    return {"checkpoint": name} if name in entries and entries[name].is_sound() else {}
