"""Predictions that an edited pass decides: a head off, no mask, no positions.

T rows that the decoder reads, V tokens of the vocabulary, K keys.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.decode.recorded_pass import one_pass
from model.edit import edits
from model.edit.edit_effects import edited_values, generated, rewritten
from model.edit.edited_pass import compose
from model.predict.prediction import MARGIN, NONE, AskedHead, Prediction, PredictionMaterial, alone, gaps, prediction
from model.quiz.posed_question import PosedQuestion, Share, shuffled
from model.tokenization.token_text import is_special
from model.trace import path

_WORDS = 5  # options that are words
LEAST_WORDS = 3  # of them; one more option is that none changes
_CLEAR = 0.02  # by which the largest weight of a head leads those of other rows, to be seen in its picture
_MOVES, _STAYS = 0.55, 0.1  # share of a row's weight on later words: from the one on it has moved, up to the other not


def head_off(material: PredictionMaterial) -> Prediction | None:
    """Which word of the output changes first if a head of the decoder is off, or none.

    Fair where the likeliest token leads clearly in every step up to that one, with the head and without it. A head
    whose largest weight is at another word is preferred, unless one is in view.
    """
    if not material.run.target:
        return None
    before, tokens = generated(material.run), material.trace.output_tokens
    words = [at for at in alone(tokens) if at >= material.first]
    best: Prediction | None = None
    for place in material.places("head_off", ("cross", "decoder")):
        edit = edits.zero(f"{path(place.kind, place.layer)}.head_outputs", head=place.head)
        after = edited_values(material.checkpoint, material.run, [edit])["logits"]  # (T, V)
        changed, margin = first_change(material.logits, after, before, material.first)
        if margin < MARGIN or (changed is not None and changed not in words) or len(words) < LEAST_WORDS:
            continue
        shown = _largest(material, place)
        shows = {str(shown): "attention_effect"} if shown in words else {}
        shows |= {str(material.first): "every_head"} if material.first in words and material.first != shown else {}
        question = _head_question(material, place, words, changed, shows, margin)
        best = best or question
        if place == material.place or "attention_effect" in question.shows.values():
            return question
    return best


def first_change(
    before: np.ndarray, after: np.ndarray, ids: Sequence[int] | np.ndarray, first: int
) -> tuple[int | None, float]:
    """The first row from `first` on in which another token than `ids` (T) is the likeliest, and how clear that is.

    `before` and `after` are logits (T, V) over the same output; the rows up to the change are what a decoder without
    the part would read as well, so that its output changes there. The margin is the smallest lead in them, in nats.
    """
    likeliest = after.argmax(axis=-1)
    changes = [row for row in range(first, len(after)) if likeliest[row] != ids[row]]
    rows = slice(first, changes[0] + 1 if changes else len(after))
    return (changes[0] if changes else None), float(min(gaps(before[rows]).min(), gaps(after[rows]).min()))


def _largest(material: PredictionMaterial, place: AskedHead) -> int:
    """The row whose largest weight is the largest of the head, -1 where that cannot be seen."""
    most = material.trace.weights(place.kind)[place.layer, place.head].max(axis=-1)[material.first :]  # (T - first)
    order = np.argsort(-most, kind="stable")
    clear = len(order) < 2 or most[order[0]] - most[order[1]] >= _CLEAR
    return int(order[0]) + material.first if clear else -1


def _head_question(
    material: PredictionMaterial, place: AskedHead, words: list[int], changed: int | None, shows: dict[str, str],
    margin: float,
) -> Prediction:  # fmt: skip
    draw = material.draw(f"predict head_off {place}")
    chosen = [*([] if changed is None else [changed]), *map(int, shows)]
    chosen += [word for word in draw.sample(words, len(words)) if word not in chosen]
    options = [str(word) for word in sorted(dict.fromkeys(chosen[:_WORDS]))]
    tokens = material.trace.output_tokens
    key = NONE if changed is None else str(changed)
    values = {"kind": place.kind, "layer": place.layer, "head": place.head, "output": _text(material)}
    values |= {"token": "" if changed is None else tokens[changed]}
    posed = PosedQuestion(
        "choice", key, values, options=[*options, NONE], texts={option: tokens[int(option)] for option in options},
        door={"changes": f"off:{place.kind}.{place.layer}.{place.head}"},
    )  # fmt: skip
    return prediction("head_off", posed, shows, margin=margin, measure={"first": material.first})


def without_mask(material: PredictionMaterial) -> Prediction | None:
    """Where the weight of a decoder's row goes without the causal mask: to later words, or it stays."""
    if material.config.windows or "decoder" not in material.trace.kinds:
        return None
    values = edited_values(material.checkpoint, material.run, [edits.allow("decoder.*.self_attention")])
    for place in material.places("without_mask", ("decoder",)):
        weights = values[f"{path('decoder', place.layer)}.weights"][place.head].astype(float)  # (T, T)
        draw = material.draw(f"predict without_mask {place}")
        rows = range(2, len(weights) - 1)
        for row in draw.sample(rows, len(rows)):
            later = float(weights[row, row + 1 :].sum())
            if _STAYS < later < _MOVES or is_special(material.trace.target_tokens[row]):
                continue
            key = "later" if later >= _MOVES else "stays"
            about = {"kind": "decoder", "layer": place.layer, "head": place.head, "row": row}
            about |= {"query": material.trace.target_tokens[row], "later": Share(later)}
            options = shuffled(["later", "earlier", "own", "stays"], draw)
            door = {"changes": "unmask:causal", "attention_kind": "decoder", "layer": place.layer, "head": place.head}
            posed = PosedQuestion("choice", key, about, options=options, door=door)
            margin = min(abs(later - _STAYS), abs(later - _MOVES))
            return prediction("without_mask", posed, {"earlier": "mask_past"}, margin=margin)
    return None


def without_positions(material: PredictionMaterial) -> Prediction | None:
    """What the model writes without its positions: the same, the same words in another order, or other words.

    Fair where the likeliest token leads clearly in every step that is written so.
    """
    run, config = material.run, material.config
    if not run.target or config.position == "none" or config.forced:
        return None
    sides: list[edits.Side] = [side for side in ("encoder", "decoder") if config.layers(side)]  # type: ignore[misc]
    changes = [edits.remove_position(side, config.position) for side in sides]
    text, ids, _ = rewritten(material.checkpoint, run, changes)
    model = material.checkpoint.model
    logits = one_pass(model, run.source, [run.target[0], *ids[:-1]], compose(model, *changes)).cpu().numpy()
    margin = float(gaps(logits[material.first :]).min())
    if not text or margin < MARGIN or float(gaps(material.logits[material.first :]).min()) < MARGIN:
        return None
    key = likeness(run.ids[material.first :], ids[material.first :])
    draw = material.draw("predict without_positions")
    values = {"output": _text(material), "result": text}
    door = {"changes": ";".join(f"position:{side}.none" for side in sides)}
    posed = PosedQuestion(
        "choice", key, values, options=shuffled(["same", "order", "other", "nothing"], draw), door=door
    )
    return prediction("without_positions", posed, {"same": "free_order"}, margin=margin)


def likeness(before: Sequence[int], after: Sequence[int]) -> str:
    """ "same", "order" where the same tokens stand in another order, else "other"."""
    if tuple(before) == tuple(after):
        return "same"
    return "order" if sorted(before) == sorted(after) else "other"


def _text(material: PredictionMaterial) -> str:
    """What the model wrote itself, as text."""
    tokenizer = material.checkpoint.tokenizer
    return tokenizer.decode(material.run.ids[material.first :])
