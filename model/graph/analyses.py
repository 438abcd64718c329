"""What a page without Python may compute of recorded values, each as a small graph of its own that shares the weights.

B batch, T tokens, V vocabulary, d the model's width, H heads, Q queries, K keys. They stand apart from the whole pass,
because a graph computes all that it has, whether it is asked for or not.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.attribution.integration import refined
from model.config import TransformerConfig
from model.transformer import Transformer


@dataclass(frozen=True)
class Analysis:
    """One input to one output.

    function  what the graph computes, of the model and the input
    shape     of the input for a config: a number, or the letter of a length
    applies   whether a model has it
    kind      of the numbers of the input
    """

    function: Callable[[Transformer, Tensor], Tensor]
    shape: Callable[[TransformerConfig], tuple[int | str, ...]]
    applies: Callable[[TransformerConfig], bool]
    kind: torch.dtype = torch.float32


class Computed(nn.Module):
    """An analysis of one model as a module that torch can trace."""

    def __init__(self, model: Transformer, analysis: Analysis):
        super().__init__()
        self.model, self.analysis = model, analysis

    def forward(self, value: Tensor) -> Tensor:
        """The output of the analysis for one input."""
        return self.analysis.function(self.model, value)


def _lens(model: Transformer, stream: Tensor) -> Tensor:
    """The logit lens: the model's own ending on a stream (B, T, d), as `logit_lens.early_logits`: (B, T, V)."""
    norm = model.decoder_norm if model.config.decoder_layers else model.encoder_norm
    return model.predict(norm(stream))


def _lengths(model: Transformer, stream: Tensor) -> Tensor:
    """‖x‖ of each vector (B, T, d): (B, T)."""
    return stream.pow(2).sum(dim=-1).sqrt()


def _near(table: Callable[[Transformer], nn.Embedding]) -> Callable[[Transformer, Tensor], Tensor]:
    """The cosine of rows of the embedding table, by their ids (B, T), with all of its rows: (B, T, V)."""

    def near(model: Transformer, ids: Tensor) -> Tensor:
        rows = nn.functional.normalize(table(model).weight, dim=-1)
        return rows[ids.long()] @ rows.T

    return near


def _unmasked(model: Transformer, scores: Tensor) -> Tensor:
    """The weights (B, H, Q, K) that scores would have without a mask."""
    return torch.softmax(scores, dim=-1)


def _path(_: Transformer, table: Tensor) -> Tensor:
    """What `integration.refined` gives of the path (n, 2 + N) of integrated gradients, behind each other."""
    return torch.cat(refined(table))


def _stream_of(config: TransformerConfig) -> tuple[int | str, ...]:
    return ("B", "T", config.d_model)


def _ids_of(_: TransformerConfig) -> tuple[int | str, ...]:
    return ("B", "T")


def _has_decoder(config: TransformerConfig) -> bool:
    return bool(config.decoder_layers)


def _reads(config: TransformerConfig) -> bool:
    return bool(config.encoder_layers) and config.inputs == "tokens"


ANALYSES: dict[str, Analysis] = {
    "lens": Analysis(_lens, _stream_of, _has_decoder),
    "lengths": Analysis(_lengths, _stream_of, lambda config: True),
    "near_encoder": Analysis(_near(lambda model: model.source_embedding), _ids_of, _reads, torch.int32),
    "near_decoder": Analysis(_near(lambda model: model.target_embedding), _ids_of, _has_decoder, torch.int32),
    "unmasked": Analysis(_unmasked, lambda config: ("B", config.heads, "Q", "K"), _has_decoder),
    "path": Analysis(_path, lambda config: ("n", "N"), _has_decoder),
}


def analyses_of(config: TransformerConfig) -> dict[str, Analysis]:
    """Those that a model has."""
    return {name: each for name, each in ANALYSES.items() if each.applies(config)}
