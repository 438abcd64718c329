"""How much a translation is doubted, as a graph: `model/decode/doubt.py` for a page without Python.

T written tokens, S tokens of the source, W words of it, V vocabulary, H heads.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.decode.doubt import IGNORED, SIGNS, UNSURE, Rule
from model.trace import LOGITS, path

GIVEN = ("written", "words", "unseen", "rule")  # inputs beside the recorded values of the pass
OUTPUTS = ("score", "looked")


def names_read(config: TransformerConfig) -> list[str]:
    """The recorded values that the graph reads, in the order of its inputs."""
    return [LOGITS, *(f"{path('cross', layer)}.weights" for layer in range(config.decoder_layers))]


class DoubtScore(nn.Module):
    """The weighted sum of the signs of one pass."""

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The score of a rule, and what the words of the source got.

        inputs: the logits (1, T, V), the weights (1, H, T, S) of cross-attention in each layer; the ids that were
        written (T); 1 where a token belongs to a word (W, S), else 0; the share of unseen words (1);
        mean, scale and weight of each sign (SIGNS, 3)

        score   (1) to be compared with the threshold
        looked  (W) the most attention that any row of any head gives to each word
        """
        logits, *weights, written, words, unseen, rule = inputs
        logs = torch.log_softmax(logits[0], dim=-1)
        surprise = -logs.gather(1, written.long()[:, None]).mean()
        entropy = -(logs.exp() * logs).sum(dim=-1).mean()
        most = torch.stack([each[0] for each in weights]).flatten(0, 2).amax(dim=0)
        looked = (words * most).amax(dim=1)
        signs = torch.stack([surprise, entropy, unseen.reshape(()), 1 - looked.amin()])
        mean, scale, weight = rule.unbind(dim=1)
        return ((signs - mean) / scale * weight).sum(dim=0, keepdim=True), looked


def described(rule: Rule) -> dict[str, Any]:
    """A rule for a page: the input `rule`, the threshold, and below what share a word is named as a reason."""
    rows = [rule.signs.get(name, (0.0, 1.0, 0.0)) for name in SIGNS]
    return {"rule": rows, "threshold": rule.threshold, "ignored": IGNORED, "unsure": UNSURE}
