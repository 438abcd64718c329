"""Why: which words caused a word of the output, how far each method can be trusted, and which part wrote it."""

from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text.words import words
from pages.why import explained_method, method_trust, parts, question_asked, sentence, source_share


def words_of(question: question_asked.AskedQuestion) -> None:
    """The sentence coloured by a method and by what really happens, and the method explained."""
    name = sentence.figure(question)
    page.flush()
    if name:
        explained_method.figure(question, name)


def question(tab: str, current_run: CurrentRun) -> tuple[question_asked.AskedQuestion]:
    """The token that all views are about."""
    return (question_asked.asked(current_run, alternatives=tab != "origin"),)


kind = model_notices.label_kind()
variant = {"": "", "score": "_number", "span": "_answer"}.get(kind, "_label")
page.head(
    "why",
    words(f"why.lead{variant}"),
    question=words(f"why.question{variant}"),
    tour=(
        Stop("why.tour_sentence", "figure_sentence", {"show": None, "method": None}),
        Stop("why.tour_methods", "figure_methods", {"show": "trust"}),
        Stop("why.tour_trust", "figure_curves", {"show": "trust"}),
        Stop("why.tour_parts", "figure_parts", {"show": "parts"}),
        Stop("why.tour_origin", "figure_origin", {"show": "origin"}),
    ),
)
run = read()
model_notices.untrained(run)
tabs = {
    "words": words_of,
    "trust": method_trust.figures,
    "parts": parts.figures,
    "origin": source_share.figures,
}
page.tabs("why", tabs, run, settings=question)
tour.try_this(
    {
        "why.try_norms": Step("figure_sentence", {"show": None, "method": "norms"}),
        "why.try_gradient": Step("figure_sentence", {"show": None, "method": "gradient"}),
    }
    | ({} if variant else {"why.try_heads": Step("figure_heads", {"show": "parts", "bars": "heads"})})
    | {
        key: Step("figure_origin", {"show": "origin", "share": None, "step": None, "sentence": text})
        for key, text in source_share.suggestions(run.entry).items()
    }
)
