"""The choice of a lens, and the figures of the one that is chosen."""

from pages.layers import passes
from pages.layers.lenses import decoder_lens, logit_lens, source_lens
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls, show


def figures(current_run: CurrentRun) -> None:
    """All of this view."""
    side = passes.predicts(current_run.entry)
    if side is None:
        show.text(words("layers_early.missing"))
        return
    lens = _chosen(current_run.entry.config.architecture)
    if lens == "decoder":
        decoder_lens.figures(current_run)
    elif lens == "source":
        source_lens.figures(current_run)
    else:
        logit_lens.figures(current_run, side, lens)


def _chosen(architecture: str) -> str:
    """Draw the control; an encoder alone has the logit lens only."""
    lenses = ["logit", *passes.FITTED] if architecture != "encoder" else ["logit"]
    if architecture == "encoder-decoder":
        lenses += ["decoder", "source"]
    if len(lenses) == 1:
        return "logit"
    titles = {lens: words(f"layers_lens.{lens}") for lens in lenses}
    return controls.choice("lens", words("layers_lens.lens"), titles, "logit", hidden=True)
