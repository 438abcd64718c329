"""What a student types goes to the teacher's board, with its output and the attention of one head."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import cast

from model.checkpoint import catalogue
from model.decode import translate
from model.errors import InvalidInput
from model.trace import AttentionKind
from pages.shared.models import model_fit
from pages.shared.session import unattended
from pages.shared.teaching import classes
from viz.components.board import picture


def tell(entry: catalogue.Entry, sentence: str, run: translate.Translation) -> None:
    """Put a sentence that a student has just typed on the board of the class."""
    me = None if unattended.is_unattended() else classes.writer_of(sentence)
    if me is not None:
        with suppress(InvalidInput), classes.answering():  # the page goes on without a database
            classes.rooms().type(me, entry.name, sentence, run.text, _picture(entry, run), _misfit(entry, sentence))


def _misfit(entry: catalogue.Entry, sentence: str) -> dict[str, object] | None:
    """Why the model cannot read the sentence, for `misfits.reason` to say in the teacher's language."""
    found, card = model_fit.misfit(entry, sentence), entry.card
    if found is None:
        return None
    return {"found": asdict(found)} | {side: card.get(f"{side}_language", "") for side in ("source", "target")}


def _picture(entry: catalogue.Entry, run: translate.Translation) -> str:
    """The head to look at first, as the model's card has it."""
    look, trace = entry.card["first_look"], run.trace
    kind = cast(AttentionKind, look["attention_kind"])
    rows = {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.output_tokens}[kind]
    columns = trace.target_tokens if kind == "decoder" else trace.source_tokens
    layer, head = look["layer"], look["head"]
    return picture(kind, layer, head, trace.weights(kind)[layer, head], rows, columns)
