"""Step 5, several heads and masks: every head of the decoder's self-attention, with its empty triangle."""

from pages.course import tokens
from pages.course.question import Question, among
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.ui import attention_figure
from pages.shared.ui.attention_figure import panels


def figure(current_run: CurrentRun) -> Question:
    shown = [panel for panel in panels(current_run.trace) if panel.kind == "decoder"]
    layers, heads, queries, _ = shown[0].weights.shape
    chosen = view.view()
    layer = chosen.layer if (chosen.layer or 0) < layers else 0
    head = chosen.head if (chosen.head or 0) < heads else 0
    attention_figure.attention(
        shown, view_="matrix", kind="decoder", layer=layer or 0, head=head or 0, key="course_heads"
    )
    row, column = min(1, queries - 1), queries - 1
    weights = shown[0].weights[0, 0, row]  # (K)
    names = tokens.numbered(shown[0].queries)
    wrong = [f"{1 / queries:.2f}", f"{weights.max():.2f}", "0.50", "1.00"]
    return among(f"{weights[column]:.2f}", wrong, query=names[row], later=names[column], heads=heads, layers=layers)
