"""Break it: the classic mistakes, each beside a healthy model, and one to find."""

from pages.break_it import card
from pages.break_it.riddle import riddle
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step
from pages.shared.models.sentence import read
from pages.shared.text.words import section, words
from pages.shared.ui import controls

page.head("break", tour=card.tour())
current_run = read()
page.open_meant_tab({"effect": "word"}, "cards")
show = controls.choice("show", words("break.show"), section("break_shows"), "cards", hidden=True)
with page.tab_container("break", show):
    if show == "find":
        riddle(current_run)
    else:
        with page.columns(3, 8) as (left, right):
            with left:
                mistake = card.choose()
            with right:
                if show == "cards":
                    card.card(current_run, mistake)
                else:
                    card.effect(current_run, mistake)
tour.try_this(
    {
        "break.try_norm": Step(
            "figure_symptom", {"show": None, "mistake": "norm_ignored", "checkpoint": "untrained-pre-norm"}
        ),
        "break.try_ids": Step("figure_learning", {"show": "effect", "mistake": "same_ids", "word": None}),
        "break.try_example": Step("figure_symptom", {"show": None, "mistake": "worked_example"}),
        "break.try_find": Step("figure_find", {"show": "find"}),
    }
)
