"""The outputs so far, branched from each other by forced words: two beside each other, and all as a tree."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from model.analysis import predictions
from model.decode import forced_tokens
from pages.decoding import branches, output_list
from pages.decoding.output_list import Decoding
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text import numbers
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts import decoding_charts
from viz.figures.chart import Chart
from viz.html.outputs import Output, outputs_html

VIEWED = {"kept": "view", "forced": "forced_view"}  # states of the tree's words in the output in view


def outputs(decoding: Decoding) -> None:
    """Every output so far: two beside each other, and all as a tree."""
    with page.card("figure_forks", words("decoding_forks.title"), words("decoding_forks.hint")):
        titles = {n: output_list.name(decoding, n) for n in range(len(decoding.branches))}
        last = len(titles) - 1
        with st.container(horizontal=True, vertical_alignment="bottom", key="fork_controls"):
            controls.select("leaf", words("decoding.leaf"), titles, last)
            other = controls.select("beside", words("decoding_forks.beside"), titles, 0)
            st.button(words("decoding_forks.undo"), key="undo", on_click=branches.undo, args=(decoding,))
            st.button(
                words("decoding_forks.clear"),
                key="clear",
                type="tertiary",
                on_click=view.choose,
                kwargs={"forks": None, "leaf": None, "beside": None},
            )
        pair = (_output(decoding, other), _output(decoding, decoding.leaf))
        show.table(outputs_html(*pair, section("decoding_forks")))
        _tree(decoding)


def _output(decoding: Decoding, number: int) -> Output:
    branch, start = decoding.branches[number], decoding.start
    trace = output_list.trace(decoding.entry, decoding.current_run.sentence, branch.run.ids)
    total = predictions.log_probabilities(trace, branch.run.ids, len(start.prompt) - 1).sum()
    note = words("decoding_forks.log_probability", total=numbers.nats(total, 2), count=len(branch.run.ids))
    return Output(output_list.name(decoding, number), branch.tokens, branch.forced, note)


def _tree(decoding: Decoding) -> None:
    outputs = tuple(branch.run.ids for branch in decoding.branches)
    chart = _tree_chart(
        outputs,
        tuple(branch.tokens for branch in decoding.branches),
        tuple(tuple(sorted(branch.forced)) for branch in decoding.branches),
        decoding.leaf,
        view.language(),
    )
    show.figure("fork_tree", chart, width="content")


@models.cached
def _tree_chart(
    outputs: tuple[tuple[int, ...], ...],
    tokens: tuple[tuple[str, ...], ...],
    forced: tuple[tuple[int, ...], ...],
    leaf: int,
    language: str,
) -> Chart:
    nodes: list[decoding_charts.TreeNode] = []
    places: list[dict[int, int]] = []  # of each output: step -> node
    for number, (parent, since) in enumerate([(0, 0), *forced_tokens.branching(outputs)]):
        own = {step: node for step, node in places[parent].items() if step < since} if number else {}
        for step in range(since, len(outputs[number])):
            below, state = (words("decoding_forks.forced"), "forced") if step in forced[number] else ("", "kept")
            nodes.append(decoding_charts.TreeNode(step, number, tokens[number][step], below, state, own.get(step - 1)))
            own[step] = len(nodes) - 1
        places.append(own)
    for i in places[leaf].values():
        nodes[i] = replace(nodes[i], state=VIEWED[nodes[i].state])
    return decoding_charts.tree_chart(nodes, section("decoding_chart"), words("decoding_chart.forks_description"))
