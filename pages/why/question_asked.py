"""Question of the user: which output token, and rather than which other one."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from model.analysis import predictions
from model.attribution import trust, why_question
from model.checkpoint import catalogue
from model.edit import edit_effects
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun, Ended
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls, token_picker

OTHERS = 8  # likely tokens to choose an alternative from
NONE = "none"


@dataclass(frozen=True)
class AskedQuestion:
    """A question about the sentence in view. `rather` is None where there is no alternative."""

    current_run: CurrentRun
    row: int
    rather: int | None
    token: str
    other: str

    @property
    def key(self) -> tuple[catalogue.Entry, str, int, int | None]:
        """Key of the caches."""
        return self.current_run.entry, self.current_run.sentence, self.row, self.rather

    @property
    def question(self) -> why_question.Question:
        return question(*self.key)

    @property
    def inputs(self) -> list[why_question.Word]:
        return why_question.input_words(self.question)


def asked(current_run: CurrentRun) -> AskedQuestion:
    """Draw the controls for the token and its alternative; ends the page where the model writes no tokens."""
    entry = current_run.entry
    with warmup.spinner():
        run = models.run(entry, current_run.sentence)
        checkpoint = models.checkpoint(entry)
    if not why_question.can_ask(checkpoint):
        notices.say("info", words("why.no_output"))
        raise Ended
    rows = trust.asked_rows(checkpoint, run)
    ids, tokenizer = edit_effects.written(run), models.tokenizer(entry)
    tokens = tokenizer.tokens(ids[rows].tolist())
    left, right = st.columns([3, 1], gap="medium")
    with left:
        place = token_picker.longest_first("step", words("why.step" if run.target else "why.step_encoder"), tokens)
    row = rows[place]
    likely = predictions.candidates(run.trace, row, OTHERS + 1)[0][1:].tolist()
    names = token_picker.distinct([tokens[place], *tokenizer.tokens(likely)])[1:]
    options = {NONE: words("why.no_alternative")} | dict(zip(map(str, likely), names, strict=True))
    with right:
        rather = controls.select("rather", words("why.rather"), options, NONE)
    if rather == NONE:
        return AskedQuestion(current_run, row, None, tokens[place], "")
    return AskedQuestion(current_run, row, int(rather), tokens[place], options[rather])


@models.cached
def question(entry: catalogue.Entry, sentence: str, row: int, rather: int | None) -> why_question.Question:
    """The question as the model's functions take it."""
    run = models.run(entry, sentence)
    return why_question.Question(run, row, int(edit_effects.written(run)[row]), rather)
