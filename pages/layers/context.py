"""One token in two sentences: its vector begins as the same row of the table, and each layer adds of the context."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.analysis import contexts, residual_stream
from model.checkpoint.catalogue import Entry
from model.config import TransformerConfig
from model.decode import translate
from model.errors import InvalidInput
from model.tokenization.tokenizer import SPECIALS, UNK
from pages.shared.layout import page
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth, notices, where_positions_act
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show
from viz.charts.layers import residual_charts

LIMIT = 120  # characters of a sentence
LOW = 0.8  # where the axis begins at the latest
# sentences in which one token has two meanings, by the language that a model reads
PAIRS = {
    "de": ("Ich habe eine Uhr.", "Es ist drei Uhr."),
    "zh": ("他在打篮球。", "他在打电话。"),
    "es": ("Vamos al cine mañana.", "Estudio por la mañana."),
}
CHOSEN = {"zh": "打", "es": "mañana"}  # the token to look at first, where it is not the longest one
STOPS = (".", "。", "?", "？")


def figures(current_run: CurrentRun) -> None:
    """All of this view."""
    texts = section("layers_context")
    with page.card("figure_context", texts["title"]):
        runs = _passed(current_run)
        if runs is None:
            return
        first, second = runs
        positions = contexts.shared(_read(first), _read(second), len(SPECIALS))
        if not positions:
            show.text(texts["nothing"])
            return
        token, other = _tokens(current_run.entry, positions)
        side = residual_stream.sides(first.trace.values)[0]
        kinds = {
            id_: contexts.cosines(first.trace.values, second.trace.values, side, positions[id_])
            for id_ in (token, other)
            if id_ is not None
        }
        names = [texts[at] if at in texts else depth.layer_title(at) for at in kinds[token]]
        curves = {
            notices.quoted(_name(current_run.entry, id_)): np.array(list(cosines.values()))
            for id_, cosines in kinds.items()
        }
        figure = residual_charts.alike_chart(names, curves, texts, low=LOW)
        show.figure("context_cosines", figure)
        _say(_name(current_run.entry, token), kinds[token], positions[token], current_run.entry.config)


def _passed(current_run: CurrentRun) -> tuple[translate.Translation, translate.Translation] | None:
    """The fields for both sentences, each with what the model writes for it; None where one cannot be read."""
    runs: list[translate.Translation] = []
    pair = _pair(current_run)
    for key, default, column in zip(("context_a", "context_b"), pair, st.columns(2, gap="medium"), strict=True):
        with column:
            sentence = controls.text(key, words(f"layers_context.{key}"), default, LIMIT).strip() or default
            try:
                with warmup.spinner():
                    run = models.run(current_run.entry, sentence)
            except InvalidInput as error:
                notices.say("warning", refusal(error))
                continue
            if run.text:
                show.text(words("layers_context.writes", text=run.text))
            runs.append(run)
    return (runs[0], runs[1]) if len(runs) == 2 else None


def _pair(current_run: CurrentRun) -> tuple[str, str]:
    """The pair for the language of the model; else the sentence in view and another example of the model."""
    card = current_run.entry.card
    pair = PAIRS.get(card.get("source_language", ""))
    if pair and not any(UNK in models.tokenizer(current_run.entry).encode(sentence) for sentence in pair):
        return pair
    others = [example for example in card["examples"] if example != current_run.sentence]
    return current_run.sentence, (others or [current_run.sentence])[0]


def _read(run: translate.Translation) -> list[int]:
    """Ids that the model reads: an encoder its source, a decoder alone the sentence and its continuation."""
    return list(run.source or run.target)


def _tokens(entry: Entry, positions: Mapping[int, tuple[int, int]]) -> tuple[int, int | None]:
    """The control for the token, the longest at first; and another one that both sentences have, as the full stop."""
    titles = {id_: _name(entry, id_) for id_ in positions}
    favourite = CHOSEN.get(entry.card.get("source_language", ""))
    first = max(titles, key=lambda id_: (titles[id_] == favourite, len(titles[id_])))
    token = controls.select("shared", words("layers_context.token"), titles, first) if len(titles) > 1 else first
    others = sorted((id_ for id_ in titles if id_ != token), key=lambda id_: titles[id_] not in STOPS)
    return token, next(iter(others), None)


def _name(entry: Entry, id_: int) -> str:
    return models.tokenizer(entry).tokens([id_])[0]


def _say(token: str, cosines: Mapping[str, float], positions: tuple[int, int], config: TransformerConfig) -> None:
    """Say in numbers how alike the token's two vectors are: as embeddings, with positions, after the layers."""
    texts, values = section("layers_context"), list(cosines.values())
    before = values[1] if residual_stream.INPUT in cosines else values[0]
    show.text(texts["result"].format(token=token, first=_cosine(before), last=_cosine(values[-1])))
    if residual_stream.INPUT not in cosines:
        show.text(where_positions_act.where(config, texts["no_position"]))
    elif positions[0] == positions[1]:
        show.text(texts["same_place"].format(token=token, place=positions[0]))
    else:
        numbers = {"place": positions[0], "other": positions[1], "cosine": _cosine(before)}
        show.text(texts["other_place"].format(token=token, **numbers))


def _cosine(value: float) -> str:
    return f"{value:z.3f}".replace("-", "−")
