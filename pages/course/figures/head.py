"""Step 4, one head: lines from each word written to the words that were read."""

from model.course import head
from model.course.question import Question
from pages.course import heads
from pages.shared.models.sentence import CurrentRun


def figure(current_run: CurrentRun) -> Question:
    heads.links(current_run, "course_head")
    return head.question(current_run.trace, *head.of_card(current_run.entry.card, current_run.entry.config))
