"""Primer: attention as a soft look-up, from a dictionary of fruit to the division by √d_k."""

import streamlit as st

from model.analysis import soft_lookup
from model.analysis.softmax import softmax
from pages.primer.cached_charts import draw
from pages.primer.lookup_numbers import measured, weights
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.session import script_run, view
from pages.shared.text.formulas import latex
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from viz.charts.primer_charts import short

AS_PUBLISHED: dict[str, object] = {
    "normalise": None, **{f"{part}_{item}": None for part in ("value", "weight") for item in soft_lookup.FRUIT},
}  # fmt: skip

BETWEEN: dict[str, object] = {"similarity": "gaussian", "query_a": 1.5, "sharpness": None}
LARGE: dict[str, object] = {"d_k": 64, "likeness": 0.25, "vector_seed": None}
VANISHING: dict[str, object] = {"measure": "gradient", "size": 512}


def dictionary() -> None:
    with page.card("figure_dictionary", words("primer_dictionary.title"), words("primer_dictionary.caption")):
        names = {item: words(f"primer_dictionary.{item}") for item in (*soft_lookup.FRUIT, "fruit")}
        with page.columns(2, 3) as (left, right):
            with left:
                item_asked = controls.choice("asked", words("primer_dictionary.asked"), names, "apple")
                values, typed_weights = zip(*(entry(item, names[item]) for item in soft_lookup.FRUIT), strict=True)
                divide = controls.toggle("normalise", words("primer_dictionary.normalise"))
                used = weights(typed_weights, divide)
            hard = [float(item == item_asked) for item in soft_lookup.FRUIT]
            hard_answer, soft_answer = (float(soft_lookup.weighted_sum(row, values)) for row in (hard, used))
            with right:
                with st.container(horizontal=True, key="answers"):
                    missing = words("primer_dictionary.missing")
                    st.metric(words("primer_dictionary.hard"), short(hard_answer) if any(hard) else missing)
                    st.metric(words("primer_dictionary.soft"), short(soft_answer))
                    st.metric(words("primer_dictionary.total"), short(sum(used)))
                draw("dictionary", list(names.values())[:-1], values, hard, used)
                is_one = soft_lookup.sums_to_one(used)
                show.caption(words("primer_dictionary.is_one" if is_one else "primer_dictionary.is_not"))
    tour.try_this(
        {
            "primer.try_sum": Step("figure_dictionary", {"weight_chair": 0.5, "normalise": None}),
            "primer.try_average": Step("figure_dictionary", {"weight_chair": 0.5, "normalise": True}),
        }
    )


def entry(item: str, name: str) -> tuple[float, float]:
    """One line of the dictionary: its value and its weight, as the user sets them."""
    weight = dict(zip(soft_lookup.FRUIT, soft_lookup.FRUIT_WEIGHTS, strict=True))[item]
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"entry_{item}"):
        value = controls.number(
            f"value_{item}", words("primer_dictionary.value", item=name), 0, 100, soft_lookup.FRUIT[item], 1
        )
        weight = controls.slider(f"weight_{item}", words("primer_dictionary.weight", item=name), 0.0, 1.0, weight, 0.05)
    return value, weight


# the four settings of the query: as the page begins, and as it began when its first links were shared
QUERY: dict[str, object] = {
    "query_a": soft_lookup.QUERIES[0], "query_b": soft_lookup.QUERIES[1], "similarity": "gaussian",
    "sharpness": soft_lookup.SHARPNESS,
}  # fmt: skip
TUTORIAL: dict[str, object] = {
    "query_a": soft_lookup.TUTORIAL[0], "query_b": soft_lookup.TUTORIAL[1], "similarity": "dot", "sharpness": 1.0,
}  # fmt: skip


def _complete() -> None:
    """Put all four settings of the query into the URL once there is one, and none where all stand at their defaults.

    A link with fewer is one of the first, whose defaults were others.
    """
    if any(view.chosen(key) is not None for key in QUERY):
        for key, value in (TUTORIAL if script_run.current().by_link else QUERY).items():
            view.spell_out(key, value)
    if all(view.chosen(key) == view.spelled(value) for key, value in QUERY.items()):
        for key in QUERY:
            view.forget(key)


def query() -> None:
    _complete()
    with page.card("figure_query", words("primer_query.title")):
        (near, far), (low, high) = soft_lookup.KEYS, soft_lookup.VALUES
        signs = {"near": near, "far": far, "low": low, "high": high}
        show.caption(words("primer_query.caption", **{name: f"{value:g}" for name, value in signs.items()}))
        with page.columns(2, 3) as (left, right):
            with left:
                first = controls.slider(
                    "query_a", words("primer_query.first"), *soft_lookup.LINE, soft_lookup.QUERIES[0], 0.1
                )
                second = controls.slider(
                    "query_b", words("primer_query.second"), *soft_lookup.LINE, soft_lookup.QUERIES[1], 0.1
                )
                similarities = {kind: words(f"primer_query.{kind}") for kind in soft_lookup.SIMILARITIES}
                similarity = controls.choice("similarity", words("primer_query.similarity"), similarities, "gaussian")
                factor = controls.slider(
                    "sharpness", words("primer_query.sharpness"), 0.0, 20.0, soft_lookup.SHARPNESS, 0.1
                )
            line, outputs = soft_lookup.line(similarity, factor, (first, second))
            looked_up = soft_lookup.look_up((first, second), soft_lookup.KEYS, soft_lookup.VALUES, similarity, factor)
            with left:
                show.latex(_sums(looked_up))
            with right:
                draw("query", line, outputs, (first, second), looked_up.output, soft_lookup.KEYS, soft_lookup.VALUES)
                draw("query_weights", (first, second), soft_lookup.KEYS, looked_up.scores, looked_up.weights)
        at_keys = soft_lookup.look_up(soft_lookup.KEYS, soft_lookup.KEYS, soft_lookup.VALUES, similarity, factor).output
        at_near, at_far = (short(output) for output in at_keys)
        show.caption(words(f"primer_query.at_keys_{similarity}", one=at_near, two=at_far))
        if [first, second, similarity, factor] == list(TUTORIAL.values()):
            tutorial(looked_up)
        page.formula("look_up")
    tour.try_this(
        {
            "primer.try_between": Step("figure_query", BETWEEN),
            "primer.try_flat": Step("figure_query", {"sharpness": 0.0}),
            "primer.try_tutorial": Step("figure_query", TUTORIAL),
        }
    )


def tutorial(looked_up: soft_lookup.LookUp) -> None:
    """Say what the tutorial's numbers show, and the other way to read them."""
    parts = soft_lookup.look_up_by_parts(soft_lookup.TUTORIAL, soft_lookup.KEYS, soft_lookup.VALUES)
    first, second = (short(score) for score in parts.scores[0])
    least = f"{min(looked_up.output):.2f}"
    show.caption(words("primer_query.tutorial", least=least, one=first, two=second, output=f"{parts.output[0]:.2f}"))


def _sums(looked_up: soft_lookup.LookUp) -> str:
    """Both sums of the two queries as LaTeX, each on two lines, which a phone has room for."""
    lines = []
    for number, (row, output) in enumerate(zip(looked_up.weights, looked_up.output, strict=True), 1):
        products = (
            latex("product", weight=f"{weight:.4f}", value=f"{value:g}")
            for weight, value in zip(row, soft_lookup.VALUES, strict=True)
        )
        lines.append(latex("look_up_sum", number=number, products=" + ".join(products), output=f"{output:.2f}"))
    first, second = lines
    return latex("look_up_sums", first=first, second=second)


def scores() -> None:
    with page.card("figure_scores", words("primer_scores.title"), words("primer_scores.caption")):
        with page.columns(1, 3) as (left, right):
            with left:
                size = controls.steps("d_k", words("primer_scores.size"), soft_lookup.SIZES[:6], 16)
                likeness = controls.slider("likeness", words("primer_scores.likeness"), 0.0, 1.0, 0.5, 0.05)
                seed = controls.number("vector_seed", words("primer_scores.seed"), 0, 9999, 0, 1)
            with right:
                _scored(soft_lookup.vectors(size, seed, likeness=likeness))
        show.caption(words("primer_scores.random"))
        with st.expander(words("primer_scores.formulas")):
            for kind in soft_lookup.SCORES:
                show.subheader(words(f"primer_scores.{kind}"))
                page.formula(f"score_{kind}")
    tour.try_this({"primer.try_large": Step("figure_scores", LARGE)})


def _scored(vectors: "soft_lookup.Vectors") -> None:
    """The vectors, the scores that each function gives them, and the weights that a softmax makes of those."""
    scores_of = {kind: soft_lookup.score(kind, vectors) for kind in soft_lookup.SCORES}
    draw("vectors", vectors.query, vectors.keys)
    left, right = st.columns(2, gap="medium")
    with left:
        show.subheader(words("primer_scores.scores"))
        draw("scores", scores_of)
    with right:
        show.subheader(words("primer_scores.weights"))
        draw("weights", {kind: softmax(row) for kind, row in scores_of.items()})


def why() -> None:
    with page.card("figure_why", words("primer_why.title"), words("primer_why.caption")):
        measures = {kind: words(f"primer_why.{kind}") for kind in ("largest", "entropy", "gradient")}
        with page.columns(2, 3) as (left, right):
            with left:
                size = controls.steps("size", words("primer_why.size"), soft_lookup.SIZES, 64)
                keys = controls.choice("keys", words("primer_why.keys"), {n: str(n) for n in (4, 16, 64)}, 16)
                measure = controls.choice("measure", words("primer_why.measure"), measures, "gradient")
                seed = controls.number("sample_seed", words("primer_why.seed"), 0, 9999, 0, 1)
            samples = measured(keys, seed)
            with right:
                _sampled(samples, size, measure)
        page.formula("variance_of_scores")
    tour.try_this({"primer.try_vanish": Step("figure_why", VANISHING)})


def _sampled(samples: "list[soft_lookup.Sharpness]", size: int, measure: str) -> None:
    """Draw how the softmax changes with the size and how widely the scores spread, each read off at one size."""
    here = samples[soft_lookup.SIZES.index(size)]
    draw("softmax", samples, measure, size)
    unscaled, scaled = (short(getattr(here, measure)[scores].median, 2) for scores in ("unscaled", "scaled"))
    show.caption(words(f"primer_why.{measure}_here", size=size, unscaled=unscaled, scaled=scaled))
    draw("variance", samples, size)
    variance, error = f"{here.variance:.1f}", f"{2 * here.error:.1f}"
    show.caption(words("primer_why.variance_here", size=size, found=variance, error=error))


page.head(
    "primer",
    tour=(
        Stop("primer.tour_dictionary", "figure_dictionary", {"show": None, "asked": "fruit", **AS_PUBLISHED}),
        Stop("primer.tour_query", "figure_query", {"show": "query"} | BETWEEN),
        Stop("primer.tour_scores", "figure_scores", {"show": "scores"} | LARGE),
        Stop("primer.tour_why", "figure_why", {"show": "why"} | VANISHING),
    ),
)
_complete()  # of a link, whichever tab it opens
page.tabs(
    "primer",
    {"dictionary": dictionary, "query": query, "scores": scores, "why": why},
    own={
        "dictionary": " ".join(("asked", *AS_PUBLISHED)),
        "query": " ".join(QUERY),
        "scores": "d_k likeness vector_seed",
        "why": "size keys measure sample_seed",
    },
)
