"""Effects of edits: the edited pass beside the original one, and the effect of removing each head.

T tokens that the decoder read (or an encoder alone), L layers, H heads, S tokens of the sentence. An effect is the
change of the log-probability, in nats, of the token that the unedited model wrote at each step. An encoder alone
writes nothing: its effect is the cosine between its output vectors before and after, minus 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.analysis import predictions
from model.analysis.cosine import cosine
from model.analysis.softmax import log_softmax
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import readable_tokens
from model.decode.decoding_loop import Stop
from model.decode.greedy import greedy
from model.decode.recorded_pass import recorded
from model.decode.translate import UNTRAINED_LIMIT, Translation, encode, translate, write
from model.edit import edits
from model.edit.change_edits import source_ids
from model.edit.edited_pass import Edit, compose
from model.edit.recorded_names import residual
from model.tokenization.tokenizer import PAD
from model.trace import AttentionKind, Head, Tap, path, silent, stacked_weights, under

CANDIDATES = 6
STILL = 0.1  # nats; a head has no effect if its removal changes no token by more


@dataclass(frozen=True, eq=False)
class Outcome:
    """Output of a model under edits, and its pass over the output of the unedited model.

    ids       what it writes under the edits, empty for an encoder alone
    weights   of each kind of attention, (L, H, Q, K)
    logits    (T, V), None for an encoder that has none
    output    the vectors before the output layer, (T, d_model)
    labels    of a model that gives labels, their logits, (S or 1, labels)
    """

    text: str
    ids: tuple[int, ...]
    stop: Stop
    weights: dict[AttentionKind, np.ndarray]
    logits: np.ndarray | None
    output: np.ndarray
    labels: np.ndarray | None


def outcome(checkpoint: Checkpoint, run: Translation, changes: Sequence[Edit] = (), padding: int = 0) -> Outcome:
    """Decode under the edits; then run them over the output of the unedited model.

    `padding` tokens of padding follow the source, masked unless an edit allows them.
    """
    text, ids, stop = rewritten(checkpoint, run, changes, padding)
    values = edited_values(checkpoint, run, changes, padding)
    side = "decoder" if run.target else "encoder"
    real = len(run.target or run.source)  # an encoder alone gives a vector for padding too
    logits = values["logits"][:real] if "logits" in values else None
    weights = {kind: stacked_weights(values, kind) for kind in run.trace.kinds}
    labels = values["labels"][:real] if "labels" in values else None
    return Outcome(text, ids, stop, weights, logits, values[f"{side}.output"][:real], labels)


def edited_values(
    checkpoint: Checkpoint, run: Translation, changes: Sequence[Edit] = (), padding: int = 0
) -> Mapping[str, np.ndarray]:
    """Every value of the edited pass over the output of the unedited model, by its recorded name."""
    if not changes and not padding:
        return run.trace.values
    tap = compose(checkpoint.model, *changes) if changes else silent
    return recorded(checkpoint.model, run.source, run.target, tap, padding=padding)


def rewritten(
    checkpoint: Checkpoint, run: Translation, changes: Sequence[Edit] = (), padding: int = 0
) -> tuple[str, tuple[int, ...], Stop]:
    """Decode under the edits: the text, its ids, and why it stopped."""
    tap = compose(checkpoint.model, *changes) if changes else silent
    if checkpoint.model.config.architecture == "encoder":
        return "", (), "eos"
    if tap is silent and not padding:
        return run.text, run.ids, run.stop
    if not padding:
        _, tokens, text, stop = write(checkpoint, encode(checkpoint, run.sentence), tap)
        return text, tuple(tokens[1:]), stop
    longest = readable_tokens(checkpoint.model.config)
    limit = (longest if checkpoint.trained else min(longest, UNTRAINED_LIMIT)) - 1
    [output] = greedy(checkpoint.model, [[*run.source, *[PAD] * padding]], limit, tap=tap)
    return checkpoint.tokenizer.decode(output.ids), output.ids, output.stop


# the words written, and their probabilities


def first_step(checkpoint: Checkpoint, run: Translation) -> int:
    """The first row whose token the model wrote itself: after the prompt of a decoder alone, else 0."""
    return len(source_ids(checkpoint, run)) - 1 if checkpoint.model.config.architecture == "decoder" else 0


def generated(run: Translation) -> np.ndarray:
    """The id that the unedited model finds likeliest after each token that it read, (T), prompt included."""
    return predictions.generated(run.trace)


@dataclass(frozen=True)
class Candidate:
    """A word that could be written at a step, with its probability and rank (from 1) before and after."""

    id: int
    before: float
    after: float
    rank_before: int
    rank_after: int


def candidates(before: np.ndarray, after: np.ndarray, count: int = CANDIDATES) -> list[Candidate]:
    """The likeliest tokens of two rows of logits (V): first those of `before`, then those that only `after` has."""
    both = [np.exp(log_softmax(row)) for row in (before, after)]
    orders = [np.argsort(-row, kind="stable") for row in both]
    ranks = [np.argsort(order, kind="stable") + 1 for order in orders]
    all_ids = dict.fromkeys(int(id_) for order in orders for id_ in order[:count])
    return [
        Candidate(id_, float(both[0][id_]), float(both[1][id_]), int(ranks[0][id_]), int(ranks[1][id_]))
        for id_ in all_ids
    ]


# the effect of every head


Layer = tuple[AttentionKind, int]


def head_effects(checkpoint: Checkpoint, run: Translation, kind: AttentionKind, layer: int) -> np.ndarray:
    """The effect of removing each head of a layer at each token, (H, T)."""
    return effects_of_heads(checkpoint, run, [(kind, layer)])[0]


def effects_of_heads(checkpoint: Checkpoint, run: Translation, layers: Sequence[Layer]) -> np.ndarray:
    """The same for the heads of several layers, (len(layers), H, T).

    All heads are computed in one batch: each row lacks another head, and joins the pass at the layer of its head.
    """
    in_order = sorted(layers, key=lambda place: (place[0] != "encoder", place[1]))
    entering, heads = [], []
    for kind, layer in in_order:
        side: edits.Side = "encoder" if kind == "encoder" else "decoder"
        before = run.trace.values[residual(side, layer - 1 if layer else "input")]  # (T, d_model)
        entering.append(Entering(side, layer, torch.from_numpy(before).expand(checkpoint.model.config.heads, -1, -1)))
        heads += [(f"{path(kind, layer)}.head_outputs", head) for head in range(checkpoint.model.config.heads)]
    effects = effects_of(checkpoint, run, entering, without(heads))
    effects = effects.reshape(len(layers), -1, effects.shape[-1])
    return effects[[in_order.index(place) for place in layers]]


def without(heads: Sequence[tuple[str, int]]) -> Tap:
    """A tap that zeroes a head of the value named in each row of the batch."""

    def tap(name: str, value: Tensor) -> Tensor:
        rows = [(row, head) for row, (value_name, head) in enumerate(heads) if value_name == name]
        if not rows:
            return value
        value = value.clone()  # (B, H, Q, D)
        for row, head in rows:
            value[row, head] = 0
        return value

    return tap


@dataclass(frozen=True, eq=False)
class Entering:
    """Rows of a batch that join the pass where they enter a layer of a side, or follow its last: x (B, T, d_model)."""

    side: edits.Side
    layer: int
    x: Tensor


def effects_of(checkpoint: Checkpoint, run: Translation, entering: Sequence[Entering], tap: Tap = silent) -> np.ndarray:
    """The effect at each token, (B, T), of what enters; `tap` edits the rest of the pass, of all rows together.

    The rows are those of `entering`, in the order of the pass: the encoder's first, then by layer. What comes before
    the layer that they enter is not computed again.
    """
    model, values, device = checkpoint.model, run.trace.values, checkpoint.model.device
    starts = {side: [each for each in entering if each.side == side] for side in ("encoder", "decoder")}

    def joined(x: Tensor, side: str, layer: int) -> Tensor:
        return torch.cat([x, *(each.x.to(device) for each in starts[side] if each.layer == layer)])

    with torch.inference_mode():
        edited = sum(len(each.x) for each in starts["encoder"])  # rows whose encoder is not the run's
        memory = torch.from_numpy(values["encoder.output"]).to(device)[None] if run.source else None  # (1, S, d_model)
        x = torch.empty(0)
        if edited:
            visible = masks.everything(torch.tensor([run.source], device=device))
            mask = masks.encoder_self(visible, is_causal=model.config.causal_encoder)  # to (1, 1, S, S)
            bias = model.bias("encoder", 0, len(run.source))
            x = starts["encoder"][0].x[:0].to(device)
            for number in range(starts["encoder"][0].layer, len(model.encoder)):
                x = model.encoder[number](joined(x, "encoder", number), mask, under(f"encoder.{number}", tap), bias)
            x = model.encoder_norm(joined(x, "encoder", len(model.encoder)))  # (B, S, d_model)
            if not run.target:
                return cosine(values["encoder.output"], x.cpu().numpy()) - 1
        count = len(run.target)
        bias = model.bias("decoder", 0, count)
        first = 0 if edited else starts["decoder"][0].layer
        edited_memory, y = x, torch.from_numpy(values["decoder.input"]).to(device).expand(edited, -1, -1)
        for number in range(first, len(model.decoder)):
            y = joined(y, "decoder", number)  # (B, T, d_model)
            read = None if memory is None else memory.expand(len(y), -1, -1)
            if edited and memory is not None:
                read = torch.cat([edited_memory, memory.expand(len(y) - edited, -1, -1)])
            seen = model.seen(number, count)
            y = model.decoder[number](y, seen, read, None, under(f"decoder.{number}", tap), bias=bias)
        y = joined(y, "decoder", len(model.decoder))
        logits = model.predict(model.decoder_norm(y)).cpu()  # (B, T, V)
        ids = torch.from_numpy(generated(run)).expand(len(y), -1)  # (B, T)
        after = logits.log_softmax(dim=-1).gather(-1, ids[..., None])[..., 0]  # (B, T)
    return after.numpy() - predictions.log_probabilities(run.trace, generated(run))


def strength(run: Translation, kind: AttentionKind, token: int) -> np.ndarray:
    """The largest weight of each head, (L, H), in the row of `token`.

    The encoder of an encoder-decoder has no row for a step; there it is the mean of the largest weights of all rows.
    """
    largest = run.trace.weights(kind).max(axis=-1)  # (L, H, Q)
    return largest.mean(axis=-1) if kind == "encoder" and run.target else largest[..., token]


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1 of all values, flat. Equal values get the mean of their ranks."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    below = (flat[:, None] > flat).sum(axis=1)
    same = (flat[:, None] == flat).sum(axis=1)
    return below + (same + 1) / 2


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Rank correlation of two arrays of one shape: the correlation of their ranks; NaN where one is constant."""
    a, b = ranks(first), ranks(second)
    a, b = a - a.mean(), b - b.mean()
    spread = np.sqrt((a**2).sum() * (b**2).sum())
    return float((a * b).sum() / spread) if spread else float("nan")


# a head that matters and one that only looks as if it did


@dataclass(frozen=True)
class Contrast:
    """A head whose removal changes the output, and one with large weights whose removal does not.

    A head is None if the sentence has no such head. `strength` is the mean largest weight of the `idle` head, `moved`
    its largest effect in nats.
    """

    matters: Head | None
    idle: Head | None
    strength: float
    moved: float


def contrast(checkpoint: Checkpoint, sentence: str) -> Contrast:
    """Decode once without each head and choose both heads of the contrast.

    `matters` is the head with the largest effect among those whose removal changes the text. `idle` is the head with
    the largest weights among those without effect, a cross-attention head if there is one.
    """
    run = translate(checkpoint, sentence)
    texts = texts_without(checkpoint, run)
    layers = {kind: len(run.trace.weights(kind)) for kind in run.trace.kinds}
    effect_of: dict[Head, float] = {}
    for kind, count in layers.items():
        for layer in range(count):
            effects = np.abs(head_effects(checkpoint, run, kind, layer)[:, first_step(checkpoint, run) :])
            effect_of |= {(kind, layer, head): float(most) for head, most in enumerate(effects.max(axis=1))}
    striking = {head: float(run.trace.weights(head[0])[head[1:]].max(axis=-1)[1:].mean()) for head in effect_of}
    matters = [head for head, text in texts.items() if text != run.text]
    idle = [head for head, text in texts.items() if text == run.text and effect_of[head] < STILL]
    best = max(idle, key=lambda head: (head[0] == "cross", striking[head]), default=None)
    return Contrast(
        max(matters, key=effect_of.__getitem__, default=None),
        best,
        striking[best] if best else 0.0,
        effect_of[best] if best else 0.0,
    )


def texts_without(checkpoint: Checkpoint, run: Translation) -> dict[Head, str]:
    """The text that the model writes without each of its heads."""
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    if not run.target:
        return {}
    heads: list[Head] = [
        (kind, layer, head)
        for kind in run.trace.kinds
        for layer in range(len(run.trace.weights(kind)))
        for head in range(model.config.heads)
    ]
    outputs = [(f"{path(kind, layer)}.head_outputs", head) for kind, layer, head in heads]
    longest = readable_tokens(model.config)
    if model.config.architecture == "decoder":
        prompt = source_ids(checkpoint, run)
        read, prefix, limit = prompt, prompt, len(run.target) + 1 - len(prompt)
    else:
        read, prefix, limit = run.source, (), (longest if checkpoint.trained else min(longest, UNTRAINED_LIMIT)) - 1
    decoded_all = greedy(model, [read] * len(heads), limit, tap=without(outputs))
    return {head: tokenizer.decode([*prefix, *each.ids]) for head, each in zip(heads, decoded_all, strict=True)}
