"""The labels that an encoder's head gives: of the sentence, or of each token, with their probabilities."""

from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import sentences, words
from pages.shared.ui.label_table import label_table


def labels(current_run: CurrentRun) -> None:
    """Draw the labels as a card."""
    each = current_run.entry.config["label_each"]
    hint = words("labels.hint_token" if each else "labels.hint_sentence")
    why = words("labels.ask_why", why=words("pages.why"))
    with page.card("figure_labels", words("labels.title"), sentences(hint, why)):
        head = words("labels.label" if each else "labels.probability")
        label_table(current_run, {head: current_run.trace.values["labels"]})
