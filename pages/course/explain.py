"""The end of the course: users explain one word of a translation of their own, then compare with the numbers."""

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.edit import effects
from pages.course import heads, progress, tokens
from pages.course.figures import writing
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import widgets
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls

LIMIT = 2000  # characters of an explanation


def figure(current_run: CurrentRun) -> None:
    """Lines from what was written to what was read."""
    heads.links(current_run, "course_explain")


def form(current_run: CurrentRun) -> None:
    """A word to choose, a text to write, and the numbers to compare it with."""
    names = current_run.trace.output_tokens
    step = tokens.pick("token", words("course_explain.token"), names, tokens.longest(names))
    key = "explanation"
    st.text_area(
        words("course_explain.text_label", word=plain(names[step])),
        value=progress.explanation(),
        key=key,
        max_chars=LIMIT,
        height=150,
        placeholder=words("course_explain.hint"),
        on_change=lambda: progress.explain(str(widgets.sent(key))),
    )
    if controls.toggle("compared", words("course_explain.compare")):
        with st.container(key="facts", gap="small"):
            for line in _facts(current_run, step):
                st.markdown(f"- {line}")


def _facts(current_run: CurrentRun, step: int) -> list[str]:
    """How sure the model was, where it looked, and which head mattered."""
    trace = current_run.trace
    ids, shares = writing.candidates(current_run, step)
    first, second = models.tokenizer(current_run.entry).tokens(ids[:2])
    looks = trace.weights("cross")[-1, :, step].mean(axis=0)  # (K)
    changes = _changes(current_run.entry, current_run.sentence)[:, :, step]  # (L, H)
    layer, head = np.unravel_index(np.abs(changes).argmax(), changes.shape)
    values = {
        "sure": {"word": first, "share": f"{shares[0]:.1%}", "other": second, "less": f"{shares[1]:.1%}"},
        "looked": {"token": trace.source_tokens[int(looks.argmax())], "weight": f"{looks.max():.2f}"},
        "mattered": {"layer": layer, "head": head, "change": f"{changes[layer, head]:+.2f}", "word": first},
    }
    return [
        words(f"course_explain.{fact}", **{key: plain(str(value)) for key, value in each.items()})
        for fact, each in values.items()
    ]


@models.cached(32)
def _changes(entry: catalogue.Entry, sentence: str) -> np.ndarray:
    """The change of each written token's log-probability without each head of cross-attention: (L, H, T) in nats."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    return np.stack(
        [effects.head_effects(checkpoint, run, "cross", layer) for layer in range(entry.config["decoder_layers"])]
    )
