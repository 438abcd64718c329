"""Step 10, learning: the model's output and attention on one sentence at each saved step of its training."""

import numpy as np
import streamlit as st

from model.checkpoint import catalogue, history
from model.checkpoint.snapshots import ProbeAttention, Snapshot
from model.course import head, learning
from model.course.question import Question
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.data import Matrix


def figure(current_run: CurrentRun) -> Question:
    entry = current_run.entry if _snapshots(current_run.entry) else current.first(catalogue.sentence_models())
    snapshots = _snapshots(entry)
    steps = [snapshot.step for snapshot in snapshots]
    step = controls.steps("moment", words("course_learning.moment"), steps, steps[0], "{:,}".format)
    probe = snapshots[steps.index(step)].probe
    with st.container(key="course_output"):
        show.caption(words("course_learning.writes", step=f"{step:,}", sentence=plain(probe.sentence)))
        show.output(probe.output)
    matrices("course_learning", [_matrix(probe, *head.of_card(entry.card, entry.config))])
    return learning.question(snapshots)


def _matrix(probe: ProbeAttention, layer: int, head: int) -> Matrix:
    return Matrix(
        "learning", words("course_learning.matrix", layer=layer, head=head),
        probe.weights["cross"][layer, head].astype(np.float32), probe.output_tokens, probe.source_tokens,
        words("course_learning.rows"), words("course_learning.columns"), scale="weight", colour="cross", decimals=2,
    )  # fmt: skip


@models.cached
def _snapshots(entry: catalogue.Entry) -> tuple[Snapshot, ...]:
    """The saved steps of a training; empty for a model that has none."""
    return () if isinstance(entry, catalogue.Untrained) else history.load(entry)
