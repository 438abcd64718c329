"""The steps of a decoding, packed for the component in the browser: a time line and the candidates of each step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .frontend import figure_frontend


@dataclass(frozen=True)
class Candidate:
    """A token that a step could write: its probability, and that after top-k, top-p and temperature, if any."""

    id: int
    word: str
    probability: float
    drawn: float | None = None


@dataclass(frozen=True)
class Step:
    """One step: the token read last, the one written (its id, rank and probability), and the likeliest ones.

    others  probability of the `left` tokens that are not among the candidates, together
    """

    read: str
    word: str
    id: int
    probability: float
    rank: int
    forced: bool
    candidates: tuple[Candidate, ...]
    others: float
    others_drawn: float | None
    left: int


def player_data(
    prompt: Sequence[str], steps: Sequence[Step], step: int, words: Mapping[str, str], fixed: bool = False
) -> str:
    """The component's `data`; `fixed`: no candidate can be forced, because no model is at hand.

    Raises ValueError if there is no such step.
    """
    if not 0 <= step < len(steps):
        raise ValueError(f"There is no step {step}: there are {len(steps)}.")
    content = {
        "prompt": list(prompt),
        "steps": [_step(each) for each in steps],
        "step": step,
        "fixed": fixed,
        "sampled": steps[0].others_drawn is not None,
        "words": dict(words),
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _step(step: Step) -> dict[str, object]:
    return {
        "read": step.read,
        "word": step.word,
        "id": step.id,
        "chosen": _short(step.probability),
        "rank": step.rank,
        "forced": step.forced,
        "candidates": [[c.id, c.word, _short(c.probability), _short(c.drawn)] for c in step.candidates],
        "others": _short(step.others),
        "othersDrawn": _short(step.others_drawn),
        "left": step.left,
    }


def _short(value: float | None) -> float | None:
    """A number with six significant digits, so that small ones do not become 0."""
    return None if value is None else float(f"{value:.6g}")


FRONTEND = figure_frontend("timeline", "gf-player")
