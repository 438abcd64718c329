"""The right answer to any input of a task whose answer is a rule."""

import re

from corpora.tasks import modular, sequences, spread

_INPUTS = {"addition": r"[0-9]+\+[0-9]+", "modular": r"([0-9]+) \+ ([0-9]+) =", "spread": rf"[0-9]+{spread.END}"}


def right_answer(task: str, source: str) -> str | None:
    """Answer `source`; None where the task has no rule, or this is no input of it."""
    match = re.fullmatch(_INPUTS.get(task, r"[a-z]+"), source)
    if match is None:
        return None
    if task == "modular":
        return modular.sum_of(*map(int, match.groups())).target
    if task == "spread":
        return spread.answer(source)
    return next((sequences.answer(rule, source) for rule in sequences.RULES if rule == task), None)
