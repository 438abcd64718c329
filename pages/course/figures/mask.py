"""Step 6, the mask: the weights of one head of the decoder's first layer, with the mask and without it."""

import numpy as np

from model.course import mask
from model.course.question import Question
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.data import Matrix


def figure(current_run: CurrentRun) -> Question:
    trace = current_run.trace
    head = mask.head(trace)
    off = controls.toggle("without", words("course_mask.without"))
    weights = mask.weights(mask.scores(trace)[head], masked=not off)  # (T, T)
    shown = Matrix(
        "mask", words("course_mask.matrix", head=head), weights.astype(np.float32), trace.target_tokens,
        trace.target_tokens, words("course_mask.rows"), words("course_mask.columns"), scale="weight", colour="decoder",
        decimals=2,
    )  # fmt: skip
    matrices("course_mask", [shown])
    show.caption(words("course_mask.later", share=f"{mask.on_later(weights):.2f}"))
    return mask.question(trace)
