"""Questions about the current sentence and model; the right answer is computed from the recorded pass.

A question that this pass cannot answer is None. L layers, H heads, Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from model.analysis.attention.head_measures import measures
from model.analysis.softmax import softmax
from model.checkpoint import model_size
from model.quiz.answers import figures, spelled_head
from model.quiz.posed_question import Picture, PosedQuestion, QuizMaterial, Share, choice, shuffled
from model.trace import AttentionKind, path

FACTORS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
SATURATED = 0.99  # the largest weight from which on a row counts as saturated
MOSTLY = 0.5  # the share of rows from which on a head counts as one that looks there
_LONGEST = 24  # keys; a longer row or map is not used for a question
_NAMED = 5  # weights of a row that are listed one by one
_CLEAR = 0.05  # by which the largest weight must lead, to be told apart by eye
_SHORT = 7  # tokens of a mask


def _places(
    material: QuizMaterial, name: str, kinds: tuple[AttentionKind, ...]
) -> Iterator[tuple[AttentionKind, int, int, int]]:
    """Every row of every head of these kinds, (kind, layer, head, row), in an order drawn for the question `name`."""
    draw = material.draw(name)
    rows = [
        (kind, layer, head, row)
        for kind in kinds
        for layer, head, row in np.ndindex(material.trace.weights(kind).shape[:3])
    ]
    yield from draw.sample(rows, len(rows))


def shape_scores(material: QuizMaterial) -> PosedQuestion:
    """The shape of one layer's weights."""
    kind = material.own
    heads, queries, keys = material.trace.weights(kind).shape[1:]
    values = {"tokens": queries, "heads": heads, "result": f"({heads}, {queries}, {keys})"}
    return PosedQuestion("shape", (heads, queries, keys), values, door={"attention_kind": kind, "view": None})


def cross_shape(material: QuizMaterial) -> PosedQuestion | None:
    """The shape of one layer's cross-attention."""
    if "cross" not in material.trace.kinds:
        return None
    heads, queries, keys = material.trace.weights("cross").shape[1:]
    values = {"source": keys, "target": queries, "heads": heads, "result": f"({heads}, {queries}, {keys})"}
    return PosedQuestion("shape", (heads, queries, keys), values, door={"attention_kind": "cross", "view": None})


def row_sum(material: QuizMaterial) -> PosedQuestion | None:
    """One weight of a row is missing."""
    for kind, layer, head, row in _places(material, "row_sum", material.trace.kinds):
        weights = material.trace.weights(kind)[layer, head, row].astype(float)  # (K)
        order = [int(key) for key in np.argsort(-weights, kind="stable") if weights[key] > 0]
        if len(order) < 3 or not 0.05 <= weights[order[0]] <= 0.9 or weights[order[1]] < 0.05:
            continue
        missing = material.draw(f"row_sum {layer} {head} {row}").choice(order[:2])
        columns = sorted(order[: _NAMED + 1])
        queries, keys = material.labels(kind)
        rest = 1 - float(weights[columns].sum())
        bars = np.array([np.nan if key == missing else weights[key] for key in columns] + [rest])
        picture = Picture("row", bars, (queries[row],), tuple(keys[key] for key in columns), kind)
        values = {"query": queries[row], "token": keys[missing], "result": f"{weights[missing]:.3f}"}
        values |= {"others": f"{1 - weights[missing]:.3f}"}
        door = {"attention_kind": kind, "layer": layer, "head": head, "view": "stages", "stage": "softmax"}
        return PosedQuestion("number", float(weights[missing]), values, rounding=0.006, picture=picture, door=door)
    return None


def read_row(material: QuizMaterial) -> PosedQuestion | None:
    """Where a query looks most, read off a head's map. One wrong option reads the column instead of the row."""
    for kind, layer, head, row in _places(material, "read_row", material.trace.kinds):
        weights = material.trace.weights(kind)[layer, head]  # (Q, K)
        queries, keys = material.labels(kind)
        best, second = np.argsort(-weights[row], kind="stable")[:2].tolist() if len(keys) > 1 else (0, 0)
        others = [key for key in range(len(keys)) if keys[key] != keys[best]]
        if weights[row, best] - weights[row, second] < _CLEAR or keys.count(keys[best]) > 1:
            continue
        if max(weights.shape) > _LONGEST or len({keys[key] for key in others}) < 2 or queries.count(queries[row]) > 1:
            continue
        draw = material.draw(f"read_row {layer} {head} {row}")
        wrong = [second] if second in others else []
        by_column = int(weights[:, row].argmax()) if kind != "cross" else -1  # as if rows were keys
        wrong += [by_column] if by_column in others and by_column not in wrong else []
        fillers = [key for key in others if keys[key] not in {keys[other] for other in wrong}]
        for key in draw.sample(fillers, len(fillers)):
            if len(wrong) < 3 and keys[key] not in {keys[other] for other in wrong}:
                wrong.append(key)
        texts = {str(key): keys[key] for key in (best, *wrong)}
        picture = Picture("weights", weights, queries, keys, kind, row)
        values = {
            "query": queries[row], "token": keys[best], "weight": f"{weights[row, best]:.2f}", "layer": layer,
            "head": head,
        }  # fmt: skip
        door = {"attention_kind": kind, "layer": layer, "head": head, "view": None}
        options = shuffled(list(texts), draw)
        return PosedQuestion("choice", str(best), values, options=options, texts=texts, picture=picture, door=door)
    return None


def looks(weights: np.ndarray, at: str) -> np.ndarray:
    """The share of rows, from the second on, whose largest weight is on the `previous` or the `first` token.

    Weights (L, H, T, T) to (L, H).
    """
    rows = np.arange(1, weights.shape[-2])
    targets = rows - 1 if at == "previous" else np.zeros_like(rows)
    return (weights[:, :, 1:].argmax(axis=-1) == targets).mean(axis=-1)


def _head(material: QuizMaterial, at: str) -> PosedQuestion | None:
    """A head that looks there in at least half of its rows, among those of all self-attention."""
    kinds = [kind for kind in material.trace.kinds if kind != "cross" and material.trace.weights(kind).shape[-1] > 3]
    shares = {
        spelled_head(kind, layer, head): Share(share)
        for kind in kinds
        for (layer, head), share in np.ndenumerate(looks(material.trace.weights(kind), at))
    }
    means = {
        spelled_head(kind, layer, head): float(mean)
        for kind in kinds
        for (layer, head), mean in np.ndenumerate(measures(material.trace.weights(kind), kind)[at])
    }
    right = sorted((name for name, share in shares.items() if share >= MOSTLY), key=lambda name: -shares[name])
    if not right or len(right) == len(shares):
        return None
    best = right[0].split("/")
    values = {
        "best": shares[right[0]], "layer": best[1], "head": best[2], "weight": f"{means[right[0]]:.2f}",
    }  # fmt: skip
    door = {"view": "measures", "measure": at, "attention_kind": best[0], "layer": int(best[1]), "head": int(best[2])}
    return PosedQuestion("head", tuple(right), values, options=kinds, measured=shares, door=door)


def head_previous(material: QuizMaterial) -> PosedQuestion | None:
    """A head that mostly looks at the previous token."""
    return _head(material, "previous")


def head_first(material: QuizMaterial) -> PosedQuestion | None:
    """A head that mostly looks at the first token."""
    return _head(material, "first")


def saturate(material: QuizMaterial) -> PosedQuestion | None:
    """The smallest factor that makes a row of real scores saturate."""
    kind = material.own
    for _, layer, head, row in _places(material, "saturate", (kind,)):
        scores = material.trace.values[f"{path(kind, layer)}.masked_scores"][head, row].astype(float)
        visible = scores > -1e8  # whatever the fill
        if not 3 <= visible.sum() <= _LONGEST:
            continue
        largest = {factor: float(softmax(scores[visible] * factor).max()) for factor in FACTORS}
        enough = [factor for factor in FACTORS if largest[factor] >= SATURATED]
        if not enough or enough[0] <= 2 or abs(largest[enough[0]] - SATURATED) < 0.001:
            continue
        queries, keys = material.labels(kind)
        picture = Picture(
            "bars", scores[visible], (queries[row],), tuple(k for k, s in zip(keys, visible, strict=True) if s), kind
        )
        before = FACTORS[FACTORS.index(enough[0]) - 1]
        values = {
            "query": queries[row], "layer": layer, "head": head, "factor": figures(enough[0]),
            "before": figures(before), "largest": f"{largest[before]:.3f}",
        }  # fmt: skip
        largest_text = {str(factor): f"{weight:.3f}" for factor, weight in largest.items()}
        door = {"measure": "gradient", "size": 512}
        return PosedQuestion("steps", enough[0], values, FACTORS, measured=largest_text, picture=picture, door=door)
    return None


def masks(tokens: int, padding: int, queries: int) -> dict[str, np.ndarray]:
    """The four masks of a sentence whose last `padding` of `tokens` are padding: true where a query may look.

    `cross` has `queries` rows. The same as those of `model.masks`, which needs torch.
    """
    real = np.arange(tokens) < tokens - padding  # (K)
    earlier = np.tri(tokens, dtype=bool)  # (Q, K)
    return {
        "padding": np.tile(real, (tokens, 1)),
        "causal": earlier,
        "combined": earlier & real,
        "cross": np.tile(real, (queries, 1)),
    }


def which_mask(material: QuizMaterial) -> PosedQuestion:
    """One of the masks, for a sentence as long as the user's."""
    draw = material.draw("which_mask")
    read = len(material.trace.source_tokens or material.trace.target_tokens)
    tokens, padding = max(4, min(_SHORT, read)), draw.randint(1, 2)
    queries = tokens + draw.choice((-2, -1, 1, 2))
    patterns = masks(tokens, padding, queries)
    key = draw.choice(list(patterns))
    rows = tuple(str(number + 1) for number in range(len(patterns[key])))
    columns = tuple(str(number + 1) for number in range(tokens))
    picture = Picture("mask", patterns[key], rows, columns)
    base = choice(key, list(patterns), draw, tokens=tokens, padding=padding, queries=queries)
    return PosedQuestion("choice", key, base.values, base.options, picture=picture, door={"show": "patterns"})


def allowed_cells(material: QuizMaterial) -> PosedQuestion | None:
    """How many weights the causal mask leaves; not asked where a window hides some more."""
    if "decoder" not in material.trace.kinds or len(material.trace.target_tokens) < 3 or material.config.windows:
        return None
    scores = material.trace.values["decoder.0.self_attention.masked_scores"][0]
    tokens, key = len(scores), int((scores > -1e8).sum())
    values = {"tokens": tokens, "all": tokens**2, "hidden": tokens**2 - key, "result": key}
    return PosedQuestion("number", key, values, door={"show": "patterns"})


def head_width(material: QuizMaterial) -> PosedQuestion | None:
    """How wide one head is; not asked where it is not d_model / heads."""
    if material.config.head_size:
        return None
    q = material.trace.values[f"{path(material.own, 0)}.q"]  # (H, T, D)
    values = {"d_model": material.config.d_model, "heads": len(q), "result": q.shape[-1]}
    return PosedQuestion(
        "number", q.shape[-1], values, door={"attention_kind": material.own, "view": "stages", "stage": "query"}
    )


def pre_or_post(material: QuizMaterial) -> PosedQuestion:
    """Where the LayerNorm of the model in use stands."""
    return choice(material.config.norm, ["pre", "post", "none"], material.draw("pre_or_post"))


def residual_sum(material: QuizMaterial) -> PosedQuestion | None:
    """One entry of the residual stream after a sublayer; not asked of a post-norm model, nor of parallel sublayers."""
    if material.config.norm == "post" or material.config.parallel:
        return None
    draw, side, trace = material.draw("residual_sum"), material.own, material.trace.values
    layer = draw.randrange(material.config.layers(side))
    before = trace[f"{side}.{layer - 1}.feed_forward.residual" if layer else f"{side}.input"]  # (T, d_model)
    output = trace[f"{side}.{layer}.self_attention.output"]
    token, entry = draw.randrange(before.shape[0]), draw.randrange(before.shape[1])
    x, y = float(before[token, entry]), float(output[token, entry])
    key = round(x, 2) + round(y, 2)
    values = {
        "token": material.labels(side)[0][token], "x": f"{x:.2f}".replace("-", "−"), "y": f"{y:.2f}".replace("-", "−"),
        "layer": layer, "result": f"{key:.2f}".replace("-", "−"),
    }  # fmt: skip
    return PosedQuestion("number", key, values, rounding=0.011, door={"show": None})


def next_word(material: QuizMaterial) -> PosedQuestion | None:
    """How many times as likely one token is as another, from their logits."""
    logits = material.trace.values.get("logits")
    if logits is None:
        return None
    draw = material.draw("next_word")
    rows = draw.sample(range(len(logits)), len(logits))
    for row in rows:
        descending = np.sort(logits[row].astype(float))[::-1][:200]
        gaps = descending[0] - descending
        near = [rank for rank in range(1, len(gaps)) if 0.4 <= gaps[rank] <= 8]
        if near:
            rank = draw.choice(near[:8])
            a, b = round(float(descending[0]), 2), round(float(descending[rank]), 2)
            key = float(np.exp(a - b))
            token = (material.trace.target_tokens or material.trace.source_tokens)[row]
            values = {
                "token": token, "rank": rank + 1, "a": f"{a:.2f}".replace("-", "−"), "b": f"{b:.2f}".replace("-", "−"),
                "gap": f"{a - b:.2f}", "result": figures(key),
            }  # fmt: skip
            return PosedQuestion("number", key, values, tolerance=0.03)
    return None


def attentions(material: QuizMaterial) -> PosedQuestion:
    """How many attention sublayers the model has."""
    encoder, decoder = material.config.encoder_layers, material.config.decoder_layers
    each = 2 if "cross" in material.trace.kinds else 1
    key = sum(len(material.trace.weights(kind)) for kind in material.trace.kinds)
    values = {"encoder": encoder, "decoder": decoder, "each": each, "result": key}
    return PosedQuestion("number", key, values)


def ffn_weights(material: QuizMaterial) -> PosedQuestion | None:
    """How many of the model's parameters the two matrices of one feed-forward sublayer have; a gate is a third."""
    if material.config.gated:
        return None
    d_model, d_ff = material.config.d_model, material.config.d_ff
    total = model_size.parameters(material.config)
    key = 2 * d_model * d_ff
    return PosedQuestion("number", key, {"d_model": d_model, "d_ff": d_ff, "result": f"{key:,}", "total": f"{total:,}"})


def cache(material: QuizMaterial) -> PosedQuestion | None:
    """How many numbers a key/value cache holds after the words in view: d_model per key and per value, or not asked."""
    is_other_size = material.config.key_value_heads or material.config.head_size
    if "decoder" not in material.trace.kinds or is_other_size:
        return None
    layers = material.config.decoder_layers
    key = sum(
        material.trace.values[f"{path('decoder', layer)}.{part}"].size for layer in range(layers) for part in ("k", "v")
    )
    values = {
        "layers": layers, "tokens": len(material.trace.target_tokens), "d_model": material.config.d_model,
        "result": f"{key:,}",
    }  # fmt: skip
    return PosedQuestion("number", key, values, door={"view": "cache"})
