"""English texts that stand in for those which the user's language lacks, noted while the page is drawn.

`untranslated.js` marks them in the page as English, and counts them in one line at its end.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.session import language_choice
from pages.shared.session.state import state


@dataclass
class Untranslated:
    """The texts noted for the page, or for the fragment under way."""

    texts: set[str] | None = None  # None while nobody notes any


def note(text: str) -> None:
    """Note a text that the page shows in English; nobody looks outside of a session and of `noted`."""
    if text and not language_choice.spoken() and get_script_run_ctx(suppress_warning=True):
        texts = state(Untranslated).texts
        if texts is not None:
            texts.add(text)


@contextmanager
def noted() -> Iterator[set[str]]:
    """The texts that are noted within."""
    noted = state(Untranslated)
    before, own = noted.texts, set[str]()
    noted.texts = own
    try:
        yield own
    finally:
        noted.texts = before
