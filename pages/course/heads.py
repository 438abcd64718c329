"""The heads that the course shows: all of a kind, and the one that the user picked."""

from collections.abc import Callable

from model.trace import AttentionKind
from pages.shared.models.sentence import CurrentRun
from pages.shared.ui import attention_figure, head_picker
from pages.shared.ui.attention_figure import shown_panels
from viz.data import Pin, View


def links(
    current_run: CurrentRun, key: str, query: int | None = None, choose: Callable[[int], None] | None = None
) -> None:
    """Lines from what was written to what was read, of the head that the user picked in the figure.

    With `query` this written token is the locked one, and a click on another one calls `choose`.
    """
    _figure(current_run, key, "cross", "links", query, choose)


def maps(current_run: CurrentRun, key: str) -> None:
    """All heads of the decoder's self-attention, and the one that the user picked."""
    _figure(current_run, key, "decoder", "matrix")


def _figure(
    current_run: CurrentRun,
    key: str,
    kind: AttentionKind,
    view: View,
    query: int | None = None,
    choose: Callable[[int], None] | None = None,
) -> None:
    at = head_picker.picked_head(current_run, candidates=(kind,))
    own_panels = [panel for panel in shown_panels(current_run.trace) if panel.kind == kind]
    pin = None if query is None else Pin(kind, query, None)
    look = at.look(view, pin=pin, compact=view == "matrix")
    attention_figure.attention(own_panels, look, key=key, on_query=choose)
