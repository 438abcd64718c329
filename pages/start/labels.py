"""The labels that an encoder's head gives: of the sentence, or of each token, with their probabilities."""

from model.analysis.labels import kind_of
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import sentences, words
from pages.shared.ui.label_table import label_table


def labels(current_run: CurrentRun) -> None:
    """Draw the labels as a card."""
    config = current_run.entry.config
    kind, each = kind_of(config), config.label_each
    hint = words(f"labels.hint_{'token' if each and kind == 'one' else kind}")
    why = words("labels.ask_why", why=words("pages.why"))
    with page.card("figure_labels", words("labels.title"), sentences(hint, why)):
        head = "number" if kind == "score" else "label" if each else "probability"
        label_table(current_run, {words(f"labels.{head}"): current_run.trace.values["labels"]})
