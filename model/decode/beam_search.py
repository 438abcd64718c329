"""Beam search with a key/value cache. All hypotheses that it considered are kept as a tree, to be drawn.

The beam shrinks as in Bahdanau et al. (2015): a hypothesis that ends leaves the beam, and at each step the likeliest
`beam` − finished continuations of the live hypotheses are kept. With a beam of 1 this is greedy decoding. Finished
hypotheses are ranked by score, log-probability / length penalty, with the penalty of Wu et al. (2016), equation 14:
((5 + length) / 6)^alpha.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from model.decode.decoding_loop import Stop, first_tokens, run, stop_reason
from model.errors import InvalidInput
from model.parts.key_values import LayerCache
from model.trace import Tap, silent
from model.transformer import Transformer

State = Literal["live", "finished", "dropped"]


@dataclass(frozen=True)
class Node:
    """One token that the search considered.

    log_probability  nats, of this token given all before it
    total            nats, of the tokens from the first written to this one
    parent           index in `BeamTree.nodes` of the token before it, None for a first token
    step             from 0, how many tokens were written before it
    state            live: went on; finished: its hypothesis ended here; dropped: considered, not kept
    """

    token: int
    log_probability: float
    total: float
    parent: int | None
    step: int
    state: State


@dataclass(frozen=True)
class Hypothesis:
    """A finished hypothesis: its last node, its tokens, its score in nats, and why it ended."""

    node: int
    ids: tuple[int, ...]
    log_probability: float
    score: float
    stop: Stop


@dataclass(frozen=True)
class BeamTree:
    """A whole search.

    start        what the decoder read before the first written token
    nodes        by step, in each step the likeliest first
    hypotheses   best first: those that reached `<eos>` before those stopped by the limit or as a loop, then by score
    """

    start: tuple[int, ...]
    beam: int
    alpha: float
    nodes: tuple[Node, ...]
    hypotheses: tuple[Hypothesis, ...]

    @property
    def best(self) -> Hypothesis:
        """The output of the search."""
        return self.hypotheses[0]

    def path(self, node: int) -> tuple[int, ...]:
        """Indices of the nodes from the first token written to this one."""
        return tuple(_ancestors(self.nodes, node))[::-1]


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6)^alpha, without unit; 1 at alpha 0 and at length 1. `<eos>` counts."""
    return ((5 + length) / 6) ** alpha


def beam_search(
    model: Transformer,
    source: Sequence[int],
    limit: int,
    *,
    beam: int = 4,
    alpha: float = 0.6,
    forced: Sequence[int] = (),
    tap: Tap = silent,
) -> BeamTree:
    """Search for the likeliest output of at most `limit` tokens; the defaults are the paper's (section 6.1).

    `source` is a sentence's ids, or the prompt of a decoder alone. `forced` are first tokens that all
    hypotheses share and that count in no score. `tap` sees rows of several hypotheses at once: it may
    edit values, but a `Recorder` cannot be used. Raises `InvalidInput` for an unsuitable model or number.
    """
    forced = forced or model.config.forced
    start = first_tokens(model, source, forced)
    _check(model, start, limit, beam, alpha)
    search = _Search(beam, [] if model.config.architecture == "decoder" else source)

    def choose(step: int, logits: Tensor, caches: list[LayerCache]) -> Tensor | None:
        rows = search.extend(logits.double().log_softmax(dim=-1), last=step == limit - 1)
        if not rows:
            return None
        reorder(caches, rows)
        return search.tokens()

    run(model, [source], limit, choose, forced=forced, tap=tap)
    return BeamTree(tuple(start), beam, alpha, tuple(search.nodes), _ranked(search, alpha))


def reorder(caches: Sequence[LayerCache], rows: Sequence[int]) -> None:
    """Reorder the self-attention caches: row i becomes what was row rows[i].

    The cache of cross-attention has a single row for all hypotheses, as they share the source.
    """
    for cache in caches:
        cache_of_self_attention = cache.self_attention
        if cache_of_self_attention.k is not None and cache_of_self_attention.v is not None:
            cache_of_self_attention.k, cache_of_self_attention.v = (
                cache_of_self_attention.k[list(rows)],
                cache_of_self_attention.v[list(rows)],
            )  # (B, H, K, D) each


class _Search:
    """The tree during the search. `live` are the nodes that the next pass continues, one row each."""

    def __init__(self, beam: int, source: Sequence[int]):
        self.source = source
        self.open = beam  # places of the beam that no finished hypothesis has taken
        self.nodes: list[Node] = []
        self.live: list[int | None] = [None]
        self.ended: list[tuple[int, Stop]] = []

    def extend(self, log_probabilities: Tensor, *, last: bool) -> list[int]:
        """Add the step of `log_probabilities` (live hypotheses, V). Returns the old row of each new live hypothesis."""
        candidates = self._candidates(log_probabilities)
        rows, live = [], []
        first, open_ = len(self.nodes), self.open
        for rank, (row, node) in enumerate(candidates):
            self.nodes.append(node)
            if rank >= open_:
                continue
            stop = stop_reason(self.ids(first + rank), self.source) or ("length" if last else None)
            self.nodes[-1] = replace(node, state="finished" if stop else "live")
            if stop:
                self.ended.append((first + rank, stop))
                self.open -= 1
            else:
                rows.append(row)
                live.append(first + rank)
        self.live = [*live]
        return rows

    def _candidates(self, log_probabilities: Tensor) -> list[tuple[int, Node]]:
        """The likeliest continuations of each row, likeliest overall first, each with its row."""
        top = log_probabilities.topk(min(self.open, log_probabilities.size(-1)), dim=-1)
        candidates = []
        for row, (parent, values, tokens) in enumerate(
            zip(self.live, top.values.tolist(), top.indices.tolist(), strict=True)
        ):
            parent_total = 0.0 if parent is None else self.nodes[parent].total
            step = 0 if parent is None else self.nodes[parent].step + 1
            for value, token in zip(values, tokens, strict=True):
                candidates.append((row, Node(token, value, parent_total + value, parent, step, "dropped")))
        return sorted(candidates, key=lambda candidate: -candidate[1].total)

    def tokens(self) -> Tensor:
        """The last token of each live hypothesis, (B, 1): what the decoder reads next."""
        return torch.tensor([[self.nodes[node].token] for node in self.live if node is not None])

    def ids(self, node: int) -> list[int]:
        """The tokens written up to and including a node."""
        return [self.nodes[i].token for i in _ancestors(self.nodes, node)][::-1]


def _ancestors(nodes: Sequence[Node], node: int | None) -> Iterator[int]:
    """A node, the one before it, and so on to the first token written."""
    while node is not None:
        yield node
        node = nodes[node].parent


def _ranked(search: _Search, alpha: float) -> tuple[Hypothesis, ...]:
    hypotheses = []
    for node, stop in search.ended:
        ids, total = tuple(search.ids(node)), search.nodes[node].total
        hypotheses.append(Hypothesis(node, ids, total, total / length_penalty(len(ids), alpha), stop))
    return tuple(sorted(hypotheses, key=lambda hypothesis: (hypothesis.stop != "eos", -hypothesis.score)))


def _check(model: Transformer, start: Sequence[int], limit: int, beam: int, alpha: float) -> None:
    config = model.config
    if not config.decoder_layers:
        raise InvalidInput("beam_architecture")
    if not start:
        raise InvalidInput("beam_prompt")
    for field, value in (("beam", beam), ("limit", limit)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidInput("config_number", field=field, value=value, minimum=1)
    if not 0 <= alpha <= 10:
        raise InvalidInput("beam_alpha", value=alpha)
    read = len(start) + limit - 1  # the last token written is not read
    if config.position != "none" and read > config.max_length:
        raise InvalidInput("beam_length", tokens=read, limit=config.max_length)
