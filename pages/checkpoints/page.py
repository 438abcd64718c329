"""Checkpoints: every model as a tile, and the card of one of them."""

from pages.checkpoints import card, import_commands, upload
from pages.checkpoints.gallery import gallery
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import current
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls

page.head(
    "checkpoints",
    tour=(
        Stop("checkpoints.tour_shelf", "shelf"),
        Stop("checkpoints.tour_picture", "figure_picture", {"show": None}),
        Stop("checkpoints.tour_knows", "figure_knows", {"show": "knows"}),
        Stop("checkpoints.tour_outputs", "figure_outputs", {"show": "scores"}),
    ),
)
entries = card.entries()
if entries:
    entry = current.entry()
    first = entry.name if entry and entry.name in entries else next(iter(entries))
    model = controls.named("card", words("shelf.models"), tuple(entries), first)
    with page.columns(1, 2) as (left, right):
        with left:
            gallery(entries, model)
        with right:
            card.show(entries[model])
else:
    notices.say("info", words("notice.no_checkpoints"))
import_commands.bring()
upload.checkpoint()
upload.recording()
upload.own()
card.systems()
if entries:
    tour.try_this(
        {
            key: Step("figure_picture", {"card": name, "show": None})
            for key, name in (
                ("checkpoints.try_reverse", "reverse"),
                ("checkpoints.try_dates", "dates"),
                ("checkpoints.try_notebook", "notebook-c"),
            )
            if name in entries
        }
    )
