"""What the page in view has drawn, in order, for files that hold it: of one figure, or of the whole page.

Nothing is made while the page is drawn: each entry is a function that makes its parts when a file is asked for. Such a
function runs outside of the session, so it may only use what it closes over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry, Untrained
from model.checkpoint.recording import Recording
from model.errors import InvalidInput
from pages.shared.links import LIVE
from pages.shared.load import workers
from pages.shared.models import models, titles
from pages.shared.session import address, base_path, language_choice, view
from pages.shared.session.state import state
from pages.shared.text.words import name, words
from viz.standalone.document import Part, Source, Text, document

Make = Callable[[], Sequence[Part]]
SENTENCE = 200  # characters of it that a line of origin has room for


@dataclass
class Section:
    """A part of the page that is redrawn by itself, or all of it."""

    entries: list[Make | Section] = field(default_factory=list)
    taken: int = 0  # the entries that belong to the figures before
    heading: str = ""  # above it

    def parts(self) -> list[Part]:
        """Parts that the section shows now."""
        groups = (entry.parts() if isinstance(entry, Section) else entry() for entry in list(self.entries))
        return [part for parts in groups for part in parts]


@dataclass
class Drawn:
    """Of the page in view."""

    page: Section = field(default_factory=Section)
    section: Section = field(default_factory=Section)  # which is drawn now
    entry: Entry | None = None  # the model that it shows
    sentence: str = ""  # that it reads
    title: str = ""  # of the page
    heading: str = ""  # above the figure that comes next


def begin(entry: Entry | None, sentence: str = "") -> None:
    """A page is drawn from its beginning; it shows the model `entry` with a sentence, or none."""
    drawn = state(Drawn)
    drawn.page = drawn.section = Section()
    drawn.entry, drawn.sentence, drawn.title, drawn.heading = entry, sentence, "", ""


@contextmanager
def section(own: Section) -> Iterator[None]:
    """Keep what is drawn here as one fragment, which takes the same place when it is drawn again without the rest."""
    drawn = state(Drawn)
    around, heading = drawn.section, drawn.heading
    if not _holds(drawn.page, own):
        around.entries.append(own)
        around.taken = len(around.entries)
        own.heading = heading
    own.entries.clear()
    own.taken = 0
    drawn.section, drawn.heading = own, own.heading
    try:
        yield
    finally:
        drawn.section, drawn.heading = around, heading


def _holds(section: Section, other: Section) -> bool:
    inner = (entry for entry in section.entries if isinstance(entry, Section))
    return any(entry is other or _holds(entry, other) for entry in inner)


def title(text: str) -> None:
    """The page's question."""
    state(Drawn).title = text


def heading(text: str) -> None:
    """A heading: what comes next belongs to it, and no longer to what is above."""
    drawn = state(Drawn)
    drawn.heading = text
    add(lambda: [Text(text, "heading")])
    drawn.section.taken = len(drawn.section.entries)


def add(make: Make) -> None:
    """The next thing on the page."""
    state(Drawn).section.entries.append(make)


def figure() -> Callable[[], bytes]:
    """Maker of the file of the figure just drawn, with all since the figure or heading before it."""
    drawn = state(Drawn)
    section = drawn.section
    makes = [entry for entry in section.entries[section.taken :] if not isinstance(entry, Section)]
    section.taken = len(section.entries)
    above = drawn.heading or drawn.title
    finish = _file()
    return lambda: finish(above, [Text(above, "title"), *(part for make in makes for part in make())])


def page() -> Callable[[], bytes]:
    """Maker of the file of the whole page, as it is when the file is asked for."""
    drawn = state(Drawn)
    whole, finish = drawn.page, _file()
    return lambda: finish(drawn.title, [Text(drawn.title, "title"), *whole.parts()])


def live_page() -> Callable[[], bytes] | None:
    """Maker of the file in which the page's model runs without a server; None for a model that reads no text."""
    entry = _live_entry()
    if entry is None:
        return None
    link = _live_link(entry)
    return lambda: workers.call_for_file(_live_page, entry, link())


def live_address() -> str:
    """The address of this view on the live page of this server, "" for a model that has none."""
    entry = _live_entry()
    is_shipped = entry is not None and catalogue.entries().get(entry.name) == entry
    if entry is None or not is_shipped:
        return ""
    choices = {"checkpoint": entry.name} | address.url_of(view.view().page)
    return f"{base_path.base()}{LIVE}/{entry.name}/#{view.view().page}?{urlencode(choices)}"


def _live_entry() -> Entry | None:
    """The model in view, if it reads text."""
    entry = state(Drawn).entry
    return entry if entry is not None and not isinstance(entry, Recording) and _reads_text(entry) else None


def _live_link(entry: Entry) -> Callable[[], str]:
    """Gives the view as a live page's address has it, as it is then."""
    here, address_state = view.view().page, state(address.Address)
    return lambda: f"{here}?{urlencode({'checkpoint': entry.name} | address_state.written)}"


def _live_page(entry: Entry, link: str) -> bytes:
    from live import pages  # which needs torch

    return pages.single_page(models.checkpoint(entry), entry, _live_model(entry), link).encode()


@models.cached
def _live_model(entry: Entry) -> bytes:
    """The model as a file for a live page: two seconds of work for a model of ours."""
    from live.model_file import model_file
    from live.pages import loaded

    return model_file(loaded(entry), entry)


def _reads_text(entry: Entry) -> bool:
    try:
        return entry.reads_text
    except InvalidInput:  # a damaged one
        return False


def _file() -> Callable[[str, Sequence[Part]], bytes]:
    """Writer of a file about the view of now; its link is that of the moment when the file is asked for."""
    find, tag = source(), language_choice.tag(view.language())
    return lambda above, parts: document(above, parts, find(), tag).encode()


def source() -> Callable[[], Source]:
    """Finder of the source of this page's files."""
    entry, sentence = state(Drawn).entry, state(Drawn).sentence
    here, origin, address_state = view.view().page, base_path.origin(), state(address.Address)
    texts = words("take.open"), words("take.licence")

    def find() -> Source:
        url = {"checkpoint": entry.name} | address_state.written if entry else address_state.written
        return about(entry, sentence, f"{origin}/{here}{'?' if url else ''}{urlencode(url)}", texts)

    return find


def about(entry: Entry | None, sentence: str, link: str, texts: tuple[str, str]) -> Source:
    """Where a view of the model `entry` with a sentence comes from; `texts`: of the link, and "Licence: {licence}".

    A recording is its owner's alone, so that nobody else could follow the link.
    """
    licence = _licence(entry) if entry else ""
    licence_text = texts[1].format(licence=licence) if licence else ""
    return Source(shown(entry, sentence), licence_text, "" if isinstance(entry, Recording) else link, texts[0])


def shown(entry: Entry | None, sentence: str) -> str:
    """The model and the sentence that a page shows."""
    return " · ".join([titles.in_list(entry.name, entry), sentence[:SENTENCE]] if entry else [])


def _licence(entry: Entry) -> str:
    """Of an imported model its own; of one trained here those of its data; of a recording it is not known."""
    if isinstance(entry, (Untrained, Recording)):
        return ""
    try:
        card = entry.card
    except InvalidInput:
        return ""
    if origin := card.get("imported"):
        return origin["licence"]
    ours = {"ours": words("cards.ours"), "yours": words("cards.yours")}
    licences = (f"{name('sets', data['name'])}: {ours.get(data['licence'], data['licence'])}" for data in card["data"])
    return " · ".join(dict.fromkeys(licences))


def printed() -> str:
    """The model and the sentence of the page in view, for paper."""
    drawn = state(Drawn)
    return shown(drawn.entry, drawn.sentence)
