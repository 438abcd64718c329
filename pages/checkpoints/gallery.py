"""Every model as a tile, with what it does, how well, and the head to look at first."""

from typing import Any

import streamlit as st

from model.checkpoint.card_fields import UNKNOWN_LICENCE
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from pages.shared.models import models, own_models, titles
from pages.shared.session import view
from pages.shared.text.notices import plain
from pages.shared.text.words import name, words
from viz.numbers import percent
from viz.svg.thumbnail import address, thumbnail
from viz.templates import render

TEMPLATE = "pages/checkpoints/gallery.html"


def gallery(entries: dict[str, Entry], in_view: str) -> None:
    """A tile for each model; a click shows its card."""
    with st.container(key="shelf"):
        for number, (model, entry) in enumerate(entries.items()):
            key = "tile_chosen" if model == in_view else f"tile_{number}"
            with st.container(border=True, key=key):
                st.html(_tile(model, entry))
                label = plain(f"{model} · {words('shelf.models')}") if model == in_view else plain(model)
                st.button(label, key=f"pick_{number}", on_click=view.choose, kwargs={"card": model})


def size_of(entry: Entry) -> str:
    """Size of a checkpoint's folder, in MB or kB."""
    size = sum(file.stat().st_size for file in entry.folder.iterdir() if file.is_file())
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"


def headlines(card: dict[str, Any]) -> list[str]:
    """Scores of the model, a line for each kind of test data; a forecast is told on its own page."""
    if "imported" in card:
        licence = card["imported"]["licence"]
        return [words("shelf.unlicensed") if licence == UNKNOWN_LICENCE else words("shelf.imported", licence=licence)]
    return [line for test, score in card["scores"].items() if (line := _headline(test, score))]


def _headline(test: str, score: dict[str, Any]) -> str:
    if "exact" in score and "pairs" in score:
        numbers = {"share": percent(score["exact"], 1), "count": f"{score['pairs']:,}"}
        template = name("shelf_exact", test)
        return words("shelf.exact", **numbers) if template == test else template.format(**numbers)
    if "accuracy" in score:
        return words("shelf.found", share=percent(score["accuracy"], 1))
    return words("shelf.bits", bits=score["bits"]) if "bits" in score else ""


@models.cached
def _thumbnail(entry: Entry) -> tuple[str, int, int] | None:
    """The address of the picture, queries and keys; kept for more models than examples are."""
    example = models.example(entry) if entry.reads_text else None
    if example is None:
        return None
    look = entry.card["first_look"]
    weights = example.trace.weights(look["attention_kind"])[look["layer"], look["head"]]  # (Q, K)
    return address(thumbnail(weights, look["attention_kind"])), *weights.shape


def picture(entry: Entry) -> tuple[str, str] | None:
    """The head to look at first on the recorded example, where one is recorded, and what it shows."""
    thumbnail = _thumbnail(entry)
    if thumbnail is None:
        return None
    source, rows, columns = thumbnail
    return source, words("shelf.thumbnail", rows=rows, columns=columns)


def _tile(model: str, entry: Entry) -> str:
    try:
        card = entry.card
        title, scores, image = titles.task_title(card), headlines(card), picture(entry)
        parameters = f"{card['parameters']['total']:,}"
    except (InvalidInput, KeyError, IndexError, ValueError, TypeError):
        return render(TEMPLATE, "damaged", model=model, sentence=words("shelf.damaged"))
    yours = words("shelf.yours") if own_models.is_own(model) else ""
    size = words("shelf.size", parameters=parameters, size=size_of(entry))
    return render(TEMPLATE, "tile", model=model, title=title, scores=scores, size=size, yours=yours, picture=image)
