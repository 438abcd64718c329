"""The end of the course: users explain one word of a translation of their own, then compare with the numbers."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.course import tokens, writing
from model.edit import edit_effects
from pages.course import heads, progress, token_choice
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view, widgets
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls, marked_terms
from viz.numbers import percent, signed

LIMIT = 2000  # characters of an explanation
LITTLE = 0.1  # nats: a head that changes less takes or gives at most a tenth of a probability


def figure(current_run: CurrentRun) -> None:
    """Lines from what was written to what was read; the token to explain is locked, and a click chooses another."""
    names = current_run.trace.output_tokens
    step = controls.picked("token", words("course_explain.token"), len(names), _first(names))
    heads.links(current_run, "course_explain", step, lambda query: view.choose(token=query))


def _first(names: Sequence[str]) -> int:
    """The token that the user explains, unless another one is chosen."""
    return tokens.longest(names)


def form(current_run: CurrentRun) -> None:
    """A sentence and a word to choose, a text to write, and the numbers to compare it with."""
    names = current_run.trace.output_tokens
    st.text_input(
        words("frame.sentence"),
        placeholder=words("frame.sentence_hint"),
        autocomplete="off",
        **widgets.held("own_sentence", current_run.sentence, _typed),
    )
    step = token_choice.pick("token", words("course_explain.token"), names, _first(names))
    key = "explanation"
    st.text_area(
        words("course_explain.text_label", word=plain(names[step])),
        value=progress.explanation(),
        key=key,
        max_chars=LIMIT,
        height=150,
        placeholder=words("course_explain.hint"),
        on_change=lambda: progress.explain(str(widgets.sent(key, LIMIT))),
    )
    if controls.toggle("compared", words("course_explain.compare")):
        with st.container(key="facts", gap="small"):
            for fact, values in _facts(current_run, step).items():
                marked_terms.prose(words(f"course_explain.{fact}"), f"course-explain-{fact}", **values)


def _typed(sentence: str) -> None:
    view.choose(sentence=sentence, token=None)


def _facts(current_run: CurrentRun, step: int) -> dict[str, dict[str, object]]:
    """How sure the model was, where it looked, and which head mattered: by the name of a text, what fills it."""
    trace = current_run.trace
    ids, shares = writing.candidates(current_run.trace, step)
    first, second = models.tokenizer(current_run.entry).tokens(ids[:2])
    looks = trace.weights("cross")[-1, :, step].mean(axis=0)  # (K)
    changes = _changes(current_run.entry, current_run.sentence)[:, :, step]  # (L, H)
    layer, head = np.unravel_index(np.abs(changes).argmax(), changes.shape)
    most = float(changes[layer, head])
    key = "mattered" if abs(most) >= LITTLE else "mattered_little"
    return {
        "sure": {"word": first, "share": percent(shares[0], 1), "other": second, "less": percent(shares[1], 1)},
        "looked": {"token": trace.source_tokens[int(looks.argmax())], "weight": f"{looks.max():.2f}"},
        key: {"layer": layer, "head": head, "change": signed(most), "word": first, "little": LITTLE},
    }


@models.cached
def _changes(entry: catalogue.Entry, sentence: str) -> np.ndarray:
    """The change of each written token's log-probability without each head of cross-attention: (L, H, T) in nats."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    return np.stack(
        [edit_effects.head_effects(checkpoint, run, "cross", layer) for layer in range(entry.config.decoder_layers)]
    )
