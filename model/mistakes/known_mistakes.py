"""The known mistakes, each with the number that reveals it when the broken twin is measured beside the healthy one.

A mistake is a change of the config, an edit, or what is fed in; `symptom` measures both twins on the
same sample.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

from torch import nn

from model.config import Architecture, TransformerConfig
from model.edit.edited_pass import Edit
from model.edit.edits import allow, replace_position, scale
from model.errors import InvalidInput
from model.initial_weights import drawn_from
from model.mistakes.metrics import (
    Numbers,
    Sample,
    Twin,
    dependence_on_neighbours,
    deviation,
    empty_row,
    energy,
    growth,
    learned,
    sample_for,
    saturation,
    spectrum,
    sums,
    sums_in_training,
)
from model.position_methods import sinusoidal_positions
from model.transformer import Transformer

SMALL = TransformerConfig(
    source_vocabulary=50, target_vocabulary=50, d_model=64, heads=2, encoder_layers=6, decoder_layers=2, d_ff=128,
    max_length=64,
)  # fmt: skip
LEARNER = TransformerConfig(
    source_vocabulary=12, target_vocabulary=12, d_model=32, heads=2, encoder_layers=1, decoder_layers=1, d_ff=64,
    norm="pre", final_norm=True, dropout=0.0, max_length=16,
)  # fmt: skip
WIDE_HEAD = replace(SMALL, d_model=256, heads=1, encoder_layers=2)  # √D = 16: where scaling matters most
RECORDED_DROPOUT = 0.1


def no_edits(config: TransformerConfig) -> tuple[Edit, ...]:
    """No edits: for a mistake that is made in the config or the input."""
    return ()


@dataclass(frozen=True)
class Symptom:
    """The measured numbers of both twins, by name."""

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

        Raises `InvalidInput` for a config in which the mistake cannot be made.
        """
        _check(config or self.config, self.architectures, self.learns)
        sound = replace(config or self.config, **self.needs)  # type: ignore[arg-type]
        with drawn_from(seed):
            healthy = Transformer(sound).eval()
        with drawn_from(seed):
            broken = Transformer(replace(sound, **self.change)).eval()  # type: ignore[arg-type]
        if "init" not in self.change:
            broken.load_state_dict(healthy.state_dict(), strict=False)  # without norms there are fewer
        return Twin(healthy), Twin(broken, self.edits(broken.config), self.same_ids, broken=True)

    def symptom(
        self, config: TransformerConfig | None = None, *, sample: Sample | None = None, seed: int = 0
    ) -> Symptom | None:
        """The numbers that reveal the mistake; None for a mistake that does not run."""
        if self.measure is None:
            return None
        healthy, broken = self.twins(config, seed=seed)
        sample = sample or sample_for(healthy.model.config)
        return Symptom(self.measure(healthy, sample), self.measure(broken, sample))


def _check(config: TransformerConfig, architectures: tuple[Architecture, ...], learns: bool) -> None:
    for name, choices in (("inputs", ("tokens",)), ("architecture", architectures)):
        if (value := getattr(config, name)) not in choices:
            raise InvalidInput("config_choice", field=name, value=value, choices=", ".join(choices))
    least = {"source_vocabulary": 12, "target_vocabulary": 12, "max_length": 8} if learns else {}  # for `reversals`
    for name, minimum in least.items():
        if getattr(config, name) < minimum:
            raise InvalidInput("config_number", field=name, value=getattr(config, name), minimum=minimum)


def wrong_positions(config: TransformerConfig) -> tuple[Edit, ...]:
    """sin(n / base^(−2i/d)) in place of sin(n · base^(−2i/d))."""
    table = sinusoidal_positions(config.max_length, config.d_model, 1 / config.position_base)
    sides = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    return tuple(replace_position(side, table) for side, layers in sides.items() if layers)  # type: ignore[arg-type]


def unscaled_scores(config: TransformerConfig) -> tuple[Edit, ...]:
    return (scale("*.scores", math.sqrt(config.d_k)),)


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
