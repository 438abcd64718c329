"""What the user asks: which output token, and rather than which other one. What the methods say of it is cached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.analysis import predictions
from model.attribution import attention_methods, gradients, logit_parts, methods, names, trust, without
from model.attribution import question as model_question
from model.checkpoint import catalogue
from model.edit import effects
from pages.shared.models import cache as models
from pages.shared.models import warmup
from pages.shared.models.sentence import CurrentRun, Ended
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls, head_picker, token_picker

OTHERS = 8  # likely tokens to choose an alternative from
NONE = "none"


@dataclass(frozen=True)
class Asked:
    """A question about the sentence in view. `rather` is None where there is no alternative."""

    current_run: CurrentRun
    row: int
    rather: int | None
    token: str
    other: str

    @property
    def key(self) -> tuple[catalogue.Entry, str, int, int | None]:
        """What it is cached by."""
        return self.current_run.entry, self.current_run.sentence, self.row, self.rather

    @property
    def question(self) -> model_question.Question:
        return question(*self.key)

    @property
    def inputs(self) -> list[model_question.Word]:
        return model_question.input_words(self.question)


def asked(current_run: CurrentRun) -> Asked:
    """Draw the controls for the token and its alternative; ends the page where the model writes no tokens."""
    entry = current_run.entry
    with warmup.spinner():
        run = models.run(entry, current_run.sentence)
        checkpoint = models.checkpoint(entry)
    if not model_question.can_ask(checkpoint):
        notices.say("info", words("why.no_output"))
        raise Ended
    rows = trust.asked_rows(checkpoint, run)
    ids, tokenizer = effects.written(run), models.tokenizer(entry)
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
        return Asked(current_run, row, None, tokens[place], "")
    return Asked(current_run, row, int(rather), tokens[place], options[rather])


@models.cached(256)
def question(entry: catalogue.Entry, sentence: str, row: int, rather: int | None) -> model_question.Question:
    """The question as the model's functions take it."""
    run = models.run(entry, sentence)
    return model_question.Question(run, row, int(effects.written(run)[row]), rather)


@models.cached(2048)
def values(entry: catalogue.Entry, sentence: str, row: int, rather: int | None, method: str) -> np.ndarray:
    """What a method gives each word, (C)."""
    return methods.attribution(models.checkpoint(entry), question(entry, sentence, row, rather), method)


def of_head(asked: Asked, place: head_picker.Place) -> np.ndarray:
    """The weights of one head by word, (C)."""
    weights = attention_methods.head_weights(asked.question, place.kind, place.layer, place.head)
    return model_question.by_word(asked.question, weights)


@models.cached(256)
def score(entry: catalogue.Entry, sentence: str, row: int, rather: int | None) -> float:
    """The log-probability of the token, or how far it is above that of the alternative; in nats."""
    asked = question(entry, sentence, row, rather)
    ids = [asked.word] if rather is None else [asked.word, rather]
    logged = [predictions.log_probabilities(asked.run.trace, [id_], row)[0] for id_ in ids]
    return float(logged[0] - sum(logged[1:]))


@models.cached(256)
def integrated(entry: catalogue.Entry, sentence: str, row: int, rather: int | None) -> gradients.Integrated:
    """Integrated gradients with their gap."""
    return gradients.integrated_gradients(models.checkpoint(entry), question(entry, sentence, row, rather))


@models.cached(256)
def curves(entry: catalogue.Entry, sentence: str, row: int, rather: int | None) -> dict[str, np.ndarray]:
    """The deletion curve of every method, and of chance."""
    by_method = {method: values(entry, sentence, row, rather, method) for method in names.METHODS}
    return trust.deletion_curves(models.checkpoint(entry), question(entry, sentence, row, rather), by_method)


@models.cached(256)
def split(entry: catalogue.Entry, sentence: str, row: int, rather: int | None) -> logit_parts.Split:
    """The logit in its parts."""
    return logit_parts.split_logit(models.checkpoint(entry).model, question(entry, sentence, row, rather))


def of_head_part(asked: Asked, place: head_picker.Place) -> np.ndarray:
    """What a head adds to the logit, by the word that it read, (C)."""
    model = models.checkpoint(asked.current_run.entry).model
    by_token = logit_parts.split_head(model, asked.question, place.kind, place.layer, place.head)
    return model_question.by_word(asked.question, by_token)


def can_split(asked: Asked) -> bool:
    """Whether the logit is a sum of parts in this model."""
    return logit_parts.can_split(models.checkpoint(asked.current_run.entry).model)


@models.cached(1024)
def instead(entry: catalogue.Entry, sentence: str, row: int, rather: int | None, lost: int) -> str:
    """The token that the model would write without the word at place `lost`."""
    id_ = without.likeliest_without(models.checkpoint(entry), question(entry, sentence, row, rather), lost)
    return models.tokenizer(entry).tokens([id_])[0]


def compared(asked: Asked) -> list[int]:
    """The words by which the methods are compared: of a translation those of the source."""
    return without.compared(asked.question)


def deletable(asked: Asked) -> int:
    """How many words the deletion curve deletes."""
    return len(without.ordinary(asked.question))


def said(asked: Asked) -> None:
    """How likely the token is, in a line."""
    value = score(*asked.key)
    if asked.rather is None:
        st.text(words("why.probability", token=asked.token, share=share(value)))
    else:
        st.text(words("why.difference", token=asked.token, other=asked.other, value=signed(value)))


def share(log_probability: float) -> str:
    """A probability in percent."""
    return f"{np.exp(log_probability):.1%}"


def signed(value: float) -> str:
    """A number with its sign, unless it is rounded to 0."""
    return "0.00" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−")
