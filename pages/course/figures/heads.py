"""Step 5, several heads: every head of the decoder's self-attention."""

import model.course.heads
from model.course.question import Question
from pages.course import heads
from pages.shared.models.sentence import CurrentRun


def figure(current_run: CurrentRun) -> Question:
    heads.maps(current_run, "course_heads")
    return model.course.heads.question(current_run.trace)
