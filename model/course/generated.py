"""What the model writes for a sentence, as it is or under a change."""

from typing import NamedTuple

from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation
from model.edit import change_edits, edit_effects, notation


class Generated(NamedTuple):
    """Output of the model."""

    text: str
    tokens: tuple[str, ...]


def generated(checkpoint: Checkpoint, run: Translation, change: str = "") -> Generated:
    """The output of a run, or of the same sentence under a change, spelled as in a link."""
    if not change:
        return Generated(run.text, run.trace.output_tokens)
    [read], _ = notation.read(change)
    text, ids, _ = edit_effects.rewritten(checkpoint, run, change_edits.edits_of(checkpoint, run, read))
    return Generated(text, checkpoint.tokenizer.tokens(ids, begins=bool(run.source)))
