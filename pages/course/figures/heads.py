"""Step 5, several heads and masks: every head of the decoder's self-attention, with its empty triangle."""

from pages.course import heads, tokens
from pages.course.question import Question, among
from pages.shared.models.sentence import CurrentRun


def figure(current_run: CurrentRun) -> Question:
    heads.maps(current_run, "course_heads")
    weights = current_run.trace.weights("decoder")  # (L, H, T, T)
    layers, count, queries, _ = weights.shape
    row, column = min(1, queries - 1), queries - 1
    looks = weights[0, 0, row]  # (K)
    names = tokens.numbered(current_run.trace.target_tokens)
    wrong = [f"{1 / queries:.2f}", f"{looks.max():.2f}", "0.50", "1.00"]
    return among(f"{looks[column]:.2f}", wrong, query=names[row], later=names[column], heads=count, layers=layers)
