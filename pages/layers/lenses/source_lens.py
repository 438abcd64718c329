"""From the source to words of the output: the Jacobian lens of the encoder."""

from __future__ import annotations

import numpy as np

from model.analysis import logit_lens
from model.checkpoint import catalogue
from pages.layers import passes
from pages.layers.lenses import not_fitted, scores
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth
from pages.shared.text.words import section, words
from pages.shared.ui import show, token_picker
from viz.charts.layers import lens_charts
from viz.charts.layers.lens_charts import SourceWord

FEW = 3  # likeliest words that a tooltip names


def figures(current_run: CurrentRun) -> None:
    """All of this lens."""
    entry, texts = current_run.entry, section("layers_lens")
    lenses = passes.lenses(entry)
    if lenses is None:
        not_fitted.say(entry, texts["source"])
        return
    passes.exact(current_run)
    tokenizer = models.tokenizer(entry)
    run = models.run(entry, current_run.sentence)
    rows = [at for at, id_ in enumerate(run.source) if tokenizer.is_text(id_)]
    output = set(filter(tokenizer.is_text, run.ids))
    cells = [
        [SourceWord(tokenizer.tokens(ids[at].tolist()), int(ids[at][0]) in output) for at in rows]
        for ids in _likeliest(entry, current_run.sentence, passes.lens_state(entry)).values()
    ]
    with page.card("figure_source_words", texts["source_title"], texts["source_hint"]):
        names = token_picker.distinct([run.trace.source_tokens[at] for at in rows])
        depths = list(map(depth.layer_title, lenses.source))
        show.figure("source_words", lens_charts.source_words_chart(depths, names, cells, section("lens_chart")))
        hits = sum(cell.in_output for cell in cells[-1])
        show.text(words("layers_lens.source_there", hits=hits, count=len(rows), place=depths[-1]))
        page.formula("source_lens")
        show.caption(texts["source_limit"])
    scores.source(entry)


@models.cached
def _likeliest(entry: catalogue.Entry, sentence: str, lens_state: object) -> dict[str, np.ndarray]:
    """Depth of the encoder -> the likeliest output tokens of each source token (S, K), as ids."""
    lenses = passes.lenses(entry)
    assert lenses
    values, model = models.run(entry, sentence).trace.values, models.checkpoint(entry).model
    streams = logit_lens.early_depths(values, "encoder", False)
    return {
        at: logit_lens.top_ids(logit_lens.early_logits(model, "decoder", translator(streams[at])), FEW)
        for at, translator in lenses.source.items()
    }
