"""Energy: how strong embeddings are beside positions: what is claimed, what follows, what is measured."""

from model.analysis import energy
from pages.energy import measured_cases
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text import where_positions_act
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts import energy_charts
from viz.numbers import three_figures


def claim(current_run: CurrentRun) -> None:
    """Every init × vocabulary × d_model: claimed, computed, measured."""
    with page.card("figure_claim", words("energy.claim_title")):
        scaled = not controls.toggle("unscaled", words("energy.unscaled"))
        show.caption(words("energy.claim_scaled") if scaled else words("energy.claim_unscaled"))
        measured_cases.cases(
            scaled,
            lambda cases: show.figure(
                "energy-claim", energy_charts.claim_chart(cases, scaled, section("energy_chart"))
            ),
        )
        if not scaled:
            show.text(words("energy.claim_needless"))
        show.caption(words("energy.claim_hint"))
    page.flush()
    page.formula("energy_scaled" if scaled else "energy_unscaled")


def tokens(current_run: CurrentRun) -> None:
    """The model in use, token by token."""
    with page.card("figure_tokens", words("energy.tokens_title")):
        sides = measured_cases.sides(current_run)
        side = next(iter(sides))
        if len(sides) > 1:
            side = controls.choice("side", words("energy.side"), sides, side, hidden=True)
        before, after, position = measured_cases.of_tokens(current_run, side)
        names = current_run.trace.source_tokens if side == "encoder" else current_run.trace.target_tokens
        show.figure(
            "energy-tokens", energy_charts.tokens_chart(names, before, after, position, section("energy_chart")),
        )  # fmt: skip
        _whole_table(current_run, side)


def _whole_table(current_run: CurrentRun, side: str) -> None:
    scales = current_run.entry.config.scale_embedding
    show.caption(words("energy.tokens_scaled") if scales else words("energy.tokens_plain"))
    if current_run.recorded:
        show.caption(words("energy.wait"))
        return
    own = measured_cases.of_model(current_run.entry, side)
    if not own.position:
        show.text(where_positions_act.where(current_run.entry.config, words("embedding.no_position")))
        return
    values = {"embedding": three_figures(own.embedding), "position": f"{own.position:.4g}"}
    ratios = {"before": three_figures(own.ratio), "after": three_figures(own.scaled_ratio)}
    show.text(words("energy.table_says", **ratios, **values))


def vocabularies(current_run: CurrentRun) -> None:
    """How the ratio depends on the size of the vocabulary."""
    with page.card("figure_vocabulary", words("energy.vocabulary_title")):
        d_model = controls.steps("d_model", words("energy.d_model"), measured_cases.WIDTHS, 512)
        crossing = energy.crossing("xavier", d_model)
        curves = measured_cases.curves(d_model, True)
        chart = energy_charts.vocabulary_chart(
            measured_cases.VOCABULARY_SIZES, curves, d_model, crossing, section("energy_chart")
        )
        show.figure("energy-vocabulary", chart)
        show.caption(words("energy.vocabulary_hint", crossing=f"{crossing:,}", d_model=d_model))
    page.formula("energy_of_xavier")


def drift(current_run: CurrentRun) -> None:
    """How the balance moves while the model learns."""
    with page.card("figure_drift", words("energy.drift_title")):
        moments = measured_cases.drift(current_run.entry)
        if not moments:
            measured_cases.no_drift(current_run.entry)
            return
        steps = [step for step, _ in moments]
        numbers = measured_cases.drift_numbers(moments)
        show.figure(
            "energy-drift",
            energy_charts.drift_chart(steps, *numbers, section("energy_chart")),
        )
        scales = current_run.entry.config.scale_embedding
        first, last = (moments[i][1].shown(scales) for i in (0, -1))
        values = {
            "before": three_figures(first),
            "after": three_figures(last),
            "first": f"{steps[0]:,}",
            "last": f"{steps[-1]:,}",
        }
        show.text(words("energy.drift_says", **values))
        show.caption(words("energy.drift_scaled") if scales else words("energy.drift_plain"))


page.head(
    "energy",
    tour=(
        Stop("energy.tour_claim", "figure_claim", {"show": None, "unscaled": None}),
        Stop("energy.tour_unscaled", "figure_claim", {"show": None, "unscaled": True}),
        Stop("energy.tour_tokens", "figure_tokens", {"show": "tokens", "side": None}),
        Stop("energy.tour_drift", "figure_drift", {"show": "drift"}),
        Stop("energy.tour_vocabulary", "figure_vocabulary", {"show": "vocabulary", "d_model": None}),
    ),
)
page.tabs("energy", {"claim": claim, "tokens": tokens, "drift": drift, "vocabulary": vocabularies}, read())
tour.try_this(
    {
        "energy.try_unscaled": Step("figure_claim", {"show": "claim", "unscaled": True}),
        "energy.try_width": Step("figure_vocabulary", {"show": "vocabulary", "d_model": 64}),
        "energy.try_model": Step("figure_tokens", {"show": "tokens", "checkpoint": "untrained-pre-norm"}),
    }
)
