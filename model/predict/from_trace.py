"""Predictions that the pass in view decides: where a row looks, what stands at a position, how sure a word is.

T rows, K keys, V tokens of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from model.analysis.softmax import log_softmax
from model.predict.prediction import LEAD, NEAR, PERCENT, AskedHead, Prediction, PredictionMaterial, prediction
from model.quiz.posed_question import PosedQuestion, shuffled
from model.tokenization.token_text import is_special
from model.trace import ATTENTION_KINDS, AttentionKind

LEAST, KEYS = 4, 24  # words of a sentence that can be chosen from
_SURE, _CERTAIN = 0.75, 95  # a probability that is none, and an answer in percent that says so


def where(material: PredictionMaterial) -> Prediction | None:
    """On which word the largest weight of a row lies. In a decoder, the words up to the one after the row's."""
    for place, row, key, lead in _rows(material, "where", ATTENTION_KINDS):
        queries, keys = material.labels(place.kind)
        count = min(row + 2, len(keys)) if place.kind == "decoder" else len(keys)
        if not LEAST <= count <= KEYS:
            continue
        weights = material.trace.weights(place.kind)[place.layer, place.head, row].astype(float)  # (K)
        shows = {}
        if place.kind == "cross":
            same = row + (1 if is_special(keys[0]) else 0)
            shows = {str(same): "word_by_word"} if same < count and not is_special(keys[same]) else {}
        else:
            shows = {str(row): "own_word"} | ({str(row + 1): "mask_past"} if place.kind == "decoder" else {})
        options = [str(at) for at in range(count)]
        texts = dict(zip(options, keys[:count], strict=True))
        shares = {option: float(weights[int(option)]) for option in options}
        values = _values(place) | {
            "query": queries[row], "token": keys[key], "weight": f"{weights[key]:.2f}",
        }  # fmt: skip
        posed = PosedQuestion("choice", str(key), values, options=options, texts=texts, door=_door(place))
        return prediction("where", posed, shows, look="words", shares=shares, margin=lead, measure={"row": row})
    return None


def position(material: PredictionMaterial) -> Prediction | None:
    """Which word stands at the position where the largest weight of a decoder's row lies; position 0 is `<bos>`."""
    tokens = material.trace.target_tokens
    if len(tokens) < 5 or not is_special(tokens[0]):
        return None
    for place, row, key, lead in _rows(material, "position", ("decoder",)):
        near = [at for at in (key, key + 1, key - 1) if 0 <= at < len(tokens)]
        draw = material.draw(f"predict position {place} {row}")
        near += draw.sample(range(len(tokens)), len(tokens))
        texts: dict[str, str] = {}
        for at in near:
            if tokens.count(tokens[at]) == 1 and len(texts) < 4:
                texts[str(at)] = tokens[at]
        if len(texts) < 4 or str(key) not in texts:
            continue
        values = _values(place) | {"query": tokens[row], "at": key, "token": tokens[key]}
        posed = PosedQuestion(
            "choice", str(key), values, options=shuffled(list(texts), draw), texts=texts, door=_door(place)
        )
        return prediction("position", posed, {str(key + 1): "first_word"}, margin=lead, measure={"row": row})
    return None


def how_sure(material: PredictionMaterial) -> Prediction | None:
    """The probability of a word that the model wrote, in percent; half of the draws prefer one that was in doubt."""
    tokens = material.trace.output_tokens
    rows = [row for row in range(material.first, len(tokens)) if not is_special(tokens[row])]
    if not material.run.target or not rows:
        return None
    draw = material.draw("predict how_sure")
    chances = np.exp(log_softmax(material.logits).max(axis=-1))  # (T)
    in_doubt = [row for row in rows if chances[row] <= _SURE]
    row = draw.choice(in_doubt if in_doubt and draw.random() < 0.5 else rows)
    share = float(chances[row])
    values = {
        "token": tokens[row], "step": row - material.first + 1, "percent": f"{100 * share:.0f}",
    }  # fmt: skip
    shows = {str(percent): "certain" for percent in range(_CERTAIN, PERCENT)} if share <= _SURE else {}
    posed = PosedQuestion("number", round(100 * share, 2), values, rounding=NEAR, door={"step": row})
    return prediction("how_sure", posed, shows, look="percent", measure={"row": row})


def _rows(
    material: PredictionMaterial, name: str, kinds: tuple[AttentionKind, ...]
) -> Iterator[tuple[AskedHead, int, int, float]]:
    """Rows whose largest weight leads clearly: the head, the row, its key, and the lead."""
    for place in material.places(name, kinds):
        weights = material.trace.weights(place.kind)[place.layer, place.head].astype(float)  # (Q, K)
        rows = range(1 if place.kind == "decoder" else 0, len(weights))
        for row in material.draw(f"predict {name} {place}").sample(rows, min(4, len(rows))):
            second, first = np.partition(weights[row], -2)[-2:] if weights.shape[1] > 1 else (1.0, 1.0)
            if first - second >= LEAD and not is_special(material.labels(place.kind)[0][row]):
                yield place, row, int(weights[row].argmax()), float(first - second)


def _values(place: AskedHead) -> dict[str, object]:
    return {"kind": place.kind, "layer": place.layer, "head": place.head}


def _door(place: AskedHead) -> dict[str, object]:
    return {"attention_kind": place.kind, "layer": place.layer, "head": place.head, "view": None}
