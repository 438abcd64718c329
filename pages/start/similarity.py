"""How alike an encoder's output vectors are, token by token."""

from model.analysis.cosine import cosines
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.basic.similarity_charts import similarity_chart


def similarity(current_run: CurrentRun) -> None:
    """The chart of an encoder's output."""
    vectors = current_run.trace.values["encoder.output"]  # (S, d_model)
    with page.card("similarity", words("similarity.title"), words("similarity.hint", shape=vectors.shape)):
        chart = similarity_chart(cosines(vectors), current_run.trace.source_tokens, section("similarity"))
        show.figure("similarity_chart", chart, files="", width="content")
