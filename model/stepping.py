"""Decoding taken apart: forced words, sampling, candidates, the cache's saving, and a given output's probability.

T tokens read by the decoder (P of them the prompt), S tokens of the source, V vocabulary, k candidates.
Steps count from 0 and each writes one token. Logarithms are natural: log-probabilities are in nats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decoding import Decoded, Stop, stop_reason, trace
from model.refused import Refused
from model.softmax import log_probabilities, log_softmax
from model.tokenizer import BOS, SPACE, SPECIALS, Tokenizer
from model.trace import Trace
from model.transformer import LayerCache, Transformer
from model.translation import CONTINUATION, UNTRAINED_LIMIT, encode

Forced = tuple[tuple[int, int], ...]  # (step, token) in the order of the steps
BLANK = "␣"  # a space as a model of single characters reads it, where the end of a line would swallow it


@dataclass(frozen=True)
class Begin:
    """Where decoding starts: what the encoder reads, what the decoder reads first, and how much may be written.

    source  ids, empty for a decoder alone
    prompt  `<bos>`, or for a decoder alone the sentence that it continues
    limit   tokens
    """

    source: tuple[int, ...]
    prompt: tuple[int, ...]
    limit: int

    def read(self, ids: Sequence[int]) -> tuple[int, ...]:
        """What the decoder has read when `ids` are written: all but the last."""
        return (*self.prompt, *ids[:-1])


@dataclass(frozen=True)
class Sampling:
    """How the next token is drawn: softmax(logits / temperature), cut to the likeliest and divided by their sum.

    top_k  0 keeps all, k the k likeliest
    top_p  1 keeps all, p the fewest likeliest whose probabilities sum to at least p; after top_k
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        for field, value, low, high in (
            ("temperature", self.temperature, 0.01, 100), ("top_k", self.top_k, 0, 10**6), ("top_p", self.top_p, 0, 1)
        ):  # fmt: skip
            if not low <= value <= high or (field == "top_p" and value == 0):
                raise Refused("sampling", field=field, value=value, low=low, high=high)


@dataclass(frozen=True)
class Candidates:
    """The k likeliest next tokens of one step, likeliest first, and the token that was written: last if not of them.

    drawn   what each one's probability was when the token was sampled, None where the likeliest is taken
    others  probability of all tokens that are not listed, together
    """

    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    drawn: tuple[float, ...] | None
    others: float
    others_drawn: float | None
    chosen: int
    chosen_probability: float
    chosen_rank: int


@dataclass(frozen=True)
class Given:
    """A given output, judged token by token, (T) each; log-probabilities in nats, ranks from 1.

    log_probabilities  of each token after the given ones before it
    best               what the model would have written in its place, with `best_log_probabilities`
    own                log-probability of the given token where the model reads its own words instead, to the
                       end of its own output
    free               what the model writes when nothing is given
    free_log_probabilities  of those tokens
    """

    ids: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    ranks: tuple[int, ...]
    best: tuple[int, ...]
    best_log_probabilities: tuple[float, ...]
    own: tuple[float, ...]
    free: tuple[int, ...]
    free_log_probabilities: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.log_probabilities)

    @property
    def perplexity(self) -> float:
        """exp of the mean surprise of a token: among how many words the model was as good as guessing."""
        return float(np.exp(-self.total / len(self.ids)))


@dataclass(frozen=True)
class Work:
    """Multiplications of one step, by part of the decoder."""

    projections: int  # q, k, v and output of self-attention
    attention: int  # q kᵀ and weights × v of self-attention
    cross: int  # cross-attention whole
    feed_forward: int
    logits: int

    @property
    def total(self) -> int:
        return self.projections + self.attention + self.cross + self.feed_forward + self.logits


def begin(checkpoint: Checkpoint, sentence: str) -> Begin:
    """How a sentence is decoded. Raises `Refused` for a sentence that cannot be read, and for an encoder alone."""
    config = checkpoint.model.config
    if not config.decoder_layers:
        raise Refused("beam_architecture")
    ids = encode(checkpoint, sentence)
    if config.architecture == "decoder":
        prompt = tuple(ids[:-1])  # an `<eos>` would say that nothing follows
        return Begin((), prompt, min(CONTINUATION, config.max_length - len(prompt)))
    longest = config.max_length if checkpoint.trained else min(config.max_length, UNTRAINED_LIMIT)
    return Begin(tuple(ids), (BOS,), longest - 1)


# decoding


def follow(model: Transformer, start: Begin, forced: Sequence[int] = (), sampling: Sampling | None = None) -> Decoded:
    """Decode with a cache from the first tokens `forced` on, which are read in one pass; greedily by default.

    The tokens of the result begin with the forced ones.
    """
    written = list(forced)[: start.limit]
    stop: Stop | None = stop_reason(written, start.source) if written else None
    draws = uniforms(sampling.seed, start.limit) if sampling else None
    caches = [LayerCache() for _ in model.decoder]
    with torch.inference_mode():
        memory = _encode(model, start)
        new = torch.tensor([[*start.prompt, *written]])  # (1, P + forced), then (1, 1)
        while stop is None and len(written) < start.limit:
            logits = model.decode(new, memory, None, caches=caches)[0, -1]  # (V)
            if sampling is None or draws is None:
                token = int(logits.argmax())
            else:
                token = draw(distribution(logits, sampling), float(draws[len(written)]))
            written.append(token)
            stop = stop_reason(written, start.source)
            new = torch.tensor([[token]])
    return Decoded(tuple(written), stop or "length")


def fork(model: Transformer, start: Begin, base: Decoded, step: int, token: int, sampling: Sampling | None) -> Decoded:
    """Write `token` at `step` of what was decoded, and go on from there. Raises `Refused` where that cannot be."""
    ended = base.stop == "eos" or len(base.ids) == start.limit
    last = len(base.ids) - ended  # what was stopped as a loop may be led on
    if not 0 <= step <= last:
        raise Refused("fork_step", step=step, last=last)
    if not BOS < token < model.config.target_vocabulary:
        raise Refused("fork_token", token=token)
    return follow(model, start, (*base.ids[:step], token), sampling)


def _encode(model: Transformer, start: Begin) -> Tensor | None:
    if not start.source:
        return None
    ids = torch.tensor([list(start.source)])
    return model.encode(ids, torch.ones_like(ids, dtype=torch.bool))


def steps_of(checkpoint: Checkpoint, start: Begin, ids: Sequence[int]) -> Trace:
    """One pass over everything that was read: row P - 1 + t is step t."""
    return trace(checkpoint.model, checkpoint.tokenizer, start.source, start.read(ids))


# sampling


def distribution(logits: Tensor, sampling: Sampling) -> Tensor:
    """Probabilities (V), double precision, from which a token is drawn; equals are kept by the lower id."""
    probabilities = (logits.double() / sampling.temperature).softmax(dim=-1)
    ordered, ids = probabilities.sort(descending=True, stable=True)
    kept = torch.ones_like(ordered, dtype=torch.bool)
    if sampling.top_k:
        kept[sampling.top_k :] = False
    shares = ordered * kept / (ordered * kept).sum()
    before = shares.cumsum(0) - shares  # of all likelier ones
    kept &= before < sampling.top_p - 1e-12
    kept[0] = True
    left = torch.zeros_like(probabilities)
    left[ids[kept]] = ordered[kept]
    return left / left.sum()


def uniforms(seed: int, count: int) -> Tensor:
    """One random number in [0, 1) for each step, so that a fork draws what its like would have drawn."""
    return torch.rand(count, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def draw(probabilities: Tensor, uniform: float) -> int:
    """The token whose stretch of [0, 1) holds the random number, likeliest tokens first."""
    ordered, ids = probabilities.sort(descending=True, stable=True)
    place = int(torch.searchsorted(ordered.cumsum(0), torch.tensor(uniform, dtype=torch.float64), right=True))
    return int(ids[min(place, int((ordered > 0).sum()) - 1)])  # the sum may end a rounding error below 1


# what a step had to choose from


def candidates(logits: np.ndarray, chosen: int, count: int, sampling: Sampling | None = None) -> Candidates:
    """What a step with these logits (V) chose from."""
    row = torch.from_numpy(np.asarray(logits))
    probabilities = row.double().softmax(dim=-1)
    ids = probabilities.sort(descending=True, stable=True).indices[:count]
    if chosen not in ids.tolist():
        ids = torch.cat([ids, torch.tensor([chosen])])
    drawn = None if sampling is None else distribution(row, sampling)
    own = probabilities[chosen]
    rank = 1 + int((probabilities > own).sum()) + int((probabilities[:chosen] == own).sum())
    return Candidates(
        ids=tuple(ids.tolist()),
        probabilities=tuple(probabilities[ids].tolist()),
        drawn=None if drawn is None else tuple(drawn[ids].tolist()),
        others=_rest(probabilities, ids),
        others_drawn=None if drawn is None else _rest(drawn, ids),
        chosen=chosen,
        chosen_probability=float(own),
        chosen_rank=rank,
    )


def _rest(probabilities: Tensor, ids: Tensor) -> float:
    left = probabilities.clone()
    left[ids] = 0
    return float(left.sum())


# the probability of a given output


def given_ids(checkpoint: Checkpoint, start: Begin, text: str) -> tuple[int, ...]:
    """The tokens that a typed output stands for, `<eos>` at the end of a translation but not of a continuation."""
    ids = encode(checkpoint, typed(checkpoint.tokenizer, text))[1:]
    ids = ids if start.source else ids[:-1]
    if len(ids) > start.limit:
        raise Refused("sentence_tokens", count=len(ids), limit=start.limit)
    return tuple(ids)


def typed(tokenizer: Tokenizer, text: str) -> str:
    """Typed text as its tokenizer is to read it: where every character is a token, `␣` is a space."""
    return text.replace(BLANK, SPACE) if tokenizer.spells else text


def shown(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """An output as it could be typed, specials left out: a space at its start or end is a `␣` that `typed` reads."""
    if not tokenizer.spells:
        return tokenizer.decode(ids)
    text = "".join(token for token in tokenizer.tokens(ids) if token not in SPECIALS)
    inner = text.strip(BLANK)
    return text.replace(inner, inner.replace(BLANK, " "), 1) if inner else text


def given(checkpoint: Checkpoint, start: Begin, ids: tuple[int, ...]) -> Given:
    """How likely the model finds `ids`, reading them as they are given (teacher forcing) or its own words."""
    free = follow(checkpoint.model, start).ids
    forced_logits, free_logits = (
        steps_of(checkpoint, start, each).values["logits"][len(start.prompt) - 1 :] for each in (ids, free)
    )
    rows = log_softmax(forced_logits)  # (T, V)
    own = log_probabilities(forced_logits, ids).tolist()
    shared = min(len(ids), len(free))
    return Given(
        ids=ids,
        log_probabilities=tuple(own),
        ranks=tuple(1 + int((row > value).sum()) for row, value in zip(rows, own, strict=True)),
        best=tuple(rows.argmax(axis=-1).tolist()),
        best_log_probabilities=tuple(rows.max(axis=-1).tolist()),
        own=tuple(log_probabilities(free_logits[:shared], ids[:shared]).tolist()),
        free=free,
        free_log_probabilities=tuple(log_probabilities(free_logits, free).tolist()),
    )


# what the cache saves


def work(config: TransformerConfig, new: int, read: int, source: int, *, first: bool) -> Work:
    """Multiplications of a decoder pass over `new` tokens when `read` have been read in all, these included.

    Counted are the products inside the matrix multiplications of this model's own code; those of norms,
    softmax and embedding are fewer by orders. `first` computes the source's keys and values as well.
    """
    d, layers = config.d_model, config.decoder_layers
    cross = 0
    if config.architecture == "encoder-decoder":
        cross = 2 * new * d * d + 2 * new * source * d + (2 * source * d * d if first else 0)
    return Work(
        projections=layers * 4 * new * d * d,
        attention=layers * 2 * new * read * d,
        cross=layers * cross,
        feed_forward=layers * 2 * new * d * config.d_ff,
        logits=new * d * config.target_vocabulary,
    )


def step_work(config: TransformerConfig, start: Begin, step: int) -> tuple[Work, Work]:
    """A step with the cache, and the same step computed anew; the encoder's output is kept in both."""
    read, source = len(start.prompt) + step, len(start.source)
    new = 1 if step else len(start.prompt)
    return (
        work(config, new, read, source, first=step == 0),
        work(config, read, read, source, first=True),
    )


def cached_numbers(config: TransformerConfig, start: Begin, step: int) -> int:
    """Numbers that the cache holds after a step: a key and a value per layer for each token read, and of the source."""
    source = len(start.source) if config.architecture == "encoder-decoder" else 0
    return 2 * config.decoder_layers * config.d_model * (len(start.prompt) + step + source)


# forks as they stand in a link


def spell_forks(forks: Sequence[Forced]) -> str:
    """`3:1234;5:88|4:77`: two outputs, the first with two forced tokens."""
    return "|".join(";".join(f"{step}:{token}" for step, token in fork) for fork in forks)


def read_forks(text: str) -> tuple[list[Forced], list[str]]:
    """The forks of a link, and the parts of it that are none."""
    forks: list[Forced] = []
    bad = []
    for part in filter(None, text.split("|")):
        fork = _read_fork(part)
        if fork is None or fork in forks:
            bad.append(part)
        else:
            forks.append(fork)
    return forks, bad


def _read_fork(part: str) -> Forced | None:
    pairs = [pair.split(":") for pair in part.split(";")]
    if not all(len(pair) == 2 and all(n.isascii() and n.isdecimal() and len(n) < 7 for n in pair) for pair in pairs):
        return None
    fork = tuple((int(step), int(token)) for step, token in pairs)
    steps = [step for step, _ in fork]
    return fork if steps == sorted(set(steps)) else None


def extended(fork: Forced, step: int, token: int) -> Forced:
    """A fork of a fork: what was forced before `step` stays, what came later is decoded anew."""
    return (*((at, id_) for at, id_ in fork if at < step), (step, token))


def branching(outputs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Where each output but the first leaves an earlier one: (its number, step), the one it shares most with."""
    found = []
    for number, ids in enumerate(outputs[1:], 1):
        shared = [_common(ids, other) for other in outputs[:number]]
        found.append((shared.index(max(shared)), max(shared)))
    return found


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
