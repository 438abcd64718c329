"""How right a lens is: how often its likeliest token is the one that the whole model predicts, and the KL divergence.

N depths, B texts, T target tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from model.analysis.logit_lens import Translators
from model.checkpoint.checkpoints import Checkpoint
from model.intervals import Estimate, per_token
from model.lenses.batch_streams import Streams, Text, batches, read
from model.lenses.tuned_lens import divergences, log_probabilities
from model.transformer import Transformer


@dataclass
class Counts:
    """Of each text: its tokens, how many of them agree, and the sum of the divergences in nats."""

    tokens: list[int] = field(default_factory=list)
    agreeing: list[float] = field(default_factory=list)
    divergence: list[float] = field(default_factory=list)


def translated(x: Tensor, translators: Translators, depth: str) -> Tensor:
    """Vectors (…, d_model) as the lens reads them; unchanged where it has no translator."""
    if depth not in translators:
        return x
    matrix, bias = (torch.from_numpy(each).to(x) for each in (translators[depth].matrix, translators[depth].bias))
    return x @ matrix.T + bias


def of_lens(model: Transformer, texts: Sequence[Text], translators: Translators) -> dict[str, Counts]:
    """The counts at each depth of the decoder but the last; no translators are the logit lens."""
    result: dict[str, Counts] = {}
    for batch in batches(texts):
        streams = read(model, batch)
        target = log_probabilities(model, streams.final)
        for depth, x in list(streams.decoder.items())[:-1]:
            prediction = log_probabilities(model, translated(x, translators, depth))
            _count(result.setdefault(depth, Counts()), target, prediction, streams)
    return result


def _count(counts: Counts, target: Tensor, prediction: Tensor, streams: Streams) -> None:
    real = streams.target
    agreeing = (target.argmax(-1) == prediction.argmax(-1)) & real  # (B, T)
    divergence = divergences(target, prediction).where(real, 0)  # (B, T)
    counts.tokens += real.sum(-1).tolist()
    counts.agreeing += agreeing.sum(-1).tolist()
    counts.divergence += divergence.sum(-1).tolist()


# from the source to words of the output


def in_output(
    checkpoint: Checkpoint, texts: Sequence[Text], translators: Translators, shift: int = 0
) -> dict[str, tuple[list[int], list[int]]]:
    """At each depth of the encoder and for each text: how many source tokens are read as a token of the output.

    Beside it, of how many. Special tokens count on neither side. With a shift, the output is that of the text so many
    further on: what is found there is chance.
    """
    is_text = checkpoint.tokenizer.is_text
    outputs = [set(filter(is_text, text.target)) for text in texts]
    found = zip(*(_source_words(checkpoint.model, batch, translators) for batch in batches(texts)), strict=True)
    result: dict[str, tuple[list[int], list[int]]] = {}
    for depth, parts in zip(translators, found, strict=True):
        rows = [row for part in parts for row in part]
        read_ids = [
            [word for id_, word in zip(text.source, row, strict=False) if is_text(id_)]
            for text, row in zip(texts, rows, strict=True)
        ]
        shifted = outputs[shift:] + outputs[:shift]
        hits = [sum(word in output for word in words) for words, output in zip(read_ids, shifted, strict=True)]
        result[depth] = hits, [len(words) for words in read_ids]
    return result


def _source_words(model: Transformer, texts: Sequence[Text], translators: Translators) -> list[list[list[int]]]:
    """At each depth of the encoder and for each text: the token that each source token is read as, padding included."""
    streams = read(model, texts)
    return [
        log_probabilities(model, translated(streams.encoder[depth], translators, depth)).argmax(-1).tolist()
        for depth in translators
    ]


def estimates(counts: dict[str, Counts], seed: int) -> tuple[dict[str, Estimate], dict[str, Estimate]]:
    """The share of agreeing tokens by depth, and the mean divergence in nats, each with its interval."""
    agreement = {depth: per_token(each.agreeing, each.tokens, seed) for depth, each in counts.items()}
    divergence = {depth: per_token(each.divergence, each.tokens, seed) for depth, each in counts.items()}
    return agreement, divergence
