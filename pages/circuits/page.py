"""Circuits: what the heads do, as far as measurements support it, and what removing a part does on average."""

from pages.circuits import activation_patching, alignment, averages, head_pruning, matches, roles, word_pairs
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import current, model_notices, models, warmup
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text.words import words
from pages.shared.ui import show


def no_tokens(current_run: CurrentRun) -> None:
    """Say why there are no measurements: they need tokens with a probability."""
    show.text(words("circuits.no_tokens"))


AGAIN = dict.fromkeys(("attention_kind", "layer", "head"))
page.head(
    "circuits",
    tour=(
        Stop("circuits.tour_roles", "figure_roles", {"show": None}),
        Stop("circuits.tour_head", "figure_head", {"show": None}),
        Stop("circuits.tour_matches", "figure_matches", {"show": "matches"}),
        Stop("circuits.tour_words", "figure_words", {"show": "words"}),
        Stop("circuits.tour_averages", "figure_averages", {"show": "averages"}),
        Stop("circuits.tour_patching", "figure_patching", {"show": "patching"}),
        Stop("circuits.tour_alignment", "figure_alignment", {"show": "alignment"}),
        Stop("circuits.tour_removal", "figure_removal", {"show": "removal"}),
    ),
)
run = read()
model_notices.untrained(run)
with warmup.spinner():
    models.checkpoint(run.entry)
writes = run.entry.config.target_vocabulary
measured = {
    "averages": averages.figures,
    "patching": activation_patching.figures,
    "alignment": alignment.figures,
    "removal": head_pruning.figures,
}
page.tabs(
    "circuits",
    {"roles": roles.figures, "matches": matches.figures, "words": word_pairs.figures}
    | (measured if writes else dict.fromkeys(measured, no_tokens)),
    run,
)
tour.try_this(
    {
        "circuits.try_induction": Step(
            "figure_roles", AGAIN | {"checkpoint": "induction", "show": None, "role": "induction"}
        ),
        "circuits.try_alignment": Step(
            "figure_roles", AGAIN | {"checkpoint": current.first_name(), "show": None, "role": "alignment"}
        ),
        "circuits.try_words": Step("figure_words", AGAIN | {"show": "words", "sought": None}),
        "circuits.try_averages": Step("figure_averages", {"show": "averages"}),
        "circuits.try_removal": Step("figure_removal", {"show": "removal"}),
    }
)
