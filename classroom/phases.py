"""The phases of a test before and after a lesson, in their order; the names of `Classroom.test_phase`."""

PHASES = ("before", "lesson", "after")  # a teacher may go to any of them
CLOSED = "closed"  # nobody answers any more, and the teacher may read the answers: it stays so
