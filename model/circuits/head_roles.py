"""Role of each head, by measurements over sentences: the score of each role, and what even weights would score.

L layers, H heads, Q queries, K keys, N sentences, S source tokens, T target tokens. A score is between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from model.analysis import predictions
from model.analysis.attention.copying import FEWEST, follows_copy, previous_share
from model.analysis.softmax import entropy_bits
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.circuits.role_thresholds import LEAST, MARGIN, ROLES
from model.decode.recorded_pass import one_pass, recorded, trace
from model.decode.translate import Translation
from model.edit.edit_effects import generated
from model.intervals import NORMAL
from model.tokenization.token_text import is_special
from model.tokenization.tokenizer import BOS, SPECIALS
from model.trace import ATTENTION_KINDS, AttentionKind, path, stacked_weights

TWIN_SEED = 0  # of the random weights that roles are compared with
STILL = 0.1  # nats; a row whose score no deletion lowers by more has no word to be aligned with
ROUND, ROUNDS = 12, 4  # different tokens of a repeated text, and texts


@dataclass(frozen=True, eq=False)
class Scores:
    """One role in one kind of attention, (L, H) each: the mean score, the lower end of its 95 % interval, and what
    weights that are even over all visible keys would score.
    """

    mean: np.ndarray
    low: np.ndarray
    chance: np.ndarray

    def stated(self, role: str) -> np.ndarray:
        """(L, H): whether the measurement supports the role."""
        enough = self.low >= LEAST[role]
        return enough & (self.mean >= self.chance + MARGIN if role == "position" else self.low >= 2 * self.chance)


Measured = dict[AttentionKind, dict[str, Scores]]
Both = tuple[np.ndarray, np.ndarray]  # scores (L, H) and those of even weights


Gathered = dict[tuple[AttentionKind, str], Both]  # by kind and role


def of_sentence(checkpoint: Checkpoint, run: Translation) -> Gathered:
    """The scores of one pass; a role that a kind cannot have is left out."""
    scores: Gathered = {}
    at_positions = _by_position(checkpoint, run)
    for kind in run.trace.kinds:
        for role, score in _OF_WEIGHTS.items():
            if kind != "cross" or role in ("first", "separator"):
                scores[kind, role] = _beside_even(run, kind, score)
        scores[kind, "position"] = _alike(run, kind, at_positions)
    if "cross" in run.trace.kinds and checkpoint.trained:
        aligned = alignment(run, deletion_falls(checkpoint, run))
        if aligned is not None:
            scores["cross", "alignment"] = aligned
    return scores


def twin(checkpoint: Checkpoint) -> Checkpoint:
    """The same model with random weights, which claims about heads are held against."""
    model = random_model(checkpoint.model.config, TWIN_SEED)
    return Checkpoint(checkpoint.name, model, checkpoint.tokenizer, trained=False)


def of_twin(checkpoint: Checkpoint, random: Checkpoint, run: Translation) -> Gathered:
    """The scores of the random twin on the tokens of a pass; which source token is decisive, the trained model says."""
    reading = replace(run, trace=trace(random.model, random.tokenizer, run.source, run.target))
    scores = of_sentence(random, reading)
    if "cross" in run.trace.kinds and checkpoint.trained:
        aligned = alignment(reading, deletion_falls(checkpoint, run))
        if aligned is not None:
            scores["cross", "alignment"] = aligned
    return scores


def of_repeated_text(checkpoint: Checkpoint, seed: int) -> Gathered:
    """The induction scores of a random text that comes twice."""
    return {(kind, "induction"): both for kind, both in _induction(checkpoint, seed).items()}


def summed(sentences: Sequence[Gathered]) -> Measured:
    """The means of all roles over sentences and repeated texts."""
    keys = dict.fromkeys(key for each in sentences for key in each)
    return {
        kind: {
            role: _summed([each[kind, role] for each in sentences if (kind, role) in each])
            for role in ROLES
            if (kind, role) in keys
        }
        for kind in ATTENTION_KINDS
        if any(other == kind for other, _ in keys)
    }


def heads(measured: Measured) -> Iterator[tuple[str, str, Scores, tuple[int, int]]]:
    """Every head with every role that it can have: its name (`cross.1.0`), the role, the scores and its place there."""
    for kind, roles in measured.items():
        for role, scores in roles.items():
            for layer, head in np.ndindex(scores.mean.shape):
                yield f"{kind}.{layer}.{head}", role, scores, (layer, head)


def _summed(pairs: Sequence[Both]) -> Scores:
    scores, chance = (np.stack([each[side] for each in pairs]) for side in (0, 1))  # (N, L, H)
    mean = scores.mean(axis=0)
    error = scores.std(axis=0, ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else np.zeros_like(mean)
    return Scores(mean, mean - NORMAL * error, chance.mean(axis=0))


# roles that weights alone tell


def _tokens(run: Translation, kind: AttentionKind) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The keys of a kind of attention, as texts and as ids."""
    if kind == "decoder":
        return run.trace.target_tokens, run.target
    return run.trace.source_tokens, run.source


def _even(weights: np.ndarray) -> np.ndarray:
    """The same weight for every key that a row of (L, H, Q, K) sees; a key that no head sees is hidden."""
    visible = (weights > 0).any(axis=(0, 1))
    return np.broadcast_to(visible / visible.sum(axis=-1, keepdims=True), weights.shape)


def _beside_even(run: Translation, kind: AttentionKind, score: Callable[..., np.ndarray]) -> Both:
    weights = run.trace.weights(kind).astype(np.float64)
    tokens, ids = _tokens(run, kind)
    return score(weights, tokens, ids), score(_even(weights), tokens, ids)


def _first(weights: np.ndarray, tokens: Sequence[str], ids: Sequence[int]) -> np.ndarray:
    rows = slice(min(FEWEST, weights.shape[-2] - 1), None)  # a first row that sees one token has no choice
    return weights[..., rows, 0].mean(axis=-1)


def _same(weights: np.ndarray, tokens: Sequence[str], ids: Sequence[int]) -> np.ndarray:
    same = np.array(ids)[:, None] == np.array(ids)
    rows = slice(min(FEWEST, len(ids) - 1), None)
    return (weights * same).sum(axis=-1)[..., rows].mean(axis=-1)


def _separator(weights: np.ndarray, tokens: Sequence[str], ids: Sequence[int]) -> np.ndarray:
    """The first token is a special too, but has a role of its own."""
    is_separator = np.array([at > 0 and (is_special(token) or not any(map(str.isalnum, token))) for at, token in
                       enumerate(tokens)])  # fmt: skip
    return (weights * is_separator).sum(axis=-1).mean(axis=-1)


_OF_WEIGHTS: dict[str, Callable[..., np.ndarray]] = {
    "previous": lambda weights, tokens, ids: previous_share(weights),
    "first": _first,
    "same": _same,
    "separator": _separator,
}


# roles that need another pass


def _by_position(checkpoint: Checkpoint, run: Translation) -> dict[AttentionKind, np.ndarray]:
    """The weights of a pass in which every token has the mean embedding: what positions alone would give."""

    def mean(name: str, value: torch.Tensor) -> torch.Tensor:
        is_embedding = name in ("encoder.embedding", "decoder.embedding")
        return value.mean(dim=1, keepdim=True).expand_as(value) if is_embedding else value

    values = recorded(checkpoint.model, run.source, run.target, mean)
    return {kind: stacked_weights(values, kind) for kind in run.trace.kinds}


def _alike(run: Translation, kind: AttentionKind, at_positions: dict[AttentionKind, np.ndarray]) -> Both:
    """1 − the mean Jensen–Shannon divergence (base 2) of the rows, to the weights by position, and to even ones."""
    weights = run.trace.weights(kind).astype(np.float64)
    alike = _likeness(weights, at_positions[kind].astype(np.float64))
    return alike, _likeness(weights, _even(weights))


def _likeness(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    divergence = entropy_bits((a + b) / 2) - (entropy_bits(a) + entropy_bits(b)) / 2
    return 1 - divergence.clip(0, 1).mean(axis=-1)


def alignment(run: Translation, falls: np.ndarray) -> Both | None:
    """The share of output tokens at whose row a head looks most at the source token whose deletion matters most.

    `falls` are those of `deletion_falls`, (S, T).
    """
    rows = np.flatnonzero(falls.max(axis=0) > STILL)
    if not len(rows):
        return None
    weights = run.trace.weights("cross")[:, :, rows]  # (L, H, rows, S)
    hit = (weights.argmax(axis=-1) == falls[:, rows].argmax(axis=0)).mean(axis=-1)
    return hit, np.full(hit.shape, 1 / len(run.source))


def deletion_falls(checkpoint: Checkpoint, run: Translation) -> np.ndarray:
    """By how much the log-probability of each written token falls if a source token is deleted, (S, T) in nats."""
    source, ids = run.source, generated(run)
    before = predictions.log_probabilities(run.trace, ids)
    falls = np.zeros((len(source), len(ids)))
    if len(source) == 1:
        return falls
    for at in range(len(source)):  # one at a time: the logits of all would be large for a large vocabulary
        logits = one_pass(checkpoint.model, source[:at] + source[at + 1 :], run.target).double().log_softmax(-1)
        falls[at] = before - logits.numpy()[np.arange(len(ids)), ids]
    return falls


def repeated(checkpoint: Checkpoint, seed: int) -> list[int]:
    """Random tokens twice over, as ids without specials."""
    rng = np.random.default_rng(seed)
    count = min(ROUND, (checkpoint.model.config.max_length - 2) // 2, checkpoint.tokenizer.size - len(SPECIALS))
    ids = rng.choice(np.arange(len(SPECIALS), checkpoint.tokenizer.size), size=max(1, count), replace=False)
    return [*ids.tolist(), *ids.tolist()]


def _induction(checkpoint: Checkpoint, seed: int) -> dict[AttentionKind, Both]:
    """The weight on what followed an earlier copy, in a text of random tokens that comes twice."""
    config, ids = checkpoint.model.config, repeated(checkpoint, seed)
    source = () if config.architecture == "decoder" else tuple(ids)
    target = () if config.architecture == "encoder" else (BOS, *ids)
    values = recorded(checkpoint.model, source, target)
    result: dict[AttentionKind, Both] = {}
    sides: tuple[tuple[AttentionKind, tuple[int, ...]], ...] = (("encoder", source), ("decoder", target))
    for kind, read in sides:
        if read and f"{path(kind, 0)}.weights" in values:
            weights = stacked_weights(values, kind).astype(np.float64)
            even = _even(weights)
            after = follows_copy(read) & (even[0, 0] > 0)
            rows = after.any(axis=-1)
            both = [(each * after).sum(axis=-1)[..., rows].mean(axis=-1) for each in (weights, even)]
            result[kind] = (both[0], both[1])
    return result
