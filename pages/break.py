"""Break it: the classic mistakes, each beside a healthy model, and one to find."""

from pages.shared import broken_card, controls, page, take
from pages.shared.broken_find import riddle
from pages.shared.page import Step
from pages.shared.reading import read
from pages.shared.words import section, words

page.head("break", tour=broken_card.tour())
reading = read()
show = controls.choice("show", words("break.show"), section("break_shows"), "cards", hidden=True)
with page.place("break", show):
    if show == "cards":
        mistake = broken_card.choose()
        broken_card.card(reading, mistake)
        broken_card.learning(mistake)
    else:
        riddle(reading)
page.try_this(
    {
        "break.try_norm": Step(
            "figure_symptom", {"show": None, "mistake": "norm_ignored", "checkpoint": "untrained-pre-norm"}
        ),
        "break.try_ids": Step("figure_learning", {"show": None, "mistake": "same_ids", "word": None}),
        "break.try_example": Step("figure_symptom", {"show": None, "mistake": "worked_example"}),
        "break.try_find": Step("figure_find", {"show": "find"}),
    }
)
take.link()
