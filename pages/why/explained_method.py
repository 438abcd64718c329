"""The method in view: its formula, what it is, where it misleads, and its source."""

from __future__ import annotations

from model.attribution import integration
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui import show
from pages.why import long_answers
from pages.why.question_asked import AskedQuestion
from viz.numbers import percent, signed


def figure(subject: AskedQuestion, name: str) -> None:
    """One card; for integrated gradients also how far the sum is from what it has to be."""
    with page.card("figure_method", section("why_method")[name]):
        show.text(words(f"why_about.{name}", share=percent(integration.SHARE), tolerance=integration.TOLERANCE))
        page.formula("rollout") if name == "rollout" else page.formula(f"why_{name}")
        path = long_answers.integrated(subject) if name == "integrated" else None
        if path is not None:
            show.text(words("why.gap" if path.holds else "why.gap_unmet", sum=signed(path.sum),
                          change=signed(path.change), gap=signed(path.gap), points=path.points))  # fmt: skip
        show.caption(words(f"why_limit.{name}"))
