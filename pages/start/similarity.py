"""How alike an encoder's output vectors are, token by token."""

from model.analysis.cosine import cosines
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui.matrices import matrices
from viz.data import Matrix


def similarity(current_run: CurrentRun) -> None:
    """The matrix of all pairs of tokens."""
    vectors = current_run.trace.values["encoder.output"]  # (S, d_model)
    tokens = current_run.trace.source_tokens
    alike = Matrix("similarity", words("similarity.cosine"), cosines(vectors), tokens, tokens, limit=1.0)
    with page.card("similarity", words("similarity.title"), words("similarity.hint", shape=vectors.shape)):
        matrices("similarity_chart", [alike])
