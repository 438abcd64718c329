"""DecoderLens: the sentence as it comes out when the decoder reads the encoder after fewer layers."""

from __future__ import annotations

from model.checkpoint import catalogue
from model.decode import start
from model.lenses import decoder_lens
from pages.layers.lenses import scores
from pages.layers.lenses.logit_lens import counted
from pages.shared.layout import page
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.html.outputs import Output, against_last_html, in_common


def figures(current_run: CurrentRun) -> None:
    """All of this lens."""
    entry, texts = current_run.entry, section("layers_lens")
    with page.card("figure_decoder_lens", texts["decoder_title"], texts["decoder_hint"]):
        with warmup.spinner():
            outputs = _outputs(entry, current_run.sentence)
        tokens = {at: models.tokenizer(entry).tokens(ids) for at, ids in outputs.items()}
        whole = list(tokens)[-1]
        names = {at: depth.layer_title(at) for at in tokens}
        names[whole] = texts["whole"].format(place=names[whole])
        columns = [Output(names[at], each, frozenset(), "") for at, each in tokens.items()]
        show.table(against_last_html(columns, section("intervene_outputs")))
        there = [len(in_common(each, tokens[whole])) for each in tokens.values()]
        depths = list(map(depth.layer_title, tokens))
        show.text(words("layers_lens.decoder_there", counts=counted(depths, there), count=len(tokens[whole])))
        page.formula("decoder_lens")
        show.caption(texts["decoder_limit"])
    scores.decoder_lens(entry)


@models.cached
def _outputs(entry: catalogue.Entry, sentence: str) -> dict[str, tuple[int, ...]]:
    """Depth of the encoder -> the ids that the decoder writes when it reads that depth."""
    checkpoint = models.checkpoint(entry)
    begin = start.decoding_start(checkpoint, sentence)
    decoded = decoder_lens.outputs(checkpoint.model, [begin.source], begin.limit)
    return {at: each[0].ids for at, each in decoded.items()}
