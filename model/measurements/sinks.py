"""How much weight special tokens have in the heads of a checkpoint, and how much of it shares of norms take away.

N sentences, L layers, H heads, Q rows, K tokens that a row reads.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from model.attribution.norm_based_attention import of_every_kind
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.decode.recorded_pass import trace
from model.decode.translate import translate
from model.errors import InvalidInput
from model.intervals import Estimate, normal
from model.measurements.asked import CHECKPOINT, LINES
from model.measurements.measurement import Measurement
from model.tokenization.token_text import is_special
from model.trace import TokenList, Trace
from model.transformer import Transformer

SEED = 0
SENTENCES = 300
KEYS: dict[str, TokenList] = {"encoder": "source_tokens", "decoder": "target_tokens", "cross": "source_tokens"}
Means = dict[str, np.ndarray]  # by kind of attention and token: of weights and of shares of norms, (L, H, 2)


def measure(
    checkpoint: Checkpoint, sentences: Sequence[str], report: Callable[[int], None] = lambda count: None
) -> dict[str, Any]:
    """Of each kind of attention and special token the head with most weight on it, and that with the largest fall.

    Each number is the mean over a sentence's rows and over the sentences, with its interval; a fall is the weight less
    the share of the norm. The `random` ones are of the same model with random weights, which reads the same tokens.
    `report` is told how many sentences are done.
    """
    twin = random_model(checkpoint.model.config, SEED)
    own, random = list[Means](), list[Means]()
    for number, sentence in enumerate(sentences, 1):
        run = translate(checkpoint, sentence)
        own.append(means(checkpoint.model, run.trace))
        random.append(means(twin, trace(twin, checkpoint.tokenizer, run.source, run.target)))
        report(number)
    if not own:
        raise InvalidInput("sentence_empty")
    results: dict[str, Any] = {"seed": SEED, "sentences": len(own)}
    for name, each in (("", own), ("random_", random)):
        stacked = {key: np.stack([of[key] for of in each]) for key in own[0] if all(key in of for of in each)}
        results[f"{name}most_weight"] = {key: _most(values, values[..., 0]) for key, values in stacked.items()}
        falls = {key: values[..., 0] - values[..., 1] for key, values in stacked.items()}
        results[f"{name}largest_fall"] = {key: _most(values, falls[key]) for key, values in stacked.items()}
    return results


def means(model: Transformer, run: Trace) -> Means:
    """What each head gives to each special token of a pass, on average over the rows: of the weights, of the norms."""
    result: Means = {}
    for kind, shares in of_every_kind(model, run).items():
        tokens = np.array(getattr(run, KEYS[kind]))
        both = np.stack([run.weights(kind), shares], axis=-1).astype(np.float64).mean(axis=2)  # (L, H, K, 2)
        result |= {f"{kind}.{token}": both[:, :, tokens == token].mean(axis=2)
                   for token in dict.fromkeys(tokens.tolist()) if is_special(token)}  # fmt: skip
    return result


def _most(values: np.ndarray, by: np.ndarray) -> dict[str, Any]:
    """The head with the largest mean of `by` (N, L, H): its weight, its share of the norm (N, L, H, 2) and its fall."""
    layer, head = map(int, np.unravel_index(by.mean(axis=0).argmax(), by.shape[1:]))
    weight, norm = values[:, layer, head].T
    numbers = {"weight": weight, "norm": norm, "fall": weight - norm}
    return {"layer": layer, "head": head} | {name: normal(each).rounded() for name, each in numbers.items()}


class Sink(NamedTuple):
    """Means over the rows of so many sentences; `random` is the largest fall of the same model with random weights."""

    sentences: int
    token: str
    layer: int
    head: int
    weight: float
    norm: float
    fall: Estimate
    random: float


def _read(content: dict[str, Any]) -> dict[str, Sink]:
    """The largest fall of any head in each kind of attention."""
    return {
        kind: _largest(content, kind)
        for kind in dict.fromkeys(key.partition(".")[0] for key in content["largest_fall"])
    }


def _largest(content: dict[str, Any], kind: str) -> Sink:
    own, random = (
        {key.removeprefix(f"{kind}."): row for key, row in content[table].items() if key.startswith(f"{kind}.")}
        for table in ("largest_fall", "random_largest_fall")
    )
    token, row = max(own.items(), key=lambda each: each[1]["fall"][0])
    most = max(float(each["fall"][0]) for each in random.values())
    place = int(row["layer"]), int(row["head"])
    means = float(row["weight"][0]), float(row["norm"][0])
    return Sink(int(content["sentences"]), token, *place, *means, Estimate(*map(float, row["fall"])), most)


MEASUREMENT = Measurement(
    name="sinks",
    about="how much weight special tokens have, and what norms take away of it, as JSON",
    measure=lambda asked: asked.over(asked.sentences(SENTENCES), measure),
    options=(CHECKPOINT, LINES),
    file="sinks.json",
    read=_read,
)
