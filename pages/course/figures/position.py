"""Step 3, position: the position vectors of the sentence, and what the model writes without them."""

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.edit import change_edits, effects, notation
from pages.course.question import Question, among
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import where_positions_act
from pages.shared.text.words import words
from pages.shared.ui import controls, saved
from pages.shared.ui.matrices import matrices
from viz.data import Matrix

WITHOUT = "position:encoder.none"  # the change that takes the positions away, as a link spells it


def figure(current_run: CurrentRun) -> Question:
    trace = current_run.trace
    in_table = "encoder.position" in trace.values
    off = controls.toggle("without", words("course_position.without"))
    if not in_table:
        saved.caption(where_positions_act.where(current_run.entry.config, words("course_position.none")))
    vectors = trace.values["encoder.position"] if in_table else np.zeros_like(trace.values["encoder.embedding"])
    shown = 0 * vectors if off else vectors  # (T, d_model)
    columns = tuple(map(str, range(vectors.shape[1])))
    matrices(
        "course_position",
        [
            Matrix(
                "position", words("course_position.matrix"), shown, trace.source_tokens, columns,
                words("course_position.rows"), words("course_position.columns"), limit=1.0,
            )
        ],
    )  # fmt: skip
    before = trace.output_tokens
    has_positions = current_run.entry.config["position"] != "none"
    after = without_positions(current_run.entry, current_run.sentence) if has_positions else before
    with st.container(key="course_output"):
        saved.caption(words("course_position.writes"))
        saved.text(" ".join(after if off else before))
    same = sum(one == other for one, other in zip(before, after, strict=False))
    wrong = [str(number) for number in (len(before), 0, same + 1, same - 1, same + 2) if 0 <= number <= len(before)]
    return among(str(same), wrong, count=len(before), same=same, sentence=" ".join(after))


@models.cached(32)
def without_positions(entry: catalogue.Entry, sentence: str) -> tuple[str, ...]:
    """The tokens that the model writes when its encoder has no positions."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    [change], _ = notation.read(WITHOUT)
    outcome = effects.outcome(checkpoint, run, change_edits.edits_of(checkpoint, run, change))
    return checkpoint.tokenizer.tokens(outcome.ids)
