"""A model with all of its heads, with one in each layer, and with all of a layer looking alike: what several are for.

T tokens that the model writes (of an encoder alone: that it reads), H heads, Q queries, K keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.analysis import predictions
from model.analysis.softmax import log_softmax
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation
from model.edit import edits
from model.edit.edit_effects import edited_values, first_step, generated, rewritten
from model.edit.edited_pass import Edit

EVERY = "*.*.*attention"  # each attention of a model; else the path of one, such as decoder.0.cross_attention
Case = int | Literal["all", "alike"]  # the one head that is kept; every head; every head with the mean of their weights


@dataclass(frozen=True, eq=False)
class Kept:
    """What a model makes of a sentence in one case.

    text            what it writes by itself; nothing for an encoder alone
    same            whether this is what it writes with all heads; of an encoder alone, the likeliest token of each row
    probabilities   (T) of the tokens that it writes with all heads, each after the same tokens before it
    """

    text: str
    same: bool
    probabilities: np.ndarray


def cases(heads: int) -> list[Case]:
    """All cases, in the order in which they are shown."""
    return ["all", *range(heads), "alike"]


def kept(checkpoint: Checkpoint, run: Translation, attention: str, case: Case) -> Kept:
    """Run the model in one case, which holds for `attention`; it has to give logits."""
    first, ids = first_step(checkpoint, run), generated(run)
    if case == "all":
        probabilities = np.exp(predictions.log_probabilities(run.trace, ids))
        return Kept(run.text, True, probabilities[first:])
    changes = edited(checkpoint.model.config.heads, attention, case)
    logs = log_softmax(edited_values(checkpoint, run, changes)["logits"])  # (T, V)
    text, new_ids, _ = rewritten(checkpoint, run, changes)
    same = tuple(new_ids) == tuple(run.ids) if run.target else bool((logs.argmax(axis=-1) == ids).all())
    return Kept(text, same, np.exp(logs[np.arange(len(ids)), ids])[first:])


def edited(heads: int, attention: str, case: int | Literal["alike"]) -> list[Edit]:
    """Every other head of a layer writes zeros; or every head has the mean of the weights of all."""
    if case == "alike":
        return [Edit(f"{attention}.weights", lambda weights, at: weights.mean(dim=1, keepdim=True))]  # (B, 1, Q, K)
    return [edits.zero(f"{attention}.head_outputs", head=head) for head in range(heads) if head != case]


def farthest_apart(weights: np.ndarray, of_text: Sequence[bool]) -> int:
    """The query in which the heads of a layer, (H, Q, K), differ most in where they look; a token of a text if any."""
    spread = weights.var(axis=0).sum(axis=-1)  # (Q)
    return int(np.where(of_text, spread, -1).argmax() if any(of_text) else spread.argmax())
