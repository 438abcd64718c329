"""Energy of the embeddings beside that of the positions added to them: claimed, computed, and measured.

E‖e‖² is the mean over words of the squared length of an embedding row, ‖PE‖² that of a row of the
sinusoidal table (section 3.5); both without unit. The claim is that of the notebook's system.

Only measuring needs torch, which is imported there: formulas and tokens can be shown before it is loaded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.config import TransformerConfig
from model.tokenization.tokenizer import PAD
from model.trace import Trace

if TYPE_CHECKING:
    import torch

    from model.transformer import Transformer

INITS = ("scaled", "xavier", "normal", "small")
VOCABULARIES = (42, 37_000)
SIZES = (256, 512)
AGREES = 1.05  # a claim within this factor of what is computed holds
_ROWS = 4096  # of a table that are squared at a time, in double precision


@dataclass(frozen=True)
class Energy:
    """E‖e‖² before scaling, and ‖PE‖². Scaling by √d_model (section 3.4) multiplies the first by d_model."""

    embedding: float
    position: float
    d_model: int

    @property
    def ratio(self) -> float:
        """E‖e‖² / ‖PE‖², unscaled; infinite for a model without positions."""
        return self.embedding / self.position if self.position else math.inf

    @property
    def scaled_ratio(self) -> float:
        """The same once the embedding is multiplied by √d_model."""
        return self.d_model * self.ratio

    def shown(self, scaled: bool) -> float:
        """One of the two."""
        return self.scaled_ratio if scaled else self.ratio


@dataclass(frozen=True)
class Row:
    """One line of the page's table."""

    init: str
    vocabulary: int
    d_model: int
    claimed: Energy
    computed: Energy
    measured: Energy | None  # None where nothing has been measured yet

    @property
    def excess(self) -> float:
        """The computed ratio over the claimed one; scaling changes both alike."""
        return self.computed.ratio / self.claimed.ratio

    @property
    def holds(self) -> bool:
        """Whether the claim fits."""
        return 1 / AGREES < self.excess < AGREES


def claimed(d_model: int) -> Energy:
    """Energy that the notebook's system claims of any table: variance 1/d_model, E‖e‖² = 1. True of `scaled` alone."""
    return Energy(1.0, d_model / 2, d_model)


def variance(init: str, vocabulary: int, d_model: int) -> float:
    """Of one entry of a (vocabulary, d_model) table: see `initialise`. Xavier-uniform has 2 / (V + d)."""
    return {"scaled": 1 / d_model, "xavier": 2 / (vocabulary + d_model), "normal": 1.0, "small": 0.02**2}[init]


def computed(init: str, vocabulary: int, d_model: int) -> Energy:
    """d_model times the variance of an entry; sin² + cos² = 1 for each of d_model / 2 pairs."""
    return Energy(d_model * variance(init, vocabulary, d_model), d_model / 2, d_model)


def measured(init: str, vocabulary: int, d_model: int, seed: int = 0, length: int = 512) -> Energy:
    """Means over the tables that the model itself starts with, from that seed, over `length` positions.

    The row of padding is left out: no word uses it, and Xavier's is zero.
    """
    import torch

    from model.initial_weights import drawn_from
    from model.transformer import Transformer

    config = TransformerConfig(
        architecture="encoder", source_vocabulary=vocabulary, d_model=d_model, heads=1, encoder_layers=1,
        decoder_layers=0, d_ff=1, init=init, max_length=length,  # type: ignore[arg-type]
    )  # fmt: skip
    with drawn_from(seed), torch.no_grad():
        return of_model(Transformer(config))


def of_model(model: Transformer, side: str = "source") -> Energy:
    """Measured on a model's own embedding table (`source` or `target`), trained or not, and its position table.

    A model without positions has a position energy of 0.
    """
    import torch

    config = model.config
    words = getattr(model, f"{side}_embedding").weight[PAD + 1 :]  # (V - 1, d_model)
    position = torch.zeros(1)
    if config.position == "sinusoidal":
        position = model.sinusoids
    elif config.position == "learned":
        position = model.position_tables["encoder" if side == "source" else "decoder"]
    with torch.no_grad():
        return Energy(_mean_energy(words), _mean_energy(position), config.d_model)


def table(
    inits: tuple[str, ...] = INITS,
    vocabularies: tuple[int, ...] = VOCABULARIES,
    sizes: tuple[int, ...] = SIZES,
    measure: bool = True,
) -> list[Row]:
    """Claimed, computed and measured for every init × vocabulary × d_model; measuring takes seconds, so keep it."""
    return [
        Row(init, v, d, claimed(d), computed(init, v, d), measured(init, v, d) if measure else None)
        for init in inits
        for v in vocabularies
        for d in sizes
    ]


def crossing(init: str, d_model: int) -> float | None:
    """The vocabulary size at which scaled embedding and position are equally strong; None where it plays no part."""
    return 3 * d_model if init == "xavier" else None  # 4d / (V + d) = 1


def per_token(trace: Trace, side: str = "encoder") -> tuple[np.ndarray, np.ndarray]:
    """‖e‖² and ‖PE‖² of each token of a trace, (T) each, the embedding scaled if the model scales it."""
    embedding = np.square(trace.values[f"{side}.embedding"]).sum(axis=-1)  # (T)
    name = f"{side}.position"
    return embedding, np.square(trace.values[name]).sum(axis=-1) if name in trace.values else np.zeros_like(embedding)


def before_and_after(trace: Trace, side: str, scales: bool) -> tuple[np.ndarray, np.ndarray]:
    """‖e‖² of each token, (T) each, of the row as it stands in the table and multiplied by √d_model.

    `scales` says whether the model itself multiplies; where it does not, the second is what it would be.
    """
    embedding, _ = per_token(trace, side)
    d_model = trace.values[f"{side}.embedding"].shape[-1]
    return (embedding / d_model, embedding) if scales else (embedding, embedding * d_model)


def _mean_energy(rows: torch.Tensor) -> float:
    return sum(float(part.double().square().sum()) for part in rows.split(_ROWS)) / len(rows)
