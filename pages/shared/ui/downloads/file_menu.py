"""Files that users download: a link for each, and what makes the file when the link is opened.

Streamlit's own deferred downloads are not used. It keeps a file that was made on a click for two ends of any session's
run: with many users the file was gone before the browser asked for it ("Download canceled", 4 of 20). It also drops
the function that makes the file when another session's run ends while this session's run has just begun.
`tests/pages/shared/test_browser_files.py` covers this.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from model.checkpoint import recording
from model.checkpoint.catalogue import Entry, Untrained
from model.upload import upload_check
from pages.shared.session import view
from pages.shared.session.base_path import base
from pages.shared.text.words import words
from viz.templates import render

PATH = "/files"
_TEMPLATE = "pages/shared/ui/components.html"


@dataclass(frozen=True)
class File:
    """A file to download. `make` runs outside of the session's run and may only use what it closes over."""

    key: str  # one on its page
    label: str
    name: str
    type: str
    make: Callable[[], bytes]
    language: str = field(default_factory=view.language)  # of the texts that `make` looks up


@dataclass(frozen=True)
class Film:
    """A film, which the module at this address makes in the browser of what `message` holds."""

    message: File
    module: str


@dataclass
class Offered:
    """Files that the page in view of one session offers. A key keeps its file until the page draws it again.

    So the keys are places on the page: a name with a layer and a head in it would keep a file for each of them.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    page: str = ""
    files: dict[str, File] = field(default_factory=dict)


_sessions: dict[str, Offered] = {}


def links(files: Sequence[File]) -> None:
    """Draw a link for each file, beside each other."""
    st.html(render(_TEMPLATE, "links", folder=_offer(files), files=files, making=words("take.making")), width="content")


def menu(label: str, files: Sequence[File], pictures: Sequence[File], film: Film | None = None) -> None:
    """A figure's menu: its files, its picture in several sizes, the second of which can be copied, and its film."""
    texts = {"making": words("take.making"), "copy_image": words("take.copy"), "copied": words("take.copied")}
    texts |= {"label": label, "png": words("take.png"), "refused": words("take.refused")}
    texts |= {name: words(f"take.{name}") for name in ("film_stop", "film_saved")}
    folder = _offer([*files, *pictures, *([film.message] if film else [])])
    st.html(
        render(_TEMPLATE, "export", folder=folder, files=files, pictures=pictures, film=film, texts=texts),
        width="content",
    )


def page_menu(files: Sequence[File], here: str = "") -> None:
    """The menu of a page: its files, what prints it, and the address of its live page on this server, "" for none."""
    texts = {name: words(f"take.{name}") for name in ("print", "making", "here")} | {"label": words("take.page_menu")}
    st.html(render(_TEMPLATE, "page", folder=_offer(files), files=files, texts=texts, here=here), width="content")


def _offer(files: Sequence[File]) -> str:
    """Keep the files for the page in view; give the address of the folder that they are found in."""
    offer = _offered()
    if offer.page != view.view().page:
        offer.page = view.view().page
        offer.files.clear()
    offer.files |= {file.key: file for file in files}
    return f"{base()}{PATH}/{offer.token}"


def find(token: str, key: str) -> File | None:
    """The file of that key that the session of that token offers."""
    offer = _sessions.get(token)
    return offer.files.get(key) if offer else None


def _forget(offer: Offered) -> None:
    _sessions.pop(offer.token, None)


@st.cache_resource(scope="session", show_spinner=False, on_release=_forget)
def _offered() -> Offered:
    """This session's; it ends with the session."""
    offer = Offered()
    _sessions[offer.token] = offer
    return offer


def checkpoint(entry: Entry) -> None:
    """The link to a checkpoint's folder as a zip, or to a recording, which can be uploaded again.

    Random weights are not worth one.
    """
    if isinstance(entry, Untrained):
        return
    if isinstance(entry, recording.Recording):
        label, name, make = words("recording.download"), f"{entry.name}.npz", (entry.folder / recording.FILE).read_bytes
    else:
        label, name, make = words("upload.download"), f"{entry.name}.zip", partial(packed, entry)
    links([File(f"download_{entry.name}", label, name, "application/zip", make)])


def packed(entry: Entry) -> bytes:
    """The zip, made when it is asked for."""
    return upload_check.pack(entry)
