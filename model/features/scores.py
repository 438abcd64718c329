"""How good a dictionary is: what it leaves unexplained, and how the model writes with the reconstruction in its place.

All scores are of held-out sentences, with 95 % intervals from resampling sentences (of shares: Wilson).
N tokens, d numbers of a vector, F features, K active.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from sacrebleu.metrics import CHRF
from torch import Tensor

from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import readable_tokens
from model.decode.greedy import greedy
from model.decode.translate import continuation, encode
from model.edit.edited_pass import Edit, compose
from model.features.dictionary import Dictionary
from model.features.examples import Activations
from model.features.sites import BATCH, Site, Vectors, padded
from model.intervals import resampled, wilson
from model.trace import Tap

Interval = list[float]  # mean, and the ends of its 95 % interval
SHARED = 0.7  # cosine from which on two seeds have found the same feature (Paulo & Belrose 2025, arXiv 2501.16615)
STRONGEST, SAME = 10, 8  # of so many strongest sentences, at least so many at the same token


def variance_unexplained(
    given: Vectors, reconstruct: Callable[[Tensor], Tensor], mean: Tensor, seed: int = 0
) -> Interval:
    """The share of the variance of the targets about a mean (d) that a reconstruction leaves, 0 to about 1."""
    left, total = torch.zeros(len(given.reads)).double(), torch.zeros(len(given.reads)).double()
    with torch.inference_mode():
        for places in torch.arange(len(given)).split(4096):
            targets, sentence = given.targets[places], given.sentence[places]
            made = reconstruct(given.inputs[places])
            left.index_add_(0, sentence, (targets - made).double().square().sum(dim=1))
            total.index_add_(0, sentence, (targets - mean).double().square().sum(dim=1))
    parts = torch.stack([left, total]).numpy()
    return [
        float(left.sum() / total.sum()),
        *resampled(len(given.reads), seed, lambda at: _ratio(parts[:, at])),
    ]


def _ratio(parts: np.ndarray) -> float:
    left, total = parts.sum(axis=1)
    return float(left / total)


def share(hits: Sequence[bool]) -> Interval:
    """The share of sentences with a hit, and its interval by Wilson (1927), which also holds where all are hits."""
    count = len(hits)
    if not count:
        return [0.0, 0.0, 0.0]
    return [*wilson(sum(hits), count)]


def chrf(outputs: Sequence[str], references: Sequence[str], seed: int = 0) -> Interval:
    """chrF of outputs, 0 to 100, as sacrebleu computes it for a corpus."""
    metric = CHRF()
    # counts of each sentence, (N, 18): sacrebleu's own resampling fails where a score is 0
    counts = np.array(metric._extract_corpus_statistics(list(outputs), [list(references)]))

    def score(at: np.ndarray) -> float:
        return float(metric._compute_score_from_stats(counts[at].sum(axis=0).tolist()).score)

    return [score(np.arange(len(counts))), *resampled(len(counts), seed, score)]


def outputs(
    checkpoint: Checkpoint,
    sentences: Sequence[str],
    *edits: Edit,
    own: Callable[[list[list[int]]], Edit] | None = None,
) -> list[str]:
    """What the model writes for each sentence under edits: for an encoder alone its likeliest token of each row.

    `own` gives one more edit for a batch of sentences, from their ids. Empty texts for an encoder without an output
    layer.
    """
    texts: dict[int, str] = {}
    ids = [encode(checkpoint, sentence) for sentence in sentences]
    if checkpoint.model.config.architecture == "decoder":
        ids = [each[:-1] for each in ids]
    order = sorted(range(len(ids)), key=lambda number: len(ids[number]))
    for start in range(0, len(order), BATCH):
        numbers = order[start : start + BATCH]
        batch = [ids[number] for number in numbers]
        tap = compose(checkpoint.model, *edits, *((own(batch),) if own else ()))
        written = _generated(checkpoint, batch, tap)
        texts |= {number: checkpoint.tokenizer.decode(each) for number, each in zip(numbers, written, strict=True)}
    return [texts[number] for number in range(len(ids))]


def _generated(checkpoint: Checkpoint, ids: list[list[int]], tap: Tap) -> list[Sequence[int]]:
    model = checkpoint.model
    if model.config.decoder_layers:
        longest = max(ids, key=len)
        alone = model.config.architecture == "decoder"
        limit = continuation(checkpoint, len(longest)) if alone else readable_tokens(model.config) - 1
        return [each.ids for each in greedy(model, ids, limit, tap=tap)]
    if not model.config.target_vocabulary:
        return [() for _ in ids]
    source, real = padded(ids, model.device)
    with torch.inference_mode():
        likeliest = model(source, None, real, tap).argmax(dim=-1).tolist()
    return [row[: len(each)] for row, each in zip(likeliest, ids, strict=True)]


def same_token(active: Activations) -> float:
    """The share of the active features that are mostly one token: SAME of its STRONGEST sentences have it there.

    A random model has such features too, for its vectors are mostly the embedding of their own token.
    """
    alive = np.flatnonzero(active.maxima())
    place = {(int(s), int(r)): int(id_) for s, r, id_ in zip(active.sentence, active.row, active.ids, strict=True)}
    hits = []
    for feature in alive:
        ids = [place[each.sentence, each.row] for each in active.strongest(int(feature), STRONGEST)]
        hits.append(bool(ids) and max(map(ids.count, ids)) * STRONGEST >= SAME * len(ids))
    return float(np.mean(hits)) if hits else 0.0


def shared(one: Dictionary, other: Dictionary) -> float:
    """The share of the features of one dictionary that another one has too: its direction with a cosine of SHARED."""
    return float(((one.decoder.T @ other.decoder).max(dim=1).values >= SHARED).double().mean())


def components(vectors: Tensor, count: int) -> Tensor:
    """The principal components of vectors (N, d), (count, d), each of length 1."""
    centred = (vectors - vectors.mean(dim=0)).double()
    _, basis = torch.linalg.eigh(centred.T @ centred)
    return basis.flip(1)[:, :count].T.float()


def by_components(vectors: Tensor, count: int) -> Callable[[Tensor], Tensor]:
    """The reconstruction from the same `count` principal components for every vector (…, d)."""
    mean, basis = vectors.mean(dim=0), components(vectors, count)
    return lambda x: (x - mean) @ basis.T @ basis + mean


def by_neurons(vectors: Tensor, count: int) -> Callable[[Tensor], Tensor]:
    """The reconstruction from the `count` numbers of a vector (…, d) that are farthest from their mean, in their own
    unit; the others are their mean."""
    mean, spread = vectors.mean(dim=0), vectors.std(dim=0)

    def reconstruct(x: Tensor) -> Tensor:
        centred = x - mean
        chosen = (centred / spread.clamp(min=1e-9)).abs().topk(count, dim=-1).indices
        return mean + torch.zeros_like(centred).scatter(-1, chosen, centred.gather(-1, chosen))

    return reconstruct


def replaced(site: Site, reconstruct: Callable[[Tensor], Tensor]) -> Edit:
    """Any reconstruction in place of the vector that is written."""
    return Edit(site.writes, lambda value, at: reconstruct(value))
