"""Embedding: from text to tokens and vectors, which words lie near each other, what unknown and padded tokens do."""

import streamlit as st

from model.tokenization.tokenizer import PAD
from pages.embedding import cuts, input_steps, padding, side_in_view, vocabulary_map, word_pieces
from pages.embedding.analogies import arithmetic
from pages.embedding.frequencies import frequencies
from pages.embedding.merges import merges
from pages.embedding.space import space
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text import where_positions_act
from pages.shared.text.notices import characters
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.matrices import matrices
from viz.charts.embedding import vocabulary_charts
from viz.numbers import percent, power_of_ten


def way(current_run: CurrentRun) -> None:
    """Text → tokens → ids → rows → × √d → + position → input."""
    with page.card("figure_way", words("embedding.way_title")):
        name = side_in_view.choose_side(current_run)
        side = side_in_view.side(current_run, name)
        input_steps.flow(current_run, side)
        token = side_in_view.choose_token(side)
        titles = {"token": words("embedding.one"), "sentence": words("embedding.all")}
        if controls.choice("rows", words("embedding.rows"), titles, "token", hidden=True) == "token":
            _token(current_run, side, token)
        else:
            _sentence(side, token)
        _check(current_run, side)
    page.flush()
    scaled, position = "_scaled" * side.scales, "_position" * (side.position is not None)
    norm = "_normed" * (side.normed_from is not None)
    if side.segment is not None:
        show.caption(words("embedding.segment"))
        scaled, position, norm = "", "_segment", ""
    page.formula(f"embedding{scaled}{position}{norm}")


def _token(current_run: CurrentRun, side: side_in_view.Side, token: int) -> None:
    steps = input_steps.steps_of(current_run, side, token)
    cell = input_steps.step_cell(side, steps)
    figure = matrices("embedding_steps", [steps], selection=cell, on_select=input_steps.step_picked)
    show.latex(input_steps.arithmetic(side, token, cell.column))
    if side.widened:
        show.caption(words("embedding.widened", size=side.d_model, d_model=side.widened))
    export.files("embedding-steps", figure)


def _sentence(side: side_in_view.Side, token: int) -> None:
    figures = input_steps.sentence_of(side)
    cell = input_steps.sentence_cell(side, token, figures)
    matrices(
        "embedding_sentence",
        figures,
        selection=cell,
        on_select=input_steps.sentence_picked(figures),
        files="embedding-sentence",
    )


def _check(current_run: CurrentRun, side: side_in_view.Side) -> None:
    if side.position is None:
        show.caption(where_positions_act.where(current_run.entry.config, words("embedding.no_position")))
    else:
        key = "embedding.check" if side.normed_from is None else "embedding.check_sum"
        show.caption(words(key, error=power_of_ten(side.error)))
    if side.normed_from is not None:
        show.caption(words("embedding.normed"))
    if not side.scales:
        show.caption(words("embedding.unscaled"))
    if current_run.recorded:
        show.caption(words("embedding.recorded"))


def near(current_run: CurrentRun) -> None:
    """Neighbours by cosine, and the vocabulary in two dimensions."""
    name = side_in_view.choose_side(current_run)
    side = side_in_view.side(current_run, name)
    token = side_in_view.choose_token(side)
    if side.table is None or side.ids is None:
        show.caption(words("embedding.wait"))
        return
    names, nearest = vocabulary_map.vocabulary(current_run.entry), vocabulary_map.neighbours(current_run, side, token)
    with page.card("figure_neighbours", words("embedding.neighbours_title")):
        with st.container(key="asked"):
            show.text(words("embedding.neighbours_of", token=side.tokens[token], id=side.ids[token]))
        nearest_names, ids, cosines = (
            [names[n.id] for n in nearest],
            [n.id for n in nearest],
            [n.cosine for n in nearest],
        )
        show.figure(
            "embedding-neighbours",
            vocabulary_charts.neighbours_chart(nearest_names, ids, cosines, section("embedding_chart")),
        )
        show.caption(words(f"embedding.neighbours_{_trained(current_run)}", size=f"{len(side.table):,}"))
    page.flush()
    page.formula("cosine")
    with page.card("figure_map", words("embedding.map_title")):
        shares = vocabulary_map.projection(current_run.entry, name).explained.tolist()
        points = vocabulary_map.points(current_run, side, token, nearest)
        show.figure(
            "embedding-map",
            vocabulary_charts.map_chart(points, shares, section("embedding_chart")),
        )
        share, d_model = sum(shares), side.d_model
        show.caption(
            words("embedding.map_hint", share=percent(share, 1), rest=percent(1 - share, 1), others=d_model - 2)
            + words(f"embedding.map_{_trained(current_run)}", even=percent(2 / d_model, 1))
        )


def _trained(current_run: CurrentRun) -> str:
    return "untrained" if current_run.entry.name.startswith("untrained-") else "trained"


def odd(current_run: CurrentRun) -> None:
    """Words that the vocabulary lacks, and tokens that stand for nothing."""
    with page.card("figure_unknown", words("embedding.unknown_title")):
        word, ids, tokens, unknown = word_pieces.taken_apart(current_run)
        word_pieces.strip(tokens, ids)
        with st.container(key="pieces"):
            show.text(words("embedding.pieces", count=len(ids), word=word))
            if unknown:
                show.text(words("embedding.unknown", characters=characters(unknown)))
        show.caption(words("embedding.unknown_hint"))
    page.flush()
    with page.card("figure_padding", words("embedding.padding_title")):
        _padding(current_run)


def _padding(current_run: CurrentRun) -> None:
    side = side_in_view.side(current_run, "encoder" if current_run.trace.source_tokens else "decoder")
    if side.ids is None:
        show.caption(words("embedding.wait"))
        return
    most = padding.most_padding(current_run, side)
    if most < 1:
        show.caption(words("embedding.no_room", limit=current_run.entry.config.max_length))
        return
    count = controls.slider("padding", words("embedding.padding"), 0, most, min(3, most))
    masked = padding.padded(current_run.entry, tuple(side.ids), count, True)
    unmasked = padding.padded(current_run.entry, tuple(side.ids), count, False) if side.name == "encoder" else None
    tokens, weights = [*side.tokens, *[models.tokenizer(current_run.entry).specials[PAD]] * count], masked.received
    without = None if unmasked is None else unmasked.received
    show.figure(
        "embedding-padding",
        vocabulary_charts.padding_chart(tokens, weights, without, section("embedding_chart")),
    )
    with st.container(key="padding_says"):
        show.text(words("embedding.padding_masked", weight=f"{masked.largest:.3g}", change=power_of_ten(masked.change)))
        if unmasked is not None:
            show.text(
                words("embedding.padding_unmasked", weight=f"{unmasked.largest:.3g}", change=f"{unmasked.change:.3g}")
            )
    show.caption(words(f"embedding.padding_{side.name}"))


page.head(
    "embedding",
    tour=(
        Stop("embedding.tour_way", "figure_way", {"show": None, "rows": None, "side": None}),
        Stop("embedding.tour_sum", "embedding_steps", {"show": None, "rows": None, "dimension": 1}),
        Stop("embedding.tour_merges", "figure_merges", {"show": "merges", "merges": None}),
        Stop("embedding.tour_near", "figure_neighbours", {"show": "near", "side": None}),
        Stop("embedding.tour_map", "figure_map", {"show": "near", "side": None}),
        Stop("embedding.tour_padding", "figure_padding", {"show": "odd", "padding": 6}),
    ),
)
current_run = read()
page.tabs(
    "embedding",
    {
        "way": way,
        "merges": merges,
        "near": near,
        "space": space,
        "frequencies": frequencies,
        "odd": odd,
        "arithmetic": arithmetic,
    },
    current_run,
)
in_pieces = cuts.words_to_cut(current_run.entry)[1]
another = word_pieces.rare_words(current_run.entry)[1]
tour.try_this(
    {
        "embedding.try_near": Step("figure_neighbours", {"show": "near", "side": None, "token": None}),
        "embedding.try_word": Step("figure_unknown", {"show": "odd", "word": another}, values={"word": another}),
        "embedding.try_padding": Step("figure_padding", {"show": "odd", "padding": 8}),
        "embedding.try_circle": Step(
            "figure_frequencies", {"checkpoint": "modular", "show": "frequencies", "moment": None, "frequency": None}
        ),
        "embedding.try_merges": Step("figure_cut", {"show": "merges", "cut": in_pieces}, values={"word": in_pieces}),
    }
)
