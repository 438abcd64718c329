"""Sites (hook points): the vectors of a model of which a dictionary is made, and their collection over many sentences.

B sentences at once, T tokens, N tokens of all sentences, d numbers of a vector. A site is spelled as a recorded name
(`encoder.output`, `encoder.0.feed_forward.residual`), or as a feed-forward network (`encoder.0.feed_forward`): there
the dictionary is a transcoder, whose features stand in for the hidden units. It reads what the network reads and
writes what the network writes (Dunefsky et al. 2024, arXiv 2406.11944).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import readable_tokens
from model.config import TransformerConfig
from model.decode.greedy import greedy_in_batches
from model.decode.translate import can_read, continuation, encode
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, PAD
from model.trace import Trace
from model.transformer import Transformer

BATCH = 64  # sentences of one pass
FEED_FORWARD = "feed_forward"


@dataclass(frozen=True)
class Site:
    """A place in the model.

    name    as a command and a file spell it
    reads   the recorded name of the vectors that are encoded; of a transcoder the residual stream before its norm
    writes  the recorded name of what the reconstruction stands for; equal to `reads` unless a transcoder
    """

    name: str
    reads: str
    writes: str

    @property
    def side(self) -> str:
        """`encoder` or `decoder`."""
        return self.name.partition(".")[0]

    @property
    def is_transcoder(self) -> bool:
        """Whether features stand in for the hidden units of a feed-forward network."""
        return self.reads != self.writes

    @property
    def layer(self) -> int | None:
        """The layer of a transcoder or a residual; None before the first and after the last."""
        number = self.name.split(".")[1]
        return int(number) if number.isdecimal() else None

    def read(self, model: Transformer, stream: Tensor) -> Tensor:
        """The vectors that are encoded, from the value called `reads`, (…, d)."""
        if not self.is_transcoder or model.config.norm != "pre":
            return stream
        assert self.layer is not None
        layer: Any = (model.encoder if self.side == "encoder" else model.decoder)[self.layer]
        vectors: Tensor = layer.residuals[-1].norm(stream)
        return vectors


def sites(config: TransformerConfig) -> list[str]:
    """The names of all sites of a model, in the order of the pass."""
    result = []
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        attentions = ["self_attention"]
        if side == "decoder" and config.architecture == "encoder-decoder":
            attentions.append("cross_attention")
        for layer in range(layers):
            path = f"{side}.{layer}"
            result += [f"{path}.{attention}.residual" for attention in attentions]
            result += [] if config.parallel else [f"{path}.{FEED_FORWARD}"]
            result.append(f"{path}.{FEED_FORWARD}.residual")
        result += [f"{side}.output"] if layers else []
    return result


def default(config: TransformerConfig) -> str:
    """The site to begin with: the encoder's output, or of a decoder alone the residual stream in its middle."""
    if config.architecture != "decoder":
        return "encoder.output"
    return f"decoder.{(config.decoder_layers - 1) // 2}.{FEED_FORWARD}.residual"


def find(config: TransformerConfig, name: str = "") -> Site:
    """The site of that name, by default `default`. Raises `InvalidInput` if the model has none."""
    name = name or default(config)
    if config.inputs == "numbers":
        raise InvalidInput("features_numbers")
    if config.parallel and name.endswith(f".{FEED_FORWARD}"):
        raise InvalidInput("features_parallel", name=name)
    known = sites(config)
    if name not in known:
        nearest = difflib.get_close_matches(name, known, n=3, cutoff=0)
        raise InvalidInput("features_site", name=name, nearest=", ".join(nearest))
    if not name.endswith(f".{FEED_FORWARD}"):
        return Site(name, name, name)
    path = name.removesuffix(f".{FEED_FORWARD}")
    attention = "cross" if name.startswith("decoder") and config.architecture == "encoder-decoder" else "self"
    return Site(name, f"{path}.{attention}_attention.residual", f"{name}.output")


@dataclass(frozen=True, eq=False)
class Read:
    """A sentence as the model reads it: the ids of encoder and decoder, empty for a side that is not run."""

    sentence: str
    source: tuple[int, ...]
    target: tuple[int, ...]

    def ids(self, side: str) -> tuple[int, ...]:
        """The ids whose vectors a side has."""
        return self.source if side == "encoder" else self.target


@dataclass(frozen=True, eq=False)
class Vectors:
    """Vectors of a site over sentences.

    inputs, targets  (N, d) what a dictionary encodes, and what it is to reconstruct: the same unless a transcoder
    reads            the sentences
    sentence, row    (N) of which sentence each is, and of which token in it
    """

    inputs: Tensor
    targets: Tensor
    reads: tuple[Read, ...]
    sentence: Tensor
    row: Tensor

    def __len__(self) -> int:
        return len(self.inputs)


def readable(checkpoint: Checkpoint, sentences: Sequence[str]) -> list[str]:
    """The sentences that the model can read."""
    return [sentence for sentence in sentences if can_read(checkpoint, sentence)]


def reads(checkpoint: Checkpoint, sentences: Sequence[str], side: str) -> list[Read]:
    """The sentences as the model reads them. Where the decoder is asked for, it reads the model's own output.

    Raises `InvalidInput` for a sentence that cannot be read.
    """
    config = checkpoint.model.config
    sources = [tuple(encode(checkpoint, sentence)) for sentence in sentences]
    if config.architecture == "decoder":
        return _continued(checkpoint, sentences, [ids[:-1] for ids in sources])
    if side == "encoder":
        return [Read(sentence, ids, ()) for sentence, ids in zip(sentences, sources, strict=True)]
    limit = readable_tokens(config) - 1
    outputs = greedy_in_batches(checkpoint.model, [list(ids) for ids in sources], lambda longest: limit, BATCH)
    return [
        Read(sentence, ids, (BOS, *output.ids[:-1]))
        for sentence, ids, output in zip(sentences, sources, outputs, strict=True)
    ]


def _continued(checkpoint: Checkpoint, sentences: Sequence[str], prompts: Sequence[tuple[int, ...]]) -> list[Read]:
    outputs = greedy_in_batches(
        checkpoint.model,
        [list(ids) for ids in prompts],
        lambda longest: continuation(checkpoint, len(longest)),
        BATCH,
    )
    return [
        Read(sentence, (), (*ids, *output.ids[:-1]))
        for sentence, ids, output in zip(sentences, prompts, outputs, strict=True)
    ]


def batches(given: Sequence[Read], size: int = BATCH) -> Iterator[list[int]]:
    """The numbers of sentences of like length, batch by batch."""
    order = sorted(range(len(given)), key=lambda number: (len(given[number].target), len(given[number].source)))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def padded(ids: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Ids (B, T) filled up at their end, and where they are real, (B, T)."""
    longest = max(map(len, ids))
    rows = torch.tensor([[*each, *[PAD] * (longest - len(each))] for each in ids], device=device)
    lengths = torch.tensor([len(each) for each in ids], device=device)
    return rows, torch.arange(longest, device=device) < lengths[:, None]


def vectors(
    checkpoint: Checkpoint,
    site: Site,
    given: Sequence[Read],
    report: Callable[[int], None] = lambda count: None,
) -> Vectors:
    """The vectors of a site for every token of sentences; `report` is told how many sentences are done."""
    model, count = checkpoint.model, 0
    parts: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    for numbers in batches(given):
        stream, target, real = _values(model, site, [given[number] for number in numbers])
        sentence = torch.tensor(numbers)[:, None].expand(real.shape)
        row = torch.arange(real.size(1)).expand(real.shape)
        parts.append((site.read(model, stream)[real].cpu(), target[real].cpu(), sentence[real.cpu()], row[real.cpu()]))
        count += len(numbers)
        report(count)
    inputs, targets, sentence, row = (torch.cat(each) for each in zip(*parts, strict=True))
    order = torch.argsort(sentence * (int(row.max()) + 1) + row)
    return Vectors(
        inputs[order],
        targets[order] if site.is_transcoder else inputs[order],
        tuple(given),
        sentence[order],
        row[order],
    )


def inputs_of(model: Transformer, site: Site, trace: Trace) -> Tensor:
    """The vectors of a site that a dictionary encodes, from a recorded pass, (T, d)."""
    with torch.inference_mode():
        return site.read(model, torch.from_numpy(trace.values[site.reads]).to(model.device)).cpu()


def _values(model: Transformer, site: Site, given: Sequence[Read]) -> tuple[Tensor, Tensor, Tensor]:
    """The two values of a site in one pass, (B, T, d) each, and which rows are real, (B, T)."""
    values: dict[str, Tensor] = {}

    def tap(name: str, value: Tensor) -> Tensor:
        if name in (site.reads, site.writes):
            values[name] = value
        return value

    with torch.inference_mode():
        source, source_real = padded([read.source for read in given], model.device)
        if site.side == "encoder":
            model.encode(source, source_real, tap)
            return values[site.reads], values[site.writes], source_real
        target, target_real = padded([read.target for read in given], model.device)
        has_source = bool(given[0].source)
        model(source if has_source else None, target, source_real if has_source else None, tap)
    return values[site.reads], values[site.writes], target_real
