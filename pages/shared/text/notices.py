"""Notices: one plain sentence each. What a link asked for in vain, and errors that nobody expected."""

import errno
import re
import zlib
from collections.abc import Sequence
from itertools import count
from typing import Literal

import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from model.tokenization.token_text import is_visible
from pages.shared.load import counts
from pages.shared.session import script_run, view
from pages.shared.text.words import words

LISTED = 6  # things named in one notice
NOTICES = "notices"  # the container of what `show` says
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # no space is left, or none for this user, or no larger file
CAUSES = 8  # of an error that are looked at
_errors = count()  # two parts of a page may fail
_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text that Streamlit's Markdown shows exactly as it was typed."""
    return _MARKUP.sub(r"\\\1", text)


def quoted(text: str) -> str:
    """Text in the quotation marks of the user's language."""
    return words("notice.quoted", text=text)


def listed(items: Sequence[str], most: int = LISTED) -> str:
    """The first few, and how many more there are."""
    more = len(items) - most
    return words("notice.between").join(items[:most]) + (words("notice.more", count=more) if more > 0 else "")


def characters(unknown: Sequence[str]) -> str:
    """Characters of a notice: quoted, and one that cannot be seen by its code point."""
    return listed([quoted(c) if is_visible(c) else f"U+{ord(c):04X}" for c in unknown])


def say(kind: Literal["info", "warning", "error"], text: str, more: str | None = None) -> None:
    """One notice, its text shown exactly as it is: not even a web address in it becomes a link. `more` is its help."""
    with st.container(key=script_run.own_key(f"notice_{kind}_{zlib.crc32(text.encode())}")):  # two parts may say it
        st.text(text, help=more)


def refuse(notice: str, key: str, **values: object) -> None:
    """Let the setting `key` of a link fall back to its default; say so here, or in `show` where that comes later."""
    view.refuse(notice, key, **values)
    if NOTICES in script_run.current().drawn:
        say("warning", words(notice, **values))


def show() -> None:
    """Draw notices of what the URL asked for and could not get, and of a choice that failed.

    The container is there without a notice too. Symptom: when a notice went, each control below it stood twice until
    the page was drawn. Cause: Streamlit knows an element by its index, and all of them moved up by one.
    Test: `tests/pages/shared/test_browser_fragments.py`.
    """
    script_run.current().drawn.add(NOTICES)
    with st.container(key=NOTICES, gap="small"):
        for key, values in script_run.current().notices:
            say("warning", words(key, **values))


def key_of(error: BaseException) -> str:
    """The key of the sentence for an error that nobody caught: a full disk is no secret, and passes."""
    errors = [error]
    while (cause := errors[-1].__cause__ or errors[-1].__context__) and len(errors) < CAUSES:
        errors.append(cause)
    is_full = any(isinstance(each, OSError) and each.errno in FULL for each in errors)
    return "notice.disk_full" if is_full else "notice.unforeseen"


def unforeseen(error: Exception) -> bool:
    """A sentence in place of Streamlit's for an error that nobody caught, which is in the log. True: it is said.

    After an error in a widget's callback Streamlit does not run the page: a whole run left nothing but the sentence,
    the run of a part put it in the place of the title. So the page is drawn again, with the sentence as a notice.
    """
    counts.failed(error)
    context = get_script_run_ctx()
    if context and context.script_requests and not context.has_script_started:
        view.refuse(key_of(error))
        script_run.touch()
        script_run.current().highlight = NOTICES
        context.script_requests.request_rerun(
            RerunData(
                query_string=context.query_string,
                page_script_hash=context.page_script_hash,
                cached_message_hashes=context.cached_message_hashes,
                context_info=context.context_info,
            )
        )
        return True
    with st.container(key=f"notice_error_unforeseen_{next(_errors)}"):
        st.text(words(key_of(error)))
    return True
