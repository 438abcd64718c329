"""Checkpoints: every model on a shelf, and the card of one of them."""

from pages.shared import cards, controls, notices, page, take, upload, view
from pages.shared.page import Step, Stop
from pages.shared.shelf import shelf
from pages.shared.words import words

page.head(
    "checkpoints",
    tour=(
        Stop("checkpoints.tour_shelf", "shelf"),
        Stop("checkpoints.tour_picture", "figure_picture"),
        Stop("checkpoints.tour_knows", "figure_knows"),
        Stop("checkpoints.tour_outputs", "figure_outputs"),
    ),
)
known = cards.known()
if known:
    current = view.entry()
    first = current.name if current and current.name in known else next(iter(known))
    chosen = controls.named("card", words("shelf.models"), tuple(known), first)
    shelf(known, chosen)
    cards.show(known[chosen])
else:
    notices.say("info", words("notice.no_checkpoints"))
upload.upload()
cards.systems()
if known:
    page.try_this(
        {
            key: Step("figure_picture", {"card": name})
            for key, name in (
                ("checkpoints.try_reverse", "reverse"),
                ("checkpoints.try_dates", "dates"),
                ("checkpoints.try_notebook", "notebook-c"),
            )
            if name in known
        }
    )
    take.link()
