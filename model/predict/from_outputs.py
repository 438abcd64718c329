"""Predictions about other outputs than the model's own: what would come next, and which one is likelier.

T rows that the decoder reads, V tokens of the vocabulary.
"""

from __future__ import annotations

import numpy as np

from model.analysis.softmax import log_probabilities, log_softmax, softmax
from model.decode.recorded_pass import one_pass
from model.predict.prediction import MARGIN, Prediction, PredictionMaterial, alone, gaps, prediction
from model.quiz.posed_question import PosedQuestion, shuffled
from model.tokenization.token_text import is_special

APART = 0.5  # nats by which the likeliest of four outputs leads the second
_OFFERED = 4


def next_word(material: PredictionMaterial) -> Prediction | None:
    """What the model would write after a word that it is made to write: its second choice in place of its first."""
    run, tokenizer = material.run, material.checkpoint.tokenizer
    if not run.target or material.config.forced:
        return None
    own = run.ids
    draw = material.draw("predict next_word")
    rows = range(material.first, len(own) - 1)
    for row in draw.sample(rows, min(6, len(rows))):
        second = int(np.argsort(-material.logits[row], kind="stable")[1])
        target = [*run.target[: row + 1], second]
        logits = one_pass(material.checkpoint.model, run.source, target).cpu().numpy()[-1]  # (V)
        order = np.argsort(-logits, kind="stable")
        offered = [int(order[0]), *([own[row + 1]] if own[row + 1] != order[0] else []), *order[1:12].tolist()]
        texts: dict[str, str] = {}
        names = tokenizer.tokens([own[row], second, *offered])
        for id_, text in zip(offered, names[2:], strict=True):
            if not is_special(text) and text not in texts.values() and len(texts) < _OFFERED:
                texts[str(id_)] = text
        key = str(int(order[0]))
        is_fair = gaps(logits[None])[0] >= MARGIN and not any(map(is_special, names[:3]))
        if not is_fair or len(texts) < _OFFERED:
            continue
        chances = np.exp(log_softmax(logits))
        values = {
            "so_far": tokenizer.decode([*own[material.first : row], second]), "instead": names[0], "forced": names[1],
            "token": names[2], "percent": f"{100 * chances[int(key)]:.0f}",
        }  # fmt: skip
        posed = PosedQuestion("choice", key, values, options=shuffled(list(texts), draw), texts=texts)
        shares = {option: float(chances[int(option)]) for option in texts}
        return prediction(
            "next_word", posed, {str(own[row + 1]): "planned"}, shares=shares, margin=float(gaps(logits[None])[0]),
            measure={"forced": [*own[material.first : row], second]},
        )  # fmt: skip
    return None


def likelier(material: PredictionMaterial) -> Prediction | None:
    """Which of four changed outputs is the likeliest: with another word, a word twice, without a word, two exchanged.

    Their log-probabilities are those of the whole output with its `<eos>`; the shares are those among the four.
    """
    run, tokenizer = material.run, material.checkpoint.tokenizer
    if material.config.architecture != "encoder-decoder" or run.stop != "eos" or material.config.forced:
        return None
    own, tokens, draw = run.ids, material.trace.output_tokens, material.draw("predict likelier")
    words = list(alone(tokens))
    pairs = [at for at in words if at + 1 in words]
    if len(words) < 3 or not pairs:
        return None
    swap, twice, gone = draw.sample(words, 3)
    pair = draw.choice(pairs)
    second = int(np.argsort(-material.logits[swap], kind="stable")[1])
    outputs = {
        "changed": (*own[:swap], second, *own[swap + 1 :]),
        "longer": (*own[: twice + 1], *own[twice:]),
        "shorter": (*own[:gone], *own[gone + 1 :]),
        "exchanged": (*own[:pair], own[pair + 1], own[pair], *own[pair + 2 :]),
    }
    texts = {name: tokenizer.decode(ids) for name, ids in outputs.items()}
    totals = np.array([_total(material, ids) for ids in outputs.values()])  # (4)
    descending = np.sort(totals)[::-1]
    if len({*texts.values(), run.text}) < 5 or descending[0] - descending[1] < APART:
        return None
    if len(outputs["longer"]) > material.config.max_length or is_special(tokenizer.tokens([second])[0]):
        return None
    key = list(outputs)[int(totals.argmax())]
    shares = dict(zip(outputs, softmax(totals).tolist(), strict=True))
    values = {
        "output": run.text,
        "best": texts[key],
        "factor": f"{np.exp(min(descending[0] - descending[1], 20)):,.0f}",
    }
    options = shuffled(list(outputs), draw)
    posed = PosedQuestion("choice", key, values, options=options, texts=texts, door={"given": texts[key]})
    margin = float(descending[0] - descending[1])
    return prediction("likelier", posed, {"longer": "longer"}, shares=shares, margin=margin)


def _total(material: PredictionMaterial, ids: tuple[int, ...]) -> float:
    """The log-probability of a whole output, `<eos>` included, in nats."""
    target = [material.run.target[0], *ids[:-1]]
    logits = one_pass(material.checkpoint.model, material.run.source, target).cpu().numpy()
    return float(log_probabilities(logits, ids).sum())
