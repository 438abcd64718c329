"""Mistakes worth teaching, each beside its healthy twin and with the number that gives it away.

A mistake is a change of the config, an edit, or what is fed in; `symptom` measures both twins on the
same sample. d = d_model, D = d / heads.
"""

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

import numpy as np
import torch
from torch import Tensor, nn

from model.config import Architecture, TransformerConfig
from model.decoding import greedy, pad
from model.edits import Edit, EditedPass, allow, compose, replace_position, scale
from model.refused import Refused
from model.tokenizer import BOS, EOS, PAD
from model.trace import Recorder, Tap, silent
from model.transformer import Transformer, sinusoidal_positions

Numbers = dict[str, float]

SMALL = TransformerConfig(
    source_vocabulary=50, target_vocabulary=50, d_model=64, heads=2, encoder_layers=6, decoder_layers=2, d_ff=128,
    max_length=64,
)  # fmt: skip
LEARNER = TransformerConfig(
    source_vocabulary=12, target_vocabulary=12, d_model=32, heads=2, encoder_layers=1, decoder_layers=1, d_ff=64,
    norm="pre", final_norm=True, dropout=0.0, max_length=16,
)  # fmt: skip
WIDE_HEAD = replace(SMALL, d_model=256, heads=1, encoder_layers=2)  # √D = 16: where scaling matters most
STEPS = 250  # of learning
RECORDED_DROPOUT = 0.1


@dataclass(frozen=True)
class Sample:
    """What both twins read: source ids, and target ids from `<bos>` on."""

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
        mask = source != PAD if mask is None else mask
        config = self.model.config
        return self.model(
            source if config.encoder_layers else None,
            target if config.decoder_layers else None,
            mask if config.encoder_layers else None,
            tap,
        )


def no_edits(config: TransformerConfig) -> tuple[Edit, ...]:
    """For a mistake that is made otherwise."""
    return ()


@dataclass(frozen=True)
class Symptom:
    """The same numbers of both twins, by name."""

    healthy: Numbers
    broken: Numbers


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """One wrong line of code.

    seen_in    letters of the systems that have it, or a word
    wrong      the line, as text; never run
    right      the line as it should be
    config     what both twins are built from where nothing else is given
    needs      fields that the healthy twin must have for the mistake to be possible
    change     fields that differ in the broken twin
    edits      edits of the broken twin
    same_ids   whether the broken twin's encoder reads the target
    architectures  those in which it can be made
    raises     the error that Python gives, for a mistake that does not run at all
    learns     whether measuring trains both twins first (seconds)
    """

    key: str
    seen_in: str
    wrong: str
    right: str
    config: TransformerConfig = SMALL
    needs: Mapping[str, object] = field(default_factory=dict)
    change: Mapping[str, object] = field(default_factory=dict)
    edits: Callable[[TransformerConfig], tuple[Edit, ...]] = no_edits
    same_ids: bool = False
    architectures: tuple[Architecture, ...] = get_args(Architecture)
    measure: Callable[[Twin, Sample], Numbers] | None = None
    raises: str = ""
    learns: bool = False

    def twins(self, config: TransformerConfig | None = None, *, seed: int = 0) -> tuple[Twin, Twin]:
        """Healthy and broken, untrained, with the same weights where the mistake is not in the weights.

        Raises `Refused` for a config in which the mistake cannot be made.
        """
        _check(config or self.config, self.architectures, self.learns)
        sound = replace(config or self.config, **self.needs)  # type: ignore[arg-type]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            healthy = Transformer(sound).eval()
            torch.manual_seed(seed)
            broken = Transformer(replace(sound, **self.change)).eval()  # type: ignore[arg-type]
        if "init" not in self.change:
            broken.load_state_dict(healthy.state_dict(), strict=False)  # without norms there are fewer
        return Twin(healthy), Twin(broken, self.edits(broken.config), self.same_ids, broken=True)

    def symptom(
        self, config: TransformerConfig | None = None, *, sample: Sample | None = None, seed: int = 0
    ) -> Symptom | None:
        """The numbers that give the mistake away; None for one that does not run."""
        if self.measure is None:
            return None
        healthy, broken = self.twins(config, seed=seed)
        sample = sample or sample_for(healthy.model.config)
        return Symptom(self.measure(healthy, sample), self.measure(broken, sample))


def sample_for(config: TransformerConfig, length: int = 12, seed: int = 0) -> Sample:
    """Random words between the specials."""
    rng = random.Random(seed)

    def words(vocabulary: int) -> list[int]:
        return [rng.randrange(min(4, vocabulary - 1), vocabulary) for _ in range(length)] if vocabulary else []

    return Sample((BOS, *words(config.source_vocabulary), EOS), (BOS, *words(config.target_vocabulary)))


def _check(config: TransformerConfig, architectures: tuple[Architecture, ...], learns: bool) -> None:
    for name, choices in (("inputs", ("tokens",)), ("architecture", architectures)):
        if (value := getattr(config, name)) not in choices:
            raise Refused("config_choice", field=name, value=value, choices=", ".join(choices))
    least = {"source_vocabulary": 12, "target_vocabulary": 12, "max_length": 8} if learns else {}  # for `reversals`
    for name, minimum in least.items():
        if getattr(config, name) < minimum:
            raise Refused("config_number", field=name, value=getattr(config, name), minimum=minimum)


def frequencies(config: TransformerConfig, *, inverted: bool = False) -> Tensor:
    """Of each pair of the position table (section 3.5), (d / 2), rad per position; base^(−2i/d), or its inverse."""
    exponent = torch.arange(0, config.d_model, 2) / config.d_model
    return config.position_base ** (exponent if inverted else -exponent)


def wrong_positions(config: TransformerConfig) -> tuple[Edit, ...]:
    """sin(n / base^(−2i/d)) in place of sin(n · base^(−2i/d))."""
    table = sinusoidal_positions(config.max_length, config.d_model, 1 / config.position_base)
    sides = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    return tuple(replace_position(side, table) for side, layers in sides.items() if layers)  # type: ignore[arg-type]


def unscaled_scores(config: TransformerConfig) -> tuple[Edit, ...]:
    return (scale("*.scores", math.sqrt(config.d_model // config.heads)),)


def no_causal_mask(config: TransformerConfig) -> tuple[Edit, ...]:
    return (allow("decoder.*.self_attention"),)


def no_padding_mask(config: TransformerConfig) -> tuple[Edit, ...]:
    """Everything may be seen; in an encoder with a causal mask that goes as well."""
    cross = (allow("decoder.*.cross_attention"),) if config.architecture == "encoder-decoder" else ()
    return (allow("encoder.*.self_attention"), *cross)


def softmax_over_queries(config: TransformerConfig) -> tuple[Edit, ...]:
    return (Edit("*.weights", lambda weights, at: at.masked_scores.softmax(dim=-2)),)


def dropped_weights(config: TransformerConfig) -> tuple[Edit, ...]:
    """The dropout of section 5.4 before the place where weights are recorded, in place of after it."""
    rate = RECORDED_DROPOUT
    return (Edit("*.weights", lambda weights, at: nn.functional.dropout(weights, rate, at.model.training)),)


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
    entropy = [-(w * np.log(np.maximum(w, 1e-30))).sum(-1) for w in weights]
    # ∂w/∂s = diag(w) − w wᵀ, whose squared norm is Σw² − 2 Σw³ + (Σw²)²
    square, cube = [np.square(w).sum(-1) for w in weights], [(w**3).sum(-1) for w in weights]
    norm = [np.sqrt(np.maximum(s - 2 * c + s**2, 0)) for s, c in zip(square, cube, strict=True)]
    return {"entropy": float(np.concatenate(entropy).mean()), "softmax_gradient": float(np.concatenate(norm).mean())}


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
    found = []
    for seen in (0, 1):  # the first so many source tokens may be seen
        recorder = Recorder(twin.tap())
        with torch.inference_mode():
            twin.logits(source, target, recorder, torch.arange(source.size(1))[None] < seen)
        found.append(recorder.values[name])
    empty, ordinary = found
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
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        twin.model.train()
        values = twin.values(sample)
        twin.model.eval()
    rows = [np.abs(w.sum(-1) - 1).ravel() for name, w in values.items() if name.endswith(".weights")]
    return {"mean_row_error": float(np.concatenate(rows).mean()), "worst_row_error": float(np.concatenate(rows).max())}


def reversals(count: int, seed: str) -> list[tuple[list[int], list[int]]]:
    """3 to 5 letters, and the same backwards: nothing that a copy of the source would solve."""
    rng = random.Random(seed)
    words = [[rng.randrange(4, 12) for _ in range(rng.randint(3, 5))] for _ in range(count)]
    return [([BOS, *word, EOS], [BOS, *word[::-1], EOS]) for word in words]


def learn(twin: Twin, steps: int = STEPS, seed: int = 0) -> Iterator[float]:
    """Teach a twin to reverse, edits and all, in place; yields the loss of each step, nats per token."""
    optimizer = torch.optim.Adam(twin.model.parameters(), lr=0.0, betas=(0.9, 0.98))
    twin.model.train()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 8e-3 * min(1, (step + 1) / 30) * (1 - step / steps)
        loss = teacher_forced_loss(twin, reversals(64, f"{seed}/{step}"), twin.tap())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(twin.model.parameters(), 1.0)
        optimizer.step()
        yield loss.item()
    twin.model.eval()


def teacher_forced_loss(twin: Twin, examples: list[tuple[list[int], list[int]]], tap: Tap) -> Tensor:
    """Cross-entropy of the next token, nats, the true prefix given."""
    source, target = pad([source for source, _ in examples])[0], pad([target for _, target in examples])[0]
    logits = twin.logits(source, target[:, :-1], tap)
    return nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)


def learned(twin: Twin, sample: Sample) -> Numbers:
    """After learning: losses and what greedy decoding makes of 100 unseen words.

    `loss` is that of training, edits and all, `masked_loss` is without the edits, as decoding has it;
    `exact` and `copied` are shares of outputs equal to the target and to the source. `near_diagonal` is the
    share of cross-attention on the keys at the query's place and one after it, where the next token would stand.
    """
    for _ in learn(twin):
        pass
    unseen = reversals(100, "unseen")
    written = [tuple(result.ids[:-1]) for result in greedy(twin.model, [source for source, _ in unseen], 8)]
    with torch.inference_mode():
        loss = float(teacher_forced_loss(twin, unseen, twin.tap()))
        masked = float(teacher_forced_loss(twin, unseen, silent))
    return {
        "loss": loss,
        "masked_loss": masked,
        "exact": float(np.mean([w == tuple(t[1:-1]) for w, (_, t) in zip(written, unseen, strict=True)])),
        "copied": float(np.mean([w == tuple(s[1:-1]) for w, (s, _) in zip(written, unseen, strict=True)])),
        "near_diagonal": float(np.mean([near_diagonal(twin, Sample(tuple(s), tuple(t[:-1]))) for s, t in unseen])),
    }


def near_diagonal(twin: Twin, sample: Sample) -> float:
    """Mean weight that the last cross-attention gives to the keys at the query's place and one after it."""
    name = f"decoder.{twin.model.config.decoder_layers - 1}.cross_attention.weights"
    weights = twin.values(sample)[name].mean(0)  # (Q, K)
    return float((np.trace(weights) + np.trace(weights, offset=1)) / len(weights))


MISTAKES = {
    mistake.key: mistake
    for mistake in (
        Mistake(
            key="inverted_frequency",
            seen_in="B",
            wrong="angle = position / base ** (-2 * i / d_model)",
            right="angle = position * base ** (-2 * i / d_model)",
            needs={"position": "sinusoidal"},
            edits=wrong_positions,
            measure=spectrum,
        ),
        Mistake(
            key="norm_ignored",
            seen_in="B",
            wrong="y = norm(x); x = x + sublayer(x)",
            right="y = norm(x); x = x + sublayer(y)",
            needs={"norm": "pre", "final_norm": False},
            change={"norm": "none"},
            measure=growth,
        ),
        Mistake(
            key="result_for_function",
            seen_in="B",
            wrong="x = residual(x, feed_forward(x))",
            right="x = residual(x, feed_forward)",
            raises="TypeError: 'Tensor' object is not callable",
        ),
        Mistake(
            key="unscaled_scores",
            seen_in="C, D",
            wrong="scores = q @ k.transpose(-2, -1)",
            right="scores = q @ k.transpose(-2, -1) / sqrt(d_k)",
            config=WIDE_HEAD,
            edits=unscaled_scores,
            measure=saturation,
        ),
        Mistake(
            key="unscaled_embedding",
            seen_in="C",
            wrong="x = embedding(ids) + position",
            right="x = embedding(ids) * sqrt(d_model) + position",
            needs={"scale_embedding": True, "position": "sinusoidal"},
            change={"scale_embedding": False},
            measure=energy,
        ),
        Mistake(
            key="unfit_init",
            seen_in="C",
            wrong="nn.init.normal_(embedding.weight)  # and then * sqrt(d_model)",
            right="nn.init.normal_(embedding.weight, std=d_model ** -0.5)",
            needs={"scale_embedding": True, "init": "scaled", "position": "sinusoidal"},
            change={"init": "normal"},
            measure=energy,
        ),
        Mistake(
            key="no_causal_mask",
            seen_in="all",
            wrong="logits = decoder(target, mask=None)",
            right="logits = decoder(target, mask=causal)",
            config=LEARNER,
            architectures=("encoder-decoder",),
            edits=no_causal_mask,
            measure=learned,
            learns=True,
        ),
        Mistake(
            key="no_padding_mask",
            seen_in="D",
            wrong="memory = encoder(source, mask=None)",
            right="memory = encoder(source, mask=source != pad)",
            architectures=("encoder-decoder", "encoder"),
            edits=no_padding_mask,
            measure=dependence_on_neighbours,
        ),
        Mistake(
            key="finite_fill",
            seen_in="B, C",
            wrong="scores.masked_fill(~mask, -1e9)",
            right="scores.masked_fill(~mask, -inf)",
            architectures=("encoder-decoder", "encoder"),
            needs={"mask_fill": "-inf"},
            change={"mask_fill": "-1e9"},
            measure=empty_row,
        ),
        Mistake(
            key="softmax_axis",
            seen_in="common",
            wrong="weights = scores.softmax(dim=-2)",
            right="weights = scores.softmax(dim=-1)",
            edits=softmax_over_queries,
            measure=sums,
        ),
        Mistake(
            key="same_ids",
            seen_in="D",
            wrong="logits = decoder(ids, encoder(ids))",
            right="logits = decoder(target, encoder(source))",
            config=LEARNER,
            architectures=("encoder-decoder",),
            same_ids=True,
            measure=learned,
            learns=True,
        ),
        Mistake(
            key="textbook_norm",
            seen_in="D",
            wrong="(x - mean) / (x.std() + eps)",
            right="(x - mean) / sqrt(x.var(unbiased=False) + eps)",
            needs={"norm": "post", "norm_kind": "torch"},
            change={"norm_kind": "textbook"},
            measure=deviation,
        ),
        Mistake(
            key="recorded_after_dropout",
            seen_in="C",
            wrong="weights = dropout(weights); return weights @ v, weights",
            right="return dropout(weights) @ v, weights",
            needs={"dropout": RECORDED_DROPOUT},
            change={"dropout": 0.0},  # the edit drops instead, so that weights are dropped once
            edits=dropped_weights,
            measure=sums_in_training,
        ),
    )
}
