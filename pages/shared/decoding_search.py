"""Other ways to an output: drawing it, searching with a beam, and judging one that is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from model import catalogue
from model.refused import Refused
from model.softmax import log_probabilities
from pages.shared import controls, decoding, models, notices, page, view
from pages.shared import decoding_draw as draw
from pages.shared.decoding import Decoding, nats
from pages.shared.decoding_player import bars
from pages.shared.decoding_step import percent
from pages.shared.words import refusal, section, words
from viz import decoding as viz
from viz.decoding_html import Output, outputs_html, table_html

if TYPE_CHECKING:
    from model.beam import BeamTree
    from model.stepping import Given

DRAWS = 8  # outputs sampled beside each other
BEAMS = (1, 2, 3, 4, 6, 8)
ALPHAS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
LONGEST = 200  # characters of a given output, which has to stand in the URL


# sampling


def sampling(decoded: Decoding) -> None:
    """The distribution that this step draws from, and outputs of several seeds beside each other."""
    from model.stepping import Sampling

    if decoded.sampling is None:
        st.text(words("decoding_sampling.greedy"))
        st.button(words("decoding_sampling.switch"), key="to_sampling", on_click=view.choose, kwargs={"way": "sample"})
        return
    settings = decoded.sampling
    found = tuple(bars(decoded, 10))
    draw.chart("distribution", _bars_spec(found, view.language()), lambda: viz.candidates_rows(found))
    _outside(decoded, found)
    page.formula(
        r"q_i = \frac{e^{z_i / \tau}}{\sum_{j \in K} e^{z_j / \tau}}\quad (i \in K)",
        {"z_i": "decoding_inside.z", r"\tau": "decoding_sampling.tau", "K": "decoding_sampling.kept"},
    )
    st.subheader(words("decoding_sampling.several", count=DRAWS), anchor=False)
    st.caption(words("decoding_sampling.several_hint"))
    greedy = decoding.run(decoded.entry, decoded.reading.sentence, (), None)
    lines = [_line(decoded, words("decoding_beam.greedy"), greedy.run.ids)]
    texts = set()
    for seed in range(settings.seed, settings.seed + DRAWS):
        own = Sampling(settings.temperature, settings.top_k, settings.top_p, seed)
        ids = decoding.run(decoded.entry, decoded.reading.sentence, (), own).run.ids
        texts.add(ids)
        lines.append(_line(decoded, str(seed), ids))
    heads = [words(f"decoding_sampling.{name}") for name in ("text", "log_probability")]
    st.html(table_html(heads, lines, chosen=0))
    st.text(words("decoding_sampling.distinct", count=len(texts), draws=DRAWS))


def _outside(decoded: Decoding, found: tuple[viz.Bar, ...]) -> None:
    """How much of the probability lies on the words that are not shown, and what in the training keeps it there."""
    *listed, others = found
    vocabulary = decoded.entry.config["target_vocabulary"]
    count = vocabulary - len(listed)
    if not count:
        return
    shares = {"share": 1 - others.probability, "others": others.probability, "each": others.probability / count}
    said = {name: percent(share) for name, share in shares.items()}
    st.text(words("decoding_sampling.outside", shown=len(listed), count=f"{count:,}", **said))
    if not others.drawn and sum(bool(bar.drawn) for bar in listed) == 1:
        st.text(words("decoding_sampling.one"))
    smoothing = decoded.entry.card.get("training", {}).get("label_smoothing")
    if isinstance(smoothing, float) and smoothing > 0:  # of older cards nothing is known
        st.text(words("decoding_sampling.smoothing", smoothing=f"{smoothing:g}", vocabulary=f"{vocabulary:,}"))


@st.cache_data(max_entries=64, show_spinner=False)
def _bars_spec(found: tuple[viz.Bar, ...], language: str) -> dict[str, Any]:
    return draw.spec(viz.candidates_chart(found, section("decoding_chart")))


def _text(decoded: Decoding, ids: tuple[int, ...]) -> str:
    return models.tokenizer(decoded.entry).decode(ids) or "∅"


def _line(decoded: Decoding, name: str, ids: tuple[int, ...]) -> list[str]:
    total = _log_probability(decoded.entry, decoded.reading.sentence, ids)
    return [f"{name} · {_text(decoded, ids)}", nats(total)]


@st.cache_data(max_entries=512, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _log_probability(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> float:
    """Of a whole output, in nats, by a pass of its own."""
    from model import stepping

    start = decoding.begin(entry, sentence)
    logits = stepping.steps_of(models.checkpoint(entry), start, ids).values["logits"][len(start.prompt) - 1 :]
    return float(log_probabilities(logits, ids).sum())


# beam search


def beam(decoded: Decoding) -> None:
    """All hypotheses as a tree, their scores, and the winner beside greedy decoding."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="beam_controls"):
        size = controls.steps("beam", words("decoding_beam.beam"), BEAMS, 3)
        alpha = controls.steps("alpha", words("decoding_beam.alpha"), ALPHAS, 0.6)
        dropped = controls.toggle("dropped", words("decoding_beam.dropped"), default=True)
    with st.spinner(words("decoding_beam.running")):
        tree = _search(decoded.entry, decoded.reading.sentence, size, alpha)
    st.caption(words("decoding_beam.marks"))
    draw.tree("beam_tree", _beam_spec(decoded.entry, decoded.reading.sentence, size, alpha, dropped, view.language()))
    _hypotheses(decoded, tree)
    page.formula(
        r"\begin{gathered} \mathrm{score}(y) = \frac{\log P(y \mid x)}{lp(y)} \\"
        r" lp(y) = \left(\frac{5 + |y|}{6}\right)^{\alpha} \end{gathered}",
        {r"|y|": "decoding_beam.length_symbol", r"\alpha": "decoding_beam.alpha_symbol"},
    )


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _search(entry: catalogue.Entry, sentence: str, size: int, alpha: float) -> BeamTree:
    from model.beam import beam_search

    start = decoding.begin(entry, sentence)
    return beam_search(
        models.checkpoint(entry).model, start.source or start.prompt, start.limit, beam=size, alpha=alpha
    )


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _beam_spec(
    entry: catalogue.Entry, sentence: str, size: int, alpha: float, dropped: bool, language: str
) -> dict[str, Any]:
    tree = _search(entry, sentence, size, alpha)
    best = set(tree.path(tree.best.node))
    tokens = models.tokenizer(entry).tokens([node.token for node in tree.nodes])
    nodes: list[viz.TreeNode] = []
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
        nodes.append(viz.TreeNode(node.step, row, tokens[i], nats(node.total, 2), state, before))
    return draw.spec(viz.tree_chart(nodes, section("decoding_chart"), words("decoding_chart.beam_description")))


def _hypotheses(decoded: Decoding, tree: BeamTree) -> None:
    from model.beam import length_penalty

    greedy = decoding.run(decoded.entry, decoded.reading.sentence, (), None).run.ids
    rows = []
    for rank, found in enumerate(tree.hypotheses, 1):
        name = f"{'★ ' if rank == 1 else ''}{rank}. {_text(decoded, found.ids)}"
        penalty = length_penalty(len(found.ids), tree.alpha)
        rows.append(
            [name, nats(found.log_probability), str(len(found.ids)), nats(penalty), nats(found.score),
             words(f"decoding_stop.{found.stop}")]
        )  # fmt: skip
    total = _log_probability(decoded.entry, decoded.reading.sentence, greedy)
    penalty = length_penalty(len(greedy), tree.alpha)
    stop = decoding.run(decoded.entry, decoded.reading.sentence, (), None).run.stop
    rows.append(
        [f"{words('decoding_beam.greedy')} · {_text(decoded, greedy)}", nats(total), str(len(greedy)),
         nats(penalty), nats(total / penalty), words(f"decoding_stop.{stop}")]
    )  # fmt: skip
    heads = ["hypothesis", "log_probability", "length", "penalty", "score", "stop"]
    st.html(table_html([words(f"decoding_beam.{head}") for head in heads], rows, chosen=0))
    same = tree.best.ids == greedy
    st.text(words("decoding_beam.same" if same else "decoding_beam.different"))
    if not same:
        tokens = models.tokenizer(decoded.entry).tokens
        first = Output(words("decoding_beam.greedy"), tokens(greedy), frozenset(), "")
        second = Output(words("decoding_beam.winner"), tokens(tree.best.ids), frozenset(), "")
        st.html(outputs_html(first, second, section("decoding_forks")))


# a given output


def given(decoded: Decoding) -> None:
    """How likely the model finds an output that the reader gives, word by word, beside its own."""
    from model import stepping

    checkpoint = models.checkpoint(decoded.entry)
    own = decoding.run(decoded.entry, decoded.reading.sentence, (), None).run.ids
    default = stepping.shown(checkpoint.tokenizer, own)[:LONGEST]
    text = controls.text("given", words("decoding_given.given"), default, LONGEST)
    if not text.strip():
        st.text(words("decoding_given.empty"))
        return
    try:
        # text has no specials, and no end where the model wrote none: its own output is judged as it was written
        ids = own if text == default else stepping.given_ids(checkpoint, decoded.start, text)
        found = _given(decoded.entry, decoded.reading.sentence, ids)
    except Refused as error:
        notices.say("warning", refusal(error))
        return
    tokens = models.tokenizer(decoded.entry).tokens
    past = [None] * (len(found.ids) - len(found.own))
    listed = tuple(
        viz.Surprise(*each)
        for each in zip(
            tokens(found.ids), found.ranks, found.log_probabilities, (*found.own, *past), tokens(found.best),
            found.best_log_probabilities, strict=True,
        )
    )  # fmt: skip
    with st.container(horizontal=True, key="given_totals"):
        st.metric(words("decoding_given.total"), nats(found.total))
        st.metric(words("decoding_given.perplexity"), f"{found.perplexity:.2f}")
        st.metric(words("decoding_given.free_total"), nats(sum(found.free_log_probabilities)))
    draw.chart("surprise", _surprise_spec(listed, view.language()), lambda: viz.surprise_rows(listed))
    worst = max(range(len(listed)), key=lambda n: -listed[n].forced)
    if listed[worst].rank > 1:
        token = listed[worst]
        st.text(words("decoding_given.worst", token=token.token, rank=token.rank, best=token.best))
    else:
        st.text(words("decoding_given.agrees"))
    first = Output(words("decoding_given.as_given"), tokens(found.ids), frozenset(), "")
    second = Output(words("decoding_given.as_free"), tokens(found.free), frozenset(), "")
    st.html(outputs_html(first, second, section("decoding_forks")))
    st.caption(words("decoding_given.exposure"))
    page.formula(
        r"\log P(y \mid x) = \sum_{t} \log P(y_t \mid y_{<t},\, x)",
        {"y_t": "decoding_given.symbol_y", "y_{<t}": "decoding_given.symbol_before", "x": "decoding_given.symbol_x"},
    )


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _given(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> Given:
    from model import stepping

    return stepping.given(models.checkpoint(entry), decoding.begin(entry, sentence), ids)


@st.cache_data(max_entries=64, show_spinner=False)
def _surprise_spec(listed: tuple[viz.Surprise, ...], language: str) -> dict[str, Any]:
    return draw.spec(viz.surprise_chart(listed, section("decoding_chart")))
