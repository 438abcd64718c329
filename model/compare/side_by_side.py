"""Two models side by side: a model at a snapshot, its output, its pass over given tokens, and similar heads.

L layers, H heads, N heads of all layers, Q query positions, K key positions, T tokens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model.analysis import predictions
from model.analysis.softmax import entropy_bits
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.config import TransformerConfig
from model.decode.recorded_pass import recorded, trace_of
from model.decode.translate import Translation, filled
from model.edit.edit_effects import outcome
from model.edit.edited_pass import Edit, compose
from model.edit.notation import Change
from model.tokenization.tokenizer import BOS, PAD, Tokenizer
from model.trace import Trace, silent

# changes that mean the same for every sentence; for changes of positions and masks see `anywhere`
_ANYWHERE = ("off", "half", "uniform", "diagonal", "previous", "embedding")


@dataclass(frozen=True)
class Generated:
    """Output that a model wrote by itself.

    ids      (T) the id written after each token that was read; of a decoder alone also after those of the prompt.
             Of an encoder alone the likeliest id at each place, empty if it has no output layer
    first    index of the first id that the model wrote itself
    ended    whether the output ends with `<eos>`
    """

    text: str
    ids: tuple[int, ...]
    first: int
    ended: bool


def with_weights(
    config: TransformerConfig, tokenizer: Tokenizer, weights: Mapping[str, np.ndarray], name: str
) -> Checkpoint:
    """A model with the weights of a snapshot, given by name. Raises KeyError if one is missing."""
    model = random_model(config, 0)
    for key, parameter in model.named_parameters():
        parameter.copy_(torch.from_numpy(weights[key].astype(np.float32)))
    return Checkpoint(name, model, tokenizer)


def with_seed(config: TransformerConfig, tokenizer: Tokenizer, seed: int, name: str) -> Checkpoint:
    """The model before training, with the random weights of a seed."""
    return Checkpoint(name, random_model(config, seed), tokenizer, trained=False)


def same_vocabulary(first: Tokenizer, second: Tokenizer) -> bool:
    """Whether each token has the same id in both."""
    return first is second or first.vocabulary == second.vocabulary


def anywhere(change: Change) -> bool:
    """Whether a change means the same for every sentence, however long."""
    if change.verb == "unmask":
        return change.at == ("causal",)
    if change.verb == "position":
        return not change.at[1].startswith("shuffle")
    return change.verb in _ANYWHERE


def generated(checkpoint: Checkpoint, run: Translation, edits: Sequence[Edit] = (), padding: int = 0) -> Generated:
    """Take the model's output from a run, or compute it again under edits."""
    architecture = checkpoint.model.config.architecture
    if architecture == "encoder":
        trace = passed(checkpoint, run, (), edits, padding) if edits else run.trace
        likeliest = _likeliest(trace)[: len(run.source)]  # without those of padding
        return Generated(filled(checkpoint, run.source, trace), likeliest, 0, True)
    first = len(checkpoint.tokenizer.encode(run.sentence)) - 2 if architecture == "decoder" else 0
    if edits:
        result = outcome(checkpoint, run, edits, padding)
        return Generated(result.text, result.ids, first, result.stop == "eos")
    return Generated(run.text, run.ids, first, run.stop == "eos")


def _likeliest(trace: Trace) -> tuple[int, ...]:
    return tuple(predictions.generated(trace).tolist()) if "logits" in trace.values else ()


def passed(
    checkpoint: Checkpoint, run: Translation, ids: Sequence[int], edits: Sequence[Edit] = (), padding: int = 0
) -> Trace:
    """The trace of one pass over the run's sentence with the output `ids` (T): row t reads the ids before id t.

    `padding` tokens of padding follow the source, masked unless an edit allows them. `ids` become the output tokens
    of the trace; they are empty for an encoder alone.
    """
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    target = (BOS, *ids[:-1]) if model.decoder else ()
    tap = compose(model, *edits) if edits else silent
    is_own = target == tuple(run.target) and not edits and not padding
    values = run.trace.values if is_own else recorded(model, run.source, target, tap, padding=padding)
    source = (*run.source, *[PAD] * padding) if run.source else ()
    return trace_of(values, tokenizer, source, target, ids)


def scored(trace: Trace, ids: Sequence[int], first: int = 0) -> np.ndarray:
    """The log-probability of each id from `first` on, in nats. The trace may have rows of padding at the end."""
    return predictions.log_probabilities(trace, ids)[first:]


# heads


def alike(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """1 − mean over rows of the Jensen–Shannon divergence (base 2) of each head of one model with each of another.

    (N, N′) from weights (N, Q, K) and (N′, Q, K) over the same tokens. 1 where two heads look alike everywhere,
    0 where they never look at the same token. JSD(a, b) = H(½ a + ½ b) − ½ H(a) − ½ H(b).
    """
    first, second = first.astype(float), second.astype(float)
    similarities = np.empty((len(first), len(second)))
    second_entropy = entropy_bits(second).mean(axis=-1)  # (N′)
    for i, head in enumerate(first):  # one head at a time: all pairs at once would need gigabytes for long sentences
        divergence = entropy_bits((head + second) / 2).mean(axis=-1) - (entropy_bits(head).mean() + second_entropy) / 2
        similarities[i] = 1 - np.clip(divergence, 0, 1)
    return similarities


def flat(weights: np.ndarray) -> np.ndarray:
    """The heads of all layers in one row: (N, Q, K) from (L, H, Q, K), layer by layer."""
    return weights.reshape(-1, *weights.shape[2:])
