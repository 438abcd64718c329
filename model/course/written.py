"""What the model writes for a sentence, as it is or under a change."""

from typing import NamedTuple

from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation
from model.edit import change_edits, edit_effects, notation


class Written(NamedTuple):
    """Output of the model."""

    text: str
    tokens: tuple[str, ...]


def written(checkpoint: Checkpoint, run: Translation, change: str = "") -> Written:
    """The output of a run, or of the same sentence under a change, spelled as in a link."""
    if not change:
        return Written(run.text, run.trace.output_tokens)
    [read], _ = notation.read(change)
    text, ids, _ = edit_effects.rewritten(checkpoint, run, change_edits.edits_of(checkpoint, run, read))
    return Written(text, checkpoint.tokenizer.tokens(ids, begins=bool(run.source)))
