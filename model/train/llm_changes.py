"""From the Transformer of 2017 to the LLMs of today in six changes, each a change of a run's settings.

Sources: decoder only (Radford et al. 2018), norm before the sublayer (Radford et al. 2019, Xiong et al. 2020), RMSNorm
(Zhang and Sennrich 2019), gated feed-forward (Shazeer 2020), rotary positions (Su et al. 2021), grouped-query attention
(Ainslie et al. 2023). Llama has all six.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from corpora.task_list import PIECES
from model.decode.cache_cost import work
from model.initial_weights import count_parameters, shapes_only
from model.train.model_config import shape
from model.train.run_settings import DEFAULTS, RunSettings
from model.transformer import Transformer


@dataclass(frozen=True)
class Change:
    """Change from the Transformer of 2017 to an LLM of today, its year, and the settings of a run that make it."""

    name: str
    year: int
    settings: dict[str, Any] = field(hash=False)


CHANGES = (
    Change("decoder_only", 2018, {"architecture": "decoder", "decoder_layers": 4}),  # as many layers as on both sides
    Change("pre_norm", 2019, {"norm": "pre"}),
    Change("rms_norm", 2019, {"norm_kind": "rms"}),
    Change("gated", 2020, {"gated": True, "activation": "silu", "d_ff": 128}),  # three matrices as large as two of 192
    Change("rotary", 2021, {"position": "rotary"}),
    Change("grouped", 2023, {"key_value_heads": 2}),
)
NAMES = tuple(change.name for change in CHANGES)
BEGINNING = "llm-2017"
SEEDS = (1, 2)  # trained as well, for how far the loss differs by chance
_BASE = replace(
    DEFAULTS["grammar"], d_model=64, heads=4, norm="post", sentences=2, steps=4000, warmup=300, label_smoothing=0.0
)  # fmt: skip


READ, WRITTEN = 10, 10  # tokens of the source and of the output so far, in the cost of the next token
POSITIONS = 64  # of the model whose parameters are counted; here no position has any


@dataclass(frozen=True)
class Cost:
    """Costs of a model: parameters, numbers in the cache per token, and multiplications for the next token."""

    parameters: int
    cached: int
    products: int


def settings(names: Collection[str]) -> RunSettings:
    """The run of the model with these changes."""
    fields: dict[str, Any] = {}
    for change in CHANGES:
        if change.name in names:
            fields |= change.settings
    return replace(_BASE, **fields)


@lru_cache(maxsize=64)
def cost(names: frozenset[str]) -> Cost:
    """The cost of the model with these changes. A token of the source is cached too, for cross-attention."""
    run = settings(names)
    config = shape(run, PIECES, POSITIONS)
    with shapes_only():
        parameters = count_parameters(Transformer(config))["total"]
    read, source = (READ + WRITTEN, 0) if run.alone else (WRITTEN, READ)
    products = work(config, 1, read, source, first=False).total
    return Cost(parameters, 2 * config.decoder_layers * config.kv_heads * config.d_k, products)


def series() -> dict[str, tuple[str, ...]]:
    """The shipped models: each has one change more than the one before it. Name -> its changes."""
    names = (BEGINNING, *(f"llm-{name.replace('_', '-')}" for name in NAMES))
    return {name: NAMES[:count] for count, name in enumerate(names)}
