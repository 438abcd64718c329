"""Beam search: the tree, and its hypotheses beside the greedy output."""

from __future__ import annotations

import streamlit as st

from model.checkpoint import catalogue
from model.decode import beam_search
from pages.decoding import output_list
from pages.decoding.output_list import Decoding
from pages.decoding.sampling import log_probability, text_of
from pages.shared.layout import page
from pages.shared.models import ending, models
from pages.shared.session import view
from pages.shared.text.numbers import nats
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts import decoding_charts
from viz.figures.chart import Chart
from viz.html.outputs import Output, outputs_html
from viz.html.plain_table import table_html

BEAMS = (1, 2, 3, 4, 6, 8)
ALPHAS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)


# beam search


def beam(decoding: Decoding) -> None:
    """All hypotheses as a tree, their scores, and the winner beside greedy decoding."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="beam_controls"):
        size = controls.steps("beam", words("decoding_beam.beam"), BEAMS, 3)
        alpha = controls.steps("alpha", words("decoding_beam.alpha"), ALPHAS, 0.6)
        dropped = controls.toggle("dropped", words("decoding_beam.dropped"), default=True)
    with st.spinner(words("decoding_beam.running")):
        tree = _search(decoding.entry, decoding.current_run.sentence, size, alpha)
    show.caption(words("decoding_beam.marks"))
    chart = _beam_chart(decoding.entry, decoding.current_run.sentence, size, alpha, dropped, view.language())
    show.figure("beam_tree", chart, width="content")
    _hypotheses(decoding, tree)
    page.formula("beam_score")


@models.cached(beside="always")
def _search(entry: catalogue.Entry, sentence: str, size: int, alpha: float) -> beam_search.BeamTree:
    start = ending.begin(entry, sentence)
    return beam_search.beam_search(
        models.checkpoint(entry).model, start.source or start.prompt, start.limit, beam=size, alpha=alpha
    )


@models.cached
def _beam_chart(entry: catalogue.Entry, sentence: str, size: int, alpha: float, dropped: bool, language: str) -> Chart:
    tree = _search(entry, sentence, size, alpha)
    best = set(tree.path(tree.best.node))
    tokens = models.tokenizer(entry).tokens([node.token for node in tree.nodes])
    nodes: list[decoding_charts.TreeNode] = []
    number_of: dict[int, int] = {}  # of the tree's nodes: place among those drawn
    rows: dict[int, int] = {}  # next free row of a step
    for i, node in enumerate(tree.nodes):
        if node.state == "dropped" and not dropped:
            continue
        row = rows.setdefault(node.step, 0)
        rows[node.step] += 1
        number_of[i] = len(nodes)
        state = "best" if i in best else node.state
        before = None if node.parent is None else number_of[node.parent]
        nodes.append(decoding_charts.TreeNode(node.step, row, tokens[i], nats(node.total, 2), state, before))
    return decoding_charts.tree_chart(nodes, section("decoding_chart"), words("decoding_chart.beam_description"))


def _hypotheses(decoding: Decoding, tree: beam_search.BeamTree) -> None:
    greedy = output_list.run(decoding.entry, decoding.current_run.sentence, (), None).run.ids
    rows = []
    for rank, hypothesis in enumerate(tree.hypotheses, 1):
        name = f"{'★ ' if rank == 1 else ''}{rank}. {text_of(decoding, hypothesis.ids)}"
        penalty = beam_search.length_penalty(len(hypothesis.ids), tree.alpha)
        rows.append(
            [name, nats(hypothesis.log_probability), str(len(hypothesis.ids)), nats(penalty), nats(hypothesis.score),
             words(f"decoding_stop.{hypothesis.stop}")]
        )  # fmt: skip
    total = log_probability(decoding.entry, decoding.current_run.sentence, greedy)
    penalty = beam_search.length_penalty(len(greedy), tree.alpha)
    stop = output_list.run(decoding.entry, decoding.current_run.sentence, (), None).run.stop
    rows.append(
        [f"{words('decoding_beam.greedy')} · {text_of(decoding, greedy)}", nats(total), str(len(greedy)),
         nats(penalty), nats(total / penalty), words(f"decoding_stop.{stop}")]
    )  # fmt: skip
    heads = ["hypothesis", "log_probability", "length", "penalty", "score", "stop"]
    show.table(table_html([words(f"decoding_beam.{head}") for head in heads], rows, chosen=0))
    same = tree.best.ids == greedy
    show.text(words("decoding_beam.same" if same else "decoding_beam.different"))
    if not same:
        tokens = models.tokenizer(decoding.entry).tokens
        first = Output(words("decoding_beam.greedy"), tokens(greedy), frozenset(), "")
        second = Output(words("decoding_beam.winner"), tokens(tree.best.ids), frozenset(), "")
        show.table(outputs_html(first, second, section("decoding_forks")))
