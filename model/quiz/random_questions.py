"""Questions about drawn numbers. The right answer is computed from them, without a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from model.analysis import energy, sinusoids, soft_lookup
from model.checkpoint import model_size
from model.config import TransformerConfig
from model.presets import PRESETS
from model.quiz.answers import figures
from model.quiz.posed_question import Picture, PosedQuestion, QuizMaterial, choice, fixed, shuffled

BASES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
FAMILIES = {  # a family of models -> the architecture of its preset
    "GPT": PRESETS["gpt"].config.architecture,
    "BERT": PRESETS["bert"].config.architecture,
    "T5": TransformerConfig(source_vocabulary=1, target_vocabulary=1).architecture,
}
ARCHITECTURES = {"encoder": "encoder", "decoder": "decoder", "encoder-decoder": "both"}
_APPROXIMATE = 0.03  # tolerance, as a share, for a number that needs a calculator


def lookup(material: QuizMaterial) -> PosedQuestion:
    """The fruit dictionary with other numbers."""
    draw = material.draw("lookup")
    values = draw.sample(range(2, 31), 3)
    first = draw.randint(3, 7)
    tenths = (first, draw.randint(1, 9 - first))
    weights = [tenths[0] / 10, tenths[1] / 10, (10 - sum(tenths)) / 10]
    names = list(soft_lookup.FRUIT)
    numbers: dict[str, object] = {f"value_{name}": value for name, value in zip(names, values, strict=True)}
    numbers |= {f"weight_{name}": weight for name, weight in zip(names, weights, strict=True)}
    key = float(soft_lookup.weighted_sum(weights, values))
    answer = {
        "result": figures(round(key, 6)),
        "sum": " + ".join(f"{w} · {v}" for w, v in zip(weights, values, strict=True)),
    }
    return PosedQuestion("number", key, numbers | answer, rounding=0.01, door=numbers)


def why_scale(material: QuizMaterial) -> PosedQuestion:
    """The standard deviation of the inner product of two random vectors."""
    d_k = material.draw("why_scale").choice((4, 16, 64, 256))
    return PosedQuestion("number", float(np.sqrt(d_k)), {"d_k": d_k, "root": round(d_k**0.5)}, door={"size": d_k})


def families(material: QuizMaterial) -> PosedQuestion:
    """Which part of the Transformer a family of models kept."""
    draw = material.draw("families")
    family = draw.choice(list(FAMILIES))
    return choice(ARCHITECTURES[FAMILIES[family]], list(ARCHITECTURES.values()), draw, family=family)


def wavelength(material: QuizMaterial) -> PosedQuestion:
    """The number of positions after which a pair of columns repeats."""
    draw = material.draw("wavelength")
    d_model, base = draw.choice((16, 32, 64, 128)), draw.choice((100, 1_000, 10_000))
    i = draw.choice((d_model // 8, d_model // 4, 3 * d_model // 8))
    key = float(sinusoids.wavelengths(d_model, base)[i])
    share = figures(2 * i / d_model)
    values = {"d_model": d_model, "base": f"{base:,}", "i": i, "even": 2 * i, "odd": 2 * i + 1, "share": share}
    door = {"show": "waves", "base": base, "d_model": d_model}
    return PosedQuestion("number", key, values | {"result": figures(key)}, tolerance=_APPROXIMATE, door=door)


def base_least(material: QuizMaterial) -> PosedQuestion:
    """The base at which neighbours differ least."""
    draw = material.draw("base_least")
    d_model, m = draw.choice((32, 64, 128)), draw.randint(10, 150)
    far = {base: _apart(m, d_model, base) for base in BASES}
    least = min(far, key=far.__getitem__)
    values = {"m": m, "n": m + 1, "d_model": d_model, "least": f"{far[least]:.3f}"}
    distances = {str(base): f"{distance:.3f}" for base, distance in far.items()}
    tables = np.stack([sinusoids.positions(m + 2, d_model, base)[m:] for base in BASES])  # (bases, 2, d_model)
    picture = Picture("positions", tables, (str(m), str(m + 1)))
    door = {"show": "distance", "base": least, "d_model": d_model, "length": 256, "m": m, "n": m + 1}
    return PosedQuestion("steps", least, values, options=BASES, measured=distances, picture=picture, door=door)


def _apart(m: int, d_model: int, base: float) -> float:
    rows = sinusoids.positions(m + 2, d_model, base)
    return float(np.linalg.norm(rows[m + 1] - rows[m]))


def inner_product(material: QuizMaterial) -> PosedQuestion:
    """Two other positions with the same inner product."""
    draw = material.draw("inner_product")
    m, k, shift = draw.randint(2, 9), draw.randint(3, 8), draw.randint(11, 30)
    pairs = {
        "same": (m + shift, m + shift + k),
        "double": (2 * m, 2 * (m + k)),
        "sum": (m - 1, m + k + 1),
        "next": (m, m + k + 1),
    }
    texts = {name: f"⟨PE({a}), PE({b})⟩" for name, (a, b) in pairs.items()}
    values = {"m": m, "n": m + k, "distance": k, "pair": texts["same"]}
    door = {"show": "distance", "m": m, "n": m + k}
    return PosedQuestion("choice", "same", values, options=shuffled(list(pairs), draw), texts=texts, door=door)


def norm_entry(material: QuizMaterial) -> PosedQuestion:
    """One entry of a vector after LayerNorm."""
    draw = material.draw("norm_entry")
    x = np.array(draw.sample(range(1, 13), 4), dtype=float)
    at = draw.randrange(4)
    mean, deviation = x.mean(), x.std()  # the biased one, as torch's LayerNorm
    key = float((x[at] - mean) / deviation)
    values = {
        "x": ", ".join(f"{value:.0f}" for value in x), "place": at + 1, "entry": f"{x[at]:.0f}",
        "mean": figures(mean), "deviation": figures(deviation), "result": figures(key),
    }  # fmt: skip
    return PosedQuestion("number", key, values, tolerance=0.02, rounding=0.02)


def energy_ratio(material: QuizMaterial) -> PosedQuestion:
    """The energy of a scaled Xavier embedding over that of the position: 4 d / (V + d)."""
    draw = material.draw("energy_ratio")
    vocabulary, d_model = draw.choice((42, 100, 1_000, 4_000, 37_000)), draw.choice((64, 128, 256, 512))
    key = energy.computed("xavier", vocabulary, d_model).scaled_ratio
    values = {"vocabulary": f"{vocabulary:,}", "d_model": d_model, "result": figures(key)}
    door = {"show": "vocabulary", "d_model": d_model}
    return PosedQuestion("number", key, values, tolerance=_APPROXIMATE, rounding=1e-4, door=door)


def tied(material: QuizMaterial) -> PosedQuestion:
    """How many parameters are saved by one table for source, target and output."""
    draw = material.draw("tied")
    vocabulary, d_model = draw.choice((1_000, 2_000, 5_000, 10_000)), draw.choice((64, 128, 256, 512))
    config = TransformerConfig(source_vocabulary=vocabulary, target_vocabulary=vocabulary, d_model=d_model)
    key = model_size.parameters(config) - model_size.parameters(replace(config, tied_embeddings="all"))
    values = {"vocabulary": f"{vocabulary:,}", "d_model": d_model, "result": f"{key:,}"}
    return PosedQuestion("number", key, values)


def quadratic(material: QuizMaterial) -> PosedQuestion:
    """How the number of scores grows."""
    factor = material.draw("quadratic").choice((2, 3, 4, 8, 10))
    return PosedQuestion("number", factor**2, {"factor": factor, "result": factor**2})


def grouped(material: QuizMaterial) -> PosedQuestion:
    """How much smaller the cache is where heads share keys and values."""
    draw = material.draw("grouped")
    key_value_heads, factor = draw.choice((1, 2, 4, 8)), draw.choice((2, 4, 8))
    return PosedQuestion(
        "number", factor, {"heads": key_value_heads * factor, "shared": key_value_heads, "factor": factor}
    )


def rotary(material: QuizMaterial) -> PosedQuestion:
    """Ask how a score changes when both tokens move equally far."""
    draw = material.draw("rotary")
    first, apart, distance = draw.randint(2, 9), draw.randint(2, 6), draw.choice((100, 200, 500))
    places = {"first": first, "second": first + apart, "later": first + distance, "last": first + apart + distance}
    return fixed(("smaller", "zero", "embedding"), draw, apart=apart, **places)


def empty_row(material: QuizMaterial) -> PosedQuestion:
    """Ask for the softmax of a row in which every key is hidden."""
    draw = material.draw("empty_row")
    keys = draw.choice((4, 5, 8, 10))
    return fixed(("zero", "swapped", "same"), draw, keys=keys)
