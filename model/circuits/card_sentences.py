"""The sentences of a checkpoint's card, over which its heads and parts are measured where nothing else is given."""

from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import can_read

MOST = 12


def readable(entry: catalogue.Entry, checkpoint: Checkpoint) -> list[str]:
    """The first of them that the model can read, each once."""
    sentences = dict.fromkeys(catalogue.sentences(entry))
    return [sentence for sentence in sentences if can_read(checkpoint, sentence)][:MOST]
