"""Sentences of a student for the teacher's board, each with its output and the attention of one head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import cast

from model.checkpoint import catalogue
from model.checkpoint.language_fit import Misfit
from model.decode import translate
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
