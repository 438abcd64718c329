"""Sentences of a student for the teacher's board, each with its output and the attention of one head."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, cast

import numpy as np

from model.checkpoint import catalogue
from model.checkpoint.language_fit import Misfit
from model.decode import translate
from model.errors import InvalidInput
from model.trace import AttentionKind
from pages.shared.classroom import my_class
from pages.shared.session import language_choice, unattended
from viz.components.classroom.board import picture


def tell(
    entry: catalogue.Entry, sentence: str, run: translate.Translation, misfit: Callable[[], Misfit | None]
) -> None:
    """Put a sentence that a student has just typed on the board; `misfit` says why the model cannot read it."""
    me = None if unattended.is_unattended() else my_class.writer_of(sentence)
    if me is not None:
        content = (entry.name, sentence, run.text, _picture(entry, run), _misfit(entry, misfit()))
        my_class.outbox().send(lambda: my_class.classrooms().type(me, *content))


def from_browser(content: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Model, sentence, output and picture of a sentence that a live page has computed, from its message.

    Only its form is checked, as no model runs here: the picture says that the student's device computed it. Raises
    `InvalidInput`, or what a message that no page of ours sends leads to.
    """
    entry = catalogue.entries().get(content["checkpoint"])
    if entry is None or not entry.reads_text:
        raise InvalidInput("class_view")
    config, look = entry.config, content["picture"]
    kind, layer, head = look["kind"], int(look["layer"]), int(look["head"])
    layers = {
        "encoder": config.encoder_layers, "decoder": config.decoder_layers,
        "cross": config.decoder_layers if config.architecture == "encoder-decoder" else 0,
    }  # fmt: skip
    rows, columns = ([str(token) for token in look[side]] for side in ("rows", "columns"))
    weights = np.frombuffer(base64.b64decode(look["cells"], validate=True), np.uint8).reshape(len(rows), len(columns))
    text = str(content["text"])
    if not (0 <= layer < layers[kind] and 0 <= head < config.heads and rows and columns and text.strip()):
        raise InvalidInput("class_view")
    spoken = language_choice.tags_of(entry.card)
    packed = picture(kind, layer, head, weights / 255, rows, columns, spoken, own=True)
    return entry.name, text, str(content["output"]), packed


def _misfit(entry: catalogue.Entry, misfit: Misfit | None) -> dict[str, object] | None:
    """Why the model cannot read the sentence, for `misfits.reason` to say in the teacher's language."""
    card = entry.card
    if misfit is None:
        return None
    return {"found": asdict(misfit)} | {side: card.get(f"{side}_language", "") for side in ("source", "target")}


def _picture(entry: catalogue.Entry, run: translate.Translation) -> str:
    """The head to look at first, as the model's card has it."""
    look, trace = entry.card["first_look"], run.trace
    kind = cast(AttentionKind, look["attention_kind"])
    rows = {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.output_tokens}[kind]
    columns = trace.target_tokens if kind == "decoder" else trace.source_tokens
    layer, head = look["layer"], look["head"]
    spoken = language_choice.tags_of(entry.card)
    return picture(kind, layer, head, trace.weights(kind)[layer, head], rows, columns, spoken)
