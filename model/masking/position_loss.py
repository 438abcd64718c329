"""The loss of a batch position by position: the expected token, its −log p, and whether the position is padding.

B batch, T positions, V vocabulary.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from model import masks
from model.masking.padded_batch import Ids, padded
from model.tokenization.tokenizer import PAD
from model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Counted:
    """One teacher-forced pass, every position of every sentence at once; losses in nats.

    read           (B, T) what the decoder reads: the target without its last token
    expected       (B, T) what it should write there: the target without its first
    losses         (B, T) −log p of what it should write, at positions of padding too
    mean           over the positions whose `expected` is not padding: torch's cross_entropy with `ignore_index`
    mean_of_all    over all positions: torch's cross_entropy without `ignore_index`
    """

    read: np.ndarray
    expected: np.ndarray
    losses: np.ndarray
    mean: float
    mean_of_all: float

    @property
    def is_counted(self) -> np.ndarray:
        """The positions that count in the loss, (B, T): those whose expected token is not padding."""
        return self.expected != PAD


def counted(model: Transformer, sources: Ids, targets: Ids) -> Counted:
    """The loss of `logits[:, :-1]` against `target[:, 1:]`. Targets go from `<bos>` to `<eos>`.

    The sources of a decoder alone are empty.
    """
    source, target = padded(sources), padded(targets)
    assert target is not None, "an encoder alone has no target one step ahead"
    read, expected = target[:, :-1], target[:, 1:]
    with torch.inference_mode():
        logits = model(source, read, None if source is None else masks.real(source))  # (B, T, V)
        flat, flat_targets = logits.flatten(0, 1), expected.flatten()
        return Counted(
            read=read.numpy(),
            expected=expected.numpy(),
            losses=cross_entropy(flat, flat_targets, reduction="none").view_as(expected).numpy(),
            mean=float(cross_entropy(flat, flat_targets, ignore_index=PAD)),
            mean_of_all=float(cross_entropy(flat, flat_targets)),
        )
