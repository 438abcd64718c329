"""Question of the user: which output token, and rather than which other one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from model.analysis import labels, predictions
from model.attribution import why_question
from model.checkpoint import catalogue
from model.decode import translate
from model.trace import LOGITS
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun, Ended
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls, folder_command, show, token_picker
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.label_table import label_names
from pages.shared.ui.switches import word_switch

OTHERS = 8  # likely tokens to choose an alternative from
NONE = "none"


@dataclass(frozen=True)
class Key:
    """What the answers are cached by. `rather` is None where there is no alternative."""

    entry: catalogue.Entry
    sentence: str
    row: int
    word: int
    rather: int | None
    whole: bool


@dataclass(frozen=True)
class AskedQuestion:
    """A question about the sentence in view; `word` and `whole` as of `why_question.Question`, `step` counts tokens."""

    current_run: CurrentRun
    step: int
    row: int
    word: int
    rather: int | None
    token: str
    other: str
    whole: bool

    @property
    def key(self) -> Key:
        """Key of the caches."""
        return Key(self.current_run.entry, self.current_run.sentence, self.row, self.word, self.rather, self.whole)

    @property
    def label_kind(self) -> str:
        """What the model's logits of labels mean; empty of a model without labels."""
        return labels.kind_of(self.current_run.entry.config)

    @property
    def has_probability(self) -> bool:
        """Whether the score is the logarithm of a probability: no difference, no number and no logit."""
        return self.rather is None and self.label_kind not in labels.WITHOUT_PROBABILITY

    @property
    def question(self) -> why_question.Question:
        return question(self.key)

    @property
    def inputs(self) -> list[why_question.Word]:
        return why_question.input_words(self.question)


def asked(current_run: CurrentRun, *, alternatives: bool = True) -> AskedQuestion:
    """Draw the controls for the token and, if asked for, its alternative; ends the page of a model without tokens."""
    entry = current_run.entry
    with warmup.spinner():
        run = models.run(entry, current_run.sentence)
        checkpoint = models.checkpoint(entry)
    if not why_question.can_ask(checkpoint):
        notices.say("info", words("why.no_output"))
        raise Ended
    asked_about = why_question.asked_about(checkpoint, run)
    tokens, kind = answer_names(entry, [word for _, word in asked_about]), labels.kind_of(entry.config)
    if kind == "span":
        tokens = tuple(
            f"{name}: {run.trace.source_tokens[at]}" for (at, _), name in zip(asked_about, tokens, strict=True)
        )
    left, right = st.columns([3, 1], gap="medium")
    with left:
        first = asked_about.index(why_question.said_first(checkpoint, run)) if kind else 0
        picked = _place(run, kind, tokens, first)
    row, word = asked_about[picked]
    alternatives = alternatives and kind in ("", "one")  # a label of the other kinds has no other one in its place
    answers = why_question.answer_trace(run)
    likely = predictions.candidates(answers, row, min(OTHERS + 1, answers.values[LOGITS].shape[-1]))[0][1:].tolist()
    names = token_picker.distinct([tokens[picked], *answer_names(entry, likely)])[1:]
    options = {NONE: words("why.no_alternative")} | dict(zip(map(str, likely), names, strict=True))
    rather = NONE
    if alternatives:
        with right:
            rather = controls.select("rather", words("why.rather"), options, NONE)
    whole = word_switch.is_on()
    word_switch.draw("about_why")
    if whole:
        show.formula("whole_words_of_row")
    if rather == NONE:
        return AskedQuestion(current_run, picked, row, word, None, tokens[picked], "", whole)
    return AskedQuestion(current_run, picked, row, word, int(rather), tokens[picked], options[rather], whole)


def repeat(subject: AskedQuestion, view: str, head: PickedHead | None = None) -> None:
    """Name the command that prints the numbers of this view again, of the head in view too where one is shown."""
    sentence = subject.current_run.sentence
    options = f" --show {view} --step {subject.step}"
    options += "" if subject.rather is None else f" --rather {subject.rather}"
    options += " --whole" if subject.whole else ""
    options += f" --head {head.kind}.{head.layer}.{head.head}" if head else ""
    typed = f"{'-- ' if sentence.startswith('-') else ''}{shlex.quote(sentence)}"
    folder_command.repeat(subject.current_run.entry, "why", f"{options} {typed}")


@models.cached
def question(key: Key) -> why_question.Question:
    """The question as the model's functions take it."""
    run = models.run(key.entry, key.sentence)
    return why_question.Question(run, key.row, key.word, key.rather, key.whole)


def answer_names(entry: catalogue.Entry, ids: Sequence[int]) -> tuple[str, ...]:
    """Name what the model answers with: the tokens of its vocabulary, or its labels."""
    names = label_names(entry)
    return tuple(names[id_] for id_ in ids) if names else models.tokenizer(entry).tokens(ids)


def _place(run: translate.Translation, kind: str, tokens: Sequence[str], first: int) -> int:
    """The control for the token or the label that is asked about, or for the token whose label is."""
    if kind in ("several", "score", "span") and len(tokens) > 1:
        title = words("why.step_encoder" if kind == "span" else "labels.label")
        return controls.select("step", title, dict(enumerate(token_picker.distinct(tokens))), first)
    if not kind:
        return token_picker.longest_first("step", words("why.step" if run.target else "why.step_encoder"), tokens)
    if len(tokens) == 1:
        return 0
    read = [f"{token} · {label}" for token, label in zip(run.trace.source_tokens, tokens, strict=True)]
    return token_picker.longest_first("step", words("why.step_encoder"), read)
