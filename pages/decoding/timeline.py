"""The time line of a decoding, the candidates of each step, the user's own word, and the outputs forked so far."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from model.analysis.softmax import log_probabilities
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.tokenizer import EOS, SPECIALS, UNK
from pages.decoding import outputs as decoding_outputs
from pages.decoding import specs as draw
from pages.decoding.outputs import Decoding
from pages.shared.models import cache as models
from pages.shared.models import ending
from pages.shared.session import view, widgets
from pages.shared.text import notices, numbers
from pages.shared.text.notices import plain
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, export
from viz.charts import decoding as viz
from viz.components.timeline import FRONTEND, Candidate, Step, player_data
from viz.html.outputs import Output, outputs_html
from viz.vega import vega_svg

if TYPE_CHECKING:
    from model.decode.forced_tokens import Forced
    from model.decode.sampling import Sampling

PROMPT = 12  # tokens of a prompt that are shown before the first step
WORD = 40  # characters of a word that the user forces
VIEWED = {"kept": "view", "forced": "forced_view"}  # states of the tree's words in the output in view

_player = st.components.v2.component("player", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)


def player(decoded: Decoding) -> None:
    """The time line, the candidates of the step in view, and a word of the user's own."""
    steps = _steps(decoded.entry, decoded.current_run.sentence, decoded.branch.fork, decoded.sampling, decoded.count)

    def moved() -> None:
        step = widgets.sent("player").get("step")
        if step is not None:
            view.choose(step=step)

    def clicked() -> None:
        wanted = widgets.sent("player").get("force")
        if wanted:
            decoding_outputs.force(decoded, wanted["step"], (wanted["id"],))

    prompt = models.tokenizer(decoded.entry).tokens(decoded.start.prompt)
    shown = prompt if len(prompt) <= PROMPT else ("…", *prompt[-PROMPT:])
    data = player_data(shown, steps, decoded.step, section("player"))
    _player(data=data, key="player", on_step_change=moved, on_force_change=clicked)
    if stopped := ending.stopped(decoded.entry, decoded.current_run.sentence, decoded.branch.run.stop):
        st.caption(stopped)
    step = steps[decoded.step]
    _own_word(decoded, step)
    export.files("candidates", lambda: _svg(step), lambda: viz.candidates_rows(_bars(step)))


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _steps(
    entry: catalogue.Entry, sentence: str, fork: Forced, sampling: Sampling | None, count: int
) -> tuple[Step, ...]:
    from model.decode import sampling as decode_sampling

    branch, start = decoding_outputs.run(entry, sentence, fork, sampling), ending.begin(entry, sentence)
    logits = decoding_outputs.trace(entry, sentence, branch.run.ids).values["logits"][len(start.prompt) - 1 :]
    tokens = models.tokenizer(entry).tokens
    read = tokens(start.read(branch.run.ids))[len(start.prompt) - 1 :]
    found = []
    for step, (row, id_) in enumerate(zip(logits, branch.run.ids, strict=True)):
        own = decode_sampling.candidates(row, id_, count, sampling)
        drawn = own.drawn or [None] * len(own.ids)
        listed = zip(own.ids, tokens(own.ids), own.probabilities, drawn, strict=True)
        found.append(
            Step(
                read=read[step],
                word=branch.tokens[step],
                id=id_,
                probability=own.chosen_probability,
                rank=own.chosen_rank,
                forced=step in branch.forced,
                candidates=tuple(Candidate(*each) for each in listed),
                others=own.others,
                others_drawn=own.others_drawn,
                left=len(row) - len(own.ids),
            )
        )
    return tuple(found)


def bars(decoded: Decoding, count: int) -> list[viz.Bar]:
    """The candidates of the step in view, all others as the last."""
    return _bars(
        _steps(decoded.entry, decoded.current_run.sentence, decoded.branch.fork, decoded.sampling, count)[decoded.step]
    )


def _bars(step: Step) -> list[viz.Bar]:
    listed = [viz.Bar(each.word, each.probability, each.drawn, each.id == step.id) for each in step.candidates]
    others = words("player.others", count=step.left)
    return [*listed, viz.Bar(others, step.others, step.others_drawn, chosen=False)]


def _svg(step: Step) -> str:
    return vega_svg(draw.spec(viz.candidates_chart(_bars(step), section("decoding_chart"))))


# a word that is not among the candidates


def _own_word(decoded: Decoding, step: Step) -> None:
    hint = _hint(decoded, step)
    with st.container(horizontal=True, vertical_alignment="bottom", key="own_word"):
        typed = controls.text("word", words("decoding.word", step=decoded.step), "", WORD, hint)
        ids = _ids(decoded, typed)
        if ids:
            pieces = " + ".join(models.tokenizer(decoded.entry).tokens(ids))
            st.button(
                words("decoding.force", word=plain(pieces), step=decoded.step),
                key="force",
                on_click=_force_typed,
                args=(decoded, ids),
            )


def _hint(decoded: Decoding, step: Step) -> str:
    """What could be typed: the likeliest other word of the step, and a piece of one where the model has pieces."""
    tokenizer = models.tokenizer(decoded.entry)
    others = [each.word for each in step.candidates if each.id != step.id and each.id >= len(SPECIALS)]
    others = others or list(tokenizer.tokens(range(len(SPECIALS), tokenizer.size)))
    word = next((word for word in others if word[0].isalnum()), others[0])
    return words("decoding.word_hint" if tokenizer.whole else "decoding.word_hint_pieces", word=word)


def _force_typed(decoded: Decoding, ids: tuple[int, ...]) -> None:
    decoding_outputs.force(decoded, decoded.step, ids)
    view.forget("word")


def _ids(decoded: Decoding, typed: str) -> tuple[int, ...]:
    """The tokens of a typed word; a dot before it asks for a piece that goes on a word, <eos> for the end."""
    if not typed.strip():
        return ()
    if typed.strip() == SPECIALS[EOS]:
        return (EOS,)
    from model.decode import scoring
    from model.decode.translate import encode

    tokenizer = models.tokenizer(decoded.entry)
    try:
        ids = tuple(encode(models.checkpoint(decoded.entry), scoring.typed(tokenizer, typed))[1:-1])
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ()
    if typed.startswith("·"):
        piece = tokenizer.inner.token_to_id(typed[1:].strip())
        ids = (UNK,) if piece is None else (piece,)
    if UNK in ids:
        notices.say("warning", words("decoding.unknown", word=typed))
        return ()
    return ids


# the outputs forked so far


def outputs(decoded: Decoding) -> None:
    """Every output so far: two beside each other, and all as a tree."""
    with st.container(border=True, key="figure_forks"):
        st.header(words("decoding_forks.title"), anchor=False)
        st.caption(words("decoding_forks.hint"))
        titles = {n: decoding_outputs.name(decoded, n) for n in range(len(decoded.branches))}
        last = len(titles) - 1
        with st.container(horizontal=True, vertical_alignment="bottom", key="fork_controls"):
            controls.select("leaf", words("decoding.leaf"), titles, last)
            other = controls.select("beside", words("decoding_forks.beside"), titles, 0)
            st.button(words("decoding_forks.undo"), key="undo", on_click=decoding_outputs.undo, args=(decoded,))
            st.button(
                words("decoding_forks.clear"),
                key="clear",
                type="tertiary",
                on_click=view.choose,
                kwargs={"forks": None, "leaf": None, "beside": None},
            )
        pair = (_output(decoded, other), _output(decoded, decoded.leaf))
        st.html(outputs_html(*pair, section("decoding_forks")))
        _tree(decoded)


def _output(decoded: Decoding, number: int) -> Output:
    branch, start = decoded.branches[number], decoded.start
    logits = decoding_outputs.trace(decoded.entry, decoded.current_run.sentence, branch.run.ids).values["logits"]
    total = log_probabilities(logits[len(start.prompt) - 1 :], branch.run.ids).sum()
    note = words("decoding_forks.log_probability", total=numbers.nats(total, 2), count=len(branch.run.ids))
    return Output(decoding_outputs.name(decoded, number), branch.tokens, branch.forced, note)


def _tree(decoded: Decoding) -> None:
    outputs = tuple(branch.run.ids for branch in decoded.branches)
    spec = _tree_spec(
        outputs,
        tuple(branch.tokens for branch in decoded.branches),
        tuple(tuple(sorted(branch.forced)) for branch in decoded.branches),
        decoded.leaf,
        view.language(),
    )
    draw.tree("fork_tree", spec)


@st.cache_data(max_entries=64, show_spinner=False)
def _tree_spec(
    outputs: tuple[tuple[int, ...], ...],
    tokens: tuple[tuple[str, ...], ...],
    forced: tuple[tuple[int, ...], ...],
    leaf: int,
    language: str,
) -> dict[str, Any]:
    from model.decode.forced_tokens import branching

    nodes: list[viz.TreeNode] = []
    places: list[dict[int, int]] = []  # of each output: step -> node
    for number, (parent, since) in enumerate([(0, 0), *branching(outputs)]):
        own = {step: node for step, node in places[parent].items() if step < since} if number else {}
        for step in range(since, len(outputs[number])):
            below, state = (words("decoding_forks.forced"), "forced") if step in forced[number] else ("", "kept")
            nodes.append(viz.TreeNode(step, number, tokens[number][step], below, state, own.get(step - 1)))
            own[step] = len(nodes) - 1
        places.append(own)
    for i in places[leaf].values():
        nodes[i] = replace(nodes[i], state=VIEWED[nodes[i].state])
    return draw.spec(viz.tree_chart(nodes, section("decoding_chart"), words("decoding_chart.forks_description")))
