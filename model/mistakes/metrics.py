"""Twins (models under edits), and the measures that reveal mistakes: each takes one and a sample, and gives numbers.

d = d_model, D = d / heads.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from corpora.pairs import Example
from model import masks
from model.analysis.softmax import NATS_PER_BIT, entropy_bits
from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.edit.edited_pass import Edit, EditedPass, compose
from model.initial_weights import drawn_from, shapes_only
from model.tokenization.tokenizer import BOS, EOS, PAD
from model.trace import Recorder, Tap, silent
from model.train.trainer import Trainer, TrainingSettings
from model.transformer import Transformer

Numbers = dict[str, float]
STEPS = 250  # of learning


@dataclass(frozen=True)
class Sample:
    """Input of both twins: source ids, and target ids from `<bos>` on."""

    source: tuple[int, ...]
    target: tuple[int, ...]


@dataclass(frozen=True)
class Twin:
    """A model under edits. With `same_ids` the target's ids are fed to the encoder as well."""

    model: Transformer
    edits: tuple[Edit, ...] = ()
    same_ids: bool = False
    broken: bool = False

    def tap(self, then: Tap = silent) -> EditedPass:
        return compose(self.model, *self.edits, then=then)

    def values(self, sample: Sample) -> dict[str, np.ndarray]:
        """Every value of a pass over the sample."""
        recorder = Recorder(self.tap())
        source, target = torch.tensor([sample.source]), torch.tensor([sample.target])
        with torch.inference_mode():
            self.logits(source, target, recorder)
        return recorder.values

    def logits(self, source: Tensor, target: Tensor, tap: Tap, mask: Tensor | None = None) -> Tensor:
        """(B, T, V) for sources (B, S) and targets (B, T); a side that the model lacks is left out."""
        source = target if self.same_ids else source
        mask = masks.real(source) if mask is None else mask
        config = self.model.config
        return self.model(
            source if config.encoder_layers else None,
            target if config.decoder_layers else None,
            mask if config.encoder_layers else None,
            tap,
        )


def sharing(model: Transformer, config: TransformerConfig) -> Transformer:
    """Another model around the same weights, in eval mode.

    `config` may differ in what has no weights, or leave norms out.
    """
    with shapes_only():
        other = Transformer(config)
    other.load_state_dict(model.state_dict(), strict=False, assign=True)
    other.fix_positions()
    return other.eval().requires_grad_(False)


def apart(twin: Twin) -> Twin:
    """A twin with a model object of its own, which can be put into training mode while others use the first."""
    return replace(twin, model=sharing(twin.model, twin.model.config))


def sample_for(config: TransformerConfig, length: int = 12, seed: int = 0) -> Sample:
    """Random words between the specials."""
    rng = random.Random(seed)

    def words(vocabulary: int) -> list[int]:
        return [rng.randrange(min(4, vocabulary - 1), vocabulary) for _ in range(length)] if vocabulary else []

    return Sample((BOS, *words(config.source_vocabulary), EOS), (BOS, *words(config.target_vocabulary)))


def frequencies(config: TransformerConfig, *, inverted: bool = False) -> Tensor:
    """Of each pair of the position table (section 3.5), (d / 2), rad per position; base^(−2i/d), or its inverse."""
    exponent = torch.arange(0, config.d_model, 2) / config.d_model
    return config.position_base ** (exponent if inverted else -exponent)


def spectrum(twin: Twin, sample: Sample) -> Numbers:
    """The last pair's frequency, rad per position, and how alike neighbours are in the slow half, −1 to 1."""
    side = "encoder" if twin.model.config.encoder_layers else "decoder"
    slow = twin.values(sample)[f"{side}.position"][:, twin.model.config.d_model // 2 :]  # (T, d / 2)
    products = (slow[1:] * slow[:-1]).sum(-1) / np.square(slow[:-1]).sum(-1)
    return {
        "last_frequency": float(frequencies(twin.model.config, inverted=twin.broken)[-1]),
        "neighbour_similarity": float(products.mean()),
    }


def growth(twin: Twin, sample: Sample) -> Numbers:
    """Root mean square of the residual stream at the input and after each layer of the first stack."""
    side = "encoder" if twin.model.config.encoder_layers else "decoder"
    values = twin.values(sample)
    stream = [values[f"{side}.input"]]
    while (name := f"{side}.{len(stream) - 1}.feed_forward.residual") in values:
        stream.append(values[name])
    sizes = [float(np.sqrt(np.square(x).mean())) for x in stream]
    return {f"rms_{layer}": size for layer, size in enumerate(sizes)} | {"growth": sizes[-1] / sizes[0]}


def saturation(twin: Twin, sample: Sample) -> Numbers:
    """Mean entropy of the weights' rows, nats, and mean Frobenius norm of the softmax's gradient."""
    weights = [w.reshape(-1, w.shape[-1]) for name, w in twin.values(sample).items() if name.endswith(".weights")]
    spread = [entropy_bits(w) * NATS_PER_BIT for w in weights]
    # ∂w/∂s = diag(w) − w wᵀ, whose squared norm is Σw² − 2 Σw³ + (Σw²)²
    square, cube = [np.square(w).sum(-1) for w in weights], [(w**3).sum(-1) for w in weights]
    norm = [np.sqrt(np.maximum(s - 2 * c + s**2, 0)) for s, c in zip(square, cube, strict=True)]
    return {"entropy": float(np.concatenate(spread).mean()), "softmax_gradient": float(np.concatenate(norm).mean())}


def energy(twin: Twin, sample: Sample) -> Numbers:
    """Mean squared length of the embeddings and of the positions of a sample, and their ratio."""
    side = "encoder" if twin.model.config.encoder_layers else "decoder"
    values = twin.values(sample)
    words, places = (float(np.square(values[f"{side}.{part}"]).sum(-1).mean()) for part in ("embedding", "position"))
    return {"embedding": words, "position": places, "ratio": words / places}


def dependence_on_neighbours(twin: Twin, sample: Sample) -> Numbers:
    """Largest change of a logit when a batch neighbour is 6 tokens longer, so that padding is added."""
    source, target = torch.tensor([sample.source]), torch.tensor([sample.target])
    with torch.inference_mode():
        alone = twin.logits(source, target, twin.tap())
        beside = twin.logits(nn.functional.pad(source, (0, 6), value=PAD), target, twin.tap())
    return {"logit_change": float((alone - beside[:, : alone.size(1)]).abs().max())}


def empty_row(twin: Twin, sample: Sample) -> Numbers:
    """Weights of a row that may see nothing: share of NaN, and distance of the rest from uniform, 1 / K.

    `masked_weight` is the largest forbidden weight of an ordinary pass, where all but `<bos>` is hidden.
    """
    source, target = torch.tensor([sample.source]), torch.tensor([sample.target])
    name = "encoder.0.self_attention.weights"
    weights = []
    for count in (0, 1):  # the first so many source tokens may be seen
        recorder = Recorder(twin.tap())
        with torch.inference_mode():
            twin.logits(source, target, recorder, torch.arange(source.size(1))[None] < count)
        weights.append(recorder.values[name])
    empty, ordinary = weights
    uniform = np.abs(empty - 1 / empty.shape[-1]).max()
    return {
        "nan_share": float(np.isnan(empty).mean()),
        "from_uniform": float(uniform),
        "masked_weight": float(ordinary[..., 1:].max()),
    }


def sums(twin: Twin, sample: Sample) -> Numbers:
    """How far rows and columns of the first attention are from sum 1, at worst."""
    side = "encoder" if twin.model.config.encoder_layers else "decoder"
    weights = twin.values(sample)[f"{side}.0.self_attention.weights"]
    return {f"{line}_error": float(np.abs(weights.sum(axis) - 1).max()) for line, axis in (("row", -1), ("column", -2))}


def deviation(twin: Twin, sample: Sample) -> Numbers:
    """Standard deviation (biased) of what leaves the first LayerNorm while γ is 1 and β 0."""
    side = "encoder" if twin.model.config.encoder_layers else "decoder"
    return {"deviation": float(twin.values(sample)[f"{side}.0.self_attention.residual"].std(-1).mean())}


def sums_in_training(twin: Twin, sample: Sample) -> Numbers:
    """How far the recorded rows are from sum 1 while training: on average and at worst."""
    copy = apart(twin)
    copy.model.train()
    with drawn_from(0):
        values = copy.values(sample)
    rows = [np.abs(w.sum(-1) - 1).ravel() for name, w in values.items() if name.endswith(".weights")]
    return {"mean_row_error": float(np.concatenate(rows).mean()), "worst_row_error": float(np.concatenate(rows).max())}


def reversals(count: int, seed: str) -> list[tuple[list[int], list[int]]]:
    """3 to 5 letters, and the same backwards: nothing that a copy of the source would solve."""
    rng = random.Random(seed)
    words = [[rng.randrange(4, 12) for _ in range(rng.randint(3, 5))] for _ in range(count)]
    return [([BOS, *word, EOS], [BOS, *word[::-1], EOS]) for word in words]


def learn(twin: Twin, steps: int = STEPS, seed: int = 0) -> Iterator[float]:
    """Teach a twin to reverse, edits and all, in place; yields the mean loss of each ten steps, nats per token."""

    def examples(count: int, seed: str) -> list[Example]:
        return [(target[:-1] if twin.same_ids else source, target) for source, target in reversals(count, seed)]

    settings = TrainingSettings(
        steps=steps, learning_rate=8e-3, warmup=30, tokens_per_batch=800, label_smoothing=0.0, average=0.0,
        report_every=10, seed=seed,
    )  # fmt: skip
    trainer = Trainer(
        twin.model, settings, lambda epoch: examples(640, f"{seed}/{epoch}"), examples(20, "watched"), tap=twin.tap()
    )
    for report in trainer.reports():
        yield report.loss
    twin.model.eval()


def teacher_forced_loss(twin: Twin, examples: list[tuple[list[int], list[int]]], tap: Tap) -> float:
    """Cross-entropy of the next token, nats, the true prefix given; each example alone, so that nothing is padded."""
    total, count = 0.0, 0
    for source, target in examples:
        logits = twin.logits(torch.tensor([source]), torch.tensor([target[:-1]]), tap)[0]  # (T, V)
        total += float(nn.functional.cross_entropy(logits, torch.tensor(target[1:]), reduction="sum"))
        count += len(target) - 1
    return total / count


def learned(twin: Twin, sample: Sample) -> Numbers:
    """After learning: losses and what greedy decoding makes of 100 unseen words.

    `loss` is that of training, edits and all, `masked_loss` is without the edits, as decoding has it;
    `exact` and `copied` are shares of outputs equal to the target and to the source. `near_diagonal` is the
    share of cross-attention on the keys at the query's place and one after it, where the next token would stand.
    """
    for _ in learn(twin):
        pass
    unseen = reversals(100, "unseen")
    read = [source[:-1] if twin.same_ids else source for source, _ in unseen]  # fed the target, it never saw an <eos>
    outputs = [tuple(result.ids[:-1]) for result in greedy(twin.model, read, 8)]
    with torch.inference_mode():
        loss = teacher_forced_loss(twin, unseen, twin.tap())
        masked = teacher_forced_loss(twin, unseen, silent)
    return {
        "loss": loss,
        "masked_loss": masked,
        "exact": float(np.mean([w == tuple(t[1:-1]) for w, (_, t) in zip(outputs, unseen, strict=True)])),
        "copied": float(np.mean([w == tuple(s[1:-1]) for w, (s, _) in zip(outputs, unseen, strict=True)])),
        "near_diagonal": float(np.mean([near_diagonal(twin, Sample(tuple(s), tuple(t[:-1]))) for s, t in unseen])),
    }


def near_diagonal(twin: Twin, sample: Sample) -> float:
    """Mean weight that the last cross-attention gives to the keys at the query's place and one after it."""
    name = f"decoder.{twin.model.config.decoder_layers - 1}.cross_attention.weights"
    weights = twin.values(sample)[name].mean(0)  # (Q, K)
    return float((np.trace(weights) + np.trace(weights, offset=1)) / len(weights))
