"""The sheet of what a change did: the changed pass minus the original one, number by number."""

from dataclasses import replace

import numpy as np

from model.analysis.sheet.parts import Difference, Part, Sheet


def between(original: Sheet, other: Sheet) -> Sheet:
    """Both sheets have the same parts, for both passes read the same tokens; weights stay as they are."""
    parts = {
        key: part if part.kind == "weight" else _minus(part, original.parts[key].array)
        for key, part in other.parts.items()
    }
    return Sheet(parts, other.tokens)


def _minus(part: Part, before: np.ndarray) -> Part:
    with np.errstate(invalid="ignore"):
        array = np.where(part.array == before, 0.0, part.array - before)  # −∞ in both is no difference
    return replace(part, array=array, rule=Difference(before, part.array))
