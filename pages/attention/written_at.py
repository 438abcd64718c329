"""Where a part of a score was written: the look of the head that wrote it, or the page that shows what did."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import streamlit as st

from model.attribution.score_terms import stream_parts
from model.features import key_parts
from pages.attention.score_parts import Entry, part_title
from pages.shared.session import address, view
from pages.shared.text.words import words

STEP_OF = {"query_bias": "query", "key_bias": "key"}  # steps of the head in view that show its biases
INPUTS = ("embedding", "position", "segment", "widening_bias")


def written_at(side: Literal["query", "key"], places: Sequence[stream_parts.Place], entry: Entry, token: int) -> None:
    """A button that explains the look of the head that wrote a part of the chosen term, or a link to what wrote it.

    `token` is the one at which it was written. A group of parts has neither: it is opened first.
    """
    if entry.group:
        return
    place = places[entry.parts[0]]
    if there := _on_this_page(place):
        asks = "open" if place.head is not None else "written"
        st.button(
            words(f"attention_there.{asks}_{side}", part=part_title(place)),
            key=f"there_head_{side}",
            on_click=partial(view.choose, **there),
        )
        return
    page, choices = _on_another(place, token)
    if (feature := key_parts.number(place)) is not None:
        label = words("attention_there.open_feature", number=feature)
    else:
        label = words(f"attention_there.written_{side}", part=part_title(place))
    query = address.offer(page) | {name: str(value) for name, value in choices.items()}
    st.page_link(address.script_of(page), label=label, query_params=query)


def _on_this_page(place: stream_parts.Place) -> dict[str, object]:
    """The choices that show a head's own look, or a bias of an attention among its steps; empty for other parts."""
    if place.head is not None:
        nowhere = dict.fromkeys(("query", "key", "term", "pin"))
        return {"attention_kind": place.kind, "layer": place.layer, "head": place.head, **nowhere}
    if place.name in STEP_OF:
        return {"view": "stages", "stage": STEP_OF[place.name]}
    if place.name.endswith("attention_bias"):
        kind = place._replace(name=place.name.removesuffix("_bias")).kind
        return {"view": "stages", "stage": "output", "attention_kind": kind, "layer": place.layer}
    return {}


def _on_another(place: stream_parts.Place, token: int) -> tuple[str, dict[str, object]]:
    """The page that shows what wrote a part at a token, and its choices."""
    at = {"side": place.side, "token": token}
    if place.name in INPUTS:
        return "embedding", {"show": "way", **at}
    if place.name == "feed_forward":
        return "layers", {"show": "feed_forward", "depth": place.layer, **at}
    if place.name == "norm_bias":
        return "layers", {"show": "norm", **at}
    feature = {} if (number := key_parts.number(place)) is None else {"feature": number}
    return "features", {"show": "sentence", "site": key_parts.SITE, **feature}
